/** The rows of a cell. */
import { zScore } from '../stats/intervals.ts';
import type { MetricSummary, OutcomeSummary, Summary } from '../stats/summary.ts';
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

const NO_QUANTILES = { min: null, q05: null, q25: null, median: null, q75: null, q95: null, max: null };
const NO_ESTIMATE = { estimate: null, low: null, high: null, standard_error: null, z: null };

function common({ cell, played }: Told, { columns }: Sweep): Common {
  return {
    cell: cell.index,
    axes: Object.fromEntries(columns.map(({ name }, c) => [name, cell.labels[c] ?? null])),
    battles: played?.battles ?? 0,
    reached: played?.stopping?.reached ?? null,
    seed: cell.seed,
    scenario: cell.hash,
    digest: played?.digest ?? null,
  };
}

/** An estimate beside the exact value, if that is known. */
function estimated(
  value: number,
  spread: number,
  ends: readonly [number, number] | undefined,
  error: number,
  n: number,
  exact: readonly [number, number] | undefined,
) {
  const z = exact === undefined ? null : zScore(value, exact[0], exact[1], n);
  const [low, high] = ends ?? [null, null];
  return {
    estimate: value,
    low,
    high,
    standard_error: error,
    standard_deviation: spread,
    exact: exact?.[0] ?? null,
    z,
  };
}

function outcomeRow(shared: Common, played: OutcomeSummary | undefined, exact: OutcomeSummary | undefined): Row {
  const p = played?.p ?? exact?.p ?? 0;
  const spread = Math.sqrt(p * (1 - p));
  const head = { ...shared, kind: 'outcome', name: played?.name ?? exact?.name ?? '', ...NO_QUANTILES } as const;
  if (played === undefined) return { ...head, ...NO_ESTIMATE, standard_deviation: spread, exact: exact?.p ?? null };
  const n = shared.battles;
  const law = exact && ([exact.p, exact.p * (1 - exact.p)] as const);
  return { ...head, ...estimated(played.p, spread, played.ci95, spread / Math.sqrt(n), n, law) };
}

function metricRow(
  shared: Common,
  played: MetricSummary | undefined,
  exact: MetricSummary | undefined,
): Row | undefined {
  const shown = played ?? exact;
  if (shown === undefined) return undefined;
  const q = (share: number): number | null => shown.quantiles.get(share) ?? null;
  const quantiles = { q05: q(0.05), q25: q(0.25), median: q(0.5), q75: q(0.75), q95: q(0.95) };
  const head = { ...shared, kind: 'metric', name: shown.name, min: shown.min, ...quantiles, max: shown.max } as const;
  const spread = Math.sqrt(shown.variance);
  if (played === undefined) return { ...head, ...NO_ESTIMATE, standard_deviation: spread, exact: shown.mean };
  const n = shared.battles;
  const law = exact && ([exact.mean, exact.variance] as const);
  const error = Math.sqrt(played.variance / Math.max(1, n - 1));
  return { ...head, ...estimated(played.mean, spread, played.ci95, error, n, law) };
}

const named = <T extends { readonly name: string }>(list: readonly T[] | undefined, name: string): T | undefined =>
  list?.find((each) => each.name === name);

/** The rows of `table/`: outcomes, then metrics. */
export function tidyRows(result: Told, sweep: Sweep): Row[] {
  const { shape, played, exact } = result;
  const shared = common(result, sweep);
  const law: Summary | undefined = exact?.summary;
  const wanted = sweep.spec.keep.outcomes;
  const outcomes = shape.outcomes.filter((name) => wanted?.includes(name) ?? true);
  return [
    ...outcomes.map((name) => outcomeRow(shared, named(played?.summary.outcomes, name), named(law?.outcomes, name))),
    ...shape.metrics.flatMap(
      ({ name }) => metricRow(shared, named(played?.summary.metrics, name), named(law?.metrics, name)) ?? [],
    ),
  ];
}

/** The counts of a cell that are new, as rows of `histograms/`. */
export function countRows({ cell, shape, played }: CellResult): HistogramRow[] {
  if (played === undefined || played.added.from === played.battles) return [];
  const range = { from: played.added.from, to: played.battles };
  return Array.from(weightsOf(shape, played.added.tally), ({ weight, ...of }) => ({
    cell: cell.index,
    ...of,
    ...range,
    count: weight,
    probability: null,
  }));
}

/** The exact law of a cell, as rows of `histograms/`. */
export function lawRows({ cell, exact }: CellResult, kept: readonly string[] | undefined): HistogramRow[] {
  if (exact === undefined) return [];
  const rows = Array.from(weightsOf(exact.shape, exact.law), ({ weight, ...of }) => ({
    cell: cell.index,
    ...of,
    from: 0,
    to: 0,
    count: null,
    probability: weight,
  }));
  return rows.filter(({ kind, name }) => kind === 'outcome' || (kept?.includes(name) ?? true));
}
