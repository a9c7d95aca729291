/** Form of a scenario: declared fields with the values of the text. */
import { InputError } from '../../../src/core/index.ts';
import { formatAcceptedValues, formatItemCount } from '../../../src/report/index.ts';
import {
  type Declaration,
  findDeclarations,
  formatPlace,
  generateSmallest,
  getChildDeclaration,
  getDeclaration,
  getOnlyWord,
  isMapping,
  type ListDeclaration,
  listAlternatives,
  type NumberDeclaration,
  type Path,
  readDocument,
  type SimpleDeclaration,
  selectLikeliest,
  UNKNOWN_DECLARATION,
} from '../../../src/rules/index.ts';
import { getRegistry } from '../registry/registry.ts';

/** Lists the options of a declaration: all values of a choice, or one option for its kind. */
function listOptions(declared: SimpleDeclaration): FormOption[] {
  if (declared.kind === 'choice') return declared.of.map((value) => ({ label: String(value), value }));
  if (declared.kind === 'flag') return [true, false].map((value) => ({ label: String(value), value }));
  if (declared.kind === 'null') return [{ label: 'none (null)', value: null }];
  return [{ label: describeValues(declared), value: generateSmallest(declared) }];
}

function describeValues(declared: SimpleDeclaration): string {
  if (declared.kind === 'list') return 'a list';
  if (declared.kind === 'group') return declared.fields.size === 0 ? 'by name' : declared.required.join(', ');
  return declared.kind === 'number' ? 'a number' : 'a text';
}

const KIND_TESTS: Readonly<Record<Exclude<SimpleDeclaration['kind'], 'choice'>, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  list: Array.isArray,
  group: isMapping,
  untold: () => false,
};

/** Returns whether a value is of the kind of a declaration, valid or not. */
const isOfKind = (declared: SimpleDeclaration, value: unknown): boolean =>
  declared.kind === 'choice' ? declared.of.includes(value) : KIND_TESTS[declared.kind](value);

const isFixed = ({ kind }: SimpleDeclaration): boolean => kind === 'choice' || kind === 'flag' || kind === 'null';

interface Alternative {
  readonly declared: SimpleDeclaration;
  readonly option: FormOption;
}

/** Creates the choice between several declarations. */
function createChoice(all: readonly SimpleDeclaration[], value: unknown, path: Path): FieldShape {
  const offered = all.flatMap((declared) => listOptions(declared).map((option): Alternative => ({ declared, option })));
  const options = offered.map(({ option }) => option);
  if (value === undefined) return { kind: 'choice', options, chosen: -1 };
  const likely = selectLikeliest(all, value);
  const chosen = offered.findIndex(({ declared, option }) =>
    isFixed(declared) ? option.value === value : likely.includes(declared) && isOfKind(declared, value),
  );
  const declared = offered[chosen]?.declared;
  if (declared === undefined) return createUnknownShape(value);
  return { kind: 'choice', options, chosen, inner: isFixed(declared) ? undefined : createShape(declared, value, path) };
}

function createUnknownShape(value: unknown): FieldShape {
  return { kind: 'strange', text: JSON.stringify(value).slice(0, 80) };
}

function createNumberShape({ whole, low, high }: NumberDeclaration, value: unknown): FieldShape {
  if (typeof value === 'string') return { kind: 'text', value, number: true };
  return {
    kind: 'number',
    value: value as number | undefined,
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
    whole,
  };
}

function createListShape(
  { first, items = UNKNOWN_DECLARATION, most = Number.POSITIVE_INFINITY }: ListDeclaration,
  value: unknown,
  path: Path,
): FieldShape {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const getAt = (i: number): Declaration => first[i] ?? items;
  const entries = list.map((item, i) => createEntry(String(i + 1), getAt(i), item, [...path, i], false));
  const fresh = list.length < most ? { value: generateSmallest(getAt(list.length), list.length + 1) } : undefined;
  return { kind: 'list', entries, fresh };
}

/** Creates the shape of one declaration. */
function createSimpleShape(declared: SimpleDeclaration, value: unknown, path: Path, given: unknown): FieldShape {
  switch (declared.kind) {
    case 'group':
      return { kind: 'group', entries: createEntries([declared], value, path), fresh: createNewValue(declared) };
    case 'list':
      return createListShape(declared, value, path);
    case 'flag':
      return { kind: 'switch', value: (value ?? given ?? false) === true, given: value !== undefined };
    case 'number':
      return createNumberShape(declared, value);
    default:
      return { kind: 'text', value: value as string | undefined, number: false };
  }
}

function createShape(declared: Declaration, value: unknown, path: Path): FieldShape {
  const all = listAlternatives(declared);
  const [only] = all;
  if (only === undefined) return createUnknownShape(value);
  if (all.length > 1 || only.kind === 'choice') return createChoice(all, value, path);
  const typed = only.kind === 'number' && typeof value === 'string';
  const empty = value === null && (only.kind === 'group' || only.kind === 'list');
  if (value !== undefined && !typed && !empty && !isOfKind(only, value)) return createUnknownShape(value);
  return createSimpleShape(only, value ?? undefined, path, declared.default);
}

function createEntry(name: string, declared: Declaration, value: unknown, path: Path, required: boolean): FormEntry {
  return {
    path,
    place: formatPlace(path, ''),
    name,
    about: declared.about,
    default: formatDefault(declared),
    required,
    present: value !== undefined,
    shape: createShape(declared, value, path),
  };
}

const UNKNOWN_FIELD: SimpleDeclaration = { ...UNKNOWN_DECLARATION, about: 'Unknown field.' };

/** Finds the choice of a field that selects the declaration, such as `mode`. */
function findDiscriminator(name: string, all: readonly SimpleDeclaration[]): Declaration | undefined {
  const words = all.flatMap((each) => (each.kind === 'group' ? (getOnlyWord(each.fields.get(name)) ?? []) : []));
  return words.length < 2 ? undefined : { kind: 'choice', of: [...new Set(words)], about: 'Rules that apply.' };
}

/** Creates the entries of a mapping: declared fields in their order, then other fields. */
function createEntries(all: readonly SimpleDeclaration[], value: unknown, path: Path): FormEntry[] {
  const [group] = selectLikeliest(all, value);
  if (group?.kind !== 'group') return [];
  const { fields, required, others } = group;
  const given = isMapping(value) ? value : {};
  const first = [...fields.keys()].filter((name) => name === 'system' || findDiscriminator(name, all) !== undefined);
  const declared = [...new Set([...first, ...fields.keys()])];
  const findDeclared = (name: string): Declaration => {
    if (name === 'system' && path.length === 0) return createSystemField();
    return findDiscriminator(name, all) ?? fields.get(name) ?? UNKNOWN_DECLARATION;
  };
  const names = [...declared, ...Object.keys(given).filter((name) => !declared.includes(name))];
  return names.map((name) => {
    const field = declared.includes(name) ? findDeclared(name) : (others ?? UNKNOWN_FIELD);
    return createEntry(name, field, given[name], [...path, name], required.includes(name));
  });
}

/** Creates the value of a new field, if any name is allowed. */
function createNewValue(declared: SimpleDeclaration): { readonly value: unknown } | undefined {
  const others = declared.kind === 'group' ? declared.others : undefined;
  return others && { value: generateSmallest(others) };
}

/** Maximum UTF-16 units of a text: the page would draw thousands of fields for a longer one. */
const MAX_TEXT_LENGTH = 100_000;

/** Creates the form of a text. */
export function createForm(text: string): ScenarioForm {
  if (text.length > MAX_TEXT_LENGTH) return { ok: false, reason: 'The text is too long for a form.' };
  try {
    const { value } = text.trim() === '' ? { value: {} } : readDocument(text, 'scenario');
    if (!isMapping(value)) return { ok: false, reason: 'The text has no fields.' };
    return { ok: true, entries: createEntries(listAlternatives(findDeclaration(value)), value, []) };
  } catch (error) {
    if (error instanceof InputError) {
      return { ok: false, reason: 'The text has syntax errors. Correct them first.' };
    }
    throw error;
  }
}

// Declarations of a system by position in its scenarios.

/** Declares the field `system`. */
function createSystemField(): Declaration {
  return { kind: 'choice', of: getRegistry().names, about: 'Rules of the battle.' };
}

/** Returns the declaration of a scenario, valid or not. */
export function findDeclaration(scenario: unknown): Declaration {
  const name = isMapping(scenario) ? scenario['system'] : undefined;
  const system = getRegistry().all.find(({ id }) => id === name);
  if (system !== undefined) return getDeclaration(system.schema);
  // Without a known system, only the system names are known.
  const fields = new Map([['system', createSystemField()]]);
  return { kind: 'group', about: '', fields, required: ['system'], others: undefined, names: undefined };
}

/** Lists the declarations at a path, without alternatives of their own. */
export function listDeclarationsAt(scenario: unknown, path: Path): readonly SimpleDeclaration[] {
  return findDeclarations(findDeclaration(scenario), scenario, path, selectLikeliest);
}

/** Returns the declaration of a field with its alternatives, from the first mode that has it. */
export function findFieldAt(scenario: unknown, path: Path): Declaration | undefined {
  const step = path.at(-1);
  if (step === undefined) return findDeclaration(scenario);
  return listDeclarationsAt(scenario, path.slice(0, -1))
    .map((each) => getChildDeclaration(each, step))
    .find((found) => found !== undefined);
}

/** Returns whether the elements of a list can be groups. */
export const isDeep = (declared: SimpleDeclaration): boolean =>
  declared.kind === 'list' &&
  declared.items !== undefined &&
  listAlternatives(declared.items).some(({ kind }) => kind === 'group');

/** Describes the accepted values of a field. */
export function describeAccepted(declared: Declaration): string {
  const words = listAlternatives(declared).map((each) => {
    if (each.kind === 'group') return 'fields by name';
    return each.kind === 'list' && isDeep(each) ? `list of${formatItemCount(each)} groups` : formatAcceptedValues(each);
  });
  return [...new Set(words)].join(' | ');
}

/** Formats a default; undefined if there is none. */
export function formatDefault({ default: given }: Declaration): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string') return given;
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 0) return 'none';
  return JSON.stringify(given).replaceAll(/[,:]/g, '$& ').replaceAll('"', '');
}

// Data of a form: plain values, which the page renders.

/** Input control of a field. */
export type FieldShape =
  | {
      readonly kind: 'number';
      readonly value: number | undefined;
      readonly low?: number;
      readonly high?: number;
      readonly whole: boolean;
    }
  /** With `number`, typed numbers are stored as numbers. */
  | { readonly kind: 'text'; readonly value: string | undefined; readonly number: boolean }
  | { readonly kind: 'switch'; readonly value: boolean; readonly given: boolean }
  /** One of several values; with `inner`, the chosen one has its own shape. */
  | {
      readonly kind: 'choice';
      readonly options: readonly FormOption[];
      readonly chosen: number;
      readonly inner?: FieldShape | undefined;
    }
  /** With `fresh`, fields of other names can be added with this value. */
  | {
      readonly kind: 'group';
      readonly entries: readonly FormEntry[];
      readonly fresh?: { readonly value: unknown } | undefined;
    }
  /** With `fresh`, elements can be added. */
  | {
      readonly kind: 'list';
      readonly entries: readonly FormEntry[];
      readonly fresh?: { readonly value: unknown } | undefined;
    }
  /** Not as declared: shown as text. */
  | { readonly kind: 'strange'; readonly text: string };

export interface FormOption {
  readonly label: string;
  /** Value that is written when it is chosen. */
  readonly value: unknown;
}

export interface FormEntry {
  readonly path: Path;
  /** Field path in messages. */
  readonly place: string;
  readonly name: string;
  readonly about: string;
  readonly default?: string | undefined;
  readonly required: boolean;
  /** True if the text has it. */
  readonly present: boolean;
  readonly shape: FieldShape;
}

export type ScenarioForm =
  | { readonly ok: true; readonly entries: readonly FormEntry[] }
  | { readonly ok: false; readonly reason: string };
