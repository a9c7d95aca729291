/** Heat map of the payoffs of two rosters. */

import { isSameRoster, type MatchupAnalysis, type PayoffMatrix, symmetrize } from '../../analysis/index.ts';
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
interface MatchupMapOptions {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Titles of the axes. */
  readonly row: string;
  readonly column: string;
  readonly title: string;
  readonly caption: string;
}

/** Creates the heat map of a payoff matrix; long rosters are cut. */
function createMatchupMap(matrix: PayoffMatrix, { title, caption, ...order }: MatchupMapOptions): Figure {
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

/** Titles of the axes of the matrix, and its caption. */
const ROLES = { row: 'attacker', column: 'defender', title: 'payoff of the attacker' };
const ROLE_CAPTION = 'Payoff of the attacker (row) against the defender (column).';

/** Creates the heat map of the matrix, and for one roster that of the symmetric game before it. */
export function createMatchupMaps(
  matrix: PayoffMatrix,
  { symmetric, attackers, defenders }: MatchupAnalysis,
): Figure[] {
  const getNames = (ranking: MatchupAnalysis['attackers']['ranking']): string[] => ranking.map(({ army }) => army);
  if (symmetric === undefined || !isSameRoster(matrix)) {
    const order = { rows: getNames(attackers.ranking), columns: getNames(defenders.ranking) };
    const caption = `${ROLE_CAPTION} Both are sorted by their mean payoff.`;
    return [createMatchupMap(matrix, { ...order, ...ROLES, caption })];
  }
  const order = { rows: symmetric.order, columns: symmetric.order };
  const sorted = 'In cyclic order: each army tends to beat those that follow it.';
  return [
    createMatchupMap(symmetrize(matrix), {
      ...order,
      row: 'army',
      column: 'opponent',
      title: 'payoff if each army attacks in half of the battles',
      caption: `Payoff of the row army against the column army. ${sorted}`,
    }),
    createMatchupMap(matrix, { ...order, ...ROLES, caption: `${ROLE_CAPTION} ${sorted}` }),
  ];
}
