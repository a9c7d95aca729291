/**
 * Enumeration of states and paths, independent of the exact solver, which is compared with it. It also detects
 * functions that draw differently each time.
 */

import { BudgetError, type Chance } from '../core/index.ts';
import { compareResultsFrom } from '../engines/index.ts';
import {
  createBattleEnd,
  findOutcome,
  formatFew,
  formatValue,
  type Key,
  listDifferences,
  type Model,
  type State,
  serializeValue,
  serializeWithoutRound,
  unwrapState,
} from '../rules/index.ts';
import {
  addBattle,
  type Counts,
  createCountsShape,
  createEmptyCounts,
  getBattleCount,
  listValueCounts,
} from '../stats/index.ts';
import { enumeratePaths } from './enumerate-paths.ts';
import { describeError, formatPercent } from './findings.ts';

// Distribution of a scenario by enumeration of all battles, without the model's keys, chain or solver.

export interface BruteForceResult {
  /** Distribution of the finished battles. */
  readonly distribution: Counts;
  /** Rounds that were enumerated completely. */
  readonly rounds: number;
  /** True if every battle was followed to its end. */
  readonly isComplete: boolean;
}

type StateMasses = Map<string, { readonly state: State; mass: number }>;

/** Propagates battles by their complete states. */
class StateMassPropagation {
  readonly distribution: Counts;
  rounds = 0;
  #open: StateMasses = new Map();
  readonly #model: Model<State>;
  #left: number;

  constructor(model: Model<State>, ways: number) {
    this.#model = model;
    this.distribution = createEmptyCounts(createCountsShape(model));
    this.#left = ways;
  }

  /** Returns false if there were too many paths. */
  follow(): boolean {
    if (!this.#take((chance) => this.#model.start(chance), 1)) return false;
    while (this.#open.size > 0) {
      const now = [...this.#open.values()];
      this.#open = new Map();
      for (const { state, mass } of now)
        if (!this.#take((chance) => this.#model.step(state, chance), mass)) return false;
      const states = [...this.#open.values()].map(({ state }) => state);
      if (states.every((state) => this.#model.resting(state))) this.rounds = states[0]?.round ?? this.rounds + 1;
    }
    return true;
  }

  #take(act: (chance: Chance) => State, mass: number): boolean {
    for (const [state, probability] of enumeratePaths(act)) {
      if (this.#left-- <= 0) return false;
      this.#put(state, mass * probability);
    }
    return true;
  }

  #put(state: State, mass: number): void {
    const outcome = findOutcome(this.#model, state);
    if (outcome !== undefined) {
      const result = createBattleEnd(this.#model, state, outcome);
      addBattle(this.distribution, result.outcome, result.metrics, mass);
      return;
    }
    const text = serializeValue(state);
    const before = this.#open.get(text);
    if (before === undefined) this.#open.set(text, { state, mass });
    else before.mass += mass;
  }
}

/** @param ways maximum number of paths */
export function enumerateBattles(model: Model<State>, ways: number): BruteForceResult {
  const masser = new StateMassPropagation(model, ways);
  const whole = masser.follow();
  return { distribution: masser.distribution, rounds: masser.rounds, isComplete: whole };
}

// Comparison of the futures of two states, by the results of battles from them.

/** Paths to enumerate from each of two states; beyond them, battles are simulated. */
const PATHS_MAX = 20_000;

/** Share of battles that must remain open after enumeration to justify a simulation. */
const OPEN_SHARE_MIN = 0.26;

const LAW_TOLERANCE = 1e-9;

/** Shares of the battles that continue from a state, and of those not followed to their end. */
interface FutureShares {
  readonly of: Map<string, number>;
  readonly open: number;
}

function computeFutureShares(model: Model<State>): FutureShares {
  const { distribution } = enumerateBattles(model, PATHS_MAX);
  const { outcomes, metrics } = createCountsShape(model);
  const of = new Map(outcomes.map((name, o) => [`end as ${name}`, distribution.outcomes[o] ?? 0]));
  for (const [m, { name }] of metrics.entries())
    if (m !== model.roundsMetric)
      for (const [value, mass] of listValueCounts(distribution, m)) of.set(`end with ${name} ${String(value)}`, mass);
  return { of, open: Math.max(0, 1 - getBattleCount(distribution)) };
}

/** Describes a difference that holds whatever the open battles do. */
function describeShareDifference(one: FutureShares, other: FutureShares): string | undefined {
  for (const name of new Set([...one.of.keys(), ...other.of.keys()])) {
    const [p, q] = [one.of.get(name) ?? 0, other.of.get(name) ?? 0];
    if (p > q + other.open + LAW_TOLERANCE || q > p + one.open + LAW_TOLERANCE)
      return `${formatPercent(p)} of the battles from the first state ${name}, ${formatPercent(q)} from the second`;
  }
  return undefined;
}

/** Describes the difference of two futures; undefined if none is proved. */
function describeFutureDifference(model: Model<State>, one: State, state: State): string | undefined {
  const other = { ...state, round: one.round };
  const [a, b] = [one, other].map((first) => computeFutureShares({ ...model, start: () => first })) as [
    FutureShares,
    FutureShares,
  ];
  const exact = describeShareDifference(a, b);
  if (exact !== undefined || Math.max(a.open, b.open) < OPEN_SHARE_MIN) return exact;
  return compareResultsFrom(model, one, other);
}

// Exploration of a scenario's states by all paths, and check of its keys.

/** Maximum states per key to examine, and of those that differ only in the round. */
const PER_KEY = 6;
const PER_ROUND = 2;

/** Probabilities that differ by less are equal. */
const TOLERANCE = 1e-9;

/** Characters of a state that cost as much as a path. */
const CHARACTERS = 500;

/** Transitions of a state. */
interface StateTransitions {
  /** Probability by key. */
  readonly distribution: ReadonlyMap<Key, number>;
  /** False if there were too many paths. */
  readonly isComplete: boolean;
}

interface StateNode {
  readonly key: Key;
  /** First state with this key. */
  readonly state: State;
  transitions: StateTransitions | undefined;
  /** Number of rounds by the text of a state without its round. */
  readonly texts: Map<string, number>;
}

/** Two states with the same key and different futures. */
export interface KeyClash {
  readonly key: Key;
  readonly differ: string;
  readonly because: string;
}

export interface ExploredStates {
  readonly clashes: readonly KeyClash[];
  /** States that the rules changed. */
  readonly changed: readonly string[];
  /** Errors of rules, each with the state before it. */
  readonly errors: readonly { readonly state: unknown; readonly error: unknown }[];
  readonly states: number;
  readonly ways: number;
  /** True if every state of the scenario was explored. */
  readonly isComplete: boolean;
  /** True if battles can end only by the round limit. */
  readonly endless: boolean;
  /** True if some explored state has an outcome. */
  readonly ends: boolean;
}

/** Pairs of states with different next steps whose futures are compared. */
const SUSPECTS = 20;

/** True if two states lead to the same keys with the same probabilities. */
function hasSameTransitions(one: StateTransitions, other: StateTransitions): boolean {
  if (!one.isComplete || !other.isComplete) return true;
  const all = new Set([...one.distribution.keys(), ...other.distribution.keys()]);
  return [...all].every(
    (key) => Math.abs((one.distribution.get(key) ?? 0) - (other.distribution.get(key) ?? 0)) < TOLERANCE,
  );
}

class Explorer {
  readonly #model: Model<State>;
  readonly #nodes = new Map<Key, StateNode>();
  readonly #waiting: State[] = [];
  readonly #clashes: KeyClash[] = [];
  readonly #changed: string[] = [];
  readonly #errors: { state: unknown; error: unknown }[] = [];
  readonly #most: number;
  #cost = 0;
  #ways = 0;
  #suspects = 0;
  #ends = false;

  constructor(model: Model<State>, most: number) {
    this.#model = model;
    this.#most = most;
  }

  explore(): ExploredStates {
    this.#lead(undefined, (chance) => this.#model.start(chance));
    for (
      let state = this.#waiting.shift();
      state !== undefined && !this.#isBudgetSpent();
      state = this.#waiting.shift()
    )
      this.#visit(state);
    const whole = !this.#isBudgetSpent() && this.#errors.length === 0;
    return {
      clashes: this.#clashes,
      changed: this.#changed,
      errors: this.#errors,
      states: this.#nodes.size,
      ways: this.#ways,
      isComplete: whole,
      endless: whole && !this.#ends,
      ends: this.#ends,
    };
  }

  #isBudgetSpent(): boolean {
    return this.#cost > this.#most;
  }

  /** Records a state; a new one is visited later. */
  #recordState(state: State): Key {
    const key = this.#model.key(state);
    const text = serializeWithoutRound(state);
    this.#ends ||= this.#model.outcome(state) !== undefined;
    this.#cost += text.length / CHARACTERS;
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = { key, state, transitions: undefined, texts: new Map() };
      this.#nodes.set(key, node);
    }
    const rounds = node.texts.get(text);
    if (rounds === undefined ? node.texts.size >= PER_KEY : rounds >= PER_ROUND) return key;
    node.texts.set(text, (rounds ?? 0) + 1);
    this.#waiting.push(state);
    return key;
  }

  #visit(state: State): void {
    const node = this.#nodes.get(this.#model.key(state));
    if (node === undefined) return;
    const over = this.#model.outcome(state) !== undefined;
    const none: StateTransitions = { distribution: new Map(), isComplete: true };
    const leads = over ? none : this.#lead(state, (chance) => this.#model.step(state, chance));
    if (node.transitions === undefined) node.transitions = leads;
    else if (this.#clashes.length === 0) this.#compare(node, node.transitions, state, leads);
  }

  #lead(state: State | undefined, act: (chance: Chance) => State): StateTransitions {
    const distribution = new Map<Key, number>();
    const before = serializeValue(state);
    try {
      for (const [next, probability] of enumeratePaths(act)) {
        this.#ways++;
        this.#cost++;
        const key = this.#recordState(next);
        distribution.set(key, (distribution.get(key) ?? 0) + probability);
        if (this.#isBudgetSpent()) return { distribution, isComplete: false };
      }
    } catch (error) {
      // Too many paths are not an error of the rules.
      if (!(error instanceof BudgetError)) this.#errors.push({ state: unwrapState(state), error });
      return { distribution, isComplete: false };
    }
    if (state !== undefined && serializeValue(state) !== before) this.#changed.push(formatValue(unwrapState(state)));
    return { distribution, isComplete: true };
  }

  /** Compares the transitions of a state with those of the first state with its key. */
  #compare(node: StateNode, first: StateTransitions, state: State, leads: StateTransitions): void {
    if (hasSameTransitions(first, leads) && this.#haveEqualEnds(node.state, state)) return;
    if (this.#suspects++ >= SUSPECTS) return;
    const because = describeFutureDifference(this.#model, node.state, state);
    if (because === undefined) return;
    const [one, other] = [unwrapState(node.state), unwrapState(state)];
    this.#clashes.push({ key: node.key, differ: formatFew(listDifferences(one, other)), because });
  }

  #haveEqualEnds(one: State, other: State): boolean {
    const model = this.#model;
    if (model.outcome(one) !== model.outcome(other)) return false;
    if (model.outcome(one) === undefined) return true;
    const [a, b] = [model.measure(one), model.measure(other)];
    return a.every((value, m) => m === model.roundsMetric || value === b[m]);
  }
}

const exploredModels = new WeakMap<Model<State>, ExploredStates>();

/**
 * Explores a scenario.
 * @param most maximum number of paths
 */
export function explore(model: Model<State>, most: number): ExploredStates {
  let found = exploredModels.get(model);
  if (found === undefined) {
    found = new Explorer(model, most).explore();
    exploredModels.set(model, found);
  }
  return found;
}

/** Describes the first error of an exploration, with the state before it. */
export function describeFirstError({ errors: [first] }: ExploredStates): string | undefined {
  if (first === undefined) return undefined;
  const from = first.state === undefined ? 'at the start' : `from the state ${formatValue(first.state)}`;
  return `${from}: ${describeError(first.error)}`;
}
