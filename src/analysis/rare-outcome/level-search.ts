/**
 * Search of levels by a pilot: each level is a quantile of the greatest importance that segments from the previous
 * level reach (F. Cérou and A. Guyader, Stochastic Analysis and Applications 25, 2007). The states that the pilot
 * visits are examples for the fit of a better importance function.
 */
import { ln, type Stream } from '../../core/index.ts';
import type { State } from '../../rules/index.ts';
import { type Importance, type RareProblem, Segment, type SegmentStart } from './splitting.ts';

/** Share of segments that should reach the next level; the best value for independent stages is near 0.2. */
const SHARE = 0.25;

/** Maximum number of levels. */
const LEVELS_MAX = 50;

/** Maximum number of visited states of a segment that become examples. */
const EXAMPLES_PER_SEGMENT = 6;

/** Visited state with the estimated probability of the outcome from there, relative to the mean of its stage. */
export interface StateExample {
  readonly state: State;
  readonly response: number;
  /** Logarithm of the mean of the stage. */
  readonly logMean: number;
}

export interface LevelSearch {
  readonly levels: readonly number[];
  /** Estimated probability of the outcome; 0 if no segment reached it. */
  readonly estimate: number;
  /** Share of the segments of the last stage with the outcome: low if few lucky battles have it. */
  readonly lastShare: number;
  /** Examples of the outcome, or if no segment reached it, of the last level. */
  readonly examples: readonly StateExample[];
  /** States that the pilot visited, also without an outcome. */
  readonly visited: readonly State[];
  /** Simulated steps. */
  readonly steps: number;
}

/** State on the path of a segment. */
interface VisitedState {
  readonly at: number;
  readonly state: State;
  readonly importance: number;
}

/** Simulated segment of the pilot. */
interface TracedSegment {
  /** Index of its start in the stage. */
  readonly start: number;
  readonly hasOutcome: boolean;
  readonly steps: number;
  /** States with a greater importance than all before them. */
  readonly records: readonly VisitedState[];
  /** Some visited states, at equal distances. */
  readonly samples: readonly VisitedState[];
}

/** Segment with its successor in the next stage: the index of a start, or undefined. */
interface StageSegment extends Pick<TracedSegment, 'start' | 'hasOutcome'> {
  readonly samples: readonly State[];
  readonly next: number | undefined;
}

/** Simulates a segment to the end of its battle. @param shift of the samples, so that all phases are among them */
function traceSegment(
  { outcome }: RareProblem,
  start: number,
  segment: Segment,
  importance: Importance,
  shift: number,
): TracedSegment {
  const records: VisitedState[] = [];
  let [samples, stride, greatest]: [VisitedState[], number, number] = [[], 1, Number.NEGATIVE_INFINITY];
  for (let at = 0; ; at++) {
    const found = segment.outcome;
    if (found !== undefined) return { start, hasOutcome: found === outcome, steps: at, records, samples };
    const { state } = segment;
    const visited = { at, state, importance: importance(state) };
    if (visited.importance > greatest) {
      greatest = visited.importance;
      records.push(visited);
    }
    if ((at + shift) % stride === 0) samples.push(visited);
    if (samples.length >= 2 * EXAMPLES_PER_SEGMENT) {
      stride *= 2;
      samples = samples.filter((sample) => (sample.at + shift) % stride === 0);
    }
    segment.step();
  }
}

/** Finds the next level; infinite if enough segments have the outcome, or if no segment exceeds the last level. */
function findNextLevel(segments: readonly TracedSegment[], level: number): number {
  const reached = segments
    .map(({ hasOutcome, records }) => (hasOutcome ? Number.POSITIVE_INFINITY : (records.at(-1)?.importance ?? level)))
    .sort((a, b) => b - a);
  const quantile = reached[Math.ceil(SHARE * segments.length) - 1] ?? level;
  if (quantile > level) return quantile;
  return reached.findLast((importance) => importance > level) ?? Number.POSITIVE_INFINITY;
}

/** Result of a segment of the last stage: 1 if it has the outcome, or if none has, if it reached the last level. */
const getLastResult = ({ hasOutcome, next }: StageSegment, isReached: boolean): number =>
  Number(isReached ? hasOutcome : next !== undefined);

/** Computes examples from the last stage to the first. @param isReached true if a segment has the outcome */
function collectExamples(stages: readonly (readonly StageSegment[])[], isReached: boolean) {
  const examples: StateExample[] = [];
  /** By start of the following stage: the estimated probability. */
  let values: readonly number[] | undefined;
  let mean = 0;
  for (const segments of stages.toReversed()) {
    const results = segments.map((segment) =>
      segment.next === undefined || values === undefined
        ? getLastResult(segment, isReached)
        : (values[segment.next] ?? 0),
    );
    mean = results.reduce((sum, result) => sum + result, 0) / segments.length;
    if (mean === 0) return { mean, examples: [] };
    const logMean = ln(mean);
    const sums: number[] = [];
    const counts: number[] = [];
    for (const [s, { start, samples }] of segments.entries()) {
      const result = results[s] ?? 0;
      sums[start] = (sums[start] ?? 0) + result;
      counts[start] = (counts[start] ?? 0) + 1;
      for (const state of samples) examples.push({ state, response: result / mean, logMean });
    }
    values = sums.map((sum, start) => sum / (counts[start] ?? 1));
  }
  return { mean, examples };
}

/**
 * Searches levels for an importance function.
 * @param effort number of segments of each stage
 */
export async function searchLevels(
  problem: RareProblem,
  importance: Importance,
  effort: number,
  nextStream: () => Stream,
): Promise<LevelSearch> {
  const levels: number[] = [];
  const stages: StageSegment[][] = [];
  let starts: SegmentStart[] = [undefined];
  let [level, steps] = [Number.NEGATIVE_INFINITY, 0];
  while (starts.length > 0 && level !== Number.POSITIVE_INFINITY && levels.length < LEVELS_MAX) {
    const traced: TracedSegment[] = [];
    for (let s = 0; s < effort; s++) {
      const due = problem.onSegment();
      if (due !== undefined) await due;
      const start = s % starts.length;
      const segment = new Segment(problem.model, starts[start], nextStream());
      traced.push(traceSegment(problem, start, segment, importance, s));
    }
    steps += traced.reduce((sum, segment) => sum + segment.steps, 0);
    const next = findNextLevel(traced, level);
    if (next !== Number.POSITIVE_INFINITY) levels.push(next);
    const reached: SegmentStart[] = [];
    stages.push(
      traced.map(({ start, hasOutcome, records, samples }) => {
        const entrance = records.find((record) => record.importance >= next);
        if (entrance !== undefined) problem.model.keep?.(entrance.state);
        const before = samples.filter(({ at }) => at < (entrance?.at ?? Number.POSITIVE_INFINITY));
        const successor = entrance && reached.push(entrance.state) - 1;
        return { start, hasOutcome, next: successor, samples: before.map(({ state }) => state) };
      }),
    );
    [starts, level] = [reached, next];
  }
  const visited = stages.flat().flatMap(({ samples }) => samples);
  const ends = stages.at(-1) ?? [];
  const lastShare = ends.filter(({ hasOutcome }) => hasOutcome).length / Math.max(1, ends.length);
  const isReached = stages.flat().some(({ hasOutcome }) => hasOutcome);
  const last = stages.findLastIndex((segments) => segments.some(({ next }) => next !== undefined));
  const { mean, examples } = collectExamples(isReached ? stages : stages.slice(0, last + 1), isReached);
  return { levels, visited, steps, examples, lastShare, estimate: isReached ? mean : 0 };
}
