/** What `diff-rules` prints for people. */

import type { Interval } from '../answers/intervals.ts';
import type { UnsharedOutcome } from '../answers/paired.ts';
import type { RulesDifference } from '../studies/comparing/diff-rules.ts';
import { leftOut, shownOutcomes } from './estimates.ts';
import { decimalsOf, endsText, gapScaleOf, percent, type Scale, scaled, signed } from './figure.ts';
import { clean } from './text/clean.ts';
import { exactly, fixed, grouped, shortBound, significant } from './text/digits.ts';
import { type Column, columns, dotted, type Look, said } from './text/table.ts';

/** What the two sides are called over their columns. */
export type Sides = readonly [first: string, second: string];

interface Row {
  readonly name: string;
  readonly values: readonly number[];
  readonly difference: number;
  readonly ci95: Interval;
  readonly gain: number;
  readonly differing: number;
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

function cells(row: Row, scale: Scale, withExact: boolean): string[] {
  const { name, values, difference, ci95, exact } = row;
  const { times } = scale;
  const decimals = decimalsOf(ci95, scale, scale.decimals);
  const gap = (value: number): string => signed(fixed(value, decimals));
  const known = exact === undefined ? '' : signed(exactly(times * exact, decimals + 2));
  return [
    name,
    ...values.map((value) => fixed(times * value, decimals)),
    gap(times * difference),
    ci95[0] === ci95[1] ? '' : endsText(scaled(ci95, scale), gap),
    ...(row.unseen === undefined ? [] : [shortBound(row.unseen)]),
    ...(withExact ? [known] : []),
    gained(row),
  ];
}

function table(
  head: string,
  rows: readonly Row[],
  scale: Scale,
  sides: Sides,
  withExact: boolean,
  look: Look,
): string[] {
  const exact: Column[] = withExact ? [{ head: 'exact', align: 'point' }] : [];
  const heads: Column[] = [
    { head, align: 'left' },
    ...sides.map((side): Column => ({ head: side, named: true, align: 'point' })),
    { head: 'difference', align: 'point' },
    { head: '95 % interval' },
    ...(rows.some(({ unseen }) => unseen !== undefined) ? [{ head: 'unseen <', spare: 2 }] : []),
    ...exact,
    { head: 'gain', spare: 1 },
  ];
  return columns(
    heads,
    rows.map((row) => cells(row, scale, withExact)),
    look,
  );
}

const UNSEEN = 'unseen: by how much differences that came in no battle may move this one, by declared ranges';

/** Says what the columns of differences from paired battles are. @param bounded whether intervals are those of bets */
export function gainNotes(look: Look, bounded: boolean): string[] {
  const lines = ['gain: battles without pairing that would tell as much as one with it', ...(bounded ? [BOUNDED] : [])];
  return lines.flatMap((line) => said(line, look));
}

/** The same, and what is said of means beside them. */
export function differenceNotes(look: Look, bounded: boolean): string[] {
  return [...said(UNSEEN, look), ...gainNotes(look, bounded)];
}

/** What `--bounded` gives. */
export const BOUNDED = 'intervals of differences hold for every law in the declared ranges (by betting)';

/** Outcomes that only one side has, so that there is nothing to compare. */
function unsharedLines(unshared: readonly UnsharedOutcome[], sides: Sides, look: Look): string[] {
  return sides.flatMap((side, s) => {
    const own = unshared.filter((outcome) => outcome.side === s);
    if (own.length === 0) return [];
    const list = own.map(({ name, p }) => `${clean(name)} ${percent(significant, p, 3)}`).join(', ');
    return said(`only "${side.replaceAll('\n', ' ')}" has the outcomes ${list}`, look);
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

/** The tables of outcomes and metrics, lines each. */
export function differenceTables(result: RulesDifference, sides: Sides, look: Look): string[][] {
  const { outcomes, metrics, exact, unshared } = result;
  const comes = (of: string): boolean =>
    (exact ?? []).some((summary) => summary.outcomes.some((outcome) => outcome.name === of && outcome.p > 0));
  const shown = shownOutcomes(outcomes, ({ name: of, p }) => p.some((share) => share > 0) || comes(of));
  const shares = shown.map((row): Row => ({ ...row, values: row.p, exact: exactGap(result, 'outcomes', row.name) }));
  const means = metrics.map((row): Row => ({ ...row, values: row.mean, exact: exactGap(result, 'metrics', row.name) }));
  const known = exact !== undefined;
  return [
    [
      ...table('outcome, %', shares, gapScaleOf({ kind: 'outcome' }), sides, known, look),
      ...leftOut(outcomes.length - shown.length, 'that never came', look),
      ...unsharedLines(unshared, sides, look),
    ],
    table('metric, mean', means, gapScaleOf({ kind: 'metric' }), sides, known, look),
  ];
}

/**
 * The sheet of a comparison of two readings of a scenario.
 * @param changes what the second reading changes
 */
export function diffSheet(result: RulesDifference, name: string, changes: readonly string[], look: Look): string {
  const { battles, seed, bounded } = result;
  const { paint } = look;
  const facts = [changes.map(clean).join(', '), `${grouped(battles)} battles both ways`, `seed ${seed}`];
  const blocks = [
    dotted([paint.bold(clean(name)), ...facts], look),
    ...differenceTables(result, ['as it is', 'changed'], look),
    differenceNotes(look, bounded),
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
