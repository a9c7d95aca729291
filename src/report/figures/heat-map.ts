/** Heat maps of a value over two axes. */

import type { TopLevelSpec } from 'vega-lite';
import type { MetricLabels } from '../../rules/index.ts';
import { formatRoughShare } from '../odds/probability-text.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatValue, getScale } from '../sheet/estimated-value.ts';
import { type AxisClasses, toAxisTitle } from '../sweep-analysis/axis-classes.ts';
import type { CellTile } from '../sweep-analysis/figure-data.ts';
import {
  formatCellPlace,
  formatQuantityHeading,
  formatQuantityTitle,
  formatReading,
  type SweepQuantity,
} from '../sweep-analysis/quantity.ts';
import { formatFixedValues, type SweepView } from '../sweep-analysis/view.ts';
import { formatFixed, formatGrouped } from '../text/number-format.ts';
import { type ColorScale, createColorScale, isDark, toVegaScale } from './color-scale.ts';
import { createHatching, type GridField, type LineSegment, traceIsoline } from './contour.ts';
import { createFrame, createLabelExpression, type Figure, type FigureCells } from './figure.ts';
import { measureTextWidth } from './font.ts';
import { DOUBLE_COLUMN, GREY, SINGLE_COLUMN, TEXT, TILE_INK } from './theme.ts';
import { createTileShapes } from './tile-shapes.ts';

/** Maximum number of classes per axis with values in the tiles. */
const MAX_LABELED = 8;

/** More columns need a figure of two columns. */
const MAX_NARROW_COLUMNS = 16;

/** Number of panels per row. */
const COLUMNS = [1, 1, 2, 3, 2, 3, 3];

/** Gap between tiles, as a fraction of their size. */
const TILE_GAP = 0.03;

/** More tiles are drawn as combined shapes; fewer as single marks with labels. */
const MAX_SEPARATE_TILES = 2500;

/** Maximum height of a tile in pixels; minimum and maximum height of a panel, as a fraction of its width. */
const MAX_TILE_HEIGHT = 48;
const MIN_PANEL_RATIO = 0.4;
const MAX_PANEL_RATIO = 1.2;

/** More tiles along an edge have sizes in half pixels. */
const MAX_COARSE_TILES = 40;

/** Maximum width of a label, sizes of title and legend, and gap between panels, in pixels. */
const MAX_LABEL_WIDTH = 130;
const MARGIN_HEIGHT = 84;
const PANEL_SPACING = 14;

interface HeatMapLayout {
  readonly width: number;
  /** Size of the tiles of one panel. */
  readonly panel: readonly [width: number, height: number];
  readonly columns: number;
  /** Maximum width of a label. */
  readonly labelLimit: number;
}

/** Rounds the size of a tile, which makes paths shorter. */
const snapSize = (size: number, tiles: number): number =>
  tiles > MAX_COARSE_TILES ? Math.max(0.5, Math.floor(2 * size) / 2) : size;

/** True if all labels are needed, because they are words that cannot be interpolated. */
const isCategorical = (classes: AxisClasses | undefined): boolean =>
  classes !== undefined && classes.middles === undefined;

/** Size of a tile whose label does not overlap its neighbors. */
const MIN_LEGIBLE_SIZE = TEXT + 1;

const measureWidest = (labels: readonly string[]): number =>
  Math.max(0, ...labels.map((label) => measureTextWidth(label, TEXT)));

function computeLayout({ x, y, panels }: SweepView, labelLimit: number): HeatMapLayout {
  const [across = 1, down = 1] = [x?.labels.length, y?.labels.length];
  const names = Math.min(labelLimit, measureWidest(y?.labels ?? []));
  const isTight = isCategorical(x) && SINGLE_COLUMN - names - MARGIN_HEIGHT < MIN_LEGIBLE_SIZE * across;
  const width = panels !== undefined || across > MAX_NARROW_COLUMNS || isTight ? DOUBLE_COLUMN : SINGLE_COLUMN;
  const columns = COLUMNS[panels?.labels.length ?? 1] ?? 3;
  const room = Math.floor((width - names - MARGIN_HEIGHT - (columns - 1) * PANEL_SPACING) / columns);
  const wide = snapSize(room / across, across);
  // The title of the vertical axis is next to it.
  const least = Math.max(MIN_PANEL_RATIO * room, 1.1 * measureTextWidth(y?.title ?? '', TEXT));
  const legible = isCategorical(y) ? MIN_LEGIBLE_SIZE : 0;
  const square = Math.max(
    legible,
    Math.min(MAX_TILE_HEIGHT, (MAX_PANEL_RATIO * room) / down, Math.max(wide, least / down)),
  );
  return { width, panel: [wide * across, snapSize(square, down) * down], columns, labelLimit };
}

/** Decimals that show three digits of the largest value. */
function countTileDecimals({ domain: [low, high] }: ColorScale): number {
  return Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), 1))));
}

function formatPanelLabel({ panels }: SweepView, at: number): string {
  return panels === undefined ? '' : `${panels.title} = ${panels.labels[at] ?? ''}`;
}

function createTileDatum(
  quantity: SweepQuantity,
  view: SweepView,
  { x, y, panel, cells, value, reading }: CellTile,
  scale: ColorScale,
) {
  const shown = getScale(quantity).times * value;
  const label = (classes: SweepView['x'], at: number): string => classes?.labels[at] ?? '';
  const axes = [view.x, view.y, view.panels].filter((classes) => classes !== undefined);
  const place = [x, y, panel].slice(0, axes.length).map((at, a) => `${axes[a]?.title ?? ''} ${label(axes[a], at)}`);
  const tooltip =
    reading === undefined
      ? `${place.join(', ')}\n${formatQuantityHeading(quantity)}: ${formatFixed(shown, 2)}${quantity.kind === 'outcome' ? ' %' : ''}, mean of ${formatGrouped(cells)} cells`
      : `${formatCellPlace(reading.axes, axes.map(toAxisTitle))}\n${formatReading(quantity, reading)}`;
  return {
    x: String(x),
    y: String(y),
    panel: formatPanelLabel(view, panel),
    value: shown,
    text: quantity.kind === 'outcome' ? formatRoughShare(value) : formatFixed(shown, countTileDecimals(scale)),
    ink: isDark(scale, shown) ? 'white' : TILE_INK,
    tooltip,
  };
}

/** Level of the line on a heat map: 50 %, or the zero of a metric that has both signs. */
function getIsolineLevel({ kind }: SweepQuantity, tiles: readonly CellTile[]): number | undefined {
  const level = kind === 'outcome' ? 0.5 : 0;
  const both = tiles.some(({ value }) => value < level) && tiles.some(({ value }) => value > level);
  return both ? level : undefined;
}

/** Tiles of one panel, by position. */
function createGridField(tiles: readonly CellTile[], panel: number, columns: number): GridField {
  const values = new Map(
    tiles.filter((tile) => tile.panel === panel).map(({ x, y, value }) => [y * columns + x, value]),
  );
  return (x, y) => values.get(y * columns + x);
}

/** True if values between neighbors can be interpolated: numbers, but not words. */
const isNumeric = ({ x, y }: SweepView): boolean => x?.middles !== undefined && y?.middles !== undefined;

function createIsolines(
  quantity: SweepQuantity,
  view: SweepView,
  tiles: readonly CellTile[],
  panel: number,
): LineSegment[] {
  const level = getIsolineLevel(quantity, tiles);
  const [columns, rows] = [view.x?.labels.length ?? 1, view.y?.labels.length ?? 1];
  if (level === undefined || !isNumeric(view)) return [];
  return traceIsoline(createGridField(tiles, panel, columns), columns, rows, level);
}

/** True if a position of the heat map has no tile. */
function hasHoles({ x, y, panels }: SweepView, tiles: readonly CellTile[]): boolean {
  return tiles.length < (x?.labels.length ?? 1) * (y?.labels.length ?? 1) * (panels?.labels.length ?? 1);
}

interface HeatMapFeatures {
  readonly hasIsolines: boolean;
  readonly hasHoles: boolean;
}

function createCaption(
  quantity: SweepQuantity,
  view: SweepView,
  tiles: readonly CellTile[],
  { hasIsolines, hasHoles: holes }: HeatMapFeatures,
): string {
  const others = formatFixedValues(view);
  const what = quantity.kind === 'outcome' ? 'probability' : 'mean of the metric';
  const joined = tiles.some(({ cells }) => cells > 1);
  return [
    joined
      ? `There are too many cells to draw: each tile is the mean over neighboring cells; its color is the ${what}.`
      : `Each tile is a cell of the sweep; its color is the ${what}.`,
    ...(hasIsolines
      ? [`The line is at ${quantity.kind === 'outcome' ? '50 %' : '0'}, linearly interpolated between tiles.`]
      : []),
    ...(others === '' ? [] : [`The slice at ${others} is shown.`]),
    ...(view.currentCell === undefined ? [] : ['The frame marks the unchanged scenario.']),
    ...(holes ? ['Hatched: no cell, or not yet simulated.'] : []),
  ].join(' ');
}

/** Labels that are words are all shown: rotated if wider than their tiles, and more for narrow tiles. */
function createLabelConfig(classes: AxisClasses | undefined, upwards: boolean, size: number, labelLimit: number) {
  if (!isCategorical(classes)) return { labelAngle: 0, labelOverlap: true };
  const labelOverlap = size < TEXT;
  if (upwards || measureWidest(classes?.labels ?? []) < size) return { labelAngle: 0, labelOverlap, labelLimit };
  const labelAngle = size < 2 * TEXT ? -90 : -45;
  return { labelAngle, labelAlign: 'right', labelBaseline: 'middle', labelLimit, labelOverlap };
}

/** Creates an axis. Its classes have numbers as keys, because truncated labels may be equal. */
function createEdge(
  classes: AxisClasses | undefined,
  upwards: boolean,
  room: number,
  { bare, gap, labelLimit }: { bare: boolean; gap: number; labelLimit: number },
) {
  const labels = classes?.labels ?? [];
  const places = labels.map((_, l) => String(l));
  const axis = {
    labelExpr: createLabelExpression(labels),
    ...createLabelConfig(classes, upwards, room / labels.length, labelLimit),
    ticks: labels.length <= MAX_COARSE_TILES,
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

/** Converts segments to one line with breaks. */
function createStrokes(segments: readonly LineSegment[]) {
  const points = segments.flatMap(([x1, y1, x2, y2]) => [
    { px: x1, py: y1 },
    { px: x2, py: y2 },
    { px: x2, py: null },
  ]);
  return points.map((point, order) => ({ ...point, order }));
}

/** Creates a layer of lines over the tiles, in units of tiles from the center of the first one. */
function createStrokeLayer(
  segments: readonly LineSegment[],
  { x, y }: SweepView,
  mark: Readonly<Record<string, unknown>>,
) {
  const listPositions = (field: string, classes: AxisClasses | undefined) => ({
    field,
    type: 'quantitative',
    title: null,
    axis: null,
    scale: { domain: [-0.5, (classes?.labels.length ?? 1) - 0.5], nice: false, zero: false },
  });
  return {
    data: { values: createStrokes(segments) },
    mark: { type: 'line', aria: false, ...mark },
    encoding: { x: listPositions('px', x), y: listPositions('py', y), order: { field: 'order', type: 'quantitative' } },
  };
}

function createColorEncoding({
  quantity,
  scale,
  layout: {
    panel: [, height],
  },
  legend,
}: HeatMapDrawing) {
  return {
    field: 'value',
    type: 'quantitative',
    title: legend ?? (quantity.kind === 'outcome' ? '%' : 'mean'),
    scale: toVegaScale(scale),
    legend: { gradientLength: Math.min(160, height), gradientThickness: 8, tickCount: 5 },
  };
}

/** Creates single tiles, with values if there is space. */
function createTileLayer(drawing: HeatMapDrawing, at: number, edges: object) {
  const { quantity, view, tiles, scale } = drawing;
  const own = tiles.filter((tile) => tile.panel === at).map((tile) => createTileDatum(quantity, view, tile, scale));
  const color = createColorEncoding(drawing);
  const rects = { mark: { type: 'rect' }, encoding: { color, description: { field: 'tooltip', type: 'nominal' } } };
  // Tiles and their texts have fixed colors.
  const coloured = hasRoom(view)
    ? { layer: [rects, TEXT_LAYER], resolve: { scale: { color: 'independent' } } }
    : { layer: [rects] };
  return [{ data: { values: own }, encoding: edges, ...coloured }];
}

/** Creates combined tiles as a few shapes. HTML reports show their values at the pointer. */
function createShapeLayers(drawing: HeatMapDrawing, at: number, edges: object) {
  const { quantity, view, tiles, layout, scale } = drawing;
  const [columns, rows] = [view.x?.labels.length ?? 1, view.y?.labels.length ?? 1];
  const [width, height] = layout.panel;
  const values = createGridField(tiles, at, columns);
  const { times } = getScale(quantity);
  const isShown: GridField = (x, y) => {
    const value = values(x, y);
    return value === undefined ? undefined : times * value;
  };
  const { domain } = scale;
  const shapes = createTileShapes(isShown, columns, rows, { domain, size: [width / columns, height / rows] });
  const tooltip = [formatPanelLabel(view, at), formatQuantityHeading(quantity)]
    .filter((text) => text !== '')
    .join(': ');
  const whole = { x: { value: 0 }, x2: { value: 'width' }, y: { value: 0 }, y2: { value: 'height' } };
  return [
    {
      data: { values: shapes },
      projection: { type: 'identity', scale: 1, translate: [0, 0] },
      mark: { type: 'geoshape', aria: false, stroke: null },
      encoding: { color: createColorEncoding(drawing) },
    },
    { data: { values: [{ x: '0', y: '0' }] }, mark: { type: 'rect', aria: false, opacity: 0 }, encoding: edges },
    {
      data: { values: [{ tooltip }] },
      mark: { type: 'rect', color: TILE_INK, opacity: 0 },
      encoding: { ...whole, description: { field: 'tooltip', type: 'nominal' } },
    },
  ];
}

/** Creates the labels of combined tiles. */
function createTooltipCells({ quantity, view, tiles }: HeatMapDrawing): FigureCells {
  const [columns, rows] = [view.x?.labels.length ?? 1, view.y?.labels.length ?? 1];
  const texts = (view.panels?.labels ?? ['']).map((_, at) => [
    formatPanelLabel(view, at),
    ...Array<string>(columns * rows).fill(''),
  ]);
  const scale = { ...getScale(quantity), sign: '' };
  for (const { x, y, panel, value, reading } of tiles) {
    const own = texts[panel];
    if (own !== undefined) own[1 + y * columns + x] = formatValue(scale, reading ?? { value });
  }
  const drawAxis = (classes: AxisClasses | undefined): string[] => [classes?.title ?? '', ...(classes?.labels ?? [''])];
  return [[formatQuantityHeading(quantity), getScale(quantity).sign], drawAxis(view.x), drawAxis(view.y), ...texts];
}

/** Creates the values in tiles, if there is space. */
const TEXT_LAYER = {
  mark: { type: 'text', fontSize: TEXT, aria: false },
  encoding: {
    text: { field: 'text', type: 'nominal' },
    color: { field: 'ink', type: 'nominal', scale: null, legend: null },
  },
};

function hasRoom({ x, y, panels }: SweepView): boolean {
  return panels === undefined && Math.max(x?.labels.length ?? 0, y?.labels.length ?? 0) <= MAX_LABELED;
}

/** Distance of hatching lines, in pixels. */
const HATCH_SPACING = 6;

/** Creates the hatching behind the tiles, which is visible where tiles are missing. */
function createHatchLayer(view: SweepView, [width, height]: HeatMapLayout['panel']) {
  const [columns, rows] = [view.x?.labels.length ?? 1, view.y?.labels.length ?? 1];
  const place = (at: number, size: number, count: number): number => (at / size) * count - 0.5;
  const lines = createHatching(width, height, HATCH_SPACING).map(
    ([x1, y1, x2, y2]): LineSegment => [
      place(x1, width, columns),
      place(y1, height, rows),
      place(x2, width, columns),
      place(y2, height, rows),
    ],
  );
  return createStrokeLayer(lines, view, { color: GREY, strokeWidth: 0.75 });
}

/** Creates the frame around the tile of the unchanged scenario. */
function createCurrentCellLayers(view: SweepView) {
  const [x, y] = view.currentCell ?? [];
  if (x === undefined || y === undefined) return [];
  const [left, right, low, high] = [x - 0.5, x + 0.5, y - 0.5, y + 0.5];
  const frame: LineSegment[] = [
    [left, low, right, low],
    [right, low, right, high],
    [right, high, left, high],
    [left, high, left, low],
  ];
  const halo = createStrokeLayer(frame, view, { color: '#fff', strokeWidth: 4, strokeCap: 'square' });
  return [halo, createStrokeLayer(frame, view, { color: TILE_INK, strokeWidth: 2, strokeCap: 'square' })];
}

/** Creates a dark line with a light border, which is visible on every color. */
function createIsolineLayers(segments: readonly LineSegment[], view: SweepView) {
  if (segments.length === 0) return [];
  const halo = createStrokeLayer(segments, view, { color: '#fff', strokeWidth: 3, opacity: 0.65, strokeCap: 'round' });
  return [halo, createStrokeLayer(segments, view, { color: TILE_INK, strokeWidth: 1.25, strokeCap: 'round' })];
}

interface HeatMapDrawing {
  readonly quantity: SweepQuantity;
  readonly view: SweepView;
  readonly tiles: readonly CellTile[];
  readonly layout: HeatMapLayout;
  readonly scale: ColorScale;
  /** Title of the legend; default: by the kind of the quantity. */
  readonly legend?: string | undefined;
}

/** Creates one panel. It has axis labels if there is no other panel below or to the left. */
function createPanel(drawing: HeatMapDrawing, at: number) {
  const { quantity, view, tiles, layout } = drawing;
  const { panel, columns, labelLimit } = layout;
  const [width, height] = panel;
  const count = view.panels?.labels.length ?? 1;
  const holes = hasHoles(view, tiles);
  const gap = holes ? 0 : TILE_GAP;
  const edges = {
    x: createEdge(view.x, false, width, { bare: at + columns < count, gap, labelLimit }),
    y: createEdge(view.y, true, height, { bare: at % columns > 0, gap, labelLimit }),
  };
  const draw = tiles.length > MAX_SEPARATE_TILES ? createShapeLayers : createTileLayer;
  return {
    width,
    height,
    ...(view.panels && { title: { text: formatPanelLabel(view, at), ...PANEL_TITLE } }),
    layer: [
      ...(holes ? [createHatchLayer(view, panel)] : []),
      ...draw(drawing, at, edges),
      ...createIsolineLayers(createIsolines(quantity, view, tiles, at), view),
      ...createCurrentCellLayers(view),
    ],
    resolve: { scale: { x: 'independent', y: 'independent' } },
  };
}

const PANEL_TITLE = { fontSize: TEXT, fontWeight: 'normal', anchor: 'middle', frame: 'group', offset: 4 } as const;

/** Creates the heat map, or one for each panel. */
function createBody(drawing: HeatMapDrawing) {
  const { panels } = drawing.view;
  if (panels === undefined) return createPanel(drawing, 0);
  const concat = panels.labels.map((_, at) => createPanel(drawing, at));
  return { concat, columns: drawing.layout.columns, spacing: PANEL_SPACING, resolve: { scale: { color: 'shared' } } };
}

/** Texts of a heat map. */
export interface HeatMapTexts {
  readonly title: string;
  readonly subtitle: string;
  readonly caption: string;
  /** Maximum width of a label, in pixels; 130 by default. */
  readonly labelLimit?: number;
  /** Title of the legend; default: by the kind of the quantity. */
  readonly legend?: string;
}

/** Creates a heat map of any values, in the colors of their quantity. @param tiles tiles of `quantity` */
export function createTileMap(
  quantity: SweepQuantity,
  view: SweepView,
  tiles: readonly CellTile[],
  { title, subtitle, caption, labelLimit = MAX_LABEL_WIDTH, legend }: HeatMapTexts,
  sides: readonly ScenarioSide[] = [],
): Figure {
  const layout = computeLayout(view, labelLimit);
  const scale = createColorScale(
    quantity,
    tiles.map(({ value }) => value),
    sides,
  );
  const drawing = { quantity, view, tiles, layout, scale, legend };
  const spec = {
    ...createFrame(title, subtitle, layout.width),
    ...createBody(drawing),
  } as unknown as TopLevelSpec;
  const cells = tiles.length > MAX_SEPARATE_TILES ? { cells: createTooltipCells(drawing) } : {};
  return { kind: 'map', of: quantity.name, width: layout.width, caption, spec, ...cells };
}

/** Creates a heat map, with small multiples if the view has panels. @param tiles tiles of `quantity` */
export function createHeatMap(
  quantity: SweepQuantity,
  view: SweepView,
  tiles: readonly CellTile[],
  counts: MetricLabels,
  sides: readonly ScenarioSide[] = [],
): Figure {
  const lined = (view.panels?.labels ?? ['']).some((_, at) => createIsolines(quantity, view, tiles, at).length > 0);
  const texts = {
    title: formatQuantityTitle(quantity, counts),
    subtitle: formatFixedValues(view),
    caption: createCaption(quantity, view, tiles, { hasIsolines: lined, hasHoles: hasHoles(view, tiles) }),
  };
  return createTileMap(quantity, view, tiles, texts, sides);
}
