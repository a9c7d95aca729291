/**
 * How large a chain will be, before it is walked: battles are played, and from how many states they came to
 * once or twice only follows a lower bound of how many there are (A. Chao 1984). The steps of some of these
 * states are counted out.
 */

import { branches, Enumerated } from '../../core/chance/enumerated.ts';
import { grouped } from '../../core/chance/numerals.ts';
import { Sampled } from '../../core/chance/sampled.ts';
import { Stream } from '../../core/chance/stream.ts';
import { BudgetError } from '../../core/errors.ts';
import { type BattleResult, KeyRoom } from '../../rules/battle.ts';
import type { Key, Model, State } from '../../rules/system.ts';
import { type ExactBudget, largerBudget } from './budget.ts';
import { KIND } from './layout.ts';

export interface ChainSize {
  /** States to be expected, rather too few than too many. */
  readonly states: number;
  /** Steps (transitions before merging) to be expected. */
  readonly steps: number;
}

/** Steps after which it is worth to estimate how many there will be; estimates are rather too low than too high. */
export const PLAN_AT = 20_000;

/** An estimate costs as much as some ten thousand steps: budgets below this are sooner spent. */
export const PLANNED = 100_000;

/** The same battles at every time: an estimate depends on the model alone. */
const SEED = 0x5a11n;

const BATTLES = 1000;

/** States that are looked at in all battles together. */
const VISITS = 20_000;

/** States whose steps are counted out, and to how many. */
const SAMPLE = 40;
const BRANCHES = 1000;

interface Seen<S> {
  readonly state: S;
  times: number;
}

function visited<S extends State>(model: Model<S>): Map<Key, Seen<S>> {
  const seen = new Map<Key, Seen<S>>();
  let visits = 0;
  for (let battle = 0; battle < BATTLES && visits < VISITS; battle++) {
    const door = new Sampled(Stream.of(SEED, battle));
    let state = model.start(door);
    while (model.outcome(state) === undefined && state.round <= model.maxRounds && visits < VISITS) {
      const key = model.key(state);
      const known = seen.get(key);
      if (known === undefined) seen.set(key, { state, times: 1 });
      else known.times++;
      visits++;
      state = model.step(state, door);
    }
  }
  return seen;
}

function stepsFrom<S extends State>(model: Model<S>, state: S): number {
  let steps = 0;
  for (const _ of branches((door) => model.step(state, door))) if (++steps >= BRANCHES) break;
  return steps;
}

/** Estimates the size of a model's chain. */
export function estimateSize<S extends State>(model: Model<S>): ChainSize {
  const seen = [...visited(model).values()];
  const [once = 0, twice = 0] = [1, 2].map((times) => seen.filter((each) => each.times === times).length);
  const states = seen.length + (once * (once - 1)) / (2 * (twice + 1));
  const stride = Math.max(1, Math.floor(seen.length / SAMPLE));
  const sample = seen.filter((_, k) => k % stride === 0);
  const steps = sample.reduce((sum, { state }) => sum + stepsFrom(model, state), 0);
  return { states: Math.round(states), steps: Math.round((states * steps) / Math.max(1, sample.length)) };
}

/** `about 24 000 states and 1 400 000 steps or more are to be expected` */
export function tellSize({ states, steps }: ChainSize): string {
  const [found, taken] = [states, steps].map((value) => grouped(Number(value.toPrecision(2))));
  return `about ${found ?? ''} states and ${taken ?? ''} steps or more are to be expected`;
}

// A model as an absorbing Markov chain: states found by walking its steps through the enumerated door, transitions
// computed when they are asked for, states of one key merged. Who asks keeps them.

/** What is kept at most, whatever the budget: a node takes 48 bytes of the engine, a transition 12. */
const ROOM = { states: 4_000_000, transitions: 32_000_000 };

/** Where a node leads: to targets[k] with probabilities[k], 0 <= k < length; the probabilities sum to 1. */
export class Transitions {
  length = 0;
  targets: Uint32Array = new Uint32Array(64);
  probabilities: Float64Array = new Float64Array(64);

  add(target: number, probability: number): void {
    if (this.length === this.targets.length) this.#grow();
    this.targets[this.length] = target;
    this.probabilities[this.length++] = probability;
  }

  /** Two ways to the same node are one. */
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

/** Explores the chain. */
export class Chain<S extends State> {
  /** By node, in the order in which they were found. */
  readonly kinds: number[] = [];
  readonly #states: S[] = [];
  /** By node, index of the outcome; -1 where the battle is not over. */
  readonly #outcomes: number[] = [];
  readonly #model: Model<S>;
  readonly #budget: number;
  readonly #room: typeof ROOM;
  readonly #index = new Map<Key, number>();
  readonly #keys = new KeyRoom();
  /** For each node its place among the targets of the node that led to it last. */
  readonly #places: number[] = [];
  readonly #door = new Enumerated();
  readonly #transitions = new Transitions();
  #steps = 0;
  #kept = 0;

  /**
   * @param model  the rules of the scenario
   * @param budget as many steps may be computed
   * @param room   as many states and transitions may be kept
   */
  constructor(model: Model<S>, budget: number, room = ROOM) {
    this.#model = model;
    this.#room = room;
    this.#budget = budget;
  }

  /** Steps computed so far: the transitions before merging. */
  get steps(): number {
    return this.#steps;
  }

  /** Transitions that were asked for: steps that lead to one state are one. */
  get transitions(): number {
    return this.#kept;
  }

  /** Nodes found so far. */
  get size(): number {
    return this.kinds.length;
  }

  /** Where battles begin. What is returned holds until the next call. */
  start(): Transitions {
    return this.#follow((door) => this.#model.start(door));
  }

  /**
   * Where a node leads; asked once of each. What is returned holds until the next call.
   * @throws BudgetError when the chain is larger than the budget
   */
  from(node: number): Transitions {
    const state = this.#states[node] as S;
    const transitions = this.#follow((door) => this.#model.step(state, door));
    this.#kept += transitions.length;
    if (this.#kept > this.#room.transitions) this.overflow();
    return transitions;
  }

  /** How a battle ends at a node; the metric that counts rounds holds no meaning. The outcome is -1 if it is not over. */
  ending(node: number): BattleResult {
    return { outcome: this.#outcomes[node] ?? -1, metrics: this.#model.measure(this.#states[node] as S) };
  }

  /** Refuses for want of memory. @param why more of it */
  overflow(why?: string): never {
    const [states = '', transitions = ''] = [this.size, this.#kept].map(grouped);
    throw new BudgetError(
      `the exact answer needs more memory than it may take: ${states} states and ${transitions} transitions ` +
        `were found${why === undefined ? '' : `; ${why}`}`,
    );
  }

  #follow(act: (door: Enumerated) => S): Transitions {
    const [door, found] = [this.#door, this.#transitions];
    found.length = 0;
    do {
      door.rewind();
      const state = act(door);
      this.#pay();
      const target = this.#intern(state);
      const place = this.#places[target] ?? 0;
      if (place < found.length && found.targets[place] === target) found.raise(place, door.probability);
      else {
        this.#places[target] = found.length;
        found.add(target, door.probability);
      }
    } while (door.advance());
    return found;
  }

  /** Counts a step. */
  #pay(): void {
    this.#steps++;
    if (this.#steps === PLAN_AT && this.#budget >= PLANNED) this.#plan();
    if (this.#steps > this.#budget) this.#refuse(estimateSize(this.#model));
  }

  #intern(state: S): number {
    const key = this.#model.key(state);
    const found = this.#index.get(key);
    if (found !== undefined) return found;
    const node = this.size;
    const full = this.#keys.take(key);
    if (node >= this.#room.states || full !== undefined) this.overflow(full);
    this.#index.set(key, node);
    this.#model.keep?.(state);
    this.#states.push(state);
    this.#places.push(0);
    const name = this.#model.outcome(state);
    this.#outcomes.push(name === undefined ? -1 : this.#model.outcomes.indexOf(name));
    this.kinds.push(name !== undefined ? KIND.over : this.#model.resting(state) ? KIND.resting : KIND.within);
    return node;
  }

  #plan(): void {
    const size = estimateSize(this.#model);
    if (size.steps > this.#budget) this.#refuse(size);
  }

  #refuse({ states, steps }: ChainSize): never {
    const size = { states: Math.max(states, this.size), steps: Math.max(steps, this.#steps) };
    throw new BudgetError(
      `the exact answer needs more than the budget of ${grouped(this.#budget)} steps: ` +
        `${grouped(this.size)} states were found; ${tellSize(size)}`,
      { suggested: largerBudget({ steps: this.#budget, moves: 0 }, { steps }) },
    );
  }
}

// The whole chain of a small model, as other programs take it: one state in which battles begin, all others after it.

/** What a graph may have at most: files of some ten megabytes. */
const GRAPH_MAX = { states: 100_000, transitions: 1_000_000 };

/** A state of a chain. */
export interface GraphNode {
  /** Index of the outcome; -1 where the battle is not over. */
  readonly outcome: number;
  /** By metric; the one that counts rounds holds no meaning. */
  readonly metrics: readonly number[];
  /** Rounds that begin when it is left, on average: 1 between two rounds, else 0. */
  readonly rounds: number;
  /** [state, probability] by ascending state; a battle that is over stays where it is. */
  readonly to: readonly (readonly [target: number, probability: number])[];
}

export interface Graph {
  /** In the order in which they were found; a beginning that is drawn comes last. */
  readonly nodes: readonly GraphNode[];
  readonly first: number;
  readonly transitions: number;
}

const copied = ({ length, targets, probabilities }: Transitions): [number, number][] =>
  Array.from({ length }, (_, k): [number, number] => [targets[k] ?? 0, probabilities[k] ?? 0]).sort(
    ([a], [b]) => a - b,
  );

function checkSize(states: number, transitions: number, most: typeof GRAPH_MAX): void {
  if (states <= most.states && transitions <= most.transitions) return;
  throw new BudgetError(
    `a chain of at most ${grouped(most.states)} states and ${grouped(most.transitions)} transitions is written: ` +
      `${grouped(states)} states and ${grouped(transitions)} transitions were found, and there are more`,
  );
}

/**
 * All states that a model can come to, whatever its limit of rounds.
 * @throws BudgetError if they are more than the budget allows to explore, or than a graph may have
 */
export function graphOf<S extends State>(model: Model<S>, { steps }: ExactBudget, most = GRAPH_MAX): Graph {
  const chain = new Chain(model, steps);
  const start = copied(chain.start());
  const nodes: GraphNode[] = [];
  let transitions = 0;
  // Nodes are found while others are explored.
  for (let node = 0; node < chain.size; node++) {
    const kind = chain.kinds[node];
    const to: [number, number][] = kind === KIND.over ? [[node, 1]] : copied(chain.from(node));
    transitions += to.length;
    checkSize(chain.size, transitions, most);
    nodes.push({ ...chain.ending(node), rounds: Number(kind === KIND.resting), to });
  }
  if (start.length === 1 && chain.kinds[0] !== KIND.within) return { nodes, first: 0, transitions };
  // A battle that begins within a round begins its first round at once.
  const rounds = start.reduce((sum, [node, p]) => (chain.kinds[node] === KIND.within ? sum + p : sum), 0);
  nodes.push({ outcome: -1, metrics: model.metrics.map(({ min }) => min), rounds, to: start });
  return { nodes, first: nodes.length - 1, transitions: transitions + start.length };
}
