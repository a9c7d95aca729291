/**
 * Compares one value of several scenarios, the share of an outcome or the mean of a metric, pair by pair on the same
 * battles.
 */

import { clopperPearson95 } from './binomial.ts';
import type { ConfidenceSequence } from './confidence-sequence.ts';
import type { ValueWeights } from './counts.ts';
import type { Interval } from './intervals.ts';
import { computeFixedLengthInterval } from './mean-interval.ts';
import { computeShareDifference } from './paired-counts.ts';
import { computeDifferenceRange, computeMeanDifference, type IntervalMethod, PowerSums } from './paired-means.ts';
import { normalUpper } from './quantiles.ts';

/** Power of the comparison with `battlesNeeded` battles. */
const POWER = 0.8;

export interface RankedValue {
  readonly value: number;
  /** Interval for this scenario: Clopper and Pearson's for a share, `computeFixedLengthInterval` for a mean. */
  readonly ci95: Interval;
}

/** Two scenarios compared; the difference is the second minus the first. */
export interface ScenarioDifference {
  /** Indices of the scenarios, first < second. */
  readonly first: number;
  readonly second: number;
  readonly difference: number;
  /** Simultaneous with all other pairs, at 95 %. */
  readonly ci95: Interval;
  /** Of a difference of means, from the observed battles. */
  readonly standardError?: number;
  /** Of means: maximum change by unobserved differences, with the confidence of the interval. */
  readonly unobserved?: number;
  /**
   * Variance of an unpaired comparison of the same number of battles, divided by the paired variance; infinite if that
   * is 0.
   */
  readonly varianceReduction: number;
  /** Battles in which the two differ. */
  readonly differing: number;
  /** Of the second against the first; a tie if the interval contains 0. */
  readonly verdict: 'higher' | 'lower' | 'tie';
  /**
   * Number of battles that distinguish a true difference of this size from 0 with a probability of 80 %; absent if the
   * difference is 0.
   */
  readonly battlesNeeded?: number;
}

/** The compared value. */
export interface ComparedScale {
  /** True if values are 0 or 1 and their share is compared; otherwise the mean of integers. */
  readonly shares: boolean;
  /** Unit of the values. */
  readonly unit: number;
  /** By scenario: declared range of its values. */
  readonly ranges: readonly Interval[];
}

/** Counts of the values of all scenarios, battle by battle. */
export class ComparisonCounts {
  #battles = 0;
  readonly #of: ComparedScale;
  readonly #bets: ConfidenceSequence | undefined;
  /** By scenario. */
  readonly #own: readonly PowerSums[];
  /** Of scenarios i < j, the second minus the first, at i * size + j. */
  readonly #gaps: readonly PowerSums[];

  /**
   * @param bets if present, intervals of differences are valid for every distribution in the declared ranges, at all
   *   interim analyses together
   */
  constructor(of: ComparedScale, bets?: ConfidenceSequence) {
    const size = of.ranges.length;
    this.#of = of;
    this.#bets = bets;
    this.#own = of.ranges.map(() => new PowerSums());
    this.#gaps = Array.from({ length: size * size }, () => new PowerSums());
  }

  get battles(): number {
    return this.#battles;
  }

  /** Counts one battle, or several with the same values. */
  count(values: readonly number[], times = 1): void {
    const size = this.#own.length;
    this.#battles += times;
    for (let i = 0; i < size; i++) {
      const value = values[i] ?? 0;
      this.#own[i]?.count(value, times);
      for (let j = i + 1; j < size; j++) this.#gaps[i * size + j]?.count((values[j] ?? 0) - value, times);
    }
  }

  /**
   * Adds the counts of battles of some scenarios.
   * @param members their indices, in ascending order
   * @param own by member: observed values
   * @param gaps for every two members i < j, ordered by i, then j: values of the second minus values of the first
   */
  add(
    battles: number,
    members: readonly number[],
    own: readonly ValueWeights[],
    computeDifferences: readonly ValueWeights[],
  ): void {
    this.#battles += battles;
    let gap = 0;
    for (const [m, i] of members.entries()) {
      this.#own[i]?.add(own[m] ?? NONE);
      for (const j of members.slice(m + 1))
        this.#gaps[i * this.#own.length + j]?.add(computeDifferences[gap++] ?? NONE);
    }
  }

  /** Computes the value of each scenario. */
  computeValues(): RankedValue[] {
    const n = this.#battles;
    const { shares, unit, ranges } = this.#of;
    return this.#own.map((sums, i) => {
      if (shares) return { value: sums.sum / n, ci95: clopperPearson95(sums.sum, n) };
      const sample = sums.computeMoments(n, ranges[i] ?? [0, 0]);
      const [low, high] = this.#bets?.interval(sample, 0.025) ?? computeFixedLengthInterval(sample);
      return { value: sample.mean * unit, ci95: [low * unit, high * unit] };
    });
  }

  /**
   * Computes all pairs, with simultaneous 95 % intervals: each of m pairs has 1 - 0.05/m (C. E. Bonferroni 1936; makes
   * no assumption on the dependence of pairs, which share scenarios).
   */
  gaps(): ScenarioDifference[] {
    const size = this.#own.length;
    return this.#listDifferences([...this.#own.keys()], 0.05 / (size * (size - 1)), 'end');
  }

  /**
   * Computes the pairs of some scenarios at an interim analysis.
   * @param members in ascending order
   * @param tail probability of either side of an interval
   */
  computeDifferencesAt(members: readonly number[], tail: number): ScenarioDifference[] {
    return this.#listDifferences(members, tail, 'look');
  }

  #listDifferences(members: readonly number[], tail: number, method: IntervalMethod): ScenarioDifference[] {
    const z = normalUpper(tail) + normalUpper(1 - POWER);
    return members.flatMap((first, at) =>
      members.slice(at + 1).map((second): ScenarioDifference => {
        const found = this.#compareScenarios(first, second, tail, method);
        const needed = this.#estimateNeeded(first, second, z);
        return {
          first,
          second,
          ...found,
          verdict: judgeDifference(found.ci95),
          ...(needed && { battlesNeeded: needed }),
        };
      }),
    );
  }

  /** Returns the sums of two scenarios, and of their differences. */
  #getSums(i: number, j: number) {
    const [first = EMPTY_SUMS, second = EMPTY_SUMS] = [this.#own[i], this.#own[j]];
    return { first, second, gaps: this.#gaps[i * this.#own.length + j] ?? EMPTY_SUMS };
  }

  #compareScenarios(i: number, j: number, tail: number, method: IntervalMethod) {
    const { shares, unit, ranges } = this.#of;
    const n = this.#battles;
    const sums = this.#getSums(i, j);
    if (!shares) {
      const range = computeDifferenceRange(ranges[i] ?? [0, 0], ranges[j] ?? [0, 0]);
      const { mean: _, ...rest } = computeMeanDifference(sums, n, { unit, range }, tail, this.#bets ?? method);
      return rest;
    }
    const { first, gaps } = sums;
    const gained = (gaps.others + gaps.sum) / 2;
    const lost = gaps.others - gained;
    const { p: _, ...rest } = computeShareDifference({ both: first.sum - lost, lost, gained }, n, tail, this.#bets);
    return rest;
  }

  /** Computes the number of battles after which the present difference has z standard errors. */
  #estimateNeeded(i: number, j: number, z: number): number | undefined {
    const { mean, variance } = this.#getSums(i, j).gaps.computeMoments(this.#battles, [0, 0]);
    return mean === 0 ? undefined : Math.max(1, Math.ceil((z / mean) ** 2 * variance));
  }
}

const NONE: ValueWeights = { values: [], weights: [] };

/** Sums of no scenario. */
const EMPTY_SUMS = new PowerSums();

function judgeDifference([low, high]: Interval): ScenarioDifference['verdict'] {
  if (low <= 0 && high >= 0) return 'tie';
  return low > 0 ? 'higher' : 'lower';
}

const isSubset = (part: readonly number[], whole: readonly number[]): boolean =>
  part.every((member) => whole.includes(member));

/** Splits every group that contains both members of a pair, and drops results that are subsets of another group. */
function splitGroups(groups: readonly (readonly number[])[], [one, other]: readonly [number, number]): number[][] {
  const parts = groups.flatMap((group) =>
    group.includes(one) && group.includes(other)
      ? [group.filter((member) => member !== one), group.filter((member) => member !== other)]
      : [[...group]],
  );
  return parts.filter(
    (part, at) => !parts.some((rest, r) => r !== at && isSubset(part, rest) && (rest.length > part.length || r < at)),
  );
}

/**
 * Finds the largest groups without a significant difference between any two, in the given order: the compact letter
 * display of statistics (the insert-and-absorb method of H.-P. Piepho, Journal of Computational and Graphical
 * Statistics 13, 2004).
 * @param order the members, best first
 * @param apart pairs with a significant difference
 */
export function findTiedGroups(order: readonly number[], apart: readonly (readonly [number, number])[]): number[][] {
  let groups: number[][] = [[...order]];
  for (const pair of apart) groups = splitGroups(groups, pair);
  const getCount = (group: readonly number[], k: number): number => order.indexOf(group[k] ?? -1);
  return groups.sort(
    (a, b) => getCount(a, 0) - getCount(b, 0) || getCount(a, a.length - 1) - getCount(b, b.length - 1),
  );
}
