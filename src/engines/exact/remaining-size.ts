/**
 * Estimates the remaining size of an exploration from below. Random walks start at states that are known but not yet
 * explored, with equal probability for every transition: battles reach most states of a large chain far too rarely. The
 * numbers of states that one or two walks visited give a lower bound of the unvisited ones for any distribution of
 * walks (A. Chao 1987), and, weighted, of their steps.
 */
import { type Chance, EnumeratedChance, enumerateBranches, type FiniteDistribution, Stream } from '../../core/index.ts';
import type { Key, Model, State } from '../../rules/index.ts';
import { type ChainSize, ESTIMATE_AT } from './chain-size.ts';

/** Frontier of an exploration. */
export interface Frontier<S> {
  /** Known states that are not yet explored: battles that are not over, in the rounds below. */
  readonly open: Pick<readonly S[], 'length' | 'at'>;
  /** Returns true if a state was explored. */
  readonly isDone: (state: S, key: Key) => boolean;
  /** Computes the successor of a state. */
  readonly act: (state: S, chance: Chance) => S;
  /** Returns true if all options of a decision are explored. */
  readonly decides?: (point: string, player: string) => boolean;
  /** Only states of these rounds are certainly explored. */
  readonly rounds: number;
  /** Steps so far; an estimate takes a fraction of them. */
  readonly steps: number;
}

/** Maximum number of visited states in all walks together, and in one. */
const SHORT_WALKS = { visits: 10_000, length: 100 };

/**
 * The same for one estimate of a long exploration: short walks do not reach the end of long battles, and would not show
 * that the chain exceeds memory. It takes as long as about 6 % of the steps so far.
 */
const LONG_WALKS = { visits: 40_000, length: 5000, from: 32 * ESTIMATE_AT, to: 64 * ESTIMATE_AT };

/** Number of states of a kind whose steps are counted, and the limit of the count. */
const SAMPLE = 40;
const BRANCHES = 1000;

/** Always the same walks. */
const SEED = 0xa4ead1n;

/** Takes one branch of an act, with equal probabilities. */
class RandomWalkChance extends EnumeratedChance {
  readonly #stream: Stream;
  readonly #decides: Frontier<unknown>['decides'];

  constructor(stream: Stream, decides: Frontier<unknown>['decides']) {
    super();
    this.#stream = stream;
    this.#decides = decides;
  }

  /** Draws a whole number below a limit. */
  below(limit: number): number {
    return Math.floor((this.#stream.word() / 2 ** 32) * limit);
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    return (this.#decides?.(point, player) === true ? options[this.below(options.length)] : undefined) ?? policy();
  }

  protected override chooseFirst({ values }: FiniteDistribution<unknown>): number {
    return this.below(values.length);
  }
}

interface WalkedState<S> {
  readonly state: S;
  /** The last walk that visited it, and their number. */
  last: number;
  walks: number;
}

export function isAhead<S extends State>(model: Model<S>, state: S, rounds: number): boolean {
  return state.round + Number(model.resting(state)) <= rounds && model.outcome(state) === undefined;
}

/** Chooses the limits of walks after a number of steps. */
const chooseWalks = (steps: number): typeof SHORT_WALKS =>
  steps >= LONG_WALKS.from && steps < LONG_WALKS.to ? LONG_WALKS : SHORT_WALKS;

/** Returns the visited states, and the number of walks. */
function sampleWalks<S extends State>(
  model: Model<S>,
  frontier: Frontier<S>,
): { met: WalkedState<S>[]; walks: number } {
  const { open, isDone, act, decides, rounds, steps } = frontier;
  const chance = new RandomWalkChance(Stream.forBattle(SEED, steps), decides);
  const met = new Map<Key, WalkedState<S>>();
  const limits = chooseWalks(steps);
  const most = Math.min(limits.visits, steps / 2);
  let walks = 0;
  for (let visits = 0; visits < most; walks++) {
    let state = open.at(chance.below(open.length)) as S;
    for (let length = 0; length < limits.length && isAhead(model, state, rounds); length++, visits++) {
      const key = model.key(state);
      const known = met.get(key);
      if (known !== undefined) {
        if (known.last !== walks) known.walks++;
        known.last = walks;
      } else if (!isDone(state, key)) met.set(key, { state, last: walks, walks: 1 });
      const from = state;
      chance.reset();
      state = act(from, chance);
    }
  }
  return { met: [...met.values()], walks };
}

function countSteps<S>({ act }: Frontier<S>, from: S): number {
  let steps = 0;
  for (const _ of enumerateBranches((chance) => act(from, chance))) if (++steps >= BRANCHES) break;
  return steps;
}

/** Estimates the mean number of steps per state, minus two standard errors. */
function estimateMeanSteps<S>(frontier: Frontier<S>, met: readonly WalkedState<S>[]): number {
  const stride = Math.max(1, Math.ceil(met.length / SAMPLE));
  const counts: number[] = [];
  let taken = 0;
  for (let k = 0; k < met.length && taken < frontier.steps / 4; k += stride) {
    const each = met[k];
    if (each === undefined) break;
    const steps = countSteps(frontier, each.state);
    counts.push(steps);
    taken += steps;
  }
  const n = Math.max(1, counts.length);
  const mean = counts.reduce((sum, count) => sum + count, 0) / n;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / n;
  return Math.max(1, mean - 2 * Math.sqrt(variance / n));
}

/**
 * Estimates the unvisited states: the lower end of an interval of three standard deviations of the logarithm (A. Chao
 * 1987).
 */
function estimateUnvisited(once: number, twice: number, walks: number): number {
  const unseen = (((walks - 1) / walks) * (once * (once - 1))) / (2 * (twice + 1));
  if (unseen === 0) return 0;
  const ratio = once / (twice + 1);
  const variance = (twice + 1) * (ratio ** 4 / 4 + ratio ** 3 + ratio ** 2 / 2);
  return unseen / Math.exp(3 * Math.sqrt(Math.log1p(variance / unseen ** 2)));
}

/** Estimates the remaining states and steps of an exploration: rather too few than too many. */
export function estimateRemainingSize<S extends State>(model: Model<S>, frontier: Frontier<S>): ChainSize {
  if (frontier.open.length === 0) return { states: 0, steps: 0 };
  const { met, walks } = sampleWalks(model, frontier);
  const [once, twice, often] = [
    met.filter((each) => each.walks === 1),
    met.filter((each) => each.walks === 2),
    met.filter((each) => each.walks > 2),
  ] as const;
  const unseen = estimateUnvisited(once.length, twice.length, walks);
  const [ofOnce, ofTwice, ofOften] = [once, twice, often].map((states) => estimateMeanSteps(frontier, states));
  const [first = 1, other = 1, rest = 1] = [ofOnce, ofTwice, ofOften];
  const seen = once.length * first + twice.length * other + often.length * rest;
  const states = Math.max(frontier.open.length, met.length + unseen);
  const steps = seen + unseen * Math.min(first, first ** 2 / other);
  return { states: Math.round(states), steps: Math.round(Math.max(steps, frontier.open.length)) };
}

/** Schedule of the steps at which an exploration is estimated again. */
export class EstimateSchedule {
  #next = ESTIMATE_AT;

  /** Returns true if an estimate is due. */
  isDue(steps: number): boolean {
    if (steps < this.#next) return false;
    this.#next *= 2;
    return true;
  }
}
