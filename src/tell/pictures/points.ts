/** Scatter plots of designs that are no grids: a point for each cell, its colour the value. */

import type { TopLevelSpec } from 'vega-lite';
import type { Counts } from '../../rules/index.ts';
import { scaleOf } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import type { Classes } from '../survey/classes.ts';
import { placeText, type Quantity, type Reading, readingText, type Titled, titleOf } from '../survey/quantity.ts';
import type { View } from '../survey/view.ts';
import { grouped } from '../text/digits.ts';
import { fitted, framed, type Picture } from './picture.ts';
import { colourScale, vegaScale } from './scales.ts';
import { SINGLE, SOFT } from './theme.ts';

/** Points at the ends of an axis are not cut. */
const PADDED = { zero: false, nice: false, padding: 5 };

/** More points than this are drawn small. */
const LARGE = 500;

function axisOf(field: string, classes: Classes | undefined) {
  const title = classes?.title ?? '';
  if (classes?.middles === undefined) return { field, type: 'ordinal', title, axis: { labelAngle: 0 } };
  return { field, type: 'quantitative', title, scale: PADDED };
}

/** Values go upwards where there is no second axis. */
function upwards(quantity: Quantity, title: string) {
  const probability = quantity.kind === 'outcome';
  return { field: 'value', type: 'quantitative', title: probability ? 'probability (%)' : title, scale: PADDED };
}

function pointOf(quantity: Quantity, { x, y }: View, axes: readonly Titled[], reading: Reading) {
  return {
    x: x && reading.axes[x.axis],
    y: y && reading.axes[y.axis],
    value: scaleOf(quantity).times * reading.value,
    told: `${placeText(reading.axes, axes)}\n${readingText(quantity, reading)}`,
  };
}

/** @param cells that there are; if they are more than the points, the caption says so */
export function pointsPicture(
  quantity: Quantity,
  view: View,
  points: readonly Reading[],
  {
    counts,
    cells,
    axes,
    sides = [],
  }: {
    readonly counts: Counts;
    readonly cells: number;
    readonly axes: readonly Titled[];
    readonly sides?: readonly ShownSide[];
  },
): Picture {
  const title = titleOf(quantity, counts);
  const values = points.map(({ value }) => value);
  const scale = colourScale(quantity, values, sides);
  const alone = view.y === undefined;
  const spec = {
    ...framed(title, '', SINGLE),
    ...fitted(SINGLE, 260),
    data: { values: points.map((reading) => pointOf(quantity, view, axes, reading)) },
    mark: {
      type: 'point',
      filled: true,
      opacity: 1,
      stroke: SOFT,
      strokeWidth: 0.3,
      size: points.length > LARGE ? 10 : 24,
    },
    encoding: {
      x: axisOf('x', view.x),
      y: alone ? upwards(quantity, title) : axisOf('y', view.y),
      color: {
        field: 'value',
        type: 'quantitative',
        title: quantity.kind === 'outcome' ? '%' : 'mean',
        scale: vegaScale(scale),
        legend: alone ? null : { gradientLength: 140, gradientThickness: 8, tickCount: 5 },
      },
      description: { field: 'told', type: 'nominal' },
    },
  } as unknown as TopLevelSpec;
  const rest =
    cells > points.length ? ` The first ${grouped(points.length)} of ${grouped(cells)} cells are drawn.` : '';
  const seen = alone ? '' : ', seen along two of its axes; its colour is the value';
  return {
    kind: 'points',
    of: quantity.name,
    width: SINGLE,
    caption: `Each point is a cell of the sweep${seen}.${rest}`,
    spec,
  };
}
