/** A battle told step by step, and the next one where a condition holds. */

import {
  type BattleCondition,
  type BattleResult,
  createBattleResult,
  openBattleFunction,
  parseBattleCondition,
  visitBattles,
} from '../../../src/analysis/index.ts';
import {
  InputError,
  MAX_BATTLES,
  parseCount,
  parseSeed,
  RecordedChance,
  type ReplayEvent,
  RulesError,
  Stream,
} from '../../../src/core/index.ts';
import { createScenarioSpec } from '../../../src/environments/index.ts';
import {
  createLuckReports,
  createReplayLines,
  findMentionedSide,
  findSide,
  formatCommandLine,
  formatNumber,
  formatOutcomeClause,
  getSides,
  type LuckOption,
  type LuckReport,
  listLuckOptions,
  PLAIN_PAINT,
  type ReplayLine,
  type ScenarioSide,
  sanitizeLine,
} from '../../../src/report/index.ts';
import {
  type BattleEnd,
  createBattleEnd,
  describeRulesError,
  findOutcome,
  formatRuleSource,
  getBoundScenario,
  type Scenario,
  type State,
  type System,
  unwrapState,
} from '../../../src/rules/index.ts';
import { findKnownResult } from '../answer.ts';
import { parseScenarioText } from '../editing/check.ts';
import { createScenarioOptions } from '../registry/registry.ts';
import { getSignal } from '../task.ts';

/** What was seen at the table. */
export type ObservedEvent = Exclude<ReplayEvent, { kind: 'rule' }>;

/** A step of the story. */
export interface ReplayStep {
  /** The sentence of the command line's `replay`; empty where something was seen and no rule was told. */
  readonly text: string;
  /** Of the side that it is about. */
  readonly tone: number | undefined;
  /** What was seen, in words. */
  readonly notes: readonly string[];
  readonly seen: readonly ObservedEvent[];
  /** Whether a round begins. */
  readonly opens: boolean;
  readonly rule?: { readonly id: string; readonly source: string } | undefined;
  /** Index of the last state that was reached up to here; -1 before the first. */
  readonly state: number;
  /** Whether that state is the one after this step, not one before it. */
  readonly settled: boolean;
}

export interface ReplayView {
  readonly battle: number;
  readonly seed: string;
  readonly steps: readonly ReplayStep[];
  /** What changes in the battle, by state, and what does not. */
  readonly states: StateHistory;
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
export interface BattleSelection {
  readonly text: string;
  /** What its file is called, for the command line. */
  readonly file: string;
  readonly seed: string;
  readonly battle: number;
}

/** What was looked through. */
export interface BattleSearchResult {
  readonly match: number | undefined;
  /** Battles that were looked at. */
  readonly examined: number;
  /** The first battle that was not. */
  readonly next: number;
}

/** Steps that are told: nobody reads more, and a page cannot show them. */
const MAX_STEPS = 20_000;

/** Battles that are looked through at one go. */
const BATTLES_MAX = 10_000_000;

/** Milliseconds between two tellings of how far a search is. */
const PROGRESS_INTERVAL = 150;

const isObserved = (event: ReplayEvent): event is ObservedEvent => event.kind !== 'rule';

/** Passages with the states that they come to. */
function createSteps(
  passages: readonly ReplayLine[],
  stops: readonly Pick<ReplayStop, 'events'>[],
  { rules }: System,
  sides: readonly ScenarioSide[],
): ReplayStep[] {
  let state = -1;
  return passages.map(({ rule, opens, text, notes, observed, events }) => {
    while ((stops[state + 1]?.events ?? Number.POSITIVE_INFINITY) <= events) state++;
    const found = rule === undefined ? undefined : rules[rule];
    return {
      ...{ text, notes, opens, state },
      tone: findMentionedSide(text === '' ? notes.join(' ') : text, sides)?.tone,
      seen: observed.filter(isObserved),
      rule: rule === undefined ? undefined : { id: rule, source: found === undefined ? '' : formatRuleSource(found) },
      settled: stops[state]?.events === events,
    };
  });
}

/** Colours of cubes have the names of the metrics that count them. */
function listCubeColors(metrics: readonly string[], sides: readonly ScenarioSide[]): ReplayView['colours'] {
  const names = metrics.filter((name) => name.startsWith('drawn.')).map((name) => name.slice('drawn.'.length));
  return names.map((name) => ({ name, tone: findSide(name, sides)?.tone }));
}

function parseCondition(where: string, scenario: Scenario): BattleCondition {
  try {
    return parseBattleCondition(where, getBoundScenario(scenario).shape);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const place = error.place.replace(/^where:?/, '');
    throw new InputError(place === '' ? 'condition' : `condition:${place}`, error.expected, error.found);
  }
}

export const battle = {
  /** @throws InputError for the text, RulesError for rules that fail */
  getReplay({ text, file, seed, battle }: BattleSelection): ReplayView {
    const scenario = parseScenarioText(text);
    const { system } = getBoundScenario(scenario);
    const sides = getSides(scenario);
    const { events, stops, outcome, metrics } = traceBattle(scenario, seed, battle);
    const passages = createReplayLines(events, system, PLAIN_PAINT);
    if (passages.length > MAX_STEPS)
      throw new InputError(`battle ${String(battle)}`, `at most ${String(MAX_STEPS)} steps`, String(passages.length));
    return {
      ...{ battle, seed, outcome },
      phrase: formatOutcomeClause(outcome, sides),
      tone: findSide(outcome, sides)?.tone,
      steps: createSteps(passages, stops, system, sides),
      states: createStateHistory(
        scenario,
        stops.map(({ state }) => state),
      ),
      metrics: Object.entries(metrics).map(([name, value]) => [
        sanitizeLine(name),
        formatNumber(value),
        findSide(name, sides)?.tone,
      ]),
      colours: listCubeColors(Object.keys(metrics), sides),
      command: formatCommandLine('replay', createScenarioOptions(file), '--seed', seed, '--battle', String(battle)),
    };
  },

  /** Reads a condition. @throws InputError with its place, `condition:9` */
  checkWhere(text: string, where: string): true {
    parseCondition(where, parseScenarioText(text));
    return true;
  },

  /**
   * The next battle where a condition holds, from battle `battle` on.
   * @param tell gets how many battles were looked at, some times a second
   */
  async findBattle(
    { text, seed, battle: from }: BattleSelection,
    where: string,
    task: number,
    tell: (looked: number) => void,
  ): Promise<BattleSearchResult> {
    const scenario = parseScenarioText(text);
    const meets = parseCondition(where, scenario);
    const signal = getSignal(task);
    const first = parseCount(from, 'battle', 0, MAX_BATTLES - 1);
    const count = Math.min(BATTLES_MAX, MAX_BATTLES - first);
    const [play, run] = [await openBattleFunction(scenario, count, signal), parseSeed(seed)];
    let [found, told]: [number | undefined, number] = [undefined, performance.now()];
    const looked = await visitBattles(first, count, signal, (index) => {
      if (meets(play(run, index))) found = index;
      if (performance.now() - told > PROGRESS_INTERVAL) {
        told = performance.now();
        tell(index - first + 1);
      }
      return found === undefined;
    });
    return { match: found, examined: looked, next: first + looked };
  },
};

// States of a battle as numbers with names: what changes in it, and what does not.

export type StateValue = number | string | boolean | null;

/** What changes in a battle, by name, with a value for each state. */
export interface StateVariable {
  readonly name: string;
  readonly unit: string;
  /** Of the side that it is of. */
  readonly tone: number | undefined;
  readonly values: readonly StateValue[];
}

/** What holds in all states of a battle. */
export interface StateConstant {
  readonly name: string;
  readonly value: StateValue;
}

export interface StateHistory {
  readonly changing: readonly StateVariable[];
  readonly constant: readonly StateConstant[];
}

/** Names of a state that are told: own systems may hold more than anybody reads. */
const MAX_NAMES = 60;

type StateNames = Map<string, StateValue>;

/** What a value holds, by path: `lives.0`. */
function collectValues(names: StateNames, value: unknown, path: string): void {
  if (names.size >= MAX_NAMES * 4) return;
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collectValues(names, inner, path === '' ? key : `${path}.${key}`);
    return;
  }
  const plain = value === null || ['number', 'string', 'boolean'].includes(typeof value);
  names.set(path === '' ? 'state' : path, plain ? (value as StateValue) : typeof value);
}

/** As the system's author declares it for agents, else as the state is. */
function createStateReader(scenario: Scenario): {
  units: ReadonlyMap<string, string>;
  read: (state: State) => StateNames;
} {
  try {
    const { features, observe } = createScenarioSpec(scenario);
    const units = new Map(features.map(({ name, unit }) => [name, unit]));
    const read = (state: State): StateNames => {
      const seen = observe(state, undefined);
      return new Map(features.map(({ name }, f) => [name, seen[f] ?? 0]));
    };
    return { units, read };
  } catch {
    const read = (state: State): StateNames => {
      const names: StateNames = new Map();
      names.set('round', state.round);
      collectValues(names, unwrapState(state), '');
      return names;
    };
    return { units: new Map(), read };
  }
}

/** @returns nothing of a system that cannot tell its states */
function createStateHistory(scenario: Scenario, states: readonly State[]): StateHistory {
  const { units, read } = createStateReader(scenario);
  let rows: StateNames[];
  try {
    rows = states.map(read);
  } catch {
    return { changing: [], constant: [] };
  }
  const sides = getSides(scenario);
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const all = names.map((name) => ({
    name,
    unit: units.get(name) ?? '',
    tone: findSide(name, sides)?.tone,
    values: rows.map((row) => row.get(name) ?? null),
  }));
  const changes = ({ values }: StateVariable): boolean => values.some((value) => value !== values[0]);
  return {
    changing: all.filter(changes).slice(0, MAX_NAMES),
    constant: all
      .filter((standing) => !changes(standing))
      .slice(0, MAX_NAMES)
      .map(({ name, values: [value = null] }) => ({ name, value })),
  };
}

// Battles that are worth a look: the most typical, the luckiest and the closest of the first of a run.

export interface NotableBattles {
  /** Ends as most do, with metrics that are nearest to their means. */
  readonly typical: number;
  /** Ends otherwise, and is the farthest from how most go. */
  readonly luckiest: number;
  /** Is the nearest to where it would have ended otherwise. */
  readonly closest: number;
  /** Battles that were looked at. */
  readonly examined: number;
}

/** Battles that are looked at: a second of the slowest systems. */
const MAX_EXAMINED = 10_000;

type ExaminedBattles = readonly BattleEnd[];

const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean and standard deviation of a metric. */
function computeSpread(battles: ExaminedBattles, m: number): readonly [middle: number, deviation: number] {
  const values = battles.map(({ metrics }) => metrics[m] ?? 0);
  const middle = computeMean(values);
  return [middle, Math.sqrt(computeMean(values.map((value) => (value - middle) ** 2)))];
}

function findMostFrequentOutcome(battles: ExaminedBattles): number {
  const counts = new Map<number, number>();
  for (const { outcome } of battles) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

/** The battle of the least value, the first of several. */
function findLeast(battles: ExaminedBattles, value: (battle: BattleEnd) => number): number {
  const values = battles.map(value);
  return values.reduce((best, each, at) => (each < (values[best] ?? Number.POSITIVE_INFINITY) ? at : best), 0);
}

/**
 * How far a battle went the way of those that end as most do: each metric in standard deviations, weighed by how many of
 * them it differs between those and the others (Fisher's discriminant for metrics that do not depend on each other).
 */
function createCourseMeasure(
  battles: ExaminedBattles,
  most: number,
  metrics: readonly number[],
): (battle: BattleEnd) => number {
  const [usual, other] = [
    battles.filter(({ outcome }) => outcome === most),
    battles.filter(({ outcome }) => outcome !== most),
  ];
  const terms = metrics.flatMap((m) => {
    const [middle, deviation] = computeSpread(battles, m);
    if (deviation === 0 || other.length === 0) return [];
    return [{ m, middle, deviation, weight: (computeSpread(usual, m)[0] - computeSpread(other, m)[0]) / deviation }];
  });
  return (battle) =>
    terms.reduce(
      (sum, { m, middle, deviation, weight }) => sum + (weight * ((battle.metrics[m] ?? 0) - middle)) / deviation,
      0,
    );
}

/** @param battles the first of a run, in order; at least one */
export function findNotableBattles(battles: ExaminedBattles): NotableBattles {
  const most = findMostFrequentOutcome(battles);
  const metrics = (battles[0]?.metrics ?? []).map((_, m) => m);
  const usual = battles.filter(({ outcome }) => outcome === most);
  const other = battles.filter(({ outcome }) => outcome !== most);
  const terms = metrics.map((m) => computeSpread(usual, m)).map(([middle, deviation], m) => ({ m, middle, deviation }));
  const course = createCourseMeasure(battles, most, metrics);
  const border = other.length === 0 ? 0 : (computeMean(usual.map(course)) + computeMean(other.map(course))) / 2;
  const strange = (battle: BattleEnd): number =>
    terms.reduce(
      (sum, { m, middle, deviation }) =>
        sum + (deviation === 0 ? 0 : (((battle.metrics[m] ?? 0) - middle) / deviation) ** 2),
      0,
    );
  return {
    typical: findLeast(battles, (battle) => (battle.outcome === most ? strange(battle) : Number.POSITIVE_INFINITY)),
    luckiest: findLeast(battles, (battle) =>
      battle.outcome === most && other.length > 0 ? Number.POSITIVE_INFINITY : course(battle),
    ),
    closest: findLeast(battles, (battle) => Math.abs(course(battle) - border)),
    examined: battles.length,
  };
}

export const notable = {
  /** Those of battles 0..9999; of fewer where it was stopped. @throws InputError for the text */
  async notable(
    { text, seed }: { readonly text: string; readonly seed: string },
    task: number,
  ): Promise<NotableBattles | undefined> {
    const scenario = parseScenarioText(text);
    const signal = getSignal(task);
    const [play, run] = [await openBattleFunction(scenario, MAX_EXAMINED, signal), parseSeed(seed)];
    const battles: BattleEnd[] = [];
    await visitBattles(0, MAX_EXAMINED, signal, (index) => {
      const { outcome, metrics } = play(run, index);
      battles.push({ outcome, metrics: [...metrics] });
      return true;
    });
    return battles.length === 0 ? undefined : findNotableBattles(battles);
  },
};

// How a battle stands among those of the answer that was worked out or played last.

export const luck = {
  /** The ways in which a battle can have ended; undefined of a text that has not been answered. */
  luckOptions(text: string): LuckOption[] | undefined {
    const known = findKnownResult(text);
    return known && listLuckOptions(known);
  },
  /** @param value of the metric that its option asks for */
  luck(text: string, outcome: string, value: number | undefined): LuckReport[] | undefined {
    const known = findKnownResult(text);
    return known && createLuckReports(known, outcome, value);
  },
};

// A battle of a run, turn by turn: what was heard, and the states between.

/** A state, and how many events led to it. */
export interface ReplayStop {
  readonly state: State;
  readonly events: number;
}

export interface BattleTrace extends BattleResult {
  readonly events: readonly ReplayEvent[];
  readonly stops: readonly ReplayStop[];
}

/** Turns that are walked: no shipped battle has a hundredth of them. */
const MAX_TURNS = 1_000_000;

/** Battles are the same turn by turn and step by step: turns of a step draw one after the other. */
function simulateTurns(scenario: Scenario, chance: RecordedChance, stops: ReplayStop[]): BattleEnd {
  const { model } = getBoundScenario(scenario);
  let state = model.start(chance);
  for (let turns = 0; turns < MAX_TURNS; turns++) {
    stops.push({ state, events: chance.events.length });
    const outcome = findOutcome(model, state);
    if (outcome !== undefined) return createBattleEnd(model, state, outcome);
    state = model.turn?.(state, chance) ?? model.step(state, chance);
  }
  throw new RulesError(`the battle has more than ${String(MAX_TURNS)} turns`);
}

/**
 * Plays battle `battle` of run `seed`, as `replay` does.
 * @throws RulesError if the rules of the system fail
 */
export function traceBattle(scenario: Scenario, seed: string, battle: number): BattleTrace {
  const open = getBoundScenario(scenario);
  const chance = new RecordedChance(Stream.forBattle(parseSeed(seed), battle));
  const stops: ReplayStop[] = [];
  try {
    const result = simulateTurns(scenario, chance, stops);
    return { events: chance.events, stops, ...createBattleResult(open.model, result) };
  } catch (error) {
    throw describeRulesError(error, open, ` in battle ${String(battle)} of seed ${seed}`);
  }
}
