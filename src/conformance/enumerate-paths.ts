/** Enumeration of all results of a function of the rules, with their probabilities. */
import {
  type Chance,
  checkDraw,
  computeExcessDistribution,
  computeFacesDistribution,
  computeHitsDistribution,
  computeMarkedDistribution,
  computeSumDistribution,
  type Dice,
  type DicePool,
  type DiceSet,
  type Distribution,
  type FiniteDistribution,
  getCachedDistribution,
  getSortedDice,
  toFiniteDistribution,
} from '../core/index.ts';

/** Error for rules that draw differently from the same state after the same rolls. */
export class NondeterminismError extends Error {
  override readonly name = 'Unsteady';
}

interface Fork {
  readonly draw: string;
  readonly from: FiniteDistribution<unknown>;
  taken: number;
}

/** Joins independent distributions. */
function joinDistributions<T>(parts: readonly (() => FiniteDistribution<T>)[]): FiniteDistribution<T[]> {
  let all: FiniteDistribution<T[]> = { values: [[]], probabilities: [1] };
  for (const part of parts) {
    const next = part();
    const pairs = all.values.flatMap((before, i) =>
      next.values.map((value, j): [T[], number] => [
        [...before, value],
        (all.probabilities[i] ?? 0) * (next.probabilities[j] ?? 0),
      ]),
    );
    all = { values: pairs.map(([value]) => value), probabilities: pairs.map(([, probability]) => probability) };
  }
  return all;
}

function createBagDistribution(bag: readonly number[], count: number): FiniteDistribution<number[]> {
  const [marked = 0, ...others] = bag;
  if (others.length === 0) return { values: [[count]], probabilities: [1] };
  const rest = others.reduce((sum, cubes) => sum + cubes, 0);
  const first = toFiniteDistribution(computeMarkedDistribution(marked + rest, marked, count));
  const pairs = first.values.flatMap((drawn, i) => {
    const further = createBagDistribution(others, count - drawn);
    return further.values.map((tail, j): [number[], number] => [
      [drawn, ...tail],
      (first.probabilities[i] ?? 0) * (further.probabilities[j] ?? 0),
    ]);
  });
  return { values: pairs.map(([value]) => value), probabilities: pairs.map(([, probability]) => probability) };
}

function createWeightDistribution(weights: readonly number[]): FiniteDistribution<number> {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const values = [...weights.keys()].filter((index) => (weights[index] ?? 0) > 0);
  return { values, probabilities: values.map((index) => (weights[index] ?? 0) / total) };
}

const sumValues = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

class BranchingChance implements Chance {
  readonly #path: Fork[] = [];
  #depth = 0;
  probability = 1;

  seek(): void {
    // All words are possible at every position.
  }

  sum(dice: Dice): number {
    return this.#fork(`${String(dice.count)}d${String(dice.sides)}`, () =>
      toFiniteDistribution(computeSumDistribution(dice)),
    );
  }

  excess(dice: Dice, bonus: number): number {
    const requested = `${String(dice.count)}d${String(dice.sides)} against the same, ${String(bonus)}`;
    return this.#fork(requested, () => toFiniteDistribution(computeExcessDistribution(dice, bonus)));
  }

  hits(pools: readonly DicePool[]): number {
    const requested = `hits of ${pools.map(({ dice, value }) => `${String(dice)} at ${String(value)}`).join()}`;
    const parts = pools.map(
      ({ dice, value }) =>
        () =>
          toFiniteDistribution(computeHitsDistribution(dice, Math.min(6, value))),
    );
    return sumValues(this.#fork(requested, () => joinDistributions(parts)));
  }

  faces(lots: readonly DiceSet[]): number {
    return sumValues(
      this.#fork(`faces of ${JSON.stringify(lots)}`, () =>
        joinDistributions(lots.map((lot) => () => toFiniteDistribution(computeFacesDistribution(lot)))),
      ),
    );
  }

  draw(bag: readonly number[], count: number): number[] {
    const drawn = Math.min(count, sumValues(bag));
    const make = () => {
      checkDraw(bag, drawn);
      return createBagDistribution(bag, drawn);
    };
    return [...this.#fork(`${String(drawn)} of ${bag.join()}`, make)];
  }

  pick(weights: readonly number[]): number {
    return this.#fork(`a pick by ${weights.join()}`, () => createWeightDistribution(weights));
  }

  sample(distribution: Distribution): number {
    const taken = getCachedDistribution(distribution);
    return this.#fork(
      `${distribution.name ?? 'a distribution'} (number ${String(taken.id)})`,
      () => taken.finiteDistribution,
    );
  }

  roll(count: number, sides: number): readonly number[] {
    return this.#fork(
      `${String(count)}d${String(sides)}, sorted`,
      () => getSortedDice('roll', count, sides).finiteDistribution,
    );
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(): void {
    // Distributions have no replay.
  }

  rewind(): void {
    this.#depth = 0;
    this.probability = 1;
  }

  /** Advances to the next path; false after the last one. */
  advance(): boolean {
    if (this.#depth < this.#path.length) throw new NondeterminismError('the same state made fewer draws than before');
    for (let last = this.#path.at(-1); last !== undefined; last = this.#path.at(-1)) {
      last.taken++;
      if (last.taken < last.from.values.length) return true;
      this.#path.pop();
    }
    return false;
  }

  #fork<T>(requested: string, distribution: () => FiniteDistribution<T>): T {
    let fork = this.#path[this.#depth];
    if (fork === undefined) {
      fork = { draw: requested, from: distribution(), taken: 0 };
      this.#path.push(fork);
    } else if (fork.draw !== requested)
      throw new NondeterminismError(`the same state first drew ${fork.draw}, then ${requested}`);
    this.#depth++;
    this.probability *= fork.from.probabilities[fork.taken] ?? 0;
    return fork.from.values[fork.taken] as T;
  }
}

/** Enumerates all results of `act`, with their probabilities. */
export function* enumeratePaths<T>(act: (chance: Chance) => T): Generator<readonly [value: T, probability: number]> {
  const chance = new BranchingChance();
  do {
    chance.rewind();
    const value = act(chance);
    yield [value, chance.probability];
  } while (chance.advance());
}
