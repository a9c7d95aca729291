/** Form of a scenario as sides: unit counts, further fields, and rules of no side. */
import { getValueAt, isMapping, readDocument } from '../../../src/rules/index.ts';
import { createForm, type FieldShape, type FormEntry } from './form.ts';

type EntryPath = FormEntry['path'];

/** Integer of a side that can be increased and decreased. */
export interface ArmyCounter {
  readonly path: EntryPath;
  /** Field path in messages. */
  readonly place: string;
  readonly name: string;
  readonly about: string;
  /** Value in the text, else the default; 0 for an absent type. */
  readonly value: number;
  readonly low: number;
  /** Infinity without an upper bound. */
  readonly high: number;
  /**
   * `type`: number of units of a type, 0 if omitted. `count`: number of models or hit points. `figure`: another number
   * of the same unit, such as its attack.
   */
  readonly kind: 'type' | 'count' | 'figure';
  /** True if the text has it. */
  readonly present: boolean;
  /** Owner, if the side has several: name of a unit, or number of an army. */
  readonly of: string;
  /** Path of the list element that it belongs to. */
  readonly item: EntryPath | undefined;
}

/** Removable list element: a unit, an army. */
export interface ArmyItem {
  readonly path: EntryPath;
  readonly name: string;
}

/** List of a side that can grow. */
export interface GrowableList {
  readonly path: EntryPath;
  /** Name of a new element. */
  readonly name: string;
  readonly value: unknown;
}

export interface ArmySide {
  /** Name in outcomes and metrics. */
  readonly id: string;
  readonly name: string;
  /** Index of its color: 0 for the attacker, 1 for the defender. */
  readonly tone: number;
  readonly counters: readonly ArmyCounter[];
  /** Elements of its lists, including those without counters. */
  readonly items: readonly ArmyItem[];
  readonly grows: readonly GrowableList[];
  /** Further fields. */
  readonly more: readonly FormEntry[];
}

export interface ArmyForm {
  readonly sides: readonly ArmySide[];
  /** Fields of no side. */
  readonly rules: readonly FormEntry[];
  /** Fields of two sides that can be swapped, as pairs of paths. */
  readonly swaps: readonly (readonly [EntryPath, EntryPath])[];
  /** Reason why there is no form. */
  readonly reason: string | undefined;
}

type GroupShape = Extract<FieldShape, { readonly kind: 'group' }>;
type ListShape = Extract<FieldShape, { readonly kind: 'list' }>;
type NumberShape = Extract<FieldShape, { readonly kind: 'number' }>;

/** Returns the shape of the chosen alternative. */
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

/** Splits a camel-case name: `anti aircraft gun` for `antiAircraftGun`. */
const splitCamelCase = (name: string): string =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, (_, low: string, high: string) => `${low} ${high.toLowerCase()}`)
    .replaceAll('_', ' ')
    .replace(/^hp$/, 'hit points');

/** Creates the counter of an integer; undefined without a value. */
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

/** Returns whether a field is a number of units that may be 0. */
function isType(entry: FormEntry): boolean {
  const none = entry.default === '0' || (entry.default === undefined && !entry.required);
  return getNumber(entry)?.low === 0 && none;
}

/** Minimum number of integers with one range and default 0 that are recognized as unit types. */
const MIN_TYPES = 4;

/** Finds the unit types among the fields of a group. */
function findTypes(entries: readonly FormEntry[]): readonly FormEntry[] {
  const types = entries.filter(isType);
  const ranges = types.map((entry) => String(getNumber(entry)?.high));
  return ranges.some((range) => ranges.filter((each) => each === range).length >= MIN_TYPES) ? types : [];
}

/** Returns whether a field is a group of counts by name, such as units by type or ships by area. */
function isTable(entry: FormEntry): boolean {
  const { entries = [] } = getGroup(entry) ?? {};
  if (entries.length === 0 || !entries.every(isType)) return false;
  return COUNTED_NOUN.test(entry.name) || findTypes(entries).length === entries.length;
}

const isCount = (entry: FormEntry): boolean =>
  COUNTED_NOUN.test(entry.name) && (getNumber(entry)?.low ?? -1) >= 0 && createCounter(entry, 'count') !== undefined;

const filterDefined = <T>(all: readonly (T | undefined)[]): T[] => all.filter((each) => each !== undefined);

/** Counters of a group, and its other fields. */
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

/** Returns the singular: `block` for `blocks`, `army` for `armies`. */
const toSingular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

/** Fields that name a list element. */
const TITLE_FIELDS = ['name', 'sample', 'rating', 'type', 'kind'];

function getText(entry: FormEntry | undefined): string | undefined {
  const shape = entry && getChosenShape(entry);
  if (shape?.kind === 'text') return shape.value;
  if (shape?.kind !== 'choice') return undefined;
  const value = shape.options[shape.chosen]?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Returns the title of a list element: its name, else its number. */
function formatElementTitle(list: string, element: FormEntry): string {
  const { entries = [] } = getGroup(element) ?? {};
  const own = filterDefined(TITLE_FIELDS.map((name) => getText(entries.find((each) => each.name === name))));
  return own[0] ?? `${toSingular(list)} ${element.name}`;
}

/** Creates the counters of a list element. @param alone true if it is the only one, which needs no title */
function createElementCounters(list: string, element: FormEntry, alone: boolean): ArmyCounter[] {
  const { counters } = countEntries(getGroup(element)?.entries ?? [], true);
  const nameless = alone && counters.every(({ kind }) => kind === 'type');
  const of = nameless ? '' : formatElementTitle(list, element);
  return counters.map((each) => ({ ...each, of: each.of === '' ? of : each.of, item: each.item ?? element.path }));
}

/** Creates the counters of list elements, and the value of a new one. */
function countElements(list: FormEntry, elements: readonly FormEntry[], value: unknown): CountedEntries {
  const items = elements.map((each) => ({ path: each.path, name: formatElementTitle(list.name, each) }));
  const counters = elements.flatMap((each) => createElementCounters(list.name, each, elements.length === 1));
  const grows = value === undefined ? [] : [{ path: list.path, name: toSingular(splitCamelCase(list.name)), value }];
  return { counters, items, grows, more: [] };
}

/** Creates the counters of a list of units or armies; other lists are further fields. */
function countList(list: FormEntry): CountedEntries {
  const { entries = [], fresh } = getList(list) ?? {};
  const groups = entries.every((each) => getGroup(each) !== undefined);
  const parts = countElements(list, entries, fresh?.value);
  const counts = groups && (COUNTED_NOUN.test(list.name) || parts.counters.length > 0);
  return counts && (list.required || entries.length > 0) ? { ...parts, more: [list] } : { ...NO_ENTRIES, more: [list] };
}

/** Classifies a number of a side or list element; undefined for further fields. */
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

/** Finds the counters among the fields of a side or list element. */
function countEntries(entries: readonly FormEntry[], element = false): CountedEntries {
  const types = findTypes(entries);
  // Other numbers of a unit with hit points are figures, too.
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

/** Returns the counted noun of a description: `armies` for `Armies that attack.` */
function parseCountedNoun({ about }: FormEntry): string {
  const [, first = 'Units'] = /^(\p{L}+s)\b/u.exec(about) ?? [];
  return first.toLowerCase();
}

const capitalizeName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Creates the side of a field: a number or a group. */
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

/** Finds the fields that two sides have in common. */
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

/** Fields that name the owner of a list element. */
const OWNER_FIELDS = ['party', 'side', 'player', 'owner', 'team'];

const findOwner = (element: FormEntry): string | undefined => {
  const { entries = [] } = getGroup(element) ?? {};
  return getText(entries.find(({ name }) => OWNER_FIELDS.includes(name)));
};

/** Creates the sides of a list whose elements name their owners. */
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

/** Returns whether a group allows any field names. */
const isOpen = (entry: FormEntry): boolean => {
  const group = getGroup(entry);
  return group?.fresh !== undefined && (group.entries.length === 0 || group.entries.every(({ required }) => !required));
};

/** Finds the outermost groups with custom names. */
function findOpenGroups(entry: FormEntry): FormEntry[] {
  if (isOpen(entry)) return [entry];
  const shape = getChosenShape(entry);
  const within = shape.kind === 'group' || shape.kind === 'list' ? shape.entries : [];
  return within.flatMap(findOpenGroups);
}

const listNames = (entry: FormEntry): string[] => (getGroup(entry)?.entries ?? []).map(({ name }) => name);

/** Returns the location of a number of a player: the name of its list element. */
function formatLocation(rules: readonly FormEntry[], { path: [field, k] }: FormEntry): string {
  const list = rules.find(({ name }) => name === field);
  const element = list && getList(list)?.entries[Number(k)];
  return list !== undefined && element !== undefined
    ? formatElementTitle(list.name, element)
    : splitCamelCase(String(field));
}

/** Creates the sides of a scenario whose players are custom names in several groups. */
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

/** Returns the next name: `Corps 2` for `Corps`, `Corps 3` for `Corps 2`. */
function createNextName(name: string): string {
  const [, stem = name, number = '1'] = /^(.*) (\d+)$/.exec(name) ?? [];
  return `${stem} ${String(Number(number) + 1)}`;
}

const isWithin = (path: EntryPath, list: EntryPath): boolean =>
  path.length === list.length + 1 && list.every((step, s) => path[s] === step);

/** Makes new list elements copies of the last one of the side, with a new name. */
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

/** Creates the sides from the fields of a form. */
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

/** Creates the form of a text. */
export function createArmyForm(text: string): ArmyForm {
  const form = createForm(text);
  if (!form.ok) return { ...EMPTY_FORM, reason: form.reason };
  const front = createFormOfEntries(form.entries);
  if (front.sides.every(({ grows }) => grows.length === 0)) return front;
  const { value } = readDocument(text, 'scenario');
  return { ...front, sides: front.sides.map((side) => addGrowableLists(side, value)) };
}

// Words that identify sides and counts in the declared fields of games and custom systems.

/** Pattern of counted nouns at the end of a field name. */
const COUNTED_NOUN =
  /(?:^|[a-z_-])(?:units|armies|troops|men|soldiers|models|figures|blocks|ships|fleets|tokens|combatants|structures|lives|steps|wounds|points|hp|health)$/i;

/** Names of pairs of sides, whose declarations may differ. */
const SIDE_PAIRS = [
  ['attacker', 'defender'],
  ['attackers', 'defenders'],
  ['red', 'blue'],
  ['side1', 'side2'],
  ['player1', 'player2'],
  ['a', 'b'],
];

/** Returns a key that is equal for fields with equal declarations, which may be sides; empty for other fields. */
function describeLikeness({ name, about, shape }: FormEntry): string {
  if (shape.kind === 'group') {
    return shape.entries.length === 0 ? '' : JSON.stringify(shape.entries.map((each) => each.name));
  }
  if (shape.kind !== 'number') return '';
  const alike = about.toLowerCase().replaceAll(name.toLowerCase(), '?');
  return alike.includes('?') ? JSON.stringify([alike, shape.low, shape.high]) : '';
}

/** Finds the fields that are sides. */
function findSideNames(entries: readonly FormEntry[]): readonly string[] {
  const names = entries.map(({ name }) => name);
  const pair = SIDE_PAIRS.find((both) => both.every((each) => names.includes(each)));
  if (pair !== undefined) return pair;
  const all = entries.map((entry) => [entry.name, describeLikeness(entry)] as const);
  const twice = all.find(([, like], e) => like !== '' && all.slice(e + 1).some(([, other]) => other === like));
  return twice === undefined ? [] : all.filter(([, like]) => like === twice[1]).map(([name]) => name);
}
