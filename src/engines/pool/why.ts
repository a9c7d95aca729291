/** Why rules are played as they are written: what exploring them would take, and what their author can do about it. */
import { grouped, Sampled, Stream } from '../../core/index.ts';
import type { Model, Opened, State } from '../../rules/index.ts';
import { type Allowance, FULL_BUDGET, type NotCompiled } from '../exact/budget.ts';

// Whether the states of a battle count its rounds: then none of one round is one of another, and there are as many more.

/** Battles and states that are looked at. */
const LOOKED = { battles: 20, states: 2000 };

type Path = readonly string[];

/** The whole numbers of a state by their paths. */
function* numbersOf(value: unknown, path: Path = []): Generator<[name: string, path: Path, number: number]> {
  if (typeof value === 'number' && Number.isInteger(value)) yield [path.join('.'), path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* numbersOf(inner, [...path, name]);
}

/** A state with one more at a path. */
function advanced(value: unknown, [name, ...path]: Path): unknown {
  if (name === undefined) return (value as number) + 1;
  const whole = value as Readonly<Record<string, unknown>>;
  const inner = advanced(whole[name], path);
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...whole, [name]: inner };
}

/** States between two rounds. */
function* restingStates({ model }: { readonly model: Model<State> }): Generator<State> {
  let states = 0;
  for (let battle = 0; battle < LOOKED.battles && states < LOOKED.states; battle++) {
    const door = new Sampled(Stream.of(1n, battle));
    let state = model.start(door);
    while (model.outcome(state) === undefined && state.round <= model.maxRounds && states++ < LOOKED.states) {
      if (model.resting(state)) yield state;
      state = model.step(state, door);
    }
  }
}

/** The fields that are always as far from the number of the round as in the first state. */
function countersOf(states: readonly State[]): Path[] {
  const [first] = states;
  const apart = new Map([...numbersOf(first)].map(([name, path, number]) => [name, { path, number }]));
  apart.delete('round');
  apart.delete('phase');
  for (const state of states) {
    const found = new Map([...numbersOf(state)].map(([name, , number]) => [name, number]));
    for (const [name, { number }] of apart)
      if (found.get(name) !== number + state.round - (first?.round ?? 0)) apart.delete(name);
  }
  return [...apart.values()].map(({ path }) => path);
}

/**
 * The field of a battle's states that counts its rounds, as the author of the rules calls it: it is always as far from the
 * number of the round, and states that differ in it alone have different keys.
 * @returns undefined if there is none, or battles have too few rounds to tell
 */
export function roundCounter(open: { readonly model: Model<State> }): string | undefined {
  const states = [...restingStates(open)];
  const [first] = states;
  if (first === undefined || new Set(states.map(({ round }) => round)).size < 3) return undefined;
  const { model } = open;
  const path = countersOf(states).find((each) => model.key(advanced(first, each) as State) !== model.key(first));
  // The states of users lie below `at`.
  return path?.slice(path[0] === 'at' && path.length > 1 ? 1 : 0).join('.');
}

/** A time, for people. */
export const about = (seconds: number): string => `about ${grouped(Number(seconds.toPrecision(2)))} s`;

/** How many steps there are. */
export const sizeOf = ({ steps }: NotCompiled): string => `at least ${grouped(steps)} steps`;

type Rules = Pick<Opened, 'model'>;

/** Why rules are played as written. */
export function whyNot(found: NotCompiled, open: Rules, allowed?: Allowance): string {
  const { because, steps, seconds } = found;
  switch (because) {
    case 'seconds': {
      const due = allowed?.seconds?.() ?? 0;
      const asked = 'the engine automaton explores them all the same';
      return `exploring ${sizeOf(found)} (${about(seconds)} or more) would take longer than these battles (${about(due)}); ${asked}${hint(open, due)}`;
    }
    case 'steps': {
      const budget = steps > FULL_BUDGET.steps ? ` with a budget of ${grouped(2 * steps)}` : '';
      const asked = `the engine automaton explores them${budget} (${about(seconds)} or more)`;
      return `${sizeOf(found)} are more than the ${grouped(allowed?.steps ?? 0)} that are explored unasked; ${asked}${hint(open)}`;
    }
    case 'keys':
      return 'the keys of its states take more memory than they may';
    case 'ways':
      return 'a draw has more ways than can be followed';
    case 'signal':
      return 'stopped before the rules were explored';
    case 'words':
      return 'the rounds have more words than an automaton can count, or do not tell how many';
    case 'draws':
      return 'more draws may follow each other in a round than an automaton can hold';
  }
}

/** Seconds that battles by the rules take before it is looked at why there are so many states. */
const WORTH_A_HINT = 0.2;

/** What authors can do about it, where it is worth the time to look. */
function hint(open: Rules, seconds = Number.POSITIVE_INFINITY): string {
  if (seconds < WORTH_A_HINT) return '';
  const field = roundCounter(open);
  if (field === undefined) return '';
  return `; its states count the rounds (${field}), so that none comes twice: rounds are counted anyhow`;
}
