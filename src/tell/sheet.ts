/** What `run` and `exact` print for people. */

import { RULESET, type Summary, type TallyShape } from '../answers/index.ts';
import { opened, type Scenario } from '../rules/index.ts';
import { disagreement, type ExactResult, type SimulationResult } from '../studies/index.ts';
import { costsText } from './costs.ts';
import { exactMetricTable, exactOutcomeTable, metricTable, outcomeTable } from './estimates.ts';
import { givenTable } from './given.ts';
import { bold, drawing, factLine, note, prose, type Sheet, type SheetBlock, type TableCell, toned } from './parts.ts';
import { settingsOf } from './settings.ts';
import { stoppingLines } from './stopping.ts';
import { clean } from './text/clean.ts';
import { duration, exactly, grouped, shortBound, significant, threadsText } from './text/digits.ts';
import { histograms } from './text/histogram.ts';

/** `auto`: one row of the most telling metrics. */
export type HistogramChoice = 'auto' | 'all' | 'none';

/** The title, and all settings that differ from their defaults: `settings: place sea · defender.losses gun`. */
function title(name: string, facts: readonly TableCell[], scenario: Scenario): SheetBlock[] {
  const set = settingsOf(scenario).filter(({ isDefault }) => !isDefault);
  const [first, ...others] = set.map(({ path, value }) => `${path} ${value}`);
  const settings = first === undefined ? [] : [factLine([`settings: ${first}`, ...others])];
  return [factLine([bold(clean(name)), ...facts, ...costsText(scenario)]), ...settings];
}

/** How the result came about. */
const footer = (facts: readonly string[]): SheetBlock =>
  factLine(
    facts.filter((fact) => fact !== ''),
    'dim',
  );

function bars(shape: TallyShape, { metrics }: Summary, choice: HistogramChoice): SheetBlock[] {
  if (choice === 'none') return [];
  const units = new Map(shape.metrics.map(({ name, unit = 1 }) => [name, unit]));
  return [drawing((look) => histograms(metrics, units, choice === 'all', look))];
}

function howFast(battles: number, seconds: number): string {
  return seconds > 0 ? `${significant(battles / seconds, 3)} battles/s` : '';
}

/** How a run with a precision ended; what was not reached stands out. */
function ending({ stopping, summary }: SimulationResult): SheetBlock[] {
  if (stopping === undefined) return [];
  const mean = summary.metrics.find(({ name }) => name === stopping.of)?.ci95;
  const [found = '', how = ''] = stoppingLines(stopping, mean);
  return [stopping.reached ? prose(found) : note(found, 'yellow'), note(how)];
}

/** Who has played rules that have no kernel, and why: there it makes a hundredfold difference. */
function choice({ scenario, engine, player, why }: SimulationResult): SheetBlock[] {
  if (engine === 'reference' || engine === 'sampled' || why === '') return [];
  return opened(scenario).system.encode === undefined ? [note(`${player}: ${why}`)] : [];
}

/** Where a run is kept, and how many of its battles were there before. */
export interface Kept {
  readonly parts: number;
  readonly before: number;
}

function keptFacts({ parts, before }: Kept): string[] {
  return [`${grouped(parts)} parts`, before === 0 ? '' : `${grouped(before)} battles were there`];
}

/**
 * The sheet of a run.
 * @param name  what the scenario is called
 * @param exact the exact answer, where it was affordable
 * @param asked how many battles were asked for
 * @param kept  where the run is kept, if it is
 */
export function runSheet(
  result: SimulationResult,
  name: string,
  exact: ExactResult | undefined,
  asked: number,
  histogramChoice: HistogramChoice,
  kept?: Kept,
): Sheet {
  const { scenario, summary, shape, tally, from, to, elapsedSeconds, workers } = result;
  const battles = to - from;
  const doubted = disagreement(scenario, summary, exact?.summary, battles);
  const unit = `battle${asked === 1 ? '' : 's'}`;
  const made = [
    `ruleset ${RULESET}`,
    duration(elapsedSeconds),
    howFast(battles - (kept?.before ?? 0), elapsedSeconds),
    ...(kept === undefined ? [] : keptFacts(kept)),
    threadsText(Math.max(1, workers)),
  ];
  return [
    title(
      name,
      [
        scenario.system,
        result.complete
          ? `${grouped(battles)} ${unit}`
          : [toned(`${grouped(battles)} of ${grouped(asked)}`, 'yellow'), unit],
        ...(from > 0 ? [`from ${grouped(from)}`] : []),
        ...[`seed ${result.seed}`, result.player],
      ],
      scenario,
    ),
    outcomeTable(summary, battles, exact?.summary),
    metricTable(summary, battles, exact?.summary),
    givenTable(shape, tally, summary, false),
    bars(shape, summary, histogramChoice),
    ending(result),
    choice(result),
    doubted === undefined ? [] : [note(doubted, 'red')],
    [drawing(({ paint }) => [paint.dim(`digest ${result.digest}`)]), footer(made)],
  ];
}

/** The greatest error of a moment over all metrics. */
function greatest({ metrics }: Summary, moment: 'mean' | 'variance'): number {
  return Math.max(0, ...metrics.map(({ error }) => error?.[moment] ?? 0));
}

/** The sheet of an exact answer. */
export function exactSheet(result: ExactResult, name: string, histogramChoice: HistogramChoice): Sheet {
  const { scenario, summary, shape, law, lost, states, steps, elapsedSeconds } = result;
  const made = [
    `ruleset ${RULESET}`,
    duration(elapsedSeconds),
    `${grouped(states)} states`,
    `${grouped(steps)} transitions`,
    ...(lost > 0 ? [`lost ${exactly(lost, 0)}`] : []),
  ];
  const [mean, variance] = [greatest(summary, 'mean'), greatest(summary, 'variance')];
  const beyond = `battles longer than those that were followed (lost) move no mean by more than ${shortBound(mean)}, no variance by more than ${shortBound(variance)}`;
  return [
    title(name, [scenario.system, 'exact'], scenario),
    exactOutcomeTable(summary, lost),
    exactMetricTable(summary),
    givenTable(shape, law, summary, true),
    bars(shape, summary, histogramChoice),
    [...(lost > 0 ? [note(beyond)] : []), footer(made)],
  ];
}
