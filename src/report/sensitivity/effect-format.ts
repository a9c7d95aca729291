/** Common parts of tables of effects: column heads, digits, bars. */
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

/** Length of the longest bar, in characters. */
const BAR = 8;

/** Unit of an effect. */
export const getEffectUnit = (kind: QuantityKind, of: string): string =>
  kind === 'outcome' ? 'points' : sanitizeLine(of);

/** Formats the head of a column of effects, with the unit of probabilities. */
export const formatEffectHeading = (word: string, kind: string): string =>
  kind === 'outcome' ? `${word},\npoints` : word;

/** Texts that replace a bar. */
export const UNCLEAR = 'unclear';
export const NO_EFFECT = 'none';

/** Decimals of an effect without an interval: three significant digits. */
function formatWithoutInterval(effect: number): number {
  return effect === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(effect)))));
}

/** Formats of the effects of a field. */
export interface EffectFormat {
  readonly value: (effect: number) => string;
  readonly interval: (ci95: Interval | undefined, show?: (text: string) => string) => string;
}

/** @param most maximum number of decimals */
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

/** Creates a bar for a size between 0 and `most`. */
export const createEffectBar = (size: number, most: number): StyledText => ({
  ...styleText(formatBar(most > 0 ? Math.max(0, size) / most : 0, BAR), 'cyan'),
  isBar: true,
});
