/**
 * Estimates the size of a chain before it is explored, from simulated battles: the numbers of states that were visited
 * only once or twice give a lower bound of the number of states (A. Chao 1984). The steps of some states are counted.
 * Battles hardly show rare states; src/engines/exact/remaining-size.ts estimates from the frontier of an exploration.
 */
import { enumerateBranches, SampledChance, Stream } from '../../core/index.ts';
import type { Key, Model, State } from '../../rules/index.ts';

export interface ChainSize {
  /** Expected states, rather too few than too many. */
  readonly states: number;
  /** Expected steps (transitions before merging). */
  readonly steps: number;
}

/** Size of a chain as estimated from battles. */
interface SampledChainSize extends ChainSize {
  /** Last round of the battles. */
  readonly rounds: number;
}

/** Minimum number of steps before an estimate; estimates tend to be too low. */
export const ESTIMATE_AT = 20_000;

/** An estimate costs about ten thousand steps or more: smaller budgets are spent directly. */
export const ESTIMATE_BUDGET_MIN = 100_000;

/** Always the same battles, so that an estimate depends only on the model. */
const SEED = 0x5a11n;

const BATTLES = 1000;

/** Maximum number of visited states in all battles together. */
const VISITS = 20_000;

/** Number of states whose steps are counted, and the limit of the count. */
const SAMPLE = 40;
const BRANCHES = 1000;

interface VisitedState<S> {
  readonly state: S;
  times: number;
}

function sampleStates<S extends State>(model: Model<S>): Map<Key, VisitedState<S>> {
  const seen = new Map<Key, VisitedState<S>>();
  let visits = 0;
  for (let battle = 0; battle < BATTLES && visits < VISITS; battle++) {
    const chance = new SampledChance(Stream.forBattle(SEED, battle));
    let state = model.start(chance);
    while (model.outcome(state) === undefined && state.round <= model.maxRounds && visits < VISITS) {
      const key = model.key(state);
      const known = seen.get(key);
      if (known === undefined) seen.set(key, { state, times: 1 });
      else known.times++;
      visits++;
      state = model.step(state, chance);
    }
  }
  return seen;
}

function countSteps<S extends State>(model: Model<S>, state: S): number {
  let steps = 0;
  for (const _ of enumerateBranches((chance) => model.step(state, chance))) if (++steps >= BRANCHES) break;
  return steps;
}

/** Estimates the size of a model's chain. */
export function estimateChainSize<S extends State>(model: Model<S>): SampledChainSize {
  const seen = [...sampleStates(model).values()];
  const [once = 0, twice = 0] = [1, 2].map((times) => seen.filter((each) => each.times === times).length);
  const states = seen.length + (once * (once - 1)) / (2 * (twice + 1));
  const stride = Math.max(1, Math.floor(seen.length / SAMPLE));
  const sample = seen.filter((_, k) => k % stride === 0);
  const steps = sample.reduce((sum, { state }) => sum + countSteps(model, state), 0);
  const rounds = seen.reduce((last, { state }) => Math.max(last, state.round + Number(model.resting(state))), 0);
  return { states: Math.round(states), steps: Math.round((states * steps) / Math.max(1, sample.length)), rounds };
}
