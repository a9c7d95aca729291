/** Texts of expected values and of suggestions. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { suggestName } from '../../src/core/option-checks.ts';
import { describeExpected, findDeclarations, getDeclaration } from '../../src/rules/scenario/declaration.ts';

const words = (schema: z.ZodType, value?: unknown, path: (string | number)[] = []): string =>
  describeExpected(findDeclarations(getDeclaration(schema), value, path));

describe('the description of an expected value', () => {
  test.each<readonly [z.ZodType, string]>([
    [z.int(), 'an integer'],
    [z.int().min(1), 'an integer >= 1'],
    [z.int().max(8), 'an integer <= 8'],
    [z.int().min(-3).max(8), 'an integer -3..8'],
    [z.number(), 'a number'],
    [z.number().gt(0).lte(1), 'a number > 0 and <= 1'],
    [z.number().gte(0).lt(1), 'a number >= 0 and < 1'],
    [z.boolean(), 'true or false'],
    [z.null(), 'null'],
    [z.string(), 'a string'],
    [z.string().min(1), 'a string of at least 1 characters'],
    [z.string().length(3), 'a string of 3 characters'],
    [z.array(z.int()), 'a list'],
    [z.array(z.int()).min(1), 'a list of at least 1'],
    [z.array(z.int()).max(3), 'a list of at most 3'],
    [z.array(z.int()).min(2).max(3), 'a list of 2 to 3'],
    [z.tuple([z.int(), z.int()]), 'a list of 2'],
    [z.strictObject({ a: z.int() }), 'a mapping'],
    [z.record(z.string(), z.int()), 'a mapping'],
    [z.literal('never'), 'never'],
    [z.enum(['a', 'b']), 'one of a, b'],
    [z.literal([6, 7]), 'one of 6, 7'],
    [z.int().min(1).max(9).nullable().default(null), 'an integer 1..9 or null'],
    [z.union([z.enum(['max', 'none']), z.int().min(0)]), 'one of max, none or an integer >= 0'],
    [z.union([z.literal('max'), z.int(), z.array(z.int())]), 'max, an integer or a list'],
    [z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })]), 'a mapping with a or a mapping with b'],
    [z.unknown(), 'a JSON value'],
    [z.never(), 'a JSON value'],
  ])('equals the text of row %#', (schema, expected) => {
    expect(words(schema)).toBe(expected);
  });

  test('depends on the path', () => {
    const pair = z.tuple([z.int().min(1), z.string()]);
    const schema = z.strictObject({ pairs: z.array(pair), by: z.record(z.string(), z.boolean()) });
    expect(words(schema, {}, ['pairs', 3, 0])).toBe('an integer >= 1');
    expect(words(schema, {}, ['pairs', 3, 1])).toBe('a string');
    expect(words(schema, {}, ['by', 'any'])).toBe('true or false');
    expect(words(schema, {}, ['toString'])).toBe('nothing');
  });

  test('depends on the discriminator of the value', () => {
    const one = z.strictObject({ mode: z.literal('one'), size: z.int() });
    const two = z.strictObject({ mode: z.literal('two'), size: z.boolean() });
    const schema = z.discriminatedUnion('mode', [one, two]);
    expect(words(schema, { mode: 'one' }, ['size'])).toBe('an integer');
    expect(words(schema, { mode: 'two' }, ['size'])).toBe('true or false');
    expect(words(schema, { mode: 'three' }, ['mode'])).toBe('one of one, two');
    expect(words(schema, {}, ['size'])).toBe('an integer or true or false');
  });
});

describe('suggestName', () => {
  test.each([
    ['ph', ['hp'], 'hp'],
    ['hpp', ['name', 'hp'], 'hp'],
    ['HP', ['hp', 'h'], 'hp'],
    ['defence', ['defense', 'attack'], 'defense'],
    ['indirectdefence', ['indirectDefense', 'defense'], 'indirectDefense'],
    ['strongold', ['forest', 'stronghold'], 'stronghold'],
  ])('suggests a name for %s', (written, known, expectedValue) => {
    expect(suggestName(written, known)).toBe(` (did you mean ${expectedValue}?)`);
  });

  test.each([
    ['weather', ['hp', 'name', 'attack']],
    ['x'.repeat(65), ['x'.repeat(64)]],
    ['', ['hp']],
    ['hp', []],
  ])('suggests nothing for %j', (written, known) => {
    expect(suggestName(written, known)).toBe('');
  });
});
