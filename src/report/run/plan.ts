/** Output of `run --plan`: battles and time for a precision. */
import type { PlannedValue, RunPlan } from '../../analysis/index.ts';
import { createScenarioHeader, type ScenarioLabel } from '../json.ts';
import { MEAN, PERCENT, type Scale } from '../sheet/estimated-value.ts';
import { bold, createTable, type DeclaredColumn, formatBlocks, joinBlocks } from '../sheet/sheet.ts';
import {
  formatDuration,
  formatExact,
  formatGrouped,
  formatSignificant,
  formatThreadCount,
} from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatDimSentence, joinFacts, type TerminalStyle, wrapSentence } from '../text/table.ts';

const getPlanScale = ({ kind }: PlannedValue): Scale => (kind === 'outcome' ? PERCENT : MEAN);

/** Columns of planned values: outcomes in percent, a mean in its unit. */
export const PLAN_COLUMNS: readonly DeclaredColumn<PlannedValue>[] = [
  { head: 'of', align: 'left', about: 'with --plan: outcome, in %, or metric', cell: ({ of }) => of },
  {
    head: 'value',
    align: 'point',
    about: 'with --plan: its probability or mean, exact or from the pilot',
    cell: (row) => formatExact(getPlanScale(row).times * row.value, 4),
  },
  {
    head: 'half-width',
    align: 'point',
    about: 'with --plan: requested half-width of the 95 % interval',
    cell: (row) => formatSignificant(getPlanScale(row).times * row.halfWidth, 3),
  },
  {
    head: 'battles needed',
    about: 'with --plan: battles of a fixed-length run whose interval of this value has the half-width',
    cell: ({ battles }) => bold(formatSignificant(battles, 3)),
  },
];

const formatSource = ({ source, pilot }: RunPlan): string =>
  source === 'exact'
    ? 'values are exact, as "warpool exact" prints them'
    : `values are estimates from a pilot of ${formatGrouped(pilot.battles)} battles`;

export function formatPlanSheet(plan: RunPlan, name: string, look: TerminalStyle): string {
  const { scenario, stopping, pilot, values, battles, workers, seconds, seed } = plan;
  const { precision, floor, of, maxBattles, reached } = stopping;
  const requested =
    floor === undefined ? `±${String(precision)}` : `±${formatSignificant(100 * precision, 3)} % of each value`;
  const facts = [
    look.paint.bold(sanitizeLine(name)),
    scenario.system,
    `plan for ${requested} of ${of}`,
    `seed ${seed}`,
  ];
  const end = reached
    ? `a run with this precision ends after about ${formatGrouped(battles)} battles; ${formatGrouped(maxBattles)} at most`
    : `a run with this precision simulates all ${formatGrouped(battles)} battles without reaching it`;
  const rate = `${formatSignificant(pilot.battles / pilot.seconds, 3)} battles/s in a pilot of ${formatGrouped(pilot.battles)}`;
  return joinBlocks([
    joinFacts(facts, look),
    formatBlocks([createTable(PLAN_COLUMNS, values)], look),
    [
      ...wrapSentence(`${end}: about ${formatDuration(seconds)} with ${formatThreadCount(workers)}`, look),
      ...formatDimSentence(`${formatSource(plan)}; ${rate}`, look),
    ],
  ]);
}

export function createPlanJson(plan: RunPlan, label: ScenarioLabel) {
  const { scenario, scenarioHash, source, seed, pilot, values, stopping, battles, workers, seconds } = plan;
  return {
    ...createScenarioHeader(label, scenario, scenarioHash),
    ...{ seed, source, pilot, values, battles, stopping, workers, seconds },
  };
}
