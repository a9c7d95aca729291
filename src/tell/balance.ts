/** What `balance` tells: tables and sentences for people, JSON. */

import type { Interval } from '../answers/index.ts';
import type { Scenario } from '../rules/index.ts';
import {
  type Along,
  ascending,
  type Balance,
  type ExaminedRows,
  type GaugedSetting,
  type Near,
  type Searched,
} from '../studies/index.ts';
import { headOf } from './effects.ts';
import { endsText, type Figure, knownTo, percent, signed, valueText, wantedScaleOf } from './figure.ts';
import { head, type Label } from './json.ts';
import {
  answer,
  bold,
  type DeclaredColumn,
  drawing,
  factLine,
  grid,
  note,
  prose,
  type Sheet,
  type SheetBlock,
  type TableCell,
  toned,
} from './parts.ts';
import { clean } from './text/clean.ts';
import { commandLine, type GivenOptions } from './text/command.ts';
import { grouped, plain, significant } from './text/digits.ts';
import type { Column } from './text/table.ts';

/** Values of a setting as `--set` takes them: `attacker.hp=30`, `defender.hp=27`. */
function changes({ fields }: Balance, { values }: GaugedSetting): string[] {
  return fields.map(({ path }, f) => `${path}=${String(values[f] ?? '')}`);
}

const assignments = (result: Balance, setting: GaugedSetting): string => changes(result, setting).join(' ');

/** The command that shows a setting: beside the scenario as it is, or alone where that was changed before. */
function shownBy(result: Balance, best: GaugedSetting, { set = [], ...given }: GivenOptions): string {
  const found = changes(result, best);
  if (set.length > 0) return commandLine('run', { ...given, set: [...set, ...found] });
  return commandLine('diff-rules', given, '--set', ...found);
}

/** `1 setting`, `47 settings`. */
const settings = (count: number): string => `${grouped(count)} setting${count === 1 ? '' : 's'}`;

const same = (a: GaugedSetting, b: GaugedSetting): boolean => a.values.join() === b.values.join();

/** Settings that are worth a row: each once. */
export function shownSettings(result: Balance): GaugedSetting[] {
  const { present, pairs, along, meeting, undecided, nearest, least, greatest } = result;
  const all = pairs ?? [
    ...(along?.crossings.flat() ?? []),
    ...meeting,
    ...undecided,
    nearest,
    ...(result.met ? [] : [least, greatest]),
  ];
  const distinct: GaugedSetting[] = [];
  for (const setting of [...all, ...(present ? [present] : [])])
    if (!distinct.some((other) => same(other, setting))) distinct.push(setting);
  return distinct.sort((a, b) => ascending(a.values, b.values));
}

const MARKS = { holds: 'meets', undecided: 'undecided' } as const;

/** How far a value is from the target, shares in points. */
function offTarget(result: Balance, known: Figure & { readonly value: number }): string {
  const scale = { ...wantedScaleOf(result), sign: '', part: false };
  return signed(valueText(scale, { ...known, value: known.value - result.target }));
}

export function balanceTable(result: Balance): SheetBlock[] {
  const heads: Column[] = [
    ...result.fields.map(({ path }): Column => ({ head: path, named: true, align: 'point' })),
    ...[...result.nearest.points.keys()].map(
      (side): Column => ({ head: `points.${side}`, named: true, align: 'point' }),
    ),
    { head: result.of, named: true, align: 'point' },
    { head: 'known to', align: 'left', spare: 1 },
    { head: headOf('off target', result.kind), align: 'point' },
    { head: '', align: 'left' },
  ];
  const mark = (setting: GaugedSetting): TableCell => {
    const { verdict } = setting;
    const words = verdict === 'fails' ? [] : [toned(MARKS[verdict], verdict === 'holds' ? 'green' : 'yellow')];
    const here = result.present !== undefined && same(setting, result.present);
    return [...words, ...(here ? [toned('as it is', 'dim')] : [])];
  };
  const scale = wantedScaleOf(result);
  const rows = shownSettings(result).map((setting) => [
    ...[...setting.values, ...setting.points.values()].map(plain),
    valueText(scale, setting),
    knownTo(scale, setting),
    offTarget(result, setting),
    mark(setting),
  ]);
  return [{ kind: 'table', heads, rows }];
}

const rangeOf = ({ low, high }: Searched): string => `${plain(low)}..${plain(high)}`;

/** What is asked, in words: `attacker = 50 ± 1 %`. */
function wishOf(result: Balance): string {
  const { of, target, tolerance } = result;
  const { times, sign } = wantedScaleOf(result);
  return `${clean(of)} = ${plain(times * target)} ± ${plain(times * tolerance)}${sign}`;
}

function gives(result: Balance, setting: GaugedSetting): string {
  const interval = setting.interval === undefined ? '' : ` (${knownTo(wantedScaleOf(result), setting)})`;
  return `${clean(assignments(result, setting))} gives ${valueText(wantedScaleOf(result), setting)}${interval}`;
}

function where({ fields }: Balance): string {
  return fields.map((field) => `${clean(field.path)} in ${rangeOf(field)}`).join(', ');
}

/** Where no setting is known to meet the target. */
function noneOf(result: Balance): string {
  const { nearest, least, greatest, target, fields, along, undecided, possible = [] } = result;
  const what = fields.length === 1 ? 'No value of' : 'No setting that was looked at,';
  if (possible.length > 0) {
    const [first = nearest] = undecided;
    return `Undecided: ${gives(result, first)}; more --battles may tell whether that is ${wishOf(result)}.`;
  }
  const none = `${what} ${where(result)}${fields.length === 1 ? '' : ','} gives ${wishOf(result)};`;
  if (greatest.value < target || least.value > target) {
    const ends = least.value === greatest.value ? [least] : [least, greatest];
    const reach = along?.complete === true ? 'it is out of reach' : 'those that were looked at do not reach it';
    return `${none} ${reach}: ${ends.map((end) => gives(result, end)).join(', ')}.`;
  }
  const beyond = (setting: GaugedSetting): boolean => setting.value > target !== nearest.value > target;
  const other = along?.crossings.find((pair) => pair.some((each) => same(each, nearest)))?.find(beyond);
  return `${none} nearest: ${[nearest, ...(other ? [other] : [])].map((each) => gives(result, each)).join(', ')}.`;
}

export function balanceVerdict(result: Balance): string {
  const [best] = result.meeting;
  if (best === undefined) return noneOf(result);
  const more = result.meetingCount - 1;
  const others =
    more > 0 ? `; ${grouped(more)} other${more === 1 ? '' : 's'} meet${more === 1 ? 's' : ''} the target too` : '';
  const given = `${clean(assignments(result, best))} gives ${wishOf(result)}`;
  const scale = wantedScaleOf(result);
  return `${given}: ${valueText(scale, best)}, ${knownTo(scale, best)}${others}.`;
}

/** `19..36, 40`: values of one field as ranges of neighbours. */
function ranges(values: readonly number[], neighbours: (a: number, b: number) => boolean): string {
  const found: [first: number, last: number][] = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last !== undefined && neighbours(last[1], value)) last[1] = value;
    else found.push([value, value]);
  }
  return found.map(([first, last]) => (first === last ? plain(first) : `${plain(first)}..${plain(last)}`)).join(', ');
}

/** What playing did not exclude, apart from what is known to meet the target. */
function possibleNote({ possible = [], fields, meeting }: Balance): string[] {
  if (possible.length <= meeting.length) return [];
  const [field, ...others] = fields;
  if (field === undefined || others.length > 0)
    return [`Playing did not exclude ${settings(possible.length)}; --json has them.`];
  const values = possible.map(([value = 0]) => value);
  const list = ranges(values, (a, b) => Number.isInteger(a) && b === a + 1);
  const which = possible.length === 1 ? 'one value' : `${grouped(possible.length)} values`;
  return [`Playing did not exclude ${which} of ${clean(field.path)}: ${list}.`];
}

const TRENDS = {
  rises: 'rises along them',
  falls: 'falls along them',
  constant: 'is the same for all of them',
  neither: 'neither rises nor falls along all of them',
} as const;

/** How often the target was crossed; without a trend the values are estimates, and there may be more crossings. */
function crossedText(count: number, trend: Along['trend']): string {
  if (count === 0) return 'no crossing of the target is certain';
  const times = count === 1 ? 'once' : `${grouped(count)} times`;
  return `the target is ${trend === undefined ? 'certainly ' : ''}crossed ${times}`;
}

/** What was looked at along one field. */
function alongNotes(result: Balance, { whole, crossings, trend }: Along): string[] {
  const { looked, of } = result;
  const which = whole ? `All ${grouped(looked)} values` : `${grouped(looked)} values, not all,`;
  const goes = trend === undefined ? '' : `: ${clean(of)} ${TRENDS[trend]}`;
  const crossed = crossings.length > 1 || trend === undefined ? `; ${crossedText(crossings.length, trend)}` : '';
  const line = `${which} of ${where(result)} were looked at${goes}${crossed}.`;
  return whole ? [line] : [line, 'Two crossings between neighbours among them would be missed.'];
}

/** `2nd`, `3rd`, `11th` */
function ordinal(n: number): string {
  const ending = Math.floor(n / 10) % 10 === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${grouped(n)}${ending}`;
}

function pairNotes(result: Balance, { step, whole }: ExaminedRows): string[] {
  const [one = '', two = ''] = result.fields.map(({ path }) => clean(path));
  if (whole) {
    const all = `All ${settings(result.looked)} of ${where(result)} were examined.`;
    return [`${all} The table has, for each value of ${one}, the value of ${two} nearest to the target.`];
  }
  const left =
    step === 1 ? '' : ` Only every ${ordinal(step)} value of ${one} was examined; a smaller range has no gaps.`;
  const near = `The value of ${two} nearest to the target was searched near that of the neighboring row:`;
  return [`${near} where there are several crossings, the table has one of them.${left}`];
}

function nearNotes({ looked, exact }: Balance, { radius, meets }: Near): string[] {
  if (radius === 0 && meets) return ['The search began at a setting that meets the target, so no other was looked at.'];
  const steps = `${grouped(radius)} step${radius === 1 ? '' : 's'}`;
  const all = `All settings of up to ${steps} of all fields together were looked at, ${settings(looked)} in all.`;
  if (!meets)
    return [all, 'None of them meets the target; farther ones were looked at along each field by itself alone.'];
  return exact ? [all, 'None of fewer steps meets the target.'] : [all];
}

/** How far the search can be trusted to have missed nothing. */
export function reachOf(result: Balance): string[] {
  const { along, rows, near, refused } = result;
  return [
    ...possibleNote(result),
    ...(along === undefined ? [] : alongNotes(result, along)),
    ...(rows === undefined ? [] : pairNotes(result, rows)),
    ...(near === undefined ? [] : nearNotes(result, near)),
    ...(refused > 0
      ? [`${grouped(refused)} more setting${refused === 1 ? ' is' : 's are'} not allowed by the scenario.`]
      : []),
  ];
}

/** `One of defender.units.tank is worth 1.32 of attacker.units.rifleman: ... It costs 1.67: dear.` */
function rateText({ fields: [field], rates = [] }: Balance): string[] {
  const three = (value: number): string => significant(value, 3);
  return rates.map(({ per, count, at, between, interval, worth, price }) => {
    const within = (ends: Interval): string => endsText(ends, (end) => three(end / count));
    const known = interval === undefined ? '' : ` (${within(interval)})`;
    const how = `${three(at)} for ${plain(count)}, interpolated between ${between.map(plain).join(' and ')}, which are ${within(between)}`;
    const asked = price === undefined ? '' : ` It costs ${three(price)}: ${price > worth ? 'dear' : 'cheap'}.`;
    return `One of ${clean(per)} is worth ${three(worth)}${known} of ${clean(field?.path ?? '')}: ${how}.${asked}`;
  });
}

export function trustOf({ exact, error, battles }: Balance): string[] {
  if (exact) return ['All values are exact.'];
  const played = `Where there is an interval, up to ${grouped(battles)} battles were played to search and as many to verify.`;
  return [`${played} All that is told holds together with ${percent(plain, 1 - error)}.`];
}

/** Settings of the search that a page lists. */
const LISTED = 500;

/** Every setting that was looked at, in the order of the search. */
export function searchTable(result: Balance): SheetBlock[] {
  const { readings, fields, of, kind } = result;
  type Row = (typeof readings)[number] & { readonly step: number };
  const columns: DeclaredColumn<Row>[] = [
    { head: 'step', about: '', cell: ({ step }) => String(step) },
    ...fields.map(({ path }, f): DeclaredColumn<Row> => {
      return { head: path, about: '', cell: ({ values }) => plain(values[f] ?? 0) };
    }),
    { head: of, about: '', cell: ({ value }) => valueText(wantedScaleOf(result), { value }) },
    { head: headOf('off target', kind), about: '', cell: ({ value }) => offTarget(result, { value }) },
    { head: 'known to', align: 'left', about: '', cell: ({ exact }) => (exact ? 'exact' : 'estimate') },
  ];
  const rows = readings.slice(0, LISTED).map((reading, r) => ({ ...reading, step: r + 1 }));
  const more = readings.length - rows.length;
  return [grid(columns, rows), ...(more > 0 ? [note(`and ${settings(more)} more`)] : [])];
}

/**
 * The sheet of a search for balance.
 * @param name what the scenario is called
 * @param given the file that it is from, and what was set in it
 */
export function balanceSheet(result: Balance, name: string, given: GivenOptions): Sheet {
  const { fields, met, looked } = result;
  const by = fields.map(({ path }) => clean(path)).join(', ');
  const [best] = result.meeting;
  const notes = [...reachOf(result), ...trustOf(result)];
  return [
    [factLine([bold(clean(name)), wishOf(result), `by ${by}`, settings(looked)])],
    balanceTable(result),
    [answer(balanceVerdict(result), met ? 'green' : 'yellow')],
    rateText(result).map(prose),
    notes.map((text) => note(text)),
    best === undefined ? [] : [drawing(({ paint }) => [paint.dim(clean(shownBy(result, best, given)))])],
  ];
}

export function balanceJson(result: Balance, label: Label, scenario: Scenario, hash: string) {
  const { fields, present, meeting, undecided, possible, nearest, least, greatest, along, pairs, ...later } = result;
  const { readings: _, ...others } = later;
  const { seed, exact, battles, error, ...rest } = others;
  const set = (values: readonly number[]) => Object.fromEntries(fields.map(({ path }, f) => [path, values[f]]));
  const setting = (each: GaugedSetting) => ({
    set: set(each.values),
    value: each.value,
    interval: each.interval ?? null,
    unseen: each.unseen ?? null,
    battles: each.battles,
    ...(each.points.size > 0 && { costs: Object.fromEntries(each.points) }),
    verdict: each.verdict === 'holds' ? 'meets' : each.verdict === 'fails' ? 'misses' : 'undecided',
  });
  return {
    ...head(label, scenario, hash),
    ...rest,
    exact,
    seed,
    most: battles,
    error,
    fields: fields.map((field) => ({ ...field, present: field.present ?? null })),
    present: present === undefined ? null : setting(present),
    meeting: meeting.map(setting),
    undecided: undecided.map(setting),
    possible: possible?.map(set) ?? null,
    nearest: setting(nearest),
    least: setting(least),
    greatest: setting(greatest),
    ...(along && { along: { ...along, crossings: along.crossings.map((pair) => pair.map(setting)) } }),
    ...(pairs && { pairs: pairs.map(setting) }),
  };
}
