/** Whether the states of a battle count its rounds: then none of one round is one of another, and there are as many more. */
import { Sampled } from '../../core/chance/sampled.ts';
import { Stream } from '../../core/chance/stream.ts';
import type { Model, State } from '../../rules/system.ts';

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
