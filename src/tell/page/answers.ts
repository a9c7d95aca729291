/** What a page says first: what is balanced, what matters, what is odd, and the cells that this is about. */
import { toldOf } from '../store/answer-words.ts';
import type { Report } from '../store/report.ts';
import { rankingTables } from '../store/tables.ts';
import { placeText, type Reading, type Titled } from '../survey/quantity.ts';
import type { Level } from '../survey/ranks.ts';
import type { Surveyed } from '../survey/survey.ts';
import { grouped } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';
import { unbroken } from '../text/unbroken.ts';
import { type Markup, markup } from './markup.ts';
import { sheetOf } from './single/answer.ts';

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

/** The cells closest to even next to those at the ends. */
export function evenSection(report: Report): Markup {
  const { answers, survey } = report;
  const [main] = outcomesOf(report);
  if (answers?.even === undefined || survey.cells < 2 || main === undefined) return markup``;
  const tables = rankingTables(main, report).map(
    ([title, grid]) => markup`<div><h3>${sentence(title)}</h3>${sheetOf([grid])}</div>`,
  );
  return markup`<section id="even"><h2>Closest to even, highest, lowest</h2><div class="beside">
${tables}</div></section>`;
}
