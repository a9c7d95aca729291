/** Reports of `run` and `exact`. */

import { describeDisagreement, type ExactResult, type SimulationResult } from '../../analysis/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { type CountsShape, RULESET, type Summary } from '../../stats/index.ts';
import { formatCosts } from '../scenario/costs.ts';
import { listSettings } from '../scenario/settings.ts';
import {
  bold,
  createDrawing,
  createFactLine,
  createNote,
  createProse,
  type Sheet,
  type SheetBlock,
  styleText,
  type TableCell,
} from '../sheet/sheet.ts';
import { formatHistograms } from '../text/histogram.ts';
import {
  formatDuration,
  formatExact,
  formatGrouped,
  formatShortUpperBound,
  formatSignificant,
  formatThreadCount,
} from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { createConditionalMeansTable } from './conditional-means.ts';
import {
  createExactMetricTable,
  createExactOutcomeTable,
  createMetricTable,
  createOutcomeTable,
} from './estimate-tables.ts';
import { formatStopping } from './stopping.ts';

/** `auto`: one row with the most informative metrics. */
export type HistogramChoice = 'auto' | 'all' | 'none';

/**
 * Creates the title, and a line with all settings that differ from their defaults: `settings: place sea ·
 * defender.losses gun`.
 */
function createTitle(name: string, facts: readonly TableCell[], scenario: Scenario): SheetBlock[] {
  const set = listSettings(scenario).filter(({ isDefault }) => !isDefault);
  const [first, ...others] = set.map(({ path, value }) => `${path} ${value}`);
  const settings = first === undefined ? [] : [createFactLine([`settings: ${first}`, ...others])];
  return [createFactLine([bold(sanitizeLine(name)), ...facts, ...formatCosts(scenario)]), ...settings];
}

/** Creates the last line of a report. Empty facts are omitted. */
const createFooter = (facts: readonly string[]): SheetBlock =>
  createFactLine(
    facts.filter((fact) => fact !== ''),
    'dim',
  );

function createHistogramBlocks(shape: CountsShape, { metrics }: Summary, choice: HistogramChoice): SheetBlock[] {
  if (choice === 'none') return [];
  const units = new Map(shape.metrics.map(({ name, unit = 1 }) => [name, unit]));
  return [createDrawing((look) => formatHistograms(metrics, units, choice === 'all', look))];
}

function formatSpeed(battles: number, seconds: number): string {
  return seconds > 0 ? `${formatSignificant(battles / seconds, 3)} battles/s` : '';
}

/** Creates the lines on the end of a run with a precision, in yellow if it was not reached. */
function createStoppingBlocks({ stopping, summary }: SimulationResult): SheetBlock[] {
  if (stopping === undefined) return [];
  const mean = summary.metrics.find(({ name }) => name === stopping.of)?.ci95;
  const [found = '', how = ''] = formatStopping(stopping, mean);
  return [stopping.reached ? createProse(found) : createNote(found, 'yellow'), createNote(how)];
}

/** Names the engine and the reason for systems without a kernel, where the speed differs a hundredfold. */
function createEngineBlocks({ scenario, engine, engineUsed, engineReason }: SimulationResult): SheetBlock[] {
  if (engine === 'reference' || engine === 'sampled' || engineReason === '') return [];
  return getBoundScenario(scenario).system.encode === undefined ? [createNote(`${engineUsed}: ${engineReason}`)] : [];
}

/** Parts of a resumable run, and the battles that it had before this call. */
export interface ResumedRun {
  readonly parts: number;
  readonly battlesBefore: number;
}

function formatResumedFacts({ parts, battlesBefore }: ResumedRun): string[] {
  return [
    `${formatGrouped(parts)} parts`,
    battlesBefore === 0 ? '' : `${formatGrouped(battlesBefore)} battles already done`,
  ];
}

/**
 * Creates the report of a run.
 * @param name  label of the scenario
 * @param exact exact results, if they could be computed
 */
export function createRunSheet(
  result: SimulationResult,
  name: string,
  exact: ExactResult | undefined,
  requestedBattles: number,
  histogramChoice: HistogramChoice,
  resumed?: ResumedRun,
): Sheet {
  const { scenario, summary, shape, counts, from, to, elapsedSeconds, workers } = result;
  const battles = to - from;
  const doubted = describeDisagreement(scenario, summary, exact?.summary, battles);
  const unit = `battle${requestedBattles === 1 ? '' : 's'}`;
  const made = [
    `ruleset ${RULESET}`,
    formatDuration(elapsedSeconds),
    formatSpeed(battles - (resumed?.battlesBefore ?? 0), elapsedSeconds),
    ...(resumed === undefined ? [] : formatResumedFacts(resumed)),
    formatThreadCount(Math.max(1, workers)),
  ];
  return [
    createTitle(
      name,
      [
        scenario.system,
        result.complete
          ? `${formatGrouped(battles)} ${unit}`
          : [styleText(`${formatGrouped(battles)} of ${formatGrouped(requestedBattles)}`, 'yellow'), unit],
        ...(from > 0 ? [`from ${formatGrouped(from)}`] : []),
        ...[`seed ${result.seed}`, result.engineUsed],
      ],
      scenario,
    ),
    createOutcomeTable(summary, battles, exact?.summary),
    createMetricTable(summary, battles, exact?.summary),
    createConditionalMeansTable(shape, counts, summary, false),
    createHistogramBlocks(shape, summary, histogramChoice),
    createStoppingBlocks(result),
    createEngineBlocks(result),
    doubted === undefined ? [] : [createNote(doubted, 'red')],
    [createDrawing(({ paint }) => [paint.dim(`digest ${result.digest}`)]), createFooter(made)],
  ];
}

/** Largest error bound of a moment over all metrics. */
function findGreatestError({ metrics }: Summary, moment: 'mean' | 'variance'): number {
  return Math.max(0, ...metrics.map(({ error }) => error?.[moment] ?? 0));
}

/** Creates the report of exact results. */
export function createExactSheet(result: ExactResult, name: string, histogramChoice: HistogramChoice): Sheet {
  const { scenario, summary, shape, distribution, truncated, states, steps, elapsedSeconds } = result;
  const made = [
    `ruleset ${RULESET}`,
    formatDuration(elapsedSeconds),
    `${formatGrouped(states)} states`,
    `${formatGrouped(steps)} transitions`,
    ...(truncated > 0 ? [`truncated ${formatExact(truncated, 0)}`] : []),
  ];
  const [mean, variance] = [findGreatestError(summary, 'mean'), findGreatestError(summary, 'variance')];
  const beyond = `truncated battles change no mean by more than ${formatShortUpperBound(mean)}, no variance by more than ${formatShortUpperBound(variance)}`;
  return [
    createTitle(name, [scenario.system, 'exact'], scenario),
    createExactOutcomeTable(summary, truncated),
    createExactMetricTable(summary),
    createConditionalMeansTable(shape, distribution, summary, true),
    createHistogramBlocks(shape, summary, histogramChoice),
    [...(truncated > 0 ? [createNote(beyond)] : []), createFooter(made)],
  ];
}
