/** One number and what is said of it: its scale, the digits that its interval supports, its sign, its bound. */
import { type Interval, Z95 } from '../../stats/index.ts';
import {
  countSupportedDecimals,
  formatExact,
  formatFixed,
  formatLowerBound,
  formatNumber,
  formatUpperBound,
} from '../text/number-format.ts';

/** What a number is counted in. */
export interface Scale {
  /** What is shown is so many times the value. */
  readonly times: number;
  /** Behind a number: ` %`, or nothing. */
  readonly sign: string;
  /** Decimals of a value that no interval limits. */
  readonly decimals: number;
  /** Decimals that an interval has beyond those of its value. */
  readonly finer: number;
  /** Part of a whole: where none or all were counted, the interval is a bound. */
  readonly part: boolean;
}

/** A part of all battles, 0..1, in per cent. */
export const SHARE: Scale = { times: 100, sign: ' %', decimals: 4, finer: 0, part: true };

/** The same under a head that says `%`. */
export const PERCENT: Scale = { ...SHARE, sign: '' };

/** A mean, in the unit of its metric. */
export const MEAN: Scale = { ...PERCENT, times: 1, part: false };

/** A number as files and options have it, shares 0..1; intervals are finer since bounds may be close. */
export const INPUT_SCALE: Scale = { ...MEAN, decimals: 5, finer: 1 };

/** The same as people read it: probabilities in per cent, as finely. */
export const getTargetScale = ({ kind }: { readonly kind: string }): Scale =>
  kind === 'outcome' ? { ...SHARE, decimals: INPUT_SCALE.decimals - 2, finer: INPUT_SCALE.finer } : INPUT_SCALE;

export type QuantityKind = 'outcome' | 'metric';

export const getScale = ({ kind }: { readonly kind: QuantityKind }): Scale => (kind === 'outcome' ? SHARE : MEAN);

/** Differences, and what stands beside them: shares in percentage points, means as they are. */
export const getDifferenceScale = (of: { readonly kind: QuantityKind }): Scale => ({
  ...getScale(of),
  sign: '',
  decimals: 6,
});

/** A number, and how it is known. */
export interface EstimatedValue {
  readonly value?: number;
  /** Absent if the value is exact. */
  readonly interval?: Interval | undefined;
  /** Of the value, where it is known. */
  readonly standardError?: number | undefined;
}

/**
 * The error of sampling at 95 %, which decides the digits of a value. Of a share it is half the interval. The interval of
 * a mean also counts values that came in no battle, up to the end of the declared range, which says nothing of digits: there
 * it is 1.96 standard errors or, where these are unknown, the shorter side of the interval.
 */
function computeSamplingError({ value, interval, standardError }: EstimatedValue, part: boolean): number {
  if (interval === undefined) return 0;
  const half = (interval[1] - interval[0]) / 2;
  if (part) return half;
  if (standardError !== undefined && standardError > 0) return Z95 * standardError;
  return value === undefined ? half : Math.min(value - interval[0], interval[1] - value) || half;
}

/** Decimals that the error of sampling supports. */
export function countDecimals(figure: EstimatedValue, { times, part }: Scale, otherwise: number): number {
  const error = times * computeSamplingError(figure, part);
  return error > 0 && Number.isFinite(error) ? Math.max(0, countSupportedDecimals(error)) : otherwise;
}

/** An interval that is so many times as wide as sampling makes it is due to the declared range; betting alone makes 3.7. */
const WIDE = 4;

/** Returns true if values that came in no battle, but could, make most of the interval of a mean. */
export function isRangeBound({ interval = [0, 0], standardError = 0 }: EstimatedValue): boolean {
  return standardError > 0 && interval[1] - interval[0] > WIDE * 2 * Z95 * standardError;
}

/** Says why the interval of a mean is wide and what narrows it. @param range of the metric, where it is known */
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

/** With its sign in front, unless it is 0. */
export const addSign = (text: string): string => (text.startsWith('-') || /^[0.]+$/.test(text) ? text : `+${text}`);

/** `+1.2`, `-inf`: standard errors. */
export function formatZScore(z: number): string {
  const digits = Number.isFinite(z) ? formatFixed(Math.abs(z), 1) : 'inf';
  return digits === '0.0' ? digits : `${z > 0 ? '+' : '-'}${digits}`;
}

/** How digits are written: `fixed`, `exactly`, `significant`, `plain`. */
type NumberFormat<D extends readonly number[]> = (value: number, ...digits: D) => string;

/** Smaller shares are the rounding of 0. */
const NOISE = 1e-14;

/** Decimals of a percentage that rounding leaves. */
const FINEST = 10;

/** A share in per cent that would read as `0` or `100`: `99.9999989`, `0.0000011`, two digits of what is missing to the end. */
function formatNearBound(share: number): string {
  const value = SHARE.times * share;
  const decimals = 1 - Math.floor(Math.log10(Math.min(value, SHARE.times - value)));
  if (decimals <= FINEST) return formatFixed(value, decimals);
  return share < 0.5 ? value.toExponential(1) : `> ${formatFixed(SHARE.times - 10 ** -FINEST, FINEST)}`;
}

/** A share under a head that says `%`; what is possible is never `0`, what is not certain never `100`: `inPercent(significant, 0.5767, 3)` is `57.7`. */
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

/** The same with its sign: `57.7 %`. */
export const formatPercent = <D extends readonly number[]>(
  rule: NumberFormat<D>,
  share: number,
  ...digits: D
): string => formatPercentNumber(rule, share, ...digits) + SHARE.sign;

/** `56.98 .. 58.35` */
export const formatRange = (interval: Interval, show: (end: number) => string): string =>
  interval.map(show).join(' .. ');

/** The interval of what is `times` as much; a negative factor turns it round. */
export function scaleInterval([low, high]: Interval, { times }: Pick<Scale, 'times'>): Interval {
  return times < 0 ? [times * high, times * low] : [times * low, times * high];
}

/** Where a mark of a picture stands. */
export function toPlotValue({ times }: Scale, value: number, interval?: Interval) {
  return { value: times * value, ...(interval && { low: times * interval[0], high: times * interval[1] }) };
}

/** With as many digits as its interval supports; a value without one is exact. */
export function formatValue(scale: Scale, figure: EstimatedValue): string {
  const { value, interval, standardError } = figure;
  const { times, sign, decimals, part } = scale;
  if (value === undefined) return '';
  const written = (rule: NumberFormat<[number]>, digits: number): string =>
    (part ? formatPercentNumber(rule, value, digits) : rule(times * value, digits)) + sign;
  if (interval === undefined) return written(formatExact, decimals);
  if (part && (value === 0 || value === 1)) return `${String(times * value)}${sign}`;
  if (interval[0] === interval[1] || (!part && standardError === 0)) return formatNumber(times * value) + sign;
  return written(formatFixed, countDecimals(figure, scale, decimals));
}

/** `< 0.019` of a part where nothing was counted, `> 99.98` where everything was. */
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

/** An exact value beside estimates with so many decimals: that of a mean in full. */
export const formatExactValue = ({ times, part, decimals }: Scale, value: number, shown: number): string =>
  formatExact(times * value, part ? shown + 2 : decimals);

/** The interval; `exact` where there is a value without one. */
export const formatIntervalOrExact = (scale: Scale, figure: EstimatedValue): string =>
  formatInterval(scale, figure) || (figure.value === undefined ? '' : 'exact');
