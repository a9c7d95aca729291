import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listModes, listSystemFields } from '../../src/report/systems/field-list.ts';
import { createSystemEntry, formatSystemList, formatSystemSheet } from '../../src/report/systems/system-list.ts';
import { measureText, PLAIN_PAINT } from '../../src/report/text/table.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { getDeclaration } from '../../src/rules/scenario/declaration.ts';

const look = { width: 80, paint: PLAIN_PAINT };

const count = z.int().min(0).max(9).meta({ description: 'How many.' });

const mode = (name: string, more: z.ZodRawShape) =>
  z.strictObject({ system: z.literal('s'), mode: z.literal(name), ...more });

const side = (name: string) => z.strictObject({ count, name: z.string().default(name) });

const schema = z.discriminatedUnion('mode', [
  mode('a', { attacker: side('A'), defender: side('D'), only: z.enum(['x', 'y']).default('x') }),
  mode('b', { attacker: side('A'), defender: side('D') }),
]);

describe('listSystemFields', () => {
  test('lists a field once for both sides and all modes', () => {
    expect(listModes(getDeclaration(schema))).toEqual(['a', 'b']);
    expect(listSystemFields(getDeclaration(schema))).toEqual([
      { path: '<side>.count', accepts: '0..9', required: true, about: 'How many.', modes: ['a', 'b'] },
      { path: '<side>.name', accepts: 'text', required: false, default: 'A, D', about: '', modes: ['a', 'b'] },
      { path: 'only', accepts: 'x | y', required: false, default: 'x', about: '', modes: ['a'] },
    ]);
  });

  test('describes lists, maps and unions in words', () => {
    const after = z.strictObject({ after: count });
    const reported = z.strictObject({
      units: z.record(z.string(), count).meta({ description: 'Units.' }),
      army: z
        .array(z.strictObject({ hp: count }))
        .min(2)
        .max(3),
      when: z.union([z.literal('never'), after, z.array(z.enum(['p', 'q'])), z.null()]),
    });
    expect(listSystemFields(getDeclaration(reported)).map(({ path, accepts }) => [path, accepts])).toEqual([
      ['units', 'fields by name'],
      ['units.<name>', '0..9'],
      ['army', 'list of 2..3'],
      ['army[].hp', '0..9'],
      ['when', 'never | { after: 0..9 } | list of (p | q) | null'],
    ]);
  });
});

describe.each(shippedSystems.map((system) => [system.id, system] as const))('sheet of %s', (_, system) => {
  const entry = createSystemEntry(system);
  const sheet = formatSystemSheet(entry, true, look);

  test('names every outcome, metric, decision, policy and rule', () => {
    const words = sheet.split(/[\s,;()]+/);
    const flat = sheet.replace(/\s+/g, ' ');
    for (const { outcomes, metrics } of entry.results) {
      for (const name of [...outcomes, ...metrics]) expect(name.includes(' ') ? flat : words).toContain(name);
    }
    for (const { point } of system.decisions) expect(words).toContain(point);
    for (const rule of Object.keys(system.rules)) expect(words).toContain(rule);
  });

  test('has a description of every field', () => {
    expect(entry.fields.filter(({ about }) => about === '').map(({ path }) => path)).toEqual([]);
  });

  test('fits into 80 columns', () => {
    const list = formatSystemList([entry], [], look);
    expect(Math.max(...`${sheet}\n${list}`.split('\n').map(measureText))).toBeLessThanOrEqual(80);
  });
});
