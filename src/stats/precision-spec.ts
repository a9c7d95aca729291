/** Parses a precision: a number, a percentage or percentage points, of outcomes or of a metric. */

import { createRequirementError, describeFound, describeNumeral, findAmount, InputError } from '../core/index.ts';

import { fractionAbove0, type OptionSpecs, pickOptions, type RequestedOptions, text } from '../rules/option-spec.ts';
import type { CountsShape } from './counts.ts';
import type { HalfWidthTarget } from './half-width-target.ts';

/** Name of the probabilities of all outcomes in `precisionOf`. */
const OUTCOMES = 'outcomes';

/** A written precision: a half-width, `10%` of each value, or `0.1pp`, a half-width in percentage points. */
export type PrecisionTarget = number | string;

/** Options that end a run when its intervals are narrow. */
export const PRECISION = {
  /**
   * A number is a half-width: 0.00001..0.25 of probabilities, above 0 of a mean, in the unit of the metric. `'0.1pp'`
   * is one of probabilities in percentage points. `'10%'`, 0.1%..50%, is relative: to each probability, or to the mean.
   */
  precision: {
    ...text(
      'x',
      'simulate until 95 % intervals are this narrow: 0.001 or 0.1pp (±0.1 percentage points), 10% (±10 % of each value)',
    ),
    check(value: PrecisionTarget, place: string): string {
      if (['string', 'number'].includes(typeof value)) return String(value);
      throw new InputError(place, 'a number, or text such as 10% or 0.1pp', describeFound(value));
    },
    field: { type: 'half-width' },
    fieldAbout:
      'Simulate each cell until its intervals have this half-width (0.1pp: in percentage points of probabilities) ' +
      'or this share of their values (10%); battles is then the maximum.',
  },
  /** `outcomes`, or the name of a metric: then `precision` refers to its mean. */
  precisionOf: {
    ...text('name', 'target of --precision: outcomes, or the mean of a metric, in its unit'),
    fieldAbout: 'Target of the precision: outcomes (default), or the mean of a metric.',
  },
  /** With a relative precision: values below this have the absolute precision of this value; default 0.001. */
  precisionFloor: {
    ...fractionAbove0(
      'with --precision in %: for values below this, use the percentage of this instead (default: 0.001)',
    ),
    fieldAbout: 'With a precision in %: for values below this, use the percentage of this instead; default 0.001.',
  },
} as const satisfies OptionSpecs;

/** Options of a precision. */
export type PrecisionOptions = RequestedOptions<typeof PRECISION>;

/** A parsed precision. */
export interface Precision {
  /** Absolute or relative half-width. */
  readonly precision: number;
  /** For a relative precision: values below this use the precision of this value. */
  readonly floor?: number;
  /** `outcomes`, or the metric of the mean. */
  readonly of: string;
}

/** A precision with its metric; undefined for outcomes. */
export interface PrecisionSpec extends Precision {
  readonly metric: number | undefined;
}

/** Range of half-widths of probabilities. */
const HALF_WIDTHS = [0.00001, 0.25] as const;

/** Range of relative precisions. */
const PARTS = [0.001, 0.5] as const;

/** Range of floors of probabilities. */
const FLOORS = [0.000001, 0.5] as const;
const FLOOR = 0.001;

/** Minimum square of a relative precision times the floor: the battles are about five divided by this. */
const LEAST_SQUARE = 1e-10;

/** Returns the name of an option in messages. */
type OptionLabel = (name: keyof PrecisionOptions) => string;

const isWithin = (value: number, [low, high]: readonly [number, number]): boolean => value >= low && value <= high;

/** Formats `0.1..50`: bounds in percent. */
const formatPercentRange = ([low, high]: readonly [number, number]): string =>
  `${String(100 * low)}%..${String(100 * high)}%`;

/** Parses the number of a precision, and its unit. */
function parseWrittenPrecision(given: PrecisionTarget) {
  if (typeof given === 'number') return { value: given, unit: '' };
  return findAmount(given, ['%', 'pp']) ?? { value: Number.NaN, unit: '' };
}

/** @returns undefined for outcomes */
function findMetricIndex({ metrics }: CountsShape, of: string, place: string): number | undefined {
  if (of === OUTCOMES) return undefined;
  const m = metrics.findIndex(({ name }) => name === of);
  if (m >= 0) return m;
  throw new InputError(place, `one of ${[OUTCOMES, ...metrics.map(({ name }) => name)].join(', ')}`, `"${of}"`);
}

function resolveFloor(part: number, given: number, metric: number | undefined, place: string): number {
  const least = Math.max(FLOORS[0], LEAST_SQUARE / part ** 2);
  const range = [least, FLOORS[1]] as const;
  const found = String(given);
  if (metric === undefined && !isWithin(given, range)) {
    throw new InputError(place, `a probability ${String(Number(least.toPrecision(3)))}..${String(range[1])}`, found);
  }
  if (!(given > 0 && Number.isFinite(given))) throw new InputError(place, 'a number above 0', found);
  return given;
}

/** Removes the file from the place of an option: a message names the file only once. */
const removeFile = (place: string): string => place.replace(/^.* /, '');

/**
 * @param place returns the name of an option in messages
 * @returns undefined if there is no precision
 * @throws InputError if the options are inconsistent, or there is no such metric
 */
export function createPrecisionSpec(
  shape: CountsShape,
  options: PrecisionOptions,
  place: OptionLabel = (name) => name,
): PrecisionSpec | undefined {
  const { precision: given, precisionOf: of = OUTCOMES, precisionFloor: floor } = options;
  if (given === undefined) {
    const [name] = Object.keys(pickOptions(PRECISION, options)) as (keyof PrecisionOptions)[];
    if (name === undefined) return undefined;
    throw createRequirementError(place(name), removeFile(place('precision')));
  }
  const metric = findMetricIndex(shape, of, place('precisionOf'));
  const { value, unit } = parseWrittenPrecision(given);
  const createError = (expected: string): InputError => {
    const found = typeof given === 'number' ? String(given) : describeNumeral(given);
    return new InputError(place('precision'), expected, found);
  };
  if (unit === '%') {
    if (!isWithin(value, PARTS)) throw createError(`a part of each value, ${formatPercentRange(PARTS)}`);
    return {
      precision: value,
      floor: resolveFloor(value, floor ?? FLOOR, metric, place('precisionFloor')),
      of,
      metric,
    };
  }
  if (floor !== undefined)
    throw createRequirementError(place('precisionFloor'), `${removeFile(place('precision'))} in percent, such as 10%`);
  const half = metric === undefined ? isWithin(value, HALF_WIDTHS) : value > 0 && Number.isFinite(value) && unit === '';
  if (half) return { precision: value, of, metric };
  if (metric !== undefined) throw createError(`a half-width above 0, in the unit of ${of}, or a part, such as 1%`);
  throw createError(
    `a half-width of probabilities, ${HALF_WIDTHS.map(String).join('..')}, or a part of each, such as 10%`,
  );
}

/** Converts a precision to a target. @param unit value of one step of the counted values */
export function createHalfWidthTarget({ precision, floor }: Precision, unit = 1): HalfWidthTarget {
  return floor === undefined ? { halfWidth: precision / unit } : { part: precision, floor: floor / unit };
}
