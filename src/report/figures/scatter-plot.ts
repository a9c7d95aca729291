/** Scatter plots of designs without a grid: one point for each cell, with its value as color. */

import type { TopLevelSpec } from 'vega-lite';
import type { MetricLabels } from '../../rules/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { getScale } from '../sheet/estimated-value.ts';
import type { AxisClasses } from '../sweep-analysis/axis-classes.ts';
import {
  type AxisTitle,
  type CellReading,
  formatCellPlace,
  formatQuantityTitle,
  formatReading,
  type SweepQuantity,
} from '../sweep-analysis/quantity.ts';
import type { SweepView } from '../sweep-analysis/view.ts';
import { formatGrouped } from '../text/number-format.ts';
import { createColorScale, toVegaScale } from './color-scale.ts';
import { createFit, createFrame, type Figure } from './figure.ts';
import { SINGLE_COLUMN, SOFT } from './theme.ts';

/** Padding, so that points at the ends of an axis are not clipped. */
const PADDED_SCALE = { zero: false, nice: false, padding: 5 };

/** More points are drawn smaller. */
const MANY_POINTS = 500;

function createAxis(field: string, classes: AxisClasses | undefined) {
  const title = classes?.title ?? '';
  if (classes?.middles === undefined) return { field, type: 'ordinal', title, axis: { labelAngle: 0 } };
  return { field, type: 'quantitative', title, scale: PADDED_SCALE };
}

/** The values are on y if there is no second axis. */
function createValueAxis(quantity: SweepQuantity, title: string) {
  const probability = quantity.kind === 'outcome';
  return { field: 'value', type: 'quantitative', title: probability ? 'probability (%)' : title, scale: PADDED_SCALE };
}

function createPoint(quantity: SweepQuantity, { x, y }: SweepView, axes: readonly AxisTitle[], reading: CellReading) {
  return {
    x: x && reading.axes[x.axis],
    y: y && reading.axes[y.axis],
    value: getScale(quantity).times * reading.value,
    tooltip: `${formatCellPlace(reading.axes, axes)}\n${formatReading(quantity, reading)}`,
  };
}

/** @param cells number of cells; the caption mentions it if not all are drawn */
export function createScatterPlot(
  quantity: SweepQuantity,
  view: SweepView,
  points: readonly CellReading[],
  {
    counts,
    cells,
    axes,
    sides = [],
  }: {
    readonly counts: MetricLabels;
    readonly cells: number;
    readonly axes: readonly AxisTitle[];
    readonly sides?: readonly ScenarioSide[];
  },
): Figure {
  const title = formatQuantityTitle(quantity, counts);
  const values = points.map(({ value }) => value);
  const scale = createColorScale(quantity, values, sides);
  const alone = view.y === undefined;
  const spec = {
    ...createFrame(title, '', SINGLE_COLUMN),
    ...createFit(SINGLE_COLUMN, 260),
    data: { values: points.map((reading) => createPoint(quantity, view, axes, reading)) },
    mark: {
      type: 'point',
      filled: true,
      opacity: 1,
      stroke: SOFT,
      strokeWidth: 0.3,
      size: points.length > MANY_POINTS ? 10 : 24,
    },
    encoding: {
      x: createAxis('x', view.x),
      y: alone ? createValueAxis(quantity, title) : createAxis('y', view.y),
      color: {
        field: 'value',
        type: 'quantitative',
        title: quantity.kind === 'outcome' ? '%' : 'mean',
        scale: toVegaScale(scale),
        legend: alone ? null : { gradientLength: 140, gradientThickness: 8, tickCount: 5 },
      },
      description: { field: 'tooltip', type: 'nominal' },
    },
  } as unknown as TopLevelSpec;
  const rest =
    cells > points.length
      ? ` The first ${formatGrouped(points.length)} of ${formatGrouped(cells)} cells are drawn.`
      : '';
  const seen = alone ? '' : ', projected on two axes; its color is the value';
  return {
    kind: 'points',
    of: quantity.name,
    width: SINGLE_COLUMN,
    caption: `Each point is a cell of the sweep${seen}.${rest}`,
    spec,
  };
}
