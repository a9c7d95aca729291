/** What `diff-rules` prints for people. */

import { type Interval, STATISTICS, type UnsharedOutcome } from '../answers/index.ts';
import type { RulesDifference } from '../studies/index.ts';
import { outcomesLeftOut, shownOutcomes } from './estimates.ts';
import {
  decimalsOf,
  endsText,
  exactText,
  type Figure,
  gapScaleOf,
  isRangeBound,
  type Kind,
  percent,
  type Scale,
  scaled,
  signed,
  wideText,
} from './figure.ts';
import {
  bold,
  type DeclaredColumn,
  factLine,
  type Grid,
  grid,
  note,
  type Sheet,
  type SheetBlock,
  type SheetNote,
} from './parts.ts';
import { clean } from './text/clean.ts';
import { fixed, grouped, shortBound, significant } from './text/digits.ts';

/** What the two sides are called over their columns. */
export type Sides = readonly [first: string, second: string];

/** A difference, and how it is known. */
interface EstimatedDifference {
  readonly difference: number;
  readonly ci95: Interval;
  /** Of a difference of means. */
  readonly standardError?: number;
  readonly differing: number;
}

interface Row extends EstimatedDifference {
  readonly name: string;
  readonly values: readonly [number, number];
  readonly gain: number;
  /** By how much what never came may move a difference of means. */
  readonly unseen?: number;
  readonly exact: number | undefined;
}

/** How many unpaired battles one of these was worth; where the difference does not vary, how many battles differ. */
export function gained({ gain, differing }: Pick<Row, 'gain' | 'differing'>): string {
  if (Number.isFinite(gain)) return `${significant(gain, 2)} x`;
  if (differing > 0) return 'all differ alike';
  return Number.isNaN(gain) ? '' : 'no battle differs';
}

/** Returns a difference for its digits. */
export function figureOf({ difference, ci95, standardError }: EstimatedDifference): Figure {
  return { value: difference, interval: ci95, standardError };
}

/** Differences in fewer battles are rare, so their intervals are wide whatever the declared range. */
const RARE = 0.05;

/** Says which setting makes wide intervals of differences of means narrow. */
export function rangeNotes(
  rows: readonly (EstimatedDifference & { readonly name: string })[],
  battles: number,
): SheetNote[] {
  const wide = rows.filter((row) => isRangeBound(figureOf(row)) && row.differing > RARE * battles);
  return [...new Set(wide.map(({ name }) => wideText(name)))].map((text) => note(text));
}

interface Shown {
  readonly row: Row;
  readonly scale: Scale;
  readonly decimals: number;
}

/** The value of a side; its column is headed by the name of the side. */
const sideColumn = (side: 0 | 1) => ({
  cell: ({ row, scale, decimals }: Shown): string => fixed(scale.times * row.values[side], decimals),
});

const VALUES = 'probabilities or means; one column for each scenario, or "as it is" and "changed"';

export const DIFFERENCE_COLUMNS = {
  outcome: { head: 'outcome, %', align: 'left', about: VALUES, cell: ({ row }) => row.name },
  metric: { head: 'metric, mean', align: 'left', about: VALUES, cell: ({ row }) => row.name },
  difference: {
    head: 'difference',
    align: 'point',
    about: 'the second less the first, from paired battles; of shares in percentage points',
    cell: ({ row, scale, decimals }) => signed(fixed(scale.times * row.difference, decimals)),
  },
  interval: {
    head: '95 % interval',
    about: 'confidence interval of the difference',
    cell: ({ row: { ci95 }, scale, decimals }) =>
      ci95[0] === ci95[1] ? '' : endsText(scaled(ci95, scale), (end) => signed(fixed(end, decimals))),
  },
  exact: {
    head: 'exact',
    align: 'point',
    about: 'the exact difference, where all scenarios can be solved',
    cell: ({ row: { exact }, scale, decimals }) =>
      exact === undefined ? '' : signed(exactText(scale, exact, decimals)),
  },
  gain: {
    head: 'gain',
    spare: 1,
    about: 'variance reduction: how many battles without pairing tell as much as one with it',
    cell: ({ row }) => gained(row),
  },
} as const satisfies Record<string, DeclaredColumn<Shown>>;

/** By how much what never came may move a difference of means. */
const UNSEEN_COLUMN: DeclaredColumn<Shown> = {
  ...STATISTICS.unseen.column,
  spare: 2,
  cell: ({ row: { unseen = 0 } }) => shortBound(unseen),
};

function table(kind: Kind, rows: readonly Row[], sides: Sides, withExact: boolean): Grid {
  const scale = gapScaleOf({ kind });
  const { difference, interval, exact, gain } = DIFFERENCE_COLUMNS;
  const named = sides.map(
    (head, s): DeclaredColumn<Shown> => ({
      head,
      named: true,
      align: 'point',
      about: VALUES,
      ...sideColumn(s === 0 ? 0 : 1),
    }),
  );
  const known = withExact ? [exact] : [];
  const unseen = rows.some((row) => row.unseen !== undefined) ? [UNSEEN_COLUMN] : [];
  return grid<Shown>(
    [DIFFERENCE_COLUMNS[kind], ...named, difference, interval, ...unseen, ...known, gain],
    rows.map((row) => ({ row, scale, decimals: decimalsOf(figureOf(row), scale, scale.decimals) })),
  );
}

const UNSEEN = 'unseen: by how much differences that came in no battle may move this one, by declared ranges';

/** Says what the columns of differences from paired battles are. @param bounded whether intervals are those of bets */
export function gainNotes(bounded: boolean): SheetNote[] {
  const lines = ['gain: battles without pairing that would tell as much as one with it', ...(bounded ? [BOUNDED] : [])];
  return lines.map((line) => note(line));
}

/** The same, and what is said of means beside them. */
export function differenceNotes({ metrics, battles, bounded }: RulesDifference): SheetNote[] {
  return [note(UNSEEN), ...rangeNotes(metrics, battles), ...gainNotes(bounded)];
}

/** What `--bounded` gives. */
export const BOUNDED = 'intervals of differences hold for every law in the declared ranges (by betting)';

/** Outcomes that only one side has, so that there is nothing to compare. */
function unsharedLines(unshared: readonly UnsharedOutcome[], sides: Sides): SheetNote[] {
  return sides.flatMap((side, s) => {
    const own = unshared.filter((outcome) => outcome.side === s);
    if (own.length === 0) return [];
    const list = own.map(({ name, p }) => `${clean(name)} ${percent(significant, p, 3)}`).join(', ');
    return [note(`only "${side.replaceAll('\n', ' ')}" has the outcomes ${list}`)];
  });
}

/** The exact difference of an outcome or a metric, where it is known. */
export function exactGap({ exact }: RulesDifference, of: 'outcomes' | 'metrics', name: string): number | undefined {
  const [one, two] = (exact ?? []).map((summary) =>
    of === 'outcomes'
      ? (summary.outcomes.find((each) => each.name === name)?.p ?? 0)
      : summary.metrics.find((each) => each.name === name)?.mean,
  );
  return one === undefined || two === undefined ? undefined : two - one;
}

/** The tables of outcomes and metrics. */
export function differenceTables(
  result: RulesDifference,
  sides: Sides,
): [outcomes: SheetBlock[], metrics: SheetBlock[]] {
  const { outcomes, metrics, exact, unshared } = result;
  const comes = (of: string): boolean =>
    (exact ?? []).some((summary) => summary.outcomes.some((outcome) => outcome.name === of && outcome.p > 0));
  const shown = shownOutcomes(outcomes, ({ name: of, p }) => p.some((share) => share > 0) || comes(of));
  const shares = shown.map((row): Row => ({ ...row, values: row.p, exact: exactGap(result, 'outcomes', row.name) }));
  const means = metrics.map((row): Row => ({ ...row, values: row.mean, exact: exactGap(result, 'metrics', row.name) }));
  const known = exact !== undefined;
  return [
    [
      table('outcome', shares, sides, known),
      ...outcomesLeftOut(outcomes.length - shown.length, 'that never came'),
      ...unsharedLines(unshared, sides),
    ],
    [table('metric', means, sides, known)],
  ];
}

/**
 * The sheet of a comparison of two readings of a scenario.
 * @param changes what the second reading changes
 */
export function diffSheet(result: RulesDifference, name: string, changes: readonly string[]): Sheet {
  const { battles, seed } = result;
  const facts = [changes.map(clean).join(', '), `${grouped(battles)} battles both ways`, `seed ${seed}`];
  const tables = differenceTables(result, ['as it is', 'changed']);
  return [[factLine([bold(clean(name)), ...facts])], ...tables, differenceNotes(result)];
}
