/** Scenarios that may be solved: what solves them must have been loaded before. */
import { holdKernels } from '../../src/core/platform/browser/kernels.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { scenarioOf } from './check.ts';

/** The scenario of a text, with the kernels that its exact answer takes. @throws InputError */
export async function solvable(text: string, place?: string): Promise<Scenario> {
  const scenario = scenarioOf(text, place);
  await holdKernels(['chain', scenario.system]);
  return scenario;
}
