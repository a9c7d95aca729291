import { describe, expect, test } from 'vitest';
import { entryOf, systemList, systemSheet } from '../../src/report/catalogue.ts';
import { fieldsOf, type JsonSchema, modesOf } from '../../src/report/fields.ts';
import { lengthOf, PLAIN } from '../../src/report/text/table.ts';
import { jsonSchema } from '../../src/scenario/index.ts';
import { systems } from '../../src/systems/index.ts';

const look = { width: 80, paint: PLAIN };

const count: JsonSchema = { type: 'integer', minimum: 0, maximum: 9, description: 'How many.' };

function mode(name: string, more: Record<string, JsonSchema>): JsonSchema {
  const properties = { system: { const: 's' }, mode: { const: name }, ...more };
  return { type: 'object', properties, required: ['system', 'mode', 'attacker'] };
}

const side = (name: string): JsonSchema => ({
  type: 'object',
  properties: { count, name: { type: 'string', default: name } },
  required: ['count'],
});

const schema: JsonSchema = {
  oneOf: [
    mode('a', { attacker: side('A'), defender: side('D'), only: { enum: ['x', 'y'], default: 'x' } }),
    mode('b', { attacker: side('A'), defender: side('D') }),
  ],
};

describe('fields', () => {
  test('are told once for both sides and all modes', () => {
    expect(modesOf(schema)).toEqual(['a', 'b']);
    expect(fieldsOf(schema)).toEqual([
      { path: '<side>.count', accepts: '0..9', required: true, about: 'How many.', modes: ['a', 'b'] },
      { path: '<side>.name', accepts: 'text', required: false, default: 'A, D', about: '', modes: ['a', 'b'] },
      { path: 'only', accepts: 'x | y', required: false, default: 'x', about: '', modes: ['a'] },
    ]);
  });

  test('of lists, of maps and of several forms are told in words', () => {
    const forms: JsonSchema = {
      anyOf: [
        { const: 'never' },
        { type: 'object', properties: { after: count } },
        { type: 'array', items: { enum: ['p', 'q'] } },
        { type: 'null' },
      ],
    };
    const properties: Record<string, JsonSchema> = {
      units: { type: 'object', description: 'Units.', additionalProperties: count },
      army: { type: 'array', minItems: 2, maxItems: 3, items: { type: 'object', properties: { hp: count } } },
      when: forms,
    };
    expect(fieldsOf({ type: 'object', properties }).map(({ path, accepts }) => [path, accepts])).toEqual([
      ['units', 'fields by name'],
      ['units.<name>', '0..9'],
      ['army', 'list of 2..3'],
      ['army[].hp', '0..9'],
      ['when', 'never | { after: 0..9 } | list of (p | q) | null'],
    ]);
  });
});

describe.each(systems.map((system) => [system.id, system] as const))('the sheet of %s', (id, system) => {
  const entry = entryOf(system, jsonSchema(id) as JsonSchema);
  const sheet = systemSheet(entry, true, look);

  test('names every outcome, metric, decision, policy and rule', () => {
    const words = sheet.split(/[\s,;()]+/);
    const flat = sheet.replace(/\s+/g, ' ');
    for (const { outcomes, metrics } of entry.results) {
      for (const name of [...outcomes, ...metrics]) expect(name.includes(' ') ? flat : words).toContain(name);
    }
    for (const { point } of system.decisions) expect(words).toContain(point);
    for (const rule of Object.keys(system.rules)) expect(words).toContain(rule);
  });

  test('describes every field', () => {
    expect(entry.fields.filter(({ about }) => about === '').map(({ path }) => path)).toEqual([]);
  });

  test('keeps to the width', () => {
    const list = systemList([entry], look);
    expect(Math.max(...`${sheet}\n${list}`.split('\n').map(lengthOf))).toBeLessThanOrEqual(80);
  });
});
