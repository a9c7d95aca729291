/** What `run --plan` prints: battles and time that a precision takes. */
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

/** Outcomes in per cent, a mean in its unit. */
export const PLAN_COLUMNS: readonly DeclaredColumn<PlannedValue>[] = [
  { head: 'of', align: 'left', about: 'with --plan: the outcome, in %, or the metric', cell: ({ of }) => of },
  {
    head: 'value',
    align: 'point',
    about: 'with --plan: its probability or mean, exact or of the pilot',
    cell: (row) => formatExact(getPlanScale(row).times * row.value, 4),
  },
  {
    head: 'to ±',
    align: 'point',
    about: 'with --plan: half of the 95 % interval that is asked for',
    cell: (row) => formatSignificant(getPlanScale(row).times * row.halfWidth, 3),
  },
  {
    head: 'battles for it',
    about: 'with --plan: battles of a run of fixed length whose interval of this value alone is as narrow',
    cell: ({ battles }) => bold(formatSignificant(battles, 3)),
  },
];

const formatSource = ({ source, pilot }: RunPlan): string =>
  source === 'exact'
    ? 'values are exact: "warpool exact" tells them without a battle'
    : `values are those of a pilot of ${formatGrouped(pilot.battles)} battles, and as uncertain`;

export function formatPlanSheet(plan: RunPlan, name: string, look: TerminalStyle): string {
  const { scenario, stopping, pilot, values, battles, workers, seconds, seed } = plan;
  const { precision, floor, of, maxBattles, reached } = stopping;
  const asked =
    floor === undefined ? `±${String(precision)}` : `±${formatSignificant(100 * precision, 3)} % of each value`;
  const facts = [look.paint.bold(sanitizeLine(name)), scenario.system, `plan for ${asked} of ${of}`, `seed ${seed}`];
  const end = reached
    ? `a run with this precision ends after about ${formatGrouped(battles)} battles; ${formatGrouped(maxBattles)} at most`
    : `a run with this precision plays all ${formatGrouped(battles)} battles and does not reach it`;
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
