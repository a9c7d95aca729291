/** Heat maps: a value over two axes. */
import type { TopLevelSpec } from 'vega-lite';
import { cleanText } from '../clean.ts';
import { fixed, grouped } from '../digits.ts';
import type { Classes } from '../survey/classes.ts';
import type { Tile } from '../survey/gather.ts';
import { axisText, placeText, type Quantity, readingText, scaleOf, titleOf } from '../survey/quantity.ts';
import type { View } from '../survey/view.ts';
import { textWidth } from './font.ts';
import { framed, lookup, type Picture } from './picture.ts';
import { type ColourScale, colourScale, isDark } from './scales.ts';
import { DOUBLE, SINGLE, TEXT, TILE_INK } from './theme.ts';

/** So many classes along an edge leave room for the values within the tiles. */
const LABELLED = 8;

/** More columns than this are too many for one column of a paper. */
const NARROW = 16;

/** Panels side by side, by how many there are. */
const COLUMNS = [1, 1, 2, 3, 2, 3, 3];

/** White between tiles, as a part of theirs. */
const GAP = 0.03;

/** The most room of a label, that of title and legend, and that between panels. */
const LABEL = 130;
const AROUND = 84;
const SPACING = 14;

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
  const names = Math.min(LABEL, Math.max(0, ...(y?.labels ?? []).map((label) => textWidth(label, TEXT))));
  const room = Math.floor((width - names - AROUND - (columns - 1) * SPACING) / columns);
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
    x: String(x),
    y: String(y),
    panel: panelLabel(view, panel),
    value: shown,
    text: fixed(shown, quantity.kind === 'outcome' ? 0 : tileDecimals(scale)),
    ink: isDark(scale, shown) ? 'white' : TILE_INK,
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

/** An edge of the map. Its classes go by number, for labels that are shortened may be alike. */
function edge(classes: Classes | undefined, upwards: boolean, room: number) {
  const labels = classes?.labels ?? [];
  const places = labels.map((_, l) => String(l));
  return {
    field: upwards ? 'y' : 'x',
    type: 'ordinal',
    title: cleanText(classes?.axis ?? ''),
    scale: { domain: upwards ? places.toReversed() : places, paddingInner: GAP },
    axis: { labelExpr: lookup(labels), labelAngle: 0, labelOverlap: true, titleLimit: room },
  };
}

function tileLayer(quantity: Quantity, { scheme, domain, middle }: ColourScale, height: number) {
  const color = {
    field: 'value',
    type: 'quantitative',
    title: quantity.kind === 'outcome' ? '%' : 'mean',
    scale: { scheme, domain: [...domain], ...(middle !== undefined && { domainMid: middle }) },
    legend: { gradientLength: Math.min(160, height), gradientThickness: 8, tickCount: 5 },
  };
  return { mark: { type: 'rect' }, encoding: { color, description: { field: 'told', type: 'nominal' } } };
}

/** The values, where tiles have room for them. */
const TEXT_LAYER = {
  mark: { type: 'text', fontSize: TEXT, aria: false },
  encoding: {
    text: { field: 'text', type: 'nominal' },
    color: { field: 'ink', type: 'nominal', scale: null, legend: null },
  },
};

function hasRoom({ x, y, panels }: View): boolean {
  return panels === undefined && Math.max(x?.labels.length ?? 0, y?.labels.length ?? 0) <= LABELLED;
}

/** The map itself, or one for each panel. */
function bodyOf(view: View, { panel, columns }: Layout, quantity: Quantity, scale: ColourScale) {
  const [width, height] = panel;
  const encoding = { x: edge(view.x, false, width), y: edge(view.y, true, height) };
  const layer = [tileLayer(quantity, scale, height), ...(hasRoom(view) ? [TEXT_LAYER] : [])];
  const map = { width, height, encoding, layer };
  // Tiles and their texts have colours of their own.
  if (view.panels === undefined) return { ...map, resolve: { scale: { color: 'independent' } } };
  const sort = view.panels.labels.map((_, at) => panelLabel(view, at));
  const facet = { field: 'panel', type: 'nominal', title: null, header: { labelPadding: 4 }, sort };
  return { facet, columns, spacing: SPACING, spec: map, resolve: { scale: { color: 'shared' } } };
}

/** A heat map, with small multiples if the view has panels. @param tiles of this quantity */
export function mapPicture(quantity: Quantity, view: View, tiles: readonly Tile[], system: string): Picture {
  const layout = layoutOf(view);
  const values = tiles.map(({ value }) => value);
  const scale = colourScale(quantity, values);
  const spec = {
    ...framed(titleOf(quantity, system), fixedText(view), layout.width),
    data: { values: tiles.map((tile) => tileDatum(quantity, view, tile, scale)) },
    ...bodyOf(view, layout, quantity, scale),
  } as unknown as TopLevelSpec;
  return { kind: 'map', of: quantity.name, width: layout.width, caption: captionOf(quantity, view, tiles), spec };
}
