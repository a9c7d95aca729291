/** Heat map of the payoffs of two rosters. */

import type { PayoffMatrix } from '../../analysis/index.ts';
import type { AxisClasses } from '../sweep-analysis/axis-classes.ts';
import type { CellTile } from '../sweep-analysis/figure-data.ts';
import { formatGrouped } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { type Figure, truncateToWidth } from './figure.ts';
import { createTileMap } from './heat-map.ts';
import { TEXT } from './theme.ts';

/** Maximum number of armies along an edge. */
const ARMIES_SHOWN = 200;

/** Width of a label, in pixels. */
const LABEL_WIDTH = 240;

/** Quantity whose colors diverge from 0. */
const PAYOFF = { kind: 'metric', name: 'payoff' } as const;

/** Truncates names; if that makes some equal, all begin with their position. */
function createLabels(names: readonly string[]): string[] {
  const labels = names.map((name) => truncateToWidth(sanitizeXmlText(name), LABEL_WIDTH, TEXT));
  if (new Set(labels).size === names.length) return labels;
  return names.map((name, n) => truncateToWidth(`${String(n + 1)} ${sanitizeXmlText(name)}`, LABEL_WIDTH, TEXT));
}

const createClasses = (title: string, labels: readonly string[]): AxisClasses => ({
  axis: title,
  title,
  labels,
  grouped: false,
  of: () => undefined,
});

/** Order of the armies of a heat map, from the top and from the left, and its texts. */
export interface MatchupMapOptions {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Titles of the axes. */
  readonly row: string;
  readonly column: string;
  readonly title: string;
  readonly caption: string;
}

/** Creates the heat map of a payoff matrix; long rosters are cut. */
export function createMatchupMap(matrix: PayoffMatrix, { title, caption, ...order }: MatchupMapOptions): Figure {
  const [rows, columns] = [order.rows.slice(0, ARMIES_SHOWN), order.columns.slice(0, ARMIES_SHOWN)];
  // The first class of the vertical axis is at the bottom.
  const upwards = rows.toReversed();
  const view = {
    scattered: false,
    x: createClasses(order.column, createLabels(columns)),
    y: createClasses(order.row, createLabels(rows).toReversed()),
    fixed: new Map(),
  };
  const [rowOf, columnOf] = [matrix.rows, matrix.columns].map((names) => new Map(names.map((name, n) => [name, n])));
  const tiles = upwards.flatMap((row, y) =>
    columns.map((column, x): CellTile => {
      const cell = (rowOf?.get(row) ?? 0) * matrix.columns.length + (columnOf?.get(column) ?? 0);
      const [value, low, high] = [matrix.values[cell] ?? 0, matrix.lower[cell] ?? 0, matrix.upper[cell] ?? 0];
      const interval = low === high ? {} : { interval: [low, high] as const };
      const reading = { cell, axes: { [order.row]: row, [order.column]: column }, value, ...interval };
      return { x, y, panel: 0, cells: 1, value, reading };
    }),
  );
  const isCut = rows.length < matrix.rows.length || columns.length < matrix.columns.length;
  const omitted = isCut ? ` Only the first ${formatGrouped(ARMIES_SHOWN)} armies are shown.` : '';
  return createTileMap(PAYOFF, view, tiles, {
    title,
    subtitle: '',
    caption: caption + omitted,
    labelLimit: LABEL_WIDTH,
  });
}
