/** Settings with and without their default values. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadScenario, solveSync } from '../../src/index.ts';
import { createExactSheet } from '../../src/report/run/run-sheet.ts';
import { listSettings } from '../../src/report/scenario/settings.ts';
import { formatSheet } from '../../src/report/sheet/sheet.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { splitPath } from '../../src/rules/scenario/problem.ts';

const set = async (file: string): Promise<string[]> =>
  listSettings(await loadScenario(file))
    .filter(({ isDefault }) => !isDefault)
    .map(({ path, value }) => `${path} ${value}`);

test.each([
  ['examples/games/combined-arms-land.yaml', ['defender.losses gun']],
  ['examples/games/combined-arms-convoy.yaml', ['place sea']],
  ['examples/games/space-fleets-dreadnoughts.yaml', []],
  [
    'examples/games/conquest-dice-chain.yaml',
    ['beyond 2', 'beyond[0].armies 2', 'beyond[1].armies 3', 'withdrawOutnumbered true'],
  ],
  ['scenarios/phased-dice-air-raid.yaml', ['attacker.retreat.afterRounds 1']],
  ['scenarios/attrition-direct.yaml', ['defender.tags infantry']],
])('%s has the settings %j', async (file, expected) => {
  expect(await set(file)).toEqual(expected);
});

describe('a setting', () => {
  test('has its name within its side, its description and its default', async () => {
    const all = listSettings(await loadScenario('examples/games/combined-arms-land.yaml'));
    expect(all.find(({ path }) => path === 'defender.losses')).toEqual({
      path: 'defender.losses',
      side: 'Defender',
      name: 'losses',
      value: 'gun',
      about: 'Lost first, in this order; then guns, others by price.',
      isDefault: false,
    });
    const assumed = all.filter(({ isDefault }) => isDefault).map(({ path, value }) => `${path} ${value}`);
    expect(assumed).toEqual(expect.arrayContaining(['attacker.losses none', 'place land', 'retreatAt 0']));
    expect(all.map(({ path }) => path)).not.toContain('attacker.infantry');
  });

  test('is printed below the title of run and exact', async () => {
    const scenario = await loadScenario('examples/games/combined-arms-landing.yaml');
    const sheet = formatSheet(createExactSheet(solveSync(scenario), 'Landing', 'none'), {
      width: 100,
      paint: PLAIN_PAINT,
    });
    expect(sheet.split('\n')[1]).toBe('settings: keepLand true · retreatAt 2');
  });

  test('that differs from its default is written in the scenario file', async () => {
    for (const folder of ['scenarios', 'examples/games'])
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
        const text = readFileSync(`${folder}/${file}`, 'utf8');
        for (const { path, isDefault } of listSettings(await loadScenario(`${folder}/${file}`)))
          if (!isDefault)
            expect(text, `${file} ${path}`).toContain(
              `${splitPath(path).findLast((step) => typeof step === 'string')}:`,
            );
      }
  });
});
