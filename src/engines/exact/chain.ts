/**
 * A model as an absorbing Markov chain: explores states by the steps of the model with the enumerated chance source,
 * computes transitions on demand, and merges states with equal keys. Callers store the transitions.
 */

import { BudgetError, EnumeratedChance, formatGrouped, reportSteps } from '../../core/index.ts';
import { type BattleEnd, getRoundLimitOutcome, type Model, type State } from '../../rules/index.ts';
import { type ExactBudget, STEPS_MAX, suggestLargerBudget } from './budget.ts';
import { type ChainSize, ESTIMATE_BUDGET_MIN, estimateChainSize } from './chain-size.ts';
import { type ExplorationProgress, formatSize } from './cost-text.ts';
import { KIND } from './layout.ts';
import { EstimateSchedule, estimateRemainingSize, isAhead } from './remaining-size.ts';
import { RECORD, StateTable } from './state-table.ts';

/** Maximum size, for any budget: a node takes 48 bytes in the engine, a transition 12. */
const CHAIN_MAX = { states: 4_000_000, transitions: 32_000_000 };

/** An estimate of so many times a limit certainly exceeds it. */
const CERTAIN = 1.5;

/** Status of a node: the index of its outcome, or below 0; `stored` if the table can create its state again. */
const STATUS = { open: -1, stored: -2, followed: -3 };

/** Transitions of a node: to targets[k] with probabilities[k], 0 <= k < length; the probabilities sum to 1. */
export class Transitions {
  length = 0;
  targets: Uint32Array = new Uint32Array(64);
  probabilities: Float64Array = new Float64Array(64);

  add(target: number, probability: number): void {
    if (this.length === this.targets.length) this.#grow();
    this.targets[this.length] = target;
    this.probabilities[this.length++] = probability;
  }

  /** Adds a second transition to the same node. */
  raise(place: number, probability: number): void {
    this.probabilities[place] = (this.probabilities[place] ?? 0) + probability;
  }

  #grow(): void {
    const { targets, probabilities } = this;
    this.targets = new Uint32Array(2 * this.length);
    this.targets.set(targets);
    this.probabilities = new Float64Array(2 * this.length);
    this.probabilities.set(probabilities);
  }
}

/** Explorer of a chain. */
export class Chain<S extends State> {
  /** By node, in the order of discovery. */
  readonly kinds: number[] = [];
  /** By node, unless it is followed or over and the table has its state. */
  readonly #states: (S | undefined)[] = [];
  readonly #model: Model<S>;
  readonly #budget: number;
  readonly #brief: boolean;
  readonly #room: typeof CHAIN_MAX;
  /** A place is the index of a node among the targets of its last predecessor. */
  readonly #table: StateTable<S>;
  readonly #chance = new EnumeratedChance();
  readonly #transitions = new Transitions();
  readonly #lookouts = new EstimateSchedule();
  #began = performance.now();
  #steps = 0;
  /** Lower bounds of the size by all estimates. */
  #expected: ChainSize = { states: 0, steps: 0 };
  #kept = 0;
  /** A round that battles reach, so that it is certainly followed. */
  #rounds: number | undefined;

  /**
   * @param model the rules of the scenario
   * @param budget maximum number of steps
   * @param room maximum numbers of states and transitions
   * @param brief true to report only the explored size in errors
   */
  constructor(model: Model<S>, budget: number, room = CHAIN_MAX, brief = false) {
    this.#model = model;
    this.#table = new StateTable(model);
    this.#room = room;
    this.#budget = budget;
    this.#brief = brief;
  }

  /** Steps computed so far: the transitions before merging. */
  get steps(): number {
    return this.#steps;
  }

  /** Number of requested transitions: steps to the same state count once. */
  get transitions(): number {
    return this.#kept;
  }

  /** Nodes found so far. */
  get size(): number {
    return this.kinds.length;
  }

  /** Returns the transitions to initial states, valid until the next call. */
  start(): Transitions {
    return this.#follow((chance) => this.#model.start(chance));
  }

  /**
   * Returns the transitions of a node, once for each, valid until the next call.
   * @throws BudgetError if the chain exceeds the budget
   */
  from(node: number): Transitions {
    const state = this.#states[node] as S;
    if (this.#table.get(node, RECORD.status) === STATUS.stored) this.#states[node] = undefined;
    this.#table.set(node, RECORD.status, STATUS.followed);
    const transitions = this.#follow((chance) => this.#model.step(state, chance));
    this.#kept += transitions.length;
    if (this.#kept > this.#room.transitions) this.throwMemoryError();
    return transitions;
  }

  /**
   * Returns the result at a node, except the metric that counts rounds. The outcome is -1 if the battle is not over.
   */
  finalState(node: number): BattleEnd {
    const state = this.#states[node] ?? this.#table.read(node);
    return { outcome: Math.max(-1, this.#table.get(node, RECORD.status)), metrics: this.#model.measure(state) };
  }

  /** Throws the error of exceeded memory. @param reason details for the message */
  throwMemoryError(reason?: string): never {
    const [states = '', transitions = ''] = [this.size, this.#kept].map(formatGrouped);
    throw new BudgetError(
      `the exact answer exceeds its memory limit: ${states} states and ${transitions} transitions ` +
        `were found${reason === undefined ? '' : `; ${reason}`}`,
    );
  }

  #follow(act: (chance: EnumeratedChance) => S): Transitions {
    const [chance, found] = [this.#chance, this.#transitions];
    found.length = 0;
    do {
      chance.rewind();
      const state = act(chance);
      this.#countStep();
      const target = this.#intern(state);
      const place = this.#table.get(target, RECORD.place);
      if (place < found.length && found.targets[place] === target) found.raise(place, chance.probability);
      else {
        this.#table.set(target, RECORD.place, found.length);
        found.add(target, chance.probability);
      }
    } while (chance.advance());
    return found;
  }

  /** Counts a step. */
  #countStep(): void {
    this.#steps++;
    if (this.#budget >= ESTIMATE_BUDGET_MIN && this.#lookouts.isDue(this.#steps)) this.#plan();
    reportSteps(this.#steps, this.#expected.steps);
    if (this.#steps > this.#budget) this.#reject(this.progress, this.#brief ? this.progress : this.#estimateSize());
  }

  #intern(state: S): number {
    const found = this.#table.find(state);
    if (found >= 0) return found;
    const node = this.size;
    const full = this.#table.findLimit(state);
    if (node >= this.#room.states || full !== undefined) this.throwMemoryError(full);
    this.#model.keep?.(state);
    const name = this.#model.outcome(state);
    const isStored = this.#table.add(state);
    const open = isStored ? STATUS.stored : STATUS.open;
    this.#table.set(node, RECORD.status, name === undefined ? open : this.#model.outcomes.indexOf(name));
    this.#states.push(isStored && name !== undefined ? undefined : state);
    this.kinds.push(name !== undefined ? KIND.over : this.#model.resting(state) ? KIND.resting : KIND.within);
    return node;
  }

  /** Progress so far. */
  get progress(): ExplorationProgress {
    const seconds = (performance.now() - this.#began) / 1000;
    return { states: this.size, steps: this.#steps, transitions: this.#kept, seconds };
  }

  /** Estimates do not count in the pace. */
  #plan(): void {
    const pace = this.progress;
    const size = this.#estimateSize();
    this.#began = performance.now() - 1000 * pace.seconds;
    if (size.steps > this.#budget) this.#reject(pace, size);
    if (!this.#fits(size, CERTAIN)) this.throwMemoryError(formatSize(size, pace));
  }

  /** Estimates the total size. Initial states are analyzed once. */
  #estimateSize(): ChainSize {
    const begun = this.#rounds === undefined ? estimateChainSize(this.#model) : { states: 0, steps: 0 };
    if ('rounds' in begun) this.#rounds = begun.rounds;
    const ahead = this.#estimateRemaining(this.#rounds ?? 0);
    const followed = this.kinds.reduce((sum, _, node) => sum + Number(this.#isFollowed(node)), 0);
    const { states, steps } = this.#expected;
    this.#expected = {
      states: Math.max(states, begun.states, this.size, followed + ahead.states),
      steps: Math.max(steps, begun.steps, this.#steps + ahead.steps),
    };
    return this.#expected;
  }

  #isFollowed(node: number): boolean {
    return node >= 0 && this.#table.get(node, RECORD.status) === STATUS.followed;
  }

  #estimateRemaining(battles: number): ChainSize {
    const model = this.#model;
    const rounds = Math.min(battles, model.maxRounds);
    return estimateRemainingSize(model, {
      open: this.#states.filter(
        (state, node): state is S => state !== undefined && !this.#isFollowed(node) && isAhead(model, state, rounds),
      ),
      isDone: (state) => this.#isFollowed(this.#table.find(state)),
      act: (state, chance) => model.step(state, chance),
      rounds,
      steps: this.#steps,
    });
  }

  /** Returns true if a chain of this size, or this times the limits, fits into memory. */
  #fits({ states, steps }: ChainSize, times = 1): boolean {
    const most = this.#estimateRoom();
    return states <= times * most.states && steps <= times * most.steps;
  }

  /** Estimates the largest chain that fits into memory, at the present ratio of transitions to steps. */
  #estimateRoom(): ChainSize {
    const { states, transitions } = this.#room;
    const steps = (transitions * Math.max(1, this.#steps)) / Math.max(1, this.#kept);
    return { states: Math.min(states, this.#table.estimateRoom()), steps };
  }

  /** The size is a lower bound: the suggested budget is twice the steps for which memory is sufficient. */
  #reject(pace: ExplorationProgress, size: ChainSize): never {
    const most = this.#estimateRoom();
    const steps = Math.min(STEPS_MAX, 2 * Math.min(most.steps, (most.states * this.#steps) / Math.max(1, this.size)));
    const needed = { steps: Math.max(steps, size.steps) };
    const suggested = this.#fits(size) ? suggestLargerBudget({ steps: this.#budget, moves: 0 }, needed) : undefined;
    const room = suggested === undefined ? '' : `memory is sufficient for at most ${formatGrouped(suggested)} steps; `;
    throw new BudgetError(
      `the exact answer needs more than the budget of ${formatGrouped(this.#budget)} steps: ` +
        `${formatGrouped(this.size)} states were found; ${room}${formatSize(size, pace)}`,
      { suggested, least: suggestLargerBudget({ steps: this.#budget, moves: 0 }, { steps: size.steps }) },
    );
  }
}

// The whole chain of a small model, as other programs take it: one state in which battles begin, all others after it.

/** The complete chain of a small model for other programs: one initial state, followed by all others. */
const GRAPH_MAX = { states: 100_000, transitions: 1_000_000 };

/** A state of a chain. */
export interface GraphNode {
  /** Index of the outcome; -1 where the battle is not over. */
  readonly outcome: number;
  /** By metric; the one that counts rounds is undefined. */
  readonly metrics: readonly number[];
  readonly isResting: boolean;
  /** Rounds that begin when the state is left, on average: 1 between two rounds, else 0. */
  readonly rounds: number;
  /** [state, probability] by ascending state; a finished battle stays in its state. */
  readonly to: readonly (readonly [target: number, probability: number])[];
}

export interface Graph {
  /** In the order of discovery; a random initial state comes last. */
  readonly nodes: readonly GraphNode[];
  readonly first: number;
  readonly transitions: number;
}

const copyTransitions = ({ length, targets, probabilities }: Transitions): [number, number][] =>
  Array.from({ length }, (_, k): [number, number] => [targets[k] ?? 0, probabilities[k] ?? 0]).sort(
    ([a], [b]) => a - b,
  );

/** @param why reason of the size of the chain */
function checkGraphSize(states: number, transitions: number, most: typeof GRAPH_MAX, why = ''): void {
  if (states <= most.states && transitions <= most.transitions) return;
  throw new BudgetError(
    `a chain of at most ${formatGrouped(most.states)} states and ${formatGrouped(most.transitions)} transitions can be written: ` +
      `${formatGrouped(states)} states and ${formatGrouped(transitions)} transitions were found so far${why}`,
  );
}

/**
 * Builds the graph of all states that a model can reach, for any limit of rounds.
 * @throws BudgetError if the exploration exceeds the budget, or the graph is too large
 */
export function buildGraph<S extends State>(model: Model<S>, { steps }: ExactBudget, most = GRAPH_MAX): Graph {
  const chain = new Chain(model, steps);
  const start = copyTransitions(chain.start());
  const nodes: GraphNode[] = [];
  let transitions = 0;
  // Nodes are found while others are explored.
  for (let node = 0; node < chain.size; node++) {
    const kind = chain.kinds[node];
    const to: [number, number][] = kind === KIND.over ? [[node, 1]] : copyTransitions(chain.from(node));
    transitions += to.length;
    checkGraphSize(chain.size, transitions, most);
    const isResting = kind === KIND.resting;
    nodes.push({ ...chain.finalState(node), isResting, rounds: Number(isResting), to });
  }
  if (start.length === 1 && chain.kinds[0] !== KIND.within) return { nodes, first: 0, transitions };
  // A battle that starts within a round starts its first round immediately.
  const rounds = start.reduce((sum, [node, p]) => (chain.kinds[node] === KIND.within ? sum + p : sum), 0);
  nodes.push({ outcome: -1, metrics: model.metrics.map(({ min }) => min), isResting: false, rounds, to: start });
  return { nodes, first: nodes.length - 1, transitions: transitions + start.length };
}

/**
 * Unrolls the round counter of a graph: a state for each reachable round. Battles end at the round limit.
 * @param why reason of the size, for the error
 * @throws BudgetError if the graph is too large
 */
export function unrollRounds<S extends State>(
  { nodes, first }: Graph,
  model: Model<S>,
  why: string,
  most = GRAPH_MAX,
): Graph {
  const { maxRounds, outcomes } = model;
  const limit = outcomes.indexOf(getRoundLimitOutcome(model));
  const found: { readonly node: GraphNode; readonly round: number }[] = [];
  const index = new Map<string, number>();
  const indexOf = (n: number, round: number): number => {
    const node = nodes[n] as GraphNode;
    const name = node.outcome < 0 ? `${String(n)} ${String(round)}` : String(n);
    const known = index.get(name) ?? found.push({ node, round }) - 1;
    index.set(name, known);
    return known;
  };
  indexOf(first, 0);
  const unrolledNodes: GraphNode[] = [];
  let transitions = 0;
  // States are found while others are unrolled.
  for (let s = 0; s < found.length; s++) {
    const { node, round } = found[s] as (typeof found)[number];
    const isLimited = node.isResting && round >= maxRounds;
    const next = (target: number): number => {
      const { isResting, outcome } = nodes[target] as GraphNode;
      const begins = node.isResting || (node === nodes[first] && !isResting && outcome < 0);
      return indexOf(target, round + Number(begins));
    };
    const isOver = isLimited || node.outcome >= 0;
    const moves = isOver ? [[s, 1] as const] : node.to.map(([target, p]) => [next(target), p] as const);
    const to = moves.toSorted(([a], [b]) => a - b);
    transitions += to.length;
    checkGraphSize(found.length, transitions, most, why);
    unrolledNodes.push({ ...node, to, ...(isLimited && { outcome: limit, rounds: 0 }) });
  }
  return { nodes: unrolledNodes, first: 0, transitions };
}
