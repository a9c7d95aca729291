/** Simulates battles of a scenario and counts their results. */

import { AbortError, createOptionsCheck } from '../core/index.ts';
import {
  checkStart,
  type Engine,
  type EngineForm,
  type Progress,
  type RunLegsOptions,
  type RunRequest,
  type RunResult,
  runBattles,
  runLegs,
} from '../engines/index.ts';
import { getBoundScenario, type Scenario } from '../rules/index.ts';
import {
  boundMeans,
  ConfidenceSequence,
  type Counts,
  type CountsShape,
  computeDigest,
  createPrecisionSpec,
  createResultHeader,
  hashScenario,
  identifyRules,
  type StoppingResult,
  type StoppingRule,
  type Summary,
  summarizeBattles,
  toCountsJson,
  withToJson,
} from '../stats/index.ts';
import { EXECUTION, type ExecutionOptions, pickExecutionOptions } from './execution-options.ts';
import { RUN, type RunSpec, resolveBattleSpan } from './run-options.ts';

export type { Engine, Progress, StoppingResult };

/**
 * Options of `simulate`. With `precision` a run ends as soon as the simultaneous 95 % intervals of all outcome
 * probabilities, or the interval of the mean of a metric, are narrow enough. Interim analyses take place after fixed
 * numbers of battles, so the end depends only on scenario, seed, `from`, `battles` and precision, and the intervals are
 * valid at any end.
 */
export interface SimulateOptions extends RunSpec, ExecutionOptions {}

const checkOptions = createOptionsCheck<SimulateOptions>('simulate', { ...RUN, ...EXECUTION });

/** Simulated battles and their results. */
export interface SimulationData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly engine: Engine;
  /** In decimal. */
  readonly seed: string;
  /** Range of simulated battles, from..to-1; shorter than requested if the run was stopped. */
  readonly from: number;
  readonly to: number;
  readonly complete: boolean;
  /** Engine: `kernel`, `automaton` or `reference`; `sampled` if no battles were simulated. */
  readonly engineUsed: EngineForm;
  /** Reason for the choice of the engine, for display: wording and numbers may differ between runs. */
  readonly engineReason: string;
  /** Number of threads; 0 if all battles were simulated in the calling thread. */
  readonly workers: number;
  readonly shape: CountsShape;
  readonly counts: Counts;
  /** Estimates; with the intervals of `stopping`, if present. */
  readonly summary: Summary;
  /** Result of a run with a precision; absent without one, or if the signal came first. */
  readonly stopping?: StoppingResult;
  /** SHA-256 of the result; the same for all engines, threads and machines. */
  readonly digest: string;
  /** Duration from the first job to the merged counts, without the start of threads. */
  readonly elapsedSeconds: number;
}

/** Converts a run to JSON: the common part of the output of `warpool run --json`. */
export function toRunJson(run: SimulationData) {
  const { engine, seed, from, to, complete, stopping, engineUsed, engineReason, workers, digest, elapsedSeconds } = run;
  return {
    ...createResultHeader(run.scenario, run.scenarioHash),
    ...{ engine, seed, from, battles: to - from, complete },
    ...(stopping && { stopping }),
    ...{ engineUsed, engineReason, workers, digest, elapsedSeconds },
    ...toCountsJson(run.summary, run.shape, run.counts),
  };
}

/** JSON output of `warpool run --json`. */
export type RunJson = ReturnType<typeof toRunJson>;

/** Counted battles of `simulate`: estimates with intervals, counts, digest. */
export interface SimulationResult extends SimulationData {
  /**
   * Converts the result for `JSON.stringify`: outcomes and metrics by name, without counters. See
   * docs/reference/json.md.
   */
  toJSON(): RunJson;
}

/** Creates the stopping rule of a run with a precision; loaded only on demand. */
async function createStoppingRule(
  shape: CountsShape,
  options: SimulateOptions,
  battles: number,
): Promise<StoppingRule | undefined> {
  const target = createPrecisionSpec(shape, options);
  if (target === undefined) return undefined;
  const precision = await import('../stats/stopping-rule.ts');
  return new precision.StoppingRule(shape, target, battles, options.bounded);
}

/** Simulates until the precision is reached. */
function simulateToPrecision(target: StoppingRule, run: RunRequest, options: RunLegsOptions): Promise<RunResult> {
  const to = Math.min(run.to, run.from + target.most);
  return runLegs({ ...run, to }, (counts) => target.nextAnalysis(counts), options);
}

/**
 * Simulates battles `from`..`from + battles - 1` of run `seed`. The result depends only on scenario, seed and range;
 * threads, engine and machine affect only the duration. Concurrent calls (`Promise.all`) share the threads of the
 * process. Custom rules with an infinite loop are interrupted only in threads: small runs are simulated in the calling
 * thread, which cannot be interrupted.
 * @param scenario from `loadScenario`, `parseScenario` or `validateScenario`
 * @throws InputError if an option is out of range
 * @throws BudgetError if the engine is `sampled` or `automaton`, and the scenario exceeds its budget
 * @throws RunError if the simulation fails, or no battle was finished before the signal came
 */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<SimulationResult> {
  checkOptions(options);
  const { seed, from: first, battles } = resolveBattleSpan(options);
  const engine = options.engine ?? 'kernel';
  const shape = getBoundScenario(scenario).shape;
  const { bounded = false } = options;
  const execution = pickExecutionOptions(options);
  const { budget, signal, onProgress, pool } = execution;
  const target = await createStoppingRule(shape, options, battles);
  const run = { engine, scenario, seed, from: first, to: first + battles, budget };
  checkStart(signal);
  const played = target
    ? simulateToPrecision(target, run, execution)
    : (pool?.play(run, { signal, onProgress }) ?? runBattles(run, execution));
  const { counts, from, to, complete, player, why = '', seconds, workers: threads } = await played;
  if (to === from) throw new AbortError('the run was stopped before the first battles were finished', signal);
  const hash = hashScenario(scenario);
  const drawn = engine === 'sampled';
  const reached = complete ? target : undefined;
  const plain = summarizeBattles(shape, counts);
  const bets = bounded && new ConfidenceSequence(1 / (target?.most ?? battles));
  const summary = bets === false ? plain : boundMeans(plain, shape, counts, bets);
  const result: SimulationData = {
    scenario,
    scenarioHash: hash,
    engine,
    seed: String(seed),
    from,
    to,
    complete,
    engineUsed: player,
    engineReason: why,
    workers: threads,
    shape,
    counts,
    summary: reached?.withIntervals(summary, counts) ?? summary,
    ...(reached && { stopping: reached.describeStopping(counts) }),
    digest: computeDigest({ scenarioHash: hash, ...identifyRules(scenario), seed, from, to, drawn }, shape, counts),
    elapsedSeconds: seconds,
  };
  return withToJson(result, () => toRunJson(result));
}
