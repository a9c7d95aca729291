/** Declarations of schemas: declared values, choices among alternatives, generated values. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLeaningChooser, generateScenarios } from '../../src/conformance/generate-scenarios.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { createSystemEntry } from '../../src/report/systems/system-list.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import {
  describeExpected,
  findDeclarations,
  generateSmallest,
  generateValue,
  getDeclaration,
  listDeclaredValues,
  selectLikeliest,
} from '../../src/rules/scenario/declaration.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { formatPath } from '../../src/rules/scenario/problem.ts';
import { getNumericField } from '../../src/rules/scenario/update-scenario.ts';
import { createForm } from '../../web/engine/editing/form.ts';
import { getRegistry, setRegistry } from '../../web/engine/registry/registry.ts';
import { duel } from '../testing/duel.js';

const retreat = z.union([
  z.literal('never'),
  z.strictObject({ after: z.int().min(1).max(9) }),
  z.strictObject({ weaker: z.number().min(0).max(2) }),
]);
const units = z.record(z.string().regex(/^[a-z]+$/), z.int().min(0).max(5));
const pair = z.tuple([z.int().min(1), z.string()]);
const sides = z.strictObject({ units, retreat, pair: pair.optional() });

describe('declarations of a value', () => {
  test('are listed with path, expected value and a mark for custom names', () => {
    const places = listDeclaredValues(getDeclaration(sides), {
      units: { knight: 2 },
      retreat: { after: 3 },
      pair: [1, 'x'],
    });
    const reported = places.map(({ path, declared, named }) => [formatPath(path), describeExpected(declared), named]);
    expect(reported).toEqual([
      ['', 'a mapping', false],
      ['units', 'a mapping', false],
      ['units.knight', 'an integer 0..5', true],
      ['retreat', 'never, a mapping with after or a mapping with weaker', false],
      ['retreat.after', 'an integer 1..9', false],
      ['pair', 'a list of 2', false],
      ['pair[0]', 'an integer >= 1', false],
      ['pair[1]', 'a string', false],
    ]);
  });

  test('are found for possible alternatives, or only for the likeliest one', () => {
    const value = { units: {}, retreat: { after: 3 } };
    const at = (path: string[], choose?: typeof selectLikeliest) =>
      describeExpected(findDeclarations(getDeclaration(sides), value, path, choose));
    expect(at(['retreat', 'weaker'])).toBe('a number 0..2');
    expect(at(['retreat', 'weaker'], selectLikeliest)).toBe('nothing');
    expect(at(['retreat'], selectLikeliest)).toBe('a mapping');
  });
});

describe('generated values', () => {
  test('are the smallest valid ones with generateSmallest', () => {
    expect(generateSmallest(getDeclaration(sides))).toEqual({ units: {}, retreat: 'never' });
    expect(generateSmallest(getDeclaration(pair))).toEqual([1, 'Name 2']);
    expect(generateSmallest(getDeclaration(z.number().min(-2).max(-0.25)))).toBe(-0.25);
    expect(generateSmallest(getDeclaration(z.int().gt(3)))).toBe(4);
    expect(generateSmallest(getDeclaration(z.string().min(2).max(5)))).toBe('1d6');
    expect(generateSmallest(getDeclaration(z.record(z.enum(['p', 'q']), z.boolean())))).toEqual({ p: true, q: true });
    expect(generateSmallest(getDeclaration(z.array(z.int().default(7)).min(2)))).toEqual([7, 7]);
  });

  const kinds = z.strictObject({
    ...{ sides, pair, units, retreat, mode: z.literal('day'), none: z.null(), flag: z.boolean() },
    ends: z.tuple([z.int().lt(0).min(-3), z.number().gt(0).lt(1), z.number().min(0.05).max(0.07)]),
    open: z.tuple([z.int(), z.number(), z.int().min(200), z.int().max(-3)]),
    list: z.array(z.enum(['a', 'b'])).min(3),
  });

  test('are valid for every kind of declaration with generateValue', () => {
    for (let k = 0; k < 300; k++) {
      const { error } = kinds.safeParse(
        generateValue(getDeclaration(kinds), createLeaningChooser(Stream.forBattle(7n, k))),
      );
      expect(error?.issues ?? [], String(k)).toEqual([]);
    }
  });

  // Systems whose texts are unrestricted; others need the text generators of their tests.
  const free = shippedSystems.filter(({ id }) => ['attrition', 'phased-dice', 'token-conflict'].includes(id));

  test.each(free.map((system) => [system.id, system] as const))('of %s contain every mode', (_, system) => {
    const modes = (all: readonly { readonly mode?: string }[]) => new Set(all.map(({ mode }) => mode));
    const inputs = generateScenarios(system, 40, 3n).map(({ input }) => input as { mode?: string });
    const examples = system.examples.map(({ scenario }) => scenario as { mode?: string });
    expect(modes(inputs)).toEqual(modes(examples));
  });
});

describe('a system with fields that JSON Schema cannot express', () => {
  const when = z.custom<string>((value) => typeof value === 'string').default('now');
  const die = z.literal([4, 6, 20]).default(6);
  const base = duel('untold');
  const schema = (base.schema as unknown as z.ZodObject).safeExtend({ when, die });
  const untold = { ...base, schema: schema as unknown as typeof base.schema };

  test('has descriptions, generated scenarios and a form', () => {
    const fields = createSystemEntry(untold).fields.map(({ path, accepts }) => [path, accepts]);
    expect(fields).toContainEqual(['when', 'anything']);
    expect(fields).toContainEqual(['lives', '1..4']);
    expect(generateScenarios(untold, 4, 1n).length).toBeGreaterThan(2);
    const before = getRegistry();
    setRegistry(before.with([untold]));
    try {
      expect(createForm('system: untold\nlives: 2\n').ok).toBe(true);
    } finally {
      setRegistry(before);
    }
  });

  test('has literal numbers as numeric fields', () => {
    const scenario = validateScenario({ system: 'untold' }, { systems: [untold] });
    expect(getNumericField(scenario, 'die', 'x')).toEqual({ path: 'die', value: 6, integer: true, min: 4, max: 20 });
  });
});
