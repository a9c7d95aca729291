/**
 * Creates variants of a validated scenario in single values, such as the cells of a grid. Each costs only the checks of
 * its changed fields: by their own declarations, then by checks across fields. If a declaration between the scenario
 * and a field depends on the value, the whole scenario must be checked.
 */
import type { z } from 'zod';
import { bindScenario, getBoundScenario } from '../bound-scenario.ts';
import type { Scenario } from '../system.ts';
import { getValueAt, type Path, parsePath, setField } from './problem.ts';
import { type FieldValues, updateFieldsChecked } from './update-scenario.ts';

type ZodSchema = z.core.$ZodTypes;
type ZodCheck = z.core.$ZodCheck;

/** A check of the number of elements, which a change of one of them cannot fail. */
const COUNT_CHECKS = ['min_length', 'max_length', 'length_equals'];

/** Finds the alternative of a value by its discriminating field. */
function findAlternative(def: z.core.$ZodDiscriminatedUnionDef, value: unknown): ZodSchema | undefined {
  const word = getValueAt(value, [def.discriminator]);
  return (def.options as ZodSchema[]).find((option) => option._zod.propValues?.[def.discriminator]?.has(word as never));
}

/** Returns the schema of a member of a value; undefined if the schema also checks the whole value. */
function getChildSchema(schema: ZodSchema, value: unknown, step: string | number): ZodSchema | undefined {
  const { def } = schema._zod;
  const isLimited = (def.checks ?? []).some((check) => !COUNT_CHECKS.includes(check._zod.def.check));
  if (isLimited) return undefined;
  switch (def.type) {
    case 'default':
    case 'prefault':
    case 'optional':
    case 'nullable':
      return getChildSchema(def.innerType as ZodSchema, value, step);
    case 'object':
      return (Object.hasOwn(def.shape, step) ? def.shape[step] : def.catchall) as ZodSchema | undefined;
    case 'record':
      return def.valueType as ZodSchema;
    case 'array':
      return def.element as ZodSchema;
    default:
      return undefined;
  }
}

/** Part that is checked if the field at a path changes: the field, or a parent with checks. */
interface CheckedPart {
  readonly schema: z.ZodType;
  readonly path: Path;
}

function findCheckedPart(schema: ZodSchema, value: unknown, path: Path): CheckedPart | undefined {
  let here = schema;
  for (let depth = 0; depth <= path.length; depth++) {
    const step = path[depth];
    const next = step === undefined ? undefined : getChildSchema(here, getValueAt(value, path.slice(0, depth)), step);
    if (next !== undefined) here = next;
    else return depth === 0 ? undefined : { schema: here as unknown as z.ZodType, path: path.slice(0, depth) };
  }
  return undefined;
}

/** Parts of a schema of scenarios. */
interface SchemaParts {
  /** Schema of the fields. */
  readonly fields: ZodSchema;
  /** Checks across fields. */
  readonly checks: readonly ZodCheck[];
  /** Final transformation, if there is one. */
  readonly last: ZodSchema | undefined;
}

/** Splits a schema into parts, for the alternative of a scenario; undefined for other kinds of schemas. */
function splitSchema(schema: ZodSchema, scenario: unknown): SchemaParts | undefined {
  const { def } = schema._zod;
  if (def.type === 'pipe') {
    const [first, last] = [def.in, def.out] as ZodSchema[];
    const parts = first && splitSchema(first, scenario);
    return parts && last?._zod.def.type === 'transform' && parts.last === undefined ? { ...parts, last } : undefined;
  }
  if (def.type === 'object') {
    const { checks = [], ...rest } = def;
    return { fields: { _zod: { def: rest } } as unknown as ZodSchema, checks, last: undefined };
  }
  if (def.type !== 'union' || !('discriminator' in def)) return undefined;
  const fields = findAlternative(def as z.core.$ZodDiscriminatedUnionDef, scenario);
  return fields && { fields, checks: def.checks ?? [], last: undefined };
}

/** Returns true if a value is accepted unchanged. */
function isAccepted(schema: z.ZodType, value: unknown): boolean {
  const { success, data } = schema.safeParse(value);
  if (!success || typeof value !== 'object') return success && Object.is(data, value);
  return JSON.stringify(data) === JSON.stringify(value);
}

/** Creates a scenario with other values; undefined if they need a check of the whole scenario. */
export type VariantFactory = (values: readonly unknown[]) => unknown;

/**
 * Creates the factory of variants of a scenario in some fields.
 * @param scenario complete, as parsed by the schema, with a value at each of the paths
 * @returns undefined if the whole scenario must be checked
 */
export function createVariantFactory(
  schema: z.ZodType,
  scenario: unknown,
  paths: readonly Path[],
): VariantFactory | undefined {
  const parts = splitSchema(schema as unknown as ZodSchema, scenario);
  if (parts === undefined) return undefined;
  const fields = paths.map((path) => findCheckedPart(parts.fields, scenario, path));
  const isThere = (path: Path): boolean => getValueAt(scenario, path) !== undefined;
  const known = (field: CheckedPart | undefined): field is CheckedPart => field !== undefined;
  if (!fields.every(known) || !paths.every(isThere)) return undefined;
  return (values) => {
    if (values.some((value) => typeof value === 'object' && value !== null)) return undefined;
    let value = scenario;
    for (const [at, path] of paths.entries()) value = setField(value, path, values[at], '');
    if (!fields.every(({ schema, path }) => isAccepted(schema, getValueAt(value, path)))) return undefined;
    const payload: z.core.ParsePayload<never> = { value: value as never, issues: [] };
    for (const check of parts.checks) void check._zod.check(payload);
    if (payload.issues.length > 0) return undefined;
    if (parts.last !== undefined) void parts.last._zod.run(payload, {});
    return payload.issues.length > 0 ? undefined : payload.value;
  };
}

/** Fields and factory of further variants. */
interface VariedFields {
  readonly paths: readonly string[];
  readonly variants: VariantFactory | undefined;
}

/** By the original scenario: the fields that were changed last. */
const variedFields = new WeakMap<Scenario, VariedFields>();

/**
 * Returns the scenario with other values in some fields. Repeated changes of the same fields only cost the checks of
 * these fields.
 * @param given values by path; missing mappings are created
 * @param place name of the changes in error messages
 * @throws InputError if a path is invalid or exceeds a list, or the changed scenario is invalid
 */
export function setFields(scenario: Scenario, given: Iterable<FieldValues[number]>, place: string): Scenario {
  const values = [...given];
  const { registry, system, prices } = getBoundScenario(scenario);
  const before = variedFields.get(scenario);
  const isSame = before?.paths.length === values.length && values.every(([path], at) => path === before.paths[at]);
  const variant = isSame ? before.variants?.(values.map(([, value]) => value)) : undefined;
  if (variant !== undefined) return bindScenario(variant as Scenario, registry, prices);
  const made = updateFieldsChecked(scenario, values, place);
  if (isSame) return made;
  const paths = values.map(([path]) => path);
  const isOnce = new Set(paths).size === paths.length;
  const steps = paths.map((path) => parsePath(path, place));
  variedFields.set(scenario, {
    paths,
    variants: isOnce ? createVariantFactory(system.schema, made, steps) : undefined,
  });
  return made;
}
