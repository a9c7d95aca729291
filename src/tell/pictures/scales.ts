/** Colour scales of values: light and dark for more and less, or two colours around a middle that means something. */
import { scaleOf } from '../figure.ts';
import type { Quantity } from '../survey/quantity.ts';

export interface ColourScale {
  readonly scheme: 'viridis' | 'blueorange';
  readonly domain: readonly [low: number, high: number];
  /** Where the colours turn. */
  readonly middle?: number;
}

/** Probabilities that reach this far to both sides of one half are shown around it. */
const BOTH_SIDES = 0.1;

/**
 * The scale of some values, in what is shown (per cent for probabilities): diverging for probabilities on both sides of
 * one half, over all of 0..100 %, and for metrics on both sides of 0; otherwise sequential from the least to the
 * greatest.
 */
export function colourScale(quantity: Quantity, values: readonly number[]): ColourScale {
  const scale = scaleOf(quantity).times;
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (quantity.kind === 'outcome' && low < 0.5 - BOTH_SIDES && high > 0.5 + BOTH_SIDES)
    return { scheme: 'blueorange', domain: [0, 100], middle: 50 };
  if (quantity.kind === 'metric' && low < 0 && high > 0) {
    const reach = Math.max(-low, high);
    return { scheme: 'blueorange', domain: [-reach, reach], middle: 0 };
  }
  if (low === high) return { scheme: 'viridis', domain: [scale * low - 0.5, scale * low + 0.5] };
  return { scheme: 'viridis', domain: [scale * low, scale * high] };
}

/** Whether white is the better colour for text on this value's colour. */
export function isDark({ scheme, domain: [low, high] }: ColourScale, value: number): boolean {
  const part = (value - low) / (high - low);
  return scheme === 'viridis' ? part < 0.6 : part < 0.12 || part > 0.88;
}
