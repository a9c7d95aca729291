/**
 * Checks that states with the same key have the same future: exact answers and automata merge them. Examines states
 * that battles have visited; for systems whose key is the whole state there is nothing to compare.
 */
import { SampledChance, Stream } from '../../core/index.ts';
import {
  type BattleEnd,
  type Key,
  type Model,
  type State,
  serializeWithoutRound,
  traceBattle,
} from '../../rules/index.ts';

/** Number of compared pairs of states, and of battles that continue from both with the same words. */
const PAIRS = 20;
const BATTLES_PER_PAIR = 8;

/** Number of battles from each of two states that are compared as samples, and steps of each. */
const SAMPLE_BATTLES = 3000;
const STEPS = 400;

/**
 * Significant difference in standard errors: two samples of one distribution exceed it at most once in 10^15 times, if
 * their counts are large enough for the normal approximation.
 */
const SIGMAS = 8.2;
const COUNT_MIN = 50;

/** Continues a battle from a state and returns its result. */
function simulateFrom(model: Model<State>, state: State, battle: number): BattleEnd | undefined {
  return traceBattle({ ...model, start: () => state }, new SampledChance(Stream.forBattle(1n, battle)), STEPS).result;
}

/** Counts the results of battles that continue from a state. */
function countResultsFrom(model: Model<State>, state: State, from: number): Map<string, number> {
  const { outcomes, metrics } = model;
  const counts = new Map<string, number>();
  const count = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (let battle = from; battle < from + SAMPLE_BATTLES; battle++) {
    const result = simulateFrom(model, state, battle);
    count(result === undefined ? 'continue' : `end as ${outcomes[result.outcome] ?? ''}`);
    for (const [m, { name }] of metrics.entries())
      if (result !== undefined) count(`end with ${name} ${String(result.metrics[m])}`);
  }
  return counts;
}

/**
 * Describes a significant difference between battles that continue from two states of one round; undefined if there is
 * none.
 */
export function compareResultsFrom(model: Model<State>, one: State, other: State): string | undefined {
  const [first, second] = [countResultsFrom(model, one, 0), countResultsFrom(model, other, SAMPLE_BATTLES)];
  for (const name of new Set([...first.keys(), ...second.keys()])) {
    const [a, b] = [first.get(name) ?? 0, second.get(name) ?? 0];
    const both = a + b;
    const error = Math.sqrt(both * (1 - both / (2 * SAMPLE_BATTLES)));
    if (both < COUNT_MIN || Math.abs(a - b) <= SIGMAS * error) continue;
    const share = (of: number): string => `${String(Math.round((100 * of) / SAMPLE_BATTLES))} %`;
    return `${share(a)} of the battles from the first ${name}, ${share(b)} from the second`;
  }
  return undefined;
}

interface StatePair {
  readonly one: State;
  readonly other: State;
}

/** States that battles visit, by key. */
export class VisitedStates {
  readonly #first = new Map<Key, { readonly state: State; readonly text: string }>();
  readonly #pairs = new Map<Key, StatePair>();
  readonly #model: Model<State>;

  constructor(model: Model<State>) {
    this.#model = model;
  }

  /** Adds a state. States that differ only in the round are equal. */
  add(state: State): void {
    const key = this.#model.key(state);
    const text = serializeWithoutRound(state);
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, { state, text });
    else if (first.text !== text && !this.#pairs.has(key))
      this.#pairs.set(key, { one: first.state, other: { ...state, round: first.state.round } });
  }

  /** Describes the different futures of two states with the same key; undefined if no difference is significant. */
  findDifference(): string | undefined {
    const pairs = [...this.#pairs.values()].slice(0, PAIRS);
    const suspects = pairs.map((pair) => ({ pair, ends: this.#countDifferences(pair) })).filter(({ ends }) => ends > 0);
    const [worst] = suspects.sort((a, b) => b.ends - a.ends);
    if (worst === undefined) return undefined;
    const { one, other } = worst.pair;
    const because = compareResultsFrom(this.#model, one, other);
    return because && `two states have the key ${JSON.stringify(this.#model.key(one))}, but ${because}`;
  }

  /** Counts battles with different results from both states with the same words; 0 if the rules treat them as equal. */
  #countDifferences({ one, other }: StatePair): number {
    const battles = Array.from({ length: BATTLES_PER_PAIR }, (_, battle) => battle);
    const end = (state: State, battle: number): string => JSON.stringify(simulateFrom(this.#model, state, battle));
    return battles.filter((battle) => end(one, battle) !== end(other, battle)).length;
  }
}
