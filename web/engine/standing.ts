/** States of a battle as numbers with names: what changes in it, and what does not. */

import { specOf } from '../../src/agents/spec.ts';
import { authored } from '../../src/rules/own/states.ts';
import type { Scenario, State } from '../../src/rules/system.ts';
import { sideIn, sidesOf } from '../../src/tell/sides.ts';

export type Value = number | string | boolean | null;

/** What changes in a battle, by name, with a value for each state. */
export interface Standing {
  readonly name: string;
  readonly unit: string;
  /** Of the side that it is of. */
  readonly tone: number | undefined;
  readonly values: readonly Value[];
}

/** What holds in all states of a battle. */
export interface Constant {
  readonly name: string;
  readonly value: Value;
}

export interface Standings {
  readonly changing: readonly Standing[];
  readonly constant: readonly Constant[];
}

/** Names of a state that are told: own systems may hold more than anybody reads. */
const NAMES_MAX = 60;

type Names = Map<string, Value>;

/** What a value holds, by path: `lives.0`. */
function into(names: Names, value: unknown, path: string): void {
  if (names.size >= NAMES_MAX * 4) return;
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) into(names, inner, path === '' ? key : `${path}.${key}`);
    return;
  }
  const plain = value === null || ['number', 'string', 'boolean'].includes(typeof value);
  names.set(path === '' ? 'state' : path, plain ? (value as Value) : typeof value);
}

/** As the system's author declares it for agents, else as the state is. */
function reader(scenario: Scenario): { units: ReadonlyMap<string, string>; read: (state: State) => Names } {
  try {
    const { features, observe } = specOf(scenario);
    const units = new Map(features.map(({ name, unit }) => [name, unit]));
    const read = (state: State): Names => {
      const seen = observe(state, undefined);
      return new Map(features.map(({ name }, f) => [name, seen[f] ?? 0]));
    };
    return { units, read };
  } catch {
    const read = (state: State): Names => {
      const names: Names = new Map();
      names.set('round', state.round);
      into(names, authored(state), '');
      return names;
    };
    return { units: new Map(), read };
  }
}

/** @returns nothing of a system that cannot tell its states */
export function standingsOf(scenario: Scenario, states: readonly State[]): Standings {
  const { units, read } = reader(scenario);
  let rows: Names[];
  try {
    rows = states.map(read);
  } catch {
    return { changing: [], constant: [] };
  }
  const sides = sidesOf(scenario);
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const all = names.map((name) => ({
    name,
    unit: units.get(name) ?? '',
    tone: sideIn(name, sides)?.tone,
    values: rows.map((row) => row.get(name) ?? null),
  }));
  const changes = ({ values }: Standing): boolean => values.some((value) => value !== values[0]);
  return {
    changing: all.filter(changes).slice(0, NAMES_MAX),
    constant: all
      .filter((standing) => !changes(standing))
      .slice(0, NAMES_MAX)
      .map(({ name, values: [value = null] }) => ({ name, value })),
  };
}
