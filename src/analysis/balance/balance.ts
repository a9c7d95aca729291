/** What is to be reached, as it is written: `attacker=0.5`, `attacker=50%`, `rounds=8`. */

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

/** Unless said otherwise a target may be missed by so much, or by this part of it where that is more. */
const TOLERANCE = 0.01;

/**
 * @param text      `name=value`: an outcome with its probability, or a metric with its mean
 * @param tolerance above 0 or 0; 0.01, or 1 % of the target where that is more, unless said otherwise
 * @param place     what error messages call the text
 * @throws InputError if the scenario has no such outcome or metric, or the value is none that it can have
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

// What came of a search for balance.

/** Settings that meet the target and are told, at most. */
const MATCHES_MAX = 12;

/** Values that differ by less are equal up to rounding. */
const ROUNDING = 1e-11;

/** How a field was searched. */
export interface SearchRange {
  readonly path: string;
  /** What the scenario has there; undefined if it is no number. */
  readonly current: number | undefined;
  /** The values that were searched. */
  readonly low: number;
  readonly high: number;
}

/** What can be said of the values of one field. */
export interface FieldCurve {
  /** True if every value of the range was looked at. */
  readonly allExamined: boolean;
  /** True if every value of the range was looked at, and known exactly: then no crossing was missed. */
  readonly allExact: boolean;
  /**
   * Values between which the target is crossed: for whole numbers neighbours, but for values that could not be told from
   * the target by playing.
   */
  readonly crossings: readonly (readonly [BalanceSetting, BalanceSetting])[];
  /** How the outcome or metric goes along the values that were looked at; undefined where some are not exact. */
  readonly trend: 'rises' | 'falls' | 'neither' | 'constant' | undefined;
}

/** What is known of the settings that were looked at. */
interface BalanceFindings {
  readonly fields: readonly SearchRange[];
  /** The scenario as it is; undefined if it has no numbers in all fields. */
  readonly current: BalanceSetting | undefined;
  /** Settings that meet the target, the nearest to it first: at most 12, of so many that are known. */
  readonly meeting: readonly BalanceSetting[];
  readonly meetingCount: number;
  /** Settings of which battles did not tell whether they meet the target: the nearest to it, at most 12 with `meeting`. */
  readonly undecided: readonly BalanceSetting[];
  /**
   * The values of all settings that were looked at and may meet the target for all that is known: those that meet it
   * are among them but for the error. Absent if everything is known exactly.
   */
  readonly possible?: readonly (readonly number[])[];
  /** The setting with the value nearest to the target, and those with the least and the greatest. */
  readonly nearest: BalanceSetting;
  readonly least: BalanceSetting;
  readonly greatest: BalanceSetting;
  /** Of one field. */
  readonly curve?: FieldCurve;
  /** Of two fields: for each value of the first, in ascending order, the setting closest to the target. */
  readonly pairs?: readonly BalanceSetting[];
  /** Of two fields: which settings were examined. */
  readonly rows?: ExaminedRows;
  /** Of three or more: what was searched around the present setting. */
  readonly neighborhood?: SearchReport;
  /** Settings that were looked at and that the scenario allows, and those that it does not. */
  readonly examined: number;
  readonly rejected: number;
  /** All settings that were looked at, in the order of the search; what is told of them is verified, these are not. */
  readonly readings: readonly SettingEvaluation[];
  /** True if everything is known exactly. */
  readonly exact: boolean;
}

function computeTrend(readings: readonly SettingEvaluation[]): FieldCurve['trend'] {
  if (!readings.every(({ exact }) => exact)) return undefined;
  const gaps = readings.slice(1).map(({ value }, i) => value - (readings[i]?.value ?? 0));
  const [up, down] = [gaps.some((gap) => gap > ROUNDING), gaps.some((gap) => gap < -ROUNDING)];
  if (up && down) return 'neither';
  return up ? 'rises' : down ? 'falls' : 'constant';
}

/** By how far one setting is from another, all steps together. */
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

/** Numerically by the first field, then by the others. */
export function compareValues(a: readonly number[], b: readonly number[]): number {
  return a.reduce((order, value, v) => order || value - (b[v] ?? 0), 0);
}

/** Settings by reading, each verified once. */
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
 * Picks what is told of a search, and verifies it.
 * @param present what the scenario has in the fields
 * @returns undefined if no setting within the ranges is known
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
  const miss = ({ value }: SettingEvaluation): number => Math.abs(value - wanted);
  const ordered = [...readings].sort(
    (a, b) => miss(a) - miss(b) || computeDistance(a.values, from, axes) - computeDistance(b.values, from, axes),
  );
  const [least, greatest] = [Math.min, Math.max].map((pick) => {
    const value = pick(...readings.map((reading) => reading.value));
    return readings.find((reading) => reading.value === value);
  });
  const [nearest] = ordered;
  if (nearest === undefined || least === undefined || greatest === undefined) return undefined;
  const candidates = ordered.filter(({ verdict }) => verdict !== 'fails');
  const told = candidates.slice(0, MATCHES_MAX);
  const { line, pairs, rows, neighborhood } = haul;
  const crossings = line?.crossings ?? [];
  const all = [...told, nearest, least, greatest, ...crossings.flat(), ...(pairs ?? []), ...(here ? [here] : [])];
  const setting = await verifyEvaluations(gauge, all);
  const meeting = told.map(setting).filter(({ verdict }) => verdict === 'holds');
  const exact = readings.every((reading) => reading.exact);
  const failing = new Set(told.filter((reading) => setting(reading).verdict === 'fails'));
  const possible = candidates.filter((reading) => !failing.has(reading)).map(({ values }) => values);
  return {
    fields: describeFields(axes, readings, haul, present),
    current: here && setting(here),
    meeting,
    meetingCount: exact ? candidates.length : meeting.length,
    undecided: told.map(setting).filter(({ verdict }) => verdict === 'undecided'),
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

// Finds the values of some fields with which a scenario meets a target.

/** The most fields that are varied at once. */
const FIELDS_MAX = 6;

/** What `balance` is asked with, beside the fields and the target. */
export const BALANCE = {
  /** By how much it may be missed; 0.01, or 1 % of it where that is more, unless said otherwise. */
  tolerance: differenceOption(
    'allowed deviation: 0.01 or 1pp (default: 0.01, or 1 % of the target if that is more)',
    true,
  ),
  /** `auto` unless said otherwise. */
  exact: EXACT,
  /** Steps that the exact answer to a setting may take, 1..10^10; by default what is affordable beside the battles. */
  budget: ALONGSIDE_BUDGET,
  /** Battles that may be played for a setting that is not solved exactly; 1 000 000 unless said otherwise. */
  battles: {
    // What is told is verified by as many battles behind those of the search.
    ...count(1, MAX_BATTLES / 2, 'maximum number of battles for field values without an exact answer'),
    ...{ default: BATTLES, shown: '1e6' },
  },
  /** With what probability anything that is told from playing is wrong, 0..0.25; 0.01 unless said otherwise. */
  errorRate: ERROR_RATE,
  /** Intervals of means hold for every law in the declared range of their metric. */
  bounded: RUN_LENGTH.bounded,
  /** 1 unless said otherwise. */
  seed: RUN_POSITION.seed,
  ...THREADS,
} as const satisfies OptionSpecs;

/** What `balance` looks for, and how. */
export interface BalanceOptions extends RequestedOptions<typeof BALANCE> {
  /** The fields that may be changed, 1..6, each with the range that is searched: around its present value if none is given. */
  readonly vary: readonly VariedField[];
  /** `attacker=0.5`: an outcome and its probability, or a metric and its mean. */
  readonly target: string;
  /** A field whose worth is told in the only one that is varied. */
  readonly per?: string | undefined;
  /** Ends the search early; what is known by then is returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second while battles are played for a setting. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = createOptionsCheck<BalanceOptions>('balance', {
  vary: { required: true, check: checkVaried },
  target: { required: true, check: (given: string, place: string) => checkText(place, given) },
  per: text('path', 'a field'),
  ...BALANCE,
  ...PROGRESS_OPTIONS,
});

/** What `balance` found: settings that meet the target, and those that come nearest. */
export interface BalanceResult extends BalanceFindings {
  /** The outcome whose probability, or the metric whose mean is to be reached. */
  readonly of: string;
  readonly kind: Estimand['kind'];
  readonly target: number;
  readonly tolerance: number;
  /** True if a setting meets the target: for certain, or with the error. */
  readonly targetMet: boolean;
  /** In decimal. */
  readonly seed: string;
  /** That may be played for a setting. */
  readonly maxBattles: number;
  readonly errorRate: number;
  readonly bounded: boolean;
  /** False if a signal came first. */
  readonly complete: boolean;
  /** What `per` is worth, at each crossing. */
  readonly exchangeRates?: readonly ExchangeRate[];
}

function checkVaried(vary: readonly VariedField[]): void {
  checkList('vary', 'a list of fields such as [{ path }]', vary, 'object');
  if (vary.length < 1 || vary.length > FIELDS_MAX)
    throw new InputError('vary', `1..${String(FIELDS_MAX)} fields`, String(vary.length));
  const twice = vary.find(({ path }, v) => vary.findIndex((other) => other.path === path) < v);
  if (twice !== undefined) throw new InputError('vary', 'each field once', `"${twice.path}" again`);
}

/**
 * Finds the values of some fields with which an outcome has a probability, or a metric a mean.
 *
 * Settings are solved exactly where that is affordable. Where it is not, battles 0, 1, ... of the seed are played, the
 * same streams in each setting, until its side of the target is certain; what is told is verified by other battles.
 * @param scenario from `loadScenario`, `parseScenario` or `validateScenario`
 * @throws InputError if a field or the target is none of the scenario's, or an option is out of range
 * @throws BudgetError if exact answers are always asked for, and one is too large
 * @throws RunError if a signal came before anything was known
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
