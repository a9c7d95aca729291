/** What a scenario puts against each other: its sides, what can be counted of each, and the rules of no side. */
import { getValueAt, isMapping, readDocument } from '../../../src/rules/index.ts';
import { createForm, type FieldShape, type FormEntry } from './form.ts';

type EntryPath = FormEntry['path'];

/** A whole number of a side that can be stepped up and down. */
export interface ArmyCounter {
  readonly path: EntryPath;
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
  readonly item: EntryPath | undefined;
}

/** An element of a list that can be removed: a unit, an army. */
export interface ArmyItem {
  readonly path: EntryPath;
  readonly name: string;
}

/** A list of a side that can have one more. */
export interface GrowableList {
  readonly path: EntryPath;
  /** What one more is called. */
  readonly name: string;
  readonly value: unknown;
}

export interface ArmySide {
  /** As outcomes and metrics call it. */
  readonly id: string;
  readonly name: string;
  /** Of its colour: 0 of the attacker, 1 of the defender. */
  readonly tone: number;
  readonly counters: readonly ArmyCounter[];
  /** The elements of its lists, those without counters too. */
  readonly items: readonly ArmyItem[];
  readonly grows: readonly GrowableList[];
  /** Its further fields. */
  readonly more: readonly FormEntry[];
}

export interface ArmyForm {
  readonly sides: readonly ArmySide[];
  /** The fields of no side. */
  readonly rules: readonly FormEntry[];
  /** Fields of the two sides that can be exchanged, each with its place in the other. */
  readonly swaps: readonly (readonly [EntryPath, EntryPath])[];
  /** Why there is nothing to show. */
  readonly reason: string | undefined;
}

type GroupShape = Extract<FieldShape, { readonly kind: 'group' }>;
type ListShape = Extract<FieldShape, { readonly kind: 'list' }>;
type NumberShape = Extract<FieldShape, { readonly kind: 'number' }>;

/** What a choice has chosen. */
function getChosenShape({ shape }: FormEntry): FieldShape {
  return shape.kind === 'choice' && shape.inner !== undefined ? shape.inner : shape;
}

function getGroup(entry: FormEntry): GroupShape | undefined {
  const shape = getChosenShape(entry);
  return shape.kind === 'group' ? shape : undefined;
}

function getList(entry: FormEntry): ListShape | undefined {
  const shape = getChosenShape(entry);
  return shape.kind === 'list' ? shape : undefined;
}

function getNumber(entry: FormEntry): NumberShape | undefined {
  const shape = getChosenShape(entry);
  return shape.kind === 'number' && shape.whole ? shape : undefined;
}

/** `anti-aircraft gun` of `antiAircraftGun`. */
const splitCamelCase = (name: string): string =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, (_, low: string, high: string) => `${low} ${high.toLowerCase()}`)
    .replaceAll('_', ' ')
    .replace(/^hp$/, 'hit points');

/** A whole number as a counter; undefined of one that has no value. */
function createCounter(
  entry: FormEntry,
  kind: ArmyCounter['kind'],
  name = splitCamelCase(entry.name),
): ArmyCounter | undefined {
  const whole = getNumber(entry);
  const given = whole?.value ?? (entry.default === undefined ? undefined : Number(entry.default));
  const value = given ?? (kind === 'type' ? 0 : undefined);
  if (whole === undefined || value === undefined || !Number.isSafeInteger(value)) return undefined;
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = whole;
  const { path, place, about, present } = entry;
  return { path, place, name, about, value, low, high, kind, present, of: '', item: undefined };
}

/** True of a number of units that may be none. */
function isType(entry: FormEntry): boolean {
  const none = entry.default === '0' || (entry.default === undefined && !entry.required);
  return getNumber(entry)?.low === 0 && none;
}

/** As many numbers of one range, none of each unless given, are units by their types. */
const MIN_TYPES = 4;

/** The types of units among the fields of a group. */
function findTypes(entries: readonly FormEntry[]): readonly FormEntry[] {
  const types = entries.filter(isType);
  const ranges = types.map((entry) => String(getNumber(entry)?.high));
  return ranges.some((range) => ranges.filter((each) => each === range).length >= MIN_TYPES) ? types : [];
}

/** Numbers by name: how many units of each type, how many ships of each area. */
function isTable(entry: FormEntry): boolean {
  const { entries = [] } = getGroup(entry) ?? {};
  if (entries.length === 0 || !entries.every(isType)) return false;
  return COUNTED_NOUN.test(entry.name) || findTypes(entries).length === entries.length;
}

const isCount = (entry: FormEntry): boolean =>
  COUNTED_NOUN.test(entry.name) && (getNumber(entry)?.low ?? -1) >= 0 && createCounter(entry, 'count') !== undefined;

const filterDefined = <T>(all: readonly (T | undefined)[]): T[] => all.filter((each) => each !== undefined);

/** What is counted in a group, and the fields that this leaves. */
interface CountedEntries {
  readonly counters: readonly ArmyCounter[];
  readonly items: readonly ArmyItem[];
  readonly grows: readonly GrowableList[];
  readonly more: readonly FormEntry[];
}

const NO_ENTRIES: CountedEntries = { counters: [], items: [], grows: [], more: [] };

function mergeCounted(parts: readonly CountedEntries[]): CountedEntries {
  return {
    counters: parts.flatMap(({ counters }) => counters),
    items: parts.flatMap(({ items }) => items),
    grows: parts.flatMap(({ grows }) => grows),
    more: parts.flatMap(({ more }) => more),
  };
}

/** `block` of `blocks`, `army` of `armies`. */
const toSingular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

/** The texts by which an element of a list is known. */
const TITLE_FIELDS = ['name', 'sample', 'rating', 'type', 'kind'];

function getText(entry: FormEntry | undefined): string | undefined {
  const shape = entry && getChosenShape(entry);
  if (shape?.kind === 'text') return shape.value;
  if (shape?.kind !== 'choice') return undefined;
  const value = shape.options[shape.chosen]?.value;
  return typeof value === 'string' ? value : undefined;
}

/** What an element of a list is called: by its own name, else by its number. */
function formatElementTitle(list: string, element: FormEntry): string {
  const { entries = [] } = getGroup(element) ?? {};
  const own = filterDefined(TITLE_FIELDS.map((name) => getText(entries.find((each) => each.name === name))));
  return own[0] ?? `${toSingular(list)} ${element.name}`;
}

/** The counters of an element of a list. @param alone it is the only one, which need not be named */
function createElementCounters(list: string, element: FormEntry, alone: boolean): ArmyCounter[] {
  const { counters } = countEntries(getGroup(element)?.entries ?? [], true);
  const nameless = alone && counters.every(({ kind }) => kind === 'type');
  const of = nameless ? '' : formatElementTitle(list, element);
  return counters.map((each) => ({ ...each, of: each.of === '' ? of : each.of, item: each.item ?? element.path }));
}

/** The elements of a list, and one more of them. */
function countElements(list: FormEntry, elements: readonly FormEntry[], value: unknown): CountedEntries {
  const items = elements.map((each) => ({ path: each.path, name: formatElementTitle(list.name, each) }));
  const counters = elements.flatMap((each) => createElementCounters(list.name, each, elements.length === 1));
  const grows = value === undefined ? [] : [{ path: list.path, name: toSingular(splitCamelCase(list.name)), value }];
  return { counters, items, grows, more: [] };
}

/** A list of units or armies; any other is a field as others are. */
function countList(list: FormEntry): CountedEntries {
  const { entries = [], fresh } = getList(list) ?? {};
  const groups = entries.every((each) => getGroup(each) !== undefined);
  const parts = countElements(list, entries, fresh?.value);
  const counts = groups && (COUNTED_NOUN.test(list.name) || parts.counters.length > 0);
  return counts && (list.required || entries.length > 0) ? { ...parts, more: [list] } : { ...NO_ENTRIES, more: [list] };
}

/** What a number of a side or of a unit in a list is; undefined of one that is told with the further fields. */
function classifyCounter(
  entry: FormEntry,
  types: readonly FormEntry[],
  unit: boolean,
  element: boolean,
): ArmyCounter['kind'] | undefined {
  if (types.includes(entry)) return 'type';
  if (isCount(entry)) return isType(entry) ? 'type' : 'count';
  return unit && (entry.required || (element && entry.present)) ? 'figure' : undefined;
}

/** What is counted among the fields of a side, or of an element of a list. */
function countEntries(entries: readonly FormEntry[], element = false): CountedEntries {
  const types = findTypes(entries);
  // Of a unit that has hit points, other numbers are figures too.
  const unit = entries.some((each) => !isType(each) && isCount(each));
  const parts = entries.map((each): CountedEntries => {
    if (getList(each) !== undefined) return countList(each);
    if (isTable(each)) return { ...NO_ENTRIES, counters: createTableCounters(each) };
    const kind = classifyCounter(each, types, unit, element);
    const counter = kind && createCounter(each, kind);
    return counter === undefined ? { ...NO_ENTRIES, more: [each] } : { ...NO_ENTRIES, counters: [counter] };
  });
  return mergeCounted(parts);
}

function createTableCounters(entry: FormEntry): ArmyCounter[] {
  const { entries = [] } = getGroup(entry) ?? {};
  const units = entry.name === 'units';
  return filterDefined(entries.map((each) => createCounter(each, 'type'))).map((each) =>
    units ? each : { ...each, name: `${splitCamelCase(entry.name)}, ${each.name}` },
  );
}

/** `armies` of `Armies that attack.` */
function parseCountedNoun({ about }: FormEntry): string {
  const [, first = 'Units'] = /^(\p{L}+s)\b/u.exec(about) ?? [];
  return first.toLowerCase();
}

const capitalizeName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A side that is a field of the scenario: a number, or a group. */
function createFieldSide(entry: FormEntry, tone: number): ArmySide {
  const side = { id: entry.name, name: capitalizeName(splitCamelCase(entry.name)), tone };
  const counter = createCounter(entry, 'count', parseCountedNoun(entry));
  if (counter !== undefined) return { ...side, ...NO_ENTRIES, counters: [counter] };
  const { entries } = getGroup(entry) ?? {};
  if (entries === undefined) return { ...side, ...NO_ENTRIES, more: [entry] };
  const title = entries.find(({ name }) => name === 'name');
  const name = getText(title) ?? title?.default ?? side.name;
  return { ...side, ...countEntries(entries), name };
}

/** Fields that two sides have at the same place. */
function findSwaps([one, other]: readonly FormEntry[]): ArmyForm['swaps'] {
  if (one === undefined || other === undefined) return [];
  const [a, b] = [getGroup(one), getGroup(other)];
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
const OWNER_FIELDS = ['party', 'side', 'player', 'owner', 'team'];

const findOwner = (element: FormEntry): string | undefined => {
  const { entries = [] } = getGroup(element) ?? {};
  return getText(entries.find(({ name }) => OWNER_FIELDS.includes(name)));
};

/** The sides of a list whose elements say whose they are. */
function createOwnedSides(list: FormEntry): ArmySide[] {
  const { entries = [], fresh } = getList(list) ?? {};
  const owners = [...new Set(filterDefined(entries.map(findOwner)))];
  return owners.map((id, tone) => {
    const own = entries.filter((each) => findOwner(each) === id);
    const field = getGroup(own[0] ?? list)?.entries.find(({ name }) => OWNER_FIELDS.includes(name));
    const value = fresh && { ...(fresh.value as object), ...(field !== undefined && { [field.name]: id }) };
    return { ...countElements(list, own, value), id, name: capitalizeName(id), tone, more: own };
  });
}

/** True of a group whose fields are called as one likes. */
const isOpen = (entry: FormEntry): boolean => {
  const group = getGroup(entry);
  return group?.fresh !== undefined && (group.entries.length === 0 || group.entries.every(({ required }) => !required));
};

/** All groups by names of the scenario's own that are not within another such group. */
function findOpenGroups(entry: FormEntry): FormEntry[] {
  if (isOpen(entry)) return [entry];
  const shape = getChosenShape(entry);
  const within = shape.kind === 'group' || shape.kind === 'list' ? shape.entries : [];
  return within.flatMap(findOpenGroups);
}

const listNames = (entry: FormEntry): string[] => (getGroup(entry)?.entries ?? []).map(({ name }) => name);

/** Where a number of a player stands: the name of the element of the list that it is within. */
function formatLocation(rules: readonly FormEntry[], { path: [field, k] }: FormEntry): string {
  const list = rules.find(({ name }) => name === field);
  const element = list && getList(list)?.entries[Number(k)];
  return list !== undefined && element !== undefined
    ? formatElementTitle(list.name, element)
    : splitCamelCase(String(field));
}

/** The sides of a scenario whose players are names of its own, in several places. */
function createNamedSides(rules: readonly FormEntry[]): ArmySide[] {
  const groups = rules.flatMap(findOpenGroups).filter((each) => !isTable(each) || COUNTED_NOUN.test(each.name));
  const owners = [...new Set(groups.toSorted((a, b) => a.path.length - b.path.length).flatMap(listNames))];
  return owners.map((id, tone) => {
    const parts = groups.flatMap((group): CountedEntries[] => {
      const own = getGroup(group)?.entries.find(({ name }) => name === id);
      if (own === undefined) return [];
      if (own.shape.kind === 'group') return [{ ...countEntries(own.shape.entries), grows: [] }];
      const counter = createCounter(own, 'count', `${splitCamelCase(group.name)}, ${formatLocation(rules, group)}`);
      return [counter === undefined ? { ...NO_ENTRIES, more: [own] } : { ...NO_ENTRIES, counters: [counter] }];
    });
    return { id, name: capitalizeName(id), tone, ...mergeCounted(parts) };
  });
}

const EMPTY_FORM: ArmyForm = { sides: [], rules: [], swaps: [], reason: undefined };

/** `Corps 2` of `Corps`, `Corps 3` of `Corps 2`. */
function createNextName(name: string): string {
  const [, stem = name, number = '1'] = /^(.*) (\d+)$/.exec(name) ?? [];
  return `${stem} ${String(Number(number) + 1)}`;
}

const isWithin = (path: EntryPath, list: EntryPath): boolean =>
  path.length === list.length + 1 && list.every((step, s) => path[s] === step);

/** One more is as the last one of the side, by a name of its own. */
function addGrowableLists(side: ArmySide, scenario: unknown): ArmySide {
  const grows = side.grows.map((grow) => {
    const last = side.items.findLast(({ path }) => isWithin(path, grow.path));
    const value = last && getValueAt(scenario, last.path);
    if (!isMapping(value)) return grow;
    return {
      ...grow,
      value: typeof value['name'] === 'string' ? { ...value, name: createNextName(value['name']) } : value,
    };
  });
  return { ...side, grows };
}

/** The front of what a form has. */
function createFormOfEntries(all: readonly FormEntry[]): ArmyForm {
  const entries = all.filter(({ name }) => name !== 'system' && name !== 'name');
  const names = findSideNames(entries);
  const fields = names.flatMap((name) => entries.filter((each) => each.name === name));
  if (fields.length > 0) {
    const rules = entries.filter(({ name }) => !names.includes(name));
    return { ...EMPTY_FORM, sides: fields.map(createFieldSide), rules, swaps: findSwaps(fields) };
  }
  const owned = entries.find((each) => getList(each)?.entries.some((item) => findOwner(item) !== undefined));
  if (owned === undefined) return { ...EMPTY_FORM, sides: createNamedSides(entries), rules: entries };
  return { ...EMPTY_FORM, sides: createOwnedSides(owned), rules: entries.filter((each) => each !== owned) };
}

/** The front of a text. */
export function createArmyForm(text: string): ArmyForm {
  const form = createForm(text);
  if (!form.ok) return { ...EMPTY_FORM, reason: form.reason };
  const front = createFormOfEntries(form.entries);
  if (front.sides.every(({ grows }) => grows.length === 0)) return front;
  const { value } = readDocument(text, 'scenario');
  return { ...front, sides: front.sides.map((side) => addGrowableLists(side, value)) };
}

// Words by which fields are known for sides and for counts: those of the declared fields of games and of one's own systems.

/** Names of what is counted, alone or at the end of a name. */
const COUNTED_NOUN =
  /(?:^|[a-z_-])(?:units|armies|troops|men|soldiers|models|figures|blocks|ships|fleets|tokens|combatants|structures|lives|steps|wounds|points|hp|health)$/i;

/** Pairs of sides that need not be declared alike. */
const SIDE_PAIRS = [
  ['attacker', 'defender'],
  ['attackers', 'defenders'],
  ['red', 'blue'],
  ['side1', 'side2'],
  ['player1', 'player2'],
  ['a', 'b'],
];

/** What a field is like, whatever it is called: fields that are alike may be sides. */
function describeLikeness({ name, about, shape }: FormEntry): string {
  if (shape.kind === 'group') {
    return shape.entries.length === 0 ? '' : JSON.stringify(shape.entries.map((each) => each.name));
  }
  if (shape.kind !== 'number') return '';
  const alike = about.toLowerCase().replaceAll(name.toLowerCase(), '?');
  return alike.includes('?') ? JSON.stringify([alike, shape.low, shape.high]) : '';
}

/** The fields of a scenario that are its sides, by name. */
function findSideNames(entries: readonly FormEntry[]): readonly string[] {
  const names = entries.map(({ name }) => name);
  const pair = SIDE_PAIRS.find((both) => both.every((each) => names.includes(each)));
  if (pair !== undefined) return pair;
  const all = entries.map((entry) => [entry.name, describeLikeness(entry)] as const);
  const twice = all.find(([, like], e) => like !== '' && all.slice(e + 1).some(([, other]) => other === like));
  return twice === undefined ? [] : all.filter(([, like]) => like === twice[1]).map(([name]) => name);
}
