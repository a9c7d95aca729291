/** Published values of two-player games, computed with the example systems. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  type EquilibriumSyncOptions,
  findEquilibriumSync,
} from '../../src/environments/equilibrium/find-equilibrium.ts';
import { loadScenario, loadSystems } from '../../src/index.ts';
import { example } from './files.ts';

const at = (name: string): string => fileURLToPath(new URL(`../../${example(name)}`, import.meta.url));

const POINTS = { reward: 'points' };
/** Reward of 1 for a victory of red and 0 otherwise, so that the value is a probability. */
const PROBABILITY = { reward: { red: { outcomes: { red: 1 } } } };

/** Values of PRISM-games (Kwiatkowska, Norman, Parker, Santos), recomputed: its iteration stops at an error of about 1e-8. */
const CASES: readonly (readonly [name: string, options: EquilibriumSyncOptions, value: number])[] = [
  ['goofspiel-three', POINTS, 38 / 33],
  ['goofspiel-equal', POINTS, 0],
  ['first-win-two', PROBABILITY, 5 / 9],
  ['first-win-paper', PROBABILITY, 1 / 2],
  ['backoff-deadline', PROBABILITY, 0.9809447096939554],
  ['robots-five', PROBABILITY, 0.957776318422129],
];

test.each(CASES)('%s has the published value', async (name, options, value) => {
  const systems = await loadSystems([at(`${name.replace(/-\w+$/, '')}.mjs`)]);
  const found = findEquilibriumSync(await loadScenario(at(`${name}.yaml`), { systems }), options);
  expect(Math.abs(found.value - value)).toBeLessThan(1e-9);
  expect(found.interval[0]).toBeGreaterThan(value - 1e-9);
  expect(found.interval[1]).toBeLessThan(value + 1e-9);
});
