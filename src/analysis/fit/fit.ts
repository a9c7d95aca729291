/** Maximum likelihood estimates of fields from observed battles. */

import { createOptionsCheck, formatGrouped, InputError, MAX_BATTLES } from '../../core/index.ts';
import { checkStart, PROGRESS_OPTIONS, type Progress } from '../../engines/index.ts';
import { getBoundScenario, type Scenario, setFields } from '../../rules/index.ts';
import { count, type OptionSpecs, type RequestedOptions, resolveOptions } from '../../rules/option-spec.ts';
import { type CountsShape, computeChiSquareTail } from '../../stats/index.ts';
import { checkVariedFields } from '../balance/balance.ts';
import { type BalanceAxis, computeAxisValue, resolveAxis, type VariedField } from '../balance/setting-evaluator.ts';
import { THREADS } from '../execution-options.ts';
import { RUN_POSITION } from '../run-options.ts';
import { BUDGET, EXACT, PAIRED_BATTLES } from '../shared-options.ts';
import {
  computeLogLikelihood,
  computeResultProbabilities,
  createResultKey,
  type LikelihoodOptions,
  type ResultProbabilities,
} from './likelihood.ts';
import { countObservations, type ObservationTable, type ObservedBattles, type ObservedResult } from './observations.ts';

/** Maximum number of settings: combinations of field values. */
const SETTINGS_MAX = 20_000;

/** 95 % quantile of the chi-square distribution with one degree of freedom: the difference of log-likelihoods, doubled. */
const PROFILE_LIMIT = 3.841458820694124;

/** Log-likelihoods that differ by less are equal up to rounding. */
const ROUNDING = 1e-9;

/** Expected number of battles of a class in the test of the model (W. Cochran, Biometrics 10, 1954). */
const LEAST_EXPECTED = 5;

/** Options of `fitFields`, apart from the fields. */
export const FIT = {
  /** Default: `auto`. */
  exact: EXACT,
  /** Maximum steps of the exact answer of a setting, 1..10^10. */
  budget: BUDGET,
  /** Battles of a setting without an exact answer; default 200 000. */
  battles: {
    ...count(1, MAX_BATTLES, 'number of simulated battles for field values without an exact answer'),
    ...{ default: PAIRED_BATTLES, shown: '2e5' },
  },
  /** Default: 1. */
  seed: RUN_POSITION.seed,
  ...THREADS,
} as const satisfies OptionSpecs;

/** Options of `fitFields`. */
export interface FitOptions extends RequestedOptions<typeof FIT> {
  /** Fields to estimate, each with its range; default range: around the present value. */
  readonly vary: readonly VariedField[];
  /** Stops the computation with an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each setting. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = createOptionsCheck<FitOptions>('fitFields', {
  vary: { required: true, check: checkVariedFields },
  ...FIT,
  ...PROGRESS_OPTIONS,
});

/** Estimate of a field. */
export interface FieldEstimate {
  readonly path: string;
  /** Value with the greatest likelihood. */
  readonly value: number;
  /** 95 % interval from the profile likelihood. */
  readonly low: number;
  readonly high: number;
  /** Range of the examined values. */
  readonly range: readonly [low: number, high: number];
  /**
   * `range-end`: the interval reaches an end of the range, so that a wider range can have a wider interval. `unidentified`:
   * the data do not exclude any value of the range.
   */
  readonly status: 'estimated' | 'range-end' | 'unidentified';
}

/** Test of the model: observed against expected numbers of battles by result. */
export interface ModelTest {
  /** Pearson's statistic. */
  readonly statistic: number;
  readonly degreesOfFreedom: number;
  /** Probability of such a statistic or a greater one if the model is right. */
  readonly pValue: number;
}

/** Result of `fitFields`. */
export interface FitResult {
  readonly scenario: Scenario;
  readonly fields: readonly FieldEstimate[];
  readonly logLikelihood: number;
  /** Number of settings with the greatest likelihood. */
  readonly bestSettings: number;
  readonly observedBattles: number;
  /** Names of the observed metrics. */
  readonly metrics: readonly string[];
  /** Undefined if the results have too few classes for a test. */
  readonly test: ModelTest | undefined;
  /** Settings that the scenario allows, and that it does not. */
  readonly examined: number;
  readonly rejected: number;
  /** False if battles were simulated for some settings. */
  readonly exact: boolean;
  /** Seed in decimal. */
  readonly seed: string;
}

/** Values of the fields with their log-likelihood. */
interface Setting {
  readonly values: readonly number[];
  readonly logLikelihood: number;
}

const listAxisValues = (axis: BalanceAxis): number[] => {
  const [low, high] = axis.isUserRange
    ? [axis.low, axis.high]
    : [Math.max(axis.low, axis.present - axis.reach), Math.min(axis.high, axis.present + axis.reach)];
  return Array.from({ length: high - low + 1 }, (_, k) => computeAxisValue(axis, low + k));
};

/** Lists all combinations. */
const listCombinations = (lists: readonly (readonly number[])[]): number[][] =>
  lists.reduce<number[][]>((all, list) => all.flatMap((values) => list.map((value) => [...values, value])), [[]]);

/**
 * Compares observed with expected numbers of battles; results with few expected battles form one class (K. Pearson 1900).
 * @param fields number of fields that the observations determine
 */
function testModel(
  { results, battles }: ObservationTable,
  { byKey }: ResultProbabilities,
  fields: number,
): ModelTest | undefined {
  const observed = new Map(results.map(({ outcome, values, count: n }) => [createResultKey(outcome, values), n]));
  let [statistic, classes, rareExpected, rareObserved] = [0, 0, 0, battles];
  for (const [key, p] of byKey) {
    const expected = battles * p;
    if (expected < LEAST_EXPECTED) continue;
    const seen = observed.get(key) ?? 0;
    statistic += (seen - expected) ** 2 / expected;
    classes++;
    rareObserved -= seen;
    rareExpected += expected;
  }
  const rest = Math.max(0, battles - rareExpected);
  if (rest >= 1 || rareObserved > 0) {
    statistic += (rareObserved - rest) ** 2 / Math.max(rest, Number.MIN_VALUE);
    classes++;
  }
  const degreesOfFreedom = classes - 1 - fields;
  if (degreesOfFreedom < 1) return undefined;
  return { statistic, degreesOfFreedom, pValue: computeChiSquareTail(statistic, degreesOfFreedom) };
}

function estimateField(
  path: string,
  list: readonly number[],
  at: number,
  settings: readonly Setting[],
  best: Setting,
): FieldEstimate {
  const inside = settings
    .filter(({ logLikelihood }) => 2 * (best.logLikelihood - logLikelihood) <= PROFILE_LIMIT)
    .map(({ values }) => values[at] ?? 0);
  const [low, high] = [Math.min(...inside), Math.max(...inside)];
  const [least = 0, greatest = 0] = [list[0], list.at(-1)];
  const [atLow, atHigh] = [low === least, high === greatest];
  const status = atLow && atHigh ? 'unidentified' : atLow || atHigh ? 'range-end' : 'estimated';
  return { path, value: best.values[at] ?? 0, low, high, range: [least, greatest], status };
}

/** Creates the error of a fit without a possible setting; it names the first result that no setting can have. */
function createFitError(
  shape: CountsShape,
  { metrics }: ObservationTable,
  [first]: readonly ObservedResult[],
  examined: number,
): InputError {
  if (examined === 0) return new InputError('vary', 'values that the scenario allows', 'none');
  if (first === undefined)
    return new InputError('observations', 'results that one setting can have', 'results that exclude each other');
  const { place, outcome, values } = first;
  const named = metrics.map((m, v) => `, ${shape.metrics[m]?.name ?? ''} ${String(values[v])}`);
  const found = `${shape.outcomes[outcome] ?? ''}${named.join('')}, which is impossible in all settings`;
  return new InputError(place, 'a result that some setting can have', found);
}

/**
 * Estimates fields of a scenario from observed battles by maximum likelihood over all combinations of their values.
 * Intervals have all values whose profile likelihood is not significantly lower (S. Wilks 1938).
 * @param observations results of battles: outcomes, and metrics if they are known
 * @throws InputError if the scenario has no such field, outcome or metric, or no setting can have these results
 * @throws BudgetError if exact answers are required and one exceeds the budget
 */
export async function fitFields(
  scenario: Scenario,
  observations: readonly ObservedBattles[],
  options: FitOptions,
): Promise<FitResult> {
  checkOptions(options);
  const { vary, signal, onProgress } = options;
  const play: LikelihoodOptions = { ...resolveOptions(FIT, options), signal };
  const { shape } = getBoundScenario(scenario);
  const table = countObservations(shape, observations);
  const axes = vary.map((field) => resolveAxis(scenario, field, 'vary'));
  const lists = axes.map(listAxisValues);
  const total = lists.reduce((product, list) => product * list.length, 1);
  if (total > SETTINGS_MAX)
    throw new InputError('vary', `at most ${formatGrouped(SETTINGS_MAX)} combinations of values`, formatGrouped(total));
  const settings: Setting[] = [];
  let best: (Setting & { readonly distribution: ResultProbabilities }) | undefined;
  let [rejected, bestSettings, exact, impossible] = [0, 0, true, table.results];
  for (const [s, values] of listCombinations(lists).entries()) {
    checkStart(signal);
    let variant: Scenario;
    try {
      variant = setFields(
        scenario,
        axes.map(({ path }, a) => [path, values[a] ?? 0]),
        'vary',
      );
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      rejected++;
      continue;
    }
    const distribution = await computeResultProbabilities(variant, table, play);
    exact &&= distribution.exact;
    impossible = impossible.filter((result) => !distribution.byKey.get(createResultKey(result.outcome, result.values)));
    const logLikelihood = computeLogLikelihood(table, distribution, distribution.exact ? 0 : 0.5 / (play.battles + 1));
    settings.push({ values, logLikelihood });
    const gain = logLikelihood - (best?.logLikelihood ?? Number.NEGATIVE_INFINITY);
    if (gain > ROUNDING) [best, bestSettings] = [{ values, logLikelihood, distribution }, 1];
    else if (gain > -ROUNDING) bestSettings++;
    onProgress?.({ done: s + 1, total, unit: 'settings' });
  }
  if (best === undefined) throw createFitError(shape, table, impossible, settings.length);
  const found = best;
  const fields = axes.map(({ path }, a) => estimateField(path, lists[a] ?? [], a, settings, found));
  return {
    scenario,
    fields,
    logLikelihood: found.logLikelihood,
    bestSettings,
    observedBattles: table.battles,
    metrics: table.metrics.map((m) => shape.metrics[m]?.name ?? ''),
    test: testModel(table, found.distribution, fields.filter(({ status }) => status !== 'unidentified').length),
    examined: settings.length,
    rejected,
    exact,
    seed: String(play.seed),
  };
}
