/** Fixtures for token-conflict tests: run a battle by a script and record its decisions and rules. */
import type { EventData } from '../../src/core/chance/chance.ts';
import { type ScriptEntry, ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import type { TokenConflict } from '../../src/rules/token-conflict/fields.ts';
import { tokenConflict } from '../../src/rules/token-conflict/index.ts';

/** Scripted chance that records decision points, rules and losses. */
class Watched extends ScriptedChance {
  readonly requested: string[] = [];
  readonly reported: string[] = [];
  readonly story: string[] = [];

  override decide<T extends string | number>(point: string, who: string, options: readonly T[], policy: () => T): T {
    const choice = super.decide(point, who, options, policy);
    this.requested.push(`${who} ${point} ${choice}`);
    return choice;
  }

  override rule(id: string, facts: () => EventData = () => ({})): void {
    this.reported.push(id);
    const { player, left, area } = facts();
    if (id.startsWith('lose.')) this.story.push(`${player} ${left}`);
    else if (id.startsWith('order.tie')) this.story.push('tie');
    else if (id.startsWith('round')) this.story.push('round');
    else if (id.startsWith('attack.')) this.story.push(`${id} ${area}`);
  }
}

export interface Fight {
  readonly outcome: string | undefined;
  readonly metrics: Readonly<Record<string, number>>;
  readonly requested: readonly string[];
  readonly reported: readonly string[];
  /** Rounds, losses with the remaining tokens, ties and attacks, in their order. */
  readonly story: readonly string[];
}

export function scenario(input: object): TokenConflict {
  return tokenConflict.schema.parse({ system: 'token-conflict', ...input });
}

/** Runs a battle by a script that must be used up. */
export function fight(input: object, script: readonly ScriptEntry[] = []): Fight {
  const model = tokenConflict.model(scenario(input));
  const chance = new Watched(script);
  const { outcome, metrics } = playBattle(model, chance);
  chance.checkUsed();
  const named = model.metrics.map(({ name }, m) => [name, metrics[m] ?? 0]);
  const { requested: asked, reported: told, story } = chance;
  return {
    outcome: model.outcomes[outcome],
    metrics: Object.fromEntries(named) as never,
    requested: asked,
    reported: told,
    story,
  };
}

/** Returns a scenario of one area without a city. */
export const open = (limit: number, tokens: object, players: object = {}) => ({
  areas: [{ name: 'Delta', limit, tokens }],
  players,
});

/** Returns a scenario of one city, by default of egypt. */
export const siege = (tokens: object, players: object = {}, options: object = {}) => {
  const { limit = 0, city = 'egypt', ...rest } = options as { limit?: number; city?: string };
  return { areas: [{ name: 'Thebes', limit, city, tokens }], players, ...rest };
};

/** Returns the metric `left` of some players, in their order. */
export function left({ metrics }: Fight, ...players: readonly string[]): (number | undefined)[] {
  return players.map((player) => metrics[`left.${player}`]);
}
