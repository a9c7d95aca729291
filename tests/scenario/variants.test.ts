/** Variants of a scenario with changed fields: equal to a validation of the whole scenario, with equal errors. */
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { checkScenario } from '../../src/rules/scenario/check-scenario.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { parsePath, setField } from '../../src/rules/scenario/problem.ts';
import { createVariantFactory, setFields } from '../../src/rules/scenario/set-fields.ts';
import { listNumericFields, type NumericField } from '../../src/rules/scenario/update-scenario.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH, SEED, some } from '../depth.ts';

const FOLDER = new URL('../../scenarios/', import.meta.url);
const scenarios = await Promise.all(
  readdirSync(FOLDER).map(async (file) => ({ file, scenario: await loadScenario(new URL(file, FOLDER).pathname) })),
);

type Values = readonly (readonly [path: string, value: unknown])[];

/** Returns the result as text: the scenario with the order of its fields, or the error. */
function outcome(make: () => unknown): string {
  try {
    return JSON.stringify(make());
  } catch (error) {
    return String(error);
  }
}

const whole = (scenario: Scenario, values: Values) =>
  outcome(() => {
    let value: unknown = scenario;
    for (const [path, field] of values) value = setField(value, parsePath(path, 'here'), field, 'here');
    return checkScenario({
      value,
      spot: undefined,
      problems: [],
      place: () => 'here',
      registry: getBoundScenario(scenario).registry,
    });
  });

const varied = (scenario: Scenario, values: Values) => outcome(() => setFields(scenario, values, 'here'));

/** Returns limits, values outside them, and values that are not valid numbers. */
function candidates({ value = 1, min, max }: NumericField): unknown[] {
  const ends = [min, max, min - 1, max + 1].filter(Number.isFinite);
  return [value, value + 1, value - 1, ...ends, 1.5, Number.NaN, '1', null, true, [1]];
}

describe.each(scenarios)('$file', ({ scenario }) => {
  const fields = listNumericFields(scenario);

  test('setFields equals full validation for each number and any value', () => {
    for (const [path, value] of some(
      fields.flatMap((field) => candidates(field).map((value) => [field.path, value] as const)),
    ))
      expect(varied(scenario, [[path, value]]), `${path} ${String(value)}`).toBe(whole(scenario, [[path, value]]));
  });

  test('setFields equals full validation for several numbers', () => {
    const choice = fc
      .constantFrom(...fields)
      .chain((field) => fc.constantFrom(...candidates(field)).map((value) => [field.path, value] as const));
    const several = fc.uniqueArray(choice, { minLength: 2, maxLength: 4, selector: ([path]) => path });
    const rows = fc.tuple(several, fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }));
    fc.assert(
      fc.property(rows, ([first, shifts]) => {
        const next = first.map(
          ([path, value], k) => [path, typeof value === 'number' ? value + (shifts[k] ?? 0) : value] as const,
        );
        for (const values of [first, next, first]) expect(varied(scenario, values)).toBe(whole(scenario, values));
      }),
      { seed: SEED, numRuns: DEPTH > 1 ? 20 : 4 },
    );
  });

  test('every number can be validated separately', () => {
    const { system } = getBoundScenario(scenario);
    const slow = fields.filter(
      ({ path }) => createVariantFactory(system.schema, scenario, [parsePath(path, '')]) === undefined,
    );
    expect(slow.map(({ path }) => path)).toEqual([]);
  });
});

test('setFields equals full validation for missing and duplicate fields', async () => {
  const scenario = await loadScenario(new URL('phased-dice-ground.yaml', FOLDER).pathname);
  for (const k of [1, 2, 3, 1_000_000]) {
    for (const values of [
      [['attacker.units.chariot', k]],
      [
        ['attacker.units.cannon', k],
        ['attacker.units.cannon', k + 1],
      ],
      [
        ['attacker.units.chariot', k],
        ['defender.units.catapult', 2],
      ],
      [['attacker.retreat.afterRounds', k]],
    ] as const)
      expect(varied(scenario, values)).toBe(whole(scenario, values));
  }
});

test('an invalid variant does not affect the next one', async () => {
  const scenario = await loadScenario(new URL('attrition-direct.yaml', FOLDER).pathname);
  const wrong: Values = [['attacker.hp', 0]];
  expect(varied(scenario, wrong)).toContain('expected an integer 1..100000');
  expect(varied(scenario, [['attacker.hp', 7]])).toBe(whole(scenario, [['attacker.hp', 7]]));
  expect(varied(scenario, wrong)).toBe(whole(scenario, wrong));
});

test('the final transformation of a scenario applies to variants', async () => {
  const scenario = await loadScenario(new URL('cube-bag-sortie.yaml', FOLDER).pathname);
  for (const word of ['peasant', 'wall', 'nobody', 'palisade']) {
    const values: Values = [['priority[0]', word]];
    expect(varied(scenario, values)).toBe(whole(scenario, values));
  }
});
