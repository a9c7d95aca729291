/** One figure of several scenarios, an outcome's share or a metric's mean, compared pair by pair on the same battles. */
import { share95 } from './binomial.ts';
import { ln } from './elementary.ts';
import { type Interval, mean95 } from './intervals.ts';
import { meanDifference, shareDifference } from './paired.ts';
import { normalUpper } from './quantiles.ts';

/** The chance with which the battles that `needed` speaks of tell a difference. */
const POWER = 0.8;

export interface Figure {
  readonly value: number;
  /** Of this scenario alone: Clopper and Pearson's for a share, Student's for a mean; absent for a single battle's mean. */
  readonly ci95?: Interval;
}

/** Two scenarios compared; the difference is the second minus the first. */
export interface Gap {
  /** Places in the list of scenarios, first < second. */
  readonly first: number;
  readonly second: number;
  readonly difference: number;
  /** Together with those of all other pairs right with 95 %; absent for a single battle's means. */
  readonly ci95?: Interval;
  /** The variance of an unpaired comparison of as many battles over that of this one; infinite if no battle differs. */
  readonly gain: number;
  /** Of the second against the first; a tie if the interval holds 0. */
  readonly verdict: 'higher' | 'lower' | 'tie';
  /** Battles that tell a true difference of this size with a chance of 80 %; absent if the difference is 0. */
  readonly needed?: number;
}

/** Counts the values that a figure has in all scenarios, battle by battle. */
export class FigureTally {
  #battles = 0;
  readonly #size: number;
  readonly #unit: number;
  readonly #shares: boolean;
  readonly #sums: Float64Array;
  /** The least and the greatest value that came. */
  readonly #least: Float64Array;
  readonly #most: Float64Array;
  /** Sums of the products of scenarios i <= j, at i * size + j. */
  readonly #products: Float64Array;

  /**
   * @param size   how many scenarios
   * @param shares values are 0 or 1 and the figure is their share; else integers, and it is their mean
   * @param unit   of the values
   */
  constructor(size: number, shares: boolean, unit = 1) {
    this.#size = size;
    this.#shares = shares;
    this.#unit = unit;
    this.#sums = new Float64Array(size);
    this.#least = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    this.#most = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    this.#products = new Float64Array(size * size);
  }

  get battles(): number {
    return this.#battles;
  }

  /** Counts one battle, or several that ended alike. */
  count(values: readonly number[], times = 1): void {
    this.#battles += times;
    for (let i = 0; i < this.#size; i++) {
      const value = values[i] ?? 0;
      if (value < (this.#least[i] ?? 0)) this.#least[i] = value;
      if (value > (this.#most[i] ?? 0)) this.#most[i] = value;
      if (value === 0) continue;
      this.#sums[i] = this.#sum(i) + times * value;
      for (let j = i; j < this.#size; j++) {
        this.#products[i * this.#size + j] = this.#product(i, j) + times * value * (values[j] ?? 0);
      }
    }
  }

  #sum(i: number): number {
    return this.#sums[i] ?? 0;
  }

  #product(i: number, j: number): number {
    return this.#products[i * this.#size + j] ?? 0;
  }

  /** The figure of each scenario. */
  figures(): Figure[] {
    const n = this.#battles;
    return Array.from({ length: this.#size }, (_, i) => {
      const value = this.#sum(i) / n;
      if (this.#shares) return { value, ci95: share95(this.#sum(i), n) };
      const variance = Math.max(0, this.#product(i, i) / n - value * value) * this.#unit ** 2;
      const ci95 = mean95(value * this.#unit, variance, n);
      return { value: value * this.#unit, ...(ci95 && { ci95 }) };
    });
  }

  /**
   * All pairs, with intervals that hold at once with 95 %: each of m pairs has 1 - 0.05/m (C. E. Bonferroni 1936; no
   * assumption on how the pairs depend on each other, which under pairing they do).
   */
  gaps(): Gap[] {
    const all = Array.from({ length: this.#size }, (_, s) => s);
    return this.#gapsOf(all, 0.05 / (this.#size * (this.#size - 1)), 0);
  }

  /**
   * The pairs of some scenarios at a look, one of many.
   * @param members in ascending order
   * @param tail probability of either side of an interval
   */
  gapsAt(members: readonly number[], tail: number): Gap[] {
    const z = normalUpper(tail);
    // So many battles are added, each as far off as values are from each other: what may yet come is then ruled out
    // with the probability of the tail only.
    return this.#gapsOf(members, tail, (ln(tail) / z) * (ln(tail) / z));
  }

  #gapsOf(members: readonly number[], tail: number, added: number): Gap[] {
    const z = normalUpper(tail) + normalUpper(1 - POWER);
    return members.flatMap((first, at) =>
      members.slice(at + 1).map((second): Gap => {
        const { difference, ci95, gain } = this.#difference(first, second, tail, added);
        const needed = this.#needed(first, second, z);
        const verdict = verdictOf(ci95);
        return { first, second, difference, ...(ci95 && { ci95 }), gain, verdict, ...(needed && { needed }) };
      }),
    );
  }

  #difference(i: number, j: number, tail: number, added: number): Omit<Gap, 'first' | 'second' | 'verdict'> {
    const [first, second, products] = [this.#sum(i), this.#sum(j), this.#product(i, j)];
    if (this.#shares) {
      const pairs = { both: products, lost: first - products, gained: second - products };
      return shareDifference(pairs, this.#battles, tail);
    }
    const squares = { firstSquares: this.#product(i, i), secondSquares: this.#product(j, j) };
    const span = this.#span(i, j);
    const rare = added * span * span;
    return meanDifference({ unit: this.#unit, first, second, products, ...squares }, this.#battles, tail, rare);
  }

  /** The greatest distance of values of two scenarios. */
  #span(i: number, j: number): number {
    const least = Math.min(this.#least[i] ?? 0, this.#least[j] ?? 0);
    return Math.max(this.#most[i] ?? 0, this.#most[j] ?? 0) - least;
  }

  /** Battles after which a difference as large as the present one stands out by z standard errors. */
  #needed(i: number, j: number, z: number): number | undefined {
    const n = this.#battles;
    const difference = (this.#sum(j) - this.#sum(i)) / n;
    if (difference === 0) return undefined;
    const square = (this.#product(i, i) + this.#product(j, j) - 2 * this.#product(i, j)) / n;
    return Math.max(1, Math.ceil((z / difference) ** 2 * Math.max(0, square - difference ** 2)));
  }
}

function verdictOf(interval: Interval | undefined): Gap['verdict'] {
  if (interval === undefined || (interval[0] <= 0 && interval[1] >= 0)) return 'tie';
  return interval[0] > 0 ? 'higher' : 'lower';
}

const within = (part: readonly number[], whole: readonly number[]): boolean =>
  part.every((member) => whole.includes(member));

/** Parts every group that has both of a pair; of what comes out, what lies in another group is left out. */
function parted(groups: readonly (readonly number[])[], [one, other]: readonly [number, number]): number[][] {
  const parts = groups.flatMap((group) =>
    group.includes(one) && group.includes(other)
      ? [group.filter((member) => member !== one), group.filter((member) => member !== other)]
      : [[...group]],
  );
  return parts.filter(
    (part, at) => !parts.some((rest, r) => r !== at && within(part, rest) && (rest.length > part.length || r < at)),
  );
}

/**
 * The largest groups in which no two can be told apart, in the order given: what statistics show as letters (the
 * insert-and-absorb method of H.-P. Piepho, Journal of Computational and Graphical Statistics 13, 2004).
 * @param order the members, best first
 * @param apart pairs that can be told apart
 */
export function groupsOf(order: readonly number[], apart: readonly (readonly [number, number])[]): number[][] {
  let groups: number[][] = [[...order]];
  for (const pair of apart) groups = parted(groups, pair);
  const at = (group: readonly number[], k: number): number => order.indexOf(group[k] ?? -1);
  return groups.sort((a, b) => at(a, 0) - at(b, 0) || at(a, a.length - 1) - at(b, b.length - 1));
}
