/**
 * States of one key must have one future: exact answers, and automata, take one for the other. What is looked at are states
 * that battles have met; systems whose key is the whole state have no two of one key.
 */
import { Sampled } from '../../core/chance/sampled.ts';
import { Stream } from '../../core/chance/stream.ts';
import { type BattleResult, watch } from '../../rules/battle.ts';
import { textOf } from '../../rules/own/states.ts';
import type { Key, Model, State } from '../../rules/system.ts';

/** Pairs of states that are compared, and battles that go on from both on the same words. */
const PAIRS = 20;
const TOGETHER = 8;

/** Battles that go on from each of the two that differ most, and steps of each. */
const APART = 3000;
const STEPS = 400;

/**
 * Counts of two samples of one law differ by more standard errors than this once in 10^15 times at most, if they are large
 * enough for the normal law.
 */
const SIGMAS = 8.2;
const ENOUGH = 50;

interface Pair {
  readonly one: State;
  readonly other: State;
}

const roundless = ({ round: _, ...rest }: State): object => rest;

/** The states that battles meet, by their keys. */
export class Met {
  readonly #first = new Map<Key, { readonly state: State; readonly text: string }>();
  readonly #pairs = new Map<Key, Pair>();
  readonly #model: Model<State>;

  constructor(model: Model<State>) {
    this.#model = model;
  }

  /** Notes a state. Those that differ in nothing but the round are one. */
  note(state: State): void {
    const key = this.#model.key(state);
    const text = textOf(roundless(state));
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, { state, text });
    else if (first.text !== text && !this.#pairs.has(key))
      this.#pairs.set(key, { one: first.state, other: { ...state, round: first.state.round } });
  }

  /** How the futures of two states of one key differ, in words; undefined if nothing is shown to differ. */
  differ(): string | undefined {
    const pairs = [...this.#pairs.values()].slice(0, PAIRS);
    const suspects = pairs.map((pair) => ({ pair, ends: this.#differing(pair) })).filter(({ ends }) => ends > 0);
    const [worst] = suspects.sort((a, b) => b.ends - a.ends);
    return worst && this.#compared(worst.pair);
  }

  /** How many of some battles end differently from both on the same words: none, where both take them for the same. */
  #differing({ one, other }: Pair): number {
    const battles = Array.from({ length: TOGETHER }, (_, battle) => battle);
    const end = (state: State, battle: number): string => JSON.stringify(this.#endFrom(state, battle));
    return battles.filter((battle) => end(one, battle) !== end(other, battle)).length;
  }

  #endFrom(state: State, battle: number): BattleResult | undefined {
    return watch({ ...this.#model, start: () => state }, new Sampled(Stream.of(1n, battle)), STEPS).result;
  }

  /** Ends of battles from a state, by what can be said of each. */
  #endsFrom(state: State, from: number): Map<string, number> {
    const { outcomes, metrics } = this.#model;
    const counts = new Map<string, number>();
    const count = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
    for (let battle = from; battle < from + APART; battle++) {
      const result = this.#endFrom(state, battle);
      count(result === undefined ? 'go on' : `end as ${outcomes[result.outcome] ?? ''}`);
      for (const [m, { name }] of metrics.entries())
        if (result !== undefined) count(`end with ${name} ${String(result.metrics[m])}`);
    }
    return counts;
  }

  #compared({ one, other }: Pair): string | undefined {
    const [first, second] = [this.#endsFrom(one, 0), this.#endsFrom(other, APART)];
    for (const name of new Set([...first.keys(), ...second.keys()])) {
      const [a, b] = [first.get(name) ?? 0, second.get(name) ?? 0];
      const both = a + b;
      const error = Math.sqrt(both * (1 - both / (2 * APART)));
      if (both < ENOUGH || Math.abs(a - b) <= SIGMAS * error) continue;
      const share = (of: number): string => `${String(Math.round((100 * of) / APART))} %`;
      return `two states have the key ${JSON.stringify(this.#model.key(one))}, but ${share(a)} of the battles from one ${name}, ${share(b)} from the other`;
    }
    return undefined;
  }
}
