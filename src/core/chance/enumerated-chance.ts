/** Limits the number of possible results of a draw that the exact solver follows. */

import { BudgetError, createNondeterminismError } from '../errors.ts';
import { formatGrouped } from '../numerals.ts';
import type { Chance, Dice, DicePool, DiceSet, Distribution, EventData } from './chance.ts';
import {
  computeExcessDistribution,
  computeFacesDistribution,
  computeHitsDistribution,
  computeMarkedDistribution,
  computeSumDistribution,
  createDiceSetKey,
  type FiniteDistribution,
  toFiniteDistribution,
} from './dice-tables.ts';
import { getCachedDistribution, getSortedDice, type SortedDice } from './distribution-cache.ts';

/** Same limit as for the values of a distribution and the results of sorted dice. */
const BRANCHES_MAX = 2 ** 16;

/**
 * Counts the ways to draw cubes from a bag, by color; above the limit, any number above it. Counts color by color;
 * drawing some is equivalent to leaving the others.
 */
function countDraws(bag: readonly number[], count: number): number {
  const size = bag.reduce((sum, cubes) => sum + cubes, 0);
  const drawn = Math.min(count, size - count);
  const widest = Math.max(...bag.map((cubes) => Math.min(cubes, drawn) - Math.max(0, drawn - (size - cubes)) + 1));
  if (widest > BRANCHES_MAX) return widest;
  let ways = [1, ...new Array<number>(Math.max(0, drawn)).fill(0)];
  for (const cubes of bag) {
    let held = 0;
    ways = ways.map((own, k) => {
      held += own - (ways[k - cubes - 1] ?? 0);
      return held;
    });
    if ((ways.at(-1) ?? 0) > BRANCHES_MAX) break;
  }
  return ways.at(-1) ?? 0;
}

/** @throws BudgetError if there are more than 65536 */
function checkBranchCount(what: string, ways: number, instead: string): void {
  if (ways <= BRANCHES_MAX) return;
  const [found, most] = [formatGrouped(ways), formatGrouped(BRANCHES_MAX)];
  throw new BudgetError(`${what} has ${found} or more possible results, the limit is ${most}; ${instead}`);
}

/** @throws BudgetError if the draw has more than 65536 possible results */
export function checkDraw(bag: readonly number[], count: number): void {
  if (bag.length < 2) return;
  const size = bag.reduce((sum, cubes) => sum + cubes, 0);
  const what = `draw: ${formatGrouped(count)} of ${formatGrouped(size)} in ${formatGrouped(bag.length)} kinds`;
  checkBranchCount(what, countDraws(bag, count), 'draw one by one in separate phases, or distinguish fewer kinds');
}

// The chance source of the exact solver, which enumerates all possible results.

/** One possible result of an act. */
export interface Branch<T> {
  readonly value: T;
  readonly probability: number;
}

function convolve(a: FiniteDistribution<number>, b: FiniteDistribution<number>): FiniteDistribution<number> {
  const sums = new Map<number, number>();
  for (const [i, x] of a.values.entries()) {
    for (const [j, y] of b.values.entries()) {
      const mass = (a.probabilities[i] ?? 0) * (b.probabilities[j] ?? 0);
      sums.set(x + y, (sums.get(x + y) ?? 0) + mass);
    }
  }
  return { values: [...sums.keys()], probabilities: [...sums.values()] };
}

const CERTAIN_ZERO: FiniteDistribution<number> = { values: [0], probabilities: [1] };

function createPoolDistribution({ dice, value }: DicePool): FiniteDistribution<number> {
  return toFiniteDistribution(computeHitsDistribution(dice, Math.min(6, value)));
}

function createBagDistribution(bag: readonly number[], count: number): FiniteDistribution<number[]> {
  const [cubes = 0, ...others] = bag;
  const rest = others.reduce((sum, next) => sum + next, 0);
  if (others.length === 0) return { values: [[count]], probabilities: [1] };
  const values: number[][] = [];
  const probabilities: number[] = [];
  const first = toFiniteDistribution(computeMarkedDistribution(cubes + rest, cubes, count));
  for (const [i, drawn] of first.values.entries()) {
    const further = createBagDistribution(others, count - drawn);
    for (const [j, tail] of further.values.entries()) {
      values.push([drawn, ...tail]);
      probabilities.push((first.probabilities[i] ?? 0) * (further.probabilities[j] ?? 0));
    }
  }
  return { values, probabilities };
}

/** Cached distributions by key. */
const distributions = new Map<string, unknown>();

function memoizeDistribution<T>(name: string, make: () => FiniteDistribution<T>): FiniteDistribution<T> {
  let distribution = distributions.get(name) as FiniteDistribution<T> | undefined;
  if (distribution === undefined) {
    distribution = make();
    distributions.set(name, distribution);
  }
  return distribution;
}

/** Runs an act repeatedly, each time along another branch: `rewind`, the act, `advance`, until there is no other. */
export class EnumeratedChance implements Chance {
  /**
   * Draws of the present branch: the distribution, and the index of the taken value. The act is pure: it repeats the
   * draws of the path in the same way each time, so that they need no comparison.
   */
  readonly #path: { taken: number; from: FiniteDistribution<unknown> }[] = [];
  /** Draws of the path; further entries are reused. */
  #length = 0;
  #depth = 0;
  probability = 1;

  seek(): void {
    // Draws do not depend on stream positions.
  }

  sum(dice: Dice): number {
    if (this.#isTaken) return this.#repeatDraw() as number;
    return this.#addDraw(
      memoizeDistribution(`s${String(dice.count)}d${String(dice.sides)}`, () =>
        toFiniteDistribution(computeSumDistribution(dice)),
      ),
    );
  }

  excess(dice: Dice, bonus: number): number {
    if (this.#isTaken) return this.#repeatDraw() as number;
    const name = `e${String(dice.count)}d${String(dice.sides)}+${String(bonus)}`;
    return this.#addDraw(memoizeDistribution(name, () => toFiniteDistribution(computeExcessDistribution(dice, bonus))));
  }

  hits(pools: readonly DicePool[]): number {
    if (this.#isTaken) return this.#repeatDraw() as number;
    const name = `h${pools.map(({ dice, value }) => `${String(dice)}@${String(value)}`).join()}`;
    return this.#addDraw(
      memoizeDistribution(name, () => {
        const all = pools.reduce((sum, { dice }) => sum + dice, 0);
        checkBranchCount(`hits: ${formatGrouped(all)} dice`, all + 1, 'roll them in several steps');
        return pools.map(createPoolDistribution).reduce(convolve, CERTAIN_ZERO);
      }),
    );
  }

  faces(lots: readonly DiceSet[]): number {
    if (this.#isTaken) return this.#repeatDraw() as number;
    // The sum of sets is the sum of all their dice.
    return this.#addDraw(
      memoizeDistribution(`f${lots.map(createDiceSetKey).join('/')}`, () =>
        toFiniteDistribution(computeFacesDistribution(lots.flat())),
      ),
    );
  }

  draw(bag: readonly number[], count: number): number[] {
    if (this.#isTaken) return this.#repeatDraw() as number[];
    const size = bag.reduce((sum, cubes) => sum + cubes, 0);
    const drawn = Math.min(count, size);
    return this.#addDraw(
      memoizeDistribution(`b${bag.join()}:${String(drawn)}`, () => {
        checkDraw(bag, drawn);
        return createBagDistribution(bag, drawn);
      }),
    );
  }

  pick(weights: readonly number[]): number {
    if (this.#isTaken) return this.#repeatDraw() as number;
    checkBranchCount('pick', weights.length, 'pick in several steps');
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const values = [...weights.keys()].filter((index) => (weights[index] ?? 0) > 0);
    return this.#addDraw({ values, probabilities: values.map((index) => (weights[index] ?? 0) / total) });
  }

  sample(distribution: Distribution): number {
    return this.#isTaken
      ? (this.#repeatDraw() as number)
      : this.#addDraw(getCachedDistribution(distribution).finiteDistribution);
  }

  roll(count: number, sides: number): SortedDice {
    return this.#isTaken
      ? (this.#repeatDraw() as SortedDice)
      : this.#addDraw(getSortedDice('roll', count, sides).finiteDistribution);
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(_id: string, _facts?: () => EventData): void {
    // Exact solutions have no events.
  }

  /** Chooses the first value of a draw. */
  protected chooseFirst(_from: FiniteDistribution<unknown>): number {
    return 0;
  }

  /** Resets the path before a new act. */
  reset(): void {
    this.#length = 0;
    this.rewind();
  }

  /** Returns to the start of the act. */
  rewind(): void {
    this.#depth = 0;
    this.probability = 1;
  }

  /** Advances to the next branch; false if there is none. @throws RulesError if the act made fewer draws */
  advance(): boolean {
    if (this.#depth < this.#length) throw createNondeterminismError();
    for (; this.#length > 0; this.#length--) {
      const last = this.#path[this.#length - 1];
      if (last !== undefined && ++last.taken < last.from.values.length) return true;
    }
    return false;
  }

  /** True if the next draw is on the path. */
  get #isTaken(): boolean {
    return this.#depth < this.#length;
  }

  /** Adds a draw to the path. */
  #addDraw<T>(from: FiniteDistribution<T>): T {
    const choice = this.#path[this.#length++];
    const taken = this.chooseFirst(from);
    if (choice === undefined) this.#path.push({ taken, from });
    else [choice.taken, choice.from] = [taken, from];
    return this.#repeatDraw() as T;
  }

  /** Returns the value that a draw of the path has on the present branch. */
  #repeatDraw(): unknown {
    const choice = this.#path[this.#depth];
    if (choice === undefined || this.#depth++ >= this.#length) throw createNondeterminismError();
    this.probability *= choice.from.probabilities[choice.taken] ?? 0;
    return choice.from.values[choice.taken];
  }
}

/**
 * Enumerates all possible results of `act` with their probabilities. The act must be a pure function of the values of
 * the chance source; equal results are not merged.
 */
export function* enumerateBranches<T>(act: (chance: Chance) => T): Generator<Branch<T>> {
  const chance = new EnumeratedChance();
  do {
    chance.rewind();
    const value = act(chance);
    yield { value, probability: chance.probability };
  } while (chance.advance());
}
