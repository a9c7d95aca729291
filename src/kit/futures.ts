/** Whether two states have the same future, by what battles that go on from them come to. */

import { battlesIn, shapeOf, valueCounts } from '../answers/tally.ts';
import { Sampled } from '../core/chance/sampled.ts';
import { Stream } from '../core/chance/stream.ts';
import { watch } from '../rules/battle.ts';
import type { Model, State } from '../rules/system.ts';
import { bruteLaw } from './brute.ts';
import { percent } from './telling.ts';

/** Ways that are taken from each of two states; beyond, battles are played. */
const WAYS = 20_000;

const BATTLES = 1000;
const STEPS = 400;

/** Shares of so many battles differ by more than this once in ten million times at most, if they are one. */
const APART = 0.13;

const LAW_TOLERANCE = 1e-9;

/** Shares of the battles that go on from a state, and of those that were not followed to their end. */
interface Shares {
  readonly of: Map<string, number>;
  readonly open: number;
}

function exactly(model: Model<State>): Shares {
  const { law } = bruteLaw(model, WAYS);
  const { outcomes, metrics } = shapeOf(model);
  const of = new Map(outcomes.map((name, o) => [`end as ${name}`, law.outcomes[o] ?? 0]));
  for (const [m, { name }] of metrics.entries())
    if (m !== model.roundsMetric)
      for (const [value, mass] of valueCounts(law, m)) of.set(`end with ${name} ${String(value)}`, mass);
  return { of, open: Math.max(0, 1 - battlesIn(law)) };
}

function byPlaying(model: Model<State>, seed: bigint): Shares {
  const of = new Map<string, number>();
  for (let battle = 0; battle < BATTLES; battle++) {
    const { result } = watch(model, new Sampled(Stream.of(seed, battle)), STEPS);
    const name = result === undefined ? 'go on' : `end as ${model.outcomes[result.outcome] ?? ''}`;
    of.set(name, (of.get(name) ?? 0) + 1 / BATTLES);
  }
  return { of, open: 0 };
}

/** What one has more than the other, whatever becomes of the battles that were not followed. */
function apart(one: Shares, other: Shares, limit: number): string | undefined {
  for (const name of new Set([...one.of.keys(), ...other.of.keys()])) {
    const [p, q] = [one.of.get(name) ?? 0, other.of.get(name) ?? 0];
    if (p > q + other.open + limit || q > p + one.open + limit)
      return `${percent(p)} of the battles from the first ${name}, ${percent(q)} from the second`;
  }
  return undefined;
}

/** What differs, in words; undefined if nothing is shown to differ. */
export function futuresDiffer(model: Model<State>, one: State, other: State): string | undefined {
  const from = (state: State): Model<State> => ({ ...model, start: () => ({ ...state, round: one.round }) });
  const [a, b] = [exactly(from(one)), exactly(from(other))];
  const exact = apart(a, b, LAW_TOLERANCE);
  if (exact !== undefined || Math.max(a.open, b.open) < 2 * APART) return exact;
  return apart(byPlaying(from(one), 1n), byPlaying(from(other), 2n), APART);
}
