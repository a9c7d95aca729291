/** First part of a sweep report: balanced cells, main effects, anomalies, and tables of these cells. */

import type { QuantityAnalysis } from '../sweep-analysis/analysis.ts';
import type { CellLevel } from '../sweep-analysis/extreme-cells.ts';
import { type AxisTitle, type CellReading, formatCellPlace } from '../sweep-analysis/quantity.ts';
import { createFindingsText } from '../sweep-report/findings-text.ts';
import type { SweepReport } from '../sweep-report/report.ts';
import { createRankingTables } from '../sweep-report/tables.ts';
import { capitalize } from '../text/capitalize.ts';
import { preventNumberBreaks } from '../text/number-breaks.ts';
import { formatGrouped } from '../text/number-format.ts';
import { createSheetMarkup } from './commands/command-page.ts';
import { type Markup, markup } from './markup.ts';

function createBox(id: string, title: string, sentences: readonly string[]): Markup {
  return markup`<section id="${id}"><h2>${title}</h2><ul>${sentences.map((text) => markup`<li>${preventNumberBreaks(text)}</li>`)}</ul></section>`;
}

/** Creates the three boxes of findings. */
export function createFindingsSection({ answers, survey }: SweepReport): Markup {
  if (answers === undefined) return markup``;
  const { of, balanced, matters, odd } = createFindingsText(answers, survey);
  const outcome = answers.main.kind === 'outcome';
  const note = outcome
    ? `These findings are about the outcome “${of}”; select another one with --of.`
    : `These findings are about the mean of ${of}.`;
  return markup`<div class="answers">
${outcome ? createBox('balanced', 'Balanced cells', balanced) : markup``}
${createBox('matters', 'Main effects', matters)}
${createBox('odd', 'Anomalies', odd)}
</div><p class="note">${note}</p>`;
}

/** Outcomes that occur, the main one first. */
function listOutcomes({ answers, shown }: SweepReport): QuantityAnalysis[] {
  const outcomes = shown.filter(({ quantity }) => quantity.kind === 'outcome');
  return outcomes.toSorted((a, b) => Number(b.quantity === answers?.main) - Number(a.quantity === answers?.main));
}

/** Formats the axis values of a cell, with line breaks only between axes. */
function formatCellPlaceMarkup(values: CellReading['axes'], axes: readonly AxisTitle[]): string {
  return axes.map((axis) => formatCellPlace(values, [axis]).replaceAll(' ', '\u00A0')).join(', ');
}

/** Formats the cell with a value, or the number of cells. */
export function formatLevelCells({ cells, readings }: CellLevel, all: number, axes: readonly AxisTitle[]): string {
  const [first] = readings;
  if (cells === all && all > 1) return 'all cells';
  return cells > 1 || first === undefined ? `${formatGrouped(cells)} cells` : formatCellPlaceMarkup(first.axes, axes);
}

/** Creates the section of the cells closest to 50 %, and of the highest and lowest cells. */
export function createBalancedCellsSection(report: SweepReport): Markup {
  const { answers, survey } = report;
  const [main] = listOutcomes(report);
  if (answers?.even === undefined || survey.cells < 2 || main === undefined) return markup``;
  const tables = createRankingTables(main, report).map(
    ([title, grid]) => markup`<div><h3>${capitalize(title)}</h3>${createSheetMarkup([grid])}</div>`,
  );
  return markup`<section id="even"><h2>Closest to even, highest, lowest</h2><div class="beside">
${tables}</div></section>`;
}
