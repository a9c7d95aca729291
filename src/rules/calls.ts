/** Calls of rules of one's own, so that a thread that looks after this one sees which of them does not end. */
import { enter, leave } from '#platform/pulse';
import type { CallKind } from '../core/platform/calls.ts';
import type { Model, State } from './system.ts';

/** Calls something of a system of one's own. */
export function watchedCall<T>(kind: CallKind, whose: string, act: () => T): T {
  enter(kind, whose);
  try {
    return act();
  } finally {
    leave();
  }
}

/** Takes the round that a state belongs to, and its phase, from 0 on. */
function placeOf(state: State): readonly [round: number, phase: number] {
  const { round, phase = 0 } = state as State & { readonly phase?: number };
  return [phase === 0 ? round + 1 : round, phase];
}

const watched = new WeakSet<object>();

/** A model of a system of one's own, each of whose calls can be seen by another thread. */
export function watchedModel<S extends State>(model: Model<S>, whose: string): Model<S> {
  if (watched.has(model)) return model;
  const seen: Model<S> = {
    ...model,
    start: (door) => watchedCall('start', whose, () => model.start(door)),
    step(state, door) {
      const [round, phase] = placeOf(state);
      enter('step', whose, round, phase);
      try {
        return model.step(state, door);
      } finally {
        leave();
      }
    },
    outcome: (state) => watchedCall('outcome', whose, () => model.outcome(state)),
    measure: (state) => watchedCall('measure', whose, () => model.measure(state)),
    key: (state) => watchedCall('key', whose, () => model.key(state)),
  };
  watched.add(seen);
  return seen;
}
