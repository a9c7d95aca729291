/** The chance source of scripts: rolls from an example of a rule book, decisions of its players. */
import { ScriptError } from '../errors.ts';
import type { Chance, Dice, DicePool, DiceSet, Distribution, EventData } from './chance.ts';
import { getCachedDistribution, getSortedDice } from './distribution-cache.ts';

/** A scripted roll, draw or decision. Entries are used in order, and all must be used. */
export type ScriptEntry =
  /** Sum of dice. */
  | { readonly sum: number }
  /** The two sums of an attack roll and the defense roll against it, without modifiers. */
  | { readonly excess: readonly [attack: number, defence: number] }
  /** Faces of one pool of d6, or of custom dice, all sets in order. */
  | { readonly faces: readonly number[] }
  /** The cubes drawn, by color. */
  | { readonly draw: readonly number[] }
  /** Picked index. */
  | { readonly pick: number }
  /** Value of a distribution. */
  | { readonly sample: number }
  /** Faces of dice that are rolled together, in any order. */
  | { readonly roll: readonly number[] }
  /** Decision of a player. */
  | { readonly decide: string | number };

type ScriptEntryKind = 'sum' | 'excess' | 'faces' | 'draw' | 'pick' | 'sample' | 'roll' | 'decide';

/** Maximum number of values that a message lists; otherwise it has the least and the greatest. */
const LISTED_MAX = 12;

export class ScriptedChance implements Chance {
  readonly #entries: readonly ScriptEntry[];
  #used = 0;
  /** Index of the next entry, from 0. */
  #at = 0;

  constructor(entries: readonly ScriptEntry[]) {
    this.#entries = entries;
  }

  seek(): void {
    // Scripts ignore stream positions.
  }

  sum(dice: Dice): number {
    const { sum } = this.#next('sum', `a sum of ${formatDice(dice)}`);
    return this.#sum(dice, sum);
  }

  excess(dice: Dice, bonus: number): number {
    const { excess } = this.#next('excess', `two sums of ${formatDice(dice)}`);
    return Math.max(0, this.#sum(dice, excess[0]) - this.#sum(dice, excess[1]) + bonus);
  }

  hits(pools: readonly DicePool[]): number {
    return pools.reduce((total, pool) => total + this.#countPoolHits(pool), 0);
  }

  faces(lots: readonly DiceSet[]): number {
    const dice = lots.flat();
    const { faces } = this.#next('faces', `${String(dice.length)} custom dice`);
    const proper = faces.length === dice.length && dice.every((die, d) => die.includes(faces[d] ?? -1));
    if (!proper)
      this.#reject(`faces of the dice ${dice.map((die) => die.join('/')).join(', ')}`, `[${faces.join(', ')}]`);
    return faces.reduce((sum, face) => sum + face, 0);
  }

  draw(bag: readonly number[], count: number): number[] {
    const { draw } = this.#next('draw', `a draw of ${String(count)} cubes`);
    const size = bag.reduce((sum, cubes) => sum + cubes, 0);
    const drawn = draw.reduce((sum, cubes) => sum + cubes, 0);
    const fits = draw.length === bag.length && draw.every((cubes, i) => cubes >= 0 && cubes <= (bag[i] ?? 0));
    if (!fits || drawn !== Math.min(count, size)) {
      this.#reject(`${String(Math.min(count, size))} cubes of the bag [${bag.join(', ')}]`, `[${draw.join(', ')}]`);
    }
    return [...draw];
  }

  pick(weights: readonly number[]): number {
    const { pick } = this.#next('pick', `a pick of ${String(weights.length)}`);
    if (!((weights[pick] ?? 0) > 0)) this.#reject('an index with a positive weight', String(pick));
    return pick;
  }

  sample(distribution: Distribution): number {
    const { values } = getCachedDistribution(distribution).finiteDistribution;
    const range = values.length > LISTED_MAX ? `${String(values[0])}..${String(values.at(-1))}` : values.join(', ');
    const what = `a value of ${distribution.name ?? 'a distribution'} (${range})`;
    const { sample } = this.#next('sample', what);
    if (!values.includes(sample)) this.#reject(what, String(sample));
    return sample;
  }

  roll(count: number, sides: number): readonly number[] {
    getSortedDice('roll', count, sides);
    const what = `the faces of ${formatDice({ count, sides })}`;
    const { roll } = this.#next('roll', what);
    const proper = roll.every((face) => Number.isInteger(face) && face >= 1 && face <= sides);
    if (roll.length !== count || !proper) this.#reject(what, `[${roll.join(', ')}]`);
    return Object.freeze(roll.toSorted((a, b) => b - a));
  }

  decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    const entry = this.#entries[this.#used];
    if (entry === undefined || !('decide' in entry)) return policy();
    this.#at = this.#used++;
    const choice = options.find((option) => option === entry.decide);
    if (choice === undefined) {
      return this.#reject(`${player}'s ${point}, one of ${options.join(', ')}`, String(entry.decide));
    }
    return choice;
  }

  rule(_id: string, _facts?: () => EventData): void {
    // Tests compare states, not events.
  }

  /** Throws if an entry was not used. */
  checkUsed(): void {
    const left = this.#entries.length - this.#used;
    if (left > 0)
      throw new ScriptError(`script: ${String(left)} entries were not used, from entry ${String(this.#used)} on`);
  }

  #countPoolHits({ dice, value }: DicePool): number {
    const { faces } = this.#next('faces', `${String(dice)} dice at ${String(value)}`);
    const proper = faces.length === dice && faces.every((face) => Number.isInteger(face) && face >= 1 && face <= 6);
    if (!proper) this.#reject(`${String(dice)} faces of 1 to 6`, `[${faces.join(', ')}]`);
    return faces.filter((face) => face <= value).length;
  }

  #sum(dice: Dice, sum: number): number {
    if (!Number.isInteger(sum) || sum < dice.count || sum > dice.count * dice.sides) {
      this.#reject(`a sum of ${formatDice(dice)}`, String(sum));
    }
    return sum;
  }

  #next<K extends ScriptEntryKind>(kind: K, what: string): Extract<ScriptEntry, Record<K, unknown>> {
    const entry = this.#entries[this.#used];
    this.#at = this.#used;
    if (entry === undefined || !(kind in entry))
      this.#reject(what, entry === undefined ? 'the end' : JSON.stringify(entry));
    this.#used++;
    return entry as Extract<ScriptEntry, Record<K, unknown>>;
  }

  #reject(expected: string, found: string): never {
    throw new ScriptError(`script entry ${String(this.#at)}: expected ${expected}, found ${found}`);
  }
}

function formatDice({ count, sides }: Dice): string {
  return `${String(count)}d${String(sides)}`;
}
