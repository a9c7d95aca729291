/**
 * Says in the last lines which tests were cut off (their process ended), how the run can be repeated, and how the tests
 * went: `12 passed, 0 failed`, and `, 3 skipped` if some were.
 */
import type { Reporter, TestModule } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Names of the tests that began and did not end. */
  cutOff: string[];
}

function count(modules: readonly TestModule[], unhandled: number): Counts {
  const counts: Counts = { passed: 0, failed: unhandled, skipped: 0, cutOff: [] };
  for (const module of modules) {
    const before = counts.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'failed' : state]++;
      if (state === 'pending') counts.cutOff.push(`${module.relativeModuleId} > ${test.fullName}`);
    }
    // Files and suites can break outside of any test.
    if (module.state() === 'failed' && counts.failed === before) counts.failed++;
  }
  return counts;
}

export class SummaryReporter implements Reporter {
  readonly #settings: string;

  /** @param settings variables of the environment that repeat the run */
  constructor(settings: string) {
    this.#settings = settings;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed, skipped, cutOff } = count(modules, unhandledErrors.length);
    const cut = cutOff.map((name) => `cut off: ${name}\n`).join('');
    const line = `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ''}`;
    // Vitest and its other reporters speak after this.
    process.once('exit', () => process.stdout.write(`${cut}${this.#settings}\n${line}\n`));
  }
}
