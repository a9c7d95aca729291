/** The smallest value that a declaration accepts: what a form begins with. */
import type { JsonSchema } from './schemas.ts';

/** Texts of which most patterns take one. */
const texts = (n: number): string[] => [`Name ${String(n)}`, `name-${String(n)}`, '1d6', String(n)];

function textFor({ pattern }: JsonSchema, n: number): string {
  const fits = new RegExp(pattern ?? '', 'u');
  return texts(n).find((text) => fits.test(text)) ?? 'name';
}

function groupFor({ properties = {}, required = [] }: JsonSchema, n: number): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, smallest(properties[name] ?? {}, n)]));
}

/** @param n how many of the kind there are, for names that must differ */
export function smallest(schema: JsonSchema, n = 1): unknown {
  const { type, minimum = 0, maximum = minimum, minItems = 0, items = {} } = schema;
  const given = schema.default ?? schema.const ?? schema.enum?.[0];
  if (given !== undefined) return given;
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return smallest(first, n);
  if (type === 'integer' || type === 'number') return Math.min(Math.max(0, minimum), Math.max(minimum, maximum));
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'array') return Array.from({ length: minItems }, (_, k) => smallest(items, k + 1));
  return type === 'object' ? groupFor(schema, n) : textFor(schema, n);
}
