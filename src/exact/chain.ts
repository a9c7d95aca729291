/**
 * A model as an absorbing Markov chain: states found by walking its steps through the enumerated door,
 * transitions computed once, states of one key merged.
 */

import { Enumerated } from '../chance/enumerated.ts';
import { grouped } from '../chance/numerals.ts';
import { BudgetError } from '../errors.ts';
import type { Model, State } from '../systems/system.ts';
import { largerBudget } from './budget.ts';
import { type ChainSize, estimateSize } from './plan.ts';

export interface ChainNode {
  /** The battle is between two rounds here. */
  readonly resting: boolean;
  /** Index of the outcome if the battle is over here, else -1. */
  readonly outcome: number;
  /** The metrics if a battle ends here; the one that counts rounds holds no meaning. */
  readonly metrics: readonly number[];
}

/** Where a node leads: targets[k] with probabilities[k]; the probabilities sum to 1. */
export interface Transitions {
  readonly targets: readonly number[];
  readonly probabilities: readonly number[];
}

/** Steps after which it is worth to estimate how many there will be; estimates are rather too low than too high. */
const PLAN_AT = 20_000;

/** An estimate costs as much as some ten thousand steps: budgets below this are sooner spent. */
const PLANNED = 100_000;

/** What is kept at most, whatever the budget: together about as much memory as Node takes by default. */
const ROOM = { states: 4_000_000, transitions: 32_000_000 };

/** Walks the chain lazily: the transitions of a node are computed when they are first asked for. */
export class Chain<S extends State> {
  readonly nodes: ChainNode[] = [];
  readonly #model: Model<S>;
  readonly #budget: number;
  readonly #room: typeof ROOM;
  readonly #states: S[] = [];
  readonly #transitions: (Transitions | undefined)[] = [];
  readonly #index = new Map<string, number>();
  /** For each node its place among the targets of the node that led to it last. */
  readonly #places: number[] = [];
  readonly #door = new Enumerated();
  #steps = 0;
  /** Transitions that are kept: steps that led to one state are one. */
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

  /** Where battles begin. */
  start(): Transitions {
    return this.#follow((door) => this.#model.start(door));
  }

  /**
   * Where node `index` leads.
   * @throws BudgetError when the chain is larger than the budget
   */
  from(index: number): Transitions {
    let transitions = this.#transitions[index];
    if (transitions === undefined) {
      const state = this.#states[index] as S;
      transitions = this.#follow((door) => this.#model.step(state, door));
      this.#transitions[index] = transitions;
      this.#kept += transitions.targets.length;
      if (this.#kept > this.#room.transitions) this.#overflow();
    }
    return transitions;
  }

  #follow(act: (door: Enumerated) => S): Transitions {
    const targets: number[] = [];
    const probabilities: number[] = [];
    const door = this.#door;
    do {
      door.rewind();
      const state = act(door);
      this.#pay();
      const target = this.#intern(state);
      const place = this.#places[target] ?? 0;
      if (targets[place] === target) probabilities[place] = (probabilities[place] ?? 0) + door.probability;
      else {
        this.#places[target] = targets.length;
        targets.push(target);
        probabilities.push(door.probability);
      }
    } while (door.advance());
    return { targets, probabilities };
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
    const index = this.nodes.length;
    if (index >= this.#room.states) this.#overflow();
    const name = this.#model.outcome(state);
    this.#index.set(key, index);
    this.#states.push(state);
    this.nodes.push({
      resting: this.#model.resting(state),
      outcome: name === undefined ? -1 : this.#model.outcomes.indexOf(name),
      metrics: this.#model.measure(state),
    });
    return index;
  }

  #plan(): void {
    const size = estimateSize(this.#model);
    if (size.steps > this.#budget) this.#refuse(size);
  }

  #overflow(): never {
    const [states = '', transitions = ''] = [this.nodes.length, this.#kept].map(grouped);
    throw new BudgetError(
      `the exact answer needs more memory than it may take: ${states} states and ${transitions} transitions were found`,
    );
  }

  #refuse({ states, steps }: ChainSize): never {
    const number = (value: number): string => grouped(Number(value.toPrecision(2)));
    throw new BudgetError(
      `the exact answer needs more than the budget of ${grouped(this.#budget)} steps: ` +
        `${grouped(this.nodes.length)} states were found; about ${number(Math.max(states, this.nodes.length))} ` +
        `states and ${number(Math.max(steps, this.#steps))} steps or more are to be expected`,
      { suggested: largerBudget({ steps: this.#budget, moves: 0 }, { steps }) },
    );
  }
}
