/** Published JSON Schemas, checked with an independent validator. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { InputError } from '../../src/core/errors.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { createScenarioJsonSchema, systemJsonSchema, validateScenario } from '../../src/rules/scenario/index.ts';

const FOLDER = new URL('../../scenarios/', import.meta.url);

/** All shipped scenario files and examples, as written. */
const shipped: readonly (readonly [string, unknown])[] = [
  ...readdirSync(FOLDER).map((file) => [file, parse(readFileSync(new URL(file, FOLDER), 'utf8')) as unknown] as const),
  ...shippedSystems.flatMap(({ id, examples }) =>
    examples.map(({ name, scenario }) => [`${id}, ${name}`, scenario] as const),
  ),
];

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
const valid = { all: ajv.compile(createScenarioJsonSchema()) };
const validOf = new Map(shippedSystems.map(({ id }) => [id, ajv.compile(systemJsonSchema(id))]));

/** Validators that insert defaults, for each mode of each system. */
const fillersOf = new Map(
  shippedSystems.map(({ id }) => {
    const schema = systemJsonSchema(id);
    const fill = new Ajv2020({ useDefaults: true, strict: false });
    return [id, (schema.oneOf ?? [schema]).map((mode) => fill.compile(mode))];
  }),
);

const idOf = (scenario: unknown): string => String((scenario as { system: unknown }).system);

describe.each(shipped)('%s', (_name, scenario) => {
  test('is valid as written', () => {
    const validate = validOf.get(idOf(scenario));
    expect([validate?.(scenario), validate?.errors]).toEqual([true, null]);
    expect([valid.all(scenario), valid.all.errors]).toEqual([true, null]);
  });

  test('is valid with all defaults', () => {
    const complete = validateScenario(scenario);
    expect(validOf.get(idOf(scenario))?.(complete)).toBe(true);
    expect(valid.all(complete)).toBe(true);
  });

  test('is invalid with a wrong field', () => {
    const whole = scenario as Record<string, unknown>;
    for (const broken of [
      { ...whole, unheardOf: 'mud' },
      { ...whole, system: 'chess' },
      { ...whole, mode: 'other' },
      { ...whole, name: 5 },
      // The field that selects the schema is required.
      { ...whole, ['mode' in whole ? 'mode' : 'system']: undefined },
    ]) {
      const plain: unknown = JSON.parse(JSON.stringify(broken));
      expect(validOf.get(idOf(whole))?.(plain)).toBe(false);
      expect(valid.all(plain)).toBe(false);
    }
  });

  test('gets the same defaults from the schema', () => {
    const filled = (fillersOf.get(idOf(scenario)) ?? []).flatMap((fill) => {
      const copy = structuredClone(scenario);
      return fill(copy) ? [copy] : [];
    });
    expect(filled).toEqual([validateScenario(scenario)]);
  });
});

describe('the JSON Schema', () => {
  test.each(shippedSystems.map(({ id }) => id))('of %s has an id, a title and a description', (id) => {
    const schema = systemJsonSchema(id);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.$id).toBe(`urn:warpool:scenario:${id}`);
    expect(schema.title).not.toBe('');
    expect(schema.description).not.toBe('');
  });

  test('describes every field', () => {
    const undescribed: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, inner] of Object.entries(schema)) {
        if (key !== 'properties') visit(inner, path);
        else
          for (const [name, field] of Object.entries(inner as Record<string, object>)) {
            if (!('description' in field || 'const' in field || 'properties' in field))
              undescribed.push(`${path}.${name}`);
            visit(field, `${path}.${name}`);
          }
      }
    };
    for (const { id } of shippedSystems) visit(systemJsonSchema(id), id);
    expect([...new Set(undescribed)]).toEqual([]);
  });

  test('of all systems has only internal references', () => {
    const references = JSON.stringify(createScenarioJsonSchema()).match(/"\$ref":"[^"]*"/g) ?? [];
    expect(references).toEqual(shippedSystems.map(({ id }) => `"$ref":"#/$defs/${id}"`));
  });

  test('of an unknown system causes an InputError', () => {
    expect(() => systemJsonSchema('chess')).toThrow(InputError);
  });
});
