/** A report as one HTML file that needs nothing else: its pictures are SVG in the page itself. */

import type { Picture } from '../pictures/picture.ts';
import { DOUBLE } from '../pictures/theme.ts';
import { sameText } from '../store/answer-words.ts';
import { fileNames, footerOf, type Report, sidesIn } from '../store/report.ts';
import { axisTable, overviewed, overviewTable, scoreTable } from '../store/tables.ts';
import { factRows, overviewSentences, scoreSentences } from '../store/words.ts';
import { WORTH, worthParts } from '../store/worth.ts';
import { neverOf } from '../survey/answers.ts';
import { headOf, titleOf } from '../survey/quantity.ts';
import type { Survey, Surveyed } from '../survey/survey.ts';
import { grouped } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';
import { answered, evenSection, whereText } from './answers.ts';
import { cellTable } from './cell-table.ts';
import { figureOf, isRow } from './figure.ts';
import { type Markup, markup } from './markup.ts';
import { type Section, shellOf } from './shell.ts';
import { factsOf, sheetOf } from './single/answer.ts';

function asked({ survey }: Report): Markup {
  return markup`<section id="asked"><h2>What was asked</h2>
<div class="beside">${factsOf(factRows(survey))}
${sheetOf([axisTable(survey)])}</div></section>`;
}

function neverText(survey: Survey): string {
  const names = neverOf(survey).map(({ quantity }) => `“${headOf(quantity)}”`);
  return names.length === 0 ? '' : ` Not in the table, for no cell has it: ${names.join(', ')}.`;
}

function keyFigures(report: Report): Markup {
  const { survey, left } = report;
  const shown = overviewed(report);
  const { axes } = survey.facts;
  const table = overviewTable(shown, headOf, (level, cells) => whereText(level, cells, axes));
  const missed = Math.max(0, ...survey.quantities.map((each) => each.missed));
  const note =
    missed > 0 ? markup`<p class="open">${grouped(missed)} cells did not reach their precision.</p>` : markup``;
  return markup`<section id="figures"><h2>Key figures</h2>
${sheetOf([table], sidesIn(survey.facts))}${note}
<p class="note">Outcomes: probabilities. Metrics: means over the battles of a cell. The mean counts each cell once. ${overviewSentences(survey, shown).join(' ')}${neverText(survey)} ${sameText(left)}</p></section>`;
}

interface Drawn {
  readonly picture: Picture;
  readonly figure: Markup;
}

/** Pictures side by side; beside a wide one the others stand below each other, below a flat one side by side. */
function group(drawn: readonly Drawn[], wanted: (picture: Picture) => boolean): Markup {
  const found = drawn.filter(({ picture }) => wanted(picture));
  const figures = found.map((each) => each.figure);
  if (figures.length === 0) return markup``;
  const [first, ...others] = figures;
  if (first !== undefined && isRow(first)) return markup`${first}<div class="pictures fit">${others}</div>`;
  if (found[0]?.picture.width !== DOUBLE || first === undefined || others.length === 0)
    return markup`<div class="pictures">${figures}</div>`;
  return markup`<div class="pictures">${first}<div class="stack">${others}</div></div>`;
}

const OVER_CELLS: ReadonlySet<string> = new Set(['map', 'points', 'lines', 'effects', 'ranks']);

/** The pictures of all outcomes together, then those of each quantity. */
function overCells({ shown, left, survey }: Report, drawn: readonly Drawn[]): Markup {
  const own = (name: string) => (picture: Picture) => OVER_CELLS.has(picture.kind) && picture.of === name;
  const of = ({
    quantity,
  }: Surveyed): Markup => markup`<h3>${sentence(titleOf(quantity, survey.facts.counts ?? {}))}</h3>
${group(drawn, own(quantity.name))}`;
  // A sweep of one axis has a picture or two of each quantity: they stand side by side.
  const pictures =
    survey.facts.axes.length < 2
      ? [group(drawn, ({ kind }) => OVER_CELLS.has(kind))]
      : [group(drawn, own('')), ...shown.map(of)];
  const more = survey.quantities.length - shown.length - left.length;
  const note =
    more > 0
      ? markup`<p class="note">${grouped(more)} further outcomes and metrics have no pictures here; name them with --of.</p>`
      : markup``;
  return markup`<section id="cells"><h2>Over the cells</h2>
${pictures}${note}</section>`;
}

function within(drawn: readonly Drawn[]): Markup {
  const wanted = ({ kind }: Picture): boolean => kind === 'law' || kind === 'convergence';
  if (!drawn.some(({ picture }) => wanted(picture))) return markup``;
  return markup`<section id="within"><h2>Within a cell</h2>
<p class="note">The cell whose first outcome is closest to the mean of all cells, unless --cell names another one.</p>
${group(drawn, wanted)}</section>`;
}

function against({ survey }: Report, drawn: readonly Drawn[]): Markup {
  const sentences = scoreSentences(survey);
  if (sentences.length === 0) return markup``;
  return markup`<section id="exact"><h2>Simulation against exact answers</h2>
<p>${sentences.join(' ')}</p>
${group(drawn, ({ kind }) => kind === 'scores')}
${sheetOf([scoreTable(survey)], sidesIn(survey.facts))}</section>`;
}

const CELLS = 'A cell is one setting of the axes.';
const SOLVED = `${CELLS} Its values follow from the rules alone: no battle was played.`;
const EXACT =
  'Exact values stand wherever they are known; probabilities within a billionth of 0 and 1 count as impossible and certain.';
const PLAYED = [
  `${CELLS} Its estimates come from the battles that were played with it, and depend on scenario, seed and number of battles alone.`,
  'Intervals of probabilities are those of Clopper and Pearson (1934), of means Student’s with one more battle at either end of the declared range, 95 % each by itself: of twenty, one is expected to miss. Where a precision was asked for, they are those of the stopping rule, which hold although the run ended there; where means are bounded, theirs hold for every law in the declared range. Values that came in no battle may move a mean by up to 3.7 times its declared range over the battles; its interval counts them.',
];
const EFFECTS =
  'Main effects are variances of axis-wise means over the variance between cells. They tell of the values that were swept, not of the game as such: a wider axis has a larger effect.';
const SCORES = 'z is by how many standard errors of the exact law an estimate misses the exact value.';

/** What units are worth, where they have prices. */
function worthSection(report: Report): Section[] {
  const parts = worthParts(report);
  const body = markup`<section id="worth"><h2>${WORTH}</h2>${sheetOf(parts)}</section>`;
  return parts.length === 0 ? [] : [{ id: 'worth', title: WORTH, body }];
}

function methods({ survey: { battles, solved, scores } }: Report): Markup {
  const texts = [
    ...(battles === 0 ? [SOLVED] : PLAYED),
    ...(solved > 0 ? [EXACT] : []),
    EFFECTS,
    ...(scores.count > 0 ? [SCORES] : []),
  ];
  return markup`<section id="methods"><h2>Methods</h2>${texts.map((text) => markup`<p>${text}</p>`)}</section>`;
}

function openNote({ survey: { facts, cells } }: Report): Markup {
  if (facts.complete) return markup``;
  const text = `This sweep is not complete: ${grouped(cells)} of at most ${grouped(facts.points)} cells are there. What is missing can change every figure over the cells.`;
  return markup`<p class="open">${text}</p>`;
}

/** The whole page. The same report gives the same text. */
export async function pageOf(report: Report): Promise<string> {
  const { survey, pictures } = report;
  const footer = footerOf(survey);
  const names = fileNames(pictures);
  const drawn: Drawn[] = [];
  for (const [p, picture] of pictures.entries())
    drawn.push({ picture, figure: await figureOf(picture, footer, names[p] ?? String(p)) });
  return shellOf({
    title: survey.facts.name,
    lead: footer,
    warpool: survey.facts.warpool,
    before: markup`${openNote(report)}${answered(report)}`,
    sections: [
      { id: 'even', title: 'Closest to even', body: evenSection(report) },
      { id: 'figures', title: 'Key figures', body: keyFigures(report) },
      ...worthSection(report),
      { id: 'cells', title: 'Over the cells', body: overCells(report, drawn) },
      { id: 'within', title: 'Within a cell', body: within(drawn) },
      { id: 'exact', title: 'Exact answers', body: against(report, drawn) },
      { id: 'table', title: 'Cells', body: cellTable(report) },
      { id: 'asked', title: 'What was asked', body: asked(report) },
      { id: 'methods', title: 'Methods', body: methods(report) },
    ],
  });
}
