/** Types of scenarios by their system: checked by the compiler, and compared with the values. */
import { expect, expectTypeOf, test } from 'vitest';
import {
  loadScenario,
  parseScenario,
  type Scenario,
  type ShippedScenarios,
  updateScenario,
  validateScenario,
} from '../../src/index.ts';

const side = { attack: 1, defense: 1, hp: 9 };

test('the system of a literal determines the type', () => {
  const duel = validateScenario({ system: 'attrition', mode: 'direct', attacker: side, defender: side, maxRounds: 9 });
  expectTypeOf(duel).toEqualTypeOf<ShippedScenarios['attrition']>();
  if (duel.mode !== 'direct') throw new TypeError('another mode');
  expectTypeOf(duel.attacker.hp).toBeNumber();
  expect(duel.attacker).toMatchObject({ hp: 9, name: 'Attacker', tags: [] });
  const changed = updateScenario(duel, { 'attacker.hp': 12 });
  expectTypeOf(changed).toEqualTypeOf<ShippedScenarios['attrition']>();
  expect(changed).toMatchObject({ attacker: { hp: 12 } });
});

test('the option system determines the type and is checked', async () => {
  const path = 'scenarios/phased-dice-ground.yaml';
  const ground = await loadScenario(path, { system: 'phased-dice' });
  expectTypeOf(ground).toEqualTypeOf<ShippedScenarios['phased-dice']>();
  expect(ground.unitTypes).toBeDefined();
  await expect(loadScenario(path, { system: 'attrition' })).rejects.toThrow(
    `${path} system: expected "attrition", found "phased-dice"`,
  );
  const text = JSON.stringify(ground);
  expect(() => parseScenario(text, { system: 'cube-bag' })).toThrow('scenario system: expected "cube-bag"');
  expect(() => validateScenario({ ...ground }, { system: 'cube-bag' })).toThrow(
    'system: expected "cube-bag", found "ph',
  );
});

test('a file without the option system has the type Scenario', async () => {
  expectTypeOf(await loadScenario('scenarios/attrition-direct.yaml')).toEqualTypeOf<Scenario>();
});
