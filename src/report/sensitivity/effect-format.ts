/** What tables of effects share: words over columns, digits, bars. */
import type { Interval } from '../../stats/index.ts';
import {
  countDecimals,
  type EstimatedValue,
  formatRange,
  type QuantityKind,
  type Scale,
  scaleInterval,
} from '../sheet/estimated-value.ts';
import { type StyledText, styleText } from '../sheet/sheet.ts';
import { formatBar } from '../text/histogram.ts';
import { formatFixed } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** Characters of the longest bar. */
const BAR = 8;

/** What an effect is counted in. */
export const getEffectUnit = (kind: QuantityKind, of: string): string =>
  kind === 'outcome' ? 'points' : sanitizeLine(of);

/** A word over a column of effects; the unit stands below it, where it is not the metric itself. */
export const formatEffectHeading = (word: string, kind: string): string =>
  kind === 'outcome' ? `${word},\npoints` : word;

/** What is said in the place of a bar. */
export const UNCLEAR = 'unclear';
export const NO_EFFECT = 'none';

/** An effect without an interval has three significant digits. */
function formatWithoutInterval(effect: number): number {
  return effect === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(effect)))));
}

/** How effects of a field are shown: a value, and an interval. */
export interface EffectFormat {
  readonly value: (effect: number) => string;
  readonly interval: (ci95: Interval | undefined, show?: (text: string) => string) => string;
}

/** @param most decimals at most */
export function createEffectFormat(
  scale: Scale,
  effect: EstimatedValue,
  most = Number.POSITIVE_INFINITY,
): EffectFormat {
  const decimals = Math.min(
    most,
    countDecimals(effect, scale, formatWithoutInterval(scale.times * (effect.value ?? 0))),
  );
  return {
    value: (each) => formatFixed(scale.times * each, decimals),
    interval: (each, show = (text) => text) =>
      each === undefined ? '' : formatRange(scaleInterval(each, scale), (end) => show(formatFixed(end, decimals))),
  };
}

/** A bar for a size among sizes up to `most`. */
export const createEffectBar = (size: number, most: number): StyledText => ({
  ...styleText(formatBar(most > 0 ? Math.max(0, size) / most : 0, BAR), 'cyan'),
  isBar: true,
});
