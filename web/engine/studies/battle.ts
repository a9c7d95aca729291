/** Replays a battle step by step, and finds the next one that meets a condition. */

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

/** Observed event: dice, draws, decisions. */
export type ObservedEvent = Exclude<ReplayEvent, { kind: 'rule' }>;

/** Step of a replay. */
export interface ReplayStep {
  /** Sentence as in `warpool replay`; empty for events without a rule. */
  readonly text: string;
  /** Tone of the side in the sentence. */
  readonly tone: number | undefined;
  /** Descriptions of the events. */
  readonly notes: readonly string[];
  readonly events: readonly ObservedEvent[];
  /** True at the start of a round. */
  readonly opens: boolean;
  readonly rule?: { readonly id: string; readonly source: string } | undefined;
  /** Index of the last state that was reached by this step; -1 before the first. */
  readonly state: number;
  /** True if that state follows this step. */
  readonly settled: boolean;
}

export interface ReplayView {
  readonly battle: number;
  readonly seed: string;
  readonly steps: readonly ReplayStep[];
  /** States of the battle: variables and constants. */
  readonly states: StateHistory;
  readonly outcome: string;
  /** Outcome as a clause: `the attacker wins`. */
  readonly phrase: string;
  /** Tone of the side of the outcome. */
  readonly tone: number | undefined;
  readonly metrics: readonly (readonly [name: string, value: string, tone: number | undefined])[];
  /** Names and tones of the colors of cubes, if the system declares them. */
  readonly colours: readonly { readonly name: string; readonly tone: number | undefined }[];
  readonly command: string;
}

/** Selection of a battle. */
export interface BattleSelection {
  readonly text: string;
  /** File name, for the command line. */
  readonly file: string;
  readonly seed: string;
  readonly battle: number;
}

/** Result of a search. */
export interface BattleSearchResult {
  readonly match: number | undefined;
  /** Number of searched battles. */
  readonly examined: number;
  /** First battle that was not searched. */
  readonly next: number;
}

/** Maximum number of steps that the page can show. */
const MAX_STEPS = 20_000;

/** Maximum number of battles per search. */
const BATTLES_MAX = 10_000_000;

/** Milliseconds between two progress reports. */
const PROGRESS_INTERVAL = 150;

const isObserved = (event: ReplayEvent): event is ObservedEvent => event.kind !== 'rule';

/** Creates steps with the states that they lead to. */
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
      events: observed.filter(isObserved),
      rule: rule === undefined ? undefined : { id: rule, source: found === undefined ? '' : formatRuleSource(found) },
      settled: stops[state]?.events === events,
    };
  });
}

/** Lists the colors of cubes, which are named by the metrics that count them. */
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
  /** Returns the replay of a battle. @throws InputError for the text, RulesError for rules that fail */
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

  /** Validates a condition. @throws InputError with its position, `condition:9` */
  checkWhere(text: string, where: string): true {
    parseCondition(where, parseScenarioText(text));
    return true;
  },

  /**
   * Finds the next battle from `battle` on that meets a condition.
   * @param onProgress receives the number of searched battles, several times per second
   */
  async findBattle(
    { text, seed, battle: from }: BattleSelection,
    where: string,
    task: number,
    onProgress: (examined: number) => void,
  ): Promise<BattleSearchResult> {
    const scenario = parseScenarioText(text);
    const meets = parseCondition(where, scenario);
    const signal = getSignal(task);
    const first = parseCount(from, 'battle', 0, MAX_BATTLES - 1);
    const count = Math.min(BATTLES_MAX, MAX_BATTLES - first);
    const [play, run] = [await openBattleFunction(scenario, count, signal), parseSeed(seed)];
    let [found, reported]: [number | undefined, number] = [undefined, performance.now()];
    const examined = await visitBattles(first, count, signal, (index) => {
      if (meets(play(run, index))) found = index;
      if (performance.now() - reported > PROGRESS_INTERVAL) {
        reported = performance.now();
        onProgress(index - first + 1);
      }
      return found === undefined;
    });
    return { match: found, examined, next: first + examined };
  },
};

// States of a battle as named values: variables and constants.

export type StateValue = number | string | boolean | null;

/** Variable of the battle, with a value for each state. */
export interface StateVariable {
  readonly name: string;
  readonly unit: string;
  /** Tone of its side. */
  readonly tone: number | undefined;
  readonly values: readonly StateValue[];
}

/** Constant of the battle. */
export interface StateConstant {
  readonly name: string;
  readonly value: StateValue;
}

export interface StateHistory {
  readonly changing: readonly StateVariable[];
  readonly constant: readonly StateConstant[];
}

/** Maximum number of names: custom systems may have more than anyone reads. */
const MAX_NAMES = 60;

type StateNames = Map<string, StateValue>;

/** Collects the plain values within a value, by path: `lives.0`. */
function collectValues(names: StateNames, value: unknown, path: string): void {
  if (names.size >= MAX_NAMES * 4) return;
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collectValues(names, inner, path === '' ? key : `${path}.${key}`);
    return;
  }
  const plain = value === null || ['number', 'string', 'boolean'].includes(typeof value);
  names.set(path === '' ? 'state' : path, plain ? (value as StateValue) : typeof value);
}

/** Creates a reader of states: the declared features for agents, else the raw state. */
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

/** Creates the history of states; empty if the system cannot report states. */
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
  const isChanged = ({ values }: StateVariable): boolean => values.some((value) => value !== values[0]);
  return {
    changing: all.filter(isChanged).slice(0, MAX_NAMES),
    constant: all
      .filter((standing) => !isChanged(standing))
      .slice(0, MAX_NAMES)
      .map(({ name, values: [value = null] }) => ({ name, value })),
  };
}

// Notable battles: the most typical, luckiest and closest of the first battles of a run.

export interface NotableBattles {
  /** Battle with the most frequent outcome and metrics nearest to their means. */
  readonly typical: number;
  /** Battle with another outcome, farthest from the usual course. */
  readonly luckiest: number;
  /** Battle nearest to another outcome. */
  readonly closest: number;
  /** Battles that were looked at. */
  readonly examined: number;
}

/** Number of examined battles: one second for the slowest systems. */
const MAX_EXAMINED = 10_000;

type ExaminedBattles = readonly BattleEnd[];

const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Computes mean and standard deviation of a metric. */
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

/** Finds the first battle with the smallest value. */
function findLeast(battles: ExaminedBattles, value: (battle: BattleEnd) => number): number {
  const values = battles.map(value);
  return values.reduce((best, each, at) => (each < (values[best] ?? Number.POSITIVE_INFINITY) ? at : best), 0);
}

/**
 * Creates a measure of how similar a battle is to those with the most frequent outcome: the sum of all metrics in
 * standard deviations, weighted by the difference of their means (Fisher's discriminant for independent metrics).
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

/** Finds notable battles. @param battles first battles of a run, in order; at least one */
export function findNotableBattles(battles: ExaminedBattles): NotableBattles {
  const most = findMostFrequentOutcome(battles);
  const metrics = (battles[0]?.metrics ?? []).map((_, m) => m);
  const usual = battles.filter(({ outcome }) => outcome === most);
  const other = battles.filter(({ outcome }) => outcome !== most);
  const terms = metrics.map((m) => computeSpread(usual, m)).map(([middle, deviation], m) => ({ m, middle, deviation }));
  const course = createCourseMeasure(battles, most, metrics);
  const border = other.length === 0 ? 0 : (computeMean(usual.map(course)) + computeMean(other.map(course))) / 2;
  const computeStrangeness = (battle: BattleEnd): number =>
    terms.reduce(
      (sum, { m, middle, deviation }) =>
        sum + (deviation === 0 ? 0 : (((battle.metrics[m] ?? 0) - middle) / deviation) ** 2),
      0,
    );
  return {
    typical: findLeast(battles, (battle) =>
      battle.outcome === most ? computeStrangeness(battle) : Number.POSITIVE_INFINITY,
    ),
    luckiest: findLeast(battles, (battle) =>
      battle.outcome === most && other.length > 0 ? Number.POSITIVE_INFINITY : course(battle),
    ),
    closest: findLeast(battles, (battle) => Math.abs(course(battle) - border)),
    examined: battles.length,
  };
}

export const notable = {
  /** Finds notable battles among battles 0..9999, or fewer if it was stopped. @throws InputError for the text */
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

// Luck of a result compared with the last answer.

export const luck = {
  /** Lists the possible results; undefined for a text without an answer. */
  luckOptions(text: string): LuckOption[] | undefined {
    const known = findKnownResult(text);
    return known && listLuckOptions(known);
  },
  /** Rates a result. @param value value of the metric of its option */
  luck(text: string, outcome: string, value: number | undefined): LuckReport[] | undefined {
    const known = findKnownResult(text);
    return known && createLuckReports(known, outcome, value);
  },
};

// Trace of a battle: events and states, turn by turn.

/** State with the number of events before it. */
export interface ReplayStop {
  readonly state: State;
  readonly events: number;
}

export interface BattleTrace extends BattleResult {
  readonly events: readonly ReplayEvent[];
  readonly stops: readonly ReplayStop[];
}

/** Maximum number of turns: shipped battles have less than a hundredth of it. */
const MAX_TURNS = 1_000_000;

/** Simulates a battle turn by turn, with the same result as by steps: turns draw in the order of their step. */
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
 * Simulates battle `battle` of run `seed`, as `replay` does.
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
