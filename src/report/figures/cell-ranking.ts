/** Figures of the highest and lowest cells, and of the cells closest to 50 %. */

import type { MetricLabels } from '../../rules/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatValue, getScale } from '../sheet/estimated-value.ts';
import type { QuantityAnalysis } from '../sweep-analysis/analysis.ts';
import { type CellLevel, type ExtremeCells, formatLevel, selectExtremes } from '../sweep-analysis/extreme-cells.ts';
import {
  type AxisTitle,
  type CellReading,
  formatAxisTitle,
  formatAxisValue,
  formatCellPlace,
  formatQuantityTitle,
  formatReading,
  formatShortCellPlace,
  getQuantityKey,
  type SweepQuantity,
} from '../sweep-analysis/quantity.ts';
import { formatGrouped } from '../text/number-format.ts';
import { findOpponent, getSideColor } from './colors.ts';
import { createDotPlotSpec, type Dot } from './dot-plot.ts';
import type { Figure } from './figure.ts';
import { measureTextWidth } from './font.ts';
import { DOUBLE_COLUMN, SINGLE_COLUMN, SOFT, TEXT } from './theme.ts';

/** Number of lines at each end of a ranking, and in its middle. */
const LINES_AT_ENDS = 8;
const LINES_IN_MIDDLE = 6;

/** Color of the cells closest to 50 %. */
const NEAREST_COLOR = SOFT;

/** Maximum width of a name, in pixels. */
const MAX_NAME_WIDTH = 320;

/** Longer names need a figure of two columns. */
const LONG_NAME_WIDTH = 110;

/** Names of cells, and a text on common values or omitted axes. */
interface CellNaming {
  readonly of: (reading: CellReading) => string;
  readonly subtitle: string;
}

/**
 * Creates names of limited width that distinguish cells: the differing values with fields, or without, or the numbers
 * of the cells. Common values are in the text above them.
 */
function chooseCellNaming(readings: readonly CellReading[], axes: readonly AxisTitle[]): CellNaming {
  const texts = ({ name }: AxisTitle) => readings.map((reading) => formatAxisValue(reading.axes[name]));
  const differing = axes.filter((axis) => new Set(texts(axis)).size > 1);
  const common = axes.filter((axis) => !differing.includes(axis));
  const [first] = readings;
  const at = first === undefined || common.length === 0 ? '' : `all at ${formatCellPlace(first.axes, common)}`;
  const titles = [...differing.map(formatAxisTitle), at].filter((part) => part !== '').join(', ');
  const fields: CellNaming = { of: ({ axes: values }) => formatShortCellPlace(values, differing), subtitle: titles };
  const values: CellNaming = {
    of: (reading) => differing.map(({ name }) => formatAxisValue(reading.axes[name])).join(', '),
    subtitle: titles,
  };
  const fit = [fields, values].find(({ of }) =>
    readings.every((reading) => measureTextWidth(of(reading), TEXT) <= MAX_NAME_WIDTH),
  );
  return fit ?? { of: ({ cell }) => `cell ${String(cell)}`, subtitle: 'cells by number' };
}

/** Common data of the lines of a figure. */
interface RankingContext {
  readonly quantity: SweepQuantity;
  readonly axes: readonly AxisTitle[];
  readonly naming: CellNaming;
}

function createRankDot({ quantity, axes, naming }: RankingContext, reading: CellReading, colour: string): Dot {
  const scale = getScale(quantity).times;
  return {
    name: naming.of(reading),
    value: scale * reading.value,
    low: reading.interval && scale * reading.interval[0],
    high: reading.interval && scale * reading.interval[1],
    colour,
    text: formatValue(getScale(quantity), reading),
    tooltip: `cell ${String(reading.cell)}: ${formatCellPlace(reading.axes, axes)}\n${formatReading(quantity, reading)}`,
  };
}

/**
 * Creates the lines of cells with equal values: one for each, or their number if naming some would be arbitrary.
 * @param inner end of the level that is nearer to the other levels
 */
function createLevelDots(
  context: RankingContext,
  level: CellLevel,
  [colour, inner]: readonly [colour: string, inner: 'from' | 'to'],
): Dot[] {
  const [first] = level.readings;
  if (first === undefined) return [];
  const dot = createRankDot(context, first, colour);
  if (level.cells === 1) return [dot];
  const { value, tooltip } = dot;
  const [name, text] = [`${formatGrouped(level.cells)} cells`, formatLevel(context.quantity, level, inner)];
  return [{ name, value, colour, text, tooltip: `${name} of ${text}, starting with\n${tooltip}` }];
}

interface RankingGroups {
  readonly dots: readonly Dot[][];
  readonly subtitle: string;
}

function createRankingGroups(
  { quantity, cells, even }: QuantityAnalysis,
  ends: ExtremeCells,
  axes: readonly AxisTitle[],
  sides: readonly ScenarioSide[],
): RankingGroups {
  const { highest, lowest } = selectExtremes(ends, LINES_AT_ENDS);
  const all = cells <= highest.length + lowest.length;
  // If all cells are on one side of 50 %, the closest ones are at an end anyway.
  const both = even !== undefined && even.below > 0 && even.above > 0;
  const nearest = all || !both ? [] : even.nearest.slice(0, LINES_IN_MIDDLE);
  const single = [...highest, ...lowest].filter((level) => level.cells === 1).flatMap(({ readings }) => readings);
  const naming = chooseCellNaming([...single, ...nearest], axes);
  const context = { quantity, axes, naming };
  const createDots = (levels: readonly CellLevel[], ...look: readonly [colour: string, inner: 'from' | 'to']): Dot[] =>
    levels.flatMap((level) => createLevelDots(context, level, look));
  const middle = nearest
    .toSorted((a, b) => b.value - a.value)
    .map((reading) => createRankDot(context, reading, NEAREST_COLOR));
  const own = getSideColor(quantity.name, sides);
  const other = quantity.kind === 'outcome' ? findOpponent(quantity.name, sides) : undefined;
  const opposite = other === undefined ? own : getSideColor(other.id, sides);
  const groups = [createDots(highest, own, 'from'), middle, createDots(lowest, opposite, 'to')];
  return { dots: groups.filter((group) => group.length > 0), subtitle: naming.subtitle };
}

function createCaption(groups: readonly Dot[][], middle: boolean, exact: boolean): string {
  const dots = groups.flat();
  const intervals = dots.some(({ low, high }) => low !== undefined && high !== undefined && low < high);
  return [
    middle
      ? 'Top: cells with the largest values. Middle: cells closest to 50 %. Bottom: cells with the smallest values.'
      : 'Top: cells with the largest values. Bottom: cells with the smallest values.',
    ...(exact ? ['Values are exact.'] : []),
    ...(intervals
      ? [
          'Thick lines are individual 95 % intervals; invisible ones are narrower than the dot. The order of neighbors with overlapping intervals is uncertain.',
        ]
      : []),
  ].join(' ');
}

/**
 * Creates the figure of the highest and lowest cells, and of cells closest to 50 %.
 * @param all ends by key of their quantity
 */
export function createRankingFigure(
  surveyed: QuantityAnalysis,
  all: ReadonlyMap<string, ExtremeCells>,
  axes: readonly AxisTitle[],
  counts: MetricLabels,
  sides: readonly ScenarioSide[] = [],
): Figure | undefined {
  const { quantity } = surveyed;
  const ends = all.get(getQuantityKey(quantity));
  if (ends === undefined) return undefined;
  const { dots: groups, subtitle } = createRankingGroups(surveyed, ends, axes, sides);
  const isLong = groups.flat().some(({ name }) => measureTextWidth(name, TEXT) > LONG_NAME_WIDTH);
  const width = isLong ? DOUBLE_COLUMN : SINGLE_COLUMN;
  const middle = groups.length > 2;
  const gaps = groups.slice(0, -1).map((_, g) => groups.slice(0, g + 1).flat().length);
  const spec = createDotPlotSpec(groups.flat(), {
    title: `${middle ? 'highest, closest to 50 %, lowest' : 'highest and lowest'}: ${formatQuantityTitle(quantity, counts)}`,
    subtitle,
    width,
    room: MAX_NAME_WIDTH,
    axis: quantity.kind === 'outcome' ? 'probability (%)' : formatQuantityTitle(quantity, counts),
    zero: false,
    gaps,
  });
  return {
    kind: 'ranks',
    of: quantity.name,
    width,
    caption: createCaption(groups, middle, surveyed.halfWidth === undefined),
    spec,
  };
}
