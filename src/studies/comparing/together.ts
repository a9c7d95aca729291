/** What scenarios are compared by: an outcome's share, or a metric's mean. */

import { cores } from '#platform/threads';
import {
  battlesIn,
  emptyTally,
  type Interval,
  mergeTally,
  PairedTally,
  type Spread,
  type Summary,
  spreadOf,
  summarise,
  type Tally,
  type TallyShape,
} from '../../answers/index.ts';
import { didYouMean, InputError } from '../../core/index.ts';
import {
  type BattleReading,
  gapShape,
  type PreparedRun,
  type Progress,
  playOwn,
  prepare,
  type ReadingPair,
  type Run,
  type SoloSetup,
  type TogetherSetup,
  WATCH,
} from '../../engines/index.ts';
import { type BattleResult, opened, type Scenario } from '../../rules/index.ts';
import { type Execution, type executionOf, THREADS } from '../execution.ts';
import { checkAgreement } from '../look.ts';
import { answerTo } from '../solve.ts';

/** What is compared, and how it is read off the ways in which a battle ended. */
export interface Subject {
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  readonly unit: number;
  /** By scenario: where what is read can lie. */
  readonly ranges: readonly Interval[];
  /** By scenario: the metric, or what each outcome counts. */
  readonly read: readonly BattleReading['of'][];
  readonly exact: (summary: Summary) => number;
}

function outcomeSubject(of: string, shapes: readonly TallyShape[]): Subject {
  return {
    of,
    kind: 'outcome',
    unit: 1,
    ranges: shapes.map(() => [0, 1]),
    read: shapes.map(({ outcomes }) => outcomes.map((outcome) => (outcome === of ? 1 : 0))),
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
    read: places,
    exact: ({ metrics }) => metrics.find(({ name }) => name === of)?.mean ?? 0,
  };
}

/** What is read of one battle. */
export function readOf(of: BattleReading['of'], { outcome, metrics }: BattleResult): number {
  return (typeof of === 'number' ? metrics[of] : of[outcome]) ?? 0;
}

/** The values of a subject that came in the battles of a scenario. */
export function spreadBy({ read }: Subject, tally: Tally, scenario: number): Spread {
  const of = read[scenario] ?? 0;
  if (typeof of === 'number') return spreadOf(tally, of, 1);
  return { values: [...of], weights: [...tally.outcomes] };
}

/** What is counted between every two of some scenarios, which are the parts of what is played. */
export function subjectGaps({ read }: Subject, members: readonly number[]): ReadingPair[] {
  const readings = members.map((s, part): BattleReading => ({ part, of: read[s] ?? 0 }));
  return readings.flatMap((first, p) => readings.slice(p + 1).map((second): ReadingPair => [first, second]));
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
  throw new InputError('of', expected, `"${of}", which is not ${kind} of ${names[without] ?? ''}`);
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
  throw new InputError('of', `one of ${words.join(', ')}`, `"${of}"${didYouMean(of, words)}`);
}

// Several scenarios of one system that play the same battles.

/** A scenario that is compared. */
export interface Comparable {
  readonly shape: TallyShape;
  /** Whether a name is that of an outcome, though it may have probability 0 and be none of the shape. */
  readonly knows: (outcome: string) => boolean;
}

export function comparable(scenario: Scenario): Comparable {
  const { model, shape } = opened(scenario);
  return { shape, knows: (outcome) => model.outcomes.includes(outcome) || model.impossible?.(outcome) === true };
}

/** Counts the battles of two scenarios in pairs. */
export function pairedOf(one: Comparable, two: Comparable): PairedTally {
  return new PairedTally(one.shape, two.shape, (outcome) => one.knows(outcome) && two.knows(outcome));
}

/** What a `PairedTally` counts between the first two scenarios. */
export function pairedGaps(paired: PairedTally, one: Comparable, two: Comparable): ReadingPair[] {
  const [first, second] = [one.shape.outcomes, two.shape.outcomes];
  const endings: ReadingPair = [
    { part: 0, of: first.map((_, o) => -o * second.length) },
    { part: 1, of: [...second.keys()] },
  ];
  return [
    endings,
    ...paired.compared.map(
      ([m, n]): ReadingPair => [
        { part: 0, of: m },
        { part: 1, of: n },
      ],
    ),
  ];
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

/** Who plays scenarios together, and who watches. */
export type TogetherWatch = Omit<Execution, 'budget'>;

/** The names of these. */
export const TOGETHER = { ...THREADS, pool: true, ...WATCH } as const;

/** Which battles are played. */
export interface TogetherCourse extends ReturnType<typeof executionOf> {
  readonly seed: bigint;
  readonly from: number;
  /** How many, or how many at most. */
  readonly battles: number;
}

/** Plays scenarios on the same streams, and counts each so that it can be held against its exact answer. */
export class Together {
  readonly #scenarios: readonly Scenario[];
  readonly #course: TogetherCourse;
  readonly #prepared: readonly PreparedRun<SoloSetup>[];
  readonly #tallies: readonly Tally[];
  #played = 0;

  private constructor(
    scenarios: readonly Scenario[],
    course: TogetherCourse,
    prepared: readonly PreparedRun<SoloSetup>[],
  ) {
    this.#scenarios = scenarios;
    this.#course = course;
    this.#prepared = prepared;
    this.#tallies = prepared.map(({ shape }) => emptyTally(shape));
  }

  /** @throws RunError if a kernel is not built */
  static async of(scenarios: readonly Scenario[], course: TogetherCourse): Promise<Together> {
    const { seed, from, battles, signal, pool, workers = pool?.workers } = course;
    const run = { engine: 'kernel', seed, from, to: from + battles } as const;
    const prepared: PreparedRun<SoloSetup>[] = [];
    for (const scenario of scenarios)
      prepared.push(await prepare({ ...run, scenario }, { signal, threads: workers ?? cores() }));
    return new Together(scenarios, course, prepared);
  }

  /** Battles that were played. */
  get played(): number {
    return this.#played;
  }

  /**
   * Goes on to so many battles in all, or to the signal.
   * @param members places of the scenarios that play, in ascending order
   * @param gaps    what is counted between them; parts are places among the members
   * @returns the counts of these battles: of the gaps, and, as `parts`, of the members
   */
  async playTo(to: number, members: readonly number[], gaps: readonly ReadingPair[]): Promise<Tally> {
    const { seed, from: first, battles, ...execution } = this.#course;
    const { onProgress } = execution;
    const [scenario] = this.#scenarios;
    if (scenario === undefined) throw new RangeError('there is no scenario');
    const [before, own] = [this.#played, members.flatMap((s) => this.#prepared[s] ?? [])];
    const setup: TogetherSetup = { form: 'together', parts: own.map(({ setup }) => setup), gaps };
    const pace = own.reduce((sum, { pace = 0 }) => sum + pace, 0);
    const prepared: PreparedRun = { setup, shape: gapShape(gaps.length), why: '', pace };
    const run: Run = { engine: 'kernel', scenario, seed, from: first + before, to: first + to };
    const tell =
      onProgress &&
      (({ done }: Progress) => {
        onProgress({ done: before + done, asked: battles });
      });
    const { tally } = await playOwn(run, { ...execution, prepared, onProgress: tell });
    this.#played += battlesIn(tally);
    for (const [p, part] of (tally.parts ?? []).entries()) {
      const whole = this.#tallies[members[p] ?? 0];
      if (whole !== undefined) mergeTally(whole, part);
    }
    return tally;
  }

  /**
   * @param answers of all scenarios, in their order; nothing is checked without them
   * @throws RulesError if battles contradict one of them; RunError if the system is shipped
   */
  check(answers: readonly Summary[] = []): void {
    for (const [s, answer] of answers.entries()) {
      const [scenario, tally, shape] = [this.#scenarios[s], this.#tallies[s], this.#prepared[s]?.shape];
      if (scenario === undefined || tally === undefined || shape === undefined) continue;
      checkAgreement(scenario, summarise(shape, tally), answer, battlesIn(tally));
    }
  }
}
