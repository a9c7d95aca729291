/** Report of `compare-rules`. */

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

/** Heads of the columns of the two scenarios. */
export type ColumnTitles = readonly [first: string, second: string];

/** Difference with its interval. */
interface EstimatedDifference {
  readonly difference: number;
  readonly ci95: Interval;
  /** Standard error of a difference of means. */
  readonly standardError?: number;
  readonly differing: number;
}

interface DifferenceRow extends EstimatedDifference {
  readonly name: string;
  readonly values: readonly [number, number];
  readonly varianceReduction: number;
  /** Possible effect of unobserved values on a difference of means. */
  readonly unobserved?: number;
  readonly exact: number | undefined;
}

/** Formats the variance reduction factor, or the reason why there is none. */
export function formatVarianceReduction({
  varianceReduction,
  differing,
}: Pick<DifferenceRow, 'varianceReduction' | 'differing'>): string {
  if (Number.isFinite(varianceReduction)) return `${formatSignificant(varianceReduction, 2)} x`;
  if (differing > 0) return 'constant difference';
  return Number.isNaN(varianceReduction) ? '' : 'no battle differs';
}

/** Converts a difference for number formatting. */
export function toEstimatedValue({ difference, ci95, standardError }: EstimatedDifference): EstimatedValue {
  return { value: difference, interval: ci95, standardError };
}

/** Below this share of differing battles, the rarity of differences makes intervals wide, not the declared range. */
const RARE = 0.05;

/** Names the settings that narrow wide intervals of differences of means. */
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

/** Creates the column of the values of one scenario. Its head is the name of the scenario. */
const createSideColumn = (side: 0 | 1) => ({
  cell: ({ row, scale, decimals }: FormattedDifference): string =>
    formatFixed(scale.times * row.values[side], decimals),
});

const VALUES = 'probabilities or means; one column for each scenario, or "original" and "changed"';

export const DIFFERENCE_COLUMNS = {
  outcome: { head: 'outcome, %', align: 'left', about: VALUES, cell: ({ row }) => row.name },
  metric: { head: 'metric, mean', align: 'left', about: VALUES, cell: ({ row }) => row.name },
  difference: {
    head: 'difference',
    align: 'point',
    about: 'second minus first, from paired battles; of shares in percentage points',
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
    about: 'exact difference, if all scenarios can be solved',
    cell: ({ row: { exact }, scale, decimals }) =>
      exact === undefined ? '' : addSign(formatExactValue(scale, exact, decimals)),
  },
  gain: {
    head: 'variance\nreduction',
    spare: 1,
    about: 'number of unpaired battles that give the same precision as one paired battle',
    cell: ({ row }) => formatVarianceReduction(row),
  },
} as const satisfies Record<string, DeclaredColumn<FormattedDifference>>;

/** Column of the possible effect of unobserved values on a difference of means. */
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

const UNOBSERVED_NOTE = 'unobserved: largest effect of unobserved differences, from the declared ranges';

/** Explains the columns of differences from paired battles. @param bounded true for betting intervals */
export function createVarianceReductionNotes(bounded: boolean): SheetNote[] {
  const lines = ['variance reduction: unpaired battles that equal one paired battle', ...(bounded ? [BOUNDED] : [])];
  return lines.map((line) => createNote(line));
}

/** Explains the columns of differences, including differences of means. */
export function createDifferenceNotes({ metrics, battles, bounded }: RulesComparison): SheetNote[] {
  return [
    createNote(UNOBSERVED_NOTE),
    ...createDifferenceRangeNotes(metrics, battles),
    ...createVarianceReductionNotes(bounded),
  ];
}

/** Note of `--bounded`. */
export const BOUNDED = 'intervals of differences are valid for every distribution in the declared ranges (betting)';

/** Lists the outcomes that only one scenario has. */
function createUnsharedOutcomeNotes(unshared: readonly UnsharedOutcome[], sides: ColumnTitles): SheetNote[] {
  return sides.flatMap((side, s) => {
    const own = unshared.filter((outcome) => outcome.side === s);
    if (own.length === 0) return [];
    const list = own.map(({ name, p }) => `${sanitizeLine(name)} ${formatPercent(formatSignificant, p, 3)}`).join(', ');
    return [createNote(`only "${side.replaceAll('\n', ' ')}" has the outcomes ${list}`)];
  });
}

/** Relative difference of exact values that can be due to rounding. */
const ROUNDING = 1e-13;

/** Exact difference of an outcome or a metric, if it is known; 0 for a difference that can be due to rounding. */
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
  if (one === undefined || two === undefined) return undefined;
  return Math.abs(two - one) <= ROUNDING * Math.max(Math.abs(one), Math.abs(two)) ? 0 : two - one;
}

/** Creates the tables of outcomes and metrics. */
export function createDifferenceTables(
  result: RulesComparison,
  sides: ColumnTitles,
): [outcomes: SheetBlock[], metrics: SheetBlock[]] {
  const { outcomes, metrics, exact, unshared } = result;
  const canOccur = (of: string): boolean =>
    (exact ?? []).some((summary) => summary.outcomes.some((outcome) => outcome.name === of && outcome.p > 0));
  const shown = selectShownOutcomes(outcomes, ({ name: of, p }) => p.some((share) => share > 0) || canOccur(of));
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
      ...createOutcomesOmission(outcomes.length - shown.length, 'that never occurred'),
      ...createUnsharedOutcomeNotes(unshared, sides),
    ],
    [createDifferenceTable('metric', means, sides, known)],
  ];
}

/**
 * Creates the report of a comparison of a scenario under two sets of rules.
 * @param changes settings of the second one, for the title
 */
export function createRulesComparisonSheet(result: RulesComparison, name: string, changes: readonly string[]): Sheet {
  const { battles, seed } = result;
  const facts = [changes.map(sanitizeLine).join(', '), `${formatGrouped(battles)} battles each`, `seed ${seed}`];
  const tables = createDifferenceTables(result, ['original', 'changed']);
  return [[createFactLine([bold(sanitizeLine(name)), ...facts])], ...tables, createDifferenceNotes(result)];
}
