/**
 * Environments of the kernel and of the rules show the same after every step: over shipped scenarios and such from the
 * declared ranges, for one agent and for all players, in every autoreset mode, with actions that nobody should take.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AUTORESETS } from '../../src/rollout/configuration.ts';
import { loadScenario } from '../../src/scenario/index.ts';
import { systems } from '../../src/systems/index.ts';
import type { Scenario } from '../../src/systems/system.ts';
import { modesOf, sampleScenarios } from '../arbitraries.ts';
import { expectTwins } from '../rollout/twin.ts';

const SAMPLES = 40;

const shipped = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'));

/** Decisions taken, by point, in all scenarios. */
async function playAll(scenarios: readonly Scenario[]): Promise<Map<string, number>> {
  const taken = new Map<string, number>();
  for (const [s, scenario] of scenarios.entries()) {
    const points = await expectTwins([{ scenario }], {
      agents: s % 3 === 0 ? undefined : 'all',
      autoreset: AUTORESETS[s % 3],
      acts: s % 2 === 0 ? 'wild' : 'uniform',
      build: s % 4 === 1 ? 'debug' : 'release',
      envs: 4,
      steps: 40,
      seed: s,
    });
    for (const [point, times] of points) taken.set(point, (taken.get(point) ?? 0) + times);
  }
  return taken;
}

describe.each(systems.filter(({ rollout }) => rollout !== undefined))('$id', (system) => {
  test.each(modesOf(system))('scenarios from the declared ranges, %s', async (mode) => {
    await playAll(sampleScenarios(system, mode, SAMPLES));
  });

  test('shipped scenarios ask at every decision point', async () => {
    const scenarios = await Promise.all(shipped.map((file) => loadScenario(`scenarios/${file}`)));
    const taken = await playAll(scenarios.filter((scenario) => scenario.system === system.id));
    expect([...taken.keys()].sort()).toEqual([...(system.rollout?.points ?? [])].sort());
  });
});
