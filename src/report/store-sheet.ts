/** A report of a store for the terminal. */
import { clean } from './clean.ts';
import { fixed } from './digits.ts';
import type { Report } from './store-report.ts';
import { factRows, pathsText, precisionText, rounded, scoreCells, scoreSentences, valuesText } from './store-words.ts';
import { axisText, intervalText, type Quantity, type Reading, titleOf, valueText } from './survey/quantity.ts';
import type { Surveyed } from './survey/survey.ts';
import { type Column, columns, type Look, wrapped } from './table.ts';

/** Cells at each end of a ranking. */
const ENDS = 5;

function facts({ survey }: Report, look: Look): string[] {
  const { name, axes, complete } = survey.facts;
  const rows = factRows(survey).map(([what, text]) => `${look.paint.dim(what.padEnd(13))}  ${text}`);
  const open = complete
    ? []
    : [look.paint.yellow('not complete: what is missing can change every figure over the cells')];
  const named = axes.some((axis) => pathsText(axis) !== '');
  const heads: Column[] = ['axis', ...(named ? ['sets'] : []), 'values'].map((head) => ({ head, align: 'left' }));
  const lines = axes.map((axis) => [clean(axis.name), ...(named ? [pathsText(axis)] : []), valuesText(axis)]);
  return [look.paint.bold(clean(name)), ...open, ...rows, '', ...columns(heads, lines, look)];
}

function overview({ survey }: Report, look: Look): string[] {
  const heads: Column[] = [
    { head: 'over the cells', align: 'left' },
    { head: 'least' },
    { head: 'mean' },
    { head: 'greatest' },
    { head: 'intervals\nup to' },
  ];
  const rows = survey.quantities.map((each) => {
    const { quantity, lowest, highest, mean } = each;
    const end = (reading: Reading | undefined): string => (reading === undefined ? '' : valueText(quantity, reading));
    return [clean(quantity.name), end(lowest[0]), rounded(quantity, mean), end(highest[0]), precisionText(each)];
  });
  return columns(heads, rows, look);
}

/** Shares of the variance between cells: a column for each outcome or metric. */
function effects({ shown, survey }: Report, look: Look): string[] {
  const { axes } = survey.facts;
  const varying = shown.filter(({ effects: { noise } }) => noise !== undefined);
  if (axes.length < 2 || varying.length === 0) return [];
  const heads: Column[] = [
    { head: 'main effect, %', align: 'left' },
    ...varying.map(({ quantity }): Column => ({ head: clean(quantity.name), align: 'point' })),
  ];
  const share = (value: number | undefined): string => (value === undefined ? '' : fixed(100 * value, 1));
  const line = (name: string, of: (each: Surveyed) => number | undefined): string[] => [
    name,
    ...varying.map((each) => share(of(each))),
  ];
  const rest = varying.every((each) => each.effects.rest !== undefined);
  const rows = [
    ...axes.map(({ name }, a) => line(clean(name), (each) => each.effects.axes[a]?.share)),
    ...(rest ? [line('axes together', (each) => each.effects.rest)] : []),
    line('chance, at most', (each) => each.effects.noise),
  ];
  return columns(heads, rows, look);
}

function rankRow(quantity: Quantity, reading: Reading, names: readonly string[]): string[] {
  const place = names.map((name) => axisText(reading.axes[name]));
  return [String(reading.cell), ...place, valueText(quantity, reading), intervalText(quantity, reading)];
}

/** The ends of the ranking; all cells if they are few. */
function ranking({ quantity, highest, lowest, cells }: Surveyed, { survey }: Report, look: Look): string[] {
  if (cells < 2) return [];
  const names = survey.facts.axes.map(({ name }) => name);
  const top = highest.slice(0, ENDS);
  const shown = new Set(top.map(({ cell }) => cell));
  const bottom = lowest
    .slice(0, ENDS)
    .filter(({ cell }) => !shown.has(cell))
    .toReversed();
  const heads: Column[] = [
    { head: 'cell' },
    ...names.map((name): Column => ({ head: clean(name) })),
    { head: clean(quantity.name) },
    { head: '95 % interval' },
  ];
  const gap = cells > top.length + bottom.length ? [['…', ...heads.slice(1).map(() => '')]] : [];
  const row = (reading: Reading): string[] => rankRow(quantity, reading, names);
  const title = look.paint.bold(`highest and lowest: ${titleOf(quantity, survey.facts.system)}`);
  return [title, ...columns(heads, [...top.map(row), ...gap, ...bottom.map(row)], look)];
}

function scores({ survey }: Report, look: Look): string[] {
  const sentences = scoreSentences(survey).flatMap((sentence) => wrapped(sentence, 0, look.width));
  if (sentences.length === 0) return [];
  const heads: Column[] = [
    { head: 'z-scores', align: 'left' },
    { head: 'scores' },
    { head: 'mean', align: 'point' },
    { head: 'SD', align: 'point' },
    { head: 'farthest', align: 'point' },
  ];
  const scored = survey.quantities.filter((each) => each.scores.count > 0);
  const rows = scored.map((each) => [clean(each.quantity.name), ...scoreCells(each.scores)]);
  return [...columns(heads, rows, look), ...sentences.map(look.paint.dim)];
}

/** Facts, main effects, the best and the worst cells, z-scores. */
export function storeSheet(report: Report, look: Look): string {
  const blocks = [
    facts(report, look),
    overview(report, look),
    effects(report, look),
    ...report.shown.map((each) => ranking(each, report, look)),
    scores(report, look),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}
