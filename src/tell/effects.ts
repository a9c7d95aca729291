/** What tables of effects share: words over columns, digits, bars. */
import type { Interval } from '../answers/index.ts';
import { decimalsOf, endsText, type Figure, type Kind, type Scale, scaled } from './figure.ts';
import { type Toned, toned } from './parts.ts';
import { clean } from './text/clean.ts';
import { fixed } from './text/digits.ts';
import { bar } from './text/histogram.ts';

/** Characters of the longest bar. */
const BAR = 8;

/** What an effect is counted in. */
export const unitOf = (kind: Kind, of: string): string => (kind === 'outcome' ? 'points' : clean(of));

/** A word over a column of effects; the unit stands below it, where it is not the metric itself. */
export const headOf = (word: string, kind: string): string => (kind === 'outcome' ? `${word},\npoints` : word);

/** What is said in the place of a bar. */
export const UNCLEAR = 'unclear';
export const IDLE = 'none';

/** An effect without an interval has three significant digits. */
function freely(effect: number): number {
  return effect === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(effect)))));
}

/** How effects of a field are shown: a value, and an interval. */
export interface ShownEffect {
  readonly value: (effect: number) => string;
  readonly interval: (ci95: Interval | undefined, show?: (text: string) => string) => string;
}

/** @param most decimals at most */
export function shownBy(scale: Scale, effect: Figure, most = Number.POSITIVE_INFINITY): ShownEffect {
  const decimals = Math.min(most, decimalsOf(effect, scale, freely(scale.times * (effect.value ?? 0))));
  return {
    value: (each) => fixed(scale.times * each, decimals),
    interval: (each, show = (text) => text) =>
      each === undefined ? '' : endsText(scaled(each, scale), (end) => show(fixed(end, decimals))),
  };
}

/** A bar for a size among sizes up to `most`. */
export const barOf = (size: number, most: number): Toned => ({
  ...toned(bar(most > 0 ? Math.max(0, size) / most : 0, BAR), 'cyan'),
  drawn: true,
});
