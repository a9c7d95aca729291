/** What came of a search for balance. */
import type { BalanceAxis } from './axis.ts';
import { valueAt } from './axis.ts';
import type { Gauge, GaugedSetting, GaugeReading } from './gauge.ts';
import type { Near } from './near.ts';
import type { Haul } from './search.ts';

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
export interface Findings {
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
  return (reading) => known.get(reading) ?? { ...reading, battles: 0, verdict: 'undecided' };
}

/**
 * Picks what is told of a search, and verifies it.
 * @param present what the scenario has in the fields
 * @returns undefined if no setting within the ranges is known
 */
export async function findingsOf(
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
  const { line, pairs, near } = haul;
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
    ...(near && { near }),
    looked: readings.length,
    refused: gauge.refused,
    exact,
  };
}
