/** When a run is compiled: where that is faster than what else would play it. */
import { expect, test } from 'vitest';
import { stepsFor } from '../../src/pool/setup.ts';
import { simulate } from '../../src/running/simulate.ts';
import { loadScenario } from '../../src/scenario/index.ts';
import { loadSystems } from '../../src/systems/load.ts';
import { opened } from '../../src/systems/opened.ts';

const read = (name: string) => loadScenario(`scenarios/${name}.yaml`);

/** Steps that may be taken for so many battles. */
const steps = async (name: string, battles: number) => stepsFor(battles, opened(await read(name)));

test('a scenario without rounds is compiled once there are 20 battles for each step', async () => {
  expect(await steps('cube-bag-siege', 2000)).toBe(100);
  expect(await steps('token-conflict-pirates', 10 ** 9)).toBe(250_000);
  // It takes 111 steps.
  const scenario = await read('cube-bag-siege');
  expect((await simulate(scenario, { battles: 2200, seed: 3 })).player).toBe('kernel');
  expect((await simulate(scenario, { battles: 2300, seed: 3 })).player).toBe('automaton');
});

test.each([
  ['attrition-brawl', 250_000],
  ['attrition-direct', 0],
  ['attrition-indirect', 0],
  ['phased-dice-air-raid', 250_000],
  ['phased-dice-dogfight', 0],
  ['phased-dice-ground', 0],
])('%s, which has rounds, may take %i steps', async (name, most) => {
  expect(await steps(name, 10 ** 8)).toBe(most);
});

test('a raid is played by its automaton, a fleet by its kernel', async () => {
  const [raid, fleet] = await Promise.all(['phased-dice-air-raid', 'phased-dice-fleet'].map(read));
  const players = [raid, fleet].map(
    async (each) => each && (await simulate(each, { battles: 40_000, seed: 5 })).player,
  );
  expect(await Promise.all(players)).toEqual(['automaton', 'kernel']);
});

test('a system without a kernel may take a step for each battle', async () => {
  const systems = await loadSystems(['examples/systems/feint.js']);
  const scenario = await loadScenario('examples/systems/feint-even.yaml', { systems });
  expect([359, 10 ** 8].map((battles) => stepsFor(battles, opened(scenario)))).toEqual([359, 2_000_000]);
});
