/** A report as one HTML file that needs nothing else: its pictures are SVG in the page itself. */

import type { Figure } from '../figures/figure.ts';
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
  return markup`<section id="asked"><h2>What was asked</h2>
<div class="beside">${createFacts(createFactRows(survey))}
${createSheetMarkup([createAxisTable(survey)])}</div></section>`;
}

function formatNeverObserved(survey: SweepAnalysis): string {
  const names = listNeverObserved(survey).map(({ quantity }) => `“${formatQuantityHeading(quantity)}”`);
  return names.length === 0 ? '' : ` Not in the table, for no cell has it: ${names.join(', ')}.`;
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

/** Pictures side by side; beside a wide one the others stand below each other, below a flat one side by side. */
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

/** The pictures of all outcomes together, then those of each quantity. */
function createOverviewSection(
  { shown, duplicates, survey }: SweepReport,
  drawn: readonly RenderedPageFigure[],
): Markup {
  const own = (name: string) => (picture: Figure) => OVERVIEW_KINDS.has(picture.kind) && picture.of === name;
  const of = ({
    quantity,
  }: QuantityAnalysis): Markup => markup`<h3>${capitalize(formatQuantityTitle(quantity, survey.facts.counts ?? {}))}</h3>
${groupFigures(drawn, own(quantity.name))}`;
  // A sweep of one axis has a picture or two of each quantity: they stand side by side.
  const pictures =
    survey.facts.axes.length < 2
      ? [groupFigures(drawn, ({ kind }) => OVERVIEW_KINDS.has(kind))]
      : [groupFigures(drawn, own('')), ...shown.map(of)];
  const more = survey.quantities.length - shown.length - duplicates.length;
  const note =
    more > 0
      ? markup`<p class="note">${formatGrouped(more)} further outcomes and metrics have no pictures here; name them with --of.</p>`
      : markup``;
  return markup`<section id="cells"><h2>Over the cells</h2>
${pictures}${note}</section>`;
}

function createCellSection(drawn: readonly RenderedPageFigure[]): Markup {
  const isSelected = ({ kind }: Figure): boolean => kind === 'law' || kind === 'convergence';
  if (!drawn.some(({ picture }) => isSelected(picture))) return markup``;
  return markup`<section id="within"><h2>Within a cell</h2>
<p class="note">The cell whose first outcome is closest to the mean of all cells, unless --cell names another one.</p>
${groupFigures(drawn, isSelected)}</section>`;
}

function createZScoreSection({ survey }: SweepReport, drawn: readonly RenderedPageFigure[]): Markup {
  const sentences = createScoreSentences(survey);
  if (sentences.length === 0) return markup``;
  return markup`<section id="exact"><h2>Simulation against exact answers</h2>
<p>${sentences.join(' ')}</p>
${groupFigures(drawn, ({ kind }) => kind === 'scores')}
${createSheetMarkup([createZScoreTable(survey)], getStoreSides(survey.facts))}</section>`;
}

const CELLS_NOTE = 'A cell is one setting of the axes.';
const SOLVED_NOTE = `${CELLS_NOTE} Its values follow from the rules alone: no battle was played.`;
const EXACT_NOTE =
  'Exact values stand wherever they are known; probabilities within a billionth of 0 and 1 count as impossible and certain.';
const SIMULATED_NOTES = [
  `${CELLS_NOTE} Its estimates come from the battles that were played with it, and depend on scenario, seed and number of battles alone.`,
  'Intervals of probabilities are those of Clopper and Pearson (1934), of means Student’s with one more battle at either end of the declared range, 95 % each by itself: of twenty, one is expected to miss. Where a precision was asked for, they are those of the stopping rule, which hold although the run ended there; where means are bounded, theirs hold for every law in the declared range. Values that came in no battle may move a mean by up to 3.7 times its declared range over the battles; its interval counts them.',
];
const EFFECTS_NOTE =
  'Main effects are variances of axis-wise means over the variance between cells. They tell of the values that were swept, not of the game as such: a wider axis has a larger effect.';
const SCORES_NOTE = 'z is by how many standard errors of the exact law an estimate misses the exact value.';

/** What units are worth, where they have prices. */
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
  const text = `This sweep is not complete: ${formatGrouped(cells)} of at most ${formatGrouped(facts.points)} cells are there. What is missing can change every figure over the cells.`;
  return markup`<p class="open">${text}</p>`;
}

/** The whole page. The same report gives the same text. */
export async function renderSweepReport(report: SweepReport): Promise<string> {
  const { survey, figures } = report;
  const footer = formatFooter(survey);
  const names = createFileNames(figures);
  const drawn: RenderedPageFigure[] = [];
  for (const [p, picture] of figures.entries())
    drawn.push({ picture, figure: await createFigureMarkup(picture, footer, names[p] ?? String(p)) });
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
      { id: 'exact', title: 'Exact answers', body: createZScoreSection(report, drawn) },
      { id: 'table', title: 'Cells', body: createCellTable(report) },
      { id: 'asked', title: 'What was asked', body: createRequestSection(report) },
      { id: 'methods', title: 'Methods', body: createMethodsSection(report) },
    ],
  });
}
