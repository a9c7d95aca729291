/** What a page says first: what is balanced, what matters, what is odd, and the cells that this is about. */
import { placesOf } from '../../work/store/rows.ts';
import { intervalText, knownTo, scaleOf, valueText } from '../figure.ts';
import { toldOf } from '../store/answer-words.ts';
import type { Report } from '../store/report.ts';
import { axisText, axisTitle, headOf, keyOf, placeText, type Reading, type Titled } from '../survey/quantity.ts';
import { endsOf, type Level, levelText } from '../survey/ranks.ts';
import type { Surveyed } from '../survey/survey.ts';
import { grouped } from '../text/digits.ts';
import { unbroken } from '../text/unbroken.ts';
import { type Head, type Markup, markup, table } from './markup.ts';

function box(id: string, title: string, sentences: readonly string[]): Markup {
  return markup`<section id="${id}"><h2>${title}</h2><ul>${sentences.map((text) => markup`<li>${unbroken(text)}</li>`)}</ul></section>`;
}

/** The three answers, in words. */
export function answered({ answers, survey }: Report): Markup {
  if (answers === undefined) return markup``;
  const { of, balanced, matters, odd } = toldOf(answers, survey);
  const outcome = answers.main.kind === 'outcome';
  const note = outcome
    ? `All of this is about one outcome, “${of}”; --of names another.`
    : `All of this is about the mean of ${of}.`;
  return markup`<div class="answers">
${outcome ? box('balanced', 'What is balanced', balanced) : markup``}
${box('matters', 'What matters', matters)}
${box('odd', 'What is odd', odd)}
</div><p class="note">${note}</p>`;
}

/** Those that come, the main one first. */
function outcomesOf({ answers, shown }: Report): Surveyed[] {
  const outcomes = shown.filter(({ quantity }) => quantity.kind === 'outcome');
  return outcomes.toSorted((a, b) => Number(b.quantity === answers?.main) - Number(a.quantity === answers?.main));
}

function nearestTable(report: Report): Markup {
  const { answers, survey, gathered } = report;
  const nearest = answers?.even?.nearest ?? [];
  const [main, ...others] = outcomesOf(report);
  if (nearest.length === 0 || main === undefined) return markup``;
  const axes = placesOf(survey.facts);
  const intervals = nearest.some(({ interval }) => interval !== undefined);
  const heads: Head[] = [
    { head: 'cell', number: true },
    ...axes.map((axis) => ({ head: axisTitle(axis), number: true })),
    { head: headOf(main.quantity), number: true },
    ...(intervals ? [{ head: '95 % interval', number: true }] : []),
    ...others.map(({ quantity }) => ({ head: headOf(quantity), number: true })),
  ];
  const rows = nearest.map((reading) => [
    String(reading.cell),
    ...axes.map(({ name }) => axisText(reading.axes[name])),
    valueText(scaleOf(main.quantity), reading),
    ...(intervals ? [knownTo(scaleOf(main.quantity), reading)] : []),
    ...others.map(({ quantity }) => {
      const other = gathered.picked.get(reading.cell)?.readings.get(keyOf(quantity));
      return other === undefined ? '' : valueText(scaleOf(quantity), other);
    }),
  ]);
  const order = intervals ? ' The order of cells whose intervals overlap is open.' : '';
  return markup`<div><h3>Closest to even</h3>${table(heads, rows)}<p class="note">Cells by the distance of “${headOf(main.quantity)}” from 50 %.${order}</p></div>`;
}

/** A place in pieces that hold together. */
function placeShown(values: Reading['axes'], axes: readonly Titled[]): string {
  return axes.map((axis) => placeText(values, [axis]).replaceAll(' ', '\u00A0')).join(', ');
}

/** Where a value is: the cell, or how many cells have it. */
export function whereText({ cells, readings }: Level, all: number, axes: readonly Titled[]): string {
  const [first] = readings;
  if (cells === all && all > 1) return 'all cells';
  return cells > 1 || first === undefined ? `${grouped(cells)} cells` : placeShown(first.axes, axes);
}

const ENDS = 5;

function endsTable(report: Report): Markup {
  const { survey, gathered } = report;
  const main = outcomesOf(report)[0];
  const ends = main && gathered.ends.get(keyOf(main.quantity));
  if (main === undefined || ends === undefined || main.cells < 3) return markup``;
  const { highest, lowest } = endsOf(ends, ENDS);
  const rows = [...highest, ...lowest].map((level) => [
    levelText(main.quantity, level),
    whereText(level, main.cells, survey.facts.axes),
    level.cells > 1 ? '' : intervalText(scaleOf(main.quantity), level.readings[0] ?? {}),
  ]);
  const intervals = main.halfWidth !== undefined;
  const heads: Head[] = [
    { head: headOf(main.quantity), number: true },
    { head: 'at', wide: true },
    { head: intervals ? '95 % interval' : '', number: true },
  ];
  const shown = intervals ? heads : heads.slice(0, 2);
  return markup`<div><h3>Highest and lowest</h3>${table(
    shown,
    rows.map((row) => row.slice(0, shown.length)),
  )}</div>`;
}

/** The cells closest to even beside those at the ends. */
export function evenSection(report: Report): Markup {
  if (report.answers?.even === undefined || report.survey.cells < 2) return markup``;
  return markup`<section id="even"><h2>Closest to even, highest, lowest</h2><div class="beside">
${nearestTable(report)}
${endsTable(report)}</div></section>`;
}
