/** Line charts: values along one axis, with their intervals as bands. */

import type { TopLevelSpec } from 'vega-lite';
import type { Counts } from '../../rules/index.ts';
import { scaleOf } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import { titledOf } from '../survey/classes.ts';
import type { Tile } from '../survey/gather.ts';
import { headOf, placeText, type Quantity, readingText, titleOf } from '../survey/quantity.ts';
import { fixedText, type View } from '../survey/view.ts';
import { grouped } from '../text/digits.ts';
import { lineColours } from './colours.ts';
import { fitted, framed, type Picture } from './picture.ts';
import { SINGLE, SOFT } from './theme.ts';

/** One line: an outcome or metric with its values. */
export interface Line {
  readonly quantity: Quantity;
  readonly tiles: readonly Tile[];
}

/** More points than this on a line are drawn without their marks. */
const MARKED = 40;

/** Where a class stands along the axis. */
const placeOf = (classes: View['x'], at: number): number | string =>
  classes?.middles?.[at] ?? classes?.labels[at] ?? '';

function pointOf({ quantity }: Line, { x: classes }: View, { x, cells, value, reading }: Tile) {
  const scale = scaleOf(quantity).times;
  const [low, high] = reading?.interval ?? [value, value];
  const name = headOf(quantity);
  const place = reading === undefined ? '' : placeText(reading.axes, classes === undefined ? [] : [titledOf(classes)]);
  return {
    x: placeOf(classes, x),
    name,
    value: scale * value,
    low: scale * low,
    high: scale * high,
    told: reading === undefined ? `mean of ${grouped(cells)} cells` : `${place}\n${readingText(quantity, reading)}`,
  };
}

function captionOf(lines: readonly Line[], view: View): string {
  const banded = lines.some(({ tiles }) => tiles.some(({ reading }) => reading?.interval !== undefined));
  const thinned = lines.some(({ tiles }) => tiles.some(({ cells }) => cells > 1));
  const others = fixedText(view);
  return [
    banded
      ? 'Bands are 95 % intervals, one by one; where none is seen it is narrower than the line.'
      : 'Values are exact.',
    ...(thinned
      ? ['There are too many cells to draw: points are means over neighbouring cells, without intervals.']
      : []),
    ...(others === '' ? [] : [`The slice at ${others} is shown.`]),
    ...(view.here === undefined ? [] : ['The dashed line is at the scenario itself.']),
  ].join(' ');
}

/** A chart of all outcomes, or of one metric. @param lines of one kind */
export function linesPicture(
  lines: readonly Line[],
  view: View,
  counts: Counts,
  sides: readonly ShownSide[] = [],
): Picture {
  const [first] = lines;
  const quantity = first?.quantity ?? { kind: 'outcome', name: '' };
  const probability = quantity.kind === 'outcome';
  const title = lines.length > 1 ? 'probability of outcomes' : titleOf(quantity, counts);
  const names = lines.map((line) => headOf(line.quantity));
  const numeric = view.x?.middles !== undefined;
  const points = lines.flatMap((line) => line.tiles.map((tile) => pointOf(line, view, tile)));
  const y = {
    field: 'value',
    type: 'quantitative',
    title: probability ? 'probability (%)' : title,
    scale: { zero: probability },
  };
  const [here] = view.here ?? [];
  const own = here === undefined || points.length === 0 ? [] : [{ x: placeOf(view.x, here) }];
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
        size: points.length <= MARKED * lines.length ? 18 : 9,
        opacity: points.length <= MARKED * lines.length ? 1 : 0,
      },
      encoding: { y, description: { field: 'told', type: 'nominal' } },
    },
  ];
  const legend =
    lines.length > 1 ? { orient: 'bottom', title: null, columns: 3, symbolType: 'circle', symbolOpacity: 1 } : null;
  const spec = {
    ...framed(title, fixedText(view), SINGLE),
    ...fitted(SINGLE, 230),
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
          range: lineColours(
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
    width: SINGLE,
    caption: captionOf(lines, view),
    spec,
  };
}
