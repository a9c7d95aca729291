/** Number formats, without meaningless digits. */

import { formatGrouped, groupDigits } from '../../core/index.ts';

export { formatGrouped };

/**
 * Number of decimals of an estimate that its interval supports: up to the first significant digit of the half-width, or
 * the second if the first is 1. Negative: tens, hundreds.
 * @param halfWidth above 0 and finite
 */
export function countSupportedDecimals(halfWidth: number): number {
  const [digits = '', exponent = '0'] = halfWidth.toExponential(1).split('e');
  return (digits.startsWith('1') ? 1 : 0) - Number(exponent);
}

/** Formats a value with `decimals` decimals (at most 15); negative ones round to tens, hundreds. */
export function formatFixed(value: number, decimals: number): string {
  const unit = 10 ** Math.max(0, -decimals);
  const text = (Math.round(value / unit) * unit).toFixed(0);
  const shown = decimals < 0 ? text : value.toFixed(Math.min(15, decimals));
  return groupDigits(/^-[0.]+$/.test(shown) ? shown.slice(1) : shown);
}

/** Formats an integer, or a multiple of the unit of a metric. */
export function formatNumber(value: number): string {
  return groupDigits(String(Number(value.toFixed(9))));
}

/** Formats an upper bound of a small value, rounded up to two digits: `0.00039`. */
export function formatUpperBound(value: number): string {
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(value)));
  return formatFixed(Math.ceil(value * 10 ** decimals - 1e-9) / 10 ** decimals, decimals);
}

/** Formats an upper bound, rounded up to two digits, or below 0.001 to one digit and an exponent: `0.0037`, `4e-6`. */
export function formatShortUpperBound(value: number): string {
  if (value >= 0.001 || value === 0) return value === 0 ? '0' : formatUpperBound(value);
  const exponent = Math.floor(Math.log10(value));
  const digit = Math.ceil(value / 10 ** exponent - 1e-9);
  if (digit < 10) return `${String(digit)}e${String(exponent)}`;
  return exponent === -4 ? '0.0010' : `1e${String(exponent + 1)}`;
}

/** Formats a lower bound of a value close to `limit`: two digits of the gap, which is rounded up. */
export function formatLowerBound(value: number, limit: number): string {
  const gap = formatUpperBound(limit - value);
  return formatFixed(limit - Number(gap.replaceAll(' ', '')), gap.split('.')[1]?.length ?? 0);
}

/**
 * Formats a computed value with a number of decimals. Values that would be 0 get two digits and an exponent: `3.1e-9`.
 */
export function formatExact(value: number, decimals: number): string {
  if (Number.isInteger(value)) return formatGrouped(value);
  const small = Math.abs(value) < 0.5 * 10 ** -Math.max(0, decimals);
  return small ? value.toExponential(1) : formatFixed(value, Math.max(0, decimals));
}

/** Formats a value with a number of significant digits, without an exponent: 2413961 with 3 is `2 410 000`. */
export function formatSignificant(value: number, digits: number): string {
  return groupDigits(String(Number(value.toPrecision(digits))));
}

/** Formats a duration: `0.042 s`, `3.1 s`, `12 min 5 s`, `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 100) return `${formatSignificant(seconds, seconds < 1 ? 2 : 3)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${String(Math.floor(whole / 60))} min ${String(whole % 60)} s`;
  return `${formatGrouped(Math.floor(whole / 3600))} h ${String(Math.floor((whole % 3600) / 60))} min`;
}

/** `one thread`, `8 threads` */
export const formatThreadCount = (count: number): string =>
  count === 1 ? 'one thread' : `${formatGrouped(count)} threads`;
