/** Heat map of the settings of a balance problem with two fields. */

import { type BalanceSolution, getFieldValue, type ProblemField } from '../../analysis/index.ts';
import type { AxisClasses } from '../sweep-analysis/axis-classes.ts';
import type { CellTile } from '../sweep-analysis/figure-data.ts';
import { formatNumber } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import type { Figure } from './figure.ts';
import { createTileMap } from './heat-map.ts';

/** Maximum number of values along an edge. */
const VALUES_MAX = 200;

const QUANTITY = { kind: 'metric', name: 'greatest miss' } as const;

function createClasses(field: ProblemField): AxisClasses {
  const title = sanitizeXmlText(field.name);
  const middles = Array.from({ length: field.count }, (_, k) => getFieldValue(field, k));
  return { axis: field.name, title, labels: middles.map(formatNumber), middles, grouped: false, of: () => undefined };
}

/** Creates the heat map of the greatest misses; undefined if not all settings of two fields were evaluated. */
export function createSettingMap({ problem, grid, current }: BalanceSolution): Figure | undefined {
  const [x, y] = problem.fields.map(createClasses);
  if (grid === undefined || x === undefined || y === undefined) return undefined;
  if (Math.max(x.labels.length, y.labels.length) > VALUES_MAX) return undefined;
  const tiles = grid.misses.flatMap((column, i) =>
    column.flatMap((value, j): CellTile[] => {
      if (value === undefined) return [];
      const axes = { [x.axis]: x.middles?.[i] ?? 0, [y.axis]: y.middles?.[j] ?? 0 };
      const cell = i * column.length + j;
      return [{ x: i, y: j, panel: 0, cells: 1, value, reading: { cell, axes, value } }];
    }),
  );
  const at = [x, y].map(({ middles = [] }, f) => middles.indexOf(current.values[f] ?? Number.NaN));
  const [column = -1, row = -1] = at;
  const isShown = column >= 0 && row >= 0;
  const view = {
    scattered: false,
    ...{ x, y, fixed: new Map() },
    ...(isShown && { currentCell: [column, row] as const }),
  };
  const frame = isShown ? ' The frame marks the current setting.' : '';
  return createTileMap(QUANTITY, view, tiles, {
    title: 'greatest miss of a target',
    subtitle: '',
    legend: 'miss',
    caption: `Greatest miss of a target in units of its tolerance, by setting; 0 if all targets are met.${frame}`,
  });
}
