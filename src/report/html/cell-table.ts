/** Table of all cells, up to the size limit of an HTML report. */

import { listCellColumns } from '../../storage/index.ts';
import { findSideTone } from '../scenario/table-tones.ts';
import { formatIntervalOrExact, formatValue, getScale } from '../sheet/estimated-value.ts';
import { formatAxisTitle, formatAxisValue, formatQuantityHeading, getQuantityKey } from '../sweep-analysis/quantity.ts';
import { getStoreSides, type SweepReport } from '../sweep-report/report.ts';
import { formatGrouped } from '../text/number-format.ts';
import { createHtmlTable, type Markup, markup, type TableHeading } from './markup.ts';

/** Number of rows in the HTML; the script of the report shows the others. */
const INLINE_ROWS = 200;

/** Maximum number of characters of the other rows; more would slow down the report. */
const MAX_TEMPLATE_LENGTH = 400_000;

/** Selects the rows that fit into the size limit. */
function countFittingRows(rows: readonly (readonly string[])[]): number {
  let [held, r] = [0, 0];
  for (; r < rows.length && held <= MAX_TEMPLATE_LENGTH; r++)
    held += (rows[r] ?? []).reduce((sum, cell) => sum + cell.length + 1, 0);
  return held <= MAX_TEMPLATE_LENGTH ? r : r - 1;
}

function createRows({ figureData, shown, survey }: SweepReport): string[][] {
  return figureData.lines.map(({ cell, axes: place, readings }) => [
    String(cell),
    ...listCellColumns(survey.facts).map(({ name }) => formatAxisValue(place[name])),
    ...shown.flatMap(({ quantity, halfWidth }) => {
      const reading = readings.get(getQuantityKey(quantity));
      const [value, interval] =
        reading === undefined
          ? ['', '']
          : [formatValue(getScale(quantity), reading), formatIntervalOrExact(getScale(quantity), reading)];
      return halfWidth === undefined ? [value] : [value, interval];
    }),
  ]);
}

export function createCellTable(report: SweepReport): Markup {
  const { shown, survey } = report;
  const heads: TableHeading[] = [
    { head: 'cell', number: true },
    ...listCellColumns(survey.facts).map((axis) => ({ head: formatAxisTitle(axis), number: true })),
    ...shown.flatMap(({ quantity, halfWidth }) => [
      { head: formatQuantityHeading(quantity), number: true },
      ...(halfWidth === undefined ? [] : [{ head: '95 % interval', number: true }]),
    ]),
  ];
  const sides = getStoreSides(survey.facts);
  const marks = [
    ...['cell', ...listCellColumns(survey.facts)].map(() => 'none' as const),
    ...shown.flatMap(({ quantity, halfWidth }) => [
      findSideTone(quantity, sides),
      ...(halfWidth === undefined ? [] : ['none' as const]),
    ]),
  ];
  const rows = createRows(report);
  const others = rows.slice(INLINE_ROWS);
  const rest = others.slice(0, countFittingRows(others));
  const present = rows.slice(0, INLINE_ROWS);
  const held = present.length + rest.length;
  const left =
    held < survey.cells
      ? `The first ${formatGrouped(held)} of ${formatGrouped(survey.cells)} cells; all of them, with all columns, are in the Parquet files of the store.`
      : 'All columns are in the Parquet files of the store.';
  const script =
    rest.length === 0
      ? markup``
      : markup`<noscript><p class="note">The first ${formatGrouped(present.length)} rows are shown; the others need JavaScript.</p></noscript>`;
  const cells = createHtmlTable(heads, present, { filter: survey.cells > 2, rest, tones: { heads: marks } });
  return markup`<section id="table"><h2>Cells</h2>${cells}${script}<p class="note">${left}</p></section>`;
}
