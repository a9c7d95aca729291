/** Output of `balance`: tables, sentences and JSON. */

import {
  type BalanceResult,
  type BalanceSetting,
  compareValues,
  type ExaminedRows,
  type FieldCurve,
  type SearchRange,
  type SearchReport,
} from '../../analysis/index.ts';
import { labelField, type Scenario } from '../../rules/index.ts';
import type { Interval } from '../../stats/index.ts';
import { createScenarioHeader, type ScenarioLabel } from '../json.ts';
import { formatEffectHeading } from '../sensitivity/effect-format.ts';
import {
  addSign,
  type EstimatedValue,
  formatIntervalOrExact,
  formatPercent,
  formatRange,
  formatValue,
  getTargetScale,
} from '../sheet/estimated-value.ts';
import {
  bold,
  createAnswer,
  createDrawing,
  createFactLine,
  createNote,
  createProse,
  createTable,
  type DeclaredColumn,
  type Sheet,
  type SheetBlock,
  styleText,
  type TableCell,
} from '../sheet/sheet.ts';
import { formatCommandLine, type ScenarioOptions } from '../text/command-line.ts';
import { formatGrouped, formatNumber, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import type { TextColumn } from '../text/table.ts';

/** Formats the label of a field. */
const formatField = ({ scenario }: BalanceResult, path: string): string => sanitizeLine(labelField(scenario, path));

/** Formats the values of a setting as arguments of `--set`: `attacker.hp=30`, `defender.hp=27`. */
function formatAssignments({ fields }: BalanceResult, { values }: BalanceSetting): string[] {
  return fields.map(({ path }, f) => `${path}=${String(values[f] ?? '')}`);
}

/** `attacker’s hit points = 30, defender’s hit points = 27` */
const formatSetting = (result: BalanceResult, { values }: BalanceSetting): string =>
  result.fields.map(({ path }, f) => `${formatField(result, path)} = ${String(values[f] ?? '')}`).join(', ');

/**
 * Formats the command that compares a setting with the scenario; if the scenario has changes, the command that runs it.
 */
function formatSettingCommand(
  result: BalanceResult,
  best: BalanceSetting,
  { set = [], ...given }: ScenarioOptions,
): string {
  const found = formatAssignments(result, best);
  if (set.length > 0) return formatCommandLine('run', { ...given, set: [...set, ...found] });
  return formatCommandLine('compare-rules', given, '--set', ...found);
}

/** `1 setting`, `47 settings`. */
const formatSettingCount = (count: number): string => `${formatGrouped(count)} setting${count === 1 ? '' : 's'}`;

const isSameSetting = (a: BalanceSetting, b: BalanceSetting): boolean => a.values.join() === b.values.join();

/** Selects the settings of the table, without duplicates, sorted by their values. */
export function selectShownSettings(result: BalanceResult): BalanceSetting[] {
  const { current, pairs, curve, meeting, undecided, nearest, least, greatest } = result;
  const all = pairs ?? [
    ...(curve?.crossings.flat() ?? []),
    ...meeting,
    ...undecided,
    nearest,
    ...(result.targetMet ? [] : [least, greatest]),
  ];
  const distinct: BalanceSetting[] = [];
  for (const setting of [...all, ...(current ? [current] : [])])
    if (!distinct.some((other) => isSameSetting(other, setting))) distinct.push(setting);
  return distinct.sort((a, b) => compareValues(a.values, b.values));
}

const MARKS = { holds: 'meets', undecided: 'undecided' } as const;

/** Formats the difference of a value and the target, with sign; shares in percentage points. */
function formatDistanceToTarget(result: BalanceResult, known: EstimatedValue & { readonly value: number }): string {
  const scale = { ...getTargetScale(result), sign: '', part: false };
  return addSign(formatValue(scale, { ...known, value: known.value - result.target }));
}

export function createBalanceTable(result: BalanceResult): SheetBlock[] {
  const heads: TextColumn[] = [
    ...result.fields.map(
      ({ path }): TextColumn => ({ head: formatField(result, path), path, isName: true, align: 'point' }),
    ),
    ...[...result.nearest.points.keys()].map(
      (side): TextColumn => ({ head: `points.${side}`, isName: true, align: 'point' }),
    ),
    { head: result.of, isName: true, align: 'point' },
    { head: 'interval', align: 'left', spare: 1 },
    { head: formatEffectHeading('deviation', result.kind), align: 'point' },
    { head: '', align: 'left' },
  ];
  const mark = (setting: BalanceSetting): TableCell => {
    const { verdict } = setting;
    const words = verdict === 'fails' ? [] : [styleText(MARKS[verdict], verdict === 'holds' ? 'green' : 'yellow')];
    const here = result.current !== undefined && isSameSetting(setting, result.current);
    return [...words, ...(here ? [styleText('current', 'dim')] : [])];
  };
  const scale = getTargetScale(result);
  const rows = selectShownSettings(result).map((setting) => [
    ...[...setting.values, ...setting.points.values()].map(formatNumber),
    formatValue(scale, setting),
    formatIntervalOrExact(scale, setting),
    formatDistanceToTarget(result, setting),
    mark(setting),
  ]);
  return [{ kind: 'table', heads, rows }];
}

const formatSearchRange = ({ low, high }: SearchRange): string => `${formatNumber(low)}..${formatNumber(high)}`;

/** `attacker = 50 ± 1 %` */
function formatTarget(result: BalanceResult): string {
  const { of, target, tolerance } = result;
  const { times, sign } = getTargetScale(result);
  return `${sanitizeLine(of)} = ${formatNumber(times * target)} ± ${formatNumber(times * tolerance)}${sign}`;
}

function formatSettingResult(result: BalanceResult, setting: BalanceSetting): string {
  const interval = setting.interval === undefined ? '' : ` (${formatIntervalOrExact(getTargetScale(result), setting)})`;
  return `${formatSetting(result, setting)} gives ${formatValue(getTargetScale(result), setting)}${interval}`;
}

function formatSearchedFields(result: BalanceResult): string {
  return result.fields.map((field) => `${formatField(result, field.path)} in ${formatSearchRange(field)}`).join(', ');
}

/** Formats the verdict if no setting is known to meet the target. */
function formatNoSolution(result: BalanceResult): string {
  const { nearest, least, greatest, target, fields, curve, undecided, possible = [] } = result;
  const what = fields.length === 1 ? 'No value of' : 'No examined setting of';
  if (possible.length > 0) {
    const [first = nearest] = undecided;
    return `Undecided: ${formatSettingResult(result, first)}; increase the number of battles to decide whether this is ${formatTarget(result)}.`;
  }
  const none = `${what} ${formatSearchedFields(result)} gives ${formatTarget(result)};`;
  if (greatest.value < target || least.value > target) {
    const ends = least.value === greatest.value ? [least] : [least, greatest];
    const reach = curve?.allExact === true ? 'it is out of reach' : 'all examined values are on one side of it';
    return `${none} ${reach}: ${ends.map((end) => formatSettingResult(result, end)).join(', ')}.`;
  }
  const isBeyond = (setting: BalanceSetting): boolean => setting.value > target !== nearest.value > target;
  const other = curve?.crossings.find((pair) => pair.some((each) => isSameSetting(each, nearest)))?.find(isBeyond);
  return `${none} nearest: ${[nearest, ...(other ? [other] : [])].map((each) => formatSettingResult(result, each)).join(', ')}.`;
}

export function formatBalanceVerdict(result: BalanceResult): string {
  const [best] = result.meeting;
  if (best === undefined) return formatNoSolution(result);
  const more = result.meetingCount - 1;
  const others =
    more > 0
      ? `; ${formatGrouped(more)} other${more === 1 ? '' : 's'} meet${more === 1 ? 's' : ''} the target too`
      : '';
  const given = `${formatSetting(result, best)} gives ${formatTarget(result)}`;
  const scale = getTargetScale(result);
  return `${given}: ${formatValue(scale, best)}, ${formatIntervalOrExact(scale, best)}${others}.`;
}

/** `19..36, 40`: formats values of one field as ranges of neighboring values. */
function formatValueRanges(values: readonly number[], neighbours: (a: number, b: number) => boolean): string {
  const found: [first: number, last: number][] = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last !== undefined && neighbours(last[1], value)) last[1] = value;
    else found.push([value, value]);
  }
  return found
    .map(([first, last]) => (first === last ? formatNumber(first) : `${formatNumber(first)}..${formatNumber(last)}`))
    .join(', ');
}

/** Lists the settings that the simulation did not exclude, unless all of them are known to meet the target. */
function createPossibleNotes(result: BalanceResult): string[] {
  const { possible = [], fields, meeting } = result;
  if (possible.length <= meeting.length) return [];
  const [field, ...others] = fields;
  if (field === undefined || others.length > 0)
    return [`Simulation did not exclude ${formatSettingCount(possible.length)}; --json lists them.`];
  const values = possible.map(([value = 0]) => value);
  const list = formatValueRanges(values, (a, b) => Number.isInteger(a) && b === a + 1);
  const which = possible.length === 1 ? 'one value' : `${formatGrouped(possible.length)} values`;
  return [`Simulation did not exclude ${which} of ${formatField(result, field.path)}: ${list}.`];
}

const TRENDS = {
  rises: 'always rises',
  falls: 'always falls',
  constant: 'is constant',
  neither: 'is not monotonic',
} as const;

/** Formats the number of crossings of the target. Without a trend, values are estimates, and there may be more. */
function formatCrossings(count: number, trend: FieldCurve['trend']): string {
  if (count === 0) return 'no crossing of the target is certain';
  const times = count === 1 ? 'once' : `${formatGrouped(count)} times`;
  return `the target is ${trend === undefined ? 'certainly ' : ''}crossed ${times}`;
}

/** Describes the examined values of one field. */
function createFieldCurveNotes(result: BalanceResult, { allExamined, crossings, trend }: FieldCurve): string[] {
  const { examined, of } = result;
  const which = allExamined ? `All ${formatGrouped(examined)} values` : `${formatGrouped(examined)} values, not all,`;
  const goes = trend === undefined ? '' : `: ${sanitizeLine(of)} ${TRENDS[trend]}`;
  const crossed = crossings.length > 1 || trend === undefined ? `; ${formatCrossings(crossings.length, trend)}` : '';
  const line = `${which} of ${formatSearchedFields(result)} were examined${goes}${crossed}.`;
  return allExamined ? [line] : [line, 'Two crossings between neighboring values would be missed.'];
}

/** `2nd`, `3rd`, `11th` */
function formatOrdinal(n: number): string {
  const result = Math.floor(n / 10) % 10 === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${formatGrouped(n)}${result}`;
}

function createGridNotes(result: BalanceResult, { step, allExamined }: ExaminedRows): string[] {
  const [one = '', two = ''] = result.fields.map(({ path }) => formatField(result, path));
  if (allExamined) {
    const all = `All ${formatSettingCount(result.examined)} of ${formatSearchedFields(result)} were examined.`;
    return [`${all} The table has, for each value of ${one}, the value of ${two} nearest to the target.`];
  }
  const left =
    step === 1 ? '' : ` Only every ${formatOrdinal(step)} value of ${one} was examined; a smaller range has no gaps.`;
  const near = `The value of ${two} nearest to the target was searched near the value of the neighboring row:`;
  return [`${near} if there are several crossings, the table shows one of them.${left}`];
}

function createNearbyNotes({ examined, exact }: BalanceResult, { radius, meets }: SearchReport): string[] {
  if (radius === 0 && meets) return ['The search began at a setting that meets the target, so no other was examined.'];
  const steps = `${formatGrouped(radius)} step${radius === 1 ? '' : 's'}`;
  const all = `All settings within ${steps} in total over all fields were examined: ${formatSettingCount(examined)}.`;
  if (!meets)
    return [all, 'None of them meets the target; farther settings were examined along only one field at a time.'];
  return exact ? [all, 'No setting with fewer steps meets the target.'] : [all];
}

/** Describes which settings were examined, and which solutions the search may have missed. */
export function formatSearchCoverage(result: BalanceResult): string[] {
  const { curve, rows, neighborhood, rejected } = result;
  return [
    ...createPossibleNotes(result),
    ...(curve === undefined ? [] : createFieldCurveNotes(result, curve)),
    ...(rows === undefined ? [] : createGridNotes(result, rows)),
    ...(neighborhood === undefined ? [] : createNearbyNotes(result, neighborhood)),
    ...(rejected > 0
      ? [`${formatGrouped(rejected)} more setting${rejected === 1 ? ' is' : 's are'} not allowed by the scenario.`]
      : []),
  ];
}

/** `One of defender’s tank has the value of 1.32 of attacker’s rifleman: ... Its price is that of 1.67: expensive.` */
function formatExchangeRates(result: BalanceResult): string[] {
  const [field = ''] = result.fields.map(({ path }) => formatField(result, path));
  const formatThreeDigits = (value: number): string => formatSignificant(value, 3);
  return (result.exchangeRates ?? []).map(({ per, count, at, between, interval, value, price }) => {
    const within = (ends: Interval): string => formatRange(ends, (end) => formatThreeDigits(end / count));
    const known = interval === undefined ? '' : ` (${within(interval)})`;
    const how = `${formatThreeDigits(at)} for ${formatNumber(count)}, interpolated between ${between.map(formatNumber).join(' and ')} (${within(between)} for one)`;
    const requested =
      price === undefined
        ? ''
        : ` Its price is that of ${formatThreeDigits(price)}: ${price > value ? 'expensive' : 'cheap'}.`;
    return `One of ${formatField(result, per)} has the value of ${formatThreeDigits(value)}${known} of ${field}: ${how}.${requested}`;
  });
}

export function formatConfidence({ exact, errorRate, maxBattles }: BalanceResult): string[] {
  if (exact) return ['All values are exact.'];
  const played = `Values with an interval: up to ${formatGrouped(maxBattles)} battles in the search and again in the verification.`;
  return [`${played} All statements hold simultaneously with ${formatPercent(formatNumber, 1 - errorRate)}.`];
}

/** Maximum number of settings of the search in an HTML report. */
const MAX_LISTED_SETTINGS = 500;

/** Creates the table of the examined settings, in the order of the search. */
export function createSearchTable(result: BalanceResult): SheetBlock[] {
  const { readings, fields, of, kind } = result;
  type Row = (typeof readings)[number] & { readonly step: number };
  const columns: DeclaredColumn<Row>[] = [
    { head: 'step', about: '', cell: ({ step }) => String(step) },
    ...fields.map(({ path }, f): DeclaredColumn<Row> => {
      return { head: formatField(result, path), about: '', cell: ({ values }) => formatNumber(values[f] ?? 0) };
    }),
    { head: of, about: '', cell: ({ value }) => formatValue(getTargetScale(result), { value }) },
    {
      head: formatEffectHeading('deviation', kind),
      about: '',
      cell: ({ value }) => formatDistanceToTarget(result, { value }),
    },
    { head: 'source', align: 'left', about: '', cell: ({ exact }) => (exact ? 'exact' : 'estimate') },
  ];
  const rows = readings.slice(0, MAX_LISTED_SETTINGS).map((reading, r) => ({ ...reading, step: r + 1 }));
  const more = readings.length - rows.length;
  return [createTable(columns, rows), ...(more > 0 ? [createNote(`and ${formatSettingCount(more)} more`)] : [])];
}

/** Creates the report of a search for balance. @param name label of the scenario */
export function createBalanceSheet(result: BalanceResult, name: string, options: ScenarioOptions): Sheet {
  const { fields, targetMet, examined } = result;
  const by = fields.map(({ path }) => formatField(result, path)).join(', ');
  const [best] = result.meeting;
  const notes = [...formatSearchCoverage(result), ...formatConfidence(result)];
  return [
    [createFactLine([bold(sanitizeLine(name)), formatTarget(result), `by ${by}`, formatSettingCount(examined)])],
    createBalanceTable(result),
    [createAnswer(formatBalanceVerdict(result), targetMet ? 'green' : 'yellow')],
    formatExchangeRates(result).map(createProse),
    notes.map((text) => createNote(text)),
    best === undefined
      ? []
      : [createDrawing(({ paint }) => [paint.dim(sanitizeLine(formatSettingCommand(result, best, options)))])],
  ];
}

export function createBalanceJson(result: BalanceResult, label: ScenarioLabel, scenario: Scenario, hash: string) {
  const { fields, current, meeting, undecided, possible, nearest, least, greatest, curve, pairs, ...later } = result;
  const { readings: _, ...others } = later;
  const { scenario: _scenario, seed, exact, maxBattles, errorRate, ...rest } = others;
  const set = (values: readonly number[]) => Object.fromEntries(fields.map(({ path }, f) => [path, values[f]]));
  const setting = (each: BalanceSetting) => ({
    set: set(each.values),
    value: each.value,
    interval: each.interval ?? null,
    unobserved: each.unobserved ?? null,
    battles: each.battles,
    ...(each.points.size > 0 && { costs: Object.fromEntries(each.points) }),
    verdict: each.verdict === 'holds' ? 'meets' : each.verdict === 'fails' ? 'misses' : 'undecided',
  });
  return {
    ...createScenarioHeader(label, scenario, hash),
    ...rest,
    exact,
    seed,
    maxBattles,
    errorRate,
    fields: fields.map((field) => ({ ...field, current: field.current ?? null })),
    current: current === undefined ? null : setting(current),
    meeting: meeting.map(setting),
    undecided: undecided.map(setting),
    possible: possible?.map(set) ?? null,
    nearest: setting(nearest),
    least: setting(least),
    greatest: setting(greatest),
    ...(curve && { curve: { ...curve, crossings: curve.crossings.map((pair) => pair.map(setting)) } }),
    ...(pairs && { pairs: pairs.map(setting) }),
  };
}
