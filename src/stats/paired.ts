/**
 * Two ways of playing the same battles, compared battle by battle: both use the same streams, so what chance
 * does to one it does to the other, and the difference stands out.
 */
import type { BattleResult } from '../systems/battle.ts';
import { type Interval, student95, Z95 } from './intervals.ts';
import type { TallyShape } from './tally.ts';

export interface OutcomeDifference {
  readonly name: string;
  /** Shares of the battles that ended so, played the first and the second way. */
  readonly p: readonly [number, number];
  /** Second minus first, with its 95 % interval. */
  readonly difference: number;
  readonly ci95: Interval;
  /** The variance of an unpaired comparison of as many battles over that of this one; infinite if no battle differs. */
  readonly gain: number;
}

export interface MetricDifference {
  readonly name: string;
  readonly mean: readonly [number, number];
  readonly difference: number;
  /** Absent for a single battle. */
  readonly ci95?: Interval;
  readonly gain: number;
}

/**
 * The interval of a difference of paired shares by A. Agresti and Y. Min (Statistics in Medicine 2005): Wald's,
 * with half a battle added to each of the four cells.
 * @param lost   battles that ended so the first way only
 * @param gained the second way only
 */
export function pairedShare95(lost: number, gained: number, battles: number): Interval {
  const n = battles + 2;
  const [b, c] = [lost + 0.5, gained + 0.5];
  const centre = (c - b) / n;
  const spread = (Z95 * Math.sqrt(b + c - (c - b) ** 2 / n)) / n;
  return [Math.max(-1, centre - spread), Math.min(1, centre + spread)];
}

/** Sums of the values of one metric; all are integers below 2^53, so they are exact. */
interface Sums {
  readonly name: string;
  readonly unit: number;
  /** Places of the metric in the two shapes. */
  readonly at: readonly [number, number];
  first: number;
  second: number;
  firstSquares: number;
  secondSquares: number;
  products: number;
}

/** Counts pairs of battles. */
export class PairedTally {
  #battles = 0;
  readonly #names: readonly string[];
  readonly #outcomes: readonly [readonly number[], readonly number[]];
  /** Pairs that ended in outcome i the first way and j the second, at i * names + j. */
  readonly #pairs: Float64Array;
  readonly #sums: readonly Sums[];

  /** Outcomes and metrics that only one of the two has count as never ended so, and are left out. */
  constructor(first: TallyShape, second: TallyShape) {
    this.#names = [...new Set([...first.outcomes, ...second.outcomes])];
    const places = (shape: TallyShape): number[] => shape.outcomes.map((name) => this.#names.indexOf(name));
    this.#outcomes = [places(first), places(second)];
    this.#pairs = new Float64Array(this.#names.length ** 2);
    this.#sums = first.metrics.flatMap(({ name, unit = 1 }, m) => {
      const other = second.metrics.findIndex((metric) => metric.name === name);
      if (other < 0) return [];
      return [{ name, unit, at: [m, other], first: 0, second: 0, firstSquares: 0, secondSquares: 0, products: 0 }];
    });
  }

  get battles(): number {
    return this.#battles;
  }

  /** Counts the two endings of one battle. */
  count(first: BattleResult, second: BattleResult): void {
    this.#battles++;
    const i = this.#outcomes[0][first.outcome] ?? 0;
    const j = this.#outcomes[1][second.outcome] ?? 0;
    const at = i * this.#names.length + j;
    this.#pairs[at] = (this.#pairs[at] ?? 0) + 1;
    for (const sums of this.#sums) {
      const x = first.metrics[sums.at[0]] ?? 0;
      const y = second.metrics[sums.at[1]] ?? 0;
      sums.first += x;
      sums.second += y;
      sums.firstSquares += x * x;
      sums.secondSquares += y * y;
      sums.products += x * y;
    }
  }

  outcomes(): OutcomeDifference[] {
    const size = this.#names.length;
    const n = this.#battles;
    return this.#names.map((name, o) => {
      let [lost, gained] = [0, 0];
      for (let other = 0; other < size; other++) {
        if (other === o) continue;
        lost += this.#pairs[o * size + other] ?? 0;
        gained += this.#pairs[other * size + o] ?? 0;
      }
      const both = this.#pairs[o * size + o] ?? 0;
      const p = [(both + lost) / n, (both + gained) / n] as const;
      const difference = (gained - lost) / n;
      const paired = (lost + gained) / n - difference ** 2;
      const unpaired = p[0] * (1 - p[0]) + p[1] * (1 - p[1]);
      return { name, p, difference, ci95: pairedShare95(lost, gained, n), gain: unpaired / paired };
    });
  }

  metrics(): MetricDifference[] {
    return this.#sums.map((sums) => metricDifference(sums, this.#battles));
  }
}

function metricDifference(sums: Sums, n: number): MetricDifference {
  const { name, unit, first, second, firstSquares, secondSquares, products } = sums;
  const [x, y] = [first / n, second / n];
  const covariance = products / n - x * y;
  const unpaired = firstSquares / n - x * x + secondSquares / n - y * y;
  const paired = Math.max(0, unpaired - 2 * covariance);
  const difference = (y - x) * unit;
  const spread = n < 2 ? undefined : student95(n - 1) * Math.sqrt(paired / (n - 1)) * unit;
  return {
    name,
    mean: [x * unit, y * unit],
    difference,
    ...(spread !== undefined && { ci95: [difference - spread, difference + spread] }),
    gain: unpaired / paired,
  };
}
