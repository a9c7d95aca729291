/** Fixtures for cube-bag tests: run a battle by a script and record its decisions and rules. */
import type { EventData } from '../../src/core/chance/chance.ts';
import { type ScriptEntry, ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import type { BagState } from '../../src/rules/cube-bag/army.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import { choose, fill } from '../../src/rules/cube-bag/model.ts';
import { getPlan } from '../../src/rules/cube-bag/plan.ts';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { Listener } from './listener.ts';

/** Scripted chance that records bags, decisions with their options, and rules. */
class Watched extends Listener {
  readonly bags: string[] = [];

  override draw(bag: readonly number[], count: number): number[] {
    this.bags.push(`${String(count)} of ${bag.join(' ')}`);
    return super.draw(bag, count);
  }
}

export interface Fight {
  readonly outcome: string | undefined;
  readonly metrics: Readonly<Record<string, number>>;
  /** Metrics other than 0. */
  readonly marked: Readonly<Record<string, number>>;
  /** Each draw, such as "3 of 6 4 0". */
  readonly bags: readonly string[];
  /** Decisions about bonuses, which are not in the other list of decisions. */
  readonly counted: readonly string[];
  readonly requested: readonly string[];
  readonly reported: readonly string[];
}

export function scenario(input: object): CubeBag {
  return cubeBag.schema.parse({ system: 'cube-bag', ...input });
}

/** Runs a battle by a script that must be used up. */
export function fight(input: object, script: readonly ScriptEntry[]): Fight {
  const model = cubeBag.model(scenario(input));
  const chance = new Watched(script);
  const { outcome, metrics } = playBattle(model, chance);
  chance.checkUsed();
  const named = model.metrics.map(({ name }, m) => [name, metrics[m] ?? 0] as const);
  const { bags, reported } = chance;
  const isBonus = (requested: string) => requested.includes(' bonus [');
  return {
    outcome: model.outcomes[outcome],
    metrics: Object.fromEntries(named),
    marked: Object.fromEntries(named.filter(([, value]) => value !== 0)),
    bags,
    counted: chance.requested.filter(isBonus),
    requested: chance.requested.filter((requested) => !isBonus(requested)),
    reported,
  };
}

export const draw = (...cubes: number[]): ScriptEntry => ({ draw: cubes });
export const decide = (choice: string | number): ScriptEntry => ({ decide: choice });

/** Returns the bag and courage of both sides: [attacker, defender, neutral], [attacker, defender]. */
export function prepared(input: object): { bag: readonly number[]; courage: readonly number[]; reported: string[] } {
  const of = scenario(input);
  const model = cubeBag.model(of);
  const courage: number[] = [];
  class Listening extends ScriptedChance {
    readonly reported: string[] = [];

    override rule(id: string, facts?: () => EventData): void {
      this.reported.push(id);
      if (id === 'cubes') courage.push(Number(facts?.()['courage']));
    }
  }
  const chance = new Listening([]);
  let state = model.start(chance) as BagState;
  while (state.pending === 'bonus') state = choose(getPlan(of), state, chance);
  const { bag } = fill(of, getPlan(of), state, chance);
  return { bag, courage, reported: chance.reported };
}

/** Returns a side with one army and further fields of the army. */
export const army = (units: object, fields: object = {}) => ({ armies: [{ units, ...fields }] });
