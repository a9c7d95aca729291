/** What is to be reached, as it is written: `attacker=0.5`, `attacker=50%`, `rounds=8`. */

import { type Quantity, quantityOf, type TallyShape } from '../../answers/index.ts';
import {
  AbortError,
  checkList,
  checkText,
  foundNumeral,
  InputError,
  MAX_BATTLES,
  optionsOf,
  readAmount,
} from '../../core/index.ts';
import { checkStart, type Progress, WATCH } from '../../engines/index.ts';
import { difference, numericField, opened, type Scenario } from '../../rules/index.ts';
import { type Asked, count, type Settings, settled, text } from '../../rules/setting.ts';
import { BATTLES, LENGTH, PLACE } from '../asked.ts';
import { THREADS } from '../execution.ts';
import { BESIDE_BUDGET, ERROR, EXACT } from '../questions.ts';
import {
  axisOf,
  type BalanceAxis,
  type BalanceTarget,
  Gauge,
  type GaugedSetting,
  type GaugeReading,
  type Near,
  type Vary,
  valueAt,
} from './gauge.ts';
import { countOf, type Rate, rateOf } from './rate.ts';
import { type ExaminedRows, type Haul, search } from './search.ts';

/** Unless said otherwise a target may be missed by so much, or by this part of it where that is more. */
const TOLERANCE = 0.01;

/**
 * @param text      `name=value`: an outcome with its probability, or a metric with its mean
 * @param tolerance above 0 or 0; 0.01, or 1 % of the target where that is more, unless said otherwise
 * @param place     what error messages call the text
 * @throws InputError if the scenario has no such outcome or metric, or the value is none that it can have
 */
function readTarget(text: string, tolerance: number | undefined, shape: TallyShape, place: string): BalanceTarget {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InputError(place, 'name=value', `"${text}"`);
  const quantity = quantityOf(shape, text.slice(0, at).trim(), place);
  const written = text.slice(at + 1).trim();
  const value = readAmount(written, quantity.kind === 'outcome' ? ['%'] : [])?.value;
  const what = quantity.kind === 'outcome' ? 'a probability' : `a mean of ${quantity.of}`;
  if (value === undefined) throw new InputError(place, what, foundNumeral(written));
  const [least, greatest] = quantity.range;
  if (value < least || value > greatest)
    throw new InputError(place, `${what} ${String(least)}..${String(greatest)}`, String(value));
  return { quantity, value, tolerance: tolerance ?? Math.max(TOLERANCE, TOLERANCE * Math.abs(value)) };
}

// What came of a search for balance.

/** Settings that meet the target and are told, at most. */
const MEETING = 12;

/** Values that differ by less are equal up to rounding. */
const ROUNDING = 1e-11;

/** How a field was searched. */
export interface Searched {
  readonly path: string;
  /** What the scenario has there; undefined if it is no number. */
  readonly present: number | undefined;
  /** The values that were searched. */
  readonly low: number;
  readonly high: number;
}

/** What can be said of the values of one field. */
export interface Along {
  /** True if every value of the range was looked at. */
  readonly whole: boolean;
  /** True if every value of the range was looked at, and known exactly: then no crossing was missed. */
  readonly complete: boolean;
  /**
   * Values between which the target is crossed: for whole numbers neighbours, but for values that could not be told from
   * the target by playing.
   */
  readonly crossings: readonly (readonly [GaugedSetting, GaugedSetting])[];
  /** How the outcome or metric goes along the values that were looked at; undefined where some are not exact. */
  readonly trend: 'rises' | 'falls' | 'neither' | 'constant' | undefined;
}

/** What is known of the settings that were looked at. */
interface Findings {
  readonly fields: readonly Searched[];
  /** The scenario as it is; undefined if it has no numbers in all fields. */
  readonly present: GaugedSetting | undefined;
  /** Settings that meet the target, the nearest to it first: at most 12, of so many that are known. */
  readonly meeting: readonly GaugedSetting[];
  readonly meetingCount: number;
  /** Settings of which battles did not tell whether they meet the target: the nearest to it, at most 12 with `meeting`. */
  readonly undecided: readonly GaugedSetting[];
  /**
   * The values of all settings that were looked at and may meet the target for all that is known: those that meet it
   * are among them but for the error. Absent if everything is known exactly.
   */
  readonly possible?: readonly (readonly number[])[];
  /** The setting with the value nearest to the target, and those with the least and the greatest. */
  readonly nearest: GaugedSetting;
  readonly least: GaugedSetting;
  readonly greatest: GaugedSetting;
  /** Of one field. */
  readonly along?: Along;
  /** Of two fields: for each value of the first, in ascending order, the setting closest to the target. */
  readonly pairs?: readonly GaugedSetting[];
  /** Of two fields: which settings were examined. */
  readonly rows?: ExaminedRows;
  /** Of three or more: what was searched around the present setting. */
  readonly near?: Near;
  /** Settings that were looked at and that the scenario allows, and those that it does not. */
  readonly looked: number;
  readonly refused: number;
  /** All settings that were looked at, in the order of the search; what is told of them is verified, these are not. */
  readonly readings: readonly GaugeReading[];
  /** True if everything is known exactly. */
  readonly exact: boolean;
}

function trendOf(readings: readonly GaugeReading[]): Along['trend'] {
  if (!readings.every(({ exact }) => exact)) return undefined;
  const gaps = readings.slice(1).map(({ value }, i) => value - (readings[i]?.value ?? 0));
  const [up, down] = [gaps.some((gap) => gap > ROUNDING), gaps.some((gap) => gap < -ROUNDING)];
  if (up && down) return 'neither';
  return up ? 'rises' : down ? 'falls' : 'constant';
}

/** By how far one setting is from another, all steps together. */
function distance(
  values: readonly number[],
  from: readonly number[] | undefined,
  axes: readonly BalanceAxis[],
): number {
  return values.reduce((sum, value, v) => sum + Math.abs(value - (from?.[v] ?? value)) / (axes[v]?.step ?? 1), 0);
}

function within(axes: readonly BalanceAxis[], { values }: GaugeReading): boolean {
  return axes.every((axis, a) => {
    const value = values[a] ?? 0;
    return value >= valueAt(axis, axis.low) && value <= valueAt(axis, axis.high);
  });
}

function fieldsOf(
  axes: readonly BalanceAxis[],
  readings: readonly GaugeReading[],
  { line }: Haul,
  present: readonly (number | undefined)[],
) {
  return axes.map((axis, a): Searched => {
    const seen = readings.map(({ values }) => values[a] ?? 0);
    const [low, high] =
      line === undefined ? [Math.min(...seen), Math.max(...seen)] : [line.low, line.high].map((k) => valueAt(axis, k));
    return { path: axis.path, present: present[a], low: low ?? 0, high: high ?? 0 };
  });
}

/** Numerically by the first field, then by the others. */
export function ascending(a: readonly number[], b: readonly number[]): number {
  return a.reduce((order, value, v) => order || value - (b[v] ?? 0), 0);
}

/** Settings by reading, each verified once. */
async function verified(
  gauge: Gauge,
  readings: readonly GaugeReading[],
): Promise<(reading: GaugeReading) => GaugedSetting> {
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
async function findingsOf(
  axes: readonly BalanceAxis[],
  gauge: Gauge,
  haul: Haul,
  present: readonly (number | undefined)[],
  wanted: number,
): Promise<Findings | undefined> {
  const readings = gauge.readings.filter((reading) => within(axes, reading));
  const here = gauge.readings.find(({ values }) => values.join() === present.join());
  const from = here?.values;
  const miss = ({ value }: GaugeReading): number => Math.abs(value - wanted);
  const ordered = [...readings].sort(
    (a, b) => miss(a) - miss(b) || distance(a.values, from, axes) - distance(b.values, from, axes),
  );
  const [least, greatest] = [Math.min, Math.max].map((pick) => {
    const value = pick(...readings.map((reading) => reading.value));
    return readings.find((reading) => reading.value === value);
  });
  const [nearest] = ordered;
  if (nearest === undefined || least === undefined || greatest === undefined) return undefined;
  const candidates = ordered.filter(({ verdict }) => verdict !== 'fails');
  const told = candidates.slice(0, MEETING);
  const { line, pairs, rows, near } = haul;
  const crossings = line?.crossings ?? [];
  const all = [...told, nearest, least, greatest, ...crossings.flat(), ...(pairs ?? []), ...(here ? [here] : [])];
  const setting = await verified(gauge, all);
  const meeting = told.map(setting).filter(({ verdict }) => verdict === 'holds');
  const exact = readings.every((reading) => reading.exact);
  const failing = new Set(told.filter((reading) => setting(reading).verdict === 'fails'));
  const possible = candidates.filter((reading) => !failing.has(reading)).map(({ values }) => values);
  return {
    fields: fieldsOf(axes, readings, haul, present),
    present: here && setting(here),
    meeting,
    meetingCount: exact ? candidates.length : meeting.length,
    undecided: told.map(setting).filter(({ verdict }) => verdict === 'undecided'),
    ...(!exact && { possible: possible.sort(ascending) }),
    readings,
    nearest: setting(nearest),
    least: setting(least),
    greatest: setting(greatest),
    ...(line && {
      along: {
        whole: line.whole,
        complete: line.complete,
        crossings: crossings.map(([a, b]) => [setting(a), setting(b)] as const),
        trend: trendOf(line.readings),
      },
    }),
    ...(pairs && { pairs: pairs.map(setting) }),
    ...(rows && { rows }),
    ...(near && { near }),
    looked: readings.length,
    refused: gauge.refused,
    exact,
  };
}

// Finds the values of some fields with which a scenario meets a target.

/** The most fields that are varied at once. */
const FIELDS_MAX = 6;

/** What `balance` is asked with, beside the fields and the target. */
export const BALANCE = {
  /** By how much it may be missed; 0.01, or 1 % of it where that is more, unless said otherwise. */
  tolerance: difference('by how much it may be missed: 0.01 or 1pp (default: 0.01, or 1 % of it if more)', true),
  /** `auto` unless said otherwise. */
  exact: EXACT,
  /** Steps that the exact answer to a setting may take, 1..10^10; by default what is affordable beside the battles. */
  budget: BESIDE_BUDGET,
  /** Battles that may be played for a setting that is not solved exactly; 1 000 000 unless said otherwise. */
  battles: {
    // What is told is verified by as many battles behind those of the search.
    ...count(1, MAX_BATTLES / 2, 'most battles for a setting that is not solved exactly'),
    ...{ default: BATTLES, shown: '1e6' },
  },
  /** With what probability anything that is told from playing is wrong, 0..0.25; 0.01 unless said otherwise. */
  error: ERROR,
  /** Intervals of means hold for every law in the declared range of their metric. */
  bounded: LENGTH.bounded,
  /** 1 unless said otherwise. */
  seed: PLACE.seed,
  ...THREADS,
} as const satisfies Settings;

/** What `balance` looks for, and how. */
export interface BalanceOptions extends Asked<typeof BALANCE> {
  /** The fields that may be changed, 1..6, each with the range that is searched: around its present value if none is given. */
  readonly vary: readonly Vary[];
  /** `attacker=0.5`: an outcome and its probability, or a metric and its mean. */
  readonly target: string;
  /** A field whose worth is told in the only one that is varied. */
  readonly per?: string | undefined;
  /** Ends the search early; what is known by then is returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second while battles are played for a setting. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = optionsOf<BalanceOptions>('balance', {
  vary: { required: true, check: checkVaried },
  target: { required: true, check: (given: string, place: string) => checkText(place, given) },
  per: text('path', 'a field'),
  ...BALANCE,
  ...WATCH,
});

/** What `balance` found: settings that meet the target, and those that come nearest. */
export interface Balance extends Findings {
  /** The outcome whose probability, or the metric whose mean is to be reached. */
  readonly of: string;
  readonly kind: Quantity['kind'];
  readonly target: number;
  readonly tolerance: number;
  /** True if a setting meets the target: for certain, or with the error. */
  readonly met: boolean;
  /** In decimal. */
  readonly seed: string;
  /** That may be played for a setting. */
  readonly battles: number;
  readonly error: number;
  readonly bounded: boolean;
  /** False if a signal came first. */
  readonly finished: boolean;
  /** What `per` is worth, at each crossing. */
  readonly rates?: readonly Rate[];
}

function checkVaried(vary: readonly Vary[]): void {
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
export async function balance(scenario: Scenario, options: BalanceOptions): Promise<Balance> {
  checkOptions(options);
  const { vary, target: wanted, per, signal, onProgress } = options;
  const { tolerance: missed, bounded = false, ...play } = settled(BALANCE, options);
  const target = readTarget(wanted, missed?.value, opened(scenario).shape, 'target');
  const axes = vary.map((field) => axisOf(scenario, field, 'vary'));
  const paths = axes.map(({ path }) => path);
  const count = per === undefined ? 0 : countOf(scenario, per, paths);
  checkStart(signal);
  const gauge = new Gauge(scenario, paths, target, { ...play, bounded, signal, onProgress });
  const present = paths.map((path) => numericField(scenario, path, 'vary').value);
  const whole = present.every((value) => value !== undefined) ? present : undefined;
  const { value, tolerance, quantity } = target;
  const haul = await search(axes, gauge, whole, value);
  const findings = await findingsOf(axes, gauge, haul, present, value);
  if (findings === undefined) throw gauge.firstRefused ?? new AbortError('stopped before anything was known', signal);
  const { of, kind } = quantity;
  const met = findings.meeting.length > 0;
  return {
    ...findings,
    of,
    kind,
    target: value,
    tolerance,
    met,
    seed: String(play.seed),
    battles: play.battles,
    error: play.error,
    bounded,
    finished: haul.finished,
    ...(per !== undefined && {
      rates: findings.along?.crossings.map((pair) => rateOf(scenario, [paths[0] ?? '', per, count], pair, value)) ?? [],
    }),
  };
}
