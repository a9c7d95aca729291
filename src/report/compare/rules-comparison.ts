/** What `compare-rules` prints for people. */

import type { RulesComparison } from '../../analysis/index.ts';
import { type Interval, STATISTICS, type UnsharedOutcome } from '../../stats/index.ts';
import { createOutcomesOmission, selectShownOutcomes } from '../run/estimate-tables.ts';
import {
  addSign,
  countDecimals,
  type EstimatedValue,
  explainWideInterval,
  formatExactValue,
  formatPercent,
  formatRange,
  getDifferenceScale,
  isRangeBound,
  type QuantityKind,
  type Scale,
  scaleInterval,
} from '../sheet/estimated-value.ts';
import {
  bold,
  createFactLine,
  createNote,
  createTable,
  type DeclaredColumn,
  type Sheet,
  type SheetBlock,
  type SheetNote,
  type SheetTable,
} from '../sheet/sheet.ts';
import { formatFixed, formatGrouped, formatShortUpperBound, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** What the two sides are called over their columns. */
export type ColumnTitles = readonly [first: string, second: string];

/** A difference, and how it is known. */
interface EstimatedDifference {
  readonly difference: number;
  readonly ci95: Interval;
  /** Of a difference of means. */
  readonly standardError?: number;
  readonly differing: number;
}

interface DifferenceRow extends EstimatedDifference {
  readonly name: string;
  readonly values: readonly [number, number];
  readonly varianceReduction: number;
  /** By how much what never came may move a difference of means. */
  readonly unobserved?: number;
  readonly exact: number | undefined;
}

/** How many unpaired battles one of these was worth; where the difference does not vary, how many battles differ. */
export function formatVarianceReduction({
  varianceReduction,
  differing,
}: Pick<DifferenceRow, 'varianceReduction' | 'differing'>): string {
  if (Number.isFinite(varianceReduction)) return `${formatSignificant(varianceReduction, 2)} x`;
  if (differing > 0) return 'all differ alike';
  return Number.isNaN(varianceReduction) ? '' : 'no battle differs';
}

/** Returns a difference for its digits. */
export function toEstimatedValue({ difference, ci95, standardError }: EstimatedDifference): EstimatedValue {
  return { value: difference, interval: ci95, standardError };
}

/** Differences in fewer battles are rare, so their intervals are wide whatever the declared range. */
const RARE = 0.05;

/** Says which setting makes wide intervals of differences of means narrow. */
export function createDifferenceRangeNotes(
  rows: readonly (EstimatedDifference & { readonly name: string })[],
  battles: number,
): SheetNote[] {
  const wide = rows.filter((row) => isRangeBound(toEstimatedValue(row)) && row.differing > RARE * battles);
  return [...new Set(wide.map(({ name }) => explainWideInterval(name)))].map((text) => createNote(text));
}

interface FormattedDifference {
  readonly row: DifferenceRow;
  readonly scale: Scale;
  readonly decimals: number;
}

/** The value of a side; its column is headed by the name of the side. */
const createSideColumn = (side: 0 | 1) => ({
  cell: ({ row, scale, decimals }: FormattedDifference): string =>
    formatFixed(scale.times * row.values[side], decimals),
});

const VALUES = 'probabilities or means; one column for each scenario, or "as it is" and "changed"';

export const DIFFERENCE_COLUMNS = {
  outcome: { head: 'outcome, %', align: 'left', about: VALUES, cell: ({ row }) => row.name },
  metric: { head: 'metric, mean', align: 'left', about: VALUES, cell: ({ row }) => row.name },
  difference: {
    head: 'difference',
    align: 'point',
    about: 'the second less the first, from paired battles; of shares in percentage points',
    cell: ({ row, scale, decimals }) => addSign(formatFixed(scale.times * row.difference, decimals)),
  },
  interval: {
    head: '95 % interval',
    about: 'confidence interval of the difference',
    cell: ({ row: { ci95 }, scale, decimals }) =>
      ci95[0] === ci95[1] ? '' : formatRange(scaleInterval(ci95, scale), (end) => addSign(formatFixed(end, decimals))),
  },
  exact: {
    head: 'exact',
    align: 'point',
    about: 'the exact difference, where all scenarios can be solved',
    cell: ({ row: { exact }, scale, decimals }) =>
      exact === undefined ? '' : addSign(formatExactValue(scale, exact, decimals)),
  },
  gain: {
    head: 'gain',
    spare: 1,
    about: 'variance reduction: how many battles without pairing tell as much as one with it',
    cell: ({ row }) => formatVarianceReduction(row),
  },
} as const satisfies Record<string, DeclaredColumn<FormattedDifference>>;

/** By how much what never came may move a difference of means. */
const UNOBSERVED_COLUMN: DeclaredColumn<FormattedDifference> = {
  ...STATISTICS.unobserved.column,
  spare: 2,
  cell: ({ row: { unobserved = 0 } }) => formatShortUpperBound(unobserved),
};

function createDifferenceTable(
  kind: QuantityKind,
  rows: readonly DifferenceRow[],
  sides: ColumnTitles,
  withExact: boolean,
): SheetTable {
  const scale = getDifferenceScale({ kind });
  const { difference, interval, exact, gain } = DIFFERENCE_COLUMNS;
  const named = sides.map(
    (head, s): DeclaredColumn<FormattedDifference> => ({
      head,
      isName: true,
      align: 'point',
      about: VALUES,
      ...createSideColumn(s === 0 ? 0 : 1),
    }),
  );
  const known = withExact ? [exact] : [];
  const unseen = rows.some((row) => row.unobserved !== undefined) ? [UNOBSERVED_COLUMN] : [];
  return createTable<FormattedDifference>(
    [DIFFERENCE_COLUMNS[kind], ...named, difference, interval, ...unseen, ...known, gain],
    rows.map((row) => ({ row, scale, decimals: countDecimals(toEstimatedValue(row), scale, scale.decimals) })),
  );
}

const UNOBSERVED_NOTE = 'unseen: by how much differences that came in no battle may move this one, by declared ranges';

/** Says what the columns of differences from paired battles are. @param bounded whether intervals are those of bets */
export function createVarianceReductionNotes(bounded: boolean): SheetNote[] {
  const lines = ['gain: battles without pairing that would tell as much as one with it', ...(bounded ? [BOUNDED] : [])];
  return lines.map((line) => createNote(line));
}

/** The same, and what is said of means beside them. */
export function createDifferenceNotes({ metrics, battles, bounded }: RulesComparison): SheetNote[] {
  return [
    createNote(UNOBSERVED_NOTE),
    ...createDifferenceRangeNotes(metrics, battles),
    ...createVarianceReductionNotes(bounded),
  ];
}

/** What `--bounded` gives. */
export const BOUNDED = 'intervals of differences hold for every law in the declared ranges (by betting)';

/** Outcomes that only one side has, so that there is nothing to compare. */
function createUnsharedOutcomeNotes(unshared: readonly UnsharedOutcome[], sides: ColumnTitles): SheetNote[] {
  return sides.flatMap((side, s) => {
    const own = unshared.filter((outcome) => outcome.side === s);
    if (own.length === 0) return [];
    const list = own.map(({ name, p }) => `${sanitizeLine(name)} ${formatPercent(formatSignificant, p, 3)}`).join(', ');
    return [createNote(`only "${side.replaceAll('\n', ' ')}" has the outcomes ${list}`)];
  });
}

/** The exact difference of an outcome or a metric, where it is known. */
export function getExactDifference(
  { exact }: RulesComparison,
  of: 'outcomes' | 'metrics',
  name: string,
): number | undefined {
  const [one, two] = (exact ?? []).map((summary) =>
    of === 'outcomes'
      ? (summary.outcomes.find((each) => each.name === name)?.p ?? 0)
      : summary.metrics.find((each) => each.name === name)?.mean,
  );
  return one === undefined || two === undefined ? undefined : two - one;
}

/** The tables of outcomes and metrics. */
export function createDifferenceTables(
  result: RulesComparison,
  sides: ColumnTitles,
): [outcomes: SheetBlock[], metrics: SheetBlock[]] {
  const { outcomes, metrics, exact, unshared } = result;
  const comes = (of: string): boolean =>
    (exact ?? []).some((summary) => summary.outcomes.some((outcome) => outcome.name === of && outcome.p > 0));
  const shown = selectShownOutcomes(outcomes, ({ name: of, p }) => p.some((share) => share > 0) || comes(of));
  const shares = shown.map(
    (row): DifferenceRow => ({ ...row, values: row.p, exact: getExactDifference(result, 'outcomes', row.name) }),
  );
  const means = metrics.map(
    (row): DifferenceRow => ({ ...row, values: row.mean, exact: getExactDifference(result, 'metrics', row.name) }),
  );
  const known = exact !== undefined;
  return [
    [
      createDifferenceTable('outcome', shares, sides, known),
      ...createOutcomesOmission(outcomes.length - shown.length, 'that never came'),
      ...createUnsharedOutcomeNotes(unshared, sides),
    ],
    [createDifferenceTable('metric', means, sides, known)],
  ];
}

/**
 * The sheet of a comparison of two readings of a scenario.
 * @param changes what the second reading changes
 */
export function createRulesComparisonSheet(result: RulesComparison, name: string, changes: readonly string[]): Sheet {
  const { battles, seed } = result;
  const facts = [changes.map(sanitizeLine).join(', '), `${formatGrouped(battles)} battles both ways`, `seed ${seed}`];
  const tables = createDifferenceTables(result, ['as it is', 'changed']);
  return [[createFactLine([bold(sanitizeLine(name)), ...facts])], ...tables, createDifferenceNotes(result)];
}
