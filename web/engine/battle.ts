/** A battle told step by step, and the next one where a condition holds. */

import { specOf } from '../../src/agents/index.ts';
import {
  InputError,
  MAX_BATTLES,
  parseCount,
  parseSeed,
  Recorded,
  RulesError,
  type StoryEvent,
  Stream,
} from '../../src/core/index.ts';
import {
  authored,
  type BattleResult,
  endingAt,
  opened,
  type Scenario,
  type State,
  type System,
  sourceOf,
  toldRules,
  verdict,
} from '../../src/rules/index.ts';
import { type BattleCondition, type Ending, endingOf, lookAt, openPlay, parseWhere } from '../../src/studies/index.ts';
import {
  clauseOf,
  clean,
  commandLine,
  type LuckOption,
  type LuckTold,
  luckOf,
  luckOptions,
  type Passage,
  PLAIN,
  passagesOf,
  plain,
  type ShownSide,
  sideIn,
  sideNamed,
  sidesOf,
} from '../../src/tell/index.ts';
import { knownOf } from './answer.ts';
import { scenarioOf } from './check.ts';
import { given } from './registry.ts';
import { signalOf } from './task.ts';

/** What was seen at the table. */
export type Seen = Exclude<StoryEvent, { kind: 'rule' }>;

/** A step of the story. */
export interface Step {
  /** The sentence of the command line's `replay`; empty where something was seen and no rule was told. */
  readonly text: string;
  /** Of the side that it is about. */
  readonly tone: number | undefined;
  /** What was seen, in words. */
  readonly notes: readonly string[];
  readonly seen: readonly Seen[];
  /** Whether a round begins. */
  readonly opens: boolean;
  readonly rule?: { readonly id: string; readonly source: string } | undefined;
  /** Index of the last state that was reached up to here; -1 before the first. */
  readonly state: number;
  /** Whether that state is the one after this step, not one before it. */
  readonly settled: boolean;
}

export interface Tale {
  readonly battle: number;
  readonly seed: string;
  readonly steps: readonly Step[];
  /** What changes in the battle, by state, and what does not. */
  readonly standings: Standings;
  readonly outcome: string;
  /** `the attacker wins` */
  readonly phrase: string;
  /** Of the side whose outcome it is. */
  readonly tone: number | undefined;
  readonly metrics: readonly (readonly [name: string, value: string, tone: number | undefined])[];
  /** What a colour of cubes is called, if the system says it, and the tone of the side whose they are. */
  readonly colours: readonly { readonly name: string; readonly tone: number | undefined }[];
  readonly command: string;
}

/** Which battle. */
export interface Which {
  readonly text: string;
  /** What its file is called, for the command line. */
  readonly file: string;
  readonly seed: string;
  readonly battle: number;
}

/** What was looked through. */
export interface Hunt {
  readonly found: number | undefined;
  /** Battles that were looked at. */
  readonly looked: number;
  /** The first battle that was not. */
  readonly next: number;
}

/** Steps that are told: nobody reads more, and a page cannot show them. */
const STEPS_MAX = 20_000;

/** Battles that are looked through at one go. */
const BATTLES_MAX = 10_000_000;

/** Milliseconds between two tellings of how far a search is. */
const TELL_EVERY = 150;

const withoutRules = (event: StoryEvent): event is Seen => event.kind !== 'rule';

/** Passages with the states that they come to. */
function stepsOf(
  passages: readonly Passage[],
  stops: readonly Pick<Stop, 'events'>[],
  { rules }: System,
  sides: readonly ShownSide[],
): Step[] {
  let state = -1;
  return passages.map(({ rule, opens, text, notes, seen, events }) => {
    while ((stops[state + 1]?.events ?? Number.POSITIVE_INFINITY) <= events) state++;
    const found = rule === undefined ? undefined : rules[rule];
    return {
      ...{ text, notes, opens, state },
      tone: sideNamed(text === '' ? notes.join(' ') : text, sides)?.tone,
      seen: seen.filter(withoutRules),
      rule: rule === undefined ? undefined : { id: rule, source: found === undefined ? '' : sourceOf(found) },
      settled: stops[state]?.events === events,
    };
  });
}

/** Colours of cubes have the names of the metrics that count them. */
function coloursOf(metrics: readonly string[], sides: readonly ShownSide[]): Tale['colours'] {
  const names = metrics.filter((name) => name.startsWith('drawn.')).map((name) => name.slice('drawn.'.length));
  return names.map((name) => ({ name, tone: sideIn(name, sides)?.tone }));
}

function conditionOf(where: string, scenario: Scenario): BattleCondition {
  try {
    return parseWhere(where, opened(scenario).shape);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const place = error.place.replace(/^where:?/, '');
    throw new InputError(place === '' ? 'condition' : `condition:${place}`, error.expected, error.found);
  }
}

export const battle = {
  /** @throws InputError for the text, RulesError for rules that fail */
  tell({ text, file, seed, battle }: Which): Tale {
    const scenario = scenarioOf(text);
    const { system } = opened(scenario);
    const sides = sidesOf(scenario);
    const { events, stops, outcome, metrics } = walked(scenario, seed, battle);
    const passages = passagesOf(events, system, PLAIN);
    if (passages.length > STEPS_MAX)
      throw new InputError(`battle ${String(battle)}`, `at most ${String(STEPS_MAX)} steps`, String(passages.length));
    return {
      ...{ battle, seed, outcome },
      phrase: clauseOf(outcome, sides),
      tone: sideIn(outcome, sides)?.tone,
      steps: stepsOf(passages, stops, system, sides),
      standings: standingsOf(
        scenario,
        stops.map(({ state }) => state),
      ),
      metrics: Object.entries(metrics).map(([name, value]) => [clean(name), plain(value), sideIn(name, sides)?.tone]),
      colours: coloursOf(Object.keys(metrics), sides),
      command: commandLine('replay', given(file), '--seed', seed, '--battle', String(battle)),
    };
  },

  /** Reads a condition. @throws InputError with its place, `condition:9` */
  checkWhere(text: string, where: string): true {
    conditionOf(where, scenarioOf(text));
    return true;
  },

  /**
   * The next battle where a condition holds, from battle `battle` on.
   * @param tell gets how many battles were looked at, some times a second
   */
  async hunt(
    { text, seed, battle: from }: Which,
    where: string,
    task: number,
    tell: (looked: number) => void,
  ): Promise<Hunt> {
    const scenario = scenarioOf(text);
    const meets = conditionOf(where, scenario);
    const signal = signalOf(task);
    const first = parseCount(from, 'battle', 0, MAX_BATTLES - 1);
    const count = Math.min(BATTLES_MAX, MAX_BATTLES - first);
    const [play, run] = [await openPlay(scenario, count, signal), parseSeed(seed)];
    let [found, told]: [number | undefined, number] = [undefined, performance.now()];
    const looked = await lookAt(first, count, signal, (index) => {
      if (meets(play(run, index))) found = index;
      if (performance.now() - told > TELL_EVERY) {
        told = performance.now();
        tell(index - first + 1);
      }
      return found === undefined;
    });
    return { found, looked, next: first + looked };
  },
};

// States of a battle as numbers with names: what changes in it, and what does not.

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
function standingsOf(scenario: Scenario, states: readonly State[]): Standings {
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

// Battles that are worth a look: the most typical, the luckiest and the closest of the first of a run.

export interface Notable {
  /** Ends as most do, with metrics that are nearest to their means. */
  readonly typical: number;
  /** Ends otherwise, and is the farthest from how most go. */
  readonly luckiest: number;
  /** Is the nearest to where it would have ended otherwise. */
  readonly closest: number;
  /** Battles that were looked at. */
  readonly looked: number;
}

/** Battles that are looked at: a second of the slowest systems. */
const BATTLES = 10_000;

type SeenBattle = readonly BattleResult[];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean and standard deviation of a metric. */
function spreadOf(battles: SeenBattle, m: number): readonly [middle: number, deviation: number] {
  const values = battles.map(({ metrics }) => metrics[m] ?? 0);
  const middle = mean(values);
  return [middle, Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))];
}

function commonest(battles: SeenBattle): number {
  const counts = new Map<number, number>();
  for (const { outcome } of battles) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

/** The battle of the least value, the first of several. */
function least(battles: SeenBattle, value: (battle: BattleResult) => number): number {
  const values = battles.map(value);
  return values.reduce((best, each, at) => (each < (values[best] ?? Number.POSITIVE_INFINITY) ? at : best), 0);
}

/**
 * How far a battle went the way of those that end as most do: each metric in standard deviations, weighed by how many of
 * them it differs between those and the others (Fisher's discriminant for metrics that do not depend on each other).
 */
function courseOf(battles: SeenBattle, most: number, metrics: readonly number[]): (battle: BattleResult) => number {
  const [usual, other] = [
    battles.filter(({ outcome }) => outcome === most),
    battles.filter(({ outcome }) => outcome !== most),
  ];
  const terms = metrics.flatMap((m) => {
    const [middle, deviation] = spreadOf(battles, m);
    if (deviation === 0 || other.length === 0) return [];
    return [{ m, middle, deviation, weight: (spreadOf(usual, m)[0] - spreadOf(other, m)[0]) / deviation }];
  });
  return (battle) =>
    terms.reduce(
      (sum, { m, middle, deviation, weight }) => sum + (weight * ((battle.metrics[m] ?? 0) - middle)) / deviation,
      0,
    );
}

/** @param battles the first of a run, in order; at least one */
export function notableOf(battles: SeenBattle): Notable {
  const most = commonest(battles);
  const metrics = (battles[0]?.metrics ?? []).map((_, m) => m);
  const usual = battles.filter(({ outcome }) => outcome === most);
  const other = battles.filter(({ outcome }) => outcome !== most);
  const terms = metrics.map((m) => spreadOf(usual, m)).map(([middle, deviation], m) => ({ m, middle, deviation }));
  const course = courseOf(battles, most, metrics);
  const border = other.length === 0 ? 0 : (mean(usual.map(course)) + mean(other.map(course))) / 2;
  const strange = (battle: BattleResult): number =>
    terms.reduce(
      (sum, { m, middle, deviation }) =>
        sum + (deviation === 0 ? 0 : (((battle.metrics[m] ?? 0) - middle) / deviation) ** 2),
      0,
    );
  return {
    typical: least(battles, (battle) => (battle.outcome === most ? strange(battle) : Number.POSITIVE_INFINITY)),
    luckiest: least(battles, (battle) =>
      battle.outcome === most && other.length > 0 ? Number.POSITIVE_INFINITY : course(battle),
    ),
    closest: least(battles, (battle) => Math.abs(course(battle) - border)),
    looked: battles.length,
  };
}

export const notable = {
  /** Those of battles 0..9999; of fewer where it was stopped. @throws InputError for the text */
  async notable(
    { text, seed }: { readonly text: string; readonly seed: string },
    task: number,
  ): Promise<Notable | undefined> {
    const scenario = scenarioOf(text);
    const signal = signalOf(task);
    const [play, run] = [await openPlay(scenario, BATTLES, signal), parseSeed(seed)];
    const battles: BattleResult[] = [];
    await lookAt(0, BATTLES, signal, (index) => {
      const { outcome, metrics } = play(run, index);
      battles.push({ outcome, metrics: [...metrics] });
      return true;
    });
    return battles.length === 0 ? undefined : notableOf(battles);
  },
};

// How a battle stands among those of the answer that was worked out or played last.

export const luck = {
  /** The ways in which a battle can have ended; undefined of a text that has not been answered. */
  luckOptions(text: string): LuckOption[] | undefined {
    const known = knownOf(text);
    return known && luckOptions(known);
  },
  /** @param value of the metric that its option asks for */
  luck(text: string, outcome: string, value: number | undefined): LuckTold[] | undefined {
    const known = knownOf(text);
    return known && luckOf(known, outcome, value);
  },
};

// A battle of a run, turn by turn: what was heard, and the states between.

/** A state, and how many events led to it. */
export interface Stop {
  readonly state: State;
  readonly events: number;
}

export interface Walk extends Ending {
  readonly events: readonly StoryEvent[];
  readonly stops: readonly Stop[];
}

/** Turns that are walked: no shipped battle has a hundredth of them. */
const TURNS_MAX = 1_000_000;

/** Battles are the same turn by turn and step by step: turns of a step draw one after the other. */
function played(scenario: Scenario, door: Recorded, stops: Stop[]): BattleResult {
  const { model } = opened(scenario);
  let state = model.start(door);
  for (let turns = 0; turns < TURNS_MAX; turns++) {
    stops.push({ state, events: door.events.length });
    const outcome = verdict(model, state);
    if (outcome !== undefined) return endingAt(model, state, outcome);
    state = model.turn?.(state, door) ?? model.step(state, door);
  }
  throw new RulesError(`the battle has more than ${String(TURNS_MAX)} turns`);
}

/**
 * Plays battle `battle` of run `seed`, as `replay` does.
 * @throws RulesError if the rules of the system fail
 */
export function walked(scenario: Scenario, seed: string, battle: number): Walk {
  const open = opened(scenario);
  const door = new Recorded(Stream.of(parseSeed(seed), battle));
  const stops: Stop[] = [];
  try {
    const result = played(scenario, door, stops);
    return { events: door.events, stops, ...endingOf(open.model, result) };
  } catch (error) {
    throw toldRules(error, open, ` in battle ${String(battle)} of seed ${seed}`);
  }
}
