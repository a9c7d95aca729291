/**
 * warpool/testing: the test kit of battle systems.
 *
 * ```ts
 * import { describe, test } from 'node:test';
 * import { testSystem } from 'warpool/testing';
 * import duel from './my-duel.js';
 *
 * testSystem(duel, { describe, test });
 * ```
 *
 * @module warpool/testing
 */

import { CONFORMANCE_CHECKS, type ConformOptions, conform } from './conformance/conform.ts';
import type { Finding } from './conformance/findings.ts';
import { checkKind } from './core/option-checks.ts';
import type { System } from './rules/system.ts';

export { CONFORMANCE_CHECKS, type ConformOptions, conform } from './conformance/conform.ts';
export type { Finding } from './conformance/findings.ts';

/** `describe` and `test` of node:test, vitest, or a similar runner. */
export interface TestRunner {
  /** Groups the tests that `define` creates. */
  readonly describe: (name: string, define: () => void) => unknown;
  /** Creates a test; it fails if the promise of `run` is rejected. */
  readonly test: (name: string, run: () => Promise<void>) => unknown;
}

/** Formats a finding as a message of a test. */
function formatFinding({ scenario, message, advice, battle }: Finding): string {
  const where = scenario === '' ? '' : `${scenario}: `;
  const which = battle === undefined ? '' : ` (battle ${String(battle.battle)} of seed ${battle.seed})`;
  return `${where}${message}${which}. ${advice}`.trim();
}

/**
 * Creates a test for each check of the kit.
 * @param system result of `defineSystem`
 * @param runner functions of the test runner: `{ describe, test }`
 */
export function testSystem(system: System, runner: TestRunner, options: ConformOptions = {}): void {
  checkKind('runner', 'an object such as { describe, test }', runner, 'test');
  const { describe, test } = runner;
  let findings: Promise<readonly Finding[]> | undefined;
  describe(`${system.id} conforms`, () => {
    for (const { id, title } of CONFORMANCE_CHECKS)
      test(title, async () => {
        findings ??= conform(system, options);
        const wrong = (await findings).filter(({ check, ok }) => check === id && !ok);
        if (wrong.length > 0) throw new Error(wrong.map(formatFinding).join('\n'));
      });
  });
}
