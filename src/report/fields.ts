/** The fields of a system's scenarios, read from its JSON Schema. */

/** What we read of a JSON Schema. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

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

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true | false',
  null: 'null',
  integer: 'an integer',
  number: 'a number',
};

function range({ minimum, maximum, type }: JsonSchema): string | undefined {
  if (minimum === undefined || maximum === undefined) return undefined;
  return `${String(minimum)}..${String(maximum)}${type === 'number' ? ' (fractions too)' : ''}`;
}

function inner(schema: JsonSchema): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => `${name}: ${accepts(field)}`);
  return fields.length === 0 ? 'fields by name' : `{ ${fields.join(', ')} }`;
}

function grouped(words: string): string {
  return words.includes(' | ') ? `(${words})` : words;
}

/** What a schema accepts, in a few words. */
export function accepts(schema: JsonSchema): string {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return variants.map(accepts).join(' | ');
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum.join(' | ');
  if (schema.type === 'array') return `list of ${grouped(accepts(schema.items ?? {}))}`;
  if (schema.type === 'object') return inner(schema);
  return range(schema) ?? WORDS[schema.type ?? ''] ?? 'anything';
}

function about(schema: JsonSchema): string {
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  return schema.description ?? variants.map(({ description }) => description).find((text) => text !== undefined) ?? '';
}

function count({ minItems, maxItems }: JsonSchema): string {
  const least = minItems === undefined ? '' : String(minItems);
  return minItems === undefined && maxItems === undefined ? 'list' : `list of ${least}..${String(maxItems ?? '')}`;
}

function leaf(path: string, schema: JsonSchema, required: boolean, modes: readonly string[], words?: string): Field {
  const given = schema.default === undefined ? {} : { default: schema.default };
  return { path, accepts: words ?? accepts(schema), required, ...given, about: about(schema), modes };
}

/** The fields at and below a path. */
function below(path: string, schema: JsonSchema, required: boolean, modes: readonly string[]): Field[] {
  if (schema.type === 'array' && schema.items?.properties !== undefined) {
    return [leaf(path, schema, required, modes, count(schema)), ...children(`${path}[]`, schema.items, modes)];
  }
  if (schema.type !== 'object') return [leaf(path, schema, required, modes)];
  const own = schema.description === undefined ? [] : [leaf(path, schema, required, modes, 'fields by name')];
  return [...own, ...children(path, schema, modes)];
}

function children(path: string, schema: JsonSchema, modes: readonly string[]): Field[] {
  const prefix = path === '' ? '' : `${path}.`;
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    below(prefix + name, field, schema.required?.includes(name) ?? false, modes),
  );
  const other = schema.additionalProperties;
  return typeof other === 'object' ? [...named, ...below(`${prefix}<name>`, other, false, modes)] : named;
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
export function modesOf(schema: JsonSchema): string[] {
  const variants = schema.oneOf ?? schema.anyOf ?? [schema];
  return variants.flatMap(({ properties }) => properties?.['mode']?.const ?? []);
}

/** All fields of a system but `system` and `mode`. */
export function fieldsOf(schema: JsonSchema): Field[] {
  const variants = schema.oneOf ?? schema.anyOf ?? [schema];
  const fields = variants.flatMap((variant) => mergeSides(children('', variant, modesOf(variant))));
  return mergeModes(fields).filter(({ path }) => path !== 'system' && path !== 'mode');
}
