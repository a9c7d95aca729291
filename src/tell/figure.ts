/** One number and what is said of it: its scale, the digits that its interval supports, its sign, its bound. */
import type { Interval } from '../answers/intervals.ts';
import { boundAbove, boundBelow, decimalsFor, exactly, fixed, plain } from './text/digits.ts';

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
export const GIVEN: Scale = { ...MEAN, decimals: 5, finer: 1 };

/** The same as people read it: probabilities in per cent, as finely. */
export const wantedScaleOf = ({ kind }: { readonly kind: string }): Scale =>
  kind === 'outcome' ? { ...SHARE, decimals: GIVEN.decimals - 2, finer: GIVEN.finer } : GIVEN;

export type Kind = 'outcome' | 'metric';

export const scaleOf = ({ kind }: { readonly kind: Kind }): Scale => (kind === 'outcome' ? SHARE : MEAN);

/** Differences, and what stands beside them: shares in percentage points, means as they are. */
export const gapScaleOf = (of: { readonly kind: Kind }): Scale => ({ ...scaleOf(of), sign: '', decimals: 6 });

/** A number, and how it is known. */
export interface Figure {
  readonly value?: number;
  /** Absent if the value is exact. */
  readonly interval?: Interval | undefined;
}

/** Decimals that half an interval supports. */
export function decimalsOf(interval: Interval | undefined, { times }: Scale, otherwise: number): number {
  const halfWidth = interval === undefined ? 0 : (times * (interval[1] - interval[0])) / 2;
  return halfWidth > 0 && Number.isFinite(halfWidth) ? Math.max(0, decimalsFor(halfWidth)) : otherwise;
}

/** With its sign in front, unless it is 0. */
export const signed = (text: string): string => (text.startsWith('-') || /^[0.]+$/.test(text) ? text : `+${text}`);

/** `+1.2`, `-inf`: standard errors. */
export function scoreText(z: number): string {
  const digits = Number.isFinite(z) ? fixed(Math.abs(z), 1) : 'inf';
  return digits === '0.0' ? digits : `${z > 0 ? '+' : '-'}${digits}`;
}

/** How digits are written: `fixed`, `exactly`, `significant`, `plain`. */
type Rule<D extends readonly number[]> = (value: number, ...digits: D) => string;

/** A share under a head that says `%`: `inPercent(significant, 0.5767, 3)` is `57.7`. */
export const inPercent = <D extends readonly number[]>(rule: Rule<D>, share: number, ...digits: D): string =>
  rule(SHARE.times * share, ...digits);

/** The same with its sign: `57.7 %`. */
export const percent = <D extends readonly number[]>(rule: Rule<D>, share: number, ...digits: D): string =>
  inPercent(rule, share, ...digits) + SHARE.sign;

/** `56.98 .. 58.35` */
export const endsText = (interval: Interval, show: (end: number) => string): string => interval.map(show).join(' .. ');

/** The interval of what is `times` as much; a negative factor turns it round. */
export function scaled([low, high]: Interval, { times }: Pick<Scale, 'times'>): Interval {
  return times < 0 ? [times * high, times * low] : [times * low, times * high];
}

/** Where a mark of a picture stands. */
export function placed({ times }: Scale, value: number, interval?: Interval) {
  return { value: times * value, ...(interval && { low: times * interval[0], high: times * interval[1] }) };
}

/** With as many digits as its interval supports; a value without one is exact. */
export function valueText(scale: Scale, { value, interval }: Figure): string {
  if (value === undefined) return '';
  const { times, sign, decimals, part } = scale;
  if (interval === undefined) return exactly(times * value, decimals) + sign;
  if (part && (value === 0 || value === 1)) return `${String(times * value)}${sign}`;
  if (interval[0] === interval[1]) return plain(times * value) + sign;
  return fixed(times * value, decimalsOf(interval, scale, decimals)) + sign;
}

/** `< 0.019` of a part where nothing was counted, `> 99.98` where everything was. */
export function boundText({ times, sign, part }: Scale, { value, interval }: Figure): string | undefined {
  if (!part || interval === undefined) return undefined;
  if (value === 0) return `< ${boundAbove(times * interval[1])}${sign}`;
  return value === 1 ? `> ${boundBelow(times * interval[0], times)}${sign}` : undefined;
}

/** `56.98 .. 58.35 %`, or a bound; empty for exact values. */
export function intervalText(scale: Scale, figure: Figure): string {
  const { interval } = figure;
  if (interval === undefined) return '';
  const decimals = decimalsOf(interval, scale, scale.decimals) + scale.finer;
  const text = endsText(interval, (end) => fixed(scale.times * end, decimals)) + scale.sign;
  return boundText(scale, figure) ?? text;
}

/** The interval; `exact` where there is a value without one. */
export const knownTo = (scale: Scale, figure: Figure): string =>
  intervalText(scale, figure) || (figure.value === undefined ? '' : 'exact');

/** A mean of a sample, the half-width of its interval, and the decimals that it supports, which may be negative. */
export function meanText(mean: number, halfWidth: number): [mean: string, halfWidth: string, decimals: number] {
  if (halfWidth === 0) return [plain(mean), '', 2];
  const decimals = decimalsFor(halfWidth);
  return [fixed(mean, decimals), fixed(halfWidth, decimals), decimals];
}
