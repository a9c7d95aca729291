/** Tables of sweep reports, for the terminal and HTML. */
import { listCellColumns } from '../../storage/index.ts';
import { formatInterval, formatValue, getScale } from '../sheet/estimated-value.ts';
import type { SheetTable } from '../sheet/sheet.ts';
import type { QuantityAnalysis, SweepAnalysis } from '../sweep-analysis/analysis.ts';
import { type CellLevel, formatLevel, selectExtremes } from '../sweep-analysis/extreme-cells.ts';
import { listNeverObserved } from '../sweep-analysis/findings.ts';
import {
  type CellReading,
  formatAxisTitle,
  formatAxisValue,
  formatQuantityHeading,
  formatQuantityTitle,
  getQuantityKey,
} from '../sweep-analysis/quantity.ts';
import type { TextColumn } from '../text/column.ts';
import { formatGrouped } from '../text/number-format.ts';
import {
  formatAxisPaths,
  formatAxisValues,
  formatPrecision,
  formatPrecisionHeading,
  formatRounded,
  formatScoreCells,
} from './facts-text.ts';
import type { SweepReport } from './report.ts';

/** Creates the table of the axes, with their fields if the titles differ. */
export function createAxisTable({ facts: { axes } }: SweepAnalysis): SheetTable {
  const named = axes.some((axis) => formatAxisPaths(axis) !== '');
  const heads = ['axis', ...(named ? ['sets'] : []), 'values'].map((head) => ({ head, align: 'left' }) as const);
  const rows = axes.map((axis) => [
    formatAxisTitle(axis),
    ...(named ? [formatAxisPaths(axis)] : []),
    formatAxisValues(axis),
  ]);
  return { kind: 'table', heads, rows };
}

/** Outcomes and metrics of the overview: those that occur, without duplicates. */
export function listOverviewQuantities({ survey, duplicates }: SweepReport): QuantityAnalysis[] {
  const hidden = new Set([...listNeverObserved(survey), ...duplicates]);
  return survey.quantities.filter((each) => !hidden.has(each));
}

/**
 * Creates the overview over all cells.
 * @param nameOf formats the name of a row
 * @param placeOf formats the cell of a value; without it there is no such column
 */
export function createOverviewTable(
  shown: readonly QuantityAnalysis[],
  nameOf: (quantity: QuantityAnalysis['quantity']) => string,
  placeOf?: (level: CellLevel, cells: number) => string,
): SheetTable {
  const at: TextColumn[] = placeOf === undefined ? [] : [{ head: 'at', align: 'left', breaks: true }];
  const heads: TextColumn[] = [
    { head: 'over the cells', align: 'left' },
    ...[{ head: 'least' }, ...at],
    { head: 'mean' },
    ...[{ head: 'greatest' }, ...at],
    { head: formatPrecisionHeading(shown).replace(' up', '\nup'), spare: 1 },
  ];
  const rows = shown.map((each) => {
    const { quantity, least, greatest, mean, cells } = each;
    const end = (level: CellLevel): string[] => [
      formatLevel(quantity, level),
      ...(placeOf ? [placeOf(level, cells)] : []),
    ];
    return [nameOf(quantity), ...end(least), formatRounded(quantity, mean), ...end(greatest), formatPrecision(each)];
  });
  return { kind: 'table', heads, rows, quantities: shown.map(({ quantity }) => quantity) };
}

/** Creates the table of z-scores. */
export function createZScoreTable({ quantities }: SweepAnalysis): SheetTable {
  const scored = quantities.filter((each) => each.scores.count > 0);
  const heads: TextColumn[] = [
    { head: 'z-scores', align: 'left' },
    { head: 'scores', spare: 1 },
    { head: 'mean', align: 'point', spare: 2 },
    { head: 'SD', align: 'point' },
    { head: 'farthest', align: 'point' },
  ];
  const rows = scored.map(({ quantity: { name }, scores }) => [name, ...formatScoreCells(scores)]);
  return { kind: 'table', heads, rows, quantities: scored.map(({ quantity }) => quantity) };
}

/** Number of cells at each end of a ranking. */
const CELLS_AT_ENDS = 5;

/** Creates the ranking of the highest and lowest cells (all if there are few), and of other cells closest to 50 %. */
export function createRankingTables(
  of: QuantityAnalysis,
  { survey, figureData }: SweepReport,
): (readonly [title: string, table: SheetTable])[] {
  const { quantity, even, cells } = of;
  const known = figureData.ends.get(getQuantityKey(quantity));
  if (cells < 2 || known === undefined) return [];
  const axes = listCellColumns(survey.facts);
  const scale = getScale(quantity);
  const createCellRow = (reading: CellReading): string[] => [
    ...[String(reading.cell), ...axes.map(({ name }) => formatAxisValue(reading.axes[name]))],
    ...[formatValue(scale, reading), formatInterval(scale, reading)],
  ];
  // Equal cells: one row each, or their number if naming some would be arbitrary.
  const createLevelRow = (level: CellLevel): string[] => {
    const [first] = level.readings;
    if (level.cells === 1 && first !== undefined) return createCellRow(first);
    return [`${formatGrouped(level.cells)} cells`, ...axes.map(() => ''), formatLevel(quantity, level), ''];
  };
  const table = (rows: readonly (readonly string[])[]): SheetTable => {
    const heads: TextColumn[] = [
      { head: 'cell' },
      ...axes.map((axis): TextColumn => ({ head: formatAxisTitle(axis), isName: true })),
      { head: formatQuantityHeading(quantity), isName: true },
    ];
    const estimated = rows.some((row) => (row[heads.length] ?? '') !== '');
    if (estimated) heads.push({ head: '95 % interval', spare: 1 });
    return { kind: 'table', heads, rows: rows.map((row) => row.slice(0, heads.length)) };
  };
  const { highest, lowest } = selectExtremes(known, CELLS_AT_ENDS);
  const few = [...highest, ...lowest].reduce((sum, level) => sum + level.cells, 0) >= cells;
  const ends = [...highest.map(createLevelRow), ...(few ? [] : [['…']]), ...lowest.map(createLevelRow)];
  const there = new Set(ends.map((row) => row.join()));
  const nearest = (even?.nearest ?? []).slice(0, CELLS_AT_ENDS).map(createCellRow);
  const others = !few && nearest.some((row) => !there.has(row.join()));
  const title = formatQuantityTitle(quantity, survey.facts.counts ?? {});
  return [
    [`highest and lowest: ${title}`, table(ends)],
    ...(others ? [[`closest to 50 %: ${title}`, table(nearest)] as const] : []),
  ];
}
