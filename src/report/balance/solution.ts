/** Output of `balance` for a balance problem: tables, sentences and JSON. */

import type { BalanceSolution, ProblemSetting, ProblemTarget, TargetValue } from '../../analysis/index.ts';
import { createVersionInfo, hashScenario, identifyRules } from '../../stats/index.ts';
import {
  formatIntervalOrExact,
  formatPercent,
  formatValue,
  getTargetScale,
  type Scale,
} from '../sheet/estimated-value.ts';
import {
  bold,
  createAnswer,
  createFactLine,
  createNote,
  createOmission,
  createTable,
  type DeclaredColumn,
  type Sheet,
  type SheetBlock,
  styleText,
  type TableCell,
} from '../sheet/sheet.ts';
import { formatGrouped, formatNumber, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** Maximum number of settings in a table. */
const LISTED_MAX = 12;

const VERDICTS = { holds: 'meets', fails: 'misses', undecided: 'undecided' } as const;

const TONES = { holds: 'green', fails: 'dim', undecided: 'yellow' } as const;

const formatVerdict = ({ verdict }: Pick<ProblemSetting, 'verdict'>): TableCell =>
  styleText(VERDICTS[verdict], TONES[verdict]);

/** `1 setting`, `47 settings` */
const formatCount = (count: number, thing: string): string =>
  `${formatGrouped(count)} ${thing}${count === 1 ? '' : 's'}`;

const hasCosts = ({ problem }: BalanceSolution): boolean => problem.fields.some(({ cost }) => cost > 0);

const getScaleOf = ({ isShare }: ProblemTarget): Scale => getTargetScale({ kind: isShare ? 'outcome' : 'mean' });

const formatMiss = (miss: number): string => (miss === 0 ? '0' : formatSignificant(miss, 3));

/** Setting that the report recommends: the cheapest, the one with the smallest change, or the nearest. */
const getBestSetting = ({ cheapest, meeting, fewestSteps, nearest }: BalanceSolution): ProblemSetting =>
  cheapest ?? (meeting.length > 0 ? fewestSteps : nearest);

/** Formats `attacker.hp = 30, defender.hp = 27`. */
const formatProblemSetting = ({ problem }: BalanceSolution, { values }: ProblemSetting): string =>
  problem.fields.map(({ name }, f) => `${sanitizeLine(name)} = ${formatNumber(values[f] ?? Number.NaN)}`).join(', ');

/** A setting with its role in the result. */
interface ListedSetting {
  readonly setting: ProblemSetting;
  readonly roles: readonly string[];
}

/** Lists the settings of the table, each once, with their roles. */
function listSettings(result: BalanceSolution): ListedSetting[] {
  const { current, cheapest, fewestSteps, leastGreatestStep, nearest, meeting, undecided, front } = result;
  const roles: (readonly [ProblemSetting | undefined, string])[] = [
    [current, 'current'],
    [cheapest, 'cheapest'],
    [meeting.length > 0 ? undefined : nearest, 'nearest'],
    [fewestSteps, 'fewest steps'],
    [leastGreatestStep, 'least greatest step'],
  ];
  const others = [...meeting, ...undecided, ...front].slice(0, LISTED_MAX);
  const listed = new Map<ProblemSetting, string[]>();
  for (const [setting, role] of roles) if (setting) listed.set(setting, [...(listed.get(setting) ?? []), role]);
  for (const setting of others) if (!listed.has(setting)) listed.set(setting, []);
  return [...listed].map(([setting, own]) => ({ setting, roles: own }));
}

/** Columns of the settings that every problem has. */
const SETTING_COLUMNS: readonly DeclaredColumn<ListedSetting>[] = [
  {
    head: 'steps',
    align: 'point',
    about: 'sum over the fields of the steps from their current values',
    cell: ({ setting }) => formatNumber(setting.steps),
  },
  {
    head: 'greatest step',
    align: 'point',
    spare: 1,
    about: 'greatest number of steps of a field from its current value',
    cell: ({ setting }) => formatNumber(setting.greatestStep),
  },
  {
    head: 'greatest miss',
    align: 'point',
    about: 'greatest distance from a target, in units of its tolerance; 0 if all targets are met',
    cell: ({ setting }) => formatMiss(setting.greatestMiss),
  },
  {
    head: 'targets',
    align: 'left',
    about: 'whether the setting meets all targets',
    cell: ({ setting }) => formatVerdict(setting),
  },
];

const COST_COLUMN: DeclaredColumn<ListedSetting> = {
  head: 'cost',
  align: 'point',
  about: 'sum over the fields of cost times value',
  cell: ({ setting }) => formatNumber(setting.cost),
};

const ROLE_COLUMN: DeclaredColumn<ListedSetting> = {
  head: 'setting',
  align: 'left',
  about: 'role of the setting in the result: current, cheapest, nearest, smallest change',
  cell: ({ roles }) => roles.join(', '),
};

/** Columns of the settings of a balance problem, without those of its fields. */
export const SOLUTION_COLUMNS = [...SETTING_COLUMNS, COST_COLUMN, ROLE_COLUMN];

function createSettingsTable(result: BalanceSolution): SheetBlock[] {
  const fields = result.problem.fields.map(
    ({ name }, f): DeclaredColumn<ListedSetting> => ({
      head: sanitizeLine(name),
      isName: true,
      align: 'point',
      about: '',
      cell({ setting }) {
        const value = setting.values[f] ?? Number.NaN;
        return Number.isNaN(value) ? '' : formatNumber(value);
      },
    }),
  );
  const rows = listSettings(result);
  const misses = result.problem.targets.map(
    (_, t): DeclaredColumn<ListedSetting> => ({
      head: `miss ${String(t + 1)}`,
      align: 'point',
      spare: 2,
      about: '',
      cell: ({ setting }) => formatMiss(setting.targets[t]?.miss ?? Number.NaN),
    }),
  );
  const columns = [
    ...fields,
    ...(hasCosts(result) ? [COST_COLUMN] : []),
    ...(result.front.length > 1 && misses.length > 1 ? misses : []),
    ...SETTING_COLUMNS,
    ROLE_COLUMN,
  ];
  const { meeting, front } = result;
  const more = Math.max(meeting.length, front.length) - LISTED_MAX;
  return [createTable(columns, rows), ...(more > 0 ? [createOmission(formatCount(more, 'more setting'))] : [])];
}

/** A target with its values in the current and in the best setting. */
interface TargetRow {
  readonly target: ProblemTarget;
  readonly current: TargetValue;
  readonly best: TargetValue;
}

/** Columns of the targets. */
export const TARGET_COLUMNS: readonly DeclaredColumn<TargetRow>[] = [
  {
    head: 'target',
    align: 'left',
    breaks: true,
    about: 'condition on outcomes and metrics; an equality has its tolerance',
    cell: ({ target }) => formatTargetText(target),
  },
  {
    head: 'currently',
    align: 'point',
    about: 'value with the current values of the fields',
    cell: ({ target, current }) => formatValue(getScaleOf(target), current),
  },
  {
    head: 'value',
    align: 'point',
    about: 'its probability or mean',
    cell: ({ target, best }) => formatValue(getScaleOf(target), best),
  },
  {
    head: 'interval',
    align: 'left',
    spare: 1,
    about: 'confidence interval of the value, or "exact"',
    cell: ({ target, best }) => formatIntervalOrExact(getScaleOf(target), best),
  },
  {
    head: 'miss',
    align: 'point',
    about: 'distance from the target, in units of its tolerance',
    cell: ({ best }) => formatMiss(best.miss),
  },
];

/** Formats a target with the tolerance of an equality: `attacker = 50% ± 1 %`. */
function formatTargetText(target: ProblemTarget): string {
  const { text, equals, tolerance } = target;
  if (equals === undefined) return sanitizeLine(text);
  const { times, sign } = getScaleOf(target);
  return `${sanitizeLine(text)} ± ${formatNumber(times * tolerance)}${sign}`;
}

/** Formats the verdict: the best setting, or why there is none. */
export function formatSolutionVerdict(result: BalanceSolution): string {
  const { meeting, undecided, nearest, problem, allFound, front, search } = result;
  const best = getBestSetting(result);
  const targets = problem.targets.length === 1 ? 'the target' : `all ${String(problem.targets.length)} targets`;
  if (meeting.length > 0) {
    const more = meeting.length - 1;
    const count = `${allFound ? '' : 'at least '}${formatGrouped(more)}`;
    const others = more > 0 ? `; ${count} other setting${more === 1 ? ' does' : 's do'}, too` : '';
    return `${formatProblemSetting(result, best)} meets ${targets}${others}.`;
  }
  if (undecided.length > 0)
    return `Undecided: ${formatProblemSetting(result, nearest)} may meet ${targets}; increase the number of battles.`;
  const worst = problem.targets[nearest.targets.findIndex(({ miss }) => miss === nearest.greatestMiss)];
  const which =
    worst === undefined
      ? ''
      : `: ${formatTargetText(worst)} is missed by ${formatMiss(nearest.greatestMiss)} tolerances`;
  const conflict =
    front.length > 1 ? ` The targets conflict: ${formatCount(front.length, 'setting')} are on the Pareto front.` : '';
  const scope = search === 'optimizer' ? 'No examined setting' : 'No setting';
  return `${scope} meets ${targets}. The nearest is ${formatProblemSetting(result, nearest)}${which}.${conflict}`;
}

function formatCells({ scenarios }: BalanceSolution): string {
  return scenarios
    .map(
      ({ name, evaluated, cells }) => `${sanitizeLine(name)}: ${formatGrouped(evaluated)} of ${formatGrouped(cells)}`,
    )
    .join(', ');
}

/** Formats the extent and the certainty of the search. */
export function createSolutionNotes(result: BalanceSolution): string[] {
  const { problem, settings, search, exact, errorRate, maxBattles, possible, scenarios } = result;
  const examined = {
    complete: `All ${formatCount(settings, 'setting')} were examined.`,
    pruned: `Settings that cannot be among the best were skipped; the result is the one of all ${formatCount(settings, 'setting')}.`,
    optimizer: `An optimizer chose the examined settings; others can be better.`,
  };
  const rejected = scenarios.reduce((sum, each) => sum + each.rejected, 0);
  return [
    `${examined[search]} Evaluated combinations of the fields of a scenario: ${formatCells(result)}.`,
    ...problem.fields.flatMap(({ name, low, step, unreachedHigh }) => {
      if (unreachedHigh === undefined) return [];
      const range = `${formatNumber(low)}..${formatNumber(unreachedHigh)}`;
      return [`${sanitizeLine(name)}: the step ${formatNumber(step)} does not reach the end of the range ${range}.`];
    }),
    ...(rejected > 0 ? [`${formatCount(rejected, 'combination')} are not allowed by the scenario.`] : []),
    ...(exact
      ? ['All values are exact.']
      : [
          `Values with an interval: up to ${formatGrouped(maxBattles)} battles in the search, and again in the confirmation with other battles. All statements hold simultaneously with ${formatPercent(formatNumber, 1 - errorRate)}.`,
          `The search did not exclude ${formatCount(possible, 'setting')}.`,
        ]),
  ];
}

/** Creates the table of the targets. */
function createTargetsTable(result: BalanceSolution): SheetBlock[] {
  const best = getBestSetting(result);
  const rows = result.problem.targets.map((target, t): TargetRow => {
    const missing: TargetValue = { value: Number.NaN, miss: Number.NaN, verdict: 'undecided' };
    return { target, current: result.current.targets[t] ?? missing, best: best.targets[t] ?? missing };
  });
  return [createTable(TARGET_COLUMNS, rows)];
}

/** Creates the report of a balance problem. */
export function createSolutionSheet(result: BalanceSolution): Sheet {
  const { problem, settings, targetsMet } = result;
  const facts = [
    formatCount(problem.scenarios.length, 'scenario'),
    formatCount(problem.fields.length, 'field'),
    formatCount(problem.targets.length, 'target'),
    formatCount(settings, 'setting'),
  ];
  return [
    [createFactLine([bold(sanitizeLine(problem.name)), ...facts])],
    createSettingsTable(result),
    createTargetsTable(result),
    [createAnswer(formatSolutionVerdict(result), targetsMet ? 'green' : 'yellow')],
    createSolutionNotes(result).map((text) => createNote(text)),
  ];
}

/** Maximum number of settings of a list in JSON. */
const JSON_SETTINGS_MAX = 1000;

/** Creates the JSON of a setting. */
export function createProblemSettingJson(
  { problem: { fields } }: Pick<BalanceSolution, 'problem'>,
  { values, targets, verdict, ...setting }: ProblemSetting,
) {
  return {
    set: Object.fromEntries(fields.map(({ name }, f) => [name, Number.isNaN(values[f]) ? null : (values[f] ?? null)])),
    ...setting,
    targets: targets.map(({ value, interval, miss, verdict: own }) => ({
      value,
      interval: interval ?? null,
      miss,
      verdict: VERDICTS[own],
    })),
    verdict: VERDICTS[verdict],
  };
}

/** Creates the output of `warpool balance --json` for a balance problem. */
export function createSolutionJson(result: BalanceSolution) {
  const { problem, current, meeting, undecided, cheapest, fewestSteps, leastGreatestStep, nearest, front, ...rest } =
    result;
  const { grid: _, scenarios, ...others } = rest;
  const toJson = (setting: ProblemSetting) => createProblemSettingJson(result, setting);
  return {
    ...createVersionInfo(),
    problem: problem.name,
    ...others,
    scenarios: scenarios.map((cells, s) => {
      const scenario = problem.scenarios[s]?.scenario;
      return { ...cells, ...(scenario && { ...identifyRules(scenario), hash: hashScenario(scenario) }) };
    }),
    fields: problem.fields.map(({ name, paths, low, step, count, current: present, cost, monotone }) => ({
      name,
      paths: paths.map(([s, path]) => ({ scenario: problem.scenarios[s]?.name ?? '', path })),
      ...{ low, step, count, current: present ?? null, cost, monotone },
    })),
    targets: problem.targets.map(({ text, tolerance, bounds: [low, high] }) => ({
      target: text,
      tolerance,
      low: Number.isFinite(low) ? low : null,
      high: Number.isFinite(high) ? high : null,
    })),
    current: toJson(current),
    cheapest: cheapest ? toJson(cheapest) : null,
    fewestSteps: toJson(fewestSteps),
    leastGreatestStep: toJson(leastGreatestStep),
    nearest: toJson(nearest),
    meetingCount: meeting.length,
    meeting: meeting.slice(0, JSON_SETTINGS_MAX).map(toJson),
    undecided: undecided.map(toJson),
    frontCount: front.length,
    front: front.slice(0, JSON_SETTINGS_MAX).map(toJson),
  };
}
