/** Cells: variants of a scenario, or points of a space, each with the value that a study examines. */

import { pause } from '#platform/pause';
import type { OptionChecks } from '../../core/index.ts';
import { PROGRESS_OPTIONS, type Progress } from '../../engines/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import {
  choice,
  count,
  type OptionSpecs,
  type RequestedOptions,
  type ResolvedOptions,
  resolveOptions,
} from '../../rules/option-spec.ts';
import {
  type CountsShape,
  computeDifferenceRange,
  computeMean,
  computeMeanDifference,
  computeShareDifference,
  type Interval,
  PowerSums,
} from '../../stats/index.ts';
import { openBattleFunction, visitBattles } from '../battle-function.ts';
import { findExactAnswerOffThread } from '../bounds-decision.ts';
import { type ComparisonSubject, readResult, resolveSubject } from '../comparing/paired-run.ts';
import { RUN_POSITION } from '../run-options.ts';
import { ALONGSIDE_BUDGET, COMPARED_VALUE, EXACTNESS } from '../shared-options.ts';

/** Value of a cell. */
export interface StudyCell {
  /** A share 0..1 or a metric's mean, in its unit. */
  readonly value: number;
  /** Values of the battles, in whole units of the subject; absent if the value is exact. */
  readonly battles?: Float64Array;
  /** Declared range of the values. */
  readonly range?: Interval;
}

/** Options of all studies. */
export const STUDY = {
  /** Outcome or metric; default: the first outcome of the scenario that is not a stalemate. */
  of: COMPARED_VALUE,
  /** Battles of each cell without an exact answer; their results stay in memory as long as necessary. */
  battles: count(
    2,
    10_000_000,
    'number of battles per cell without an exact answer (default: 50000 for step, otherwise 2000)',
  ),
  /** Default: `auto`. */
  exact: choice('exact answers instead of simulation; auto: if they are cheap to compute', EXACTNESS),
  /** Maximum steps of the exact answer of a cell, 1..10^10; default: by the number of battles. */
  budget: ALONGSIDE_BUDGET,
  /** Default: 1. */
  seed: RUN_POSITION.seed,
} as const satisfies OptionSpecs;

/** Settings that the cells of a study share. */
export interface StudySettings extends ResolvedOptions<typeof STUDY> {
  readonly battles: number;
  readonly signal: AbortSignal | undefined;
}

/** Request of battles from..from+battles-1 of the seed. */
export interface CellRequest {
  readonly scenario: Scenario;
  readonly from: number;
  /** Equal scenarios of a study have equal keys. */
  readonly key: string;
}

/** Evaluator of cells, in the requested order; the only part of a study that simulates. */
export interface CellEvaluator {
  readonly subject: ComparisonSubject;
  /** Numbers of exact and of simulated cells so far. */
  readonly count: { exact: number; simulated: number };
  /**
   * Evaluates equal cells once: exact ones in the whole study, others among these requests.
   * @param requests all with the same `from`
   * @returns undefined if the signal came before all were complete
   * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
   */
  evaluate(requests: readonly CellRequest[]): Promise<readonly StudyCell[] | undefined>;
}

const EMPTY_RANGE: Interval = [0, 0];

/**
 * Creates an evaluator of cells that are variants of `base`. Exact answers are tried only if the one of `base` is
 * affordable.
 * @throws InputError if there is no such outcome or metric
 * @throws RunError if the signal came before the cost of exact answers was known
 */
export async function createCellEvaluator(base: Scenario, setting: StudySettings): Promise<CellEvaluator> {
  const { seed, battles, signal, exact, budget } = setting;
  const { shape } = getBoundScenario(base);
  const subject = resolveSubject(setting.of, [shape]);
  const listShapes = (own: CountsShape): CountsShape[] => [own, shape];
  const solveCell = async (scenario: Scenario): Promise<StudyCell | undefined> => {
    const answer = await findExactAnswerOffThread(scenario, exact, battles, budget, signal);
    return answer && { value: subject.exact(answer.summary) };
  };
  const ignoreStop = (error: unknown): undefined => {
    if (signal?.aborted !== true) throw error;
  };
  const solvable = (await solveCell(base)) !== undefined;
  const count = { exact: 0, simulated: 0 };

  const simulateCell = async ({ scenario, from }: CellRequest): Promise<StudyCell | undefined> => {
    const play = await openBattleFunction(scenario, battles, signal);
    const { read, unit, ranges } = resolveSubject(subject.of, listShapes(getBoundScenario(scenario).shape));
    const of = read[0] ?? 0;
    const values = new Float64Array(battles);
    const visited = await visitBattles(from, battles, signal, (battle) => {
      values[battle - from] = readResult(of, play(seed, battle));
      return true;
    });
    return visited < battles
      ? undefined
      : { value: computeMean(values) * unit, battles: values, range: ranges[0] ?? EMPTY_RANGE };
  };

  const found = new Map<string, StudyCell>();
  const evaluateCell = async (request: CellRequest): Promise<StudyCell | undefined> => {
    const known = solvable ? await solveCell(request.scenario).catch(ignoreStop) : undefined;
    if (signal?.aborted === true) return undefined;
    const cell = known ?? (await simulateCell(request));
    if (cell !== undefined) count[known === undefined ? 'simulated' : 'exact']++;
    return cell;
  };

  const evaluate = async (requests: readonly CellRequest[]): Promise<readonly StudyCell[] | undefined> => {
    const cells: StudyCell[] = [];
    const played = new Map<string, StudyCell>();
    for (const request of requests) {
      await pause();
      if (signal?.aborted === true) return undefined;
      const cell = found.get(request.key) ?? played.get(request.key) ?? (await evaluateCell(request));
      if (cell === undefined) return undefined;
      (cell.battles === undefined ? found : played).set(request.key, cell);
      cells.push(cell);
    }
    return cells;
  };
  return { subject, count, evaluate };
}

// Differences of two cells with the same battles.

/** Relative tolerance of exact values: rounding causes such differences. */
const ROUNDING = 1e-11;

/** Second minus first. */
export interface CellDifference {
  readonly effect: number;
  readonly ci95: Interval;
  /** Present for an estimated difference of means. */
  readonly standardError?: number;
  /** True if both values are exact; the interval then has no width. */
  readonly exact: boolean;
  /** False if the two are equal in every battle, or exactly. */
  readonly differs: boolean;
}

/** Computes the difference of two exact values; 0 if rounding explains it. */
export function computeExactDifference(first: number, second: number): number {
  const scale = Math.max(1, Math.abs(first), Math.abs(second));
  return Math.abs(second - first) <= ROUNDING * scale ? 0 : second - first;
}

/** Sums over the battles that were simulated in both cells. */
function computePairedSums(first: Float64Array, second: Float64Array) {
  const sums = { first: new PowerSums(), second: new PowerSums(), gaps: new PowerSums() };
  for (const [battle, x] of first.entries()) {
    const y = second[battle] ?? 0;
    sums.first.count(x);
    sums.second.count(y);
    sums.gaps.count(y - x);
  }
  return sums;
}

/**
 * Computes the difference of two cells, battle by battle if both were simulated.
 * @param tail probability of either side of the interval
 */
export function computeCellDifference(
  first: StudyCell,
  second: StudyCell,
  subject: ComparisonSubject,
  tail: number,
): CellDifference {
  if (first.battles === undefined || second.battles === undefined) {
    const effect = computeExactDifference(first.value, second.value);
    return { effect, ci95: [effect, effect], exact: true, differs: effect !== 0 };
  }
  const n = first.battles.length;
  const sums = computePairedSums(first.battles, second.battles);
  const found =
    subject.kind === 'outcome'
      ? computeShareDifference(countPairs(sums), n, tail)
      : computeMeanDifferenceOf(sums, first, second, subject, tail);
  const { difference: effect, ci95, differing } = found;
  const error = 'standardError' in found && { standardError: found.standardError };
  return { effect, ci95, ...error, exact: false, differs: differing > 0 };
}

/** Counts battles with this outcome in both cells, only in the first, only in the second. */
function countPairs({ first, gaps }: ReturnType<typeof computePairedSums>) {
  const gained = (gaps.others + gaps.sum) / 2;
  const lost = gaps.others - gained;
  return { both: first.sum - lost, lost, gained };
}

function computeMeanDifferenceOf(
  sums: ReturnType<typeof computePairedSums>,
  first: StudyCell,
  second: StudyCell,
  { unit }: ComparisonSubject,
  tail: number,
) {
  const range = computeDifferenceRange(first.range ?? [0, 0], second.range ?? [0, 0]);
  return computeMeanDifference(sums, first.battles?.length ?? 0, { unit, range }, tail);
}

/** Computes the means over the two halves of the battles of a cell: independent, or both exact. */
export function computeHalfMeans({ value, battles }: StudyCell, unit: number): readonly [number, number] {
  if (battles === undefined) return [value, value];
  const half = Math.floor(battles.length / 2);
  return [computeMean(battles.subarray(0, half)) * unit, computeMean(battles.subarray(half)) * unit];
}

/**
 * Computes the sampling variance of the difference of two cells: of paired differences, or of the simulated cell if the
 * other one is exact.
 */
export function computeNoise(first: StudyCell, second: StudyCell, unit: number): number {
  const n = first.battles?.length ?? second.battles?.length ?? 0;
  if (n < 2) return 0;
  let [sum, squares] = [0, 0];
  for (let battle = 0; battle < n; battle++) {
    const gap = (second.battles?.[battle] ?? 0) - (first.battles?.[battle] ?? 0);
    sum += gap;
    squares += gap * gap;
  }
  return (Math.max(0, squares - (sum * sum) / n) / (n - 1) / n) * unit * unit;
}

// Common options of studies.

export interface StudyOptions extends RequestedOptions<typeof STUDY> {
  /** Stops the study; the results so far are returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called at the start, and after every step, trajectory or base point. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export const STUDY_OPTIONS: OptionChecks<StudyOptions> = { ...STUDY, ...PROGRESS_OPTIONS };

/** Common fields of results. Shares are 0..1, means in the unit of the metric. */
export interface Study {
  /** Scenario without changes, with the start values of added fields. */
  readonly scenario: Scenario;
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  /** In decimal. */
  readonly seed: string;
  /** Battles of a simulated cell. */
  readonly battles: number;
  readonly cells: { readonly exact: number; readonly simulated: number };
  /** False if the signal stopped it. */
  readonly complete: boolean;
}

/**
 * @param usual default number of battles of a cell
 * @throws InputError if an option is out of range
 */
export function resolveStudySettings(options: StudyOptions, usual: number): StudySettings {
  const { battles = usual, ...requested } = resolveOptions(STUDY, options);
  return { ...requested, battles, signal: options.signal };
}

export function createStudy(
  scenario: Scenario,
  { subject, count }: CellEvaluator,
  { seed, battles }: StudySettings,
  complete: boolean,
): Study {
  return { scenario, of: subject.of, kind: subject.kind, seed: String(seed), battles, cells: { ...count }, complete };
}

/** Batches of cells that are evaluated together, and their number. */
interface CellBatches {
  readonly batches: number;
  /** Unit of progress. */
  readonly unit: string;
  readonly createRequests: (lot: number) => readonly CellRequest[];
  readonly onBatch: (cells: readonly StudyCell[], lot: number) => void;
}

/**
 * Evaluates batch after batch until the signal comes.
 * @returns the number of evaluated items, always the first ones
 */
export async function evaluateBatches(
  lab: CellEvaluator,
  { batches, unit, createRequests, onBatch }: CellBatches,
  options: StudyOptions,
) {
  options.onProgress?.({ done: 0, total: batches, unit });
  for (let lot = 0; lot < batches; lot++) {
    const cells = await lab.evaluate(createRequests(lot));
    if (cells === undefined) return lot;
    onBatch(cells, lot);
    options.onProgress?.({ done: lot + 1, total: batches, unit });
  }
  return batches;
}
