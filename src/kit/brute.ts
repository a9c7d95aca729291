/** The law of a scenario by taking every way of every battle: no key of the model, no chain, no solver of this package. */

import { countBattle, emptyTally, shapeOf, type Tally } from '../answers/tally.ts';
import type { Door } from '../core/chance/door.ts';
import { endingAt, verdict } from '../rules/battle.ts';
import { textOf } from '../rules/own/states.ts';
import type { Model, State } from '../rules/system.ts';
import { waysOf } from './branching.ts';

export interface Brute {
  /** Of the battles that have ended. */
  readonly law: Tally;
  /** Rounds of which every way was taken. */
  readonly rounds: number;
  /** True if every battle was followed to its end. */
  readonly whole: boolean;
}

type Masses = Map<string, { readonly state: State; mass: number }>;

/** Battles that have come to the same, told apart by all that their states hold. */
class Masser {
  readonly law: Tally;
  rounds = 0;
  #open: Masses = new Map();
  readonly #model: Model<State>;
  #left: number;

  constructor(model: Model<State>, ways: number) {
    this.#model = model;
    this.law = emptyTally(shapeOf(model));
    this.#left = ways;
  }

  /** Returns false if there were more ways than could be taken. */
  follow(): boolean {
    if (!this.#take((door) => this.#model.start(door), 1)) return false;
    while (this.#open.size > 0) {
      const now = [...this.#open.values()];
      this.#open = new Map();
      for (const { state, mass } of now) if (!this.#take((door) => this.#model.step(state, door), mass)) return false;
      const states = [...this.#open.values()].map(({ state }) => state);
      if (states.every((state) => this.#model.resting(state))) this.rounds = states[0]?.round ?? this.rounds + 1;
    }
    return true;
  }

  #take(act: (door: Door) => State, mass: number): boolean {
    for (const [state, probability] of waysOf(act)) {
      if (this.#left-- <= 0) return false;
      this.#put(state, mass * probability);
    }
    return true;
  }

  #put(state: State, mass: number): void {
    const outcome = verdict(this.#model, state);
    if (outcome !== undefined) {
      const ending = endingAt(this.#model, state, outcome);
      countBattle(this.law, ending.outcome, ending.metrics, mass);
      return;
    }
    const text = textOf(state);
    const before = this.#open.get(text);
    if (before === undefined) this.#open.set(text, { state, mass });
    else before.mass += mass;
  }
}

/** @param ways that may be taken */
export function bruteLaw(model: Model<State>, ways: number): Brute {
  const masser = new Masser(model, ways);
  const whole = masser.follow();
  return { law: masser.law, rounds: masser.rounds, whole };
}
