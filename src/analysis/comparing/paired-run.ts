/** Resolves the compared value of several scenarios, an outcome or a metric, and simulates them on the same streams. */

import { countCores } from '#platform/threads';
import { InputError, suggestName } from '../../core/index.ts';
import {
  type BattleReading,
  chooseEngine,
  createDifferenceShape,
  type PairedSetup,
  PROGRESS_OPTIONS,
  type PreparedRun,
  type Progress,
  type ReadingDifference,
  type RunRequest,
  runBattles,
  type ScenarioSetup,
} from '../../engines/index.ts';
import { type BattleEnd, getBoundScenario, type Scenario } from '../../rules/index.ts';
import {
  type Counts,
  type CountsShape,
  collectValueWeights,
  createEmptyCounts,
  getBattleCount,
  type Interval,
  mergeCounts,
  PairedCounts,
  type Summary,
  summarizeBattles,
  type ValueWeights,
} from '../../stats/index.ts';
import { checkAgreement } from '../battle-function.ts';
import { type ExecutionOptions, type pickExecutionOptions, THREADS } from '../execution-options.ts';
import { findExactAnswer } from '../solve.ts';

/** The compared value, and how to read it from the result of a battle. */
export interface ComparisonSubject {
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  readonly unit: number;
  /** By scenario: the declared range of the value. */
  readonly ranges: readonly Interval[];
  /** By scenario: the metric, or the value of each outcome. */
  readonly read: readonly BattleReading['of'][];
  readonly exact: (summary: Summary) => number;
}

function createOutcomeSubject(of: string, shapes: readonly CountsShape[]): ComparisonSubject {
  return {
    of,
    kind: 'outcome',
    unit: 1,
    ranges: shapes.map(() => [0, 1]),
    read: shapes.map(({ outcomes }) => outcomes.map((outcome) => (outcome === of ? 1 : 0))),
    exact: ({ outcomes }) => outcomes.find(({ name }) => name === of)?.p ?? 0,
  };
}

function createMetricSubject(of: string, shapes: readonly CountsShape[]): ComparisonSubject {
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

/** Reads the value of one battle. */
export function readResult(of: BattleReading['of'], { outcome, metrics }: BattleEnd): number {
  return (typeof of === 'number' ? metrics[of] : of[outcome]) ?? 0;
}

/** Collects the observed values of a subject in the battles of a scenario. */
export function collectSubjectValues({ read }: ComparisonSubject, counts: Counts, scenario: number): ValueWeights {
  const of = read[scenario] ?? 0;
  if (typeof of === 'number') return collectValueWeights(counts, of, 1);
  return { values: [...of], weights: [...counts.outcomes] };
}

/** Lists the differences that are counted between every two scenarios. */
export function listSubjectDifferences({ read }: ComparisonSubject, members: readonly number[]): ReadingDifference[] {
  const readings = members.map((s, part): BattleReading => ({ part, of: read[s] ?? 0 }));
  return readings.flatMap((first, p) => readings.slice(p + 1).map((second): ReadingDifference => [first, second]));
}

/** Source of the names of outcomes and metrics of the scenarios. */
interface SubjectSource {
  readonly shape: CountsShape;
  readonly isOutcome: (outcome: string) => boolean;
}

/**
 * Finds the compared value, which all scenarios must have: a missing outcome is not 0.
 * @param requested name of the outcome or metric; default: the first outcome that is not a stalemate
 * @param names names of the scenarios in messages
 * @throws InputError if a scenario does not have it; the message lists common names
 */
export function findSharedSubject(
  requested: string | undefined,
  sides: readonly SubjectSource[],
  names: readonly string[],
): ComparisonSubject {
  const shapes = sides.map(({ shape }) => shape);
  const outcomes = [...new Set(shapes.flatMap((shape) => shape.outcomes))];
  const of = requested ?? outcomes.find((outcome) => outcome !== 'stalemate') ?? '';
  const stranger = outcomes.includes(of) ? sides.findIndex(({ isOutcome }) => !isOutcome(of)) : -1;
  const lacking = shapes.findIndex(({ metrics }) => metrics.every(({ name }) => name !== of));
  const isMetric = shapes.some(({ metrics }) => metrics.some(({ name }) => name === of));
  const without = outcomes.includes(of) ? stranger : isMetric ? lacking : -1;
  if (without < 0) return resolveSubject(requested, shapes);
  const all = outcomes.filter((name) => sides.every(({ isOutcome: knows }) => knows(name)));
  const words = [...all, ...listSharedMetrics(shapes)];
  const expected =
    words.length === 0 ? 'scenarios with an outcome or a metric in common' : `one of ${words.join(', ')}`;
  const kind = outcomes.includes(of) ? 'an outcome' : 'a metric';
  throw new InputError('of', expected, `"${of}", which is not ${kind} of ${names[without] ?? ''}`);
}

/** Lists the names of common metrics. */
function listSharedMetrics(shapes: readonly CountsShape[]): string[] {
  const [first, ...others] = shapes.map(({ metrics }) => metrics.map(({ name }) => name));
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

/**
 * @param requested name of the outcome or metric; default: the first outcome that is not a stalemate
 * @throws InputError if no scenario has such an outcome, and not all have such a metric
 */
export function resolveSubject(requested: string | undefined, shapes: readonly CountsShape[]): ComparisonSubject {
  const outcomes = [...new Set(shapes.flatMap((shape) => shape.outcomes))];
  const of = requested ?? outcomes.find((outcome) => outcome !== 'stalemate') ?? '';
  if (outcomes.includes(of)) return createOutcomeSubject(of, shapes);
  const shared = listSharedMetrics(shapes);
  if (shared.includes(of)) return createMetricSubject(of, shapes);
  const words = [...outcomes, ...shared];
  throw new InputError('of', `one of ${words.join(', ')}`, `"${of}"${suggestName(of, words)}`);
}

// Several scenarios of one system with the same battles.

/** A compared scenario. */
export interface Comparable {
  readonly shape: CountsShape;
  /** Returns true for names of outcomes, including those of probability 0 that the shape omits. */
  readonly isOutcome: (outcome: string) => boolean;
}

export function createComparable(scenario: Scenario): Comparable {
  const { model, shape } = getBoundScenario(scenario);
  return { shape, isOutcome: (outcome) => model.outcomes.includes(outcome) || model.impossible?.(outcome) === true };
}

/** Creates the counts of pairs of battles of two scenarios. */
export function createPairedCounts(one: Comparable, two: Comparable): PairedCounts {
  return new PairedCounts(one.shape, two.shape, (outcome) => one.isOutcome(outcome) && two.isOutcome(outcome));
}

/** Lists the differences that `PairedCounts` has of the first two scenarios. */
export function listPairedDifferences(paired: PairedCounts, one: Comparable, two: Comparable): ReadingDifference[] {
  const [first, second] = [one.shape.outcomes, two.shape.outcomes];
  const results: ReadingDifference = [
    { part: 0, of: first.map((_, o) => -o * second.length) },
    { part: 1, of: [...second.keys()] },
  ];
  return [
    results,
    ...paired.compared.map(
      ([m, n]): ReadingDifference => [
        { part: 0, of: m },
        { part: 1, of: n },
      ],
    ),
  ];
}

/** Computes the exact answers of all scenarios, if all are affordable next to this number of battles. */
export function findExactAnswers(scenarios: readonly Scenario[], battles: number): readonly Summary[] | undefined {
  const answers: Summary[] = [];
  for (const scenario of scenarios) {
    const answer = findExactAnswer(scenario, 'auto', battles);
    if (answer === undefined) return undefined;
    answers.push(answer.summary);
  }
  return answers;
}

/** Options of the execution of paired scenarios. */
export type PairedExecutionOptions = Omit<ExecutionOptions, 'budget'>;

/** Names of these options. */
export const PAIRED_EXECUTION = { ...THREADS, pool: true, ...PROGRESS_OPTIONS } as const;

/** Range of the simulated battles. */
export interface PairedRunOptions extends ReturnType<typeof pickExecutionOptions> {
  readonly seed: bigint;
  readonly from: number;
  /** Number of battles, or their maximum. */
  readonly battles: number;
}

/** Simulates scenarios on the same streams, with separate counts for comparisons with exact answers. */
export class PairedRun {
  readonly #scenarios: readonly Scenario[];
  readonly #course: PairedRunOptions;
  readonly #prepared: readonly PreparedRun<ScenarioSetup>[];
  readonly #counts: readonly Counts[];
  #played = 0;

  private constructor(
    scenarios: readonly Scenario[],
    course: PairedRunOptions,
    prepared: readonly PreparedRun<ScenarioSetup>[],
  ) {
    this.#scenarios = scenarios;
    this.#course = course;
    this.#prepared = prepared;
    this.#counts = prepared.map(({ shape }) => createEmptyCounts(shape));
  }

  /** @throws RunError if a kernel is not built */
  static async create(scenarios: readonly Scenario[], course: PairedRunOptions): Promise<PairedRun> {
    const { seed, from, battles, signal, pool, workers = pool?.workers } = course;
    const run = { engine: 'kernel', seed, from, to: from + battles } as const;
    const prepared: PreparedRun<ScenarioSetup>[] = [];
    for (const scenario of scenarios)
      prepared.push(await chooseEngine({ ...run, scenario }, { signal, threads: workers ?? countCores() }));
    return new PairedRun(scenarios, course, prepared);
  }

  /** Number of simulated battles. */
  get simulated(): number {
    return this.#played;
  }

  /**
   * Continues to a total number of battles, or to the signal.
   * @param members indices of the simulated scenarios, in ascending order
   * @param gaps counted differences; parts are indices of the members
   * @returns the counts of these battles: of the differences, and, as `parts`, of the members
   */
  async simulateTo(to: number, members: readonly number[], gaps: readonly ReadingDifference[]): Promise<Counts> {
    const { seed, from: first, battles, ...execution } = this.#course;
    const { onProgress } = execution;
    const [scenario] = this.#scenarios;
    if (scenario === undefined) throw new RangeError('no scenario');
    const [before, own] = [this.#played, members.flatMap((s) => this.#prepared[s] ?? [])];
    const setup: PairedSetup = { form: 'together', parts: own.map(({ setup }) => setup), differences: gaps };
    const pace = own.reduce((sum, { pace = 0 }) => sum + pace, 0);
    const prepared: PreparedRun = { setup, shape: createDifferenceShape(gaps.length), why: '', pace };
    const run: RunRequest = { engine: 'kernel', scenario, seed, from: first + before, to: first + to };
    const report =
      onProgress &&
      (({ done }: Progress) => {
        onProgress({ done: before + done, total: battles });
      });
    const { counts } = await runBattles(run, { ...execution, prepared, onProgress: report });
    this.#played += getBattleCount(counts);
    for (const [p, part] of (counts.parts ?? []).entries()) {
      const whole = this.#counts[members[p] ?? 0];
      if (whole !== undefined) mergeCounts(whole, part);
    }
    return counts;
  }

  /**
   * @param answers exact answers of all scenarios, in their order; without them nothing is checked
   * @throws RulesError if battles contradict one of them; RunError if the system is shipped
   */
  check(answers: readonly Summary[] = []): void {
    for (const [s, answer] of answers.entries()) {
      const [scenario, counts, shape] = [this.#scenarios[s], this.#counts[s], this.#prepared[s]?.shape];
      if (scenario === undefined || counts === undefined || shape === undefined) continue;
      checkAgreement(scenario, summarizeBattles(shape, counts), answer, getBattleCount(counts));
    }
  }
}
