/**
 * How large a chain will be, before it is walked: battles are played, and from how many states they came to
 * once or twice only follows a lower bound of how many there are (A. Chao 1984). The steps of some of these
 * states are counted out. What battles come to rarely they hardly show: src/engines/exact/ahead.ts looks from where a walk is.
 */
import { branches, Sampled, Stream } from '../../core/index.ts';
import type { Key, Model, State } from '../../rules/index.ts';

export interface ChainSize {
  /** States to be expected, rather too few than too many. */
  readonly states: number;
  /** Steps (transitions before merging) to be expected. */
  readonly steps: number;
}

/** What battles show of a chain. */
interface Played extends ChainSize {
  /** The last round that some of them came to. */
  readonly rounds: number;
}

/** Steps after which it is worth to estimate how many there will be; estimates are rather too low than too high. */
export const PLAN_AT = 20_000;

/** An estimate costs as much as some ten thousand steps: budgets below this are sooner spent. */
export const PLANNED = 100_000;

/** The same battles at every time: an estimate depends on the model alone. */
const SEED = 0x5a11n;

const BATTLES = 1000;

/** States that are looked at in all battles together. */
const VISITS = 20_000;

/** States whose steps are counted out, and to how many. */
const SAMPLE = 40;
const BRANCHES = 1000;

interface Seen<S> {
  readonly state: S;
  times: number;
}

function visited<S extends State>(model: Model<S>): Map<Key, Seen<S>> {
  const seen = new Map<Key, Seen<S>>();
  let visits = 0;
  for (let battle = 0; battle < BATTLES && visits < VISITS; battle++) {
    const door = new Sampled(Stream.of(SEED, battle));
    let state = model.start(door);
    while (model.outcome(state) === undefined && state.round <= model.maxRounds && visits < VISITS) {
      const key = model.key(state);
      const known = seen.get(key);
      if (known === undefined) seen.set(key, { state, times: 1 });
      else known.times++;
      visits++;
      state = model.step(state, door);
    }
  }
  return seen;
}

function stepsFrom<S extends State>(model: Model<S>, state: S): number {
  let steps = 0;
  for (const _ of branches((door) => model.step(state, door))) if (++steps >= BRANCHES) break;
  return steps;
}

/** Estimates the size of a model's chain. */
export function estimateSize<S extends State>(model: Model<S>): Played {
  const seen = [...visited(model).values()];
  const [once = 0, twice = 0] = [1, 2].map((times) => seen.filter((each) => each.times === times).length);
  const states = seen.length + (once * (once - 1)) / (2 * (twice + 1));
  const stride = Math.max(1, Math.floor(seen.length / SAMPLE));
  const sample = seen.filter((_, k) => k % stride === 0);
  const steps = sample.reduce((sum, { state }) => sum + stepsFrom(model, state), 0);
  const rounds = seen.reduce((last, { state }) => Math.max(last, state.round + Number(model.resting(state))), 0);
  return { states: Math.round(states), steps: Math.round((states * steps) / Math.max(1, sample.length)), rounds };
}
