/** What `run --plan` prints: battles and time that a precision takes. */
import type { PlannedValue, RunPlan } from '../studies/index.ts';
import { MEAN, PERCENT, type Scale } from './figure.ts';
import { head, type Label } from './json.ts';
import { bold, type DeclaredColumn, grid, linesOf, sheetText } from './parts.ts';
import { clean } from './text/clean.ts';
import { duration, exactly, grouped, significant, threadsText } from './text/digits.ts';
import { dotted, flowed, type Look, said } from './text/table.ts';

const inScale = ({ kind }: PlannedValue): Scale => (kind === 'outcome' ? PERCENT : MEAN);

/** Outcomes in per cent, a mean in its unit. */
export const PLAN_COLUMNS: readonly DeclaredColumn<PlannedValue>[] = [
  { head: 'of', align: 'left', about: 'with --plan: the outcome, in %, or the metric', cell: ({ of }) => of },
  {
    head: 'value',
    align: 'point',
    about: 'with --plan: its probability or mean, exact or of the pilot',
    cell: (row) => exactly(inScale(row).times * row.value, 4),
  },
  {
    head: 'to ±',
    align: 'point',
    about: 'with --plan: half of the 95 % interval that is asked for',
    cell: (row) => significant(inScale(row).times * row.halfWidth, 3),
  },
  {
    head: 'battles for it',
    about: 'with --plan: battles of a run of fixed length whose interval of this value alone is as narrow',
    cell: ({ battles }) => bold(significant(battles, 3)),
  },
];

const knownFrom = ({ source, pilot }: RunPlan): string =>
  source === 'exact'
    ? 'values are exact: "warpool exact" tells them without a battle'
    : `values are those of a pilot of ${grouped(pilot.battles)} battles, and as uncertain`;

export function planSheet(plan: RunPlan, name: string, look: Look): string {
  const { scenario, stopping, pilot, values, battles, workers, seconds, seed } = plan;
  const { precision, floor, of, most, reached } = stopping;
  const asked = floor === undefined ? `±${String(precision)}` : `±${significant(100 * precision, 3)} % of each value`;
  const facts = [look.paint.bold(clean(name)), scenario.system, `plan for ${asked} of ${of}`, `seed ${seed}`];
  const end = reached
    ? `a run with this precision ends after about ${grouped(battles)} battles; ${grouped(most)} at most`
    : `a run with this precision plays all ${grouped(battles)} battles and does not reach it`;
  const rate = `${significant(pilot.battles / pilot.seconds, 3)} battles/s in a pilot of ${grouped(pilot.battles)}`;
  return sheetText([
    dotted(facts, look),
    linesOf([grid(PLAN_COLUMNS, values)], look),
    [
      ...flowed(`${end}: about ${duration(seconds)} with ${threadsText(workers)}`, look),
      ...said(`${knownFrom(plan)}; ${rate}`, look),
    ],
  ]);
}

export function planJson(plan: RunPlan, label: Label) {
  const { scenario, scenarioHash, source, seed, pilot, values, stopping, battles, workers, seconds } = plan;
  return {
    ...head(label, scenario, scenarioHash),
    ...{ seed, source, pilot, values, battles, stopping, workers, seconds },
  };
}
