/** The tables of a report, for the terminal and the page. */
import { placesOf } from '../../work/index.ts';
import { intervalText, scaleOf, valueText } from '../figure.ts';
import type { Grid } from '../parts.ts';
import { neverOf } from '../survey/answers.ts';
import { axisText, axisTitle, headOf, keyOf, type Reading, titleOf } from '../survey/quantity.ts';
import { endsOf, type Level, levelText } from '../survey/ranks.ts';
import type { Survey, Surveyed } from '../survey/survey.ts';
import type { Column } from '../text/column.ts';
import { grouped } from '../text/digits.ts';
import type { Report } from './report.ts';
import { pathsText, precisionHead, precisionText, rounded, scoreCells, valuesText } from './words.ts';

/** The axes with what they set, where their titles do not say it. */
export function axisTable({ facts: { axes } }: Survey): Grid {
  const named = axes.some((axis) => pathsText(axis) !== '');
  const heads = ['axis', ...(named ? ['sets'] : []), 'values'].map((head) => ({ head, align: 'left' }) as const);
  const rows = axes.map((axis) => [axisTitle(axis), ...(named ? [pathsText(axis)] : []), valuesText(axis)]);
  return { kind: 'table', heads, rows };
}

/** The outcomes and metrics of the table over the cells: those that come, each once. */
export function overviewed({ survey, left }: Report): Surveyed[] {
  const hidden = new Set([...neverOf(survey), ...left]);
  return survey.quantities.filter((each) => !hidden.has(each));
}

/**
 * The table over the cells.
 * @param nameOf names a row
 * @param placeOf says where a value is; without it there is no such column
 */
export function overviewTable(
  shown: readonly Surveyed[],
  nameOf: (quantity: Surveyed['quantity']) => string,
  placeOf?: (level: Level, cells: number) => string,
): Grid {
  const at: Column[] = placeOf === undefined ? [] : [{ head: 'at', align: 'left', breaks: true }];
  const heads: Column[] = [
    { head: 'over the cells', align: 'left' },
    ...[{ head: 'least' }, ...at],
    { head: 'mean' },
    ...[{ head: 'greatest' }, ...at],
    { head: precisionHead(shown).replace(' up', '\nup'), spare: 1 },
  ];
  const rows = shown.map((each) => {
    const { quantity, least, greatest, mean, cells } = each;
    const end = (level: Level): string[] => [levelText(quantity, level), ...(placeOf ? [placeOf(level, cells)] : [])];
    return [nameOf(quantity), ...end(least), rounded(quantity, mean), ...end(greatest), precisionText(each)];
  });
  return { kind: 'table', heads, rows, quantities: shown.map(({ quantity }) => quantity) };
}

/** The z-scores. */
export function scoreTable({ quantities }: Survey): Grid {
  const scored = quantities.filter((each) => each.scores.count > 0);
  const heads: Column[] = [
    { head: 'z-scores', align: 'left' },
    { head: 'scores', spare: 1 },
    { head: 'mean', align: 'point', spare: 2 },
    { head: 'SD', align: 'point' },
    { head: 'farthest', align: 'point' },
  ];
  const rows = scored.map(({ quantity: { name }, scores }) => [name, ...scoreCells(scores)]);
  return { kind: 'table', heads, rows, quantities: scored.map(({ quantity }) => quantity) };
}

/** Cells at each end of a ranking. */
const ENDS = 5;

/** The ends of the ranking, and for outcomes the cells closest to even where these are others; all cells if they are few. */
export function rankingTables(of: Surveyed, { survey, gathered }: Report): (readonly [title: string, table: Grid])[] {
  const { quantity, even, cells } = of;
  const known = gathered.ends.get(keyOf(quantity));
  if (cells < 2 || known === undefined) return [];
  const axes = placesOf(survey.facts);
  const scale = scaleOf(quantity);
  const cellRow = (reading: Reading): string[] => [
    ...[String(reading.cell), ...axes.map(({ name }) => axisText(reading.axes[name]))],
    ...[valueText(scale, reading), intervalText(scale, reading)],
  ];
  // Cells of one value: each by itself, or how many there are where to name some would be arbitrary.
  const levelRow = (level: Level): string[] => {
    const [first] = level.readings;
    if (level.cells === 1 && first !== undefined) return cellRow(first);
    return [`${grouped(level.cells)} cells`, ...axes.map(() => ''), levelText(quantity, level), ''];
  };
  const table = (rows: readonly (readonly string[])[]): Grid => {
    const heads: Column[] = [
      { head: 'cell' },
      ...axes.map((axis): Column => ({ head: axisTitle(axis), named: true })),
      { head: headOf(quantity), named: true },
    ];
    const estimated = rows.some((row) => (row[heads.length] ?? '') !== '');
    if (estimated) heads.push({ head: '95 % interval', spare: 1 });
    return { kind: 'table', heads, rows: rows.map((row) => row.slice(0, heads.length)) };
  };
  const { highest, lowest } = endsOf(known, ENDS);
  const few = [...highest, ...lowest].reduce((sum, level) => sum + level.cells, 0) >= cells;
  const ends = [...highest.map(levelRow), ...(few ? [] : [['…']]), ...lowest.map(levelRow)];
  const there = new Set(ends.map((row) => row.join()));
  const nearest = (even?.nearest ?? []).slice(0, ENDS).map(cellRow);
  const others = !few && nearest.some((row) => !there.has(row.join()));
  const title = titleOf(quantity, survey.facts.counts ?? {});
  return [
    [`highest and lowest: ${title}`, table(ends)],
    ...(others ? [[`closest to 50 %: ${title}`, table(nearest)] as const] : []),
  ];
}
