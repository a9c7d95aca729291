/** Fixtures for phased-dice tests: run a battle by a script and record its decisions and rules. */
import type { DicePool } from '../../src/core/chance/chance.ts';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { Listener } from './listener.ts';

/** Formats a pool: "9@2" is nine dice that hit at 2 or less. */
const poolName = ({ dice, value }: DicePool): string => `${String(dice)}@${String(value)}`;

/** Scripted chance that records pools, decision points with their options, and rules. */
export class Watched extends Listener {
  readonly pools: string[] = [];
  readonly places: number[] = [];

  override seek(word = 0): void {
    this.places.push(word);
  }

  override hits(pools: readonly DicePool[]): number {
    this.pools.push(pools.map(poolName).join(' '));
    return super.hits(pools);
  }
}

export interface Fight {
  readonly outcome: string | undefined;
  readonly metrics: Readonly<Record<string, number>>;
  /** Pools of each roll. */
  readonly pools: readonly string[];
  readonly requested: readonly string[];
  readonly reported: readonly string[];
  /** Stream position at which each roll begins. */
  readonly places: readonly number[];
}

export function scenario(input: object): PhasedDice {
  return phasedDice.schema.parse({ system: 'phased-dice', mode: 'ground', ...input });
}

/** Runs a battle by a script that must be used up. */
export function fight(input: object, script: readonly ScriptEntry[]): Fight {
  const model = phasedDice.model(scenario(input));
  const chance = new Watched(script);
  const { outcome, metrics } = playBattle(model, chance);
  chance.checkUsed();
  const named = model.metrics.map(({ name }, m) => [name, metrics[m] ?? 0]);
  const { pools, requested, reported, places } = chance;
  return {
    outcome: model.outcomes[outcome],
    metrics: Object.fromEntries(named) as never,
    pools,
    requested,
    reported,
    places,
  };
}

/** Returns the first decision at a point and stops there, such as "attacker target [infantry] infantry". */
export function firstAsked(point: string, input: object, script: readonly ScriptEntry[]): string | undefined {
  const model = phasedDice.model(scenario(input));
  const chance = new Watched(script);
  let state = model.start(chance);
  const found = () => chance.requested.find((question) => question.split(' ')[1] === point);
  while (found() === undefined) state = model.step(state, chance);
  chance.checkUsed();
  return found();
}

/** Returns a roll of one pool: `dice` dice, of which `hits` hit at any value. */
export function roll(dice: number, hits: number): ScriptEntry {
  return { faces: Array.from({ length: dice }, (_, die) => (die < hits ? 1 : 6)) };
}

export const decide = (choice: string): ScriptEntry => ({ decide: choice });

/** Returns a land battle of two sides, by default of one round. */
export const clash = (attacker: object, defender: object, options: object = {}) => ({
  maxRounds: 1,
  ...options,
  attacker: 'units' in attacker ? attacker : { units: attacker },
  defender: 'units' in defender ? defender : { units: defender },
});

/** Unit types without dice. */
export const idle = {
  unitTypes: {
    cart: { class: 'infantry', era: 1, dice: 0 },
    fort: { class: 'infantry', era: 1, dice: 0, hits: 9 },
    balloon: { class: 'air', era: 2, dice: 0 },
    zeppelin: { class: 'air', era: 1, dice: 0, hits: 5 },
    raft: { class: 'fleet', era: 1, dice: 0 },
  },
};

/** Returns a type without dice that takes hits, so that a script contains only the rolls of the guns. */
export const mute = (unitClass: string, hits: number, fields: object = {}) => ({
  class: unitClass,
  era: Math.min(20, hits),
  hits,
  dice: 0,
  ...fields,
});
