/** A report of a store for the terminal. */

import { placesOf } from '../../work/store/rows.ts';
import { inPercent, intervalText, scaleOf, valueText } from '../figure.ts';
import { linesOf } from '../parts.ts';
import { neverOf } from '../survey/answers.ts';
import {
  axisText,
  axisTitle,
  headOf,
  keyOf,
  type Quantity,
  type Reading,
  type Titled,
  titleOf,
} from '../survey/quantity.ts';
import { endsOf, type Level, levelText } from '../survey/ranks.ts';
import type { Surveyed } from '../survey/survey.ts';
import { clean } from '../text/clean.ts';
import { fixed, grouped } from '../text/digits.ts';
import { type Column, columns, type Look, type Rows, said, wrapped } from '../text/table.ts';
import { sameText, toldOf } from './answer-words.ts';
import type { Report } from './report.ts';
import {
  factRows,
  overviewSentences,
  pathsText,
  precisionHead,
  precisionText,
  rounded,
  scoreCells,
  scoreSentences,
  valuesText,
} from './words.ts';
import { worthParts } from './worth.ts';

/** Cells at each end of a ranking. */
const ENDS = 5;

function head({ survey }: Report, look: Look): string[] {
  const { name, complete } = survey.facts;
  const open = 'not complete: what is missing can change every figure over the cells';
  return [look.paint.bold(clean(name)), ...(complete ? [] : [look.paint.yellow(open)])];
}

function facts({ survey }: Report, look: Look): string[] {
  const { axes } = survey.facts;
  const rows = factRows(survey).map(([what, text]) => `${look.paint.dim(what.padEnd(13))}  ${text}`);
  const named = axes.some((axis) => pathsText(axis) !== '');
  const heads: Column[] = ['axis', ...(named ? ['sets'] : []), 'values'].map((head) => ({ head, align: 'left' }));
  const lines = axes.map((axis) => [axisTitle(axis), ...(named ? [pathsText(axis)] : []), valuesText(axis)]);
  return [...rows, '', ...columns(heads, lines, look)];
}

function overview({ survey, left }: Report, look: Look): string[] {
  const hidden = new Set([...neverOf(survey), ...left]);
  const coming = survey.quantities.filter((each) => !hidden.has(each));
  const heads: Column[] = [
    { head: 'over the cells', align: 'left' },
    { head: 'least' },
    { head: 'mean' },
    { head: 'greatest' },
    { head: precisionHead(coming).replace(' up', '\nup'), spare: 1 },
  ];
  const rows = coming.map((each) => {
    const { quantity, least, greatest, mean } = each;
    const end = (level: Level): string => levelText(quantity, level);
    return [clean(quantity.name), end(least), rounded(quantity, mean), end(greatest), precisionText(each)];
  });
  const notes = [...overviewSentences(survey, coming), sameText(left)];
  return [...columns(heads, rows, look), ...notes.flatMap((text) => wrapped(text, 0, look.width)).map(look.paint.dim)];
}

/** Sentences on what is balanced, and on what matters; the page has all. */
const SENTENCES = [2, 3] as const;

/** The three answers in short. */
function answers({ answers: found, survey }: Report, look: Look): string[] {
  if (found === undefined) return [];
  const { of, balanced, matters, odd } = toldOf(found, survey);
  const lines = (title: string, sentences: readonly string[]): string[] => [
    look.paint.bold(title),
    ...sentences.flatMap((text) => wrapped(text, 2, look.width)),
  ];
  return [
    ...(found.main.kind === 'outcome' ? lines(`what is balanced: ${of}`, balanced.slice(0, SENTENCES[0])) : []),
    ...lines(`what matters: ${of}`, matters.slice(0, SENTENCES[1])),
    ...lines('what is odd', odd),
  ];
}

/** The first column of effects stays; the others are left out from the last where lines are short. */
const spared = (v: number, of: number): Pick<Column, 'spare'> => (v === 0 ? {} : { spare: of - v });

/** Shares of the variance between cells: a column for each outcome or metric. */
function effects({ shown, survey }: Report, look: Look): string[] {
  const { axes } = survey.facts;
  const varying = shown.filter(({ effects: { noise } }) => noise !== undefined);
  if (axes.length < 2 || varying.length === 0) return [];
  const heads: Column[] = [
    { head: 'main effect, %', align: 'left' },
    ...varying.map(
      ({ quantity }, v): Column => ({
        head: clean(quantity.name),
        named: true,
        align: 'point',
        ...spared(v, varying.length),
      }),
    ),
  ];
  const share = (value: number | undefined): string => (value === undefined ? '' : inPercent(fixed, value, 1));
  const line = (name: string, of: (each: Surveyed) => number | undefined): string[] => [
    name,
    ...varying.map((each) => share(of(each))),
  ];
  const rest = varying.every((each) => each.effects.rest !== undefined);
  const rows = [
    ...axes.map((axis, a) => line(axisTitle(axis), (each) => each.effects.axes[a]?.share)),
    ...(rest ? [line('axes together', (each) => each.effects.rest)] : []),
    ...(varying.some((each) => each.effects.noise !== 0)
      ? [line('chance, at most', (each) => each.effects.noise)]
      : []),
  ];
  return columns(heads, rows, look);
}

function rankRow(quantity: Quantity, reading: Reading, axes: readonly Titled[]): string[] {
  const place = axes.map(({ name }) => axisText(reading.axes[name]));
  return [
    String(reading.cell),
    ...place,
    valueText(scaleOf(quantity), reading),
    intervalText(scaleOf(quantity), reading),
  ];
}

/** Cells of one value: each by itself, or how many there are where to name some would be arbitrary. */
function levelRow(quantity: Quantity, level: Level, axes: readonly Titled[]): string[] {
  const [first] = level.readings;
  if (level.cells === 1 && first !== undefined) return rankRow(quantity, first, axes);
  return [`${grouped(level.cells)} cells`, ...axes.map(() => ''), levelText(quantity, level), ''];
}

/** A table of cells: their axes, the value, and its interval where a value has one. */
function cellTable(quantity: Quantity, axes: readonly Titled[], rows: Rows, look: Look): string[] {
  const heads: Column[] = [
    { head: 'cell' },
    ...axes.map((axis): Column => ({ head: axisTitle(axis), named: true })),
    { head: headOf(quantity), named: true },
  ];
  const estimated = rows.some((row) => (row[heads.length] ?? '') !== '');
  return columns([...heads, ...(estimated ? [{ head: '95 % interval', spare: 1 }] : [])], rows, look);
}

/** The ends of the ranking, and for outcomes the cells closest to even where these are others; all cells if they are few. */
function ranking({ quantity, even, cells }: Surveyed, { survey, gathered }: Report, look: Look): string[] {
  const known = gathered.ends.get(keyOf(quantity));
  if (cells < 2 || known === undefined) return [];
  const axes = placesOf(survey.facts);
  const table = (rows: Rows): string[] => cellTable(quantity, axes, rows, look);
  const { highest, lowest } = endsOf(known, ENDS);
  const rowsOf = (levels: readonly Level[]): string[][] => levels.map((level) => levelRow(quantity, level, axes));
  const few = [...highest, ...lowest].reduce((sum, level) => sum + level.cells, 0) >= cells;
  const ends = [...rowsOf(highest), ...(few ? [] : [['…']]), ...rowsOf(lowest)];
  const there = new Set(ends.map((row) => row.join()));
  const nearest = (even?.nearest ?? []).slice(0, ENDS).map((reading) => rankRow(quantity, reading, axes));
  const others = !few && nearest.some((row) => !there.has(row.join()));
  const title = titleOf(quantity, survey.facts.counts ?? {});
  return [
    look.paint.bold(`highest and lowest: ${title}`),
    ...table(ends),
    ...(others ? ['', look.paint.bold(`closest to 50 %: ${title}`), ...table(nearest)] : []),
  ];
}

/** What comes in the sweep and has no ranking. */
function unshown({ survey, shown, left: same }: Report, look: Look): string[] {
  const left = new Set([...neverOf(survey), ...shown, ...same]);
  const names = survey.quantities.filter((each) => !left.has(each)).map(({ quantity }) => clean(quantity.name));
  return names.length === 0 ? [] : said(`(Others that --of can show: ${names.join(', ')}.)`, look);
}

function scores({ survey }: Report, look: Look): string[] {
  const sentences = scoreSentences(survey).flatMap((sentence) => wrapped(sentence, 0, look.width));
  if (sentences.length === 0) return [];
  const heads: Column[] = [
    { head: 'z-scores', align: 'left' },
    { head: 'scores', spare: 1 },
    { head: 'mean', align: 'point', spare: 2 },
    { head: 'SD', align: 'point' },
    { head: 'farthest', align: 'point' },
  ];
  const scored = survey.quantities.filter((each) => each.scores.count > 0);
  const rows = scored.map((each) => [clean(each.quantity.name), ...scoreCells(each.scores)]);
  return [...columns(heads, rows, look), ...sentences.map(look.paint.dim)];
}

/** What was found, facts, main effects, the best and the worst cells, z-scores. */
export function storeSheet(report: Report, look: Look): string {
  const blocks = [
    [...head(report, look), ...answers(report, look)],
    facts(report, look),
    overview(report, look),
    linesOf(worthParts(report), look),
    effects(report, look),
    ...report.shown.map((each) => ranking(each, report, look)),
    unshown(report, look),
    scores(report, look),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}
