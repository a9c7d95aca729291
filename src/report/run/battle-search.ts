/** What `find` and `run --coverage` print for people. */

import type { FindResult, RuleCoverage } from '../../analysis/index.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import { createNote, createTable, type DeclaredColumn, type SheetBlock, styleText } from '../sheet/sheet.ts';
import { formatCommandLine, type ScenarioOptions } from '../text/command-line.ts';
import { formatGrouped, formatNumber, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatTable, type TerminalStyle, type TextColumn } from '../text/table.ts';

/** Battles that were found, and how one of them is replayed; nothing if there are none. */
export function formatFindSheet(
  { matches }: FindResult,
  options: ScenarioOptions & { readonly seed: bigint },
  look: TerminalStyle,
): string {
  const [first] = matches;
  if (first === undefined) return '';
  const names = Object.keys(first.metrics);
  const rows = matches.map(({ battle, outcome, metrics }) => [
    formatGrouped(battle),
    outcome,
    ...names.map((name) => formatNumber(metrics[name] ?? 0)),
  ]);
  const heads: TextColumn[] = [
    { head: 'battle' },
    { head: 'outcome', align: 'left', breaks: true },
    ...names.map((name) => ({ head: name, named: true })),
  ];
  const hint = formatCommandLine('replay', options, '--seed', String(options.seed), '--battle', String(first.battle));
  return `${[...formatTable(heads, rows, look), '', look.paint.dim(sanitizeLine(hint))].join('\n')}\n`;
}

/** A rule, and in which share of the battles it applied. */
interface CoverageRow extends RuleCoverage {
  readonly share: number;
}

export const COVERAGE_COLUMNS: readonly DeclaredColumn<CoverageRow>[] = [
  { head: 'rule', align: 'left', about: 'a rule of the system (--coverage)', cell: ({ id }) => id },
  { head: 'times', about: 'how often it applied', cell: ({ fired }) => formatGrouped(fired) },
  {
    head: 'battles',
    about: 'the share of battles in which it applied',
    cell: ({ share }) => (share === 0 ? styleText('never', 'yellow') : formatPercent(formatSignificant, share, 3)),
  },
  { head: 'source', align: 'left', breaks: true, about: 'where the rule comes from', cell: ({ source }) => source },
];

/** Rules with how often they applied and in which share of the battles; what never applied is marked. */
export function createCoverageTable(rules: readonly RuleCoverage[], battles: number): SheetBlock[] {
  const rows = rules.map((rule) => ({ ...rule, share: rule.battles / battles }));
  return [
    createNote(`rules that applied in the first ${formatGrouped(battles)} battles`),
    createTable(COVERAGE_COLUMNS, rows),
  ];
}
