/** Declared fields of the scenarios of a system. */
import {
  type Declaration,
  type GroupDeclaration,
  getOnlyWord,
  type ListDeclaration,
  listAlternatives,
  type SimpleDeclaration,
} from '../../rules/index.ts';

export interface FieldDescription {
  /** `attacker.hp`, `<side>.hp`, `combatants[].hp`, `unitTypes.<name>.era`. */
  readonly path: string;
  /** Accepted values: `1..100000`, `none | forest`, `list of text`. */
  readonly accepts: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly about: string;
  /** Modes with this field; empty if the system has no modes. */
  readonly modes: readonly string[];
}

const KIND_NAMES = { text: 'text', flag: 'true | false', null: 'null', untold: 'anything' } as const;

function formatGroup({ fields }: GroupDeclaration): string {
  const all = [...fields].map(([name, field]) => `${name}: ${formatAcceptedValues(field)}`);
  return all.length === 0 ? 'fields by name' : `{ ${all.join(', ')} }`;
}

function formatList({ items }: ListDeclaration): string {
  const words = items === undefined ? KIND_NAMES.untold : formatAcceptedValues(items);
  return `list of ${words.includes(' | ') ? `(${words})` : words}`;
}

/** Formats the accepted values of a declaration. */
export function formatAcceptedValues(declared: Declaration): string {
  switch (declared.kind) {
    case 'union':
      return declared.of.map(formatAcceptedValues).join(' | ');
    case 'choice':
      return declared.of.join(' | ');
    case 'list':
      return formatList(declared);
    case 'group':
      return formatGroup(declared);
    case 'number': {
      const { whole, low, high } = declared;
      if (low === undefined || high === undefined) return whole ? 'an integer' : 'a number';
      return `${String(low)}..${String(high)}${whole ? '' : ' (fractions too)'}`;
    }
    default:
      return KIND_NAMES[declared.kind];
  }
}

/** Formats the allowed number of elements: ` 2..3`, ` 1..`; empty without limits. */
export function formatItemCount({ least, most }: ListDeclaration): string {
  return least === undefined && most === undefined ? '' : ` ${String(least ?? '')}..${String(most ?? '')}`;
}

/** Context of fields. */
interface FieldContext {
  readonly required: boolean;
  readonly modes: readonly string[];
}

function createField(
  path: string,
  declared: Declaration,
  { required, modes }: FieldContext,
  words = formatAcceptedValues(declared),
): FieldDescription {
  const { default: given, about } = declared;
  return { path, accepts: words, required, ...(given === undefined ? {} : { default: given }), about, modes };
}

/** Lists the fields at and below a path. */
function listFieldsAt(path: string, declared: Declaration, place: FieldContext): FieldDescription[] {
  if (declared.kind === 'list' && declared.items?.kind === 'group' && declared.items.fields.size > 0) {
    const count = formatItemCount(declared);
    const own = createField(path, declared, place, count === '' ? 'list' : `list of${count}`);
    return [own, ...listChildFields(`${path}[]`, declared.items, place.modes)];
  }
  if (declared.kind !== 'group') return [createField(path, declared, place)];
  const own = declared.about === '' ? [] : [createField(path, declared, place, 'fields by name')];
  return [...own, ...listChildFields(path, declared, place.modes)];
}

function listChildFields(path: string, declared: SimpleDeclaration, modes: readonly string[]): FieldDescription[] {
  if (declared.kind !== 'group') return [];
  const prefix = path === '' ? '' : `${path}.`;
  const { fields, required, others } = declared;
  const named = [...fields].flatMap(([name, field]) =>
    listFieldsAt(prefix + name, field, { required: required.includes(name), modes }),
  );
  return others === undefined
    ? named
    : [...named, ...listFieldsAt(`${prefix}<name>`, others, { required: false, modes })];
}

const toFieldKey = ({ path, ...field }: FieldDescription, renamed = path): string =>
  JSON.stringify([renamed, field.accepts, field.required, field.about, field.modes]);

/** Merges equal fields of attacker and defender: `<side>.hp`. */
function mergeSides(fields: readonly FieldDescription[]): FieldDescription[] {
  const onSide = (field: FieldDescription, side: string): boolean => field.path.startsWith(`${side}.`);
  const renameField = (field: FieldDescription): string => field.path.replace(/^(attacker|defender)\./, '<side>.');
  const listKeys = (side: string): Map<string, FieldDescription> =>
    new Map(
      fields.filter((field) => onSide(field, side)).map((field) => [toFieldKey(field, renameField(field)), field]),
    );
  const [attackers, defenders] = [listKeys('attacker'), listKeys('defender')];
  return fields.flatMap((field): FieldDescription[] => {
    const key = toFieldKey(field, renameField(field));
    const counterpart = onSide(field, 'attacker') ? defenders.get(key) : attackers.get(key);
    if (counterpart === undefined || !/^(attacker|defender)\./.test(field.path)) return [field];
    if (onSide(field, 'defender')) return [];
    const alike = JSON.stringify(field.default) === JSON.stringify(counterpart.default);
    const both = alike ? {} : { default: [field.default, counterpart.default].join(', ') };
    return [{ ...field, path: renameField(field), ...both }];
  });
}

/** Merges equal fields of several modes. */
function mergeModes(fields: readonly FieldDescription[]): FieldDescription[] {
  const merged = new Map<string, FieldDescription>();
  for (const field of fields) {
    const key = JSON.stringify([toFieldKey({ ...field, modes: [] }), field.default]);
    const known = merged.get(key);
    merged.set(key, known === undefined ? field : { ...known, modes: [...known.modes, ...field.modes] });
  }
  return [...merged.values()];
}

/** Lists the modes of a system, in order. Empty if its scenarios have no field `mode`. */
export function listModes(declared: Declaration): string[] {
  const words = listAlternatives(declared).map((each) => each.kind === 'group' && getOnlyWord(each.fields.get('mode')));
  return words.filter((word) => typeof word === 'string');
}

/** Lists all fields of a system except `system` and `mode`. */
export function listSystemFields(declared: Declaration): FieldDescription[] {
  const fields = listAlternatives(declared).flatMap((each) => mergeSides(listChildFields('', each, listModes(each))));
  return mergeModes(fields).filter(({ path }) => path !== 'system' && path !== 'mode');
}
