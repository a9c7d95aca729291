/** Plays many battles of a scenario and counts them. */

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
 * With `precision` a run ends as soon as the 95 % intervals of all outcome probabilities, which hold together, or that of
 * the mean of a metric, are narrow enough. It is looked at after fixed numbers of battles, so where it ends depends on
 * scenario, seed, `from`, `battles` and precision alone, and the intervals hold wherever that is.
 */
export interface SimulateOptions extends RunSpec, ExecutionOptions {}

const checkOptions = createOptionsCheck<SimulateOptions>('simulate', { ...RUN, ...EXECUTION });

/** What was played, and what came of it. */
export interface SimulationData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly engine: Engine;
  /** In decimal. */
  readonly seed: string;
  /** Battles from..to-1 were played; `to` falls short of what was asked if the run was stopped. */
  readonly from: number;
  readonly to: number;
  readonly complete: boolean;
  /** What has played: `kernel`, `automaton`, `reference`; `sampled` if nothing has. */
  readonly engineUsed: EngineForm;
  /** Why that has played, for people: its words and figures may differ from run to run. */
  readonly engineReason: string;
  /** Threads that took part; 0 if all battles were played in the calling thread. */
  readonly workers: number;
  readonly shape: CountsShape;
  readonly tally: Counts;
  /** With the intervals of `stopping`, if there is one, in their places. */
  readonly summary: Summary;
  /** How a run with a precision ended; absent if there was none, or if a signal came first. */
  readonly stopping?: StoppingResult;
  /** SHA-256 that any other way of playing the same battles gives as well. */
  readonly digest: string;
  /** From the first job handed out to the merged tally, threads already up. */
  readonly elapsedSeconds: number;
}

/** A run as JSON: what `warpool run --json` prints, but for what is asked for there besides. */
export function toRunJson(run: SimulationData) {
  const { engine, seed, from, to, complete, stopping, engineUsed, engineReason, workers, digest, elapsedSeconds } = run;
  return {
    ...createResultHeader(run.scenario, run.scenarioHash),
    ...{ engine, seed, from, battles: to - from, complete },
    ...(stopping && { stopping }),
    ...{ engineUsed, engineReason, workers, digest, elapsedSeconds },
    ...toCountsJson(run.summary, run.shape, run.tally),
  };
}

/** What `warpool run --json` prints. */
export type RunJson = ReturnType<typeof toRunJson>;

/** The battles of `simulate`, counted: estimates with intervals, the counters, the digest. */
export interface SimulationResult extends SimulationData {
  /** For `JSON.stringify`: outcomes and metrics by their names, without the counters. See docs/reference/json.md. */
  toJSON(): RunJson;
}

/** What a run with a precision looks for; loaded where one is asked for alone. */
async function createStoppingRule(
  shape: CountsShape,
  options: SimulateOptions,
  battles: number,
): Promise<StoppingRule | undefined> {
  const wish = createPrecisionSpec(shape, options);
  if (wish === undefined) return undefined;
  const precision = await import('../stats/stopping-rule.ts');
  return new precision.StoppingRule(shape, wish, battles, options.bounded);
}

/** Plays to the look at which the precision is reached. */
function simulateToPrecision(target: StoppingRule, run: RunRequest, options: RunLegsOptions): Promise<RunResult> {
  const to = Math.min(run.to, run.from + target.most);
  return runLegs({ ...run, to }, (tally) => target.nextAnalysis(tally), options);
}

/**
 * Plays battles `from`..`from + battles - 1` of run `seed`. The result depends on scenario, seed and range
 * alone; threads, engine and machine change nothing but the time. Many calls may be under way at once
 * (`Promise.all`): they share the threads of the process. Rules of one's own that do not end are interrupted in threads
 * alone: small runs are played in the calling thread, which nothing can interrupt there.
 * @param scenario from `loadScenario`, `parseScenario` or `validateScenario`
 * @throws InputError if an option is out of range
 * @throws BudgetError if the engine is `sampled` or `automaton`, and the scenario is too large for that
 * @throws RunError if battles could not be played, or none was finished before the signal came
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
  const { tally, from, to, complete, player, why = '', seconds, workers: threads } = await played;
  if (to === from) throw new AbortError('the run was stopped before the first battles were finished', signal);
  const hash = hashScenario(scenario);
  const drawn = engine === 'sampled';
  const reached = complete ? target : undefined;
  const plain = summarizeBattles(shape, tally);
  const bets = bounded && new ConfidenceSequence(1 / (target?.most ?? battles));
  const summary = bets === false ? plain : boundMeans(plain, shape, tally, bets);
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
    tally,
    summary: reached?.withIntervals(summary, tally) ?? summary,
    ...(reached && { stopping: reached.describeStopping(tally) }),
    digest: computeDigest({ scenarioHash: hash, ...identifyRules(scenario), seed, from, to, drawn }, shape, tally),
    elapsedSeconds: seconds,
  };
  return withToJson(result, () => toRunJson(result));
}
