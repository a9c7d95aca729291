/**
 * Numbers in text: `1000000`, `1e6`, `1M`, `1,000,000`, `1_000_000`, `1 000 000`, `0.5`, `50%`, `0.1pp`; and the format
 * of tables and messages: `1 000 000`. Formatted numbers parse to the same value.
 */
import { InputError } from './errors.ts';

/** Groups the digits before the decimal point by three. */
export function groupDigits(digits: string): string {
  const [whole = '', ...rest] = digits.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ' '), ...rest].join('.');
}

/** Formats 1000000 as `1 000 000`. */
export function formatGrouped(value: number): string {
  return groupDigits(String(value));
}

/** Unit of a number: 1, percent, or percentage points. */
export type NumberUnit = '' | '%' | 'pp';

interface Numeral {
  readonly negative: boolean;
  /** All digits, without separators and point. */
  readonly digits: string;
  /** Exponent of the power of ten. */
  readonly shift: number;
  readonly unit: NumberUnit;
  /** A single comma before three digits, or a point before digits that could be thousands. */
  readonly ambiguity: 'comma' | 'point' | undefined;
}

/** Digits, optionally in groups of three. The first group cannot start with 0, or `0,001` would be 1. */
const WHOLE = String.raw`[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:[ \u00A0\u202F]\d{3})+|\d+(?:_\d+)*`;

const NUMERAL = new RegExp(
  String.raw`^(?<sign>[-+]?)(?:(?<whole>${WHOLE})(?:\.(?<part>\d*))?|\.(?<bare>\d+))` +
    String.raw`(?:e(?<exponent>[-+]?\d{1,4})|\s*(?<scale>[kKMG]))?\s*(?<unit>%|[pP][pP])?$`,
  'u',
);

const SCALES: Readonly<Record<string, number>> = { k: 3, K: 3, M: 6, G: 9 };

/** Maximum number of characters of a number. */
const LENGTH_MAX = 400;

function parseNumeral(text: string): Numeral | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const groups = NUMERAL.exec(text.trim().replace(/(?<=[\d.])E/, 'e'))?.groups;
  const { sign, whole = '', part, bare, exponent, scale = '', unit = '' } = groups ?? {};
  if (groups === undefined || (scale !== '' && unit !== '')) return undefined;
  const decimals = part ?? bare ?? '';
  const plain = exponent === undefined && scale === '';
  const single = /^\d+,\d{3}$/.test(whole) && decimals === '';
  const point = plain && unit === '' && /^[1-9]\d{0,2}$/.test(whole) && decimals.length === 3;
  return {
    negative: sign === '-',
    digits: whole.replace(/\D/g, '') + decimals,
    shift: Number(exponent ?? SCALES[scale] ?? 0) - decimals.length,
    unit: unit.toLowerCase() as NumberUnit,
    ambiguity: single ? 'comma' : point ? 'point' : undefined,
  };
}

/** Describes invalid text in a message: the text in quotes, and the notation of its likely meaning. */
export function describeNumeral(text: string): string {
  if (text.trim() === '') return 'nothing';
  const quoted = `"${text.slice(0, 40)}"`;
  const commas = 'a decimal point, as in 1.5; commas separate thousands, as in 1,000,000';
  const points = 'points do not separate thousands: 1,000,000, 1 000 000 and 1e6 are a million';
  if (/^[-+]?\d+,\d+\s*\D*$/.test(text.trim())) return `${quoted} (${commas})`;
  if (/^[-+]?\d{1,3}(\.\d{3})+\s*[^\d%]*$/.test(text.trim())) return `${quoted} (${points})`;
  if (/^[-+]?[\d.,_ ]*\d\s*m$/.test(text)) return `${quoted} (M is a million)`;
  return quoted;
}

/** Parses a whole number of any size; undefined if the text is not one. `1.000` is not one: it could be a thousand. */
export function parseWholeNumber(text: string): bigint | undefined {
  const numeral = parseNumeral(text);
  if (numeral === undefined || numeral.unit !== '' || numeral.ambiguity === 'point') return undefined;
  const digits = numeral.shift < 0 ? numeral.digits.replace(/0+$/, '') : numeral.digits;
  const shift = numeral.shift + numeral.digits.length - digits.length;
  if (digits === '') return 0n;
  if (shift < 0 || shift > LENGTH_MAX) return /^0+$/.test(digits) ? 0n : undefined;
  const size = BigInt(digits) * 10n ** BigInt(shift);
  return numeral.negative ? -size : size;
}

/** A number and its unit; `50%` and `50pp` are 0.5. */
export interface Amount {
  readonly value: number;
  readonly unit: NumberUnit;
}

/**
 * Parses a number; undefined if the text is not one, or exceeds a double. `1,500` is not one: it could be 1.5.
 * @param units allowed suffixes
 */
export function findAmount(text: string, units: readonly NumberUnit[] = []): Amount | undefined {
  const numeral = parseNumeral(text);
  if (numeral === undefined || numeral.ambiguity === 'comma') return undefined;
  const { negative, digits, shift, unit } = numeral;
  if (unit !== '' && !units.includes(unit)) return undefined;
  const size = Number(`${digits}e${String(unit === '' ? shift : shift - 2)}`);
  return Number.isFinite(size) ? { value: negative && size > 0 ? -size : size, unit } : undefined;
}

/**
 * @param place name of the number in error messages
 * @param expected description of accepted values
 * @param fits returns true for accepted numbers
 * @param units allowed suffixes
 * @throws InputError if the text is not an accepted number
 */
export function parseAmount(
  text: string,
  place: string,
  expected: string,
  fits: (value: number) => boolean,
  units: readonly NumberUnit[] = [],
): Amount {
  const amount = findAmount(text, units);
  if (amount !== undefined && fits(amount.value)) return amount;
  throw new InputError(place, expected, describeNumeral(text));
}

/** Formats a range of whole numbers in messages: `0..2`, or its only number. */
export function formatRange(least: number, most: number): string {
  return least === most ? String(least) : `${String(least)}..${String(most)}`;
}
