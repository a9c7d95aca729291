/** Names that a scenario has given itself: of players, areas, dice, types of units. */
import { isMapping } from '../../src/scenario/finding.ts';
import { alternativesOf, declarationOf, fitting, type JsonSchema, othersOf } from './schemas.ts';

type Found = Set<string>;

function visitList(all: readonly JsonSchema[], list: readonly unknown[], found: Found): void {
  const items = all.flatMap(({ items: each }) => (each === undefined ? [] : alternativesOf(each)));
  for (const item of list) visit(items, item, found);
}

function visit(all: readonly JsonSchema[], value: unknown, found: Found): void {
  if (Array.isArray(value)) visitList(all, value, found);
  if (!isMapping(value)) return;
  for (const schema of fitting(all, value)) {
    for (const [name, inner] of Object.entries(value)) {
      const declared = schema.properties?.[name];
      const field = declared ?? othersOf(schema);
      if (field === undefined) continue;
      if (declared === undefined && !/^\d+$/.test(name)) found.add(name);
      visit(alternativesOf(field), inner, found);
    }
  }
}

/** In the order of the text. */
function givenNames(scenario: unknown): string[] {
  const found: Found = new Set();
  visit(alternativesOf(declarationOf(scenario)), scenario, found);
  return [...found];
}

/** Those that can be names of fields by other names. */
export function namesFor(schema: JsonSchema, scenario: unknown): string[] {
  if (othersOf(schema) === undefined) return [];
  const { pattern = '' } = schema.propertyNames ?? {};
  const fits = new RegExp(pattern, 'u');
  return givenNames(scenario).filter((name) => fits.test(name));
}

/** Those that a text may be. */
export function textsFor({ type, enum: some, const: only, pattern = '' }: JsonSchema, scenario: unknown): string[] {
  if (type !== 'string' || some !== undefined || only !== undefined) return [];
  const fits = new RegExp(pattern, 'u');
  return givenNames(scenario).filter((name) => fits.test(name));
}
