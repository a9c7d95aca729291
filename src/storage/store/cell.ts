/** One cell of a sweep: simulates and solves it, and creates its rows. */

import {
  checkAgreement,
  type Engine,
  type ExactMode,
  type ExactResult,
  findBriefExactAnswer,
  findExactAnswerOffThread,
  type Progress,
  pickRunLength,
  simulate,
} from '../../analysis/index.ts';
import { AbortError } from '../../core/index.ts';
import type { RunExecutor } from '../../engines/index.ts';
import { getBoundScenario } from '../../rules/index.ts';
import {
  boundMeans,
  ConfidenceSequence,
  type Counts,
  type CountsShape,
  collectValueWeights,
  computeDigest,
  createEmptyCounts,
  getBattleCount,
  identifyRules,
  mergeCounts,
  type RunIdentity,
  type StoppingResult,
  type Summary,
  summarizeBattles,
} from '../../stats/index.ts';
import type { Range } from '../sweep/ranges.ts';
import {
  type CellFacts,
  createRow,
  type HistogramRow,
  type HistogramRun,
  type ResultRow,
  type RowMoments,
  type RowSource,
} from '../sweep/rows.ts';
import type { Cell, Sweep, SweepSpec } from '../sweep/sweep.ts';

/** Selects the stored part of a shape: all outcomes, and the named metrics. */
export function selectShape(shape: CountsShape, metrics: readonly string[] | undefined): CountsShape {
  if (metrics === undefined) return shape;
  return { outcomes: shape.outcomes, metrics: shape.metrics.filter(({ name }) => metrics.includes(name)) };
}

/** Returns when cells are solved; whether they are simulated too is a separate question. */
export const getExactMode = ({ exact }: Pick<SweepSpec, 'exact'>): ExactMode => (exact === 'instead' ? 'auto' : exact);

/** Selects the stored part of counts. */
function selectCounts(shape: CountsShape, counts: Counts, selected: CountsShape): Counts {
  const names = selected.metrics.map(({ name }) => name);
  return {
    outcomes: counts.outcomes,
    metrics: counts.metrics.filter((_, m) => names.includes(shape.metrics[m]?.name ?? '')),
  };
}

/** Values with nonzero weight of one outcome, or of one metric in battles with that outcome. */
type WeightedValues = Pick<HistogramRun, 'kind' | 'name' | 'outcome' | 'values' | 'weights'>;

/** Yields all nonzero weights of counts or an exact distribution: outcomes, then metrics by outcome. */
function* listWeightedValues({ outcomes, metrics }: CountsShape, counts: Counts): Generator<WeightedValues> {
  for (const [o, outcome] of outcomes.entries()) {
    const weight = counts.outcomes[o] ?? 0;
    if (weight > 0) yield { kind: 'outcome', name: outcome, outcome, values: [0], weights: [weight] };
  }
  for (const [m, { name, unit = 1 }] of metrics.entries()) {
    for (const [o, outcome] of outcomes.entries()) {
      const { values, weights } = collectValueWeights(counts, m, unit, o);
      if (values.length > 0) yield { kind: 'metric', name, outcome, values, weights };
    }
  }
}

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count > 0;

const isProbability = (share: number): boolean => share > 0 && share <= 1 + 1e-9;

/** Describes the first row that is impossible for the shape; undefined if all are possible. */
export function findInvalidRow({ outcomes, metrics }: CountsShape, rows: readonly HistogramRow[]): string | undefined {
  const places = new Set(outcomes);
  const declared = new Map(metrics.map((metric) => [metric.name, metric]));
  const isFitting = ({ kind, name, outcome, value, count, probability }: HistogramRow): boolean => {
    const weighs =
      count === null ? probability !== null && isProbability(probability) : probability === null && isCount(count);
    if (!weighs || !places.has(outcome)) return false;
    if (kind === 'outcome') return name === outcome && value === null;
    const { unit = 1, min, max } = declared.get(name) ?? { min: 1, max: 0 };
    const step = Math.round((value ?? Number.NaN) / unit);
    return step >= min && step <= max && step * unit === value;
  };
  const stray = rows.find((row) => !isFitting(row));
  if (stray === undefined) return undefined;
  const { kind, name, outcome, value, count, probability } = stray;
  return `${kind} ${name} ${String(value)} with ${outcome}: ${String(count ?? probability)} is impossible`;
}

/** Rows of one metric: its unit, and by row the number of units, the index of the outcome, and the weight. */
interface MetricSteps {
  readonly unit: number;
  readonly steps: number[];
  readonly outcomes: number[];
  readonly weights: number[];
}

/** Converts the weights of one metric to the layout of counts. */
function createMetricCounts({ steps, outcomes, weights }: MetricSteps, rows: number): Counts['metrics'][number] {
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
 * Sums rows to counts; `findInvalidRow` must have accepted them.
 * @param weightOf weight of a row; null to skip it
 */
export function createCounts<R extends Pick<HistogramRow, 'kind' | 'name' | 'outcome' | 'value'>>(
  shape: CountsShape,
  rows: readonly R[],
  weightOf: (row: R) => number | null,
): Counts {
  const { outcomes } = createEmptyCounts(shape);
  const none = (unit: number): MetricSteps => ({ unit, steps: [], outcomes: [], weights: [] });
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
  return { outcomes, metrics: Array.from(metrics.values(), (each) => createMetricCounts(each, outcomes.length)) };
}

/** Simulated battles of a cell. */
export interface SimulatedCell {
  readonly counts: Counts;
  readonly battles: number;
  readonly summary: Summary;
  readonly digest: string;
  readonly stopping?: StoppingResult | undefined;
  /** New counts and their first battle; the others existed. */
  readonly added: { readonly counts: Counts; readonly from: number };
}

export interface ComputedCell {
  readonly cell: Cell;
  /** Shape of the stored counts. */
  readonly shape: CountsShape;
  readonly played?: SimulatedCell | undefined;
  readonly exact?: ExactResult | undefined;
}

/** Earlier counts. */
export interface PreviousCounts {
  /** Shape of the stored counts. */
  readonly shape: CountsShape;
  /** Counts of battles 0..n-1. */
  readonly counts: Counts;
  /** True if they are in the store that is being filled, false if they are from another one. */
  readonly stored: boolean;
}

export interface CellOptions {
  /** Executor of the battles. */
  readonly players: RunExecutor;
  readonly signal?: AbortSignal | undefined;
  /**
   * What this thread solves, regardless of the signal: all cells, if it can be terminated, or brief ones, with a
   * `BudgetError` for others. By default another thread solves what is not brief.
   */
  readonly solves?: 'always' | 'briefly' | undefined;
  /** Default: `kernel`. */
  readonly engine?: Engine | undefined;
  /** Earlier counts of battles 0..n-1. */
  readonly previous?: PreviousCounts | undefined;
  /** Called about ten times a second with the number of battles since the last call. */
  readonly onBattles?: ((battles: number) => void) | undefined;
}

/** Selects the stored part of a summary. */
function selectSummary({ outcomes, metrics }: Summary, selected: CountsShape): Summary {
  const names = selected.metrics.map(({ name }) => name);
  return { outcomes, metrics: metrics.filter(({ name }) => names.includes(name)) };
}

/** Describes the battles of a cell for their digest. */
export function describeBattles({ scenario, hash, seed }: Cell, { spec }: Sweep, { from, to }: Range): RunIdentity {
  return { scenarioHash: hash, ...identifyRules(scenario), seed, from, to, drawn: spec.engine === 'sampled' };
}

/** Summarizes the counts of a cell. */
export function summarizeCounts({ spec, battles }: Sweep, shape: CountsShape, counts: Counts): Summary {
  const summary = summarizeBattles(shape, counts);
  return spec.bounded === true ? boundMeans(summary, shape, counts, new ConfidenceSequence(1 / battles)) : summary;
}

/** Joins earlier and new counts. */
function joinCounts(cell: Cell, sweep: Sweep, before: PreviousCounts, now: Counts | undefined): SimulatedCell {
  const { shape } = before;
  const counts = createEmptyCounts(shape);
  mergeCounts(counts, before.counts);
  if (now !== undefined) mergeCounts(counts, now);
  const battles = getBattleCount(counts);
  const from = before.stored ? getBattleCount(before.counts) : 0;
  const added = { counts: before.stored ? (now ?? createEmptyCounts(shape)) : counts, from };
  const summary = summarizeCounts(sweep, shape, counts);
  return {
    counts,
    battles,
    summary,
    digest: computeDigest(describeBattles(cell, sweep, { from: 0, to: battles }), shape, counts),
    added,
  };
}

/** Creates a progress callback that reports the battles since its last call. */
function createBattleReporter(onBattles: CellOptions['onBattles']): ((progress: Progress) => void) | undefined {
  if (onBattles === undefined) return undefined;
  let before = 0;
  return ({ done }) => {
    onBattles(done - before);
    before = done;
  };
}

/** Simulates the missing battles of a cell with earlier counts. */
async function extendCell(
  cell: Cell,
  sweep: Sweep,
  earlier: PreviousCounts,
  { players, signal, onBattles }: CellOptions,
): Promise<SimulatedCell> {
  const { shape, counts } = earlier;
  const from = getBattleCount(counts);
  if (from >= sweep.battles) return joinCounts(cell, sweep, earlier, undefined);
  const requested = { battles: sweep.battles - from, from, seed: cell.seed };
  const result = await simulate(cell.scenario, {
    ...requested,
    pool: players,
    signal,
    onProgress: createBattleReporter(onBattles),
  });
  if (!result.complete) throw new AbortError('stopped before the end of a cell', signal);
  return joinCounts(cell, sweep, earlier, selectCounts(result.shape, result.counts, shape));
}

async function simulateCell(
  cell: Cell,
  sweep: Sweep,
  kept: (shape: CountsShape) => CountsShape,
  options: CellOptions,
): Promise<{ cell: Cell; shape: CountsShape; played: SimulatedCell }> {
  const { precision, battles } = sweep.spec;
  const { players, signal, engine, previous, onBattles } = options;
  if (previous !== undefined)
    return { cell, shape: previous.shape, played: await extendCell(cell, sweep, previous, options) };
  const result = await simulate(cell.scenario, {
    ...pickRunLength(sweep.spec),
    battles: precision === undefined ? sweep.battles : battles,
    seed: cell.seed,
    pool: players,
    signal,
    engine,
    onProgress: createBattleReporter(onBattles),
  });
  if (!result.complete) throw new AbortError('stopped before the end of a cell', signal);
  const { to, stopping } = result;
  const shape = kept(result.shape);
  const counts = selectCounts(result.shape, result.counts, shape);
  const summary = selectSummary(result.summary, shape);
  const whole = shape.metrics.length === result.shape.metrics.length;
  const own = whole ? result.digest : computeDigest(describeBattles(cell, sweep, { from: 0, to }), shape, counts);
  const played = { counts, battles: to, summary, digest: own, stopping, added: { counts, from: 0 } };
  return { cell, shape, played };
}

/** Computes the exact answer of a cell; undefined if it is not requested or not affordable. @throws BudgetError */
async function solveCell({ scenario }: Cell, { spec, battles }: Sweep, { solves, signal }: CellOptions) {
  const [mode, { budget }] = [getExactMode(spec), spec];
  if (solves === 'briefly') return findBriefExactAnswer(scenario, mode, battles, budget);
  const used = solves === 'always' ? undefined : signal;
  return await findExactAnswerOffThread(scenario, mode, battles, budget, used);
}

/**
 * @throws BudgetError if a required exact answer is too large
 * @throws RunError if battles cannot be simulated, or the signal aborts
 * @throws RulesError if the rules fail, or battles contradict the exact answer
 */
export async function computeCell(cell: Cell, sweep: Sweep, options: CellOptions): Promise<ComputedCell> {
  const { exact: choice } = sweep.spec;
  const exact = await solveCell(cell, sweep, options);
  const selectKept = (shape: CountsShape): CountsShape => selectShape(shape, sweep.spec.keep.metrics);
  if (sweep.battles > 0 && (choice !== 'instead' || exact === undefined)) {
    const result = await simulateCell(cell, sweep, selectKept, options);
    checkAgreement(cell.scenario, result.played.summary, exact?.summary, result.played.battles);
    return { ...result, exact };
  }
  const shape = exact?.shape ?? getBoundScenario(cell.scenario).shape;
  return { cell, shape: selectKept(shape), exact };
}

/** Fields of a cell that its rows need. */
interface CellSource extends Pick<ComputedCell, 'cell' | 'shape'> {
  readonly played?: Pick<SimulatedCell, 'battles' | 'summary' | 'digest' | 'stopping'> | undefined;
  readonly exact?: { readonly summary: Summary } | undefined;
}

function createCellFacts({ cell, played }: CellSource, { columns }: Sweep): CellFacts {
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

/** Finds the moments of an outcome or metric. */
function findMoments({ outcomes, metrics }: Summary, kind: ResultRow['kind'], name: string): RowMoments | undefined {
  if (kind === 'metric') return metrics.find((metric) => metric.name === name);
  const outcome = outcomes.find((each) => each.name === name);
  if (outcome === undefined) return undefined;
  const { p, ci95 } = outcome;
  // Rounding may lift a probability above 1.
  return { mean: p, variance: Math.max(0, p * (1 - p)), ci95 };
}

/** Outcomes that have rows. */
export function selectOutcomes({ outcomes }: CountsShape, { spec }: Pick<Sweep, 'spec'>): string[] {
  return outcomes.filter((name) => spec.keep.outcomes?.includes(name) ?? true);
}

/** Lists the sources of the rows of `table/`: outcomes, then metrics. */
export function listRowSources(result: CellSource, sweep: Sweep): RowSource[] {
  const { shape, played, exact } = result;
  const facts = createCellFacts(result, sweep);
  const create = (kind: ResultRow['kind'], name: string): RowSource => ({
    facts,
    kind,
    name,
    played: played && findMoments(played.summary, kind, name),
    exact: exact && findMoments(exact.summary, kind, name),
  });
  return [
    ...selectOutcomes(shape, sweep).map((name) => create('outcome', name)),
    ...shape.metrics.map(({ name }) => create('metric', name)),
  ];
}

/** Creates the rows of `table/`: outcomes, then metrics. */
export const createRows = (result: CellSource, sweep: Sweep): ResultRow[] =>
  listRowSources(result, sweep).map(createRow);

/** Yields counts as runs of rows of `histograms/`. @param range undefined for probabilities */
export function* createHistogramRuns(
  { index: cell }: Cell,
  shape: CountsShape,
  counts: Counts,
  range?: Range,
): Generator<HistogramRun> {
  const { from, to } = range ?? { from: 0, to: 0 };
  const weigh = range === undefined ? 'probability' : 'count';
  for (const { kind, name, outcome, values, weights } of listWeightedValues(shape, counts))
    yield { cell, kind, name, outcome, from, to, values, weights, weigh };
}

/** True if battles were added. */
export const hasNewBattles = ({ added, battles }: SimulatedCell): boolean => added.from < battles;

/**
 * Yields the rows of `histograms/` that a cell adds, in order: new counts, then its exact distribution.
 * @param withLaws false if the distribution is stored already
 */
export function* createHistograms(
  { cell, shape, played, exact }: ComputedCell,
  { spec: { keep } }: Sweep,
  withLaws = true,
): Generator<HistogramRun> {
  if (played !== undefined && hasNewBattles(played))
    yield* createHistogramRuns(cell, shape, played.added.counts, { from: played.added.from, to: played.battles });
  if (exact === undefined || !withLaws || !keep.histograms) return;
  const kept = selectShape(exact.shape, keep.metrics);
  yield* createHistogramRuns(cell, kept, selectCounts(exact.shape, exact.distribution, kept));
}
