/** Heat maps: a value over two axes. */

import type { TopLevelSpec } from 'vega-lite';
import type { Counts } from '../../rules/index.ts';
import { scaleOf, valueText } from '../figure.ts';
import { roughShare } from '../odds/chances.ts';
import type { ShownSide } from '../sides.ts';
import { type Classes, titledOf } from '../survey/classes.ts';
import type { Tile } from '../survey/gather.ts';
import { headOf, placeText, type Quantity, readingText, titleOf } from '../survey/quantity.ts';
import { fixedText, type View } from '../survey/view.ts';
import { fixed, grouped } from '../text/digits.ts';
import { type Field, hatching, isoline, type Segment } from './contour.ts';
import { textWidth } from './font.ts';
import { framed, lookup, type Picture, type PictureCells } from './picture.ts';
import { type ColourScale, colourScale, isDark, vegaScale } from './scales.ts';
import { DOUBLE, GREY, SINGLE, TEXT, TILE_INK } from './theme.ts';
import { shapesOf } from './tiles.ts';

/** So many classes along an edge leave room for the values within the tiles. */
const LABELLED = 8;

/** More columns than this are too many for one column of a paper. */
const NARROW = 16;

/** Panels side by side, by how many there are. */
const COLUMNS = [1, 1, 2, 3, 2, 3, 3];

/** White between tiles, as a part of theirs. */
const GAP = 0.03;

/** More tiles than this are drawn together; fewer each by itself, with what it says. */
const APART = 2500;

/** The greatest height of a tile, and the least and the greatest of a panel as a part of its width. */
const TALL = 48;
const FLAT = 0.4;
const HIGH = 1.2;

/** More tiles than this along an edge have sizes in half pixels: paths are shorter. */
const FINE = 40;

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

/** The size of one of so many tiles. */
const snapped = (size: number, tiles: number): number =>
  tiles > FINE ? Math.max(0.5, Math.floor(2 * size) / 2) : size;

/** Words: each has a label of its own, where a number lies is read from its neighbors. */
const isCategorical = (classes: Classes | undefined): boolean => classes !== undefined && classes.middles === undefined;

/** The size of a tile whose label has room next to those of its neighbors. */
const LEGIBLE = TEXT + 1;

const widest = (labels: readonly string[]): number => Math.max(0, ...labels.map((label) => textWidth(label, TEXT)));

function layoutOf({ x, y, panels }: View): Layout {
  const [across = 1, down = 1] = [x?.labels.length, y?.labels.length];
  const names = Math.min(LABEL, widest(y?.labels ?? []));
  const isTight = isCategorical(x) && SINGLE - names - AROUND < LEGIBLE * across;
  const width = panels !== undefined || across > NARROW || isTight ? DOUBLE : SINGLE;
  const columns = COLUMNS[panels?.labels.length ?? 1] ?? 3;
  const room = Math.floor((width - names - AROUND - (columns - 1) * SPACING) / columns);
  const wide = snapped(room / across, across);
  // The title of the vertical axis has room beside it.
  const least = Math.max(FLAT * room, 1.1 * textWidth(y?.title ?? '', TEXT));
  const legible = isCategorical(y) ? LEGIBLE : 0;
  const square = Math.max(legible, Math.min(TALL, (HIGH * room) / down, Math.max(wide, least / down)));
  return { width, panel: [wide * across, snapped(square, down) * down], columns };
}

/** Three digits of the greatest value. */
function tileDecimals({ domain: [low, high] }: ColourScale): number {
  return Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), 1))));
}

function panelLabel({ panels }: View, at: number): string {
  return panels === undefined ? '' : `${panels.title} = ${panels.labels[at] ?? ''}`;
}

function tileDatum(quantity: Quantity, view: View, { x, y, panel, cells, value, reading }: Tile, scale: ColourScale) {
  const shown = scaleOf(quantity).times * value;
  const label = (classes: View['x'], at: number): string => classes?.labels[at] ?? '';
  const axes = [view.x, view.y, view.panels].filter((classes) => classes !== undefined);
  const place = [x, y, panel].slice(0, axes.length).map((at, a) => `${axes[a]?.title ?? ''} ${label(axes[a], at)}`);
  const told =
    reading === undefined
      ? `${place.join(', ')}\n${headOf(quantity)}: ${fixed(shown, 2)}${quantity.kind === 'outcome' ? ' %' : ''}, mean of ${grouped(cells)} cells`
      : `${placeText(reading.axes, axes.map(titledOf))}\n${readingText(quantity, reading)}`;
  return {
    x: String(x),
    y: String(y),
    panel: panelLabel(view, panel),
    value: shown,
    text: quantity.kind === 'outcome' ? roughShare(value) : fixed(shown, tileDecimals(scale)),
    ink: isDark(scale, shown) ? 'white' : TILE_INK,
    told,
  };
}

/** The line on a map: even chances, or the zero of a metric that has both signs. */
function levelOf({ kind }: Quantity, tiles: readonly Tile[]): number | undefined {
  const level = kind === 'outcome' ? 0.5 : 0;
  const both = tiles.some(({ value }) => value < level) && tiles.some(({ value }) => value > level);
  return both ? level : undefined;
}

/** The tiles of one panel, by place. */
function fieldOf(tiles: readonly Tile[], panel: number, columns: number): Field {
  const values = new Map(
    tiles.filter((tile) => tile.panel === panel).map(({ x, y, value }) => [y * columns + x, value]),
  );
  return (x, y) => values.get(y * columns + x);
}

/** Numbers have a way from one to the next; words have none. */
const isNumeric = ({ x, y }: View): boolean => x?.middles !== undefined && y?.middles !== undefined;

function isolinesOf(quantity: Quantity, view: View, tiles: readonly Tile[], panel: number): Segment[] {
  const level = levelOf(quantity, tiles);
  const [columns, rows] = [view.x?.labels.length ?? 1, view.y?.labels.length ?? 1];
  if (level === undefined || !isNumeric(view)) return [];
  return isoline(fieldOf(tiles, panel, columns), columns, rows, level);
}

/** Whether some place of the map has no tile. */
function hasHoles({ x, y, panels }: View, tiles: readonly Tile[]): boolean {
  return tiles.length < (x?.labels.length ?? 1) * (y?.labels.length ?? 1) * (panels?.labels.length ?? 1);
}

interface Shown {
  readonly lined: boolean;
  readonly holes: boolean;
}

function captionOf(quantity: Quantity, view: View, tiles: readonly Tile[], { lined, holes }: Shown): string {
  const others = fixedText(view);
  const what = quantity.kind === 'outcome' ? 'probability' : 'mean of the metric';
  const joined = tiles.some(({ cells }) => cells > 1);
  return [
    joined
      ? `There are too many cells to draw: each tile is the mean over neighbouring cells; its colour is the ${what}.`
      : `Each tile is a cell of the sweep; its colour is the ${what}.`,
    ...(lined
      ? [`The line is at ${quantity.kind === 'outcome' ? '50 %' : '0'}, straight between the middles of tiles.`]
      : []),
    ...(others === '' ? [] : [`The slice at ${others} is shown.`]),
    ...(view.here === undefined ? [] : ['The frame is around the scenario itself.']),
    ...(holes ? ['Hatched: no such cell, or not played yet.'] : []),
  ].join(' ');
}

/** Labels of words are all kept: turned where they are wider than their tiles, steeper where those are narrow. */
function labelling(classes: Classes | undefined, upwards: boolean, size: number) {
  if (!isCategorical(classes)) return { labelAngle: 0, labelOverlap: true };
  const labelOverlap = size < TEXT;
  if (upwards || widest(classes?.labels ?? []) < size) return { labelAngle: 0, labelOverlap };
  const labelAngle = size < 2 * TEXT ? -90 : -45;
  return { labelAngle, labelAlign: 'right', labelBaseline: 'middle', labelLimit: LABEL, labelOverlap };
}

/** An edge of the map. Its classes go by number, for labels that are shortened may be alike. */
function edge(
  classes: Classes | undefined,
  upwards: boolean,
  room: number,
  { bare, gap }: { bare: boolean; gap: number },
) {
  const labels = classes?.labels ?? [];
  const places = labels.map((_, l) => String(l));
  const axis = {
    labelExpr: lookup(labels),
    ...labelling(classes, upwards, room / labels.length),
    ticks: labels.length <= FINE,
    titleLimit: room,
  };
  return {
    field: upwards ? 'y' : 'x',
    type: 'ordinal',
    title: classes?.title ?? '',
    scale: { domain: upwards ? places.toReversed() : places, paddingInner: gap },
    axis: bare ? null : axis,
  };
}

/** Segments as one line with breaks. */
function strokes(segments: readonly Segment[]) {
  const points = segments.flatMap(([x1, y1, x2, y2]) => [
    { px: x1, py: y1 },
    { px: x2, py: y2 },
    { px: x2, py: null },
  ]);
  return points.map((point, order) => ({ ...point, order }));
}

/** A layer of lines over the tiles, in steps of them: 0 is the middle of the first. */
function strokeLayer(segments: readonly Segment[], { x, y }: View, mark: Readonly<Record<string, unknown>>) {
  const along = (field: string, classes: Classes | undefined) => ({
    field,
    type: 'quantitative',
    title: null,
    axis: null,
    scale: { domain: [-0.5, (classes?.labels.length ?? 1) - 0.5], nice: false, zero: false },
  });
  return {
    data: { values: strokes(segments) },
    mark: { type: 'line', aria: false, ...mark },
    encoding: { x: along('px', x), y: along('py', y), order: { field: 'order', type: 'quantitative' } },
  };
}

function colourOf(quantity: Quantity, scale: ColourScale, height: number) {
  return {
    field: 'value',
    type: 'quantitative',
    title: quantity.kind === 'outcome' ? '%' : 'mean',
    scale: vegaScale(scale),
    legend: { gradientLength: Math.min(160, height), gradientThickness: 8, tickCount: 5 },
  };
}

/** Tiles each by itself, with their values where there is room. */
function tileLayer({ quantity, view, tiles, layout, scale }: Drawing, at: number, edges: object) {
  const own = tiles.filter((tile) => tile.panel === at).map((tile) => tileDatum(quantity, view, tile, scale));
  const color = colourOf(quantity, scale, layout.panel[1]);
  const rects = { mark: { type: 'rect' }, encoding: { color, description: { field: 'told', type: 'nominal' } } };
  // Tiles and their texts have colours of their own.
  const coloured = hasRoom(view)
    ? { layer: [rects, TEXT_LAYER], resolve: { scale: { color: 'independent' } } }
    : { layer: [rects] };
  return [{ data: { values: own }, encoding: edges, ...coloured }];
}

/** Tiles together as few shapes; a page tells their values where one points at the sheet over them. */
function shapeLayers({ quantity, view, tiles, layout, scale }: Drawing, at: number, edges: object) {
  const [columns, rows] = [view.x?.labels.length ?? 1, view.y?.labels.length ?? 1];
  const [width, height] = layout.panel;
  const values = fieldOf(tiles, at, columns);
  const { times } = scaleOf(quantity);
  const shown: Field = (x, y) => {
    const value = values(x, y);
    return value === undefined ? undefined : times * value;
  };
  const { domain } = scale;
  const shapes = shapesOf(shown, columns, rows, { domain, size: [width / columns, height / rows] });
  const told = [panelLabel(view, at), headOf(quantity)].filter((text) => text !== '').join(': ');
  const whole = { x: { value: 0 }, x2: { value: 'width' }, y: { value: 0 }, y2: { value: 'height' } };
  return [
    {
      data: { values: shapes },
      projection: { type: 'identity', scale: 1, translate: [0, 0] },
      mark: { type: 'geoshape', aria: false, stroke: null },
      encoding: { color: colourOf(quantity, scale, height) },
    },
    { data: { values: [{ x: '0', y: '0' }] }, mark: { type: 'rect', aria: false, opacity: 0 }, encoding: edges },
    {
      data: { values: [{ told }] },
      mark: { type: 'rect', color: TILE_INK, opacity: 0 },
      encoding: { ...whole, description: { field: 'told', type: 'nominal' } },
    },
  ];
}

/** What the sheets over shapes say. */
function cellsOf({ quantity, view, tiles }: Drawing): PictureCells {
  const [columns, rows] = [view.x?.labels.length ?? 1, view.y?.labels.length ?? 1];
  const texts = (view.panels?.labels ?? ['']).map((_, at) => [
    panelLabel(view, at),
    ...Array<string>(columns * rows).fill(''),
  ]);
  const scale = { ...scaleOf(quantity), sign: '' };
  for (const { x, y, panel, value, reading } of tiles) {
    const own = texts[panel];
    if (own !== undefined) own[1 + y * columns + x] = valueText(scale, reading ?? { value });
  }
  const axis = (classes: Classes | undefined): string[] => [classes?.title ?? '', ...(classes?.labels ?? [''])];
  return [[headOf(quantity), scaleOf(quantity).sign], axis(view.x), axis(view.y), ...texts];
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

/** Pixels between the lines of a hatching. */
const HATCH = 6;

/** Hatching behind the tiles: it is seen where there are none. */
function hatchLayer(view: View, [width, height]: Layout['panel']) {
  const [columns, rows] = [view.x?.labels.length ?? 1, view.y?.labels.length ?? 1];
  const place = (at: number, size: number, count: number): number => (at / size) * count - 0.5;
  const lines = hatching(width, height, HATCH).map(
    ([x1, y1, x2, y2]): Segment => [
      place(x1, width, columns),
      place(y1, height, rows),
      place(x2, width, columns),
      place(y2, height, rows),
    ],
  );
  return strokeLayer(lines, view, { color: GREY, strokeWidth: 0.75 });
}

/** A frame around the tile of the scenario itself. */
function hereLayers(view: View) {
  const [x, y] = view.here ?? [];
  if (x === undefined || y === undefined) return [];
  const [left, right, low, high] = [x - 0.5, x + 0.5, y - 0.5, y + 0.5];
  const frame: Segment[] = [
    [left, low, right, low],
    [right, low, right, high],
    [right, high, left, high],
    [left, high, left, low],
  ];
  const halo = strokeLayer(frame, view, { color: '#fff', strokeWidth: 4, strokeCap: 'square' });
  return [halo, strokeLayer(frame, view, { color: TILE_INK, strokeWidth: 2, strokeCap: 'square' })];
}

/** A dark line in a light one, so that it is seen on every colour. */
function lineLayers(segments: readonly Segment[], view: View) {
  if (segments.length === 0) return [];
  const halo = strokeLayer(segments, view, { color: '#fff', strokeWidth: 3, opacity: 0.65, strokeCap: 'round' });
  return [halo, strokeLayer(segments, view, { color: TILE_INK, strokeWidth: 1.25, strokeCap: 'round' })];
}

interface Drawing {
  readonly quantity: Quantity;
  readonly view: View;
  readonly tiles: readonly Tile[];
  readonly layout: Layout;
  readonly scale: ColourScale;
}

/** One panel. Axes are written where no other panel stands below it, or to its left. */
function panelOf(drawing: Drawing, at: number) {
  const { quantity, view, tiles, layout } = drawing;
  const { panel, columns } = layout;
  const [width, height] = panel;
  const count = view.panels?.labels.length ?? 1;
  const holes = hasHoles(view, tiles);
  const gap = holes ? 0 : GAP;
  const edges = {
    x: edge(view.x, false, width, { bare: at + columns < count, gap }),
    y: edge(view.y, true, height, { bare: at % columns > 0, gap }),
  };
  const draw = tiles.length > APART ? shapeLayers : tileLayer;
  return {
    width,
    height,
    ...(view.panels && { title: { text: panelLabel(view, at), ...PANEL_TITLE } }),
    layer: [
      ...(holes ? [hatchLayer(view, panel)] : []),
      ...draw(drawing, at, edges),
      ...lineLayers(isolinesOf(quantity, view, tiles, at), view),
      ...hereLayers(view),
    ],
    resolve: { scale: { x: 'independent', y: 'independent' } },
  };
}

const PANEL_TITLE = { fontSize: TEXT, fontWeight: 'normal', anchor: 'middle', frame: 'group', offset: 4 } as const;

/** The map itself, or one for each panel. */
function bodyOf(drawing: Drawing) {
  const { panels } = drawing.view;
  if (panels === undefined) return panelOf(drawing, 0);
  const concat = panels.labels.map((_, at) => panelOf(drawing, at));
  return { concat, columns: drawing.layout.columns, spacing: SPACING, resolve: { scale: { color: 'shared' } } };
}

/** A heat map, with small multiples if the view has panels. @param tiles of this quantity */
export function mapPicture(
  quantity: Quantity,
  view: View,
  tiles: readonly Tile[],
  counts: Counts,
  sides: readonly ShownSide[] = [],
): Picture {
  const layout = layoutOf(view);
  const scale = colourScale(
    quantity,
    tiles.map(({ value }) => value),
    sides,
  );
  const drawing = { quantity, view, tiles, layout, scale };
  const spec = {
    ...framed(titleOf(quantity, counts), fixedText(view), layout.width),
    ...bodyOf(drawing),
  } as unknown as TopLevelSpec;
  const lined = (view.panels?.labels ?? ['']).some((_, at) => isolinesOf(quantity, view, tiles, at).length > 0);
  const caption = captionOf(quantity, view, tiles, { lined, holes: hasHoles(view, tiles) });
  const cells = tiles.length > APART ? { cells: cellsOf(drawing) } : {};
  return { kind: 'map', of: quantity.name, width: layout.width, caption, spec, ...cells };
}
