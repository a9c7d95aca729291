/** HTML report of a sweep: one file with inline SVG figures. */

import type { Figure } from '../figures/figure.ts';
import { renderSvg } from '../figures/render.ts';
import { DOUBLE_COLUMN } from '../figures/theme.ts';
import type { QuantityAnalysis, SweepAnalysis } from '../sweep-analysis/analysis.ts';
import { listNeverObserved } from '../sweep-analysis/findings.ts';
import { formatQuantityHeading, formatQuantityTitle } from '../sweep-analysis/quantity.ts';
import { createFactRows, createOverviewSentences, createScoreSentences } from '../sweep-report/facts-text.ts';
import { formatDuplicates } from '../sweep-report/findings-text.ts';
import { createFileNames, formatFooter, getStoreSides, type SweepReport } from '../sweep-report/report.ts';
import {
  createAxisTable,
  createOverviewTable,
  createZScoreTable,
  listOverviewQuantities,
} from '../sweep-report/tables.ts';
import { createUnitValueBlocks, UNIT_VALUE_TITLE } from '../sweep-report/unit-values.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatGrouped } from '../text/number-format.ts';
import { createCellTable } from './cell-table.ts';
import { createFacts, createSheetMarkup } from './commands/command-page.ts';
import { createFigureMarkup, isRow } from './figure-markup.ts';
import { createBalancedCellsSection, createFindingsSection, formatLevelCells } from './findings.ts';
import { type Markup, markup } from './markup.ts';
import { type PageSection, renderPage } from './page-template.ts';

function createRequestSection({ survey }: SweepReport): Markup {
  return markup`<section id="asked"><h2>Sweep settings</h2>
<div class="beside">${createFacts(createFactRows(survey))}
${createSheetMarkup([createAxisTable(survey)])}</div></section>`;
}

function formatNeverObserved(survey: SweepAnalysis): string {
  const names = listNeverObserved(survey).map(({ quantity }) => `“${formatQuantityHeading(quantity)}”`);
  return names.length === 0 ? '' : ` Not in the table, because no cell has it: ${names.join(', ')}.`;
}

function createKeyFigures(report: SweepReport): Markup {
  const { survey, duplicates } = report;
  const shown = listOverviewQuantities(report);
  const { axes } = survey.facts;
  const table = createOverviewTable(shown, formatQuantityHeading, (level, cells) =>
    formatLevelCells(level, cells, axes),
  );
  const missed = Math.max(0, ...survey.quantities.map((each) => each.missed));
  const note =
    missed > 0 ? markup`<p class="open">${formatGrouped(missed)} cells did not reach their precision.</p>` : markup``;
  return markup`<section id="figures"><h2>Key figures</h2>
${createSheetMarkup([table], getStoreSides(survey.facts))}${note}
<p class="note">Outcomes: probabilities. Metrics: means over the battles of a cell. The mean counts each cell once. ${createOverviewSentences(survey, shown).join(' ')}${formatNeverObserved(survey)} ${formatDuplicates(duplicates)}</p></section>`;
}

interface RenderedPageFigure {
  readonly picture: Figure;
  readonly figure: Markup;
}

/** Arranges figures side by side; next to a wide one the others are stacked, below a flat one they are side by side. */
function groupFigures(drawn: readonly RenderedPageFigure[], isSelected: (picture: Figure) => boolean): Markup {
  const found = drawn.filter(({ picture }) => isSelected(picture));
  const figures = found.map((each) => each.figure);
  if (figures.length === 0) return markup``;
  const [first, ...others] = figures;
  if (first !== undefined && isRow(first)) return markup`${first}<div class="pictures fit">${others}</div>`;
  if (found[0]?.picture.width !== DOUBLE_COLUMN || first === undefined || others.length === 0)
    return markup`<div class="pictures">${figures}</div>`;
  return markup`<div class="pictures">${first}<div class="stack">${others}</div></div>`;
}

const OVERVIEW_KINDS: ReadonlySet<string> = new Set(['map', 'points', 'lines', 'effects', 'ranks']);

/** Creates the figures of all outcomes together, then the figures of each quantity. */
function createOverviewSection(
  { shown, duplicates, survey }: SweepReport,
  drawn: readonly RenderedPageFigure[],
): Markup {
  const own = (name: string) => (picture: Figure) => OVERVIEW_KINDS.has(picture.kind) && picture.of === name;
  const of = ({
    quantity,
  }: QuantityAnalysis): Markup => markup`<h3>${capitalize(formatQuantityTitle(quantity, survey.facts.counts ?? {}))}</h3>
${groupFigures(drawn, own(quantity.name))}`;
  // A sweep with one axis has only one or two figures for each quantity, so they are side by side.
  const pictures =
    survey.facts.axes.length < 2
      ? [groupFigures(drawn, ({ kind }) => OVERVIEW_KINDS.has(kind))]
      : [groupFigures(drawn, own('')), ...shown.map(of)];
  const more = survey.quantities.length - shown.length - duplicates.length;
  const note =
    more > 0
      ? markup`<p class="note">${formatGrouped(more)} further outcomes and metrics have no figures; select them with --of.</p>`
      : markup``;
  return markup`<section id="cells"><h2>Over the cells</h2>
${pictures}${note}</section>`;
}

function createCellSection(drawn: readonly RenderedPageFigure[]): Markup {
  const isSelected = ({ kind }: Figure): boolean => kind === 'law' || kind === 'convergence';
  if (!drawn.some(({ picture }) => isSelected(picture))) return markup``;
  return markup`<section id="within"><h2>Within a cell</h2>
<p class="note">The cell whose first outcome is closest to the mean of all cells; select another one with --cell.</p>
${groupFigures(drawn, isSelected)}</section>`;
}

function createZScoreSection({ survey }: SweepReport, drawn: readonly RenderedPageFigure[]): Markup {
  const sentences = createScoreSentences(survey);
  if (sentences.length === 0) return markup``;
  return markup`<section id="exact"><h2>Simulation against exact results</h2>
<p>${sentences.join(' ')}</p>
${groupFigures(drawn, ({ kind }) => kind === 'scores')}
${createSheetMarkup([createZScoreTable(survey)], getStoreSides(survey.facts))}</section>`;
}

const CELLS_NOTE = 'A cell is one setting of the axes.';
const SOLVED_NOTE = `${CELLS_NOTE} Its values are exact; no battles were simulated.`;
const EXACT_NOTE =
  'Exact values are shown if they are known; probabilities within a billionth of 0 and 1 count as impossible and certain.';
const SIMULATED_NOTES = [
  `${CELLS_NOTE} Its estimates are from simulated battles, and depend only on scenario, seed and number of battles.`,
  'Intervals of probabilities are Clopper-Pearson intervals (1934); intervals of means are Student intervals with one more battle at either end of the declared range. Each one covers the true value with 95 %, so that one of twenty is expected to miss it. With a precision, intervals are valid under its stopping rule; with bounded means, they are valid for every distribution in the declared range. Unobserved values may change a mean by up to 3.7 times its declared range divided by the number of battles; its interval includes them.',
];
const EFFECTS_NOTE =
  'Main effects are variances of axis-wise means divided by the variance between cells. They depend on the values of the sweep: a wider axis has a larger effect.';
const SCORES_NOTE =
  'z is the deviation of an estimate from the exact value, in standard errors of the exact distribution.';

/** Creates the section of unit values, if units have prices. */
function createUnitValueSection(report: SweepReport): PageSection[] {
  const parts = createUnitValueBlocks(report);
  const body = markup`<section id="worth"><h2>${UNIT_VALUE_TITLE}</h2>${createSheetMarkup(parts)}</section>`;
  return parts.length === 0 ? [] : [{ id: 'worth', title: UNIT_VALUE_TITLE, body }];
}

function createMethodsSection({ survey: { battles, solved, scores } }: SweepReport): Markup {
  const texts = [
    ...(battles === 0 ? [SOLVED_NOTE] : SIMULATED_NOTES),
    ...(solved > 0 ? [EXACT_NOTE] : []),
    EFFECTS_NOTE,
    ...(scores.count > 0 ? [SCORES_NOTE] : []),
  ];
  return markup`<section id="methods"><h2>Methods</h2>${texts.map((text) => markup`<p>${text}</p>`)}</section>`;
}

function createIncompleteNote({ survey: { facts, cells } }: SweepReport): Markup {
  if (facts.complete) return markup``;
  const text = `This sweep is not complete: ${formatGrouped(cells)} of at most ${formatGrouped(facts.points)} cells are complete. Missing cells can change every value over the cells.`;
  return markup`<p class="open">${text}</p>`;
}

/** Renders the HTML report of a sweep, deterministically. */
export async function renderSweepReport(report: SweepReport): Promise<string> {
  const { survey, figures } = report;
  const footer = formatFooter(survey);
  const names = createFileNames(figures);
  const drawn: RenderedPageFigure[] = [];
  for (const [p, picture] of figures.entries())
    drawn.push({ picture, figure: await createFigureMarkup(picture, footer, names[p] ?? String(p), renderSvg) });
  return renderPage({
    title: survey.facts.name,
    lead: footer,
    warpool: survey.facts.warpool,
    before: markup`${createIncompleteNote(report)}${createFindingsSection(report)}`,
    sections: [
      { id: 'even', title: 'Closest to even', body: createBalancedCellsSection(report) },
      { id: 'figures', title: 'Key figures', body: createKeyFigures(report) },
      ...createUnitValueSection(report),
      { id: 'cells', title: 'Over the cells', body: createOverviewSection(report, drawn) },
      { id: 'within', title: 'Within a cell', body: createCellSection(drawn) },
      { id: 'exact', title: 'Exact results', body: createZScoreSection(report, drawn) },
      { id: 'table', title: 'Cells', body: createCellTable(report) },
      { id: 'asked', title: 'Sweep settings', body: createRequestSection(report) },
      { id: 'methods', title: 'Methods', body: createMethodsSection(report) },
    ],
  });
}
