/** Decides whether to follow battles to the round limit although their mass is already negligible. */

import { BudgetError, formatGrouped, reportProgress } from '../../core/index.ts';
import { type BattleEnd, getRoundLimitOutcome, type Model, type State } from '../../rules/index.ts';
import { addBattle, type Counts, createCountsShape, createEmptyCounts } from '../../stats/index.ts';
import {
  type ExactBudget,
  FULL_BUDGET,
  formatOpenMass,
  LOWER_BOUND_MARGIN,
  movesToSteps,
  suggestLargerBudget,
} from '../exact/budget.ts';
import { Chain, type Transitions } from '../exact/chain.ts';
import { estimateBytes, formatSize } from '../exact/cost-text.ts';
import { KIND } from '../exact/layout.ts';
import { acquireInstance, releaseInstance, type WasmModule } from './instance.ts';
import { compileKernelSync } from './kernel.ts';
import { NEGLIGIBLE } from './layout.ts';

/** Maximum number of moves for that, and the fixed cost of a round: 0.1 milliseconds. */
const TO_LIMIT = { moves: 200_000, round: 100 };

/**
 * Returns true if the limit is near: the result changes no outcome except the stalemate.
 * @param rounds remaining rounds
 * @param transitions transitions with mass in each round
 */
export function isNearLimit(rounds: number, transitions: number): boolean {
  return rounds * (transitions + TO_LIMIT.round) <= TO_LIMIT.moves;
}

/**
 * Estimates the rounds until the mass is negligible: it decreases by a similar share in every round; as long as all of
 * it is left, the round limit is the only bound.
 * @param open remaining mass after this number of rounds
 */
export function estimateRounds(open: number, round: number, maxRounds: number): number {
  const share = Math.log(NEGLIGIBLE) / Math.log(open);
  return Math.max(round, Math.min(maxRounds, share > 1 ? share * round : maxRounds));
}

// Host of assembly/engines/chain.ts: the mass of the nodes of a chain, and the transitions along which it moves.

/** Exports of the engine; assembly/engines/chain.ts documents them. */
interface ChainKernelExports {
  readonly memory: WebAssembly.Memory;
  readonly kindsAddress: WebAssembly.Global<'i32'>;
  readonly transitionsAddress: WebAssembly.Global<'i32'>;
  readonly takenNodes: WebAssembly.Global<'i32'>;
  readonly takenMasses: WebAssembly.Global<'i32'>;
  clear(moves: number): void;
  reserve(nodes: number, transitions: number): number;
  link(node: number, transitions: number): void;
  begin(transitions: number): number;
  take(kind: number): number;
  move(kind: number): number;
  open(): number;
  returns(): number;
  readonly dropped: WebAssembly.Global<'f64'>;
}

let compiledModule: WasmModule | undefined;

/** Compiles the engine once. @throws RunError if it is not built */
function loadChainKernel(): WasmModule {
  compiledModule ??= compileKernelSync('chain');
  return compiledModule;
}

export class MassKernel {
  readonly #module = loadChainKernel();
  readonly #engine = acquireInstance(this.#module) as ChainKernelExports;
  /** Number of nodes with a known kind. */
  #nodes = 0;
  /** Number of reported transitions. */
  #sent = 0;
  #words = new Uint32Array(this.#engine.memory.buffer);
  #numbers = new Float64Array(this.#engine.memory.buffer);

  /**
   * @param moves maximum number of moves of mass along a transition
   * @throws RunError if the engine is not built
   */
  constructor(moves: number) {
    this.#engine.clear(moves);
  }

  /** Number of added nodes. */
  get nodes(): number {
    return this.#nodes;
  }

  /**
   * Adds the transitions of a node, or of the start, and the kinds of new nodes.
   * @param kinds by node; known ones are skipped
   * @returns false if memory is exhausted
   */
  addTransitions(kinds: readonly number[], { length, targets, probabilities }: Transitions, from?: number): boolean {
    if (this.#engine.reserve(kinds.length, length) === 0) return false;
    this.#look();
    const first = this.#engine.transitionsAddress.value / 4;
    for (let k = 0; k < length; k++) {
      this.#numbers[first / 2 + k] = probabilities[k] ?? 0;
      this.#words[first + 2 * length + k] = targets[k] ?? 0;
    }
    const at = this.#engine.kindsAddress.value / 4;
    for (; this.#nodes < kinds.length; this.#nodes++) this.#words[at + this.#nodes] = kinds[this.#nodes] ?? 0;
    this.#sent = length;
    if (from !== undefined) this.#engine.link(from, length);
    return true;
  }

  /** Moves a mass of 1 to the initial states, which were added last; returns the result of `move`. */
  begin(): number {
    return this.#engine.begin(this.#sent);
  }

  /**
   * Moves the mass of all nodes of a kind; returns the number of nodes with mass within a round, or below 0 if moves
   * are exhausted.
   */
  move(kind: number): number {
    return this.#engine.move(kind);
  }

  /** Takes the mass of all nodes of a kind, in the order of its arrival. */
  takeMass(kind: number, sink: (node: number, mass: number) => void): void {
    const length = this.#engine.take(kind);
    const [nodes, masses] = [this.#engine.takenNodes.value / 4, this.#engine.takenMasses.value / 8];
    for (let k = 0; k < length; k++) sink(this.#words[nodes + k] ?? 0, this.#numbers[masses + k] ?? 0);
  }

  /** Returns the mass between two rounds. */
  openMass(): number {
    return this.#engine.open();
  }

  /** Mass below 2^-1022 of single nodes, which was not moved on. */
  get dropped(): number {
    return this.#engine.dropped.value;
  }

  /** Returns true if the mass between two rounds can reach a cycle; all successors must be known. */
  hasCycle(): boolean {
    const returns = this.#engine.returns() !== 0;
    // The search may grow the memory.
    this.#look();
    return returns;
  }

  /** Returns the instance for the next chain; it is not used again. */
  close(): void {
    releaseInstance(this.#module, this.#engine);
  }

  /** Updates the views after the memory has grown. */
  #look(): void {
    const { buffer } = this.#engine.memory;
    if (this.#words.buffer === buffer) return;
    this.#words = new Uint32Array(buffer);
    this.#numbers = new Float64Array(buffer);
  }
}

// The exact distribution of a battle in double precision: explores the states of its model, and moves their mass
// forward round by round in assembly/engines/chain.ts until it is absorbed, which gives the distribution of every
// metric, including rounds. Nothing is pruned. A chain without cycles is followed to its end; one with cycles until all
// its states are known and the remaining mass is below 1e-15 of the least likely outcome: that is reported as lost.

/** Size of a completely followed chain. */
interface ChainSolutionSize {
  /** Upper bound of the mass of battles beyond the followed rounds. */
  readonly lost: number;
  /** Size of the chain. */
  readonly states: number;
  readonly steps: number;
}

export interface ExactDistribution extends ChainSolutionSize {
  /** Probabilities instead of counts; they sum to 1 - lost. */
  readonly distribution: Counts;
}

interface ChainSolution extends ChainSolutionSize {
  /** Mass of battles that the round limit ended. */
  readonly limited: number;
}

/** A final state with its probability. */
export interface ExactFinalState extends BattleEnd {
  readonly probability: number;
}

/** Receives the mass of finished battles. */
type MassSink = (outcome: number, metrics: readonly number[], mass: number) => void;

/** Transitions of these nodes are added to the engine when their mass is first moved. */
type OpenKind = typeof KIND.resting | typeof KIND.within;

class ChainSolver<S extends State> {
  readonly #model: Model<S>;
  readonly #chain: Chain<S>;
  readonly #mass: MassKernel;
  readonly #sink: MassSink;
  readonly #budget: ExactBudget;
  /** Nodes that are not yet explored, in the order of discovery. */
  readonly #unexplored: Record<OpenKind, number[]> = { [KIND.resting]: [], [KIND.within]: [] };
  readonly #endings = new Map<number, BattleEnd>();
  /** Mass by outcome. */
  readonly #outcomes: Float64Array;
  /** Nodes that have mass within a round. */
  #within = 0;
  /** The mass between two rounds; initially all of it. */
  #open = 1;
  #round = 0;
  #limited = 0;
  #returns: boolean | undefined;

  constructor(model: Model<S>, budget: ExactBudget, mass: MassKernel, sink: MassSink) {
    this.#model = model;
    this.#chain = new Chain(model, budget.steps, undefined, budget.skipEstimate);
    this.#mass = mass;
    this.#sink = sink;
    this.#budget = budget;
    this.#outcomes = new Float64Array(model.outcomes.length);
  }

  run(): ChainSolution {
    this.#send(this.#chain.start());
    this.#moveMass(this.#mass.begin());
    this.#count();
    while (this.#shouldContinue() && this.#moveRound());
    if (this.#round >= this.#model.maxRounds) this.#callOff();
    const lost = this.#open + this.#mass.dropped;
    return { lost, limited: this.#limited, states: this.#chain.size, steps: this.#chain.steps };
  }

  #shouldContinue(): boolean {
    if (this.#round >= this.#model.maxRounds) return false;
    // A battle can begin within a round.
    if (this.#within > 0) return true;
    if (this.#open === 0) return false;
    return (
      this.#open > NEGLIGIBLE * this.#findLeastProbability() ||
      !this.#isKnown() ||
      !this.#isCyclic() ||
      this.#isNearLimit()
    );
  }

  /** Returns the present probability of the least likely possible outcome. */
  #findLeastProbability(): number {
    return this.#outcomes.reduce((least, mass) => (mass > 0 ? Math.min(least, mass) : least), 1);
  }

  /**
   * Returns true if all states were explored. Then all possible outcomes have occurred, because a state passes mass to
   * all its successors.
   */
  #isKnown(): boolean {
    return this.#unexplored[KIND.resting].length === 0;
  }

  #isCyclic(): boolean {
    this.#returns ??= this.#mass.hasCycle();
    return this.#returns;
  }

  #isNearLimit(): boolean {
    return isNearLimit(this.#model.maxRounds - this.#round, this.#chain.transitions);
  }

  /** Moves a round; false if that exceeds the budget, and the remaining mass matters only for rare events. */
  #moveRound(): boolean {
    try {
      this.#playRound();
      return true;
    } catch (error) {
      if (!(error instanceof BudgetError && this.#open <= NEGLIGIBLE) || this.#budget.requireComplete === true)
        throw error;
      // An unfinished round does not count: its mass stays open.
      this.#round--;
      return false;
    }
  }

  #playRound(): void {
    this.#round++;
    if (this.#isKnown()) this.#reportProgress();
    this.#move(KIND.resting);
    while (this.#within > 0) this.#move(KIND.within);
    this.#count();
  }

  /** Moves the mass of all nodes of a kind. */
  #move(kind: OpenKind): void {
    const nodes = this.#unexplored[kind];
    if (nodes.length > 0) {
      this.#unexplored[kind] = [];
      for (const node of nodes) this.#send(this.#chain.from(node), node);
    }
    this.#moveMass(this.#mass.move(kind));
  }

  #moveMass(within: number): void {
    if (within < 0) this.#reject();
    this.#within = within;
  }

  /** Adds the transitions of a node, or of the start, and the nodes that they lead to. */
  #send(transitions: Transitions, from?: number): void {
    const { kinds } = this.#chain;
    const first = this.#mass.nodes;
    if (!this.#mass.addTransitions(kinds, transitions, from)) this.#chain.throwMemoryError();
    for (let node = first; node < kinds.length; node++) {
      const kind = kinds[node];
      if (kind === KIND.resting || kind === KIND.within) this.#unexplored[kind].push(node);
    }
  }

  /** Counts the battles that have ended in the present round. */
  #count(): void {
    this.#recordFinalMass(KIND.over, (node) => this.#chain.finalState(node));
    if (this.#within === 0) this.#open = this.#mass.openMass();
  }

  /** Ends the remaining battles at the round limit. */
  #callOff(): void {
    const outcome = this.#model.outcomes.indexOf(getRoundLimitOutcome(this.#model));
    if (outcome < 0) return;
    this.#recordFinalMass(KIND.resting, (node) => ({ ...this.#chain.finalState(node), outcome }));
    this.#limited = this.#open;
    this.#open = 0;
  }

  #recordFinalMass(kind: number, ended: (node: number) => BattleEnd): void {
    this.#mass.takeMass(kind, (node, mass) => {
      const result = this.#endings.get(node) ?? ended(node);
      this.#endings.set(node, result);
      this.#outcomes[result.outcome] = (this.#outcomes[result.outcome] ?? 0) + mass;
      this.#sink(result.outcome, this.#computeMetrics(result), mass);
    });
  }

  #computeMetrics({ metrics }: BattleEnd): readonly number[] {
    const { roundsMetric } = this.#model;
    return roundsMetric === undefined ? metrics : metrics.with(roundsMetric, this.#round);
  }

  #reportProgress(): void {
    reportProgress(this.#round, Math.ceil(estimateRounds(this.#open, this.#round, this.#model.maxRounds)), 'rounds');
  }

  #reject(): never {
    const { moves } = this.#budget;
    const rounds = estimateRounds(this.#open, this.#round, this.#model.maxRounds);
    const needed = (moves * rounds) / Math.max(1, this.#round);
    const { progress } = this.#chain;
    const size = { states: progress.states, steps: movesToSteps(needed) };
    throw new BudgetError(
      `the exact answer needs more than the budget of ${formatGrouped(movesToSteps(moves))} steps: ${formatOpenMass(this.#open)} ` +
        `in round ${formatGrouped(this.#round)}; ${formatSize(size, { ...progress, steps: movesToSteps(moves), bytes: estimateBytes(progress) })}`,
      {
        suggested: suggestLargerBudget(this.#budget, { moves: needed }, LOWER_BOUND_MARGIN),
        least: suggestLargerBudget(this.#budget, { moves: needed }),
      },
    );
  }
}

/** Follows the chain of a model to its end. */
function solveChain<S extends State>(model: Model<S>, budget: ExactBudget, sink: MassSink): ChainSolution {
  const { leastSteps = 0 } = model;
  const { steps, moves } = budget;
  if (leastSteps > steps) {
    const [least = '', most = ''] = [leastSteps, steps].map(formatGrouped);
    const suggested = suggestLargerBudget({ steps, moves }, { steps: leastSteps });
    throw new BudgetError(`the exact answer needs at least ${least} steps; the budget is ${most}`, { suggested });
  }
  const mass = new MassKernel(moves);
  try {
    return new ChainSolver(model, budget, mass, sink).run();
  } finally {
    mass.close();
  }
}

/**
 * Solves a model exactly.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
 */
export function solveModel<S extends State>(
  model: Model<S>,
  budget: ExactBudget = FULL_BUDGET,
): ExactDistribution & ChainSolution {
  const distribution = createEmptyCounts(createCountsShape(model));
  const followed = solveChain(model, budget, (outcome, metrics, mass) => {
    addBattle(distribution, outcome, metrics, mass);
  });
  return { distribution, ...followed };
}

/**
 * Computes the joint distribution of outcome and metrics: all final states with positive probability, ordered by
 * outcome, then by the metrics in turn. The probabilities sum to 1, except for the mass that `solveModel` reports as
 * lost.
 * @throws BudgetError if the chain exceeds the budget; the message has its size
 */
export function solveFinalStates<S extends State>(
  model: Model<S>,
  budget: ExactBudget = FULL_BUDGET,
): ExactFinalState[] {
  const found = new Map<string, { outcome: number; metrics: readonly number[]; probability: number }>();
  solveChain(model, budget, (outcome, metrics, mass) => {
    const name = `${String(outcome)};${metrics.join()}`;
    const known = found.get(name);
    if (known === undefined) found.set(name, { outcome, metrics, probability: mass });
    else known.probability += mass;
  });
  return [...found.values()].sort(
    (a, b) => a.outcome - b.outcome || a.metrics.reduce((order, value, m) => order || value - (b.metrics[m] ?? 0), 0),
  );
}
