/** Line charts of values along one axis, with intervals as bands. */

import type { TopLevelSpec } from 'vega-lite';
import type { MetricLabels } from '../../rules/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { getScale } from '../sheet/estimated-value.ts';
import { toAxisTitle } from '../sweep-analysis/axis-classes.ts';
import type { CellTile } from '../sweep-analysis/figure-data.ts';
import {
  formatCellPlace,
  formatQuantityHeading,
  formatQuantityTitle,
  formatReading,
  type SweepQuantity,
} from '../sweep-analysis/quantity.ts';
import { formatFixedValues, type SweepView } from '../sweep-analysis/view.ts';
import { formatGrouped } from '../text/number-format.ts';
import { assignLineColors } from './colors.ts';
import { createFit, createFrame, type Figure } from './figure.ts';
import { SINGLE_COLUMN, SOFT } from './theme.ts';

/** Line of a chart: an outcome or metric with its values. */
export interface ChartLine {
  readonly quantity: SweepQuantity;
  readonly tiles: readonly CellTile[];
}

/** Lines with more points have no point marks. */
const MAX_MARKED_POINTS = 40;

/** Position of a class on the axis. */
const getAxisPosition = (classes: SweepView['x'], at: number): number | string =>
  classes?.middles?.[at] ?? classes?.labels[at] ?? '';

function createPoint({ quantity }: ChartLine, { x: classes }: SweepView, { x, cells, value, reading }: CellTile) {
  const scale = getScale(quantity).times;
  const [low, high] = reading?.interval ?? [value, value];
  const name = formatQuantityHeading(quantity);
  const place =
    reading === undefined ? '' : formatCellPlace(reading.axes, classes === undefined ? [] : [toAxisTitle(classes)]);
  return {
    x: getAxisPosition(classes, x),
    name,
    value: scale * value,
    low: scale * low,
    high: scale * high,
    tooltip:
      reading === undefined ? `mean of ${formatGrouped(cells)} cells` : `${place}\n${formatReading(quantity, reading)}`,
  };
}

function createCaption(lines: readonly ChartLine[], view: SweepView): string {
  const banded = lines.some(({ tiles }) => tiles.some(({ reading }) => reading?.interval !== undefined));
  const thinned = lines.some(({ tiles }) => tiles.some(({ cells }) => cells > 1));
  const others = formatFixedValues(view);
  return [
    banded ? 'Bands are individual 95 % intervals; invisible ones are narrower than the line.' : 'Values are exact.',
    ...(thinned
      ? ['There are too many cells to draw: points are means over neighboring cells, without intervals.']
      : []),
    ...(others === '' ? [] : [`The slice at ${others} is shown.`]),
    ...(view.currentCell === undefined ? [] : ['The dashed line marks the unchanged scenario.']),
  ].join(' ');
}

/** Creates a chart of all outcomes, or of one metric. @param lines lines of one kind */
export function createLineChart(
  lines: readonly ChartLine[],
  view: SweepView,
  counts: MetricLabels,
  sides: readonly ScenarioSide[] = [],
): Figure {
  const [first] = lines;
  const quantity = first?.quantity ?? { kind: 'outcome', name: '' };
  const probability = quantity.kind === 'outcome';
  const title = lines.length > 1 ? 'probabilities of outcomes' : formatQuantityTitle(quantity, counts);
  const names = lines.map((line) => formatQuantityHeading(line.quantity));
  const numeric = view.x?.middles !== undefined;
  const points = lines.flatMap((line) => line.tiles.map((tile) => createPoint(line, view, tile)));
  const y = {
    field: 'value',
    type: 'quantitative',
    title: probability ? 'probability (%)' : title,
    scale: { zero: probability },
  };
  const [here] = view.currentCell ?? [];
  const own = here === undefined || points.length === 0 ? [] : [{ x: getAxisPosition(view.x, here) }];
  const layer = [
    ...(own.length === 0
      ? []
      : [
          {
            data: { values: own },
            mark: { type: 'rule', strokeDash: [3, 3], color: SOFT, aria: false },
            encoding: { color: null },
          },
        ]),
    {
      mark: { type: 'area', opacity: 0.22, aria: false },
      encoding: { y: { ...y, field: 'low' }, y2: { field: 'high' } },
    },
    { mark: { type: 'line', strokeWidth: 1.25, aria: false }, encoding: { y } },
    {
      mark: {
        type: 'point',
        filled: true,
        size: points.length <= MAX_MARKED_POINTS * lines.length ? 18 : 9,
        opacity: points.length <= MAX_MARKED_POINTS * lines.length ? 1 : 0,
      },
      encoding: { y, description: { field: 'tooltip', type: 'nominal' } },
    },
  ];
  const legend =
    lines.length > 1 ? { orient: 'bottom', title: null, columns: 3, symbolType: 'circle', symbolOpacity: 1 } : null;
  const spec = {
    ...createFrame(title, formatFixedValues(view), SINGLE_COLUMN),
    ...createFit(SINGLE_COLUMN, 230),
    data: { values: points },
    encoding: {
      x: {
        field: 'x',
        type: numeric ? 'quantitative' : 'ordinal',
        title: view.x?.title ?? '',
        sort: null,
        scale: numeric ? { zero: false, nice: false, padding: 4 } : {},
        axis: { grid: false, labelOverlap: true, labelAngle: 0, tickCount: 8 },
      },
      color: {
        field: 'name',
        type: 'nominal',
        scale: {
          domain: names,
          range: assignLineColors(
            lines.map((line) => line.quantity.name),
            sides,
          ),
        },
        legend,
      },
    },
    layer,
  } as unknown as TopLevelSpec;
  return {
    kind: 'lines',
    of: lines.length > 1 ? '' : quantity.name,
    width: SINGLE_COLUMN,
    caption: createCaption(lines, view),
    spec,
  };
}
