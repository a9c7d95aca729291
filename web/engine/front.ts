/** What a scenario puts against each other: its sides, what can be counted of each, and the rules of no side. */
import { isMapping, readDocument, valueAt } from '../../src/rules/index.ts';
import { type Entry, formOf, type Shape } from './form.ts';

type Path = Entry['path'];

/** A whole number of a side that can be stepped up and down. */
export interface Counter {
  readonly path: Path;
  /** What messages call it. */
  readonly place: string;
  readonly name: string;
  readonly about: string;
  /** What the text has, else what holds without it; 0 of a type that is not there. */
  readonly value: number;
  readonly low: number;
  /** Infinite where nothing bounds it. */
  readonly high: number;
  /**
   * `type`: so many units of a type, none where it is 0 or left out. `count`: so many of what is there, as models or hit
   * points. `figure`: another number of the same unit, as its attack.
   */
  readonly kind: 'type' | 'count' | 'figure';
  /** The text has it. */
  readonly present: boolean;
  /** What it belongs to, where the side has several: a unit by its name, an army by its number. */
  readonly of: string;
  /** The element of a list that it belongs to. */
  readonly item: Path | undefined;
}

/** An element of a list that can be removed: a unit, an army. */
export interface Item {
  readonly path: Path;
  readonly name: string;
}

/** A list of a side that can have one more. */
export interface Growing {
  readonly path: Path;
  /** What one more is called. */
  readonly name: string;
  readonly value: unknown;
}

export interface FrontSide {
  /** As outcomes and metrics call it. */
  readonly id: string;
  readonly name: string;
  /** Of its colour: 0 of the attacker, 1 of the defender. */
  readonly tone: number;
  readonly counters: readonly Counter[];
  /** The elements of its lists, those without counters too. */
  readonly items: readonly Item[];
  readonly grows: readonly Growing[];
  /** Its further fields. */
  readonly more: readonly Entry[];
}

export interface Front {
  readonly sides: readonly FrontSide[];
  /** The fields of no side. */
  readonly rules: readonly Entry[];
  /** Fields of the two sides that can be exchanged, each with its place in the other. */
  readonly swaps: readonly (readonly [Path, Path])[];
  /** Why there is nothing to show. */
  readonly reason: string | undefined;
}

type Group = Extract<Shape, { readonly kind: 'group' }>;
type List = Extract<Shape, { readonly kind: 'list' }>;
type Whole = Extract<Shape, { readonly kind: 'number' }>;

/** What a choice has chosen. */
function inner({ shape }: Entry): Shape {
  return shape.kind === 'choice' && shape.inner !== undefined ? shape.inner : shape;
}

function groupIn(entry: Entry): Group | undefined {
  const shape = inner(entry);
  return shape.kind === 'group' ? shape : undefined;
}

function listIn(entry: Entry): List | undefined {
  const shape = inner(entry);
  return shape.kind === 'list' ? shape : undefined;
}

function wholeIn(entry: Entry): Whole | undefined {
  const shape = inner(entry);
  return shape.kind === 'number' && shape.whole ? shape : undefined;
}

/** `anti-aircraft gun` of `antiAircraftGun`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, (_, low: string, high: string) => `${low} ${high.toLowerCase()}`)
    .replaceAll('_', ' ')
    .replace(/^hp$/, 'hit points');

/** A whole number as a counter; undefined of one that has no value. */
function counterOf(entry: Entry, kind: Counter['kind'], name = wordsOf(entry.name)): Counter | undefined {
  const whole = wholeIn(entry);
  const given = whole?.value ?? (entry.default === undefined ? undefined : Number(entry.default));
  const value = given ?? (kind === 'type' ? 0 : undefined);
  if (whole === undefined || value === undefined || !Number.isSafeInteger(value)) return undefined;
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = whole;
  const { path, place, about, present } = entry;
  return { path, place, name, about, value, low, high, kind, present, of: '', item: undefined };
}

/** True of a number of units that may be none. */
function isType(entry: Entry): boolean {
  const none = entry.default === '0' || (entry.default === undefined && !entry.required);
  return wholeIn(entry)?.low === 0 && none;
}

/** As many numbers of one range, none of each unless given, are units by their types. */
const ALIKE = 4;

/** The types of units among the fields of a group. */
function typesAmong(entries: readonly Entry[]): readonly Entry[] {
  const types = entries.filter(isType);
  const ranges = types.map((entry) => String(wholeIn(entry)?.high));
  return ranges.some((range) => ranges.filter((each) => each === range).length >= ALIKE) ? types : [];
}

/** Numbers by name: how many units of each type, how many ships of each area. */
function isTable(entry: Entry): boolean {
  const { entries = [] } = groupIn(entry) ?? {};
  if (entries.length === 0 || !entries.every(isType)) return false;
  return COUNTED.test(entry.name) || typesAmong(entries).length === entries.length;
}

const isCount = (entry: Entry): boolean =>
  COUNTED.test(entry.name) && (wholeIn(entry)?.low ?? -1) >= 0 && counterOf(entry, 'count') !== undefined;

const found = <T>(all: readonly (T | undefined)[]): T[] => all.filter((each) => each !== undefined);

/** What is counted in a group, and the fields that this leaves. */
interface Counted {
  readonly counters: readonly Counter[];
  readonly items: readonly Item[];
  readonly grows: readonly Growing[];
  readonly more: readonly Entry[];
}

const NOTHING: Counted = { counters: [], items: [], grows: [], more: [] };

function joined(parts: readonly Counted[]): Counted {
  return {
    counters: parts.flatMap(({ counters }) => counters),
    items: parts.flatMap(({ items }) => items),
    grows: parts.flatMap(({ grows }) => grows),
    more: parts.flatMap(({ more }) => more),
  };
}

/** `block` of `blocks`, `army` of `armies`. */
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

/** The texts by which an element of a list is known. */
const TITLES = ['name', 'sample', 'rating', 'type', 'kind'];

function textIn(entry: Entry | undefined): string | undefined {
  const shape = entry && inner(entry);
  if (shape?.kind === 'text') return shape.value;
  if (shape?.kind !== 'choice') return undefined;
  const value = shape.options[shape.chosen]?.value;
  return typeof value === 'string' ? value : undefined;
}

/** What an element of a list is called: by its own name, else by its number. */
function titleOf(list: string, element: Entry): string {
  const { entries = [] } = groupIn(element) ?? {};
  const own = found(TITLES.map((name) => textIn(entries.find((each) => each.name === name))));
  return own[0] ?? `${singular(list)} ${element.name}`;
}

/** The counters of an element of a list. @param alone it is the only one, which need not be named */
function countersOf(list: string, element: Entry, alone: boolean): Counter[] {
  const { counters } = countedIn(groupIn(element)?.entries ?? [], true);
  const nameless = alone && counters.every(({ kind }) => kind === 'type');
  const of = nameless ? '' : titleOf(list, element);
  return counters.map((each) => ({ ...each, of: each.of === '' ? of : each.of, item: each.item ?? element.path }));
}

/** The elements of a list, and one more of them. */
function listed(list: Entry, elements: readonly Entry[], value: unknown): Counted {
  const items = elements.map((each) => ({ path: each.path, name: titleOf(list.name, each) }));
  const counters = elements.flatMap((each) => countersOf(list.name, each, elements.length === 1));
  const grows = value === undefined ? [] : [{ path: list.path, name: singular(wordsOf(list.name)), value }];
  return { counters, items, grows, more: [] };
}

/** A list of units or armies; any other is a field as others are. */
function countedList(list: Entry): Counted {
  const { entries = [], fresh } = listIn(list) ?? {};
  const groups = entries.every((each) => groupIn(each) !== undefined);
  const parts = listed(list, entries, fresh?.value);
  const counts = groups && (COUNTED.test(list.name) || parts.counters.length > 0);
  return counts && (list.required || entries.length > 0) ? { ...parts, more: [list] } : { ...NOTHING, more: [list] };
}

/** What a number of a side or of a unit in a list is; undefined of one that is told with the further fields. */
function kindOf(entry: Entry, types: readonly Entry[], unit: boolean, element: boolean): Counter['kind'] | undefined {
  if (types.includes(entry)) return 'type';
  if (isCount(entry)) return isType(entry) ? 'type' : 'count';
  return unit && (entry.required || (element && entry.present)) ? 'figure' : undefined;
}

/** What is counted among the fields of a side, or of an element of a list. */
function countedIn(entries: readonly Entry[], element = false): Counted {
  const types = typesAmong(entries);
  // Of a unit that has hit points, other numbers are figures too.
  const unit = entries.some((each) => !isType(each) && isCount(each));
  const parts = entries.map((each): Counted => {
    if (listIn(each) !== undefined) return countedList(each);
    if (isTable(each)) return { ...NOTHING, counters: tableOf(each) };
    const kind = kindOf(each, types, unit, element);
    const counter = kind && counterOf(each, kind);
    return counter === undefined ? { ...NOTHING, more: [each] } : { ...NOTHING, counters: [counter] };
  });
  return joined(parts);
}

function tableOf(entry: Entry): Counter[] {
  const { entries = [] } = groupIn(entry) ?? {};
  const units = entry.name === 'units';
  return found(entries.map((each) => counterOf(each, 'type'))).map((each) =>
    units ? each : { ...each, name: `${wordsOf(entry.name)}, ${each.name}` },
  );
}

/** `armies` of `Armies that attack.` */
function countedBy({ about }: Entry): string {
  const [, first = 'Units'] = /^(\p{L}+s)\b/u.exec(about) ?? [];
  return first.toLowerCase();
}

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A side that is a field of the scenario: a number, or a group. */
function fieldSide(entry: Entry, tone: number): FrontSide {
  const side = { id: entry.name, name: titled(wordsOf(entry.name)), tone };
  const counter = counterOf(entry, 'count', countedBy(entry));
  if (counter !== undefined) return { ...side, ...NOTHING, counters: [counter] };
  const { entries } = groupIn(entry) ?? {};
  if (entries === undefined) return { ...side, ...NOTHING, more: [entry] };
  const title = entries.find(({ name }) => name === 'name');
  const name = textIn(title) ?? title?.default ?? side.name;
  return { ...side, ...countedIn(entries), name };
}

/** Fields that two sides have at the same place. */
function swapsOf([one, other]: readonly Entry[]): Front['swaps'] {
  if (one === undefined || other === undefined) return [];
  const [a, b] = [groupIn(one), groupIn(other)];
  if (a === undefined || b === undefined) return [[one.path, other.path]];
  const names = new Set(b.entries.map(({ name }) => name));
  return a.entries
    .filter(({ name }) => names.has(name))
    .map(({ name }) => [
      [...one.path, name],
      [...other.path, name],
    ]);
}

/** Words by which an element of a list says whose it is. */
const OWNERS = ['party', 'side', 'player', 'owner', 'team'];

const ownerOf = (element: Entry): string | undefined => {
  const { entries = [] } = groupIn(element) ?? {};
  return textIn(entries.find(({ name }) => OWNERS.includes(name)));
};

/** The sides of a list whose elements say whose they are. */
function ownedSides(list: Entry): FrontSide[] {
  const { entries = [], fresh } = listIn(list) ?? {};
  const owners = [...new Set(found(entries.map(ownerOf)))];
  return owners.map((id, tone) => {
    const own = entries.filter((each) => ownerOf(each) === id);
    const field = groupIn(own[0] ?? list)?.entries.find(({ name }) => OWNERS.includes(name));
    const value = fresh && { ...(fresh.value as object), ...(field !== undefined && { [field.name]: id }) };
    return { ...listed(list, own, value), id, name: titled(id), tone, more: own };
  });
}

/** True of a group whose fields are called as one likes. */
const isOpen = (entry: Entry): boolean => {
  const group = groupIn(entry);
  return group?.fresh !== undefined && (group.entries.length === 0 || group.entries.every(({ required }) => !required));
};

/** All groups by names of the scenario's own that are not within another such group. */
function openGroups(entry: Entry): Entry[] {
  if (isOpen(entry)) return [entry];
  const shape = inner(entry);
  const within = shape.kind === 'group' || shape.kind === 'list' ? shape.entries : [];
  return within.flatMap(openGroups);
}

const namesIn = (entry: Entry): string[] => (groupIn(entry)?.entries ?? []).map(({ name }) => name);

/** Where a number of a player stands: the name of the element of the list that it is within. */
function whereIs(rules: readonly Entry[], { path: [field, k] }: Entry): string {
  const list = rules.find(({ name }) => name === field);
  const element = list && listIn(list)?.entries[Number(k)];
  return list !== undefined && element !== undefined ? titleOf(list.name, element) : wordsOf(String(field));
}

/** The sides of a scenario whose players are names of its own, in several places. */
function namedSides(rules: readonly Entry[]): FrontSide[] {
  const groups = rules.flatMap(openGroups).filter((each) => !isTable(each) || COUNTED.test(each.name));
  const owners = [...new Set(groups.toSorted((a, b) => a.path.length - b.path.length).flatMap(namesIn))];
  return owners.map((id, tone) => {
    const parts = groups.flatMap((group): Counted[] => {
      const own = groupIn(group)?.entries.find(({ name }) => name === id);
      if (own === undefined) return [];
      if (own.shape.kind === 'group') return [{ ...countedIn(own.shape.entries), grows: [] }];
      const counter = counterOf(own, 'count', `${wordsOf(group.name)}, ${whereIs(rules, group)}`);
      return [counter === undefined ? { ...NOTHING, more: [own] } : { ...NOTHING, counters: [counter] }];
    });
    return { id, name: titled(id), tone, ...joined(parts) };
  });
}

const EMPTY: Front = { sides: [], rules: [], swaps: [], reason: undefined };

/** `Corps 2` of `Corps`, `Corps 3` of `Corps 2`. */
function nextName(name: string): string {
  const [, stem = name, number = '1'] = /^(.*) (\d+)$/.exec(name) ?? [];
  return `${stem} ${String(Number(number) + 1)}`;
}

const isWithin = (path: Path, list: Path): boolean =>
  path.length === list.length + 1 && list.every((step, s) => path[s] === step);

/** One more is as the last one of the side, by a name of its own. */
function grownBy(side: FrontSide, scenario: unknown): FrontSide {
  const grows = side.grows.map((grow) => {
    const last = side.items.findLast(({ path }) => isWithin(path, grow.path));
    const value = last && valueAt(scenario, last.path);
    if (!isMapping(value)) return grow;
    return { ...grow, value: typeof value['name'] === 'string' ? { ...value, name: nextName(value['name']) } : value };
  });
  return { ...side, grows };
}

/** The front of what a form has. */
function frontIn(all: readonly Entry[]): Front {
  const entries = all.filter(({ name }) => name !== 'system' && name !== 'name');
  const names = sideNames(entries);
  const fields = names.flatMap((name) => entries.filter((each) => each.name === name));
  if (fields.length > 0) {
    const rules = entries.filter(({ name }) => !names.includes(name));
    return { ...EMPTY, sides: fields.map(fieldSide), rules, swaps: swapsOf(fields) };
  }
  const owned = entries.find((each) => listIn(each)?.entries.some((item) => ownerOf(item) !== undefined));
  if (owned === undefined) return { ...EMPTY, sides: namedSides(entries), rules: entries };
  return { ...EMPTY, sides: ownedSides(owned), rules: entries.filter((each) => each !== owned) };
}

/** The front of a text. */
export function frontOf(text: string): Front {
  const form = formOf(text);
  if (!form.ok) return { ...EMPTY, reason: form.reason };
  const front = frontIn(form.entries);
  if (front.sides.every(({ grows }) => grows.length === 0)) return front;
  const { value } = readDocument(text, 'scenario');
  return { ...front, sides: front.sides.map((side) => grownBy(side, value)) };
}

// Words by which fields are known for sides and for counts: those of the declared fields of games and of one's own systems.

/** Names of what is counted, alone or at the end of a name. */
const COUNTED =
  /(?:^|[a-z_-])(?:units|armies|troops|men|soldiers|models|figures|blocks|ships|fleets|tokens|combatants|structures|lives|steps|wounds|points|hp|health)$/i;

/** Pairs of sides that need not be declared alike. */
const PAIRS = [
  ['attacker', 'defender'],
  ['attackers', 'defenders'],
  ['red', 'blue'],
  ['side1', 'side2'],
  ['player1', 'player2'],
  ['a', 'b'],
];

/** What a field is like, whatever it is called: fields that are alike may be sides. */
function likeness({ name, about, shape }: Entry): string {
  if (shape.kind === 'group') {
    return shape.entries.length === 0 ? '' : JSON.stringify(shape.entries.map((each) => each.name));
  }
  if (shape.kind !== 'number') return '';
  const alike = about.toLowerCase().replaceAll(name.toLowerCase(), '?');
  return alike.includes('?') ? JSON.stringify([alike, shape.low, shape.high]) : '';
}

/** The fields of a scenario that are its sides, by name. */
function sideNames(entries: readonly Entry[]): readonly string[] {
  const names = entries.map(({ name }) => name);
  const pair = PAIRS.find((both) => both.every((each) => names.includes(each)));
  if (pair !== undefined) return pair;
  const all = entries.map((entry) => [entry.name, likeness(entry)] as const);
  const twice = all.find(([, like], e) => like !== '' && all.slice(e + 1).some(([, other]) => other === like));
  return twice === undefined ? [] : all.filter(([, like]) => like === twice[1]).map(([name]) => name);
}
