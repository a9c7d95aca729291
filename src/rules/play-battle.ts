/** Simulates one battle of a model: the loop that all systems share. */
import { type Chance, formatGrouped, RulesError } from '../core/index.ts';
import type { Key, Metric, Model, State } from './system.ts';

/** Result of a battle. */
export interface BattleEnd {
  /** Index among the model's outcomes. */
  readonly outcome: number;
  /** Values of the metrics, in the model's order, in their integer units. */
  readonly metrics: readonly number[];
}

/** Maximum number of steps of a round. */
const STEPS_MAX = 1_000_000;

/** Returns the outcome at the round limit. */
export const getRoundLimitOutcome = ({ atRoundLimit = 'stalemate' }: Pick<Model<never>, 'atRoundLimit'>): string =>
  atRoundLimit;

/** Returns the outcome of a battle in `state`; undefined if it is not over. */
export function findOutcome<S extends State>(model: Model<S>, state: S): string | undefined {
  const outcome = model.outcome(state);
  if (outcome !== undefined) return outcome;
  return model.resting(state) && state.round >= model.maxRounds ? getRoundLimitOutcome(model) : undefined;
}

/**
 * Creates the result of a finished battle.
 * @throws RulesError if the outcome is not declared, or a metric is out of its range
 */
export function createBattleEnd<S extends State>(model: Model<S>, state: S, name: string): BattleEnd {
  const outcome = model.outcomes.indexOf(name);
  if (outcome < 0) throw new RulesError(`the outcome "${name}" is not one of ${model.outcomes.join(', ')}`);
  const metrics = model.measure(state);
  for (let m = 0; m < model.metrics.length; m++) {
    const { name: metric, min, max } = model.metrics[m] as Metric;
    const value = metrics[m];
    if (value !== undefined && Number.isInteger(value) && value >= min && value <= max) continue;
    const range = `an integer ${String(min)}..${String(max)}`;
    throw new RulesError(`the metric "${metric}" is declared as ${range}, but a battle ended with ${String(value)}`);
  }
  return { outcome, metrics };
}

/**
 * Simulates a battle.
 * @throws RulesError if a round does not end, or the result is invalid
 */
export function playBattle<S extends State>(model: Model<S>, chance: Chance): BattleEnd {
  let state = model.start(chance);
  let steps = 0;
  for (;;) {
    const outcome = findOutcome(model, state);
    if (outcome !== undefined) return createBattleEnd(model, state, outcome);
    const { round } = state;
    if (steps > STEPS_MAX) throw new RulesError(`round ${String(round)} has more than ${String(STEPS_MAX)} steps`);
    state = model.step(state, chance);
    steps = state.round === round ? steps + 1 : 0;
  }
}

// Keys of lists of numbers, and the memory limit of keys.

/** Prefix of the digits of a number that exceeds a character. */
const DIGITS_MARK = 0xffff;

/**
 * Encodes a list of whole numbers as a unique key: one character for each number from 0 to 65534. It takes a quarter of
 * the time of `join`, and the texts are shorter.
 */
export function encodeKey(numbers: readonly number[]): string {
  for (const number of numbers) {
    if ((number & DIGITS_MARK) !== number || number === DIGITS_MARK)
      return `${String.fromCharCode(DIGITS_MARK)}${numbers.join()}`;
  }
  return String.fromCharCode(...numbers);
}

/** Maximum number of characters of all keys of an exploration: states that grow in every step would exhaust memory. */
const KEY_CHARACTERS_MAX = 2 ** 28;

/** Memory of the keys of an exploration. */
export class KeyBudget {
  #left: number;

  constructor(room: number = KEY_CHARACTERS_MAX) {
    this.#left = room;
  }

  /** Counts a new key. @returns a message if the memory limit is exceeded */
  spend(key: Key): string | undefined {
    if (typeof key === 'number') return undefined;
    this.#left -= key.length;
    if (this.#left >= 0) return undefined;
    return `the last one has a key of ${formatGrouped(key.length)} characters; does the state grow in each step?`;
  }
}

// Simulates battles step by step, with an observer.

/** Maximum number of steps of a battle here. */
const BATTLE_STEPS = 200_000;

export interface TracedBattle {
  /** Undefined if the battle was abandoned. */
  readonly result: BattleEnd | undefined;
  readonly state: State;
  readonly steps: number;
}

/** Wraps a step: `state` is undefined at the start. */
export type StepWrapper = (state: State | undefined, act: () => State) => State;

/**
 * Simulates a battle.
 * @param most maximum number of steps
 * @param around wraps each step
 */
export function traceBattle(
  model: Model<State>,
  chance: Chance,
  most: number = BATTLE_STEPS,
  around: StepWrapper = (_, act) => act(),
): TracedBattle {
  let state = around(undefined, () => model.start(chance));
  for (let steps = 0; ; steps++) {
    const outcome = findOutcome(model, state);
    if (outcome !== undefined) return { result: createBattleEnd(model, state, outcome), state, steps };
    if (steps >= most) return { result: undefined, state, steps };
    const before = state;
    state = around(before, () => model.step(before, chance));
  }
}
