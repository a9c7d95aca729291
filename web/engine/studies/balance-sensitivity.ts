/** Balance: values of a field that bring an outcome or metric to a target. */

import {
  type BalanceResult,
  type BalanceSetting,
  balance as balancing,
  type StepSensitivity,
  stepSensitivity,
} from '../../../src/analysis/index.ts';
import {
  createBalanceFigure,
  createBalanceTable,
  createOneAtATimeBlocks,
  createSensitivityFigure,
  formatBalanceVerdict,
  formatCellCounts,
  formatCommandLine,
  formatConfidence,
  formatIntervalOrExact,
  formatMethod,
  formatNumber,
  formatSearchCoverage,
  formatValue,
  getSides,
  getTargetScale,
  type ProgressCount,
  selectShownSettings,
} from '../../../src/report/index.ts';
import { labelField } from '../../../src/rules/index.ts';
import { RULESET } from '../../../src/stats/index.ts';
import { parseScenarioText } from '../editing/check.ts';
import { formatCsv, type PathChange, type RenderedFigure, renderFigure } from '../output/figures.ts';
import { createSheetParts, type SheetPart } from '../output/sheet.ts';
import { getSignal, loadSolvableScenario } from '../task.ts';

export interface BalanceRequest extends StudyRequest {
  readonly field: string;
  /** Search range (default: around the current value). */
  readonly range?: readonly [low: number, high: number] | undefined;
  /** Probability 0..1, or mean. */
  readonly target: number;
  readonly tolerance: number;
}

/** Value that can be set in the scenario. */
export interface BalanceMatch {
  /** Assignment: `attacker’s hit points = 12`. */
  readonly label: string;
  /** Result with its interval. */
  readonly resultText: string;
  readonly changes: readonly PathChange[];
}

export interface BalanceView {
  readonly met: boolean;
  readonly verdict: string;
  readonly table: readonly SheetPart[];
  readonly notes: readonly string[];
  /** Values that meet the target, nearest first, else the nearest value; without the current one. */
  readonly matches: readonly BalanceMatch[];
  readonly picture: RenderedFigure | undefined;
  readonly csv: string;
  /** False if it was stopped. */
  readonly complete: boolean;
  readonly command: string;
}

/** Maximum number of offered values. */
const MAX_MATCHES = 6;

function createMatch(result: BalanceResult, setting: BalanceSetting): BalanceMatch {
  const { fields } = result;
  const scale = getTargetScale(result);
  const changes = fields.map(({ path }, f): PathChange => [path, setting.values[f] ?? 0]);
  const interval = setting.interval === undefined ? 'exact' : formatIntervalOrExact(scale, setting);
  return {
    label: changes
      .map(([path, value]) => `${labelField(result.scenario, path)} = ${formatNumber(Number(value))}`)
      .join(', '),
    resultText: `${formatValue(scale, setting)}, ${interval}`,
    changes,
  };
}

function createBalanceCsv(result: BalanceResult): string {
  const columns = [...result.fields.map(({ path }) => path), 'value', 'low', 'high', 'verdict', 'battles'];
  return formatCsv(
    columns,
    selectShownSettings(result).map(({ values, value, interval, verdict, battles }) => [
      ...values,
      value,
      ...(interval ?? [null, null]),
      verdict,
      battles,
    ]),
  );
}

const formatRangeOption = (range: BalanceRequest['range']): string =>
  range === undefined ? '' : `=${range.map(String).join('..')}`;

function formatBalanceCommand({ file, field, range, of, target, tolerance, seed, battles }: BalanceRequest): string {
  const request = ['--vary', field + formatRangeOption(range), '--target', `${of}=${String(target)}`];
  const how = ['--tolerance', String(tolerance), '--battles', String(battles), '--seed', seed];
  return formatCommandLine('balance', { file }, ...request, ...how);
}

async function createBalanceView(ask: BalanceRequest, result: BalanceResult): Promise<BalanceView> {
  const shown = selectShownSettings(result);
  const picture = createBalanceFigure(result, shown, getSides(parseScenarioText(ask.text)));
  const isPresent = ({ values }: BalanceSetting): boolean => values.join() === result.current?.values.join();
  const offered = (result.meeting.length > 0 ? result.meeting : [result.nearest]).filter((each) => !isPresent(each));
  return {
    met: result.targetMet,
    verdict: formatBalanceVerdict(result),
    table: createSheetParts(createBalanceTable(result)),
    notes: [...formatSearchCoverage(result), ...formatConfidence(result)],
    matches: offered.slice(0, MAX_MATCHES).map((setting) => createMatch(result, setting)),
    picture: picture && (await renderFigure(picture, `${ask.file}, seed ${result.seed}, ruleset ${RULESET}`, 'even')),
    csv: createBalanceCsv(result),
    complete: result.complete,
    command: formatBalanceCommand(ask),
  };
}

export const balance = {
  /**
   * Searches values of a field.
   * @throws InputError for the text, the field, its range or the target
   * @throws RunError if it was stopped before any result
   */
  async balance(ask: BalanceRequest, task: number): Promise<BalanceView> {
    const { text, field, range, of, target, tolerance, battles, seed } = ask;
    const result = await balancing(await loadSolvableScenario(text), {
      vary: [{ path: field, range }],
      target: `${of}=${String(target)}`,
      tolerance,
      battles,
      seed,
      signal: getSignal(task),
    });
    return await createBalanceView(ask, result);
  },
};

// Effects of one step of each field.

export interface StudyRequest {
  readonly text: string;
  readonly file: string;
  readonly seed: string;
  /** Outcome or metric. */
  readonly of: string;
  /** Battles per cell without an exact answer. */
  readonly battles: number;
}

export interface SensitivityView {
  readonly facts: readonly string[];
  readonly table: readonly SheetPart[];
  readonly notes: readonly SheetPart[];
  /** Undefined if no field has an effect. */
  readonly picture: RenderedFigure | undefined;
  readonly csv: string;
  /** False if it was stopped. */
  readonly complete: boolean;
  readonly command: string;
}

const SENSITIVITY_COLUMNS = [
  'field',
  'value',
  'down_to',
  'down',
  'down_low',
  'down_high',
  'up_to',
  'up',
  'up_low',
  'up_high',
  'verdict',
];

function createSensitivityCsv({ fields }: StepSensitivity): string {
  const step = (effect: StepSensitivity['fields'][number]['up']) =>
    effect === undefined ? [null, null, null, null] : [effect.to, effect.effect, ...effect.ci95];
  return formatCsv(
    SENSITIVITY_COLUMNS,
    fields.map(({ path, value, down, up, verdict }) => [path, value, ...step(down), ...step(up), verdict]),
  );
}

function formatSensitivityCommand({ file, of, seed, battles }: StudyRequest): string {
  return formatCommandLine('sensitivity', { file }, '--of', of, '--battles', String(battles), '--seed', seed);
}

async function createSensitivityView(ask: StudyRequest, result: StepSensitivity): Promise<SensitivityView> {
  const moves = result.fields.some(({ verdict }) => verdict !== 'none');
  const [table = [], ...notes] = createOneAtATimeBlocks(result);
  const sides = getSides(parseScenarioText(ask.text));
  const footer = `${ask.file}, ${formatCellCounts(result)}, seed ${result.seed}, ruleset ${RULESET}`;
  return {
    facts: [
      `${result.of}: ${formatMethod(result)}`,
      formatCellCounts(result),
      ...(result.complete ? [] : ['stopped before the end']),
    ],
    table: createSheetParts(table, sides),
    notes: createSheetParts(notes.flat()),
    picture: moves ? await renderFigure(createSensitivityFigure(result, sides), footer, 'steps') : undefined,
    csv: createSensitivityCsv(result),
    complete: result.complete,
    command: formatSensitivityCommand(ask),
  };
}

export const sensitivity = {
  /**
   * Changes every number of the scenario by one step up and down.
   * @param onProgress receives the number of completed steps
   * @throws InputError for the text, the name, or if no step is possible
   * @throws RunError if it was stopped before the first result
   */
  async stepEffects(
    ask: StudyRequest,
    task: number,
    onProgress: (done: ProgressCount) => void,
  ): Promise<SensitivityView> {
    const { text, of, seed, battles } = ask;
    const requested = { of, seed, battles, signal: getSignal(task), onProgress };
    return await createSensitivityView(ask, await stepSensitivity(await loadSolvableScenario(text), requested));
  },
};
