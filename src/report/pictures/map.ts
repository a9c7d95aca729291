/** Heat maps: a value over two axes. */
import type { TopLevelSpec } from 'vega-lite';
import { cleanText } from '../clean.ts';
import { fixed, grouped } from '../digits.ts';
import type { Tile } from '../survey/gather.ts';
import { axisText, placeText, type Quantity, readingText, scaleOf, titleOf } from '../survey/quantity.ts';
import type { View } from '../survey/view.ts';
import { framed, type Picture } from './picture.ts';
import { type ColourScale, colourScale, isDark } from './scales.ts';
import { DOUBLE, INK, SINGLE, TEXT } from './theme.ts';

/** So many classes along an edge leave room for the values within the tiles. */
const LABELLED = 8;

/** More columns than this are too many for one column of a paper. */
const NARROW = 16;

/** Panels side by side, by how many there are. */
const COLUMNS = [1, 1, 2, 3, 2, 3, 3];

/** White between tiles, as a part of theirs. */
const GAP = 0.03;

interface Layout {
  readonly width: number;
  /** Room of one panel's tiles. */
  readonly panel: readonly [width: number, height: number];
  readonly columns: number;
}

function layoutOf({ x, y, panels }: View): Layout {
  const [across = 1, down = 1] = [x?.labels.length, y?.labels.length];
  const width = panels !== undefined || across > NARROW ? DOUBLE : SINGLE;
  const columns = COLUMNS[panels?.labels.length ?? 1] ?? 3;
  // What axes, legend and gaps take.
  const room = Math.floor((width - 120 - (columns - 1) * 14) / columns);
  const tile = Math.min(room / across, 36);
  const height = Math.min(Math.max(tile * down, 60), panels === undefined ? width : 200);
  return { width, panel: [Math.floor(Math.min(room, 36 * across)), Math.floor(height)], columns };
}

/** The values at which other axes stand, or nothing. */
export function fixedText({ fixed: others }: View): string {
  return [...others].map(([name, value]) => `${cleanText(name)} = ${axisText(value)}`).join(', ');
}

/** Three digits of the greatest value. */
function tileDecimals({ domain: [low, high] }: ColourScale): number {
  return Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), 1))));
}

function panelLabel({ panels }: View, at: number): string {
  return panels === undefined ? '' : `${cleanText(panels.axis)} = ${panels.labels[at] ?? ''}`;
}

function tileDatum(quantity: Quantity, view: View, { x, y, panel, cells, value, reading }: Tile, scale: ColourScale) {
  const shown = scaleOf(quantity) * value;
  const label = (classes: View['x'], at: number): string => classes?.labels[at] ?? '';
  const axes = [view.x, view.y, view.panels].filter((classes) => classes !== undefined);
  const place = [x, y, panel]
    .slice(0, axes.length)
    .map((at, a) => `${cleanText(axes[a]?.axis ?? '')} ${label(axes[a], at)}`);
  const told =
    reading === undefined
      ? `${place.join(', ')}\nmean of ${grouped(cells)} cells: ${fixed(shown, 2)}`
      : `${placeText(
          reading.axes,
          axes.map(({ axis }) => axis),
        )}\n${readingText(quantity, reading)}`;
  return {
    x: label(view.x, x),
    y: label(view.y, y),
    panel: panelLabel(view, panel),
    value: shown,
    text: fixed(shown, quantity.kind === 'outcome' ? 0 : tileDecimals(scale)),
    ink: isDark(scale, shown) ? 'white' : INK,
    told,
  };
}

function captionOf(quantity: Quantity, view: View, tiles: readonly Tile[]): string {
  const others = fixedText(view);
  const parts = [
    `Each tile is a cell of the sweep; its colour is the ${quantity.kind === 'outcome' ? 'share of the outcome' : 'mean of the metric'}.`,
  ];
  if (tiles.some(({ cells }) => cells > 1))
    parts.push('There are too many cells to draw: tiles are means over neighbouring cells.');
  if (others !== '') parts.push(`The slice at ${others} is shown.`);
  parts.push('White: no such cell, or not played yet.');
  return parts.join(' ');
}

/** A heat map, with small multiples if the view has panels. @param tiles of this quantity */
export function mapPicture(quantity: Quantity, view: View, tiles: readonly Tile[], system: string): Picture {
  const { width, panel, columns } = layoutOf(view);
  const scale = colourScale(
    quantity,
    tiles.map(({ value }) => value),
  );
  const title = titleOf(quantity, system);
  const [acrossAxis, downAxis] = [view.x?.labels ?? [], view.y?.labels ?? []];
  const edge = (classes: View['x']) => ({
    type: 'ordinal' as const,
    title: cleanText(classes?.axis ?? ''),
    sort: null,
    scale: { domain: [...(classes?.labels ?? [])], paddingInner: GAP },
  });
  const position = {
    x: { ...edge(view.x), field: 'x', axis: { labelAngle: 0, labelOverlap: true } },
    y: {
      ...edge(view.y),
      field: 'y',
      sort: 'descending' as const,
      scale: { domain: downAxis.toReversed(), paddingInner: GAP },
      axis: { labelOverlap: true },
    },
  };
  const tileLayer = {
    mark: { type: 'rect' as const },
    encoding: {
      color: {
        field: 'value',
        type: 'quantitative' as const,
        title: quantity.kind === 'outcome' ? '%' : 'mean',
        scale: {
          scheme: scale.scheme,
          domain: [...scale.domain],
          ...(scale.middle !== undefined && { domainMid: scale.middle }),
        },
        legend: { gradientLength: Math.min(160, panel[1]), gradientThickness: 8, tickCount: 5 },
      },
      description: { field: 'told', type: 'nominal' as const },
    },
  };
  const labelled = acrossAxis.length <= LABELLED && downAxis.length <= LABELLED && columns === 1;
  const textLayer = {
    mark: { type: 'text' as const, fontSize: TEXT, aria: false },
    encoding: {
      text: { field: 'text', type: 'nominal' as const },
      color: { field: 'ink', type: 'nominal' as const, scale: null, legend: null },
    },
  };
  const unit = {
    width: panel[0],
    height: panel[1],
    encoding: position,
    layer: labelled ? [tileLayer, textLayer] : [tileLayer],
  };
  const spec = {
    ...framed(title, fixedText(view), width),
    data: { values: tiles.map((tile) => tileDatum(quantity, view, tile, scale)) },
    resolve: { scale: { color: 'independent' as const } },
    ...(view.panels === undefined
      ? unit
      : {
          facet: {
            field: 'panel',
            type: 'nominal' as const,
            title: null,
            header: { labelPadding: 4 },
            sort: view.panels.labels.map((_, at) => panelLabel(view, at)),
          },
          columns,
          spacing: 14,
          spec: unit,
          resolve: { scale: { color: 'shared' as const } },
        }),
  } as TopLevelSpec;
  return { kind: 'map', of: quantity.name, width, caption: captionOf(quantity, view, tiles), spec };
}
