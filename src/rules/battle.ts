/** Plays one battle of a model: the loop that all systems share. */
import { type Door, grouped, RulesError } from '../core/index.ts';
import type { Key, Model, State } from './system.ts';

/** How a battle ended. */
export interface BattleResult {
  /** Index among the model's outcomes. */
  readonly outcome: number;
  /** Values of the metrics, in the model's order, in their integer units. */
  readonly metrics: readonly number[];
}

/** Steps that a round can have. */
const STEPS_MAX = 1_000_000;

/** The outcome of a battle that is not over when its rounds are. */
export const lastOutcome = ({ outOfRounds = 'stalemate' }: Pick<Model<never>, 'outOfRounds'>): string => outOfRounds;

/** The outcome of a battle that has come to `state`, if it is over there. */
export function verdict<S extends State>(model: Model<S>, state: S): string | undefined {
  const outcome = model.outcome(state);
  if (outcome !== undefined) return outcome;
  return model.resting(state) && state.round >= model.maxRounds ? lastOutcome(model) : undefined;
}

/**
 * The ending of a battle that is over.
 * @throws RulesError if the outcome is none of the model's, or a metric is not as it was declared
 */
export function endingAt<S extends State>(model: Model<S>, state: S, name: string): BattleResult {
  const outcome = model.outcomes.indexOf(name);
  if (outcome < 0) throw new RulesError(`the outcome "${name}" is none of ${model.outcomes.join(', ')}`);
  const metrics = model.measure(state);
  for (const [m, { name: metric, min, max }] of model.metrics.entries()) {
    const value = metrics[m];
    if (value !== undefined && Number.isInteger(value) && value >= min && value <= max) continue;
    const range = `an integer ${String(min)}..${String(max)}`;
    throw new RulesError(`the metric "${metric}" is declared as ${range}, but a battle ended with ${String(value)}`);
  }
  return { outcome, metrics };
}

/**
 * Plays a battle to its end.
 * @throws RulesError if a round does not end, or the battle ends as none can
 */
export function playBattle<S extends State>(model: Model<S>, door: Door): BattleResult {
  let state = model.start(door);
  for (let [steps, round] = [0, state.round]; ; steps++) {
    const outcome = verdict(model, state);
    if (outcome !== undefined) return endingAt(model, state, outcome);
    if (state.round !== round) [steps, round] = [0, state.round];
    if (steps > STEPS_MAX) throw new RulesError(`round ${String(round)} has more than ${String(STEPS_MAX)} steps`);
    state = model.step(state, door);
  }
}

// Names of lists of numbers, and the room that names of states may take.

/** Before the digits of a list that has a number without a character of its own. */
const DIGITS = 0xffff;

/**
 * Tells lists of whole numbers apart: a character for each number from 0 to 65534. It takes a quarter of the time of
 * `join`, and its texts are shorter.
 */
export function keyOf(numbers: readonly number[]): string {
  for (const number of numbers) {
    if ((number & DIGITS) !== number || number === DIGITS) return `${String.fromCharCode(DIGITS)}${numbers.join()}`;
  }
  return String.fromCharCode(...numbers);
}

/** Characters that the keys of a walk may have in all: states that grow at every step would fill any memory. */
const ROOM = 2 ** 28;

/** The keys that a walk holds. */
export class KeyRoom {
  #left: number;

  constructor(room: number = ROOM) {
    this.#left = room;
  }

  /** Takes up a new key. @returns what is to be said if there is no room for it */
  take(key: Key): string | undefined {
    if (typeof key === 'number') return undefined;
    this.#left -= key.length;
    if (this.#left >= 0) return undefined;
    return `the last one has a key of ${grouped(key.length)} characters; do states grow from step to step?`;
  }
}

// Plays battles step by step, with somebody who watches.

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
