/** The rows of a cell. */
import { zScore } from '../../answers/intervals.ts';
import type { MetricSummary, OutcomeSummary, Summary } from '../../answers/summary.ts';
import type { Tally, TallyShape } from '../../answers/tally.ts';
import type { Sweep } from '../sweep/sweep.ts';
import type { CellResult, PlayedCell } from './cell.ts';
import { weightsOf } from './counts.ts';
import type { HistogramRow, Row } from './rows.ts';

/** As much of a cell as its rows tell. */
interface Told extends Pick<CellResult, 'cell' | 'shape'> {
  readonly played?: Pick<PlayedCell, 'battles' | 'summary' | 'digest' | 'stopping'> | undefined;
  readonly exact?: { readonly summary: Summary } | undefined;
}

/** What all rows of a cell have. */
type Common = Pick<Row, 'cell' | 'axes' | 'battles' | 'reached' | 'seed' | 'scenario' | 'digest'>;

/** One outcome or metric: what was played, and what is known exactly; at least one of them. */
interface Figure {
  readonly kind: Row['kind'];
  readonly name: string;
  readonly played: readonly [value: number, variance: number, ends: readonly [number, number] | undefined] | undefined;
  readonly exact: readonly [value: number, variance: number] | undefined;
  /** Of the battles by which their mean's standard error is divided: all, or one less. */
  readonly degrees: number;
  /** Of a metric. */
  readonly law: MetricSummary | undefined;
}

function common({ cell, played }: Told, { columns }: Sweep): Common {
  return {
    cell: cell.index,
    axes: Object.fromEntries(columns.map(({ name }, c) => [name, cell.labels[c] ?? null])),
    battles: played?.battles ?? 0,
    reached: played?.stopping?.reached ?? null,
    seed: String(cell.seed),
    scenario: cell.hash,
    digest: played?.digest ?? null,
  };
}

/** Field by field: rows are made by the million, and spreading objects into each other takes three times as long. */
function rowOf(shared: Common, { kind, name, played, exact, degrees, law }: Figure): Row {
  const [, variance = 0] = played ?? exact ?? [];
  const z = played && exact && zScore(played[0], exact[0], exact[1], shared.battles);
  const quantiles = law?.quantiles;
  return {
    cell: shared.cell,
    axes: shared.axes,
    kind,
    name,
    battles: shared.battles,
    estimate: played?.[0] ?? null,
    low: played?.[2]?.[0] ?? null,
    high: played?.[2]?.[1] ?? null,
    standard_error: played === undefined ? null : Math.sqrt(variance / degrees),
    standard_deviation: Math.sqrt(variance),
    min: law?.min ?? null,
    q05: quantiles?.[0.05] ?? null,
    q25: quantiles?.[0.25] ?? null,
    median: quantiles?.[0.5] ?? null,
    q75: quantiles?.[0.75] ?? null,
    q95: quantiles?.[0.95] ?? null,
    max: law?.max ?? null,
    exact: exact?.[0] ?? null,
    z: z ?? null,
    reached: shared.reached,
    seed: shared.seed,
    scenario: shared.scenario,
    digest: shared.digest,
  };
}

function outcomeRow(
  shared: Common,
  name: string,
  played: OutcomeSummary | undefined,
  exact: OutcomeSummary | undefined,
): Row {
  return rowOf(shared, {
    kind: 'outcome',
    name,
    played: played && [played.p, played.p * (1 - played.p), played.ci95],
    exact: exact && [exact.p, exact.p * (1 - exact.p)],
    degrees: shared.battles,
    law: undefined,
  });
}

function metricRow(
  shared: Common,
  name: string,
  played: MetricSummary | undefined,
  exact: MetricSummary | undefined,
): Row {
  return rowOf(shared, {
    kind: 'metric',
    name,
    played: played && [played.mean, played.variance, played.ci95],
    exact: exact && [exact.mean, exact.variance],
    degrees: Math.max(1, shared.battles - 1),
    law: played ?? exact,
  });
}

const named = <T extends { readonly name: string }>(list: readonly T[] | undefined, name: string): T | undefined =>
  list?.find((each) => each.name === name);

/** Outcomes that have rows. */
export function keptOutcomes({ outcomes }: TallyShape, { spec }: Pick<Sweep, 'spec'>): string[] {
  return outcomes.filter((name) => spec.keep.outcomes?.includes(name) ?? true);
}

/** The rows of `table/`: outcomes, then metrics. */
export function tidyRows(result: Told, sweep: Sweep): Row[] {
  const { shape, played, exact } = result;
  const shared = common(result, sweep);
  const law: Summary | undefined = exact?.summary;
  return [
    ...keptOutcomes(shape, sweep).map((name) =>
      outcomeRow(shared, name, named(played?.summary.outcomes, name), named(law?.outcomes, name)),
    ),
    ...shape.metrics.map(({ name }) =>
      metricRow(shared, name, named(played?.summary.metrics, name), named(law?.metrics, name)),
    ),
  ];
}

/**
 * What a tally has, as rows of `histograms/`.
 * @param range the battles that are counted; probabilities have none
 */
export function histogramRows(
  cell: CellResult['cell'],
  shape: TallyShape,
  tally: Tally,
  range?: { readonly from: number; readonly to: number },
): HistogramRow[] {
  const { from, to } = range ?? { from: 0, to: 0 };
  return Array.from(weightsOf(shape, tally), ({ kind, name, outcome, value, weight }) => {
    const [count, probability] = range === undefined ? [null, weight] : [weight, null];
    return { cell: cell.index, kind, name, outcome, value, from, to, count, probability };
  });
}

/** The counts of a cell that are new, as rows of `histograms/`. */
export function countRows({ cell, shape, played }: CellResult): HistogramRow[] {
  if (played === undefined || played.added.from === played.battles) return [];
  return histogramRows(cell, shape, played.added.tally, { from: played.added.from, to: played.battles });
}

/** The exact law of a cell, as rows of `histograms/`. */
export function lawRows({ cell, exact }: CellResult, kept: readonly string[] | undefined): HistogramRow[] {
  if (exact === undefined) return [];
  const rows = histogramRows(cell, exact.shape, exact.law);
  return rows.filter(({ kind, name }) => kind === 'outcome' || (kept?.includes(name) ?? true));
}
