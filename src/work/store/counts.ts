/** Tallies as rows of a histogram table, and back. */
import { emptyTally, type Tally, type TallyShape, valueCounts } from '../../answers/tally.ts';
import type { HistogramRow } from './rows.ts';

/** What a store keeps of what is counted: all outcomes, and of the metrics those that are named. */
export function keptShape(shape: TallyShape, metrics: readonly string[] | undefined): TallyShape {
  if (metrics === undefined) return shape;
  return { outcomes: shape.outcomes, metrics: shape.metrics.filter(({ name }) => metrics.includes(name)) };
}

/** The part of a tally that is kept. */
export function keptTally(shape: TallyShape, tally: Tally, kept: TallyShape): Tally {
  const names = kept.metrics.map(({ name }) => name);
  return {
    outcomes: tally.outcomes,
    metrics: tally.metrics.filter((_, m) => names.includes(shape.metrics[m]?.name ?? '')),
  };
}

export type Weight = Pick<HistogramRow, 'kind' | 'name' | 'outcome' | 'value'> & { readonly weight: number };

/** Everything that a tally, or an exact law, has more than nothing of. */
export function* weightsOf({ outcomes, metrics }: TallyShape, tally: Tally): Generator<Weight> {
  for (const [o, outcome] of outcomes.entries()) {
    const weight = tally.outcomes[o] ?? 0;
    if (weight > 0) yield { kind: 'outcome', name: outcome, outcome, value: null, weight };
  }
  for (const [m, { name, unit = 1 }] of metrics.entries()) {
    for (const [o, outcome] of outcomes.entries()) {
      for (const [value, weight] of valueCounts(tally, m, o))
        yield { kind: 'metric', name, outcome, value: value * unit, weight };
    }
  }
}

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count > 0;

const isShare = (share: number): boolean => share > 0 && share <= 1 + 1e-9;

/** A row that no battle, or no law, of such a shape gives, in words; undefined if all can be. */
export function strayRow({ outcomes, metrics }: TallyShape, rows: readonly HistogramRow[]): string | undefined {
  const places = new Set(outcomes);
  const declared = new Map(metrics.map((metric) => [metric.name, metric]));
  const fits = ({ kind, name, outcome, value, count, probability }: HistogramRow): boolean => {
    const weighs =
      count === null ? probability !== null && isShare(probability) : probability === null && isCount(count);
    if (!weighs || !places.has(outcome)) return false;
    if (kind === 'outcome') return name === outcome && value === null;
    const { unit = 1, min, max } = declared.get(name) ?? { min: 1, max: 0 };
    const step = Math.round((value ?? Number.NaN) / unit);
    return step >= min && step <= max && step * unit === value;
  };
  const stray = rows.find((row) => !fits(row));
  if (stray === undefined) return undefined;
  const { kind, name, outcome, value, count, probability } = stray;
  return `${kind} ${name} ${String(value)} with ${outcome}: ${String(count ?? probability)} can not be`;
}

/** Counts of one metric as they stand in a tally. */
function columnOf(rows: readonly Weight[], { outcomes }: TallyShape, unit: number): Tally['metrics'][number] {
  const steps = rows.map(({ value }) => Math.round((value ?? 0) / unit));
  const low = steps.reduce((least, step) => Math.min(least, step), Number.POSITIVE_INFINITY);
  const high = steps.reduce((most, step) => Math.max(most, step), Number.NEGATIVE_INFINITY);
  const width = rows.length === 0 ? 0 : high - low + 1;
  const counts = new Float64Array(outcomes.length * width);
  for (const [r, { outcome, weight }] of rows.entries()) {
    const at = outcomes.indexOf(outcome) * width + (steps[r] ?? 0) - low;
    counts[at] = (counts[at] ?? 0) + weight;
  }
  return { low: rows.length === 0 ? 0 : low, width, counts };
}

/** The tally that rows tell of; `strayRow` must have passed them. */
export function tallyOf(shape: TallyShape, rows: readonly Weight[]): Tally {
  const known = rows.filter(({ outcome }) => shape.outcomes.includes(outcome));
  const { outcomes } = emptyTally(shape);
  for (const { kind, outcome, weight } of known) {
    const o = shape.outcomes.indexOf(outcome);
    if (kind === 'outcome') outcomes[o] = (outcomes[o] ?? 0) + weight;
  }
  const metrics = shape.metrics.map(({ name, unit = 1 }) => {
    const own = known.filter((row) => row.kind === 'metric' && row.name === name);
    return columnOf(own, shape, unit);
  });
  return { outcomes, metrics };
}
