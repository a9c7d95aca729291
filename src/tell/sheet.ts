/** What `run` and `exact` print for people. */

import { RULESET } from '../answers/digest.ts';
import type { Summary } from '../answers/summary.ts';
import type { TallyShape } from '../answers/tally.ts';
import { opened } from '../rules/opened.ts';
import type { Scenario } from '../rules/system.ts';
import { disagreement } from '../studies/look.ts';
import type { SimulationResult } from '../studies/simulate.ts';
import type { ExactResult } from '../studies/solve.ts';
import { costsText } from './costs.ts';
import { exactMetricTable, exactOutcomeTable, metricTable, outcomeTable } from './estimates.ts';
import { givenTable } from './given.ts';
import { linesOf, sheetText } from './parts.ts';
import { settingsOf } from './settings.ts';
import { stoppingLines } from './stopping.ts';
import { clean } from './text/clean.ts';
import { duration, exactly, grouped, shortBound, significant, threadsText } from './text/digits.ts';
import { histograms } from './text/histogram.ts';
import { dotted, flowed, type Look, said } from './text/table.ts';

/** `auto`: one row of the most telling metrics. */
export type HistogramChoice = 'auto' | 'all' | 'none';

export interface SheetStyle extends Look {
  readonly histograms: HistogramChoice;
}

/** The title, and all settings that differ from their defaults: `settings: place sea · defender.losses gun`. */
function title(name: string, facts: readonly string[], scenario: Scenario, style: SheetStyle): string[] {
  const set = settingsOf(scenario).filter(({ isDefault }) => !isDefault);
  const [first, ...others] = set.map(({ path, value }) => `${path} ${value}`);
  const settings = first === undefined ? [] : dotted([`settings: ${first}`, ...others], style);
  return [...dotted([style.paint.bold(clean(name)), ...facts], style), ...settings];
}

/** The last lines: how the result came about. */
function footer(facts: readonly string[], style: SheetStyle): string[] {
  return dotted(
    facts.filter((fact) => fact !== ''),
    style,
  ).map(style.paint.dim);
}

function bars(shape: TallyShape, { metrics }: SimulationResult['summary'], style: SheetStyle): string[] {
  if (style.histograms === 'none') return [];
  const units = new Map(shape.metrics.map(({ name, unit = 1 }) => [name, unit]));
  return histograms(metrics, units, style.histograms === 'all', style);
}

function howFast(battles: number, seconds: number): string {
  return seconds > 0 ? `${significant(battles / seconds, 3)} battles/s` : '';
}

/** How a run with a precision ended; what was not reached stands out. */
function ending({ stopping, summary }: SimulationResult, look: Look): string[] {
  if (stopping === undefined) return [];
  const mean = summary.metrics.find(({ name }) => name === stopping.of)?.ci95;
  const [found = '', how = ''] = stoppingLines(stopping, mean);
  const lines = flowed(found, look);
  return [...(stopping.reached ? lines : lines.map(look.paint.yellow)), ...said(how, look)];
}

/** Who has played rules that have no kernel, and why: there it makes a hundredfold difference. */
function choice({ scenario, engine, player, why }: SimulationResult, look: Look): string[] {
  if (engine === 'reference' || engine === 'sampled' || why === '') return [];
  return opened(scenario).system.encode === undefined ? said(`${player}: ${why}`, look) : [];
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
  style: SheetStyle,
  kept?: Kept,
): string {
  const { summary, shape, tally, from, to, elapsedSeconds, workers } = result;
  const { paint } = style;
  const battles = to - from;
  const doubted = disagreement(result.scenario, summary, exact?.summary, battles);
  const played = result.complete ? grouped(battles) : paint.yellow(`${grouped(battles)} of ${grouped(asked)}`);
  const facts = [`${played} battle${asked === 1 ? '' : 's'}`, `seed ${result.seed}`, result.player];
  if (from > 0) facts.splice(1, 0, `from ${grouped(from)}`);
  const made = [
    `ruleset ${RULESET}`,
    duration(elapsedSeconds),
    howFast(battles - (kept?.before ?? 0), elapsedSeconds),
    ...(kept === undefined ? [] : keptFacts(kept)),
    threadsText(Math.max(1, workers)),
  ];
  return sheetText([
    title(name, [result.scenario.system, ...facts, ...costsText(result.scenario)], result.scenario, style),
    linesOf(outcomeTable(summary, battles, exact?.summary), style),
    linesOf(metricTable(summary, battles, exact?.summary), style),
    linesOf(givenTable(shape, tally, summary, false), style),
    bars(shape, summary, style),
    ending(result, style),
    choice(result, style),
    doubted === undefined ? [] : flowed(doubted, style).map(paint.red),
    [paint.dim(`digest ${result.digest}`), ...footer(made, style)],
  ]);
}

/** The greatest error of a moment over all metrics. */
function greatest({ metrics }: Summary, moment: 'mean' | 'variance'): number {
  return Math.max(0, ...metrics.map(({ error }) => error?.[moment] ?? 0));
}

/** The sheet of an exact answer. */
export function exactSheet(result: ExactResult, name: string, style: SheetStyle): string {
  const { summary, shape, law, lost, states, steps, elapsedSeconds } = result;
  const made = [
    `ruleset ${RULESET}`,
    duration(elapsedSeconds),
    `${grouped(states)} states`,
    `${grouped(steps)} transitions`,
    ...(lost > 0 ? [`lost ${exactly(lost, 0)}`] : []),
  ];
  const [mean, variance] = [greatest(summary, 'mean'), greatest(summary, 'variance')];
  const beyond = `battles longer than those that were followed (lost) move no mean by more than ${shortBound(mean)}, no variance by more than ${shortBound(variance)}`;
  return sheetText([
    title(name, [result.scenario.system, 'exact', ...costsText(result.scenario)], result.scenario, style),
    linesOf(exactOutcomeTable(summary, lost), style),
    linesOf(exactMetricTable(summary), style),
    linesOf(givenTable(shape, law, summary, true), style),
    bars(shape, summary, style),
    [...(lost > 0 ? said(beyond, style) : []), ...footer(made, style)],
  ]);
}
