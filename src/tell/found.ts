/** What `find` and `run --coverage` print for people. */

import type { RuleCoverage, Search } from '../studies/index.ts';
import { percent } from './figure.ts';
import { type DeclaredColumn, grid, note, type SheetBlock, toned } from './parts.ts';
import { clean } from './text/clean.ts';
import { commandLine, type GivenOptions } from './text/command.ts';
import { grouped, plain, significant } from './text/digits.ts';
import { type Column, columns, type Look } from './text/table.ts';

/** Battles that were found, and how one of them is replayed; nothing if there are none. */
export function foundSheet({ found }: Search, asked: GivenOptions & { readonly seed: bigint }, look: Look): string {
  const [first] = found;
  if (first === undefined) return '';
  const names = Object.keys(first.metrics);
  const rows = found.map(({ battle, outcome, metrics }) => [
    grouped(battle),
    outcome,
    ...names.map((name) => plain(metrics[name] ?? 0)),
  ]);
  const heads: Column[] = [
    { head: 'battle' },
    { head: 'outcome', align: 'left', breaks: true },
    ...names.map((name) => ({ head: name, named: true })),
  ];
  const hint = commandLine('replay', asked, '--seed', String(asked.seed), '--battle', String(first.battle));
  return `${[...columns(heads, rows, look), '', look.paint.dim(clean(hint))].join('\n')}\n`;
}

/** A rule, and in which share of the battles it applied. */
interface CoveredRule extends RuleCoverage {
  readonly share: number;
}

export const COVERAGE_COLUMNS: readonly DeclaredColumn<CoveredRule>[] = [
  { head: 'rule', align: 'left', about: 'a rule of the system (--coverage)', cell: ({ id }) => id },
  { head: 'times', about: 'how often it applied', cell: ({ fired }) => grouped(fired) },
  {
    head: 'battles',
    about: 'the share of battles in which it applied',
    cell: ({ share }) => (share === 0 ? toned('never', 'yellow') : percent(significant, share, 3)),
  },
  { head: 'source', align: 'left', breaks: true, about: 'where the rule comes from', cell: ({ source }) => source },
];

/** Rules with how often they applied and in which share of the battles; what never applied is marked. */
export function coverageTable(rules: readonly RuleCoverage[], battles: number): SheetBlock[] {
  const rows = rules.map((rule) => ({ ...rule, share: rule.battles / battles }));
  return [note(`rules that applied in the first ${grouped(battles)} battles`), grid(COVERAGE_COLUMNS, rows)];
}
