/** What tables of effects share: scale, signs, bars. */
import type { Interval } from '../answers/intervals.ts';
import { signed } from './diff.ts';
import { clean } from './text/clean.ts';
import { decimalsFor, fixed } from './text/digits.ts';
import { bar } from './text/histogram.ts';
import type { Paint } from './text/table.ts';

/** Characters of the longest bar. */
const BAR = 8;

/** Shares are shown in percentage points, means as they are. */
export const scaleOf = (kind: 'outcome' | 'metric'): number => (kind === 'outcome' ? 100 : 1);

/** What an effect is counted in. */
export const unitOf = (kind: 'outcome' | 'metric', of: string): string => (kind === 'outcome' ? 'points' : clean(of));

/** A word over a column of effects; the unit stands below it, where it is not the metric itself. */
export const headOf = (word: string, kind: 'outcome' | 'metric'): string =>
  kind === 'outcome' ? `${word},\npoints` : word;

/** What is said in the place of a bar. */
export const UNCLEAR = 'unclear';
export const IDLE = 'none';

/** Decimals that intervals support; three significant digits where there is no width. */
export function decimalsOf(ci95: Interval | undefined, effect: number): number {
  const halfWidth = ci95 === undefined ? 0 : (ci95[1] - ci95[0]) / 2;
  if (halfWidth > 0) return Math.max(0, decimalsFor(halfWidth));
  return effect === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(effect)))));
}

/** An interval with signs. */
export const interval = (ci95: Interval | undefined, decimals: number, show = signed): string =>
  (ci95 ?? []).map((end) => show(fixed(end, decimals))).join(' .. ');

/** A bar for a size among sizes up to `most`. */
export const barOf = (size: number, most: number, { cyan }: Paint): string =>
  cyan(bar(most > 0 ? Math.max(0, size) / most : 0, BAR));
