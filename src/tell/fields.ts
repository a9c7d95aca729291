/** The fields of a system's scenarios, as their declaration tells them. */
import { alternatives, type Declared, type Group, type List, onlyWord, type Simple } from '../rules/index.ts';

export interface Field {
  /** `attacker.hp`, `<side>.hp`, `combatants[].hp`, `unitTypes.<name>.era`. */
  readonly path: string;
  /** What it accepts: `1..100000`, `none | forest`, `list of text`. */
  readonly accepts: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly about: string;
  /** The modes that have the field; empty if the system has no modes. */
  readonly modes: readonly string[];
}

const WORDS = { text: 'text', flag: 'true | false', null: 'null', untold: 'anything' } as const;

function inner({ fields }: Group): string {
  const all = [...fields].map(([name, field]) => `${name}: ${accepts(field)}`);
  return all.length === 0 ? 'fields by name' : `{ ${all.join(', ')} }`;
}

function listed({ items }: List): string {
  const words = items === undefined ? WORDS.untold : accepts(items);
  return `list of ${words.includes(' | ') ? `(${words})` : words}`;
}

/** What a declaration accepts, in a few words. */
export function accepts(declared: Declared): string {
  switch (declared.kind) {
    case 'union':
      return declared.of.map(accepts).join(' | ');
    case 'choice':
      return declared.of.join(' | ');
    case 'list':
      return listed(declared);
    case 'group':
      return inner(declared);
    case 'number': {
      const { whole, low, high } = declared;
      if (low === undefined || high === undefined) return whole ? 'an integer' : 'a number';
      return `${String(low)}..${String(high)}${whole ? '' : ' (fractions too)'}`;
    }
    default:
      return WORDS[declared.kind];
  }
}

/** ` 2..3`, ` 1..`: how many elements there can be; empty if nothing says. */
export function countOf({ least, most }: List): string {
  return least === undefined && most === undefined ? '' : ` ${String(least ?? '')}..${String(most ?? '')}`;
}

/** Where fields stand. */
interface Within {
  readonly required: boolean;
  readonly modes: readonly string[];
}

function leaf(path: string, declared: Declared, { required, modes }: Within, words = accepts(declared)): Field {
  const { default: given, about } = declared;
  return { path, accepts: words, required, ...(given === undefined ? {} : { default: given }), about, modes };
}

/** The fields at and below a path. */
function below(path: string, declared: Declared, place: Within): Field[] {
  if (declared.kind === 'list' && declared.items?.kind === 'group' && declared.items.fields.size > 0) {
    const count = countOf(declared);
    const own = leaf(path, declared, place, count === '' ? 'list' : `list of${count}`);
    return [own, ...children(`${path}[]`, declared.items, place.modes)];
  }
  if (declared.kind !== 'group') return [leaf(path, declared, place)];
  const own = declared.about === '' ? [] : [leaf(path, declared, place, 'fields by name')];
  return [...own, ...children(path, declared, place.modes)];
}

function children(path: string, declared: Simple, modes: readonly string[]): Field[] {
  if (declared.kind !== 'group') return [];
  const prefix = path === '' ? '' : `${path}.`;
  const { fields, required, others } = declared;
  const named = [...fields].flatMap(([name, field]) =>
    below(prefix + name, field, { required: required.includes(name), modes }),
  );
  return others === undefined ? named : [...named, ...below(`${prefix}<name>`, others, { required: false, modes })];
}

const keyOf = ({ path, ...field }: Field, renamed = path): string =>
  JSON.stringify([renamed, field.accepts, field.required, field.about, field.modes]);

/** Fields that attacker and defender have alike become one: `<side>.hp`. */
function mergeSides(fields: readonly Field[]): Field[] {
  const onSide = (field: Field, side: string): boolean => field.path.startsWith(`${side}.`);
  const renamed = (field: Field): string => field.path.replace(/^(attacker|defender)\./, '<side>.');
  const keys = (side: string): Map<string, Field> =>
    new Map(fields.filter((field) => onSide(field, side)).map((field) => [keyOf(field, renamed(field)), field]));
  const [attackers, defenders] = [keys('attacker'), keys('defender')];
  return fields.flatMap((field): Field[] => {
    const key = keyOf(field, renamed(field));
    const twin = onSide(field, 'attacker') ? defenders.get(key) : attackers.get(key);
    if (twin === undefined || !/^(attacker|defender)\./.test(field.path)) return [field];
    if (onSide(field, 'defender')) return [];
    const alike = JSON.stringify(field.default) === JSON.stringify(twin.default);
    const both = alike ? {} : { default: [field.default, twin.default].join(', ') };
    return [{ ...field, path: renamed(field), ...both }];
  });
}

/** Fields that several modes have alike become one. */
function mergeModes(fields: readonly Field[]): Field[] {
  const merged = new Map<string, Field>();
  for (const field of fields) {
    const key = JSON.stringify([keyOf({ ...field, modes: [] }), field.default]);
    const known = merged.get(key);
    merged.set(key, known === undefined ? field : { ...known, modes: [...known.modes, ...field.modes] });
  }
  return [...merged.values()];
}

/** The modes of a system, in order; none if its scenarios have no field `mode`. */
export function modesOf(declared: Declared): string[] {
  const words = alternatives(declared).map((each) => each.kind === 'group' && onlyWord(each.fields.get('mode')));
  return words.filter((word) => typeof word === 'string');
}

/** All fields of a system but `system` and `mode`. */
export function fieldsOf(declared: Declared): Field[] {
  const fields = alternatives(declared).flatMap((each) => mergeSides(children('', each, modesOf(each))));
  return mergeModes(fields).filter(({ path }) => path !== 'system' && path !== 'mode');
}
