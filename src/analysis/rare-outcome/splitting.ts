/**
 * Fixed effort splitting (M. J. J. Garvels, The splitting method in rare event simulation, 2000, chapter 3). The
 * levels of an importance function divide a battle into stages. Each stage simulates the same number of battle
 * segments from states at which segments of the previous stage reached their level. The product of the shares of the
 * segments that reach the next level is an unbiased estimate for any importance function and any fixed levels.
 */
import { exp, ln, RulesError, SampledChance, type Stream } from '../../core/index.ts';
import { findOutcome, type Model, type State } from '../../rules/index.ts';
import { computeMean, type Interval, studentUpper } from '../../stats/index.ts';

/** Importance of a state: higher if the outcome is closer. */
export type Importance = (state: State) => number;

/** Outcome whose probability is estimated, in the battles of a model. */
export interface RareProblem {
  readonly model: Model<State>;
  readonly outcome: string;
  /** Called before each segment: lets other work run, and throws after a signal. */
  readonly onSegment: () => Promise<void> | undefined;
}

/** State at which a segment starts; undefined: the start of a battle. */
export type SegmentStart = State | undefined;

/** Maximum number of steps of a segment. */
const STEPS_MAX = 10_000_000;

/** A battle from a state to its end. */
export class Segment {
  state: State;
  readonly #model: Model<State>;
  readonly #chance: SampledChance;
  #steps = 0;

  constructor(model: Model<State>, from: SegmentStart, stream: Stream) {
    this.#model = model;
    this.#chance = new SampledChance(stream);
    this.state = from ?? model.start(this.#chance);
  }

  /** Returns the outcome if the battle is over. */
  get outcome(): string | undefined {
    return findOutcome(this.#model, this.state);
  }

  step(): void {
    if (this.#steps++ > STEPS_MAX) throw new RulesError(`a battle has more than ${String(STEPS_MAX)} steps`);
    this.state = this.#model.step(this.state, this.#chance);
  }
}

/** Importance function with levels, in ascending order, and the number of segments of each stage. */
export interface SplittingPlan {
  readonly importance: Importance;
  readonly levels: readonly number[];
  readonly effort: number;
}

/** Number of streams of a replication: one for each segment, and one for each stage. */
export const countStreams = ({ levels, effort }: Pick<SplittingPlan, 'levels' | 'effort'>): number =>
  (levels.length + 1) * (effort + 1);

/** End of a segment: the state at which it reached its level, `outcome` if the battle ended so, or undefined. */
type SegmentEnd = State | 'outcome' | undefined;

/** @param level of the importance; infinite: only the outcome counts */
function simulateSegment({ model, outcome }: RareProblem, segment: Segment, importance: Importance, level: number) {
  for (;;) {
    const found = segment.outcome;
    if (found !== undefined) return found === outcome ? 'outcome' : undefined;
    if (level !== Number.POSITIVE_INFINITY && importance(segment.state) >= level) {
      model.keep?.(segment.state);
      return segment.state;
    }
    segment.step();
  }
}

/**
 * Simulates one replication.
 * @param createStream returns stream 0..countStreams(plan) - 1 of the replication
 * @returns by stage, the number of segments that reached its level, or the outcome; the later stages of a 0 are missing
 */
export async function simulateReplication(
  problem: RareProblem,
  { importance, levels, effort }: SplittingPlan,
  createStream: (index: number) => Stream,
): Promise<number[]> {
  const counts: number[] = [];
  let starts: (SegmentStart | 'outcome')[] = [undefined];
  for (let stage = 0; stage <= levels.length && starts.length > 0; stage++) {
    const level = levels[stage] ?? Number.POSITIVE_INFINITY;
    const first = stage * (effort + 1);
    // A random rotation: each state starts equally many segments on average.
    const rotation = Math.floor((createStream(first).word() / 2 ** 32) * starts.length);
    const ends: SegmentEnd[] = [];
    for (let s = 0; s < effort; s++) {
      const due = problem.onSegment();
      if (due !== undefined) await due;
      const from = starts[(s + rotation) % starts.length];
      if (from === 'outcome') ends.push(from);
      else {
        const segment = new Segment(problem.model, from, createStream(first + 1 + s));
        ends.push(simulateSegment(problem, segment, importance, level));
      }
    }
    starts = ends.filter((end) => end !== undefined);
    counts.push(starts.length);
  }
  return counts;
}

/** Returns the estimate of a replication. */
export const computeReplicationEstimate = (
  counts: readonly number[],
  { levels, effort }: Pick<SplittingPlan, 'levels' | 'effort'>,
): number => (counts.length > levels.length ? counts.reduce((product, count) => (product * count) / effort, 1) : 0);

/** Computes the standard deviation of estimates relative to their mean; infinite for a mean of 0. */
export function computeDeviation(estimates: readonly number[], mean: number): number {
  if (mean === 0) return Number.POSITIVE_INFINITY;
  const squares = estimates.reduce((sum, estimate) => sum + (estimate / mean - 1) * (estimate / mean - 1), 0);
  return Math.sqrt(squares / (estimates.length - 1));
}

/** Error rate of either side of an interval, and greatest exponent of its bounds relative to the mean. */
const INTERVAL = { tail: 0.025, exponent: 600 };

/**
 * Factor of standard errors, because replications can miss improbable ways to the outcome: in 362 estimates with 20
 * replications, the standardized errors had a standard deviation of 1.09, and of 1.23 in the worst of twelve scenarios.
 * Student's distribution has 1.06.
 */
export const WIDENING = 1.2;

/**
 * Computes the 95 % interval of the mean of replications: Student's interval of its logarithm, because estimates of small
 * probabilities are skewed. The standard error is that of the delta method, or if it is greater, D. R. Cox's for
 * log-normal values, which depends less on few great estimates (X.-H. Zhou and S. Gao, Statistics in Medicine 16, 1997).
 * It is multiplied by `WIDENING`.
 */
export function computeReplicationInterval(estimates: readonly number[]): Interval {
  const mean = computeMean(estimates);
  if (mean === 0) return [0, 1];
  const { length } = estimates;
  const logs = estimates.filter((estimate) => estimate > 0).map((estimate) => ln(estimate / mean));
  const logMean = computeMean(logs);
  const variance = logs.reduce((sum, log) => sum + (log - logMean) * (log - logMean), 0) / (length - 1);
  const coxError = Math.sqrt(variance / length + (variance * variance) / (2 * (length - 1)));
  const error = WIDENING * Math.max(computeDeviation(estimates, mean) / Math.sqrt(length), coxError);
  const factor = exp(Math.min(INTERVAL.exponent, studentUpper(INTERVAL.tail, length - 1) * error));
  return [mean / factor, Math.min(1, mean * factor)];
}

/**
 * Greatest relative deviation of a replication, and greatest ratio of a pilot to the estimate, of a reliable interval. By
 * Markov's inequality, an unbiased estimate exceeds `ratio` times the probability with a probability below 1 / `ratio`.
 */
const RELIABLE = { deviation: 0.6, ratio: 4 };

/** Returns false if the interval of estimates may be too narrow. @param pilot greatest mean estimate of pilots */
export function isReliable(estimates: readonly number[], pilot: number): boolean {
  const mean = computeMean(estimates);
  if (estimates.includes(0) || pilot > RELIABLE.ratio * mean) return false;
  return computeDeviation(estimates, mean) <= RELIABLE.deviation;
}
