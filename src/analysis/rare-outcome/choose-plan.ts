/**
 * Choice of the importance function by pilots, which use other streams than the estimate. A first pilot looks for the
 * outcome along simple directions: more or less of a metric. Its states are examples for a regression of the logarithm
 * of the probability of the outcome, which is repeated with the states of pilots along its own results. The function
 * with the least variance for its steps is used.
 */
import { GOLDEN_SECTION, RunError, type Stream } from '../../core/index.ts';
import type { Model, State } from '../../rules/index.ts';
import { type LevelSearch, type StateExample, searchLevels } from './level-search.ts';
import { computeDotProduct, fitLogLinear } from './log-linear-fit.ts';
import {
  computeReplicationEstimate,
  computeReplicationMean,
  countStreams,
  type Importance,
  type RareProblem,
  type SplittingPlan,
  simulateReplication,
} from './splitting.ts';
import { createStateFeatures } from './state-features.ts';

/** Segments of a stage: of the first battles, along a direction and its extension, along a fitted function, in a test. */
const EFFORT = { plain: 2000, direction: 400, extension: 800, fit: 1000, test: 400 };

/** Replications of the test of an importance function. */
const TEST_REPLICATIONS = 8;

/** Number of fits, each with the examples of the pilot before. */
const FITS = 3;

/** Maximum number of fits, with those whose pilots miss the outcome. */
const TURNS_MAX = 6;

/** Number of levels of a direction from which no other directions are needed. */
const SUFFICIENT_LEVELS = 20;

/** Relative deviation in the test that needs no further fit. */
const SUFFICIENT_DEVIATION = 0.5;

/** Maximum number of examples of a fit, and of states from which the features are scaled. */
const EXAMPLES_MAX = { fit: 6000, scale: 1000 };

/** Minimum number of examples for a function of a phase. */
const PHASE_EXAMPLES_MIN = 200;

/** Share of the first battles with the outcome from which no splitting is needed. */
const FREQUENT = 0.1;

/** Number of the first battles with the outcome from which no direction is needed. */
const SUFFICIENT = 10;

/** Number of metrics that are tried first, and of those that are combined in pairs. */
const TOTALS = 6;
const PAIRED_READINGS = 3;

/** Range of the segments of each stage of the estimate. */
const PLAN_EFFORT = { min: 500, max: 16_000 };

/** Relative variance of a replication that is small enough for the interval. */
const VARIANCE_TARGET = 0.1;

/** Relative deviation in the test above which most replications miss the outcome. */
const UNRELIABLE_DEVIATION = 1.5;

/** Chosen plan, with the relative standard deviation of one of its replications in the pilot. */
export interface ChosenPlan extends SplittingPlan {
  readonly deviation: number;
}

/** Streams of a pilot in sequence. */
export class StreamSequence {
  readonly #createStream: (index: number) => Stream;
  /** Number of used streams. */
  used = 0;

  constructor(createStream: (index: number) => Stream) {
    this.#createStream = createStream;
  }

  readonly next = (): Stream => this.#createStream(this.used++);

  /** Reserves streams. @returns the function that creates them by index */
  reserve(count: number): (index: number) => Stream {
    const first = this.used;
    this.used += count;
    return (index) => this.#createStream(first + index);
  }
}

/** Selects one element of each of `most` equal parts, all if there are few. */
function selectEvenly<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  // Equal distances could select the same step of all battles.
  return Array.from(
    { length: most },
    (_, k) => items[Math.floor(((k + ((k * GOLDEN_SECTION) % 1)) * items.length) / most)] as T,
  );
}

/** Measures a state; empty if the rules measure only finished battles. */
function measureState(model: Model<State>, state: State): readonly number[] {
  try {
    return model.measure(state);
  } catch {
    return [];
  }
}

/** Lists readings of states: metrics, totals first, then the numbers in the states. */
function listReadings(
  model: Model<State>,
  visited: readonly State[],
): { metrics: Importance[]; numbers: Importance[] } {
  const countParts = (m: number): number => model.metrics[m]?.name.split('.').length ?? 0;
  const metrics = [...model.metrics.keys()]
    .filter((m) => new Set(visited.map((state) => measureState(model, state)[m])).size > 1)
    .sort((a, b) => countParts(a) - countParts(b))
    .map((m): Importance => {
      const { min, max } = model.metrics[m] ?? { min: 0, max: 1 };
      return (state) => (measureState(model, state)[m] ?? min) / Math.max(1, max - min);
    });
  const features = createStateFeatures(visited);
  const numbers = Array.from(
    { length: features.count },
    (_, f): Importance =>
      (state) =>
        features.read(state)[f] ?? 0,
  );
  return { metrics, numbers };
}

/** Lists readings with both signs. */
const listSingles = (readings: readonly Importance[]): Importance[] =>
  readings.flatMap((read): Importance[] => [read, (state) => -read(state)]);

/** Lists sums of two readings with all signs. */
const listPairs = (readings: readonly Importance[]): Importance[] =>
  readings.flatMap((read, i) =>
    readings.slice(i + 1).flatMap((other) =>
      listSingles([read]).flatMap((one) =>
        listSingles([other]).map(
          (two): Importance =>
            (state) =>
              one(state) + two(state),
        ),
      ),
    ),
  );

/** Importance function with the pilot along it. */
interface Candidate {
  readonly importance: Importance;
  readonly search: LevelSearch;
}

/** Follows a direction. If it ends before the outcome, follows the fitted probability of its last level. */
async function followDirection(
  problem: RareProblem,
  importance: Importance,
  streams: StreamSequence,
): Promise<Candidate> {
  const search = await searchLevels(problem, importance, EFFORT.direction, streams.next);
  if (search.estimate > 0 || search.examples.length === 0) return { importance, search };
  const extended = fitImportance(search.examples);
  return { importance: extended, search: await searchLevels(problem, extended, EFFORT.extension, streams.next) };
}

/** Share of the last stage from which a pilot leads to the outcome reliably. */
const RELIABLE_SHARE = 0.1;

/**
 * Compares pilots that reach the outcome: one that does so reliably is better, then one with fewer levels. The estimates
 * do not count, because a lucky battle makes them high.
 */
function compareCandidates({ search: one }: Candidate, { search: other }: Candidate): number {
  const [share = 0, otherShare = 0] = [one, other].map(({ lastShare }) => Math.min(RELIABLE_SHARE, lastShare));
  return otherShare - share || one.levels.length - other.levels.length;
}

/** Segments of directions after which no further group is followed. */
const DIRECTION_SEGMENTS_MAX = 400_000;

/** Follows directions. @returns the pilots that reach the outcome, the best first */
async function findDirections(
  problem: RareProblem,
  visited: readonly State[],
  streams: StreamSequence,
): Promise<Candidate[]> {
  const { metrics, numbers } = listReadings(problem.model, visited);
  const totals = metrics.slice(0, TOTALS);
  const groups = [
    listSingles(totals),
    listPairs(totals.slice(0, PAIRED_READINGS)),
    listSingles(metrics.slice(TOTALS)),
    listSingles(numbers),
  ];
  const reached: Candidate[] = [];
  for (const directions of groups) {
    for (const direction of directions) {
      const found = await followDirection(problem, direction, streams);
      if (found.search.estimate > 0) reached.push(found);
    }
    reached.sort(compareCandidates);
    if ((reached[0]?.search.levels.length ?? Number.POSITIVE_INFINITY) <= SUFFICIENT_LEVELS) break;
    if (streams.used > DIRECTION_SEGMENTS_MAX) break;
  }
  return reached;
}

/** Fits the logarithm of the probability of the outcome to examples. */
function fitFunction(examples: readonly StateExample[]): Importance {
  const states = examples.map(({ state }) => state);
  const { count, read } = createStateFeatures(selectEvenly(states, EXAMPLES_MAX.scale));
  const rows = selectEvenly(examples, EXAMPLES_MAX.fit).map(({ state, response, logMean }) => ({
    ...{ features: read(state), response, offset: -logMean },
  }));
  const weights = fitLogLinear(rows, count);
  const row = new Float64Array(count);
  return (state) => computeDotProduct(weights, read(state, row), count) + (weights[count] ?? 0);
}

/** Returns the phase of a round of systems that have one. */
const getPhase = (state: State): unknown => (state as State & { readonly phase?: unknown }).phase;

/** Fits one function for each phase with enough examples, and one for the others. */
function fitImportance(examples: readonly StateExample[]): Importance {
  const phases = new Map<unknown, StateExample[]>();
  for (const example of examples) {
    const phase = getPhase(example.state);
    const known = phases.get(phase);
    if (known === undefined) phases.set(phase, [example]);
    else known.push(example);
  }
  const large = [...phases].filter(([, { length }]) => length >= PHASE_EXAMPLES_MIN);
  const functions = new Map(large.map(([phase, members]) => [phase, fitFunction(members)]));
  const other = large.length === phases.size ? undefined : fitFunction(examples);
  return (state) => (functions.get(getPhase(state)) ?? other)?.(state) ?? Number.NEGATIVE_INFINITY;
}

/** Candidate with the relative deviation of a replication, and its variance times the number of segments. */
interface TestedCandidate extends Candidate {
  readonly deviation: number;
  readonly cost: number;
}

/** Measures the deviation of the replications of a candidate. */
async function testCandidate(
  problem: RareProblem,
  candidate: Candidate,
  streams: StreamSequence,
): Promise<TestedCandidate> {
  const { importance, search } = candidate;
  const plan = { importance, levels: search.levels, effort: EFFORT.test };
  const estimates: number[] = [];
  for (let r = 0; r < TEST_REPLICATIONS; r++) {
    const counts = await simulateReplication(problem, plan, streams.reserve(countStreams(plan)));
    estimates.push(computeReplicationEstimate(counts, plan));
  }
  const { deviation } = computeReplicationMean(estimates);
  return { ...candidate, deviation, cost: deviation * deviation * countStreams(plan) };
}

/**
 * Fits functions to the examples of pilots, then to the examples of the best fit so far, and tests them.
 * @param pilots that reach the outcome, the best first @returns undefined if there are none
 */
async function findBestFit(
  problem: RareProblem,
  [first, ...others]: readonly Candidate[],
  streams: StreamSequence,
): Promise<TestedCandidate | undefined> {
  if (first === undefined) return undefined;
  let candidate = first;
  let best: TestedCandidate | undefined;
  let tests = 0;
  for (let turn = 0; turn < TURNS_MAX && tests < FITS && (best?.deviation ?? 1) > SUFFICIENT_DEVIATION; turn++) {
    const importance = fitImportance(candidate.search.examples);
    const search = await searchLevels(problem, importance, EFFORT.fit * 2 ** tests, streams.next);
    if (search.estimate === 0) {
      candidate = others.shift() ?? candidate;
      continue;
    }
    const tested = await testCandidate(problem, { importance, search }, streams);
    if (tests === 0 || compareCandidates(tested, candidate) <= 0) candidate = tested;
    if (best === undefined || tested.cost < best.cost) best = tested;
    tests++;
  }
  return best ?? (await testCandidate(problem, first, streams));
}

/** Chooses the effort of a plan from the deviation in the test. */
function createPlan({ importance, search, deviation }: TestedCandidate): ChosenPlan {
  // Few replications show too small a deviation if it is large.
  const variance = EFFORT.test * deviation * deviation * (1 + deviation * deviation);
  const effort = Math.max(PLAN_EFFORT.min, Math.min(PLAN_EFFORT.max, Math.ceil(variance / VARIANCE_TARGET)));
  return { importance, levels: search.levels, effort, deviation: Math.sqrt(variance / effort) };
}

const NO_IMPORTANCE: Importance = () => Number.NEGATIVE_INFINITY;

/**
 * Chooses an importance function, its levels and the effort.
 * @param checkPossible called if no battle of a first pilot has the outcome
 * @returns undefined if no pilot reached the outcome
 * @throws RunError if the estimate would be unreliable
 */
export async function choosePlan(
  problem: RareProblem,
  streams: StreamSequence,
  checkPossible: () => Promise<void>,
): Promise<ChosenPlan | undefined> {
  const plain = await searchLevels(problem, NO_IMPORTANCE, EFFORT.plain, streams.next);
  const { estimate } = plain;
  if (estimate >= FREQUENT) {
    const effort = PLAN_EFFORT.min;
    return { importance: NO_IMPORTANCE, levels: [], effort, deviation: Math.sqrt((1 - estimate) / estimate / effort) };
  }
  if (estimate === 0) await checkPossible();
  const visited = selectEvenly(plain.visited, EXAMPLES_MAX.scale);
  const isKnown = estimate * EFFORT.plain >= SUFFICIENT;
  const pilots = isKnown
    ? [{ importance: NO_IMPORTANCE, search: plain }]
    : await findDirections(problem, visited, streams);
  const best = await findBestFit(problem, pilots, streams);
  if (best === undefined) return undefined;
  if (best.deviation > UNRELIABLE_DEVIATION)
    throw new RunError(
      `the pilots found no levels that lead to the outcome "${problem.outcome}" reliably: splitting does not suit this ` +
        'scenario; "warpool exact" or plain simulation may',
    );
  return createPlan(best);
}
