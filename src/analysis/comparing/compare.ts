/** Simulates several scenarios on the same streams to rank them or to find the best. */

import { AbortError, checkList, createOptionsCheck, createRequirementError, InputError } from '../../core/index.ts';
import { checkStart, type ReadingDifference } from '../../engines/index.ts';
import { differenceOption, type Scenario } from '../../rules/index.ts';
import { checkTexts, type OptionSpecs, type RequestedOptions, word } from '../../rules/option-spec.ts';
import {
  ComparisonCounts,
  ConfidenceSequence,
  type Counts,
  collectValueWeights,
  type DroppedScenario,
  Elimination,
  type EliminationStopReason,
  getBattleCount,
  type PairedDifference,
  type RankedScenario,
  rankScenarios,
  type SelectionGoal,
  type Summary,
  withExactDifferences,
} from '../../stats/index.ts';
import { pickExecutionOptions } from '../execution-options.ts';
import { RUN_POSITION, resolveBattleSpan } from '../run-options.ts';
import { BATTLE_COUNT, BOUNDED_DIFFERENCES, COMPARED_VALUE, PAIRED_BATTLES } from '../shared-options.ts';
import { createRulesComparison, type RulesComparison } from './compare-rules.ts';
import {
  type Comparable,
  type ComparisonSubject,
  collectSubjectValues,
  createComparable,
  createPairedCounts,
  findExactAnswers,
  findSharedSubject,
  listPairedDifferences,
  listSubjectDifferences,
  PAIRED_EXECUTION,
  type PairedExecutionOptions,
  PairedRun,
  type PairedRunOptions,
} from './paired-run.ts';

/** Options of the simulation and of progress reports. */
interface ComparisonRunOptions extends PairedRunOptions {
  /**
   * Intervals of differences are valid for every distribution in the declared ranges, at all interim analyses together.
   */
  readonly bounded: boolean;
}

/** Creates the counts of a comparison. */
function createComparisonCounts(
  { kind, unit, ranges }: ComparisonSubject,
  { battles, bounded }: ComparisonRunOptions,
): ComparisonCounts {
  const bets = bounded ? new ConfidenceSequence(1 / battles) : undefined;
  return new ComparisonCounts({ shares: kind === 'outcome', unit, ranges }, bets);
}

/** Result of the search for the best scenario: the remaining ones, and the reason for stopping. */
export interface BestScenario extends SelectionGoal {
  /** Indices of the remaining scenarios: the best, or those that tie. */
  readonly remaining: readonly number[];
  /** Reason for stopping. */
  readonly reason: EliminationStopReason;
  /** Dropped scenarios, in order. */
  readonly eliminated: readonly DroppedScenario[];
  /** Battles of all planned interim analyses. */
  readonly analyses: readonly number[];
  /** Battles that were simulated of each scenario, in the order of the arguments. */
  readonly simulated: readonly number[];
  /** Total of requested battles that were not necessary. */
  readonly savedBattles: number;
}

/** Simulates some of the scenarios up to a total number of battles, or to the signal. @param more additional counts */
async function simulateTo(
  to: number,
  members: readonly number[],
  counts: ComparisonCounts,
  together: PairedRun,
  subject: ComparisonSubject,
  more: readonly ReadingDifference[] = [],
): Promise<Counts> {
  const gaps = listSubjectDifferences(subject, members);
  const between = await together.simulateTo(to, members, [...more, ...gaps]);
  const own = members.map((s, p) => collectSubjectValues(subject, between.parts?.[p] ?? between, s));
  const spreads = gaps.map((_, g) => collectValueWeights(between, more.length + g, 1));
  counts.add(getBattleCount(between), members, own, spreads);
  return between;
}

/** Creates the elimination procedure that finds the best scenario. */
function createSelection(target: SelectionGoal) {
  return async (
    scenarios: readonly Scenario[],
    sides: readonly Comparable[],
    subject: ComparisonSubject,
    course: ComparisonRunOptions,
  ) => {
    const counts = createComparisonCounts(subject, course);
    const race = new Elimination(counts, sides.length, course.battles, target, course.bounded);
    const together = await PairedRun.create(scenarios, course);
    let answers: readonly Summary[] | undefined;
    let values: readonly number[] | undefined;
    for (let analysis = race.nextAnalysis; analysis !== undefined; analysis = race.nextAnalysis) {
      await simulateTo(analysis, race.remaining, counts, together, subject);
      if (counts.battles < analysis) break;
      race.dropWorse();
      if (analysis === race.analyses[0]) {
        answers = findExactAnswers(scenarios, course.battles);
        values = answers?.map(subject.exact);
      }
      if (values !== undefined) race.finishExactly(values);
    }
    const { remaining, drops, analyses, battles: played, stopReason = 'interrupted' } = race;
    const most = Math.max(0, ...played);
    if (most === 0) throw new AbortError('stopped before the first interim analysis', course.signal);
    together.check(answers);
    const saved = played.reduce((sum, battles) => sum + course.battles - battles, 0);
    const pairs = values === undefined ? race.differences : withExactDifferences(race.differences, values);
    const countStayed = (s: number): number =>
      drops.find(({ scenario }) => scenario === s)?.analysis ?? analyses.length + 1;
    const best: BestScenario = {
      ...target,
      remaining,
      reason: stopReason,
      eliminated: drops,
      analyses,
      simulated: played,
      savedBattles: saved,
    };
    const order = { goal: target.goal, stayed: countStayed };
    const complete = stopReason !== 'interrupted';
    return { battles: most, complete, pairs, ...rankScenarios(race.rankedValues, pairs, values, order), best };
  };
}

// Simulates several scenarios of one system on the same streams and ranks them.

export type { PairedDifference, RankedScenario };

/** All pairs are compared: larger comparisons are sweeps. */
const SCENARIOS_MAX = 100;

/** Options of `compare`. */
export const COMPARE = {
  /**
   * The compared value: an outcome or metric that all scenarios have. Default: the first outcome of the first scenario
   * that is not a stalemate.
   */
  of: COMPARED_VALUE,
  /**
   * Finds the scenario with the highest or lowest value. Drops scenarios that are shown to be worse after fixed numbers
   * of battles; `battles` is then the maximum per scenario. All statements hold together with 95 % confidence.
   */
  best: word('find the scenario with the best value and drop scenarios that are shown to be worse', [
    'highest',
    'lowest',
  ]),
  /**
   * With `best`: stops when the remaining scenarios differ by less than this, above 0: of shares 0..1, of means in
   * their unit.
   */
  indifference: differenceOption(
    'with --best: stop when the remaining scenarios differ by less; for probabilities 0.01 or 1pp',
    false,
  ),
  /** Intervals of differences are valid for every distribution in the declared ranges, at any number of battles. */
  bounded: BOUNDED_DIFFERENCES,
  /** Battles of each scenario; default 200 000. */
  battles: { ...BATTLE_COUNT, default: PAIRED_BATTLES, shown: String(PAIRED_BATTLES) },
  ...RUN_POSITION,
} as const satisfies OptionSpecs;

/** Options of `compare`, with execution options. */
export interface CompareOptions extends RequestedOptions<typeof COMPARE>, PairedExecutionOptions {
  /** Names of the scenarios in messages; default: `scenario 1`, `scenario 2`. */
  readonly names?: readonly string[];
}

const checkOptions = createOptionsCheck<CompareOptions>('compare', {
  ...COMPARE,
  ...PAIRED_EXECUTION,
  names: { check: checkTexts },
});

/** Compared scenarios: a value of each, and the differences of pairs. Probabilities are 0..1. */
export interface Comparison {
  /** Seed in decimal. */
  readonly seed: string;
  /** Battles from..from+battles-1 of every scenario; with `best`, of the remaining ones. */
  readonly from: number;
  /** Number of battles. */
  readonly battles: number;
  /** False if the signal stopped the comparison. */
  readonly complete: boolean;
  /** The compared value: the share of an outcome, 0..1, or the mean of a metric. */
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  /** One element per scenario, in the order of the arguments. */
  readonly standings: readonly RankedScenario[];
  /** All pairs of scenarios, by index. */
  readonly pairs: readonly PairedDifference[];
  /** Indices of the scenarios, the highest value first, or the best; by exact values if all are known. */
  readonly order: readonly number[];
  /** The largest groups without a significant difference between any two; they may overlap. */
  readonly groups: readonly (readonly number[])[];
  /** True if intervals of differences are valid for every distribution in the declared ranges. */
  readonly bounded: boolean;
  /** For two scenarios: all outcomes and metrics. */
  readonly all?: RulesComparison;
  /** With `best`: its result. Values and pairs are from the last interim analysis that included them. */
  readonly best?: BestScenario;
}

/** Creates the setup of two paired scenarios, with their differences. */
function createPair([one, two, ...others]: readonly Comparable[]) {
  if (one === undefined || two === undefined || others.length > 0) return undefined;
  const paired = createPairedCounts(one, two);
  return { paired, gaps: listPairedDifferences(paired, one, two) };
}

function checkScenarios(scenarios: readonly Scenario[]): void {
  checkList('scenarios', 'a list of scenarios', scenarios, 'object');
  const { length } = scenarios;
  if (length < 2 || length > SCENARIOS_MAX)
    throw new InputError('scenarios', `2..${String(SCENARIOS_MAX)} scenarios`, String(length));
  const system = scenarios[0]?.system ?? '';
  const stray = scenarios.find((scenario) => scenario.system !== system);
  if (stray !== undefined) throw new InputError('system', `${system}, as in the first scenario`, stray.system);
}

/** @throws InputError if the options are inconsistent */
function resolveSelectionGoal({ best: wanted, indifference }: CompareOptions): SelectionGoal | undefined {
  if (indifference !== undefined && wanted === undefined) throw createRequirementError('indifference', 'best');
  if (indifference !== undefined) COMPARE.indifference.check(indifference, 'indifference');
  return wanted && { goal: wanted, ...(indifference !== undefined && { indifference }) };
}

/** Simulates all battles of all scenarios. */
async function simulateAll(
  scenarios: readonly Scenario[],
  sides: readonly Comparable[],
  subject: ComparisonSubject,
  course: ComparisonRunOptions,
) {
  const { seed, battles: requested, bounded, signal } = course;
  const counts = createComparisonCounts(subject, course);
  const { paired, gaps } = createPair(sides) ?? {};
  const together = await PairedRun.create(scenarios, course);
  const between = await simulateTo(requested, [...sides.keys()], counts, together, subject, gaps);
  paired?.add(between);
  const { battles } = counts;
  if (battles === 0) throw new AbortError('stopped before the first battle', signal);
  const answers = signal?.aborted === true ? undefined : findExactAnswers(scenarios, requested);
  together.check(answers);
  const values = answers?.map(subject.exact);
  const pairs = values === undefined ? counts.gaps() : withExactDifferences(counts.gaps(), values);
  const bets = bounded ? new ConfidenceSequence(1 / requested) : undefined;
  const all = paired && { all: createRulesComparison(paired, seed, requested, answers, bets) };
  return {
    battles,
    complete: battles === requested,
    pairs,
    ...rankScenarios(counts.computeValues(), pairs, values),
    ...all,
  };
}

/**
 * Simulates the same battles in every scenario: battle i of seed s has the same stream in all of them, and each draw
 * has a fixed position in it. Differences are paired, battle by battle.
 * @param scenarios 2..100 complete scenarios of one system
 * @throws InputError if the systems differ, a scenario has no such outcome or metric, or an option is out of range
 * @throws RunError if the kernel is not built, or the signal came before the first battle or interim analysis
 * @throws RulesError if the rules fail, or battles contradict the exact answer of a scenario
 */
export async function compare(scenarios: readonly Scenario[], options: CompareOptions = {}): Promise<Comparison> {
  checkOptions(options);
  checkScenarios(scenarios);
  const { seed, from, battles } = resolveBattleSpan(options, PAIRED_BATTLES);
  const target = resolveSelectionGoal(options);
  const sides = scenarios.map(createComparable);
  const names = options.names ?? scenarios.map((_, s) => `scenario ${String(s + 1)}`);
  const subject = findSharedSubject(options.of, sides, names);
  const { bounded = false } = options;
  checkStart(options.signal);
  const course: ComparisonRunOptions = { seed, from, battles, bounded, ...pickExecutionOptions(options) };
  const play = target === undefined ? simulateAll : createSelection(target);
  return {
    seed: String(seed),
    from,
    of: subject.of,
    kind: subject.kind,
    bounded,
    ...(await play(scenarios, sides, subject, course)),
  };
}
