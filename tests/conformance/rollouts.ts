/**
 * Environments of the kernel and of the rules have equal output after every step: for shipped scenarios and scenarios
 * from the declared ranges, for one agent and for all players, in every autoreset mode, with illegal actions.
 */
import { expect, test } from 'vitest';
import { createScenarioSpec } from '../../src/environments/env-spec.ts';
import { AUTORESETS } from '../../src/environments/layout.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario, System } from '../../src/rules/system.ts';
import { namedModes, sampleScenarios } from '../arbitraries.ts';
import { DEPTH, SEED } from '../depth.ts';
import { expectTwins } from '../environments/reference-comparison.ts';
import { shipped } from './shipped.ts';

const SAMPLES = 5 * DEPTH;

/** Compares the environments of all scenarios. @returns number of decisions by decision point */
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

export function rolloutTests(system: System): void {
  test.each(namedModes(system))('agree on generated scenarios, %s', { timeout: 600_000 }, async (_, mode) => {
    await playAll(sampleScenarios(system, mode, SAMPLES, SEED));
  });

  test('agree on shipped scenarios, which reach all decision points', async () => {
    const scenarios = await Promise.all(shipped(system.id).map((file) => loadScenario(`scenarios/${file}`)));
    const taken = await playAll(scenarios);
    expect([...taken.keys()].sort()).toEqual([...createScenarioSpec(scenarios[0] as Scenario).points].sort());
  });
}
