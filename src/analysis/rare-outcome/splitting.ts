/**
 * Fixed effort splitting (M. J. J. Garvels, The splitting method in rare event simulation, 2000, chapter 3). The
 * levels of an importance function divide a battle into stages. Each stage simulates the same number of battle
 * segments from states at which segments of the previous stage reached their level. The product of the shares of the
 * segments that reach the next level is an unbiased estimate for any importance function and any fixed levels.
 */
import { RulesError, SampledChance, type Stream } from '../../core/index.ts';
import { findOutcome, type Model, type State } from '../../rules/index.ts';

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

/** Mean of estimates and its relative standard error; infinite for a mean of 0. */
export interface ReplicationMean {
  readonly mean: number;
  /** Relative standard deviation of one estimate. */
  readonly deviation: number;
}

export function computeReplicationMean(estimates: readonly number[]): ReplicationMean {
  const mean = estimates.reduce((sum, estimate) => sum + estimate, 0) / estimates.length;
  if (mean === 0) return { mean, deviation: Number.POSITIVE_INFINITY };
  const squares = estimates.reduce((sum, estimate) => sum + (estimate / mean - 1) * (estimate / mean - 1), 0);
  return { mean, deviation: Math.sqrt(squares / (estimates.length - 1)) };
}
