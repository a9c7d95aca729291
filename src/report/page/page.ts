/** A report as one HTML file that needs nothing else: its pictures are SVG in the page itself. */
import { cleanText } from '../clean.ts';
import { grouped } from '../digits.ts';
import { type Picture, sentence } from '../pictures/picture.ts';
import { fileNames, footerOf, type Report } from '../store-report.ts';
import { factRows, pathsText, precisionText, rounded, scoreCells, scoreSentences, valuesText } from '../store-words.ts';
import { LINES } from '../survey/gather.ts';
import { axisText, intervalText, keyOf, placeText, titleOf, valueText } from '../survey/quantity.ts';
import type { Surveyed } from '../survey/survey.ts';
import { figureOf } from './figure.ts';
import { type Head, type Markup, markup, table } from './markup.ts';
import { shellOf } from './shell.ts';

function asked({ survey }: Report): Markup {
  const rows = factRows(survey).map(([name, text]) => markup`<tr><th scope="row">${name}</th><td>${text}</td></tr>`);
  const named = survey.facts.axes.some((axis) => pathsText(axis) !== '');
  const heads: Head[] = [{ head: 'axis' }, ...(named ? [{ head: 'sets' }] : []), { head: 'values' }];
  const axes = survey.facts.axes.map((axis) => [axis.name, ...(named ? [pathsText(axis)] : []), valuesText(axis)]);
  return markup`<section id="asked"><h2>What was asked</h2>
<table class="facts"><tbody>${rows}</tbody></table>
${table(heads, axes)}</section>`;
}

function keyFigures({ survey }: Report): Markup {
  const names = survey.facts.axes.map(({ name }) => name);
  const heads: Head[] = [
    { head: 'outcome or metric' },
    { head: 'least', number: true },
    { head: 'at' },
    { head: 'mean of cells', number: true },
    { head: 'greatest', number: true },
    { head: 'at' },
    { head: 'intervals up to', number: true },
  ];
  const rows = survey.quantities.map((each) => {
    const { quantity, lowest, highest, mean } = each;
    const [least, most] = [lowest[0], highest[0]];
    const end = (reading: typeof least): string[] =>
      reading === undefined ? ['', ''] : [valueText(quantity, reading), placeText(reading.axes, names)];
    return [cleanText(quantity.name), ...end(least), rounded(quantity, mean), ...end(most), precisionText(each)];
  });
  const missed = Math.max(0, ...survey.quantities.map((each) => each.missed));
  const note =
    missed > 0 ? markup`<p class="open">${grouped(missed)} cells did not reach their precision.</p>` : markup``;
  return markup`<section id="figures"><h2>Key figures</h2>
${table(heads, rows)}${note}
<p class="note">Outcomes: probabilities. Metrics: means over the battles of a cell. The mean of cells counts each cell once.</p></section>`;
}

interface Drawn {
  readonly picture: Picture;
  readonly figure: Markup;
}

function group(drawn: readonly Drawn[], wanted: (picture: Picture) => boolean): Markup {
  const figures = drawn.filter(({ picture }) => wanted(picture)).map((each) => each.figure);
  return figures.length === 0 ? markup`` : markup`<div class="pictures">${figures}</div>`;
}

const OVER_CELLS: ReadonlySet<string> = new Set(['map', 'points', 'lines', 'effects', 'ranks']);

/** The pictures of all outcomes together, then those of each quantity. */
function overCells({ shown, survey }: Report, drawn: readonly Drawn[]): Markup {
  const of = ({ quantity }: Surveyed): Markup => markup`<h3>${sentence(titleOf(quantity, survey.facts.system))}</h3>
${group(drawn, (picture) => OVER_CELLS.has(picture.kind) && picture.of === quantity.name)}`;
  const more = survey.quantities.length - shown.length;
  const note =
    more > 0
      ? markup`<p class="note">${grouped(more)} further outcomes and metrics have no pictures here; name them with --of.</p>`
      : markup``;
  return markup`<section id="cells"><h2>Over the cells</h2>
${group(drawn, (picture) => OVER_CELLS.has(picture.kind) && picture.of === '')}
${shown.map(of)}${note}</section>`;
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
  const scored = survey.quantities.filter(({ scores }) => scores.count > 0);
  const heads: Head[] = ['scores', 'mean', 'SD', 'farthest'].map((head) => ({ head, number: true }));
  const rows = scored.map(({ quantity, scores }) => [cleanText(quantity.name), ...scoreCells(scores)]);
  return markup`<section id="exact"><h2>Simulation against exact answers</h2>
<p>${sentences.join(' ')}</p>
${group(drawn, ({ kind }) => kind === 'scores')}
${table([{ head: 'outcome or metric' }, ...heads], rows)}</section>`;
}

function cellTable({ gathered, shown, survey }: Report): Markup {
  const axes = survey.facts.axes.map(({ name }) => name);
  const played = survey.battles > 0;
  const heads: Head[] = [
    { head: 'cell' },
    ...axes.map((name) => ({ head: cleanText(name), number: true })),
    ...shown.flatMap(({ quantity: { name } }) => [
      { head: cleanText(name), number: true },
      ...(played ? [{ head: '95 % interval', number: true }] : []),
    ]),
  ];
  const rows = gathered.lines.map(({ cell, axes: place, readings }) => [
    String(cell),
    ...axes.map((name) => axisText(place[name])),
    ...shown.flatMap(({ quantity }) => {
      const reading = readings.get(keyOf(quantity));
      const [value, interval] =
        reading === undefined ? ['', ''] : [valueText(quantity, reading), intervalText(quantity, reading)];
      return played ? [value, interval] : [value];
    }),
  ]);
  const rest =
    survey.cells > LINES
      ? `The first ${grouped(LINES)} of ${grouped(survey.cells)} cells; all of them, with all columns, are in the Parquet files of the store.`
      : 'All columns are in the Parquet files of the store.';
  return markup`<section id="table"><h2>Cells</h2>${table(heads, rows)}<p class="note">${rest}</p></section>`;
}

const METHODS = [
  'A cell is one setting of the axes. Its estimates come from the battles that were played with it, and depend on scenario, seed and number of battles alone.',
  'Intervals of probabilities are those of Clopper and Pearson (1934), of means Student’s, 95 % each by itself: of twenty, one is expected to miss. Where a precision was asked for, they are those of the stopping rule, which hold although the run ended there; where means are bounded, theirs hold for every law in the declared range. Values that came in no battle may move a mean by up to 3.7 times its declared range over the battles, which Student’s interval does not count.',
  'Main effects are variances of axis-wise means over the variance between cells. They tell of the values that were swept, not of the game as such: a wider axis has a larger effect.',
  'z is by how many standard errors of the exact law an estimate misses the exact value.',
];

function methods(): Markup {
  return markup`<section id="methods"><h2>Methods</h2>${METHODS.map((text) => markup`<p>${text}</p>`)}</section>`;
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
    before: openNote(report),
    sections: [
      { id: 'asked', title: 'What was asked', body: asked(report) },
      { id: 'figures', title: 'Key figures', body: keyFigures(report) },
      { id: 'cells', title: 'Over the cells', body: overCells(report, drawn) },
      { id: 'within', title: 'Within a cell', body: within(drawn) },
      { id: 'exact', title: 'Exact answers', body: against(report, drawn) },
      { id: 'table', title: 'Cells', body: cellTable(report) },
      { id: 'methods', title: 'Methods', body: methods() },
    ],
  });
}
