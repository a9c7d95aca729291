/**
 * Compiles the rules of a scenario to the nodes of an automaton. Equivalent nodes are merged (hash-consing from the
 * end, as for decision diagrams: R. E. Bryant 1986), and tests without an effect are omitted.
 */

import { pause } from '#platform/pause';
import { BudgetError, type Chance, createNondeterminismError, ESCAPES } from '../../core/index.ts';
import {
  type BattleEnd,
  getRoundLimitOutcome,
  type Key,
  KeyBudget,
  type Model,
  type State,
} from '../../rules/index.ts';
import { type CompileFailure, CompileLimitError, type CompileLimits } from '../exact/budget.ts';
import { ESTIMATE_AT, ESTIMATE_BUDGET_MIN, estimateChainSize } from '../exact/chain-size.ts';
import { type AutomatonNode, NodeGraph, type NodeRef, type RoundStart } from './node-graph.ts';
import { TracingChance } from './tracing-chance.ts';

// A scenario as an automaton: nodes that test one word of the stream of a battle and have successors, and final states.
// It reproduces the battles of the reference engine word by word, without its rules.
//
// A battle may return to a previous state, but not within a round. So each resting state has its own node, at which a
// round begins; the nodes between them are created from the end. Positions of words are relative to the first word of
// the round: battle and automaton count rounds separately from their states.

/** Rounds of a scenario, if it has rounds. */
export interface AutomatonRounds {
  /** Index of the metric that counts them. */
  readonly metric: number;
  /** Words of the stream for each round. */
  readonly words: number;
  /** Number of rounds after which a battle is a stalemate. */
  readonly maxRounds: number;
}

export interface Automaton {
  readonly start: NodeRef;
  /** Without rounds, a node follows all its successors. */
  readonly nodes: readonly AutomatonNode[];
  /** With rounds, without the metric that counts them. */
  readonly finalStates: readonly BattleEnd[];
  readonly rounds: AutomatonRounds | undefined;
}

export interface CompiledAutomaton extends Automaton {
  /** Computed steps of the model, and their duration in seconds. */
  readonly steps: number;
  readonly seconds: number;
}

/** A step of a model, which draws from a chance source. */
type ModelStep<S> = (chance: Chance) => S;

/** Maximum number of draws in sequence. */
const DEPTH_MAX = 500;

/** Interval of key lookups in a sequence of states without draws: a key takes as long as a step. */
const KEY_EVERY = 4;

/** Steps between two checks of the clock. */
const CLOCK_EVERY = 64;

class AutomatonCompiler<S extends State> {
  readonly graph: NodeGraph = new NodeGraph();
  readonly #model: Model<S>;
  readonly #rounds: AutomatonRounds | undefined;
  /** Successors of states between rounds, or of all states without rounds. */
  readonly #states = new Map<Key, NodeRef>();
  readonly #keys = new KeyBudget();
  /** Resting states without a node. */
  readonly #waiting: { readonly at: NodeRef; readonly state: S }[] = [];
  readonly #allowed: CompileLimits;
  /** Allowed seconds, once requested. */
  #most: number | undefined;
  #steps = 0;
  /** Expected number of steps, once estimated. */
  #expected = 0;
  #depth = 0;
  /** Milliseconds up to the last pause, and the time of its end. */
  #spent = 0;
  #began = performance.now();

  constructor(model: Model<S>, rounds: AutomatonRounds | undefined, allowed: CompileLimits) {
    this.#model = model;
    this.#rounds = rounds;
    this.#allowed = allowed;
  }

  /** Milliseconds since the last pause. */
  get sincePause(): number {
    return performance.now() - this.#began;
  }

  /** Pauses do not count. */
  async pause(): Promise<void> {
    this.#spent += this.sincePause;
    await pause();
    this.#began = performance.now();
  }

  /** Creates the result of an exploration that has ended without an automaton. */
  createFailure(because: CompileFailure['because']): CompileFailure {
    const steps = Math.max(this.#expected, this.#steps);
    return { because, steps, seconds: (this.#seconds * steps) / Math.max(1, this.#steps) };
  }

  get #seconds(): number {
    return (this.#spent + this.sincePause) / 1000;
  }

  /** Creates the start node; successors of rounds are created later. */
  begin(): NodeRef {
    return this.#follow((chance) => this.#model.start(chance), 0);
  }

  /** Creates the nodes of one round; false if none is left. */
  next(): boolean {
    const next = this.#waiting.pop();
    if (next !== undefined) this.graph.fill(next.at, this.#round(next.state));
    return next !== undefined;
  }

  finish(start: NodeRef): CompiledAutomaton {
    const { nodes, finalStates } = this.graph;
    return { start, nodes, finalStates, rounds: this.#rounds, steps: this.#steps, seconds: this.#seconds };
  }

  /** Returns the node of a resting state. */
  #round(state: S): NodeRef {
    const outcome = Math.max(0, this.#model.outcomes.indexOf(getRoundLimitOutcome(this.#model)));
    const begins = { stalemate: this.graph.addFinalState(outcome, this.#measureBattle(state)) };
    return this.#follow((chance) => this.#model.step(state, chance), state.round + 1, begins);
  }

  /** Creates the node of an act in a round. */
  #follow(act: ModelStep<S>, round: number, begins?: RoundStart): NodeRef {
    const chance = new TracingChance(round * (this.#rounds?.words ?? 0));
    const first = this.#takeBranch(act, chance);
    return chance.path.length === 0
      ? this.#getSuccessor(first, begins)
      : this.#createBranchNode(act, chance, first, begins);
  }

  /** Follows one branch of an act. */
  #takeBranch(act: ModelStep<S>, chance: TracingChance): S {
    this.#check(++this.#steps);
    chance.rewind();
    const state = act(chance);
    if (!chance.isComplete) throw createNondeterminismError();
    return state;
  }

  /** Ends the exploration if it exceeds its limits, or is expected to. */
  #check(taken: number): void {
    const { steps, freeSteps = 0 } = this.#allowed;
    if (taken > steps) throw new CompileLimitError('steps');
    if (taken === ESTIMATE_AT && steps >= ESTIMATE_BUDGET_MIN) {
      const before = this.#seconds;
      this.#expected = estimateChainSize(this.#model).steps;
      if (this.#expected > steps) throw new CompileLimitError('steps');
      if ((before * this.#expected) / taken > this.#requestSeconds()) throw new CompileLimitError('seconds');
    }
    if (taken % CLOCK_EVERY === 0 && taken > freeSteps && this.#seconds > this.#requestSeconds())
      throw new CompileLimitError('seconds');
  }

  /** Requests the allowed seconds once. */
  #requestSeconds(): number {
    if (this.#most === undefined) {
      const requested = performance.now();
      this.#most = this.#allowed.seconds?.() ?? Number.POSITIVE_INFINITY;
      this.#began += performance.now() - requested;
    }
    return this.#most;
  }

  /** Creates the node of an act that draws, by following all its branches; the first one has led to `first`. */
  #createBranchNode(act: ModelStep<S>, chance: TracingChance, first: S, begins: RoundStart | undefined): NodeRef {
    if (++this.#depth > DEPTH_MAX) throw new CompileLimitError('draws');
    const follow = (): NodeRef => this.#getSuccessor(this.#takeBranch(act, chance));
    const node = this.graph.linkBranches(chance.path, this.#getSuccessor(first), follow, begins);
    this.#depth--;
    return node;
  }

  /**
   * Returns the successor of a state. Steps without a draw are skipped.
   * @param begins start of the round, if nothing has been drawn in it
   */
  #getSuccessor(state: S, begins?: RoundStart): NodeRef {
    const key = this.#createKey(state, begins);
    return this.#states.get(key) ?? this.#addState(state, key, begins);
  }

  /** Returns the successor of a new state. */
  #addState(state: S, key: Key, begins: RoundStart | undefined): NodeRef {
    this.#model.keep?.(state);
    const passed = [key];
    let known = this.#resolveState(state, begins);
    for (let steps = 1; typeof known !== 'number'; steps++) {
      if (steps % KEY_EVERY !== 0 && !this.#endsRound(known)) {
        known = this.#resolveState(known, begins, false);
        continue;
      }
      const next = this.#createKey(known, begins);
      passed.push(next);
      known = this.#states.get(next) ?? this.#resolveState(known, begins);
    }
    for (const each of passed) this.#remember(each, known);
    return known;
  }

  #remember(key: Key, next: NodeRef): void {
    if (this.#keys.spend(key) !== undefined) throw new CompileLimitError('keys');
    this.#states.set(key, next);
  }

  /** Returns true if a round ends at a state. */
  #endsRound(state: S): boolean {
    return this.#rounds !== undefined && this.#model.resting(state);
  }

  #createKey(state: S, begins: RoundStart | undefined): Key {
    const key = this.#model.courseKey?.(state) ?? this.#model.key(state);
    return begins === undefined ? key : `${String(key)}@${String(begins.stalemate)}`;
  }

  /**
   * Returns the node or final state of a state, or its only successor.
   * @param requested false if the key was not looked up yet: then it is looked up before a draw
   */
  #resolveState(state: S, begins: RoundStart | undefined, requested = true): NodeRef | S {
    const name = this.#model.outcome(state);
    if (name !== undefined) {
      const end = this.graph.addFinalState(this.#model.outcomes.indexOf(name), this.#measureBattle(state));
      return begins === undefined ? end : this.graph.addRoundStart(begins, end);
    }
    if (this.#endsRound(state)) {
      if (begins !== undefined) return this.graph.addRoundStart(begins, this.#getSuccessor(state));
      const at = this.graph.reserve();
      this.#waiting.push({ at, state });
      return at;
    }
    const act = (chance: Chance): S => this.#model.step(state, chance);
    const chance = new TracingChance(state.round * (this.#rounds?.words ?? 0));
    const after = this.#takeBranch(act, chance);
    if (chance.path.length === 0) return after;
    if (requested) return this.#createBranchNode(act, chance, after, begins);
    const key = this.#createKey(state, begins);
    let known = this.#states.get(key);
    if (known === undefined) {
      known = this.#createBranchNode(act, chance, after, begins);
      this.#remember(key, known);
    }
    return known;
  }

  /** Measures a finished battle, without the metric of rounds. */
  #measureBattle(state: S): number[] {
    const metrics = this.#model.measure(state);
    return this.#rounds === undefined ? metrics : metrics.toSpliced(this.#rounds.metric, 1);
  }
}

/** Creates the rounds of a model. */
function createAutomatonRounds({ roundsMetric, roundWords, maxRounds }: Model<State>): AutomatonRounds | undefined {
  if (roundsMetric === undefined) return undefined;
  if (roundWords === undefined || roundWords * (maxRounds + 1) >= ESCAPES.from) throw new CompileLimitError('words');
  return { metric: roundsMetric, words: roundWords, maxRounds: maxRounds };
}

/**
 * Compiles the rules of a scenario.
 * @param model must declare the number of words of a round, if it has rounds
 * @param budget maximum number of steps of the model
 * @returns undefined if the number of words of a round is not declared, or the scenario is too large
 */
export function compileAutomaton<S extends State>(model: Model<S>, budget: number): CompiledAutomaton | undefined {
  try {
    const compiler = new AutomatonCompiler(model, createAutomatonRounds(model), { steps: budget });
    const start = compiler.begin();
    while (compiler.next());
    return compiler.finish(start);
  } catch (error) {
    if (findExceededLimit(error) !== undefined) return undefined;
    throw error;
  }
}

/** Returns the exceeded limit of an error. A draw with too many results is a BudgetError. */
function findExceededLimit(error: unknown): CompileFailure['because'] | undefined {
  if (error instanceof CompileLimitError) return error.because;
  return error instanceof BudgetError ? 'ways' : undefined;
}

/** Milliseconds between two pauses. */
const PAUSE_EVERY = 20;

/**
 * Compiles the rules of a scenario, with pauses between rounds for timers and signals.
 * @param signal stops it
 */
export async function compileAutomatonAsync<S extends State>(
  model: Model<S>,
  allowed: CompileLimits,
  signal?: AbortSignal,
): Promise<CompiledAutomaton | CompileFailure> {
  let compiler: AutomatonCompiler<S> | undefined;
  try {
    compiler = new AutomatonCompiler(model, createAutomatonRounds(model), allowed);
    const start = compiler.begin();
    while (compiler.next()) {
      if (compiler.sincePause < PAUSE_EVERY) continue;
      await compiler.pause();
      if (signal?.aborted === true) throw new CompileLimitError('signal');
    }
    return compiler.finish(start);
  } catch (error) {
    const because = findExceededLimit(error);
    if (because === undefined) throw error;
    return compiler?.createFailure(because) ?? { because, steps: 0, seconds: 0 };
  }
}
