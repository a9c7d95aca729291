/** Colour scales of values: the colours of sides, light and dark for more and less, or two around a middle that means something. */

import { findSide, type ScenarioSide } from '../scenario/sides.ts';
import { getScale } from '../sheet/estimated-value.ts';
import type { SweepQuantity } from '../sweep-analysis/quantity.ts';
import { findOpponent } from './colors.ts';
import { SIDE_COLORS } from './theme.ts';

/** Schemes of Vega for what is of no side: they survive colour-blindness, and the first also greyscale. */
type VegaScheme = 'viridis' | 'purplegreen';

export interface ColorScale {
  /** A scheme by name, or colours at equal distances over the domain. */
  readonly colors: VegaScheme | readonly string[];
  readonly domain: readonly [low: number, high: number];
  /** Where the colours turn. */
  readonly middle?: number;
}

type Rgb = readonly [red: number, green: number, blue: number];

const parseRgb = (colour: string): Rgb => {
  const channel = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
};

/** A part of the way from one colour to another, channel by channel, as Vega goes it. */
function mixColors(from: string, to: string, part: number): string {
  const [start, end] = [parseRgb(from), parseRgb(to)];
  const hex = (at: number): string =>
    Math.round((start[at] ?? 0) + part * ((end[at] ?? 0) - (start[at] ?? 0)))
      .toString(16)
      .padStart(2, '0');
  return `#${hex(0)}${hex(1)}${hex(2)}`;
}

/** Where nothing is decided. */
const EVEN_COLOR = '#f7f7f7';

/**
 * Where the defender is certain to win against one other side, and where nobody's end of a scale is: darker by far than
 * all others, so that 0 % and 100 % differ without colours.
 */
const DEEP_COLORS = { defender: '#003a63', nobody: '#2b2f34' };

/** Tiles mean values: by night they keep their colours, so none is quite that of a line. */
const FULL_PART = 0.99;

/** From what is even to what is certain for one side, against another or nobody. */
function createSideColors(side: ScenarioSide | undefined, against: ScenarioSide | undefined): readonly string[] {
  const own = side && SIDE_COLORS[side.tone];
  if (own === undefined) return ['#c9cdd2', '#888f97', DEEP_COLORS.nobody];
  const full = mixColors(EVEN_COLOR, own, FULL_PART);
  if (side?.tone === 1 && against !== undefined) return [mixColors(EVEN_COLOR, own, 0.4), full, DEEP_COLORS.defender];
  return [mixColors(EVEN_COLOR, own, 0.35), mixColors(EVEN_COLOR, own, 0.7), full];
}

/** From little to much of one side's. */
function createRisingColors({ tone }: ScenarioSide): readonly string[] {
  const own = SIDE_COLORS[tone] ?? DEEP_COLORS.nobody;
  return [
    mixColors('#ffffff', own, 0.12),
    mixColors('#ffffff', own, 0.55),
    mixColors('#ffffff', own, FULL_PART),
    mixColors('#000000', own, 0.45),
  ];
}

/** Probabilities that reach this far to both sides of one half are shown around it. */
const BOTH_SIDES = 0.1;

/**
 * The scale of some values, in what is shown (per cent for probabilities): diverging for probabilities on both sides of
 * one half, over all of 0..100 %, and for metrics on both sides of 0; otherwise sequential from the least to the
 * greatest. A side has its colour where it wins for certain, and of two sides the other one has its own at the other end:
 * so the maps of both agree.
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
    const colours =
      side === undefined
        ? 'viridis'
        : [...createSideColors(other, side).toReversed(), EVEN_COLOR, ...createSideColors(side, other)];
    return { colors: colours, domain: [0, 100], ...(side && { middle: 50 }) };
  }
  if (quantity.kind === 'metric' && low < 0 && high > 0) {
    const reach = Math.max(-low, high);
    return { colors: 'purplegreen', domain: [-reach, reach], middle: 0 };
  }
  const colours = side === undefined ? 'viridis' : createRisingColors(side);
  if (low === high) return { colors: colours, domain: [scale * low - 0.5, scale * low + 0.5] };
  return { colors: colours, domain: [scale * low, scale * high] };
}

/** The scale as Vega-Lite has it. */
export function toVegaScale({ colors, domain: [low, high], middle }: ColorScale): Readonly<Record<string, unknown>> {
  if (typeof colors === 'string')
    return { scheme: colors, domain: [low, high], ...(middle !== undefined && { domainMid: middle }) };
  const stops = colors.map((_, c) => low + ((high - low) * c) / (colors.length - 1));
  return { range: [...colors], domain: stops, interpolate: 'rgb' };
}

/** Where the schemes of Vega are so dark that white is read better. */
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

/** Luminance at which black and white are read alike: (1 + 0.05) / (L + 0.05) = (L + 0.05) / 0.05. */
const EQUAL_CONTRAST_LUMINANCE = Math.sqrt(1.05 * 0.05) - 0.05;

/** The colour of a value. */
export function interpolateColor(colours: readonly string[], part: number): string {
  const place = Math.min(1, Math.max(0, part)) * (colours.length - 1);
  const at = Math.min(colours.length - 2, Math.floor(place));
  return mixColors(colours[at] ?? EVEN_COLOR, colours[at + 1] ?? EVEN_COLOR, place - at);
}

/** Whether white is the better colour for text on this value's colour. */
export function isDark({ colors, domain: [low, high] }: ColorScale, value: number): boolean {
  const part = (value - low) / (high - low);
  return typeof colors === 'string'
    ? DARK_PARTS[colors](part)
    : computeLuminance(interpolateColor(colors, part)) < EQUAL_CONTRAST_LUMINANCE;
}
