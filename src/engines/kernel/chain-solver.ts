/** When battles are followed to the limit of their rounds, though all that is left of them is below what matters. */

import { BudgetError, formatGrouped, reportProgress } from '../../core/index.ts';
import { type BattleEnd, getRoundLimitOutcome, type Model, type State } from '../../rules/index.ts';
import { addBattle, type Counts, createCountsShape, createEmptyCounts } from '../../stats/index.ts';
import { type ExactBudget, FULL_BUDGET, formatOpenMass, movesToSteps, suggestLargerBudget } from '../exact/budget.ts';
import { Chain, type Transitions } from '../exact/chain.ts';
import { estimateBytes, formatSize } from '../exact/cost-text.ts';
import { KIND } from '../exact/layout.ts';
import { acquireInstance, releaseInstance, type WasmModule } from './instance.ts';
import { compileKernelSync } from './kernel.ts';
import { NEGLIGIBLE } from './layout.ts';

/** Moves that may be made for that, and those that a round takes whatever its transitions: a tenth of a millisecond. */
const TO_LIMIT = { moves: 200_000, round: 100 };

/**
 * Whether the limit is near enough: no outcome but the stalemate there changes by it.
 * @param rounds      that are left
 * @param transitions that mass moves over in each
 */
export function isNearLimit(rounds: number, transitions: number): boolean {
  return rounds * (transitions + TO_LIMIT.round) <= TO_LIMIT.moves;
}

/**
 * Rounds until nothing is left that matters: mass falls by a like share in every round, and as long as all of it is there,
 * the limit of rounds is all that is known.
 * @param open  what is left after so many rounds
 */
export function estimateRounds(open: number, round: number, maxRounds: number): number {
  const share = Math.log(NEGLIGIBLE) / Math.log(open);
  return Math.max(round, Math.min(maxRounds, share > 1 ? share * round : maxRounds));
}

// The host of assembly/engines/chain.ts: the mass of a chain's nodes, and the transitions along which it is moved.

/** What the engine exports; assembly/engines/chain.ts says what each does. */
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

/** Compiled once. @throws RunError if it is not built */
function loadChainKernel(): WasmModule {
  compiledModule ??= compileKernelSync('chain');
  return compiledModule;
}

export class MassKernel {
  readonly #module = loadChainKernel();
  readonly #engine = acquireInstance(this.#module) as ChainKernelExports;
  /** Nodes of which the engine knows the kind. */
  #nodes = 0;
  /** Transitions that were told last. */
  #told = 0;
  #words = new Uint32Array(this.#engine.memory.buffer);
  #numbers = new Float64Array(this.#engine.memory.buffer);

  /**
   * @param moves as many times mass may be moved along a transition
   * @throws RunError if the engine is not built
   */
  constructor(moves: number) {
    this.#engine.clear(moves);
  }

  /** Nodes that it was told of. */
  get nodes(): number {
    return this.#nodes;
  }

  /**
   * Takes up where a node leads, or where battles begin if none is given, and the kinds of nodes that are new.
   * @param kinds by node; those that were told before are not looked at again
   * @returns false if there is no memory for it
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
    this.#told = length;
    if (from !== undefined) this.#engine.link(from, length);
    return true;
  }

  /** Moves a mass of 1 to where battles begin, which was told last; returns as `move` does. */
  begin(): number {
    return this.#engine.begin(this.#told);
  }

  /** Moves the mass of all nodes of a kind; returns how many nodes have mass within a round then, below 0 if it may not. */
  move(kind: number): number {
    return this.#engine.move(kind);
  }

  /** Takes the mass of all nodes of a kind, in the order in which they got it. */
  takeMass(kind: number, sink: (node: number, mass: number) => void): void {
    const length = this.#engine.take(kind);
    const [nodes, masses] = [this.#engine.takenNodes.value / 4, this.#engine.takenMasses.value / 8];
    for (let k = 0; k < length; k++) sink(this.#words[nodes + k] ?? 0, this.#numbers[masses + k] ?? 0);
  }

  /** The mass between two rounds. */
  openMass(): number {
    return this.#engine.open();
  }

  /** Mass below 2^-1022 of single nodes, which was not moved on. */
  get dropped(): number {
    return this.#engine.dropped.value;
  }

  /** Whether the mass between two rounds leads to a circle; asked when all that it leads to was told. */
  hasCycle(): boolean {
    const returns = this.#engine.returns() !== 0;
    // The search takes memory.
    this.#look();
    return returns;
  }

  /** Leaves its memory to the next chain; it is not used again. */
  close(): void {
    releaseInstance(this.#module, this.#engine);
  }

  /** Memory that has grown is another buffer. */
  #look(): void {
    const { buffer } = this.#engine.memory;
    if (this.#words.buffer === buffer) return;
    this.#words = new Uint32Array(buffer);
    this.#numbers = new Float64Array(buffer);
  }
}

// The exact law of a battle in double precision: the states of its model are explored, and their mass is moved forward
// round by round in assembly/engines/chain.ts until it is absorbed, so that the law of every metric, rounds included,
// comes out whole. Nothing is pruned. A chain without circles is followed to its end; one with circles until all its states
// are known and the mass that is left is below 1e-15 of the least likely outcome: that is reported as lost.

/** What following a chain to its end took. */
interface ChainSolutionSize {
  /** Mass of battles that go on beyond the rounds that were followed, at most. */
  readonly lost: number;
  /** Size of the chain. */
  readonly states: number;
  readonly steps: number;
}

export interface ExactDistribution extends ChainSolutionSize {
  /** Probabilities in the place of counts; they sum to 1 - lost. */
  readonly law: Counts;
}

interface ChainSolution extends ChainSolutionSize {
  /** Mass of battles that the round limit ended. */
  readonly limited: number;
}

/** A way in which battles end, metrics included, and how likely it is. */
export interface ExactFinalState extends BattleEnd {
  readonly probability: number;
}

/** Takes the mass of battles that have ended. */
type MassSink = (outcome: number, metrics: readonly number[], mass: number) => void;

/** What nodes of a kind lead to is told to the engine when their mass is moved for the first time. */
type OpenKind = typeof KIND.resting | typeof KIND.within;

class ChainSolver<S extends State> {
  readonly #model: Model<S>;
  readonly #chain: Chain<S>;
  readonly #mass: MassKernel;
  readonly #sink: MassSink;
  readonly #budget: ExactBudget;
  /** Nodes that were found and not explored, in the order in which they were found. */
  readonly #unexplored: Record<OpenKind, number[]> = { [KIND.resting]: [], [KIND.within]: [] };
  readonly #endings = new Map<number, BattleEnd>();
  /** Mass by outcome. */
  readonly #outcomes: Float64Array;
  /** Nodes that have mass within a round. */
  #within = 0;
  /** The mass between two rounds; when battles begin, all of it. */
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
    this.#tell(this.#chain.start());
    this.#moved(this.#mass.begin());
    this.#count();
    while (this.#goesOn() && this.#affords());
    if (this.#round >= this.#model.maxRounds) this.#callOff();
    const lost = this.#open + this.#mass.dropped;
    return { lost, limited: this.#limited, states: this.#chain.size, steps: this.#chain.steps };
  }

  #goesOn(): boolean {
    if (this.#round >= this.#model.maxRounds) return false;
    // A battle can begin within a round.
    if (this.#within > 0) return true;
    if (this.#open === 0) return false;
    return this.#open > NEGLIGIBLE * this.#least() || !this.#isKnown() || !this.#circles() || this.#nearsLimit();
  }

  /** The probability so far of the least likely outcome that has come. */
  #least(): number {
    return this.#outcomes.reduce((least, mass) => (mass > 0 ? Math.min(least, mass) : least), 1);
  }

  /** All states were explored. So every outcome that can come has come: a state gives mass to all others that it leads to. */
  #isKnown(): boolean {
    return this.#unexplored[KIND.resting].length === 0;
  }

  #circles(): boolean {
    this.#returns ??= this.#mass.hasCycle();
    return this.#returns;
  }

  #nearsLimit(): boolean {
    return isNearLimit(this.#model.maxRounds - this.#round, this.#chain.transitions);
  }

  /** Plays a round; false if that takes more than the budget, and what is left does not matter but for rare events. */
  #affords(): boolean {
    try {
      this.#playRound();
      return true;
    } catch (error) {
      if (!(error instanceof BudgetError && this.#open <= NEGLIGIBLE) || this.#budget.requireComplete === true)
        throw error;
      // The round does not count: its mass stays open.
      this.#round--;
      return false;
    }
  }

  #playRound(): void {
    this.#round++;
    if (this.#isKnown()) this.#say();
    this.#move(KIND.resting);
    while (this.#within > 0) this.#move(KIND.within);
    this.#count();
  }

  /** Moves the mass of all nodes of a kind. */
  #move(kind: OpenKind): void {
    const nodes = this.#unexplored[kind];
    if (nodes.length > 0) {
      this.#unexplored[kind] = [];
      for (const node of nodes) this.#tell(this.#chain.from(node), node);
    }
    this.#moved(this.#mass.move(kind));
  }

  #moved(within: number): void {
    if (within < 0) this.#refuse();
    this.#within = within;
  }

  /** Tells where a node, or a battle that begins, leads to, and which nodes were found with that. */
  #tell(transitions: Transitions, from?: number): void {
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
    this.#absorb(KIND.over, (node) => this.#chain.finalState(node));
    if (this.#within === 0) this.#open = this.#mass.openMass();
  }

  /** The limit of rounds is reached: what is left ends by it. */
  #callOff(): void {
    const outcome = this.#model.outcomes.indexOf(getRoundLimitOutcome(this.#model));
    if (outcome < 0) return;
    this.#absorb(KIND.resting, (node) => ({ ...this.#chain.finalState(node), outcome }));
    this.#limited = this.#open;
    this.#open = 0;
  }

  #absorb(kind: number, ended: (node: number) => BattleEnd): void {
    this.#mass.takeMass(kind, (node, mass) => {
      const ending = this.#endings.get(node) ?? ended(node);
      this.#endings.set(node, ending);
      this.#outcomes[ending.outcome] = (this.#outcomes[ending.outcome] ?? 0) + mass;
      this.#sink(ending.outcome, this.#metrics(ending), mass);
    });
  }

  #metrics({ metrics }: BattleEnd): readonly number[] {
    const { roundsMetric } = this.#model;
    return roundsMetric === undefined ? metrics : metrics.with(roundsMetric, this.#round);
  }

  #say(): void {
    reportProgress(this.#round, Math.ceil(estimateRounds(this.#open, this.#round, this.#model.maxRounds)), 'rounds');
  }

  #refuse(): never {
    const { moves } = this.#budget;
    const rounds = estimateRounds(this.#open, this.#round, this.#model.maxRounds);
    const needed = (moves * rounds) / Math.max(1, this.#round);
    const { progress } = this.#chain;
    const size = { states: progress.states, steps: movesToSteps(needed) };
    throw new BudgetError(
      `the exact answer needs more than the budget of ${formatGrouped(movesToSteps(moves))} steps: ${formatOpenMass(this.#open)} ` +
        `in round ${formatGrouped(this.#round)}; ${formatSize(size, { ...progress, steps: movesToSteps(moves), bytes: estimateBytes(progress) })}`,
      { suggested: suggestLargerBudget(this.#budget, { moves: needed }) },
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
  const law = createEmptyCounts(createCountsShape(model));
  const followed = solveChain(model, budget, (outcome, metrics, mass) => {
    addBattle(law, outcome, metrics, mass);
  });
  return { law, ...followed };
}

/**
 * The joint law of outcome and metrics: every way to end that has some probability, ordered by outcome, then by the
 * metrics in turn. The probabilities sum to 1 but for what `solveModel` reports as lost.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
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
