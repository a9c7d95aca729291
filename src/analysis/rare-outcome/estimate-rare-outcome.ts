/** Estimates the probability of a rare outcome by multilevel splitting. */

import { pause } from '#platform/pause';
import {
  AbortError,
  BudgetError,
  createOptionsCheck,
  describeNumeral,
  findAmount,
  formatGrouped,
  InputError,
  RunError,
  suggestName,
} from '../../core/index.ts';
import { checkStart, PROGRESS_OPTIONS, type Progress } from '../../engines/index.ts';
import { describeRulesError, getBoundScenario, type Scenario } from '../../rules/index.ts';
import { count, type OptionSpecs, type RequestedOptions, resolveOptions, text } from '../../rules/option-spec.ts';
import {
  clopperPearson95,
  computeMean,
  computeSplittingDigest,
  createResultHeader,
  hashScenario,
  type Interval,
  identifyRules,
  PRECISION,
  withToJson,
  Z95,
} from '../../stats/index.ts';
import { createStudyStream } from '../designs/design.ts';
import { RUN_POSITION } from '../run-options.ts';
import { type ExactResult, findExactAnswer, solve } from '../solve.ts';
import { type ChosenPlan, choosePlan, StreamSequence } from './choose-plan.ts';
import {
  computeDeviation,
  computeReplicationEstimate,
  computeReplicationInterval,
  countStreams,
  isReliable,
  type RareProblem,
  simulateReplication,
  WIDENING,
} from './splitting.ts';

/** Range of precisions: half-widths of 95 % intervals relative to the probability. */
const PRECISIONS = { min: 0.01, max: 1 };

/** Range of the number of replications. */
const REPLICATIONS = { min: 20, max: 100_000 };

/** Maximum number of battle segments: each has its own stream. */
const SEGMENTS_MAX = 2 ** 31;

/** Margin of the number of replications, because the pilot measures their deviation only roughly. */
const MARGIN = 1.3;

/** Options of `estimateRareOutcome`, apart from the outcome. */
const RARE = {
  /** Seed, 0..2^64-1; default 1. */
  seed: RUN_POSITION.seed,
  /** Target half-width of the 95 % interval relative to the probability, 1%..100%; default `20%`. */
  precision: { ...PRECISION.precision, default: '20%' },
  /** Maximum number of battle segments of the estimate, in addition to the pilots; default 10 000 000. */
  battles: { ...count(1, SEGMENTS_MAX, 'maximum number of battle segments'), default: 10_000_000 },
} as const satisfies OptionSpecs;

/** Options of `estimateRareOutcome`. */
export interface RareOutcomeOptions extends RequestedOptions<typeof RARE> {
  /** Name of an outcome of the scenario. */
  readonly outcome: string;
  /** Stops the estimate with an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second. The total is a guess until the pilots are finished. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = createOptionsCheck<RareOutcomeOptions>('estimateRareOutcome', {
  outcome: { ...text('name', 'outcome'), required: true },
  ...RARE,
  ...PROGRESS_OPTIONS,
});

/** Stage of the splitting: segments from one level to the next. The last stage ends at the outcome. */
export interface SplittingStage {
  /** Segments of all replications, and those that reached the next level. */
  readonly segments: number;
  readonly reached: number;
  /** Share of the segments that reached the next level. */
  readonly share: number;
}

/** Estimated probability of a rare outcome. */
export interface RareOutcomeData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly outcome: string;
  /** Seed in decimal. */
  readonly seed: string;
  /** Unbiased estimate of the probability. */
  readonly probability: number;
  /** Exact probability; null if its computation exceeds the budget. */
  readonly exactProbability: number | null;
  /** Standard error relative to the probability; null if no replication reached the outcome. */
  readonly relativeError: number | null;
  /** 95 % interval of the probability. */
  readonly ci95: Interval;
  /** Requested half-width of the interval relative to the probability, and whether the interval has it. */
  readonly precision: { readonly requested: number; readonly reached: boolean };
  readonly replications: number;
  /** Replications without the outcome. */
  readonly emptyReplications: number;
  /** Relative standard deviation of one replication; null if no replication reached the outcome. */
  readonly deviation: number | null;
  /** Greatest mean estimate of the importance functions that the pilots tested. */
  readonly pilotProbability: number;
  /**
   * False if replications missed the outcome or differ widely, or if a tested importance function had a much greater
   * estimate: the interval may be too narrow.
   */
  readonly reliable: boolean;
  readonly stages: readonly SplittingStage[];
  /** Battle segments of the estimate and of the pilots. */
  readonly segments: number;
  readonly pilotSegments: number;
  /** Battles of plain simulation with the same relative error; null if no replication reached the outcome. */
  readonly plainBattles: number | null;
  /** SHA-256 of the counts; the same on all machines. */
  readonly digest: string;
  readonly elapsedSeconds: number;
}

/** Converts an estimate to JSON, the output of `warpool run --rare --json`. */
export function toRareOutcomeJson({ scenario, scenarioHash, ...estimate }: RareOutcomeData) {
  return { ...createResultHeader(scenario, scenarioHash), ...estimate };
}

/** JSON output of `warpool run --rare --json`. */
export type RareOutcomeJson = ReturnType<typeof toRareOutcomeJson>;

/** Result of `estimateRareOutcome`. */
export interface RareOutcomeEstimate extends RareOutcomeData {
  /** Converts the result for `JSON.stringify`. See docs/reference/json.md. */
  toJSON(): RareOutcomeJson;
}

/** Parses a precision, which must be relative: probabilities of rare outcomes have no sensible absolute precision. */
function parseRelativePrecision(given: number | string): number {
  const { value, unit } = findAmount(String(given), ['%']) ?? { value: Number.NaN, unit: '' };
  const { min, max } = PRECISIONS;
  if (unit === '%' && value >= min && value <= max) return value;
  const expected = `a part of the probability, ${String(100 * min)}%..${String(100 * max)}%`;
  throw new InputError('precision', expected, typeof given === 'number' ? String(given) : describeNumeral(given));
}

/** @param place name of the option in messages @throws InputError if the scenario has no such outcome */
export function checkOutcome(scenario: Scenario, outcome: string, place = 'outcome'): void {
  const { outcomes } = getBoundScenario(scenario).model;
  if (outcomes.includes(outcome)) return;
  throw new InputError(place, `one of ${outcomes.join(', ')}`, `"${outcome}"${suggestName(outcome, outcomes)}`);
}

/** Milliseconds between two pauses for timers and signals, and between two reports. */
const EVERY = { pause: 20, report: 100 };

/** Counter of segments, which lets other work run and reports progress. */
class SegmentCounter {
  done = 0;
  /** Total of the chosen plan. */
  total: number | undefined;
  readonly #options: RareOutcomeOptions;
  #paused = performance.now();
  #reported = 0;

  constructor(options: RareOutcomeOptions) {
    this.#options = options;
  }

  readonly count = (): Promise<void> | undefined => {
    this.done++;
    return performance.now() - this.#paused < EVERY.pause ? undefined : this.#pause();
  };

  async #pause(): Promise<void> {
    await pause();
    const { signal, onProgress } = this.#options;
    if (signal?.aborted === true) throw new AbortError('stopped before the estimate was finished', signal);
    this.#paused = performance.now();
    if (this.#paused - this.#reported < EVERY.report) return;
    this.#reported = this.#paused;
    onProgress?.({ done: this.done, total: this.total ?? 2 * this.done });
  }
}

/** Computes the number of replications of a plan for a relative half-width. */
function countReplications(plan: ChosenPlan, precision: number, segments: number): number {
  const standardErrors = (Z95 * WIDENING * plan.deviation) / precision;
  const needed = Math.ceil(MARGIN * standardErrors * standardErrors);
  const affordable = Math.floor(segments / countStreams(plan));
  const { min, max } = REPLICATIONS;
  if (affordable < 2) {
    const least = formatGrouped(2 * countStreams(plan));
    throw new RunError(`the levels need at least ${least} battle segments, more than ${formatGrouped(segments)}`);
  }
  return Math.min(max, Math.max(min, needed), affordable);
}

/** Computes the interval of the probability: without levels, the interval of a proportion. */
function computeInterval(
  replications: readonly (readonly number[])[],
  { effort, levels }: ChosenPlan,
  estimates: readonly number[],
): Interval {
  if (levels.length > 0) return computeReplicationInterval(estimates);
  const hits = replications.reduce((sum, [reached = 0]) => sum + reached, 0);
  return clopperPearson95(hits, replications.length * effort);
}

function sumStages(replications: readonly (readonly number[])[], { effort, levels }: ChosenPlan): SplittingStage[] {
  return Array.from({ length: levels.length + 1 }, (_, stage) => {
    const counts = replications.flatMap((replication) => replication[stage] ?? []);
    const segments = counts.length * effort;
    const reached = counts.reduce((sum, each) => sum + each, 0);
    return { segments, reached, share: segments === 0 ? 0 : reached / segments };
  });
}

/** Maximum probability of unsolved battles, relative to an exact probability. */
const UNSOLVED_MAX = 1e-6;

/**
 * Returns the exact probability; undefined if it depends on unsolved battles.
 * @throws RunError if the outcome is impossible
 */
function readProbability({ shape, distribution, truncated }: ExactResult, outcome: string): number | undefined {
  const p = distribution.outcomes[shape.outcomes.indexOf(outcome)] ?? 0;
  if (p > 0) return truncated < UNSOLVED_MAX * p ? p : undefined;
  const below = truncated === 0 ? '' : `, or has a probability below ${truncated.toExponential(1)}`;
  throw new RunError(`the exact answer shows that the outcome "${outcome}" is impossible${below}`);
}

/** Computes the exact answer with the default budget; undefined if that is exceeded. */
async function solveWithDefaults(scenario: Scenario, signal: AbortSignal | undefined) {
  try {
    return await solve(scenario, { signal });
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** Adds the exact probability to the reason why there is no estimate. */
function addExactProbability(error: RunError, exact: number, signal: AbortSignal | undefined): RunError {
  const message = `${error.message}; the exact probability is ${exact.toPrecision(3)}`;
  return error instanceof AbortError ? new AbortError(message, signal) : new RunError(message);
}

const toFinite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/**
 * Estimates the probability of an outcome by multilevel splitting. Pilots with their own random numbers choose the
 * importance function, the levels and the number of replications; the estimate is unbiased for any choice.
 * @param scenario a scenario from `loadScenario`, `parseScenario` or `validateScenario`
 * @throws InputError if an option is out of range, or the scenario has no such outcome
 * @throws RunError if no pilot reaches the outcome, or none reliably
 * @throws RulesError if the rules of the system fail
 * @throws AbortError if the signal comes first
 */
export async function estimateRareOutcome(
  scenario: Scenario,
  options: RareOutcomeOptions,
): Promise<RareOutcomeEstimate> {
  checkOptions(options);
  const { outcome, signal } = options;
  const { seed, precision: written, battles } = resolveOptions(RARE, options);
  const requested = parseRelativePrecision(written);
  checkOutcome(scenario, outcome);
  checkStart(signal);
  const began = performance.now();
  const open = getBoundScenario(scenario);
  const counter = new SegmentCounter(options);
  const problem: RareProblem = { model: open.model, outcome, onSegment: counter.count };
  const replications: number[][] = [];
  const pilots = new StreamSequence((index) => createStudyStream('rarePilot', seed, index));
  let plan: ChosenPlan | undefined;
  let pilotSegments: number;
  let exact: number | undefined;
  try {
    let answer = findExactAnswer(scenario, 'auto', battles);
    exact = answer && readProbability(answer, outcome);
    plan = await choosePlan(problem, pilots, battles, async () => {
      answer ??= await solveWithDefaults(scenario, signal);
      exact ??= answer && readProbability(answer, outcome);
    });
    pilotSegments = counter.done;
    if (plan === undefined)
      throw new RunError(
        `no battle of the pilots ended with the outcome "${outcome}" (${formatGrouped(pilotSegments)} battle segments): ` +
          `${exact === undefined ? 'it may be impossible, or need' : 'it needs'} a single improbable draw`,
      );
    const total = countReplications(plan, requested, battles);
    const streams = countStreams(plan);
    counter.total = pilotSegments + total * (plan.levels.length + 1) * plan.effort;
    for (let r = 0; r < total; r++) {
      const createStream = (index: number) => createStudyStream('rareOutcome', seed, r * streams + index);
      replications.push(await simulateReplication(problem, plan, createStream));
    }
  } catch (error) {
    if (exact !== undefined && error instanceof RunError) throw addExactProbability(error, exact, signal);
    throw describeRulesError(error, open);
  }
  const chosen = plan;
  const estimates = replications.map((counts) => computeReplicationEstimate(counts, chosen));
  const mean = computeMean(estimates);
  const deviation = computeDeviation(estimates, mean);
  const relativeError = deviation / Math.sqrt(estimates.length);
  const ci95 = computeInterval(replications, chosen, estimates);
  const scenarioHash = hashScenario(scenario);
  const identity = { ...identifyRules(scenario), scenarioHash, seed, outcome, effort: chosen.effort };
  const result: RareOutcomeData = {
    scenario,
    scenarioHash,
    outcome,
    seed: String(seed),
    probability: mean,
    exactProbability: exact ?? null,
    relativeError: toFinite(relativeError),
    ci95,
    precision: { requested, reached: (ci95[1] - ci95[0]) / 2 <= requested * mean },
    replications: estimates.length,
    emptyReplications: estimates.filter((estimate) => estimate === 0).length,
    deviation: toFinite(deviation),
    pilotProbability: chosen.pilotProbability,
    reliable: isReliable(estimates, chosen.pilotProbability),
    stages: sumStages(replications, chosen),
    segments: counter.done - pilotSegments,
    pilotSegments,
    plainBattles: toFinite(mean === 0 ? Number.NaN : (1 - mean) / mean / (relativeError * relativeError)),
    digest: computeSplittingDigest(identity, replications),
    elapsedSeconds: (performance.now() - began) / 1000,
  };
  return withToJson(result, () => toRareOutcomeJson(result));
}
