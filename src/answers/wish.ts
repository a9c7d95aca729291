/** What a precision is asked for: written as a number, a part or points, and of outcomes or of a metric. */
import { foundNumeral, type NumberUnit, readAmount } from '../core/chance/numerals.ts';
import { InputError } from '../core/errors.ts';
import type { Aim } from './aim.ts';
import type { TallyShape } from './tally.ts';

/** What `of` calls the probabilities of all outcomes. */
const OUTCOMES = 'outcomes';

/** A precision as it is written: a half-width, `10%` of each value, or `0.1pp`, a half-width in percentage points. */
export type PrecisionLike = number | string;

/** What is asked of a run. */
export interface PrecisionOptions {
  /**
   * A number is a half-width: 0.00001..0.25 of probabilities, above 0 of a mean, in the unit of the metric. `'0.1pp'` is
   * one of probabilities in percentage points. `'10%'`, 0.1%..50%, is a part: of each probability, or of the mean.
   */
  readonly precision?: PrecisionLike | undefined;
  /** `outcomes`, unless it is the name of a metric: then `precision` is that of its mean. */
  readonly precisionOf?: string | undefined;
  /** With a part: values below this need only be known to the part of this; 0.001 unless said otherwise. */
  readonly precisionFloor?: number | undefined;
}

/** A precision that was asked for. */
export interface Precision {
  /** The half-width, or the part of each value. */
  readonly precision: number;
  /** Of a part: the value below which it is that part of this. */
  readonly floor?: number;
  /** `outcomes`, or the metric whose mean is meant. */
  readonly of: string;
}

/** A precision with the metric that it is about; undefined for outcomes. */
export interface Wish extends Precision {
  readonly metric: number | undefined;
}

/** Half-widths of probabilities that can be asked for. */
const HALF_WIDTHS = [0.00001, 0.25] as const;

/** Parts of values. */
const PARTS = [0.001, 0.5] as const;

/** Floors of probabilities. */
const FLOORS = [0.000001, 0.5] as const;
const FLOOR = 0.001;

/** The least square of a part times the floor: what it takes is over this some five times as many battles. */
const LEAST_SQUARE = 1e-10;

/** What messages call the options. */
export interface Places {
  readonly precision: string;
  readonly of: string;
  readonly floor: string;
}

const PLACES: Places = { precision: 'precision', of: 'precisionOf', floor: 'precisionFloor' };

const within = (value: number, [low, high]: readonly [number, number]): boolean => value >= low && value <= high;

/** `0.1..50`: bounds in per cent. */
const percents = ([low, high]: readonly [number, number]): string => `${String(100 * low)}%..${String(100 * high)}%`;

/** The number that is written, and its unit. */
function written(given: PrecisionLike): { readonly value: number; readonly unit: NumberUnit } {
  if (typeof given === 'number') return { value: given, unit: '' };
  return readAmount(given, ['%', 'pp']) ?? { value: Number.NaN, unit: '' };
}

/** @returns undefined for outcomes */
function metricOf({ metrics }: TallyShape, of: string, place: string): number | undefined {
  if (of === OUTCOMES) return undefined;
  const m = metrics.findIndex(({ name }) => name === of);
  if (m >= 0) return m;
  throw new InputError(place, `one of ${[OUTCOMES, ...metrics.map(({ name }) => name)].join(', ')}`, `"${of}"`);
}

function floorOf(part: number, given: number, metric: number | undefined, place: string): number {
  const least = Math.max(FLOORS[0], LEAST_SQUARE / part ** 2);
  const range = [least, FLOORS[1]] as const;
  const found = String(given);
  if (metric === undefined && !within(given, range)) {
    throw new InputError(place, `a probability ${String(Number(least.toPrecision(3)))}..${String(range[1])}`, found);
  }
  if (!(given > 0 && Number.isFinite(given))) throw new InputError(place, 'a number above 0', found);
  return given;
}

/**
 * @param places what messages call the options
 * @returns undefined if no precision is asked for
 * @throws InputError if what is asked makes no sense, or no metric has the name
 */
export function wishOf(shape: TallyShape, options: PrecisionOptions, places: Places = PLACES): Wish | undefined {
  const { precision: given, precisionOf: of = OUTCOMES, precisionFloor: floor } = options;
  if (given === undefined) {
    for (const [option, name] of [[options.precisionOf, places.of] as const, [floor, places.floor] as const])
      if (option !== undefined) throw new InputError(places.precision, `a precision, for there is ${name}`, 'nothing');
    return undefined;
  }
  const metric = metricOf(shape, of, places.of);
  const { value, unit } = written(given);
  const refuse = (expected: string): InputError => {
    const found = typeof given === 'number' ? String(given) : foundNumeral(given);
    return new InputError(places.precision, expected, found);
  };
  if (unit === '%') {
    if (!within(value, PARTS)) throw refuse(`a part of each value, ${percents(PARTS)}`);
    return { precision: value, floor: floorOf(value, floor ?? FLOOR, metric, places.floor), of, metric };
  }
  if (floor !== undefined) throw new InputError(places.floor, 'a part, such as 10%, as the precision', String(given));
  const half = metric === undefined ? within(value, HALF_WIDTHS) : value > 0 && Number.isFinite(value) && unit === '';
  if (half) return { precision: value, of, metric };
  if (metric !== undefined) throw refuse(`a half-width above 0, in the unit of ${of}, or a part, such as 1%`);
  throw refuse(`a half-width of probabilities, ${HALF_WIDTHS.map(String).join('..')}, or a part of each, such as 10%`);
}

/** The same as an aim. @param unit what one step of what is counted is worth */
export function aimOf({ precision, floor }: Precision, unit = 1): Aim {
  return floor === undefined ? { halfWidth: precision / unit } : { part: precision, floor: floor / unit };
}
