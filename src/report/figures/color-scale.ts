/** Color scales of values: sequential or diverging, in the colors of sides. */

import { findSide, type ScenarioSide } from '../scenario/sides.ts';
import { getScale } from '../sheet/estimated-value.ts';
import type { SweepQuantity } from '../sweep-analysis/quantity.ts';
import { findOpponent } from './colors.ts';
import { SIDE_COLORS } from './theme.ts';

/** Vega schemes for values of no side. They are safe for color blindness, the first one also for grayscale. */
type VegaScheme = 'viridis' | 'purplegreen';

export interface ColorScale {
  /** Name of a scheme, or colors at equal distances over the domain. */
  readonly colors: VegaScheme | readonly string[];
  readonly domain: readonly [low: number, high: number];
  /** Midpoint of a diverging scale. */
  readonly middle?: number;
}

type Rgb = readonly [red: number, green: number, blue: number];

const parseRgb = (colour: string): Rgb => {
  const interpolateChannel = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  return [interpolateChannel(1), interpolateChannel(3), interpolateChannel(5)];
};

/** Interpolates between two colors, channel by channel, like Vega. */
function mixColors(from: string, to: string, part: number): string {
  const [start, end] = [parseRgb(from), parseRgb(to)];
  const formatHex = (at: number): string =>
    Math.round((start[at] ?? 0) + part * ((end[at] ?? 0) - (start[at] ?? 0)))
      .toString(16)
      .padStart(2, '0');
  return `#${formatHex(0)}${formatHex(1)}${formatHex(2)}`;
}

/** Color of balanced chances. */
const EVEN_COLOR = '#f7f7f7';

/**
 * Ends of scales for the defender and for no side: much darker than all other colors, so that 0 % and 100 % differ
 * without color.
 */
const DEEP_COLORS = { defender: '#003a63', nobody: '#2b2f34' };

/** Tiles keep their colors in dark mode, because these represent values; so none equals a line color. */
const FULL_PART = 0.99;

/** Colors from balanced chances to a certain win of one side. */
function createSideColors(side: ScenarioSide | undefined, against: ScenarioSide | undefined): readonly string[] {
  const own = side && SIDE_COLORS[side.tone];
  if (own === undefined) return ['#c9cdd2', '#888f97', DEEP_COLORS.nobody];
  const full = mixColors(EVEN_COLOR, own, FULL_PART);
  if (side?.tone === 1 && against !== undefined) return [mixColors(EVEN_COLOR, own, 0.4), full, DEEP_COLORS.defender];
  return [mixColors(EVEN_COLOR, own, 0.35), mixColors(EVEN_COLOR, own, 0.7), full];
}

/** Colors from small to large values of one side. */
function createRisingColors({ tone }: ScenarioSide): readonly string[] {
  const own = SIDE_COLORS[tone] ?? DEEP_COLORS.nobody;
  return [
    mixColors('#ffffff', own, 0.12),
    mixColors('#ffffff', own, 0.55),
    mixColors('#ffffff', own, FULL_PART),
    mixColors('#000000', own, 0.45),
  ];
}

/** Probabilities that extend this far to both sides of 50 % get a diverging scale. */
const BOTH_SIDES = 0.1;

/**
 * Creates the scale of some values, in displayed units (percent for probabilities): diverging over 0..100 % for
 * probabilities on both sides of 50 %, and for metrics on both sides of 0; otherwise sequential from the smallest to
 * the largest value. Each of two sides has its color at its certain win, so that the heat maps of both sides agree.
 */
export function createColorScale(
  quantity: SweepQuantity,
  values: readonly number[],
  sides: readonly ScenarioSide[] = [],
): ColorScale {
  const scale = getScale(quantity).times;
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const side = findSide(quantity.name, sides);
  if (quantity.kind === 'outcome' && low < 0.5 - BOTH_SIDES && high > 0.5 + BOTH_SIDES) {
    const other = findOpponent(quantity.name, sides);
    const colors =
      side === undefined
        ? 'viridis'
        : [...createSideColors(other, side).toReversed(), EVEN_COLOR, ...createSideColors(side, other)];
    return { colors: colors, domain: [0, 100], ...(side && { middle: 50 }) };
  }
  if (quantity.kind === 'metric' && low < 0 && high > 0) {
    const reach = Math.max(-low, high);
    return { colors: 'purplegreen', domain: [-reach, reach], middle: 0 };
  }
  const colors = side === undefined ? 'viridis' : createRisingColors(side);
  if (low === high) return { colors: colors, domain: [scale * low - 0.5, scale * low + 0.5] };
  return { colors: colors, domain: [scale * low, scale * high] };
}

/** Converts the scale to Vega-Lite. */
export function toVegaScale({ colors, domain: [low, high], middle }: ColorScale): Readonly<Record<string, unknown>> {
  if (typeof colors === 'string')
    return { scheme: colors, domain: [low, high], ...(middle !== undefined && { domainMid: middle }) };
  const stops = colors.map((_, c) => low + ((high - low) * c) / (colors.length - 1));
  return { range: [...colors], domain: stops, interpolate: 'rgb' };
}

/** Parts of Vega schemes on which white text is more readable. */
const DARK_PARTS: Readonly<Record<VegaScheme, (part: number) => boolean>> = {
  viridis: (part) => part < 0.6,
  purplegreen: (part) => part < 0.2 || part > 0.8,
};

/** Relative luminance (WCAG 2.2). */
export function computeLuminance(colour: string): number {
  const [red, green, blue] = parseRgb(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Luminance with equal contrast to black and white: (1 + 0.05) / (L + 0.05) = (L + 0.05) / 0.05. */
const EQUAL_CONTRAST_LUMINANCE = Math.sqrt(1.05 * 0.05) - 0.05;

/** Computes the color of a value. */
export function interpolateColor(colors: readonly string[], part: number): string {
  const place = Math.min(1, Math.max(0, part)) * (colors.length - 1);
  const at = Math.min(colors.length - 2, Math.floor(place));
  return mixColors(colors[at] ?? EVEN_COLOR, colors[at + 1] ?? EVEN_COLOR, place - at);
}

/** True if white text is more readable on the color of this value. */
export function isDark({ colors, domain: [low, high] }: ColorScale, value: number): boolean {
  const part = (value - low) / (high - low);
  return typeof colors === 'string'
    ? DARK_PARTS[colors](part)
    : computeLuminance(interpolateColor(colors, part)) < EQUAL_CONTRAST_LUMINANCE;
}
