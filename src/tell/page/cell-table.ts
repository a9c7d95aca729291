/** The table of all cells, as far as a page can hold them. */

import { placesOf } from '../../work/index.ts';
import { knownTo, scaleOf, valueText } from '../figure.ts';
import { toneOf } from '../marks.ts';
import { type Report, sidesIn } from '../store/report.ts';
import { axisText, axisTitle, headOf, keyOf } from '../survey/quantity.ts';
import { grouped } from '../text/digits.ts';
import { type Head, type Markup, markup, table } from './markup.ts';

/** Rows that stand in the page itself; the page's script shows the others. */
const PRESENT = 200;

/** Characters of the others: more would make the page slow to open. */
const REST = 400_000;

/** As many rows as have room. */
function fitting(rows: readonly (readonly string[])[]): number {
  let [held, r] = [0, 0];
  for (; r < rows.length && held <= REST; r++) held += (rows[r] ?? []).reduce((sum, cell) => sum + cell.length + 1, 0);
  return held <= REST ? r : r - 1;
}

function rowsOf({ gathered, shown, survey }: Report): string[][] {
  return gathered.lines.map(({ cell, axes: place, readings }) => [
    String(cell),
    ...placesOf(survey.facts).map(({ name }) => axisText(place[name])),
    ...shown.flatMap(({ quantity, halfWidth }) => {
      const reading = readings.get(keyOf(quantity));
      const [value, interval] =
        reading === undefined ? ['', ''] : [valueText(scaleOf(quantity), reading), knownTo(scaleOf(quantity), reading)];
      return halfWidth === undefined ? [value] : [value, interval];
    }),
  ]);
}

export function cellTable(report: Report): Markup {
  const { shown, survey } = report;
  const heads: Head[] = [
    { head: 'cell', number: true },
    ...placesOf(survey.facts).map((axis) => ({ head: axisTitle(axis), number: true })),
    ...shown.flatMap(({ quantity, halfWidth }) => [
      { head: headOf(quantity), number: true },
      ...(halfWidth === undefined ? [] : [{ head: '95 % interval', number: true }]),
    ]),
  ];
  const sides = sidesIn(survey.facts);
  const marks = [
    ...['cell', ...placesOf(survey.facts)].map(() => 'none' as const),
    ...shown.flatMap(({ quantity, halfWidth }) => [
      toneOf(quantity, sides),
      ...(halfWidth === undefined ? [] : ['none' as const]),
    ]),
  ];
  const rows = rowsOf(report);
  const others = rows.slice(PRESENT);
  const rest = others.slice(0, fitting(others));
  const present = rows.slice(0, PRESENT);
  const held = present.length + rest.length;
  const left =
    held < survey.cells
      ? `The first ${grouped(held)} of ${grouped(survey.cells)} cells; all of them, with all columns, are in the Parquet files of the store.`
      : 'All columns are in the Parquet files of the store.';
  const script =
    rest.length === 0
      ? markup``
      : markup`<noscript><p class="note">The first ${grouped(present.length)} are shown; the others need JavaScript.</p></noscript>`;
  const cells = table(heads, present, { filter: survey.cells > 2, rest, marks: { heads: marks } });
  return markup`<section id="table"><h2>Cells</h2>${cells}${script}<p class="note">${left}</p></section>`;
}
