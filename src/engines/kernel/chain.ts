/** When battles are followed to the limit of their rounds, though all that is left of them is below what matters. */

import {
  countBattle,
  emptyTally,
  type MetricCounts,
  shapeOf,
  type Tally,
  type TallyShape,
} from '../../answers/tally.ts';
import { grouped } from '../../core/chance/numerals.ts';
import { BudgetError } from '../../core/errors.ts';
import type { BattleResult } from '../../rules/battle.ts';
import type { Opened } from '../../rules/opened.ts';
import type { Model, State } from '../../rules/system.ts';
import { type ExactBudget, FULL_BUDGET, largerBudget, openText } from '../exact/budget.ts';
import { Chain, type Transitions } from '../exact/chain.ts';
import { KIND } from '../exact/layout.ts';
import { borrow, giveBack, instantiate, type Module } from './instance.ts';
import { compileNow, type KernelExports, load, loadKernelNow } from './kernel.ts';
import { ANSWERS, NEGLIGIBLE, SPAN } from './layout.ts';

/** Moves that may be made for that, and those that a round takes whatever its transitions: a tenth of a millisecond. */
const TO_LIMIT = { moves: 200_000, round: 100 };

/**
 * Whether the limit is near enough: no outcome but the stalemate there changes by it.
 * @param rounds      that are left
 * @param transitions that mass moves over in each
 */
export function nearsLimit(rounds: number, transitions: number): boolean {
  return rounds * (transitions + TO_LIMIT.round) <= TO_LIMIT.moves;
}

// The host of assembly/engines/chain.ts: the mass of a chain's nodes, and the transitions along which it is moved.

/** What the engine exports; assembly/engines/chain.ts says what each does. */
interface Engine {
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

let compiled: Module | undefined;

/** Compiled once. @throws RunError if it is not built */
function engineModule(): Module {
  compiled ??= compileNow('chain');
  return compiled;
}

export class MassKernel {
  readonly #module = engineModule();
  readonly #engine = borrow(this.#module) as Engine;
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
  tell(kinds: readonly number[], { length, targets, probabilities }: Transitions, from?: number): boolean {
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
  take(kind: number, sink: (node: number, mass: number) => void): void {
    const length = this.#engine.take(kind);
    const [nodes, masses] = [this.#engine.takenNodes.value / 4, this.#engine.takenMasses.value / 8];
    for (let k = 0; k < length; k++) sink(this.#words[nodes + k] ?? 0, this.#numbers[masses + k] ?? 0);
  }

  /** The mass between two rounds. */
  open(): number {
    return this.#engine.open();
  }

  /** Mass below 2^-1022 of single nodes, which was not moved on. */
  get dropped(): number {
    return this.#engine.dropped.value;
  }

  /** Whether the mass between two rounds leads to a circle; asked when all that it leads to was told. */
  returns(): boolean {
    return this.#engine.returns() !== 0;
  }

  /** Leaves its memory to the next chain; it is not used again. */
  close(): void {
    giveBack(this.#module, this.#engine);
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
interface Followed {
  /** Mass of battles that go on beyond the rounds that were followed, at most. */
  readonly lost: number;
  /** Size of the chain. */
  readonly states: number;
  readonly steps: number;
}

export interface ExactLaw extends Followed {
  /** Probabilities in the place of counts; they sum to 1 - lost. */
  readonly law: Tally;
}

/** A way in which battles end, metrics included, and how likely it is. */
export interface ExactEnding extends BattleResult {
  readonly probability: number;
}

/** Takes the mass of battles that have ended. */
type Sink = (outcome: number, metrics: readonly number[], mass: number) => void;

/** What nodes of a kind lead to is told to the engine when their mass is moved for the first time. */
type Open = typeof KIND.resting | typeof KIND.within;

class Walk<S extends State> {
  readonly #model: Model<S>;
  readonly #chain: Chain<S>;
  readonly #mass: MassKernel;
  readonly #sink: Sink;
  readonly #budget: ExactBudget;
  /** Nodes that were found and not explored, in the order in which they were found. */
  readonly #unexplored: Record<Open, number[]> = { [KIND.resting]: [], [KIND.within]: [] };
  readonly #endings = new Map<number, BattleResult>();
  /** Mass by outcome. */
  readonly #outcomes: Float64Array;
  /** Nodes that have mass within a round. */
  #within = 0;
  /** The mass between two rounds; when battles begin, all of it. */
  #open = 1;
  #round = 0;
  #returns: boolean | undefined;

  constructor(model: Model<S>, budget: ExactBudget, mass: MassKernel, sink: Sink) {
    this.#model = model;
    this.#chain = new Chain(model, budget.steps, undefined, budget.brief);
    this.#mass = mass;
    this.#sink = sink;
    this.#budget = budget;
    this.#outcomes = new Float64Array(model.outcomes.length);
  }

  run(): Followed {
    this.#tell(this.#chain.start());
    this.#moved(this.#mass.begin());
    this.#count();
    while (this.#goesOn() && this.#affords());
    if (this.#round >= this.#model.maxRounds) this.#callOff();
    return { lost: this.#open + this.#mass.dropped, states: this.#chain.size, steps: this.#chain.steps };
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
    this.#returns ??= this.#mass.returns();
    return this.#returns;
  }

  #nearsLimit(): boolean {
    return nearsLimit(this.#model.maxRounds - this.#round, this.#chain.transitions);
  }

  /** Plays a round; false if that takes more than the budget, and what is left does not matter but for rare events. */
  #affords(): boolean {
    try {
      this.#playRound();
      return true;
    } catch (error) {
      if (!(error instanceof BudgetError && this.#open <= NEGLIGIBLE)) throw error;
      // The round does not count: its mass stays open.
      this.#round--;
      return false;
    }
  }

  #playRound(): void {
    this.#round++;
    this.#move(KIND.resting);
    while (this.#within > 0) this.#move(KIND.within);
    this.#count();
  }

  /** Moves the mass of all nodes of a kind. */
  #move(kind: Open): void {
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
    if (!this.#mass.tell(kinds, transitions, from)) this.#chain.overflow();
    for (let node = first; node < kinds.length; node++) {
      const kind = kinds[node];
      if (kind === KIND.resting || kind === KIND.within) this.#unexplored[kind].push(node);
    }
  }

  /** Counts the battles that have ended in the present round. */
  #count(): void {
    this.#absorb(KIND.over, (node) => this.#chain.ending(node));
    if (this.#within === 0) this.#open = this.#mass.open();
  }

  /** The limit of rounds is reached: what is left is a stalemate. */
  #callOff(): void {
    const outcome = this.#model.outcomes.indexOf('stalemate');
    if (outcome < 0) return;
    this.#absorb(KIND.resting, (node) => ({ ...this.#chain.ending(node), outcome }));
    this.#open = 0;
  }

  #absorb(kind: number, ended: (node: number) => BattleResult): void {
    this.#mass.take(kind, (node, mass) => {
      const ending = this.#endings.get(node) ?? ended(node);
      this.#endings.set(node, ending);
      this.#outcomes[ending.outcome] = (this.#outcomes[ending.outcome] ?? 0) + mass;
      this.#sink(ending.outcome, this.#metrics(ending), mass);
    });
  }

  #metrics({ metrics }: BattleResult): readonly number[] {
    const { roundsMetric } = this.#model;
    return roundsMetric === undefined ? metrics : metrics.with(roundsMetric, this.#round);
  }

  #refuse(): never {
    const { moves } = this.#budget;
    // The mass falls by a like share in every round; as long as all of it is there, the limit of rounds is all that is known.
    const share = Math.log(NEGLIGIBLE) / Math.log(this.#open);
    const rounds = Math.min(this.#model.maxRounds, share > 1 ? share * this.#round : Number.POSITIVE_INFINITY);
    throw new BudgetError(
      `the exact answer needs more than ${grouped(moves)} moves of probability: ` +
        `${grouped(this.#chain.size)} states, ${openText(this.#open)} ` +
        `in round ${grouped(this.#round)}`,
      { suggested: largerBudget(this.#budget, { moves: (moves * rounds) / Math.max(1, this.#round) }) },
    );
  }
}

/** Follows the chain of a model to its end. */
function follow<S extends State>(model: Model<S>, budget: ExactBudget, sink: Sink): Followed {
  const { leastSteps = 0 } = model;
  const { steps, moves } = budget;
  if (leastSteps > steps) {
    const [least = '', most = ''] = [leastSteps, steps].map(grouped);
    const suggested = largerBudget({ steps, moves }, { steps: leastSteps });
    throw new BudgetError(`the exact answer needs at least ${least} steps; the budget is ${most}`, { suggested });
  }
  const mass = new MassKernel(moves);
  try {
    return new Walk(model, budget, mass, sink).run();
  } finally {
    mass.close();
  }
}

/**
 * Solves a model exactly.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
 */
export function solveModel<S extends State>(model: Model<S>, budget: ExactBudget = FULL_BUDGET): ExactLaw {
  const law = emptyTally(shapeOf(model));
  const followed = follow(model, budget, (outcome, metrics, mass) => {
    countBattle(law, outcome, metrics, mass);
  });
  return { law, ...followed };
}

/**
 * The joint law of outcome and metrics: every way to end that has some probability, ordered by outcome, then by the
 * metrics in turn. The probabilities sum to 1 but for what `solveModel` reports as lost.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
 */
export function endingsOf<S extends State>(model: Model<S>, budget: ExactBudget = FULL_BUDGET): ExactEnding[] {
  const found = new Map<string, { outcome: number; metrics: readonly number[]; probability: number }>();
  follow(model, budget, (outcome, metrics, mass) => {
    const name = `${String(outcome)};${metrics.join()}`;
    const known = found.get(name);
    if (known === undefined) found.set(name, { outcome, metrics, probability: mass });
    else known.probability += mass;
  });
  return [...found.values()].sort(
    (a, b) => a.outcome - b.outcome || a.metrics.reduce((order, value, m) => order || value - (b.metrics[m] ?? 0), 0),
  );
}

// Exact laws from kernels: those that export `solve` (assembly/core/law.ts) are asked before a chain is walked.

interface Solver extends KernelExports {
  readonly lawAddress: WebAssembly.Global<'i32'>;
  readonly spansAddress: WebAssembly.Global<'i32'>;
  readonly lost: WebAssembly.Global<'f64'>;
  readonly states: WebAssembly.Global<'f64'>;
  readonly steps: WebAssembly.Global<'f64'>;
  readonly least?: WebAssembly.Global<'f64'>;
  solve(moves: number, steps: number): number;
}

/** Moves that an answer may take in all: the rounds after the first fall make three to six times the least. */
const IN_ALL = 6;

/** Memory that an instance may keep from one scenario to the next. */
const KEPT_BYTES = 2 ** 26;

/** One instance a system, for all its scenarios; undefined for a system that has no kernel, or one that cannot solve. */
const solvers = new Map<string, Solver | undefined>();

function solverOf(system: string): Solver | undefined {
  if (!solvers.has(system)) {
    const module = loadKernelNow(system);
    const exports = module && (instantiate(module) as KernelExports | Solver);
    solvers.set(system, exports !== undefined && 'solve' in exports ? exports : undefined);
  }
  return solvers.get(system);
}

function lawOf(solver: Solver, { outcomes, metrics }: TallyShape): Tally {
  const { buffer } = solver.memory;
  const spans = new Int32Array(buffer, solver.spansAddress.value, SPAN.size * metrics.length);
  let at = solver.lawAddress.value;
  const next = (length: number): Float64Array => {
    const numbers = new Float64Array(buffer, at, length);
    at += length * 8;
    return numbers;
  };
  return {
    outcomes: next(outcomes.length).slice(),
    metrics: metrics.map(({ min, max }, m): MetricCounts => {
      const bins = max - min + 1;
      const numbers = next(bins * outcomes.length);
      const { least: low, most: high } = SPAN.read(spans, m * SPAN.size);
      const width = Math.max(0, high - low + 1);
      const counts = new Float64Array(outcomes.length * width);
      for (let o = 0; o < outcomes.length && width > 0; o++) {
        counts.set(numbers.subarray(o * bins + low - min, o * bins + high - min + 1), o * width);
      }
      return { low: width > 0 ? low : 0, width, counts };
    }),
  };
}

/** Whole numbers with separators; what exceeds their precision as a power of ten. */
const number = (value: number): string => (value < 1e15 ? grouped(value) : value.toExponential(1));

function sizeOf({ states, steps, least, lost }: Solver): string {
  const size = `${number(states.value)} states, ${number(steps.value)} steps`;
  if (least !== undefined && least.value > 0) return `${size}, ${number(Math.ceil(least.value))} moves at least`;
  return `${size}, ${openText(lost.value)}`;
}

function refuse(solver: Solver, budget: ExactBudget): never {
  const { least, steps } = solver;
  const isWide = steps.value > budget.steps;
  const affordable = isWide ? `${number(budget.steps)} steps` : `${number(budget.moves)} moves of probability`;
  throw new BudgetError(`the exact answer needs more than ${affordable}: ${sizeOf(solver)}`, {
    suggested: largerBudget(budget, { steps: steps.value, moves: IN_ALL * (least?.value ?? 0) }),
  });
}

/**
 * The law of a scenario as its system's kernel works it out; undefined if it does not.
 * @throws BudgetError if it takes more than the budget
 */
export function solveInKernel(open: Opened, budget: ExactBudget): ExactLaw | undefined {
  const { shape } = open;
  const { id: system } = open.system;
  const words = open.words();
  const solver = words && solverOf(system);
  if (solver === undefined || words === undefined) return undefined;
  load(solver, shape, words);
  const answer = solver.solve(budget.moves, budget.steps);
  if (solver.memory.buffer.byteLength > KEPT_BYTES) solvers.delete(system);
  if (answer === ANSWERS.other) return undefined;
  if (answer === ANSWERS.noRoom) {
    throw new BudgetError(`the exact answer needs more memory than it may take: ${number(solver.states.value)} states`);
  }
  const [states, steps] = [solver.states.value, solver.steps.value];
  if (answer !== ANSWERS.solved || steps > budget.steps) refuse(solver, budget);
  return { law: lawOf(solver, shape), lost: solver.lost.value, states, steps };
}
