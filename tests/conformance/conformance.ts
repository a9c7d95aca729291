/** What every system must hold: to be called by a file of its own for each, so that files run side by side. */
import { describe } from 'vitest';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { exactTests } from './exact.ts';
import { kernelTests } from './kernels.ts';
import { testCounts } from './rollout-counts.ts';
import { rolloutTests } from './rollouts.ts';
import { ruleTests } from './rules.ts';

export function conformance(id: string): void {
  const system = SHIPPED_REGISTRY.system(id);
  describe('kernel, automaton and reference play the same battles', () => {
    kernelTests(system);
  });
  describe('simulation and exact solution agree', () => {
    exactTests(system);
  });
  describe('rules', () => {
    ruleTests(system);
  });
  describe.runIf(system.environment !== undefined)('environments', () => {
    rolloutTests(system);
    testCounts(system);
  });
}
