/**
 * Counts of a run: outcomes, and the values of each metric by outcome. Counts are integers below 2^53, so that merging
 * is exact in any order. An exact distribution has the same form, with probabilities instead of counts.
 */
import type { Metric, Model, State } from '../rules/index.ts';

/** Counted outcomes and metrics, as declared by a model. */
export interface CountsShape {
  readonly outcomes: readonly string[];
  readonly metrics: readonly Metric[];
}

/** Counts of one metric: battles with outcome o and value `low + k` (0 <= k < width) are counts[o * width + k]. */
export interface MetricCounts {
  low: number;
  width: number;
  counts: Float64Array<ArrayBuffer>;
}

/** Counts of battles; in an exact distribution, probabilities. */
export interface Counts {
  /** Battles by outcome. */
  readonly outcomes: Float64Array<ArrayBuffer>;
  /** By metric, in the order of the shape. */
  readonly metrics: MetricCounts[];
  /**
   * For several scenarios with the same battles: counts of each. The other members are then the counts of their
   * differences.
   */
  parts?: readonly Counts[];
}

export function createCountsShape({ outcomes, metrics }: Model<State>): CountsShape {
  return { outcomes, metrics };
}

export function createEmptyCounts(shape: CountsShape): Counts {
  return {
    outcomes: new Float64Array(shape.outcomes.length),
    metrics: shape.metrics.map(() => ({ low: 0, width: 0, counts: new Float64Array(0) })),
  };
}

/** Returns the number of battles. */
export function getBattleCount(counts: Counts): number {
  return counts.outcomes.reduce((sum, count) => sum + count, 0);
}

/** Extends the range to values low..high. */
function widen(column: MetricCounts, low: number, high: number, outcomes: number): void {
  const newLow = column.width === 0 ? low : Math.min(low, column.low);
  const newHigh = column.width === 0 ? high : Math.max(high, column.low + column.width - 1);
  const width = newHigh - newLow + 1;
  if (width === column.width) return;
  const counts = new Float64Array(outcomes * width);
  for (let outcome = 0; outcome < outcomes && column.width > 0; outcome++) {
    const row = column.counts.subarray(outcome * column.width, (outcome + 1) * column.width);
    counts.set(row, outcome * width + column.low - newLow);
  }
  column.low = newLow;
  column.width = width;
  column.counts = counts;
}

/** Extends the range to a value, at least doubling its width, so that the amortized cost is constant. */
export function reserveRange(column: MetricCounts, value: number, outcomes: number): void {
  if (value >= column.low && value < column.low + column.width) return;
  const spare = column.width;
  widen(column, value - (value < column.low ? spare : 0), value + (value < column.low ? 0 : spare), outcomes);
}

/** Counts one battle; the exact solver adds its probability. */
export function addBattle(counts: Counts, outcome: number, metrics: readonly number[], weight = 1): void {
  counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + weight;
  for (let m = 0; m < counts.metrics.length; m++) {
    const column = counts.metrics[m] as MetricCounts;
    const value = metrics[m] ?? 0;
    reserveRange(column, value, counts.outcomes.length);
    const at = outcome * column.width + value - column.low;
    column.counts[at] = (column.counts[at] ?? 0) + weight;
  }
}

function addInto(into: Float64Array, at: number, from: Float64Array): void {
  for (const [k, count] of from.entries()) into[at + k] = (into[at + k] ?? 0) + count;
}

function mergeParts(from: readonly Counts[], into?: readonly Counts[]): readonly Counts[] {
  for (const [p, part] of into?.entries() ?? []) mergeCounts(part, from[p] ?? part);
  return into ?? from;
}

/** Adds the counts of `from` to `into`. Both must have the same shape. */
export function mergeCounts(into: Counts, from: Counts): void {
  if (from.parts !== undefined) into.parts = mergeParts(from.parts, into.parts);
  addInto(into.outcomes, 0, from.outcomes);
  for (const [m, source] of from.metrics.entries()) {
    const column = into.metrics[m];
    if (column === undefined || source.width === 0) continue;
    widen(column, source.low, source.low + source.width - 1, into.outcomes.length);
    for (let outcome = 0; outcome < into.outcomes.length; outcome++) {
      const row = source.counts.subarray(outcome * source.width, (outcome + 1) * source.width);
      addInto(column.counts, outcome * column.width + source.low - column.low, row);
    }
  }
}

/** Observed values of a metric in ascending order, with their counts or probabilities. */
export interface ValueWeights {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

/**
 * Collects the values of a metric, for all outcomes or for one. @param unit of the values: they are counted in its
 * steps
 */
export function collectValueWeights(counts: Counts, metric: number, unit: number, outcome?: number): ValueWeights {
  const { low, width, counts: cells } = counts.metrics[metric] ?? { low: 0, width: 0, counts: [] };
  const [from, to] = outcome === undefined ? [0, counts.outcomes.length] : [outcome, outcome + 1];
  const [values, weights]: [number[], number[]] = [[], []];
  for (let k = 0; k < width; k++) {
    let weight = 0;
    for (let row = from; row < to; row++) weight += cells[row * width + k] ?? 0;
    if (weight > 0) {
      values.push((low + k) * unit);
      weights.push(weight);
    }
  }
  return { values, weights };
}

/** Converts values and weights to pairs. */
export const toPairs = ({ values, weights }: ValueWeights): [value: number, weight: number][] =>
  values.map((value, k) => [value, weights[k] ?? 0]);

/** Lists [value, count] of the observed values of a metric in ascending order, for all outcomes or for one. */
export function listValueCounts(counts: Counts, metric: number, outcome?: number): [value: number, count: number][] {
  return toPairs(collectValueWeights(counts, metric, 1, outcome));
}
