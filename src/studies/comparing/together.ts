/** What scenarios are compared by: an outcome's share, or a metric's mean. */

import type { Interval } from '../../answers/intervals.ts';
import { PairedTally } from '../../answers/paired.ts';
import { type Summary, summarise } from '../../answers/summary.ts';
import { battlesIn, countBattle, emptyTally, type Tally, type TallyShape } from '../../answers/tally.ts';
import { InputError } from '../../core/errors.ts';
import { didYouMean } from '../../core/names.ts';
import type { BattleResult } from '../../rules/battle.ts';
import { opened } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';
import { checkAgreement, openPlay, type PlayBattle } from '../look.ts';
import { answerTo } from '../solve.ts';

/** What is compared, and how it is read off the ways in which a battle ended. */
export interface Subject {
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  readonly unit: number;
  /** By scenario: where what is read can lie. */
  readonly ranges: readonly Interval[];
  /** @param scenario the place of the scenario whose battle it was */
  readonly read: (battle: BattleResult, scenario: number) => number;
  readonly exact: (summary: Summary) => number;
}

function outcomeSubject(of: string, shapes: readonly TallyShape[]): Subject {
  const places = shapes.map(({ outcomes }) => outcomes.indexOf(of));
  return {
    of,
    kind: 'outcome',
    unit: 1,
    ranges: shapes.map(() => [0, 1]),
    read: ({ outcome }, scenario) => (outcome === places[scenario] ? 1 : 0),
    exact: ({ outcomes }) => outcomes.find(({ name }) => name === of)?.p ?? 0,
  };
}

function metricSubject(of: string, shapes: readonly TallyShape[]): Subject {
  const places = shapes.map(({ metrics }) => metrics.findIndex(({ name }) => name === of));
  return {
    of,
    kind: 'metric',
    unit: shapes[0]?.metrics[places[0] ?? 0]?.unit ?? 1,
    ranges: shapes.map(({ metrics }, s) => {
      const { min = 0, max = 0 } = metrics[places[s] ?? 0] ?? {};
      return [min, max];
    }),
    read: ({ metrics }, scenario) => metrics[places[scenario] ?? 0] ?? 0,
    exact: ({ metrics }) => metrics.find(({ name }) => name === of)?.mean ?? 0,
  };
}

/** What names of outcomes and metrics there are, and who does not have one. */
interface Side {
  readonly shape: TallyShape;
  readonly knows: (outcome: string) => boolean;
}

/**
 * What scenarios are compared by, if all of them have it: a figure of something that is no outcome of a scenario is not 0.
 * @param asked its name; unless given, the first outcome that is no stalemate
 * @param names what messages call the scenarios
 * @throws InputError if one of them does not have it, with what all have
 */
export function sharedSubject(asked: string | undefined, sides: readonly Side[], names: readonly string[]): Subject {
  const shapes = sides.map(({ shape }) => shape);
  const outcomes = [...new Set(shapes.flatMap((shape) => shape.outcomes))];
  const of = asked ?? outcomes.find((outcome) => outcome !== 'stalemate') ?? '';
  const stranger = outcomes.includes(of) ? sides.findIndex(({ knows }) => !knows(of)) : -1;
  const lacking = shapes.findIndex(({ metrics }) => metrics.every(({ name }) => name !== of));
  const isMetric = shapes.some(({ metrics }) => metrics.some(({ name }) => name === of));
  const without = outcomes.includes(of) ? stranger : isMetric ? lacking : -1;
  if (without < 0) return subjectOf(asked, shapes);
  const all = outcomes.filter((name) => sides.every(({ knows }) => knows(name)));
  const words = [...all, ...sharedMetrics(shapes)];
  const expected =
    words.length === 0 ? 'scenarios with an outcome or a metric in common' : `one of ${words.join(', ')}`;
  const kind = outcomes.includes(of) ? 'an outcome' : 'a metric';
  throw new InputError('--of', expected, `"${of}", which is not ${kind} of ${names[without] ?? ''}`);
}

/** Names of the metrics that all have. */
function sharedMetrics(shapes: readonly TallyShape[]): string[] {
  const [first, ...others] = shapes.map(({ metrics }) => metrics.map(({ name }) => name));
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

/**
 * @param asked its name; unless given, the first outcome that is no stalemate
 * @throws InputError if no scenario has such an outcome, and not all have such a metric
 */
export function subjectOf(asked: string | undefined, shapes: readonly TallyShape[]): Subject {
  const outcomes = [...new Set(shapes.flatMap((shape) => shape.outcomes))];
  const of = asked ?? outcomes.find((outcome) => outcome !== 'stalemate') ?? '';
  if (outcomes.includes(of)) return outcomeSubject(of, shapes);
  const shared = sharedMetrics(shapes);
  if (shared.includes(of)) return metricSubject(of, shapes);
  const words = [...outcomes, ...shared];
  throw new InputError('--of', `one of ${words.join(', ')}`, `"${of}"${didYouMean(of, words)}`);
}

// Several scenarios of one system that play the same battles.

/** A scenario that can be played. */
export interface Playable {
  readonly shape: TallyShape;
  readonly play: PlayBattle;
  /** Whether a name is that of an outcome, though it may have probability 0 and be none of the shape. */
  readonly knows: (outcome: string) => boolean;
}

/**
 * @param battles that may be played at most
 * @throws RunError if the kernel is not built
 */
export async function playable(scenario: Scenario, battles: number, signal?: AbortSignal): Promise<Playable> {
  const { model, shape } = opened(scenario);
  const knows = (outcome: string): boolean => model.outcomes.includes(outcome) || model.impossible?.(outcome) === true;
  return { shape, play: await openPlay(scenario, battles, signal), knows };
}

/** Counts the battles of two scenarios in pairs. */
export function pairedOf(one: Playable, two: Playable): PairedTally {
  return new PairedTally(one.shape, two.shape, (outcome) => one.knows(outcome) && two.knows(outcome));
}

/** The exact answers of all scenarios, if all are affordable beside so many battles. */
export function exactAnswers(scenarios: readonly Scenario[], battles: number): readonly Summary[] | undefined {
  const answers: Summary[] = [];
  for (const scenario of scenarios) {
    const answer = answerTo(scenario, 'auto', battles);
    if (answer === undefined) return undefined;
    answers.push(answer.summary);
  }
  return answers;
}

/** The battles of several scenarios, counted for each, so that they can be held against its exact answer. */
export class Witnesses {
  readonly #scenarios: readonly Scenario[];
  readonly #sides: readonly Playable[];
  readonly #tallies: readonly Tally[];

  constructor(scenarios: readonly Scenario[], sides: readonly Playable[]) {
    this.#scenarios = scenarios;
    this.#sides = sides;
    this.#tallies = sides.map(({ shape }) => emptyTally(shape));
  }

  /** Plays a battle of the scenario at place `s`, and counts it. */
  play(s: number, seed: bigint, battle: number): BattleResult {
    const [side, tally] = [this.#sides[s], this.#tallies[s]];
    if (side === undefined || tally === undefined) throw new RangeError(`there is no scenario ${String(s)}`);
    const result = side.play(seed, battle);
    countBattle(tally, result.outcome, result.metrics);
    return result;
  }

  /**
   * @param answers of all scenarios, in their order; nothing is checked without them
   * @throws RulesError if battles contradict one of them; RunError if the system is shipped
   */
  check(answers: readonly Summary[] = []): void {
    for (const [s, answer] of answers.entries()) {
      const [scenario, side, tally] = [this.#scenarios[s], this.#sides[s], this.#tallies[s]];
      if (scenario === undefined || side === undefined || tally === undefined) continue;
      checkAgreement(scenario, summarise(side.shape, tally), answer, battlesIn(tally));
    }
  }
}
