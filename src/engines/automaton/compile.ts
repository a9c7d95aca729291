/**
 * The nodes of an automaton. Nodes that go on alike are one (hash-consing from the end, as for decision diagrams:
 * R. E. Bryant 1986), and looks that make no difference are left out.
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
import { type DrawChoice, TracingChance } from './tracing-chance.ts';

// A scenario as an automaton: nodes that look at one word of the battle's stream and lead on, and endings. It plays
// the battles of the reference model word by word, without its rules.
//
// A battle may come back to where it was, but not within a round. So each resting state has a node of its own, at
// which a round begins; the nodes between them are made from the end. The places of words count from the first of
// the round: battle and automaton keep the number of rounds apart from where they are.

/** The rounds of a scenario that has some. */
export interface AutomatonRounds {
  /** Index of the metric that counts them. */
  readonly metric: number;
  /** Words of the stream that each round has. */
  readonly words: number;
  /** After so many a battle ends as stalemate. */
  readonly maxRounds: number;
}

export interface Automaton {
  readonly start: NodeRef;
  /** Without rounds a node comes after all that it leads to. */
  readonly nodes: readonly AutomatonNode[];
  /** Where there are rounds, without the metric that counts them. */
  readonly finalStates: readonly BattleEnd[];
  readonly rounds: AutomatonRounds | undefined;
}

export interface CompiledAutomaton extends Automaton {
  /** Steps of the model that were computed, and seconds that they took. */
  readonly steps: number;
  readonly seconds: number;
}

/** What a model does, asking a chance source. */
type ModelStep<S> = (chance: Chance) => S;

/** Draws that may follow each other. */
const DEPTH_MAX = 500;

/** Of states in a row from which nothing is drawn one in so many is looked up: a key takes as long as a step. */
const KEY_EVERY = 4;

/** Steps between two looks at the clock. */
const CLOCK_EVERY = 64;

class AutomatonCompiler<S extends State> {
  readonly graph: NodeGraph = new NodeGraph();
  readonly #model: Model<S>;
  readonly #rounds: AutomatonRounds | undefined;
  /** Where states between rounds, or without rounds, go on. */
  readonly #states = new Map<Key, NodeRef>();
  readonly #keys = new KeyBudget();
  /** Resting states whose nodes are not made yet. */
  readonly #waiting: { readonly at: NodeRef; readonly state: S }[] = [];
  readonly #allowed: CompileLimits;
  /** Seconds that are allowed, once that was asked. */
  #most: number | undefined;
  #steps = 0;
  /** How many there will be, once that was estimated. */
  #expected = 0;
  #depth = 0;
  /** Milliseconds up to the last pause, and when that was over. */
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

  /** What others do meanwhile does not count. */
  async pause(): Promise<void> {
    this.#spent += this.sincePause;
    await pause();
    this.#began = performance.now();
  }

  /** What is known of the work where it has ended without an automaton. */
  createFailure(because: CompileFailure['because']): CompileFailure {
    const steps = Math.max(this.#expected, this.#steps);
    return { because, steps, seconds: (this.#seconds * steps) / Math.max(1, this.#steps) };
  }

  get #seconds(): number {
    return (this.#spent + this.sincePause) / 1000;
  }

  /** Where battles begin; what a round leads to is not made yet. */
  begin(): NodeRef {
    return this.#follow((chance) => this.#model.start(chance), 0);
  }

  /** Makes the nodes of one round; false if there is none left. */
  next(): boolean {
    const next = this.#waiting.pop();
    if (next !== undefined) this.graph.fill(next.at, this.#round(next.state));
    return next !== undefined;
  }

  finish(start: NodeRef): CompiledAutomaton {
    const { nodes, finalStates } = this.graph;
    return { start, nodes, finalStates, rounds: this.#rounds, steps: this.#steps, seconds: this.#seconds };
  }

  /** The node of a resting state. */
  #round(state: S): NodeRef {
    const outcome = Math.max(0, this.#model.outcomes.indexOf(getRoundLimitOutcome(this.#model)));
    const begins = { stalemate: this.graph.addFinalState(outcome, this.#measured(state)) };
    return this.#follow((chance) => this.#model.step(state, chance), state.round + 1, begins);
  }

  /** The node that does what `act` does in a round. */
  #follow(act: ModelStep<S>, round: number, begins?: RoundStart): NodeRef {
    const chance = new TracingChance(round * (this.#rounds?.words ?? 0));
    const first = this.#taken(act, chance);
    return chance.path.length === 0 ? this.#at(first, begins) : this.#branch(act, chance, first, begins);
  }

  /** Takes one way through an act. */
  #taken(act: ModelStep<S>, chance: TracingChance): S {
    this.#check(++this.#steps);
    chance.rewind();
    const state = act(chance);
    if (!chance.isComplete) throw createNondeterminismError();
    return state;
  }

  /** Ends what is or will be more than is allowed. */
  #check(taken: number): void {
    const { steps, freeSteps = 0 } = this.#allowed;
    if (taken > steps) throw new CompileLimitError('steps');
    if (taken === ESTIMATE_AT && steps >= ESTIMATE_BUDGET_MIN) {
      const before = this.#seconds;
      this.#expected = estimateChainSize(this.#model).steps;
      if (this.#expected > steps) throw new CompileLimitError('steps');
      if ((before * this.#expected) / taken > this.#allowedSeconds()) throw new CompileLimitError('seconds');
    }
    if (taken % CLOCK_EVERY === 0 && taken > freeSteps && this.#seconds > this.#allowedSeconds())
      throw new CompileLimitError('seconds');
  }

  /** Nobody is asked twice. */
  #allowedSeconds(): number {
    if (this.#most === undefined) {
      const asked = performance.now();
      this.#most = this.#allowed.seconds?.() ?? Number.POSITIVE_INFINITY;
      this.#began += performance.now() - asked;
    }
    return this.#most;
  }

  /** The node of an act that draws: every way through it is taken, of which the first has come to `first`. */
  #branch(act: ModelStep<S>, chance: TracingChance, first: S, begins: RoundStart | undefined): NodeRef {
    if (++this.#depth > DEPTH_MAX) throw new CompileLimitError('draws');
    const targets: NodeRef[][] = [];
    let state = first;
    for (;;) {
      while (targets.length < chance.path.length) targets.push([]);
      const next = this.#close(chance.path, targets, this.#at(state), begins);
      if (chance.path.length === 0) {
        this.#depth--;
        return next;
      }
      state = this.#taken(act, chance);
    }
  }

  /** Notes where the way has led, links the draws of which all values are taken, and sets out on the next way. */
  #close(path: DrawChoice[], targets: NodeRef[][], end: NodeRef, begins: RoundStart | undefined): NodeRef {
    let next = end;
    for (;;) {
      const last = path.at(-1);
      if (last === undefined) return next;
      targets.at(-1)?.push(next);
      last.choice++;
      if (last.choice < last.draw.values.length) return next;
      next = this.graph.link(last, targets.pop() ?? [], path.length === 1 ? begins : undefined);
      path.pop();
    }
  }

  /**
   * Where a battle that has come to a state goes on. Steps without a draw are passed over.
   * @param begins the round that has begun, if nothing has been drawn in it
   */
  #at(state: S, begins?: RoundStart): NodeRef {
    const key = this.#keyOf(state, begins);
    return this.#states.get(key) ?? this.#found(state, key, begins);
  }

  /** The same of a state that was not met before. */
  #found(state: S, key: Key, begins: RoundStart | undefined): NodeRef {
    this.#model.keep?.(state);
    const passed = [key];
    let known = this.#decided(state, begins);
    for (let steps = 1; typeof known !== 'number'; steps++) {
      if (steps % KEY_EVERY !== 0 && !this.#rests(known)) {
        known = this.#decided(known, begins, false);
        continue;
      }
      const next = this.#keyOf(known, begins);
      passed.push(next);
      known = this.#states.get(next) ?? this.#decided(known, begins);
    }
    for (const each of passed) this.#remember(each, known);
    return known;
  }

  #remember(key: Key, next: NodeRef): void {
    if (this.#keys.spend(key) !== undefined) throw new CompileLimitError('keys');
    this.#states.set(key, next);
  }

  /** Whether a round ends at a state. */
  #rests(state: S): boolean {
    return this.#rounds !== undefined && this.#model.resting(state);
  }

  #keyOf(state: S, begins: RoundStart | undefined): Key {
    const key = this.#model.courseKey?.(state) ?? this.#model.key(state);
    return begins === undefined ? key : `${String(key)}@${String(begins.stalemate)}`;
  }

  /**
   * The node or ending of a state, or the only state that follows it.
   * @param asked false if nobody has asked by its key whether it is known: then that is done where it draws
   */
  #decided(state: S, begins: RoundStart | undefined, asked = true): NodeRef | S {
    const name = this.#model.outcome(state);
    if (name !== undefined) {
      const end = this.graph.addFinalState(this.#model.outcomes.indexOf(name), this.#measured(state));
      return begins === undefined ? end : this.graph.addRoundStart(begins, end);
    }
    if (this.#rests(state)) {
      if (begins !== undefined) return this.graph.addRoundStart(begins, this.#at(state));
      const at = this.graph.reserve();
      this.#waiting.push({ at, state });
      return at;
    }
    const act = (chance: Chance): S => this.#model.step(state, chance);
    const chance = new TracingChance(state.round * (this.#rounds?.words ?? 0));
    const after = this.#taken(act, chance);
    if (chance.path.length === 0) return after;
    if (asked) return this.#branch(act, chance, after, begins);
    const key = this.#keyOf(state, begins);
    let known = this.#states.get(key);
    if (known === undefined) {
      known = this.#branch(act, chance, after, begins);
      this.#remember(key, known);
    }
    return known;
  }

  /** The metrics of a battle that is over, without that of the rounds. */
  #measured(state: S): number[] {
    const metrics = this.#model.measure(state);
    return this.#rounds === undefined ? metrics : metrics.toSpliced(this.#rounds.metric, 1);
  }
}

/** The rounds of a model. */
function createAutomatonRounds({ roundsMetric, roundWords, maxRounds }: Model<State>): AutomatonRounds | undefined {
  if (roundsMetric === undefined) return undefined;
  if (roundWords === undefined || roundWords * (maxRounds + 1) >= ESCAPES.from) throw new CompileLimitError('words');
  return { metric: roundsMetric, words: roundWords, maxRounds: maxRounds };
}

/**
 * Compiles the rules of a scenario.
 * @param model  which says how many words a round has, if it has rounds
 * @param budget as many steps of the model may be computed
 * @returns undefined if the scenario has rounds whose words are not told, or is too large
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

/** Why a scenario is too large, if that is what an error says. A draw of too many ways is refused by a BudgetError. */
function findExceededLimit(error: unknown): CompileFailure['because'] | undefined {
  if (error instanceof CompileLimitError) return error.because;
  return error instanceof BudgetError ? 'ways' : undefined;
}

/** Milliseconds between two pauses. */
const PAUSE_EVERY = 20;

/**
 * `compile`, with pauses between rounds in which timers and signals are heard.
 * @param signal ends it
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
