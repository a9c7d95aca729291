/** Prices in scenario files. */
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { InputError } from '../../src/core/errors.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { scenarioCosts } from '../../src/rules/scenario/costs.ts';
import {
  applyChanges,
  loadScenario,
  parseScenario,
  updateScenario,
  validateScenario,
} from '../../src/rules/scenario/index.ts';
import { setFields } from '../../src/rules/scenario/set-fields.ts';
import { hashScenario } from '../../src/stats/digest.ts';
import { called } from '../cli/called.ts';

const ARMIES = {
  system: 'phased-dice',
  mode: 'ground',
  attacker: { units: { rifleman: 8 } },
  defender: { units: { tank: 6, rifleman: 1 } },
};
const costs = { 'units.rifleman': 3, 'units.tank': 5 };
const priced = validateScenario({ ...ARMIES, costs });

function rejected(given: object, scenario: object = ARMIES): string[] {
  try {
    validateScenario({ ...scenario, costs: given });
  } catch (error) {
    if (error instanceof InputError) return error.errors.map(({ message }) => message);
  }
  return [];
}

describe('points of a scenario', () => {
  test('are sums of counts and prices, by side', () => {
    expect(Object.fromEntries(scenarioCosts(priced))).toEqual({ attacker: 24, defender: 33 });
    expect(scenarioCosts(validateScenario(ARMIES)).size).toBe(0);
  });

  test('change with updateScenario, setFields and applyChanges', () => {
    const changed = updateScenario(priced, { 'attacker.units.tank': 2, 'defender.units.tank': 1 });
    expect(Object.fromEntries(scenarioCosts(changed))).toEqual({ attacker: 34, defender: 8 });
    for (const tanks of [1, 2, 3]) {
      const variant = setFields(priced, [['defender.units.tank', tanks]], 'x');
      expect(scenarioCosts(variant).get('defender')).toBe(5 * tanks + 3);
    }
    expect(scenarioCosts(applyChanges(priced, ['costs={units.tank: 0.1}'])).get('defender')).toBe(0.6);
  });

  test('use the price of one side or combatant only for it', async () => {
    const one = validateScenario({ ...ARMIES, costs: { 'defender.units.rifleman': 2.5 } });
    expect([...scenarioCosts(one)]).toEqual([['defender', 2.5]]);
    const hunt = await loadScenario('scenarios/attrition-hunters.yaml');
    const hunters = applyChanges(hunt, ['costs={hp: 2, "combatants[0].hp": 1}']);
    const hp = [0, 1, 2].map((at) =>
      Number((hunters as unknown as { combatants: { hp: number }[] }).combatants[at]?.hp),
    );
    expect([...scenarioCosts(hunters).values()]).toEqual([hp[0], 2 * (hp[1] ?? 0), 2 * (hp[2] ?? 0)]);
  });

  test('of a custom system use a top-level count as a side', async () => {
    const registry = await loadSystems(['examples/games/conquest-dice.mjs']);
    const siege = await loadScenario('examples/games/conquest-dice-siege.yaml', { systems: registry });
    const count = Object.entries(siege).find(([name, value]) => name !== 'maxRounds' && typeof value === 'number');
    const [name = '', value = 0] = (count ?? []) as [string?, number?];
    expect([...scenarioCosts(applyChanges(siege, [`costs={${name}: 4}`]))]).toEqual([[name, 4 * value]]);
    expect(getBoundScenario(applyChanges(siege, [`costs={${name}: 4}`])).isCustom).toBe(true);
  });
});

describe('prices', () => {
  test('are not part of the scenario, its hash or a digest', async () => {
    const bare = validateScenario(ARMIES);
    expect(priced).toEqual(bare);
    expect(hashScenario(priced)).toBe(hashScenario(bare));
    const [with_, without] = [await simulate(priced, { battles: 2000 }), await simulate(bare, { battles: 2000 })];
    expect(with_.digest).toBe(without.digest);
  });
});

describe('validation of prices', () => {
  test('rejects fields that the scenario does not count, with a suggestion', () => {
    expect(rejected({ 'units.tnak': 3 })).toEqual([
      expect.stringMatching(
        /^costs\["units\.tnak"\]: expected a counted field of the scenario, such as .*found "units\.tnak"$/,
      ),
    ]);
    expect(rejected({ 'attacker.units.riflemann': 3 })[0]).toContain('(did you mean attacker.units.rifleman?)');
    expect(rejected({ 'units.frigate': 3 })[0]).toContain('a counted field of the scenario');
    expect(rejected({ site: 3 })[0]).toContain('found "site"');
    expect(rejected({ 'combatants[9].hp': 3, 'a..b': 1 })).toHaveLength(2);
  });

  test('accepts a unit that the scenario does not use', () => {
    expect(rejected({ 'units.cannon': 3 })).toEqual([]);
  });

  test('rejects prices out of range with their position, next to other errors', () => {
    expect(rejected({ 'units.tank': -1 }, { ...ARMIES, site: 'opne' })).toEqual([
      'costs["units.tank"]: expected a number 0..1000000, found -1',
      expect.stringContaining('site: expected one of'),
    ]);
    const text =
      'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 9 }\ndefender: { attack: 1, defense: 1, hp: 8 }\ncosts:\n  hpp: 3\n';
    expect(() => parseScenario(text, { source: 'a.yaml' })).toThrow('a.yaml:6:3 costs.hpp');
  });
});

test('run, exact and check print points, exact also as JSON', async () => {
  const set = ['scenarios/attrition-direct.yaml', '--set', 'costs={hp: 0.5}'];
  for (const args of [
    ['exact', ...set],
    ['run', ...set, '--battles', '1000'],
    ['check', ...set],
  ])
    expect((await called(args)).stdout.replaceAll('\n', ' ')).toContain('points: attacker 15, defender 12.5');
  const json = JSON.parse((await called(['exact', ...set, '--json'])).stdout) as { costs: Record<string, number> };
  expect(Object.keys(json.costs)).toEqual(['attacker', 'defender']);
  const bare = await called(['exact', 'scenarios/attrition-direct.yaml', '--json']);
  expect(bare.stdout).not.toContain('"costs"');
});
