/** One cell of a sweep: plays and solves it, and makes the rows of what came of it. */

import {
  Bets,
  battlesIn,
  boundMeans,
  digest,
  emptyTally,
  type MetricSummary,
  mergeTally,
  type OutcomeSummary,
  type Played,
  rulesOf,
  type Stopping,
  type Summary,
  spreadOf,
  summarise,
  type Tally,
  type TallyShape,
  zScore,
} from '../../answers/index.ts';
import { AbortError } from '../../core/index.ts';
import type { Players } from '../../engines/index.ts';
import { opened } from '../../rules/index.ts';
import {
  answerPatiently,
  checkAgreement,
  type Engine,
  type ExactResult,
  lengthOf,
  type Progress,
  simulate,
} from '../../studies/index.ts';
import type { Range } from '../sweep/ranges.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import type { HistogramRow, HistogramRun, Row } from './rows.ts';

/** What a store keeps of what is counted: all outcomes, and of the metrics those that are named. */
export function keptShape(shape: TallyShape, metrics: readonly string[] | undefined): TallyShape {
  if (metrics === undefined) return shape;
  return { outcomes: shape.outcomes, metrics: shape.metrics.filter(({ name }) => metrics.includes(name)) };
}

/** The part of a tally that is kept. */
function keptTally(shape: TallyShape, tally: Tally, kept: TallyShape): Tally {
  const names = kept.metrics.map(({ name }) => name);
  return {
    outcomes: tally.outcomes,
    metrics: tally.metrics.filter((_, m) => names.includes(shape.metrics[m]?.name ?? '')),
  };
}

/** What one outcome, or one metric of the battles that ended so, has more than nothing of. */
type Weights = Pick<HistogramRun, 'kind' | 'name' | 'outcome' | 'values' | 'weights'>;

/** Everything that a tally, or an exact law, has more than nothing of: outcomes, then metrics by outcome. */
function* weightsBy({ outcomes, metrics }: TallyShape, tally: Tally): Generator<Weights> {
  for (const [o, outcome] of outcomes.entries()) {
    const weight = tally.outcomes[o] ?? 0;
    if (weight > 0) yield { kind: 'outcome', name: outcome, outcome, values: [0], weights: [weight] };
  }
  for (const [m, { name, unit = 1 }] of metrics.entries()) {
    for (const [o, outcome] of outcomes.entries()) {
      const { values, weights } = spreadOf(tally, m, unit, o);
      if (values.length > 0) yield { kind: 'metric', name, outcome, values, weights };
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

/** Rows of one metric: its unit, and by row how many of them, the place of the outcome, the weight. */
interface Steps {
  readonly unit: number;
  readonly steps: number[];
  readonly outcomes: number[];
  readonly weights: number[];
}

/** The weights of one metric as they stand in a tally. */
function columnOf({ steps, outcomes, weights }: Steps, rows: number): Tally['metrics'][number] {
  if (steps.length === 0) return { low: 0, width: 0, counts: new Float64Array() };
  const low = steps.reduce((least, step) => Math.min(least, step), Number.POSITIVE_INFINITY);
  const high = steps.reduce((most, step) => Math.max(most, step), Number.NEGATIVE_INFINITY);
  const width = high - low + 1;
  const counts = new Float64Array(rows * width);
  for (const [r, step] of steps.entries()) {
    const at = (outcomes[r] ?? 0) * width + step - low;
    counts[at] = (counts[at] ?? 0) + (weights[r] ?? 0);
  }
  return { low, width, counts };
}

/**
 * The tally that rows tell of; `strayRow` must have passed them.
 * @param weightOf null for a row that is left out
 */
export function tallyOf<R extends Pick<HistogramRow, 'kind' | 'name' | 'outcome' | 'value'>>(
  shape: TallyShape,
  rows: readonly R[],
  weightOf: (row: R) => number | null,
): Tally {
  const { outcomes } = emptyTally(shape);
  const none = (unit: number): Steps => ({ unit, steps: [], outcomes: [], weights: [] });
  const metrics = new Map(shape.metrics.map(({ name, unit = 1 }) => [name, none(unit)]));
  for (const row of rows) {
    const [weight, o] = [weightOf(row), shape.outcomes.indexOf(row.outcome)];
    if (weight === null || o < 0) continue;
    const metric = row.kind === 'metric' ? metrics.get(row.name) : undefined;
    if (row.kind === 'outcome') outcomes[o] = (outcomes[o] ?? 0) + weight;
    metric?.steps.push(Math.round((row.value ?? 0) / metric.unit));
    metric?.outcomes.push(o);
    metric?.weights.push(weight);
  }
  return { outcomes, metrics: Array.from(metrics.values(), (each) => columnOf(each, outcomes.length)) };
}

/** What is known of the battles of a cell. */
export interface PlayedCell {
  readonly tally: Tally;
  readonly battles: number;
  readonly summary: Summary;
  readonly digest: string;
  readonly stopping?: Stopping | undefined;
  /** What was counted now, and from which battle on; the others were there. */
  readonly added: { readonly tally: Tally; readonly from: number };
}

export interface CellResult {
  readonly cell: Cell;
  /** What is kept of it. */
  readonly shape: TallyShape;
  readonly played?: PlayedCell | undefined;
  readonly exact?: ExactResult | undefined;
}

/** What was counted before. */
export interface Earlier {
  /** Of what is kept. */
  readonly shape: TallyShape;
  /** Of battles 0..n-1. */
  readonly tally: Tally;
  /** True if it stands in the store that is filled, false if it comes from elsewhere. */
  readonly stored: boolean;
}

export interface CellOptions {
  /** Who plays. */
  readonly players: Players;
  readonly signal?: AbortSignal | undefined;
  /** True in a thread that is ended as a whole: long exact answers are then worked out in it, whatever the signal says. */
  readonly apart?: boolean | undefined;
  /** `kernel` unless said otherwise. */
  readonly engine?: Engine | undefined;
  /** What was counted before, of battles 0..n-1. */
  readonly earlier?: Earlier | undefined;
  /** Called about ten times a second with the battles that were played since. */
  readonly onBattles?: ((battles: number) => void) | undefined;
}

/** The whole summary cut to what is kept. */
function keptSummary({ outcomes, metrics }: Summary, kept: TallyShape): Summary {
  const names = kept.metrics.map(({ name }) => name);
  return { outcomes, metrics: metrics.filter(({ name }) => names.includes(name)) };
}

/** Battles of a cell, as digests name them. */
export function playedOf({ scenario, hash, seed }: Cell, { spec }: Sweep, { from, to }: Range): Played {
  return { scenarioHash: hash, ...rulesOf(scenario), seed, from, to, drawn: spec.engine === 'sampled' };
}

/** What the counts of a cell say. */
export function summaryOf({ spec, battles }: Sweep, shape: TallyShape, tally: Tally): Summary {
  const summary = summarise(shape, tally);
  return spec.bounded === true ? boundMeans(summary, shape, tally, new Bets(1 / battles)) : summary;
}

/** What was counted before and now, as one. */
function joined(cell: Cell, sweep: Sweep, before: Earlier, now: Tally | undefined): PlayedCell {
  const { shape } = before;
  const tally = emptyTally(shape);
  mergeTally(tally, before.tally);
  if (now !== undefined) mergeTally(tally, now);
  const battles = battlesIn(tally);
  const from = before.stored ? battlesIn(before.tally) : 0;
  const added = { tally: before.stored ? (now ?? emptyTally(shape)) : tally, from };
  const summary = summaryOf(sweep, shape, tally);
  return {
    tally,
    battles,
    summary,
    digest: digest(playedOf(cell, sweep, { from: 0, to: battles }), shape, tally),
    added,
  };
}

/** For the progress of a run: tells what was done since. */
function since(onBattles: CellOptions['onBattles']): ((progress: Progress) => void) | undefined {
  if (onBattles === undefined) return undefined;
  let before = 0;
  return ({ done }) => {
    onBattles(done - before);
    before = done;
  };
}

/** Plays what is missing of a cell that was counted before. */
async function playOn(
  cell: Cell,
  sweep: Sweep,
  earlier: Earlier,
  { players, signal, onBattles }: CellOptions,
): Promise<PlayedCell> {
  const { shape, tally } = earlier;
  const from = battlesIn(tally);
  if (from >= sweep.battles) return joined(cell, sweep, earlier, undefined);
  const asked = { battles: sweep.battles - from, from, seed: cell.seed };
  const result = await simulate(cell.scenario, { ...asked, pool: players, signal, onProgress: since(onBattles) });
  if (!result.complete) throw new AbortError('stopped before the end of a cell', signal);
  return joined(cell, sweep, earlier, keptTally(result.shape, result.tally, shape));
}

async function play(
  cell: Cell,
  sweep: Sweep,
  kept: (shape: TallyShape) => TallyShape,
  options: CellOptions,
): Promise<{ cell: Cell; shape: TallyShape; played: PlayedCell }> {
  const { precision, battles } = sweep.spec;
  const { players, signal, engine, earlier, onBattles } = options;
  if (earlier !== undefined) return { cell, shape: earlier.shape, played: await playOn(cell, sweep, earlier, options) };
  const result = await simulate(cell.scenario, {
    ...lengthOf(sweep.spec),
    battles: precision === undefined ? sweep.battles : battles,
    seed: cell.seed,
    pool: players,
    signal,
    engine,
    onProgress: since(onBattles),
  });
  if (!result.complete) throw new AbortError('stopped before the end of a cell', signal);
  const { to, stopping } = result;
  const shape = kept(result.shape);
  const tally = keptTally(result.shape, result.tally, shape);
  const summary = keptSummary(result.summary, shape);
  const whole = shape.metrics.length === result.shape.metrics.length;
  const own = whole ? result.digest : digest(playedOf(cell, sweep, { from: 0, to }), shape, tally);
  const played = { tally, battles: to, summary, digest: own, stopping, added: { tally, from: 0 } };
  return { cell, shape, played };
}

/**
 * @throws BudgetError if the exact answer is asked for and too large
 * @throws RunError if battles could not be played, or the signal came
 * @throws RulesError if the rules fail, or battles contradict the exact answer
 */
export async function makeCell(cell: Cell, sweep: Sweep, options: CellOptions): Promise<CellResult> {
  const { exact: choice, budget } = sweep.spec;
  const signal = options.apart === true ? undefined : options.signal;
  const exact = await answerPatiently(cell.scenario, choice, sweep.battles, budget, signal);
  const kept = (shape: TallyShape): TallyShape => keptShape(shape, sweep.spec.keep.metrics);
  if (sweep.battles > 0) {
    const result = await play(cell, sweep, kept, options);
    checkAgreement(cell.scenario, result.played.summary, exact?.summary, result.played.battles);
    return { ...result, exact };
  }
  const shape = exact?.shape ?? opened(cell.scenario).shape;
  return { cell, shape: kept(shape), exact };
}

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

/** Of a share; a probability may be above 1 by its rounding. */
const varianceOf = (share: number): number => Math.max(0, share * (1 - share));

function outcomeRow(
  shared: Common,
  name: string,
  played: OutcomeSummary | undefined,
  exact: OutcomeSummary | undefined,
): Row {
  return rowOf(shared, {
    kind: 'outcome',
    name,
    played: played && [played.p, varianceOf(played.p), played.ci95],
    exact: exact && [exact.p, varianceOf(exact.p)],
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

/** What a tally has, as runs of rows of `histograms/`. @param range none, if it is of probabilities */
export function* runsOf(
  { index: cell }: Cell,
  shape: TallyShape,
  tally: Tally,
  range?: Range,
): Generator<HistogramRun> {
  const { from, to } = range ?? { from: 0, to: 0 };
  const weigh = range === undefined ? 'probability' : 'count';
  for (const { kind, name, outcome, values, weights } of weightsBy(shape, tally))
    yield { cell, kind, name, outcome, from, to, values, weights, weigh };
}

/** Whether battles were counted now. */
export const isCounted = ({ added, battles }: PlayedCell): boolean => added.from < battles;

/**
 * All rows of `histograms/` that cells add, in their order: what was counted now, then exact laws.
 * @param withLaws false if the laws are stored already
 */
export function* histogramsOf(
  results: Iterable<CellResult>,
  { spec: { keep } }: Sweep,
  withLaws = true,
): Generator<HistogramRun> {
  for (const { cell, shape, played, exact } of results) {
    if (played !== undefined && isCounted(played))
      yield* runsOf(cell, shape, played.added.tally, { from: played.added.from, to: played.battles });
    if (exact === undefined || !withLaws || !keep.histograms) continue;
    const kept = keptShape(exact.shape, keep.metrics);
    yield* runsOf(cell, kept, keptTally(exact.shape, exact.law, kept));
  }
}
