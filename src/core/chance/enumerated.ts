/** How many ways a draw may have where all of them are followed. */

import { BudgetError, unsteady } from '../errors.ts';
import type { Dice, DicePool, Door, Facts, Law, Lot } from './door.ts';
import { type Distribution, distributionOf, excessLaw, facesLaw, hitsLaw, lotKey, markedLaw, sumLaw } from './laws.ts';
import { grouped } from './numerals.ts';
import { type Hand, handsOf, takenOf } from './taken.ts';

/** As many as a law may have values, and a handful hands. */
const WAYS_MAX = 2 ** 16;

/**
 * Ways in which some of the cubes of a bag can be drawn, by colour; beyond the limit some number that is above it.
 * Counted colour by colour; to draw some is to leave the others.
 */
function waysToDraw(bag: readonly number[], count: number): number {
  const size = bag.reduce((sum, cubes) => sum + cubes, 0);
  const drawn = Math.min(count, size - count);
  const widest = Math.max(...bag.map((cubes) => Math.min(cubes, drawn) - Math.max(0, drawn - (size - cubes)) + 1));
  if (widest > WAYS_MAX) return widest;
  let ways = [1, ...new Array<number>(Math.max(0, drawn)).fill(0)];
  for (const cubes of bag) {
    let held = 0;
    ways = ways.map((own, k) => {
      held += own - (ways[k - cubes - 1] ?? 0);
      return held;
    });
    if ((ways.at(-1) ?? 0) > WAYS_MAX) break;
  }
  return ways.at(-1) ?? 0;
}

/** @throws BudgetError if there are more than 65536 */
function checkWays(what: string, ways: number, instead: string): void {
  if (ways <= WAYS_MAX) return;
  const [found, most] = [grouped(ways), grouped(WAYS_MAX)];
  throw new BudgetError(`${what} has ${found} ways or more, and at most ${most} can be followed; ${instead}`);
}

/** @throws BudgetError if so many cubes can be drawn in more than 65536 ways */
export function checkDraw(bag: readonly number[], count: number): void {
  if (bag.length < 2) return;
  const size = bag.reduce((sum, cubes) => sum + cubes, 0);
  const what = `draw: ${grouped(count)} of ${grouped(size)} in ${grouped(bag.length)} kinds`;
  checkWays(what, waysToDraw(bag, count), 'draw one by one, each in a phase of its own, or tell fewer kinds apart');
}

// The door that opens on every possibility at once: what the exact solver walks through.

/** One way in which an act can turn out. */
export interface Branch<T> {
  readonly value: T;
  readonly probability: number;
}

function convolve(a: Distribution<number>, b: Distribution<number>): Distribution<number> {
  const sums = new Map<number, number>();
  for (const [i, x] of a.values.entries()) {
    for (const [j, y] of b.values.entries()) {
      const mass = (a.probabilities[i] ?? 0) * (b.probabilities[j] ?? 0);
      sums.set(x + y, (sums.get(x + y) ?? 0) + mass);
    }
  }
  return { values: [...sums.keys()], probabilities: [...sums.values()] };
}

const CERTAIN_ZERO: Distribution<number> = { values: [0], probabilities: [1] };

function ofPool({ dice, value }: DicePool): Distribution<number> {
  return distributionOf(hitsLaw(dice, Math.min(6, value)));
}

function ofBag(bag: readonly number[], count: number): Distribution<number[]> {
  const [cubes = 0, ...others] = bag;
  const rest = others.reduce((sum, next) => sum + next, 0);
  if (others.length === 0) return { values: [[count]], probabilities: [1] };
  const values: number[][] = [];
  const probabilities: number[] = [];
  const first = distributionOf(markedLaw(cubes + rest, cubes, count));
  for (const [i, drawn] of first.values.entries()) {
    const further = ofBag(others, count - drawn);
    for (const [j, tail] of further.values.entries()) {
      values.push([drawn, ...tail]);
      probabilities.push((first.probabilities[i] ?? 0) * (further.probabilities[j] ?? 0));
    }
  }
  return { values, probabilities };
}

/** Known distributions, by what was asked. */
const known = new Map<string, unknown>();

function recall<T>(name: string, make: () => Distribution<T>): Distribution<T> {
  let distribution = known.get(name) as Distribution<T> | undefined;
  if (distribution === undefined) {
    distribution = make();
    known.set(name, distribution);
  }
  return distribution;
}

/**
 * Runs through an act again and again, each time down another of its branches: `rewind`, the act, `advance`, until
 * there is no other.
 */
export class Enumerated implements Door {
  /**
   * For each draw of the present branch: what it is drawn from, and which value it takes. The act is pure: draws that
   * stay in the path are asked for in the same way at every time, and nobody has to look again what that was.
   */
  readonly #path: { taken: number; readonly from: Distribution<unknown> }[] = [];
  #depth = 0;
  probability = 1;

  seek(): void {
    // Every place of the stream holds every possibility.
  }

  sum(dice: Dice): number {
    if (this.#isTaken) return this.#again() as number;
    return this.#first(recall(`s${String(dice.count)}d${String(dice.sides)}`, () => distributionOf(sumLaw(dice))));
  }

  excess(dice: Dice, bonus: number): number {
    if (this.#isTaken) return this.#again() as number;
    const name = `e${String(dice.count)}d${String(dice.sides)}+${String(bonus)}`;
    return this.#first(recall(name, () => distributionOf(excessLaw(dice, bonus))));
  }

  hits(pools: readonly DicePool[]): number {
    if (this.#isTaken) return this.#again() as number;
    const name = `h${pools.map(({ dice, value }) => `${String(dice)}@${String(value)}`).join()}`;
    return this.#first(
      recall(name, () => {
        const all = pools.reduce((sum, { dice }) => sum + dice, 0);
        checkWays(`hits: ${grouped(all)} dice`, all + 1, 'roll them in several steps');
        return pools.map(ofPool).reduce(convolve, CERTAIN_ZERO);
      }),
    );
  }

  faces(lots: readonly Lot[]): number {
    if (this.#isTaken) return this.#again() as number;
    // The sum of lots is that of all their dice.
    return this.#first(recall(`f${lots.map(lotKey).join('/')}`, () => distributionOf(facesLaw(lots.flat()))));
  }

  draw(bag: readonly number[], count: number): number[] {
    if (this.#isTaken) return this.#again() as number[];
    const size = bag.reduce((sum, cubes) => sum + cubes, 0);
    const drawn = Math.min(count, size);
    return this.#first(
      recall(`b${bag.join()}:${String(drawn)}`, () => {
        checkDraw(bag, drawn);
        return ofBag(bag, drawn);
      }),
    );
  }

  pick(weights: readonly number[]): number {
    if (this.#isTaken) return this.#again() as number;
    checkWays('pick', weights.length, 'pick in several steps');
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const values = [...weights.keys()].filter((index) => (weights[index] ?? 0) > 0);
    return this.#first({ values, probabilities: values.map((index) => (weights[index] ?? 0) / total) });
  }

  take(law: Law): number {
    return this.#isTaken ? (this.#again() as number) : this.#first(takenOf(law).distribution);
  }

  roll(count: number, sides: number): Hand {
    return this.#isTaken ? (this.#again() as Hand) : this.#first(handsOf('roll', count, sides).distribution);
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(_id: string, _facts?: () => Facts): void {
    // A law has no story.
  }

  /** The value that a draw takes first. */
  protected chosen(_from: Distribution<unknown>): number {
    return 0;
  }

  /** Before an act of which no way was gone. */
  forget(): void {
    this.#path.length = 0;
    this.rewind();
  }

  /** Back to the start of the act. */
  rewind(): void {
    this.#depth = 0;
    this.probability = 1;
  }

  /** Moves on to the next branch; false when there is none. @throws RulesError if the act has asked for fewer draws */
  advance(): boolean {
    if (this.#depth < this.#path.length) throw unsteady();
    for (;;) {
      const last = this.#path.at(-1);
      if (last === undefined) return false;
      last.taken++;
      if (last.taken < last.from.values.length) return true;
      this.#path.pop();
    }
  }

  /** Whether the next draw is one of the path. */
  get #isTaken(): boolean {
    return this.#depth < this.#path.length;
  }

  /** A draw that is new on the path. */
  #first<T>(from: Distribution<T>): T {
    this.#path.push({ taken: this.chosen(from), from });
    return this.#again() as T;
  }

  /** The value that a draw of the path has on the present branch. */
  #again(): unknown {
    const choice = this.#path[this.#depth++];
    if (choice === undefined) throw unsteady();
    this.probability *= choice.from.probabilities[choice.taken] ?? 0;
    return choice.from.values[choice.taken];
  }
}

/**
 * Every way in which `act` can turn out, with its probability. The act must be a pure function of
 * what the door gives; equal values are not merged.
 */
export function* branches<T>(act: (door: Door) => T): Generator<Branch<T>> {
  const door = new Enumerated();
  do {
    door.rewind();
    const value = act(door);
    yield { value, probability: door.probability };
  } while (door.advance());
}
