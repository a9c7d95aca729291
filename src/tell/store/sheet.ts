/** A report of a store for the terminal. */

import { inPercent } from '../figure.ts';
import { linesOf } from '../parts.ts';
import { neverOf } from '../survey/answers.ts';
import { axisTitle } from '../survey/quantity.ts';
import type { Surveyed } from '../survey/survey.ts';
import { clean } from '../text/clean.ts';
import { fixed } from '../text/digits.ts';
import { type Column, columns, type Look, said, wrapped } from '../text/table.ts';
import { sameText, toldOf } from './answer-words.ts';
import type { Report } from './report.ts';
import { axisTable, overviewed, overviewTable, rankingTables, scoreTable } from './tables.ts';
import { factRows, overviewSentences, scoreSentences } from './words.ts';
import { worthParts } from './worth.ts';

function head({ survey }: Report, look: Look): string[] {
  const { name, complete } = survey.facts;
  const open = 'not complete: what is missing can change every figure over the cells';
  return [look.paint.bold(clean(name)), ...(complete ? [] : [look.paint.yellow(open)])];
}

function facts({ survey }: Report, look: Look): string[] {
  const rows = factRows(survey).map(([what, text]) => `${look.paint.dim(what.padEnd(13))}  ${text}`);
  return [...rows, '', ...linesOf([axisTable(survey)], look)];
}

function overview(report: Report, look: Look): string[] {
  const shown = overviewed(report);
  const notes = [...overviewSentences(report.survey, shown), sameText(report.left)];
  const table = overviewTable(shown, ({ name }) => clean(name));
  return [...linesOf([table], look), ...notes.flatMap((text) => wrapped(text, 0, look.width)).map(look.paint.dim)];
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

function ranking(of: Surveyed, report: Report, look: Look): string[] {
  return rankingTables(of, report).flatMap(([title, table], t) => [
    ...(t > 0 ? [''] : []),
    look.paint.bold(title),
    ...linesOf([table], look),
  ]);
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
  return [...linesOf([scoreTable(survey)], look), ...sentences.map(look.paint.dim)];
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
