/** Defines the conformance tests of a system. Each system has a separate test file, because files run in parallel. */
import { describe } from 'vitest';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { exactTests } from './exact.ts';
import { kernelTests } from './kernels.ts';
import { testCounts } from './rollout-counts.ts';
import { rolloutTests } from './rollouts.ts';
import { ruleTests } from './rules.ts';

export function conformance(id: string): void {
  const system = SHIPPED_REGISTRY.system(id);
  describe('kernel, automaton and reference engine simulate the same battles', () => {
    kernelTests(system);
  });
  describe('simulation and exact answer agree', () => {
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
