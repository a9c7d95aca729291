/** Formats of estimated and exact values: scale, number of digits, sign, interval, bound. */
import { type Interval, Z95 } from '../../stats/index.ts';
import {
  countSupportedDecimals,
  formatExact,
  formatFixed,
  formatLowerBound,
  formatNumber,
  formatUpperBound,
} from '../text/number-format.ts';

/** Unit and precision of displayed values. */
export interface Scale {
  /** Factor from value to displayed value. */
  readonly times: number;
  /** Suffix: ` %` or empty. */
  readonly sign: string;
  /** Decimals of values without an interval. */
  readonly decimals: number;
  /** Additional decimals of intervals. */
  readonly finer: number;
  /** True for shares: if no or every battle was counted, the interval is formatted as a bound. */
  readonly part: boolean;
}

/** Share of all battles, 0..1, in percent. */
export const SHARE: Scale = { times: 100, sign: ' %', decimals: 4, finer: 0, part: true };

/** Share in percent, in columns with `%` in the head. */
export const PERCENT: Scale = { ...SHARE, sign: '' };

/** Mean, in the unit of its metric. */
export const MEAN: Scale = { ...PERCENT, times: 1, part: false };

/** Values as in files and options, shares 0..1. Intervals have more decimals, because bounds may be close. */
export const INPUT_SCALE: Scale = { ...MEAN, decimals: 5, finer: 1 };

/** Scale of targets: probabilities in percent, with the precision of `INPUT_SCALE`. */
export const getTargetScale = ({ kind }: { readonly kind: string }): Scale =>
  kind === 'outcome' ? { ...SHARE, decimals: INPUT_SCALE.decimals - 2, finer: INPUT_SCALE.finer } : INPUT_SCALE;

export type QuantityKind = 'outcome' | 'metric';

export const getScale = ({ kind }: { readonly kind: QuantityKind }): Scale => (kind === 'outcome' ? SHARE : MEAN);

/** Scale of tables of differences: shares in percentage points, means in their unit. */
export const getDifferenceScale = (of: { readonly kind: QuantityKind }): Scale => ({
  ...getScale(of),
  sign: '',
  decimals: 6,
});

/** Exact or estimated value. */
export interface EstimatedValue {
  readonly value?: number;
  /** Absent if the value is exact. */
  readonly interval?: Interval | undefined;
  /** Standard error of the value, if it is known. */
  readonly standardError?: number | undefined;
}

/**
 * Computes the sampling error at 95 %, which determines the digits of a value: for shares, the half-width of the
 * interval; for means, 1.96 standard errors or, if these are unknown, the shorter side of the interval. The interval of
 * a mean also includes unobserved values up to the end of the declared range, which say nothing about digits.
 */
function computeSamplingError({ value, interval, standardError }: EstimatedValue, part: boolean): number {
  if (interval === undefined) return 0;
  const half = (interval[1] - interval[0]) / 2;
  if (part) return half;
  if (standardError !== undefined && standardError > 0) return Z95 * standardError;
  return value === undefined ? half : Math.min(value - interval[0], interval[1] - value) || half;
}

/** Number of decimals that the sampling error supports. */
export function countDecimals(figure: EstimatedValue, { times, part }: Scale, otherwise: number): number {
  const error = times * computeSamplingError(figure, part);
  return error > 0 && Number.isFinite(error) ? Math.max(0, countSupportedDecimals(error)) : otherwise;
}

/** Intervals wider than this multiple of the sampling error are due to the declared range; betting needs 3.7. */
const WIDE = 4;

/** True if possible unobserved values make up most of the interval of a mean. */
export function isRangeBound({ interval = [0, 0], standardError = 0 }: EstimatedValue): boolean {
  return standardError > 0 && interval[1] - interval[0] > WIDE * 2 * Z95 * standardError;
}

/** Explains a wide interval of a mean, with a remedy. @param range declared range of the metric, if it is known */
export function explainWideInterval(metric: string, range?: Interval): string {
  const [what, remedy, value] =
    metric === 'rounds'
      ? ['maxRounds', 'set a lower maxRounds', range && formatNumber(range[1])]
      : [
          'its declared range',
          'declare a narrower one or simulate more battles',
          range && formatRange(range, formatNumber),
        ];
  const subject = range === undefined ? 'intervals are' : 'the interval is';
  return `${metric}: ${subject} wide because ${what} is ${value ?? 'large'}; ${remedy}`;
}

/** Adds a plus sign to positive numbers. */
export const addSign = (text: string): string => (text.startsWith('-') || /^[0.]+$/.test(text) ? text : `+${text}`);

/** `+1.2`, `-inf` */
export function formatZScore(z: number): string {
  const digits = Number.isFinite(z) ? formatFixed(Math.abs(z), 1) : 'inf';
  return digits === '0.0' ? digits : `${z > 0 ? '+' : '-'}${digits}`;
}

/** Function that formats a number, such as `formatFixed`. */
type NumberFormat<D extends readonly number[]> = (value: number, ...digits: D) => string;

/** Smaller shares are rounding errors. */
const NOISE = 1e-14;

/** Maximum number of meaningful decimals of a percentage. */
const FINEST = 10;

/** Formats a percentage near 0 or 100 with two digits of its distance: `99.9999989`, `0.0000011`. */
function formatNearBound(share: number): string {
  const value = SHARE.times * share;
  const decimals = 1 - Math.floor(Math.log10(Math.min(value, SHARE.times - value)));
  if (decimals <= FINEST) return formatFixed(value, decimals);
  return share < 0.5 ? value.toExponential(1) : `> ${formatFixed(SHARE.times - 10 ** -FINEST, FINEST)}`;
}

/** Formats a share in percent without sign: `57.7`. Possible events are never `0`, uncertain events never `100`. */
export function formatPercentNumber<D extends readonly number[]>(
  rule: NumberFormat<D>,
  share: number,
  ...digits: D
): string {
  const text = rule(SHARE.times * share, ...digits);
  return share > NOISE && share < 1 && (Number(text) === 0 || Number(text) === SHARE.times)
    ? formatNearBound(share)
    : text;
}

/** Formats a share in percent with sign: `57.7 %`. */
export const formatPercent = <D extends readonly number[]>(
  rule: NumberFormat<D>,
  share: number,
  ...digits: D
): string => formatPercentNumber(rule, share, ...digits) + SHARE.sign;

/** `56.98 .. 58.35` */
export const formatRange = (interval: Interval, show: (end: number) => string): string =>
  interval.map(show).join(' .. ');

/** Scales an interval; a negative factor swaps its ends. */
export function scaleInterval([low, high]: Interval, { times }: Pick<Scale, 'times'>): Interval {
  return times < 0 ? [times * high, times * low] : [times * low, times * high];
}

/** Position of a mark in a figure. */
export function toPlotValue({ times }: Scale, value: number, interval?: Interval) {
  return { value: times * value, ...(interval && { low: times * interval[0], high: times * interval[1] }) };
}

/** Formats a value with the digits that its interval supports. Values without an interval are exact. */
export function formatValue(scale: Scale, figure: EstimatedValue): string {
  const { value, interval, standardError } = figure;
  const { times, sign, decimals, part } = scale;
  if (value === undefined) return '';
  const formatWritten = (rule: NumberFormat<[number]>, digits: number): string =>
    (part ? formatPercentNumber(rule, value, digits) : rule(times * value, digits)) + sign;
  if (interval === undefined) return formatWritten(formatExact, decimals);
  if (part && (value === 0 || value === 1)) return `${String(times * value)}${sign}`;
  if (interval[0] === interval[1] || (!part && standardError === 0)) return formatNumber(times * value) + sign;
  return formatWritten(formatFixed, countDecimals(figure, scale, decimals));
}

/** Formats the bound of a share if no battle (`< 0.019`) or every battle (`> 99.98`) was counted. */
export function formatBound({ times, sign, part }: Scale, { value, interval }: EstimatedValue): string | undefined {
  if (!part || interval === undefined) return undefined;
  if (value === 0) return `< ${formatUpperBound(times * interval[1])}${sign}`;
  return value === 1 ? `> ${formatLowerBound(times * interval[0], times)}${sign}` : undefined;
}

/** `56.98 .. 58.35 %`, or a bound; empty for exact values. */
export function formatInterval(scale: Scale, figure: EstimatedValue): string {
  const { interval } = figure;
  if (interval === undefined) return '';
  const decimals = countDecimals(figure, scale, scale.decimals) + scale.finer;
  const text = formatRange(interval, (end) => formatFixed(scale.times * end, decimals)) + scale.sign;
  return formatBound(scale, figure) ?? text;
}

/** Formats an exact value next to an estimate: shares with the given decimals, means in full. */
export const formatExactValue = ({ times, part, decimals }: Scale, value: number, shown: number): string =>
  formatExact(times * value, part ? shown + 2 : decimals);

/** Formats the interval, or `exact` for a value without one. */
export const formatIntervalOrExact = (scale: Scale, figure: EstimatedValue): string =>
  formatInterval(scale, figure) || (figure.value === undefined ? '' : 'exact');
