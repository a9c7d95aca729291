/** Plays token conflicts by a script and notes what the rules asked for. */
import type { EventData } from '../../src/core/chance/chance.ts';
import { type ScriptEntry, ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import type { TokenConflict } from '../../src/rules/token-conflict/fields.ts';
import { tokenConflict } from '../../src/rules/token-conflict/index.ts';

/** A scripted chance that writes down decision points, rules and what is told of losses. */
class Watched extends ScriptedChance {
  readonly asked: string[] = [];
  readonly told: string[] = [];
  readonly story: string[] = [];

  override decide<T extends string | number>(point: string, who: string, options: readonly T[], policy: () => T): T {
    const choice = super.decide(point, who, options, policy);
    this.asked.push(`${who} ${point} ${choice}`);
    return choice;
  }

  override rule(id: string, facts: () => EventData = () => ({})): void {
    this.told.push(id);
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
  readonly asked: readonly string[];
  readonly told: readonly string[];
  /** Rounds, losses with what is left, ties and attacks, one behind the other. */
  readonly story: readonly string[];
}

export function scenario(input: object): TokenConflict {
  return tokenConflict.schema.parse({ system: 'token-conflict', ...input });
}

/** Fights a battle whose draws and decisions are given and must be used up. */
export function fight(input: object, script: readonly ScriptEntry[] = []): Fight {
  const model = tokenConflict.model(scenario(input));
  const chance = new Watched(script);
  const { outcome, metrics } = playBattle(model, chance);
  chance.checkUsed();
  const named = model.metrics.map(({ name }, m) => [name, metrics[m] ?? 0]);
  const { asked, told, story } = chance;
  return { outcome: model.outcomes[outcome], metrics: Object.fromEntries(named) as never, asked, told, story };
}

/** One area without a city. */
export const open = (limit: number, tokens: object, players: object = {}) => ({
  areas: [{ name: 'Delta', limit, tokens }],
  players,
});

/** One city of egypt, or of pirates. */
export const siege = (tokens: object, players: object = {}, options: object = {}) => {
  const { limit = 0, city = 'egypt', ...rest } = options as { limit?: number; city?: string };
  return { areas: [{ name: 'Thebes', limit, city, tokens }], players, ...rest };
};

/** `left` of some players, in their order. */
export function left({ metrics }: Fight, ...players: readonly string[]): (number | undefined)[] {
  return players.map((player) => metrics[`left.${player}`]);
}
