/**
 * A model as an absorbing Markov chain: states found by walking its steps through the enumerated door, transitions
 * computed when they are asked for, states of one key merged. Who asks keeps them.
 */

import { Enumerated } from '../../core/chance/enumerated.ts';
import { grouped } from '../../core/chance/numerals.ts';
import { BudgetError } from '../../core/errors.ts';
import { type BattleResult, KeyRoom } from '../../rules/battle.ts';
import type { Key, Model, State } from '../../rules/system.ts';
import { largerBudget } from './budget.ts';
import { KIND } from './layout.ts';
import { type ChainSize, estimateSize, PLAN_AT, PLANNED, tellSize } from './plan.ts';

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
