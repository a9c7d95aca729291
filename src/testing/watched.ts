/** Plays battles step by step, with somebody who watches. */
import type { Door } from '../chance/door.ts';
import { Sampled, type Words } from '../chance/sampled.ts';
import { type BattleResult, endingAt, verdict } from '../systems/battle.ts';
import type { Model, State } from '../systems/system.ts';

/** Steps that one battle may take here. */
const BATTLE_STEPS = 200_000;

export interface Watched {
  /** Undefined if the battle was left before its end. */
  readonly result: BattleResult | undefined;
  readonly state: State;
  readonly steps: number;
}

/** Does a step: `state` is undefined at the start. */
export type Around = (state: State | undefined, act: () => State) => State;

/**
 * Plays a battle.
 * @param most   steps, after which it is left
 * @param around each step
 */
export function watch(
  model: Model<State>,
  door: Door,
  most: number = BATTLE_STEPS,
  around: Around = (_, act) => act(),
): Watched {
  let state = around(undefined, () => model.start(door));
  for (let steps = 0; ; steps++) {
    const outcome = verdict(model, state);
    if (outcome !== undefined) return { result: endingAt(model, state, outcome), state, steps };
    if (steps >= most) return { result: undefined, state, steps };
    const before = state;
    state = around(before, () => model.step(before, door));
  }
}

/** A draw that took a word, and from where in the rules it was asked. */
export interface Taken {
  readonly place: number;
  readonly from: Error;
  /** Draws that share the word: halves of it count one each. */
  readonly halves: number;
}

/** The door of the reference model with a witness of places and decisions. */
export class Witness extends Sampled {
  readonly places: Map<number, Taken>;
  readonly #seen: { halves: boolean };

  /** @param twice is told of a word that two draws take */
  constructor(stream: Words, twice: (first: Taken, second: Taken) => void) {
    const places = new Map<number, Taken>();
    const seen = { halves: false };
    const take = (place: number): void => {
      const before = places.get(place);
      const now = { place, from: new Error('a draw'), halves: seen.halves ? 1 : 2 };
      if (before === undefined) places.set(place, now);
      else if (before.halves + now.halves > 2) twice(before, now);
      else places.set(place, { ...before, halves: 2 });
    };
    let at = 0;
    super({
      seek: (place) => {
        at = place >>> 0;
        stream.seek(place);
      },
      word: () => {
        take(at++);
        return stream.word();
      },
    });
    this.places = places;
    this.#seen = seen;
  }

  override excess(...args: Parameters<Sampled['excess']>): number {
    this.#seen.halves = true;
    const excess = super.excess(...args);
    this.#seen.halves = false;
    return excess;
  }
}
