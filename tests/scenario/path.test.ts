/** Paths to fields: steps, and rejected paths. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveAxis } from '../../src/analysis/balance/setting-evaluator.ts';
import { parseSpace } from '../../src/analysis/sensitivity/step.ts';
import { InputError } from '../../src/core/errors.ts';
import { readPath } from '../../src/core/path.ts';
import { applyChanges, loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import { formatPath, setField } from '../../src/rules/scenario/problem.ts';
import { openSweep } from '../../src/storage/sweep/sweep.ts';
import { schema } from '../../src/storage/sweep/sweep-file.ts';

const brawl = await loadScenario('scenarios/attrition-brawl.yaml');

describe('a path', () => {
  test.each([
    ['attacker.hp', ['attacker', 'hp']],
    ['combatants[0].attack', ['combatants', 0, 'attack']],
    ['matrix[1][2]', ['matrix', 1, 2]],
    ['areas["Upper Egypt"].city', ['areas', 'Upper Egypt', 'city']],
    ['a["x.y"]', ['a', 'x.y']],
    ['units.Red Guard', ['units', 'Red Guard']],
  ])('%s is split into steps', (path, steps) => {
    expect(readPath(path)).toEqual(steps);
  });

  test.each(['', '.', 'a..b', '.a', 'a.', 'units[x]', 'units[-1]', 'units[', 'units]', 'a[0]b', 'a[""]', 'a[0'])(
    '%j is rejected',
    (path) => {
      expect(readPath(path)).toBeUndefined();
      expect(() => applyChanges(brawl, [`${path}=1`])).toThrow(InputError);
    },
  );

  test('is parsed to the steps that formatPath was called with', () => {
    const step = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.nat(1000));
    const steps = fc
      .tuple(fc.string({ minLength: 1, maxLength: 8 }), fc.array(step))
      .map(([one, rest]) => [one, ...rest]);
    fc.assert(
      fc.property(steps, (path) => {
        expect(readPath(formatPath(path))).toEqual(path);
      }),
    );
  });
});

const BEYOND = 'combatants[9]: expected an index 0..2 of the list, found 9';

describe('a missing list element', () => {
  test.each([
    ['combatants[9].hp=2', BEYOND],
    ['combatants[3]={}', 'combatants[3]: expected an index 0..2 of the list, found 3'],
    ['combatants.hp=2', 'combatants.hp: expected an index 0..2 of the list, found "hp"'],
    ['attacker[0].hp=2', 'attacker[0]: expected a list, because [0] is an element of one, found nothing'],
    ['combatants[0].prey[0]=rich', 'combatants[0].prey[0]: expected no index, because the list is empty, found 0'],
  ])('is rejected by --set %s', (change, message) => {
    expect(() => applyChanges(brawl, [change])).toThrow(`--set ${message}`);
  });

  test('is rejected by balance, sensitivity and sweeps', () => {
    expect(() => resolveAxis(brawl, { path: 'combatants[9].hp', range: [1, 5] }, '--vary')).toThrow(`--vary ${BEYOND}`);
    expect(() => parseSpace(brawl, ['combatants[9].hp=1..5'])).toThrow(`space ${BEYOND}`);
    const axes = (axis: object) => ({ ...schema.parse({ scenario: 'x', axes: [axis] }), scenario: brawl });
    const values = openSweep(axes({ path: 'combatants[9].hp', values: [1, 2] }), 'brawls.yaml');
    expect(() => values.cell(0)).toThrow(`brawls.yaml cell 0 (combatants[9].hp=1) ${BEYOND}`);
    const range = axes({ path: 'combatants[9].hp', range: [1, 5] });
    expect(() => openSweep(range, 'brawls.yaml')).toThrow(`brawls.yaml axes[0].path ${BEYOND}`);
    expect(schema.safeParse({ scenario: 'x', axes: [{ path: 'a..b', values: [1] }] }).success).toBe(false);
  });
});

test('applyChanges sets fields, also by index, and does not change the original scenario', () => {
  const before = structuredClone(brawl);
  const changed = applyChanges(brawl, ['combatants[1].hp=2', 'preyDamage=2', 'dice=1d6']);
  expect(changed).toMatchObject({ dice: '1d6', preyDamage: 2, combatants: [{}, { hp: 2 }, {}] });
  expect(brawl).toEqual(before);
  expect(validateScenario(changed)).toEqual(changed);
});

test('setField creates missing mappings', () => {
  expect(setField({}, ['a', 'b'], 1, '')).toEqual({ a: { b: 1 } });
});
