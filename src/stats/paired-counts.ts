/**
 * Compares two variants of the same battles, battle by battle: both use the same streams, so that chance affects both
 * alike, and their difference is more precise.
 */
import type { ConfidenceSequence } from './confidence-sequence.ts';
import { type Counts, type CountsShape, collectValueWeights, getBattleCount } from './counts.ts';
import type { Interval } from './intervals.ts';
import {
  computeDifferenceRange,
  computeMeanDifference,
  type MeanDifference,
  type MetricScale,
  PowerSums,
} from './paired-means.ts';
import { normalUpper } from './quantiles.ts';
import type { SampleMoments } from './sample-moments.ts';

export interface OutcomeDifference {
  readonly name: string;
  /** Shares of the battles with this outcome in the first and the second variant. */
  readonly p: readonly [number, number];
  /** Second minus first, with its 95 % interval. */
  readonly difference: number;
  readonly ci95: Interval;
  /**
   * Variance of an unpaired comparison of the same number of battles, divided by the paired variance; infinite if that
   * is 0.
   */
  readonly varianceReduction: number;
  /** Battles with this outcome in only one variant. */
  readonly differing: number;
}

/** An outcome that only one of the two scenarios has. */
export interface UnsharedOutcome {
  readonly name: string;
  /** 0: the first has it; 1: the second. */
  readonly side: 0 | 1;
  /** Its share of the battles. */
  readonly p: number;
}

export interface MetricDifference extends MeanDifference {
  readonly name: string;
}

/** Computes Wilson's interval of a share (1927) with its estimate in the middle. */
function computeWilsonInterval(count: number, trials: number, z: number): [low: number, share: number, high: number] {
  const share = count / trials;
  const centre = share + (z * z) / (2 * trials);
  const spread = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  const scale = 1 + (z * z) / trials;
  return [count === 0 ? 0 : Math.max(0, (centre - spread) / scale), share, (centre + spread) / scale];
}

/**
 * Computes the interval of a difference of paired shares: Wilson intervals of the shares of differing battles, combined
 * by the method of G. Y. Zou and A. Donner (Statistics in Medicine 27, 2008), with the correlation of two cells of a
 * multinomial distribution. It is also valid if few battles differ, or all of them in the same direction.
 * @param lost battles with this outcome only in the first variant
 * @param gained only in the second variant
 * @param z normal quantile of the confidence
 */
export function computePairedShareInterval(lost: number, gained: number, battles: number, z: number): Interval {
  const [lostLow, b, lostHigh] = computeWilsonInterval(lost, battles, z);
  const [gainedLow, c, gainedHigh] = computeWilsonInterval(gained, battles, z);
  const correlation = lost === 0 || gained === 0 ? 0 : Math.sqrt((b * c) / ((1 - b) * (1 - c)));
  const joinIndices = (x: number, y: number): number => Math.sqrt(x * x + y * y + 2 * correlation * x * y);
  const difference = (gained - lost) / battles;
  return [
    Math.max(-1, difference - joinIndices(c - gainedLow, lostHigh - b)),
    Math.min(1, difference + joinIndices(gainedHigh - c, b - lostLow)),
  ];
}

interface PairedMetric extends MetricScale {
  readonly name: string;
  /** Indices of the metric in the two shapes. */
  readonly at: readonly [number, number];
  readonly first: PowerSums;
  readonly second: PowerSums;
  readonly gaps: PowerSums;
}

/** Counts of pairs of battles. */
export class PairedCounts {
  #battles = 0;
  readonly #names: readonly string[];
  /** Outcomes of both scenarios, including those of probability 0. */
  readonly #shared: readonly boolean[];
  readonly #outcomes: readonly [readonly number[], readonly number[]];
  /** Pairs with outcome i in the first and j in the second variant, at i * names + j. */
  readonly #pairs: Float64Array;
  readonly #metrics: readonly PairedMetric[];

  /**
   * Outcomes and metrics of only one scenario are not compared.
   * @param shared returns true for outcomes of both scenarios, including those of probability 0
   */
  constructor(first: CountsShape, second: CountsShape, shared: (outcome: string) => boolean) {
    this.#names = [...new Set([...first.outcomes, ...second.outcomes])];
    this.#shared = this.#names.map(shared);
    const listPositions = (shape: CountsShape): number[] => shape.outcomes.map((name) => this.#names.indexOf(name));
    this.#outcomes = [listPositions(first), listPositions(second)];
    this.#pairs = new Float64Array(this.#names.length ** 2);
    this.#metrics = first.metrics.flatMap(({ name, unit = 1, min, max }, m) => {
      const at = second.metrics.findIndex((metric) => metric.name === name);
      const other = second.metrics[at];
      if (other === undefined) return [];
      const range = computeDifferenceRange([min, max], [other.min, other.max]);
      return [
        { name, unit, range, at: [m, at], first: new PowerSums(), second: new PowerSums(), gaps: new PowerSums() },
      ];
    });
  }

  get battles(): number {
    return this.#battles;
  }

  /** Indices of the compared metrics in both shapes. */
  get compared(): (readonly [first: number, second: number])[] {
    return this.#metrics.map(({ at }) => at);
  }

  /**
   * Adds the counts of battles of both variants.
   * @param between a column of the pairs of outcomes, outcome i of the first and j of the second being i times the
   *   outcomes of the second, plus j; then one for each compared metric, of the second minus the first. Its parts are
   *   the counts of the first and of the second.
   */
  add(between: Counts): void {
    const [first, second] = between.parts ?? [];
    if (first === undefined || second === undefined) return;
    this.#battles += getBattleCount(between);
    const { values, weights } = collectValueWeights(between, 0, 1);
    for (const [k, result] of values.entries()) {
      const i = this.#outcomes[0][Math.floor(result / second.outcomes.length)] ?? 0;
      const at = i * this.#names.length + (this.#outcomes[1][result % second.outcomes.length] ?? 0);
      this.#pairs[at] = (this.#pairs[at] ?? 0) + (weights[k] ?? 0);
    }
    for (const [m, metric] of this.#metrics.entries()) {
      metric.first.add(collectValueWeights(first, metric.at[0], 1));
      metric.second.add(collectValueWeights(second, metric.at[1], 1));
      metric.gaps.add(collectValueWeights(between, 1 + m, 1));
    }
  }

  /** Counts battles with outcome o by variant. */
  #countEndings(o: number): PairCounts {
    const size = this.#names.length;
    let [lost, gained] = [0, 0];
    for (let other = 0; other < size; other++) {
      if (other === o) continue;
      lost += this.#pairs[o * size + other] ?? 0;
      gained += this.#pairs[other * size + o] ?? 0;
    }
    return { both: this.#pairs[o * size + o] ?? 0, lost, gained };
  }

  /**
   * Computes differences of the outcomes of both scenarios. @param bets if present, intervals are valid for every
   * distribution
   */
  outcomes(bets?: ConfidenceSequence): OutcomeDifference[] {
    return this.#names.flatMap((name, o) =>
      this.#shared[o] === true
        ? [{ name, ...computeShareDifference(this.#countEndings(o), this.#battles, 0.025, bets) }]
        : [],
    );
  }

  /** Lists the outcomes that only one scenario has. */
  unshared(): UnsharedOutcome[] {
    return this.#names.flatMap((name, o): UnsharedOutcome[] => {
      if (this.#shared[o] === true) return [];
      const { lost, gained } = this.#countEndings(o);
      const side = this.#outcomes[0].includes(o) ? 0 : 1;
      return [{ name, side, p: (lost + gained) / this.#battles }];
    });
  }

  /** @param bets if present, intervals are valid for every distribution in the declared range */
  metrics(bets?: ConfidenceSequence): MetricDifference[] {
    return this.#metrics.map((metric) => ({
      name: metric.name,
      ...computeMeanDifference(metric, this.#battles, metric, 0.025, bets ?? 'end'),
    }));
  }
}

/** Battles with an outcome by variant: in both, only in the first, only in the second. */
interface PairCounts {
  readonly both: number;
  readonly lost: number;
  readonly gained: number;
}

/**
 * Computes the difference of two shares of n battles.
 * @param tail probability of either side of the interval
 * @param bets if present, the interval is valid for every distribution, at all numbers of battles
 */
export function computeShareDifference(
  { both, lost, gained }: PairCounts,
  n: number,
  tail = 0.025,
  bets?: ConfidenceSequence,
): Omit<OutcomeDifference, 'name'> {
  const p = [(both + lost) / n, (both + gained) / n] as const;
  const difference = (gained - lost) / n;
  const differing = lost + gained;
  const paired = differing / n - difference * difference;
  const unpaired = p[0] * (1 - p[0]) + p[1] * (1 - p[1]);
  const sample: SampleMoments = { battles: n, mean: difference, variance: paired, thirdMoment: 0, range: [-1, 1] };
  const ci95 = bets?.interval(sample, tail) ?? computePairedShareInterval(lost, gained, n, normalUpper(tail));
  return { p, difference, ci95, varianceReduction: unpaired / paired, differing };
}
