/** Parses the target of a search, such as `attacker=0.5`, `attacker=50%` or `rounds=8`. */

import {
  AbortError,
  checkList,
  checkText,
  createOptionsCheck,
  describeNumeral,
  findAmount,
  InputError,
  MAX_BATTLES,
} from '../../core/index.ts';
import { checkStart, PROGRESS_OPTIONS, type Progress } from '../../engines/index.ts';
import { differenceOption, getBoundScenario, getNumericField, type Scenario } from '../../rules/index.ts';
import { count, type OptionSpecs, type RequestedOptions, resolveOptions, text } from '../../rules/option-spec.ts';
import { type CountsShape, createEstimand, type Estimand } from '../../stats/index.ts';
import { THREADS } from '../execution-options.ts';
import { BATTLES, RUN_LENGTH, RUN_POSITION } from '../run-options.ts';
import { ALONGSIDE_BUDGET, ERROR_RATE, EXACT } from '../shared-options.ts';
import { computeExchangeRate, type ExchangeRate, getFieldCount } from './exchange-rate.ts';
import { type ExaminedRows, type SearchData, searchSettings } from './search.ts';
import {
  type BalanceAxis,
  type BalanceSetting,
  computeAxisValue,
  type EstimandTarget,
  resolveAxis,
  type SearchReport,
  type SettingEvaluation,
  SettingEvaluator,
  type VariedField,
} from './setting-evaluator.ts';

/** Default tolerance; for larger targets the default is this fraction of the target. */
const TOLERANCE = 0.01;

/**
 * @param text `name=value`: an outcome with its probability, or a metric with its mean
 * @param tolerance 0 or above; default: 0.01, or 1 % of the target if that is more
 * @param place name of the text in error messages
 * @throws InputError if the scenario has no such outcome or metric, or the value is out of its range
 */
function parseTarget(text: string, tolerance: number | undefined, shape: CountsShape, place: string): EstimandTarget {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InputError(place, 'name=value', `"${text}"`);
  const quantity = createEstimand(shape, text.slice(0, at).trim(), place);
  const written = text.slice(at + 1).trim();
  const value = findAmount(written, quantity.kind === 'outcome' ? ['%'] : [])?.value;
  const what = quantity.kind === 'outcome' ? 'a probability' : `a mean of ${quantity.of}`;
  if (value === undefined) throw new InputError(place, what, describeNumeral(written));
  const [least, greatest] = quantity.range;
  if (value < least || value > greatest)
    throw new InputError(place, `${what} ${String(least)}..${String(greatest)}`, String(value));
  return { quantity, value, tolerance: tolerance ?? Math.max(TOLERANCE, TOLERANCE * Math.abs(value)) };
}

// Reports the result of a search for balance.

/** Maximum number of reported settings that meet the target. */
const MATCHES_MAX = 12;

/** Values that differ by less are equal up to rounding. */
const ROUNDING = 1e-11;

/** Search range of a field. */
export interface SearchRange {
  /** Path of the field. */
  readonly path: string;
  /** Value in the scenario; undefined if it is not a number. */
  readonly current: number | undefined;
  /** Searched range, inclusive. */
  readonly low: number;
  readonly high: number;
}

/** Results for the values of one field. */
export interface FieldCurve {
  /** True if every value of the range was examined. */
  readonly allExamined: boolean;
  /** True if every value of the range was examined exactly, so that no crossing was missed. */
  readonly allExact: boolean;
  /**
   * Pairs of values between which the target is crossed. Whole numbers are adjacent, except for values that simulation
   * could not distinguish from the target.
   */
  readonly crossings: readonly (readonly [BalanceSetting, BalanceSetting])[];
  /** Trend of the outcome or metric over the examined values; undefined if some are not exact. */
  readonly trend: 'rises' | 'falls' | 'neither' | 'constant' | undefined;
}

/** Results for the examined settings. */
interface BalanceFindings {
  readonly fields: readonly SearchRange[];
  /** The present scenario; undefined if it has no numbers in all fields. */
  readonly current: BalanceSetting | undefined;
  /** Settings that meet the target, sorted by distance to it: at most 12 of all that are known. */
  readonly meeting: readonly BalanceSetting[];
  readonly meetingCount: number;
  /** Settings for which simulation was inconclusive, sorted by distance to the target; with `meeting` at most 12. */
  readonly undecided: readonly BalanceSetting[];
  /**
   * Values of all examined settings that may meet the target. They include all settings that do, up to the error rate.
   * Absent if all are exact.
   */
  readonly possible?: readonly (readonly number[])[];
  /** The setting with the value closest to the target, and those with the least and the greatest value. */
  readonly nearest: BalanceSetting;
  readonly least: BalanceSetting;
  readonly greatest: BalanceSetting;
  /** For one field: its curve. */
  readonly curve?: FieldCurve;
  /** For two fields: for each value of the first, in ascending order, the setting closest to the target. */
  readonly pairs?: readonly BalanceSetting[];
  /** For two fields: the examined settings. */
  readonly rows?: ExaminedRows;
  /** For three or more fields: the searched neighborhood of the present setting. */
  readonly neighborhood?: SearchReport;
  /** Numbers of examined settings that the scenario allows, and that it does not. */
  readonly examined: number;
  readonly rejected: number;
  /** All examined settings in the order of the search. Reported settings are verified, these are not. */
  readonly readings: readonly SettingEvaluation[];
  /** True if all values are exact. */
  readonly exact: boolean;
}

function computeTrend(readings: readonly SettingEvaluation[]): FieldCurve['trend'] {
  if (!readings.every(({ exact }) => exact)) return undefined;
  const gaps = readings.slice(1).map(({ value }, i) => value - (readings[i]?.value ?? 0));
  const [up, down] = [gaps.some((gap) => gap > ROUNDING), gaps.some((gap) => gap < -ROUNDING)];
  if (up && down) return 'neither';
  return up ? 'rises' : down ? 'falls' : 'constant';
}

/** Computes the distance of two settings in steps, summed over the fields. */
function computeDistance(
  values: readonly number[],
  from: readonly number[] | undefined,
  axes: readonly BalanceAxis[],
): number {
  return values.reduce((sum, value, v) => sum + Math.abs(value - (from?.[v] ?? value)) / (axes[v]?.step ?? 1), 0);
}

function isWithinAxes(axes: readonly BalanceAxis[], { values }: SettingEvaluation): boolean {
  return axes.every((axis, a) => {
    const value = values[a] ?? 0;
    return value >= computeAxisValue(axis, axis.low) && value <= computeAxisValue(axis, axis.high);
  });
}

function describeFields(
  axes: readonly BalanceAxis[],
  readings: readonly SettingEvaluation[],
  { line }: SearchData,
  present: readonly (number | undefined)[],
) {
  return axes.map((axis, a): SearchRange => {
    const seen = readings.map(({ values }) => values[a] ?? 0);
    const [low, high] =
      line === undefined
        ? [Math.min(...seen), Math.max(...seen)]
        : [line.low, line.high].map((k) => computeAxisValue(axis, k));
    return { path: axis.path, current: present[a], low: low ?? 0, high: high ?? 0 };
  });
}

/** Compares settings by the first field, then by the others. */
export function compareValues(a: readonly number[], b: readonly number[]): number {
  return a.reduce((order, value, v) => order || value - (b[v] ?? 0), 0);
}

/** Verifies settings by reading, each once. */
async function verifyEvaluations(
  gauge: SettingEvaluator,
  readings: readonly SettingEvaluation[],
): Promise<(reading: SettingEvaluation) => BalanceSetting> {
  const distinct = [...new Set(readings)];
  const settings = await gauge.verify(distinct);
  const known = new Map(distinct.map((reading, r) => [reading, settings[r]]));
  return (reading) => known.get(reading) ?? { ...reading, battles: 0, verdict: 'undecided', points: new Map() };
}

/**
 * Selects the settings to report, and verifies them.
 * @param present values of the scenario in the fields
 * @returns undefined if no setting within the ranges is allowed
 */
async function collectFindings(
  axes: readonly BalanceAxis[],
  gauge: SettingEvaluator,
  haul: SearchData,
  present: readonly (number | undefined)[],
  wanted: number,
): Promise<BalanceFindings | undefined> {
  const readings = gauge.evaluations.filter((reading) => isWithinAxes(axes, reading));
  const here = gauge.evaluations.find(({ values }) => values.join() === present.join());
  const from = here?.values;
  const computeMiss = ({ value }: SettingEvaluation): number => Math.abs(value - wanted);
  const ordered = [...readings].sort(
    (a, b) =>
      computeMiss(a) - computeMiss(b) || computeDistance(a.values, from, axes) - computeDistance(b.values, from, axes),
  );
  const [least, greatest] = [Math.min, Math.max].map((pick) => {
    const value = pick(...readings.map((reading) => reading.value));
    return readings.find((reading) => reading.value === value);
  });
  const [nearest] = ordered;
  if (nearest === undefined || least === undefined || greatest === undefined) return undefined;
  const candidates = ordered.filter(({ verdict }) => verdict !== 'fails');
  const reported = candidates.slice(0, MATCHES_MAX);
  const { line, pairs, rows, neighborhood } = haul;
  const crossings = line?.crossings ?? [];
  const all = [...reported, nearest, least, greatest, ...crossings.flat(), ...(pairs ?? []), ...(here ? [here] : [])];
  const setting = await verifyEvaluations(gauge, all);
  const meeting = reported.map(setting).filter(({ verdict }) => verdict === 'holds');
  const exact = readings.every((reading) => reading.exact);
  const failing = new Set(reported.filter((reading) => setting(reading).verdict === 'fails'));
  const possible = candidates.filter((reading) => !failing.has(reading)).map(({ values }) => values);
  return {
    fields: describeFields(axes, readings, haul, present),
    current: here && setting(here),
    meeting,
    meetingCount: exact ? candidates.length : meeting.length,
    undecided: reported.map(setting).filter(({ verdict }) => verdict === 'undecided'),
    ...(!exact && { possible: possible.sort(compareValues) }),
    readings,
    nearest: setting(nearest),
    least: setting(least),
    greatest: setting(greatest),
    ...(line && {
      curve: {
        allExamined: line.isWhole,
        allExact: line.isComplete,
        crossings: crossings.map(([a, b]) => [setting(a), setting(b)] as const),
        trend: computeTrend(line.evaluations),
      },
    }),
    ...(pairs && { pairs: pairs.map(setting) }),
    ...(rows && { rows }),
    ...(neighborhood && { neighborhood }),
    examined: readings.length,
    rejected: gauge.rejectedCount,
    exact,
  };
}

// Finds values of some fields for which a scenario meets a target.

/** Maximum number of varied fields. */
const FIELDS_MAX = 6;

/** Options of `balance`, apart from the fields and the target. */
export const BALANCE = {
  /** Allowed deviation; default: 0.01, or 1 % of the target if that is more. */
  tolerance: differenceOption(
    'allowed deviation: 0.01 or 1pp (default: 0.01, or 1 % of the target if that is more)',
    true,
  ),
  /** Default: `auto`. */
  exact: EXACT,
  /** Maximum steps of the exact answer of a setting, 1..10^10; default: by the number of battles. */
  budget: ALONGSIDE_BUDGET,
  /** Maximum battles of a setting without an exact answer; default 1 000 000. */
  battles: {
    // Reported settings are verified with the same number of other battles.
    ...count(1, MAX_BATTLES / 2, 'maximum number of battles for field values without an exact answer'),
    ...{ default: BATTLES, shown: '1e6' },
  },
  /** Maximum probability that a result from simulation is wrong, 0..0.25; default 0.01. */
  errorRate: ERROR_RATE,
  /** Intervals of means are valid for every distribution in the declared range of the metric. */
  bounded: RUN_LENGTH.bounded,
  /** Default: 1. */
  seed: RUN_POSITION.seed,
  ...THREADS,
} as const satisfies OptionSpecs;

/** Options of `balance`. */
export interface BalanceOptions extends RequestedOptions<typeof BALANCE> {
  /** Fields to vary, 1..6, each with its search range; default range: around the present value. */
  readonly vary: readonly VariedField[];
  /** Target such as `attacker=0.5`: an outcome and its probability, or a metric and its mean. */
  readonly target: string;
  /** A field whose exchange rate is computed; requires exactly one varied field. */
  readonly per?: string | undefined;
  /** Stops the search; the results so far are returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second during simulations. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = createOptionsCheck<BalanceOptions>('balance', {
  vary: { required: true, check: checkVariedFields },
  target: { required: true, check: (given: string, place: string) => checkText(place, given) },
  per: text('path', 'a field'),
  ...BALANCE,
  ...PROGRESS_OPTIONS,
});

/** Result of `balance`: settings that meet the target, and the closest ones. */
export interface BalanceResult extends BalanceFindings {
  /** Scenario without changes. */
  readonly scenario: Scenario;
  /** Outcome or metric of the target. */
  readonly of: string;
  /** Kind of the target: the probability of an outcome, the mean of a metric, or a share. */
  readonly kind: Estimand['kind'];
  /** Target value: a probability 0..1, or a mean in the unit of the metric. */
  readonly target: number;
  /** Allowed deviation, in the unit of the target. */
  readonly tolerance: number;
  /** True if a setting meets the target, exactly or up to the error rate. */
  readonly targetMet: boolean;
  /** Seed in decimal. */
  readonly seed: string;
  /** Maximum battles of a setting. */
  readonly maxBattles: number;
  /** Maximum probability that a result from simulation is wrong, 0..0.25. */
  readonly errorRate: number;
  /** True if intervals of means are valid for every distribution in the declared range. */
  readonly bounded: boolean;
  /** False if the signal stopped the search. */
  readonly complete: boolean;
  /** Exchange rate of `per` at each crossing. */
  readonly exchangeRates?: readonly ExchangeRate[];
}

/** @throws InputError if there are no fields, too many, or one twice */
export function checkVariedFields(vary: readonly VariedField[]): void {
  checkList('vary', 'a list of fields such as [{ path }]', vary, 'object');
  if (vary.length < 1 || vary.length > FIELDS_MAX)
    throw new InputError('vary', `1..${String(FIELDS_MAX)} fields`, String(vary.length));
  const twice = vary.find(({ path }, v) => vary.findIndex((other) => other.path === path) < v);
  if (twice !== undefined) throw new InputError('vary', 'each field once', `"${twice.path}" again`);
}

/**
 * Finds values of some fields for which an outcome has a given probability, or a metric a given mean.
 *
 * Settings are solved exactly if that is affordable. Otherwise battles 0, 1, ... of the seed are simulated, with the
 * same streams in each setting, until it is certain on which side of the target the setting is. Reported settings are
 * verified by other battles.
 * @param scenario from `loadScenario`, `parseScenario` or `validateScenario`
 * @throws InputError if the scenario has no such field or target, or an option is out of range
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 * @throws RunError if the signal stopped the search before the first result
 */
export async function balance(scenario: Scenario, options: BalanceOptions): Promise<BalanceResult> {
  checkOptions(options);
  const { vary, target: wanted, per, signal, onProgress } = options;
  const { tolerance: missed, bounded = false, ...play } = resolveOptions(BALANCE, options);
  const target = parseTarget(wanted, missed?.value, getBoundScenario(scenario).shape, 'target');
  const axes = vary.map((field) => resolveAxis(scenario, field, 'vary'));
  const paths = axes.map(({ path }) => path);
  const count = per === undefined ? 0 : getFieldCount(scenario, per, paths);
  checkStart(signal);
  const gauge = new SettingEvaluator(scenario, paths, target, { ...play, bounded, signal, onProgress });
  const present = paths.map((path) => getNumericField(scenario, path, 'vary').value);
  const whole = present.every((value) => value !== undefined) ? present : undefined;
  const { value, tolerance, quantity } = target;
  const haul = await searchSettings(axes, gauge, whole, value);
  const findings = await collectFindings(axes, gauge, haul, present, value);
  if (findings === undefined) throw gauge.firstRejected ?? new AbortError('stopped before the first result', signal);
  const { of, kind } = quantity;
  const met = findings.meeting.length > 0;
  return {
    scenario,
    ...findings,
    of,
    kind,
    target: value,
    tolerance,
    targetMet: met,
    seed: String(play.seed),
    maxBattles: play.battles,
    errorRate: play.errorRate,
    bounded,
    complete: haul.finished,
    ...(per !== undefined && {
      exchangeRates:
        findings.curve?.crossings.map((pair) =>
          computeExchangeRate(scenario, [paths[0] ?? '', per, count], pair, value),
        ) ?? [],
    }),
  };
}
