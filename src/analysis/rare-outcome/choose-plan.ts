/**
 * Choice of the importance function by pilots, which use other streams than the estimate. A first pilot looks for the
 * outcome along simple directions: more or less of a metric. Its states are examples for a regression of the logarithm
 * of the probability of the outcome, which is repeated with the states of pilots along its own results. The function
 * with the least variance for its steps is used.
 */
import { GOLDEN_SECTION, ln, RunError, type Stream } from '../../core/index.ts';
import type { Model, State } from '../../rules/index.ts';
import { computeMean } from '../../stats/index.ts';
import { type LevelSearch, type StateExample, searchLevels } from './level-search.ts';
import { computeDotProduct, fitLogLinear } from './log-linear-fit.ts';
import {
  computeDeviation,
  computeReplicationEstimate,
  countStreams,
  type Importance,
  type RareProblem,
  type SplittingPlan,
  simulateReplication,
} from './splitting.ts';
import { createStateFeatures } from './state-features.ts';

/** Segments of a stage: of the first battles, along a direction and its extension, and along a fitted function. */
const EFFORT = { plain: 2000, direction: 400, extension: 800, fit: { min: 1000, max: 4000 } };

/** Steps of the segments along a fitted function, which the length of plain battles divides: short ones cost little. */
const FIT_STEPS = 50_000;

/** Replications of the test of an importance function. */
const TEST_REPLICATIONS = 10;

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
const PLAN_EFFORT = { min: 500, max: 10_000 };

/** Relative deviation of a replication that is small enough for the interval. */
const DEVIATION_TARGET = 0.3;

/** Relative deviation above which most replications miss the most probable ways to the outcome. */
const UNRELIABLE_DEVIATION = 1;

/** Chosen plan. */
export interface ChosenPlan extends SplittingPlan {
  /** Relative standard deviation of one of its replications in the pilot. */
  readonly deviation: number;
  /** Greatest mean estimate of the tested importance functions. */
  readonly pilotProbability: number;
}

/** Plan without an effort, with the relative deviation of replications of the least effort. */
type PlanCandidate = Omit<ChosenPlan, 'effort'>;

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

/** Selects examples with probabilities that grow with the response, and weights that compensate for them. */
export function selectByResponse(
  examples: readonly StateExample[],
  most: number,
): { example: StateExample; weight: number }[] {
  if (examples.length <= most) return examples.map((example) => ({ example, weight: 1 }));
  const step = examples.reduce((sum, { response }) => sum + 1 + response, 0) / most;
  const selected: { example: StateExample; weight: number }[] = [];
  let sum = 0;
  for (const example of examples) {
    sum += 1 + example.response;
    // The next point is in the next of equal parts; equal distances could select the same step of all battles.
    for (let k = selected.length; (k + ((k * GOLDEN_SECTION) % 1)) * step < sum; k = selected.length)
      selected.push({ example, weight: step / (1 + example.response) });
  }
  return selected;
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

/** Segments of directions after which no further direction is followed. */
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
      if (streams.used > DIRECTION_SEGMENTS_MAX) break;
      const found = await followDirection(problem, direction, streams);
      if (found.search.estimate > 0) reached.push(found);
    }
    reached.sort(compareCandidates);
    if ((reached[0]?.search.levels.length ?? Number.POSITIVE_INFINITY) <= SUFFICIENT_LEVELS) break;
  }
  return reached;
}

/** Fits the logarithm of the probability of the outcome to examples. */
function fitFunction(examples: readonly StateExample[]): Importance {
  const states = examples.map(({ state }) => state);
  const { count, read } = createStateFeatures(selectEvenly(states, EXAMPLES_MAX.scale));
  const rows = selectByResponse(examples, EXAMPLES_MAX.fit).map(
    ({ example: { state, response, logMean }, weight }) => ({
      // A row of weight w is equivalent to one of weight 1 with w times the response and the mean.
      ...{ features: read(state), response: weight * response, offset: ln(weight) - logMean },
    }),
  );
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

/** Candidate with the estimates of its first replications. */
interface TestedCandidate extends Candidate {
  readonly estimates: readonly number[];
}

/** Simulates replications of a pilot. @returns their estimates */
async function simulatePilot(problem: RareProblem, plan: SplittingPlan, streams: StreamSequence): Promise<number[]> {
  const estimates: number[] = [];
  for (let r = 0; r < TEST_REPLICATIONS; r++) {
    const counts = await simulateReplication(problem, plan, streams.reserve(countStreams(plan)));
    estimates.push(computeReplicationEstimate(counts, plan));
  }
  return estimates;
}

/**
 * Selects the candidate with the least variance times segments. Deviations are from the greatest mean, because a
 * function that misses ways to the outcome can have estimates that are similar to each other, but too small.
 */
export function selectCandidate(tested: readonly TestedCandidate[]): PlanCandidate | undefined {
  const mean = Math.max(...tested.map(({ estimates }) => computeMean(estimates)));
  const candidates = tested.map(({ estimates, importance, search: { levels } }) => ({
    ...{ importance, levels, pilotProbability: mean, deviation: computeDeviation(estimates, mean) },
  }));
  const getCost = ({ deviation, levels }: PlanCandidate): number => deviation * deviation * (levels.length + 1);
  return candidates.sort((a, b) => getCost(a) - getCost(b))[0];
}

/**
 * Fits functions to the examples of pilots, then to the examples of the best fit so far, and tests them.
 * @param pilots that reach the outcome, the best first
 * @param effort segments of each stage of the first fit
 * @returns undefined if there are no pilots
 */
async function findBestFit(
  problem: RareProblem,
  [first, ...others]: readonly Candidate[],
  effort: number,
  streams: StreamSequence,
): Promise<PlanCandidate | undefined> {
  const tested: TestedCandidate[] = [];
  const test = async ({ importance, search }: Candidate): Promise<TestedCandidate> => {
    const plan = { importance, levels: search.levels, effort: PLAN_EFFORT.min };
    const found = { importance, search, estimates: await simulatePilot(problem, plan, streams) };
    tested.push(found);
    return found;
  };
  let candidate = first;
  for (let turn = 0; candidate !== undefined && turn < TURNS_MAX && tested.length < FITS; turn++) {
    const importance = fitImportance(candidate.search.examples);
    const search = await searchLevels(problem, importance, effort * 2 ** tested.length, streams.next);
    if (search.estimate === 0) {
      candidate = others.shift() ?? candidate;
      continue;
    }
    const found = await test({ importance, search });
    if ((selectCandidate(tested)?.deviation ?? 1) <= SUFFICIENT_DEVIATION) break;
    if (tested.length === 1 || compareCandidates(found, candidate) <= 0) candidate = found;
  }
  if (first !== undefined && tested.length === 0) await test(first);
  return selectCandidate(tested);
}

/** Increases the effort of a plan until the deviation of pilots is small enough. @param most maximum effort */
async function chooseEffort(
  problem: RareProblem,
  { importance, levels, deviation: first, pilotProbability }: PlanCandidate,
  streams: StreamSequence,
  most: number,
): Promise<ChosenPlan> {
  let [effort, deviation]: [number, number] = [PLAN_EFFORT.min, first];
  while (effort < most && deviation > DEVIATION_TARGET) {
    const ratio = deviation / DEVIATION_TARGET;
    effort = Math.min(most, Math.ceil(effort * Math.max(1.5, Math.min(4, ratio * ratio))));
    const estimates = await simulatePilot(problem, { importance, levels, effort }, streams);
    deviation = computeDeviation(estimates, computeMean(estimates));
  }
  const doubled = Math.max(effort, Math.min(most, 2 * effort));
  return { importance, levels, effort: doubled, pilotProbability, deviation: deviation * Math.sqrt(effort / doubled) };
}

const NO_IMPORTANCE: Importance = () => Number.NEGATIVE_INFINITY;

/**
 * Chooses an importance function, its levels and the effort.
 * @param segments maximum number of battle segments of the estimate
 * @param checkPossible called if no battle of a first pilot has the outcome
 * @returns undefined if no pilot reached the outcome
 * @throws RunError if the estimate would be unreliable
 */
export async function choosePlan(
  problem: RareProblem,
  streams: StreamSequence,
  segments: number,
  checkPossible: () => Promise<void>,
): Promise<ChosenPlan | undefined> {
  const plain = await searchLevels(problem, NO_IMPORTANCE, EFFORT.plain, streams.next);
  const { estimate } = plain;
  if (estimate >= FREQUENT) {
    const effort = PLAN_EFFORT.min;
    const deviation = Math.sqrt((1 - estimate) / estimate / effort);
    return { importance: NO_IMPORTANCE, levels: [], effort, deviation, pilotProbability: estimate };
  }
  if (estimate === 0) await checkPossible();
  const visited = selectEvenly(plain.visited, EXAMPLES_MAX.scale);
  const isKnown = estimate * EFFORT.plain >= SUFFICIENT;
  const pilots = isKnown
    ? [{ importance: NO_IMPORTANCE, search: plain }]
    : await findDirections(problem, visited, streams);
  const { min, max } = EFFORT.fit;
  const effort = Math.max(min, Math.min(max, Math.ceil((FIT_STEPS * EFFORT.plain) / plain.steps)));
  const best = await findBestFit(problem, pilots, effort, streams);
  if (best === undefined) return undefined;
  const most = segments / (2 * TEST_REPLICATIONS * (best.levels.length + 1)) - 1;
  const plan = await chooseEffort(problem, best, streams, Math.min(PLAN_EFFORT.max, Math.floor(most)));
  if (plan.deviation > UNRELIABLE_DEVIATION)
    throw new RunError(
      `the pilots found no levels that lead to the outcome "${problem.outcome}" reliably: splitting does not suit this ` +
        'scenario; "warpool exact" or plain simulation may',
    );
  return plan;
}
