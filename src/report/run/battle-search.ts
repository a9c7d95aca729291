/** Reports of `find` and `run --coverage`. */

import type { FindResult, RuleCoverage } from '../../analysis/index.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import { createNote, createTable, type DeclaredColumn, type SheetBlock, styleText } from '../sheet/sheet.ts';
import { formatCommandLine, type ScenarioOptions } from '../text/command-line.ts';
import { formatGrouped, formatNumber, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatTable, type TerminalStyle, type TextColumn } from '../text/table.ts';

/** Formats the matching battles, and the command that replays the first one. Empty if there are none. */
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

/** Rule with the share of the battles in which it applied. */
interface CoverageRow extends RuleCoverage {
  readonly share: number;
}

export const COVERAGE_COLUMNS: readonly DeclaredColumn<CoverageRow>[] = [
  { head: 'rule', align: 'left', about: 'rule of the system (--coverage)', cell: ({ id }) => id },
  { head: 'times', about: 'number of times that it applied', cell: ({ fired }) => formatGrouped(fired) },
  {
    head: 'battles',
    about: 'share of the battles in which it applied',
    cell: ({ share }) => (share === 0 ? styleText('never', 'yellow') : formatPercent(formatSignificant, share, 3)),
  },
  { head: 'source', align: 'left', breaks: true, about: 'source of the rule', cell: ({ source }) => source },
];

/** Creates the table of rules and their use. Rules that never applied are marked. */
export function createCoverageTable(rules: readonly RuleCoverage[], battles: number): SheetBlock[] {
  const rows = rules.map((rule) => ({ ...rule, share: rule.battles / battles }));
  return [
    createNote(`rules that applied in the first ${formatGrouped(battles)} battles`),
    createTable(COVERAGE_COLUMNS, rows),
  ];
}
