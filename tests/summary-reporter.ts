/**
 * Says in the last lines how the run can be repeated and how the tests went: `12 passed, 0 failed`, and `, 3 skipped` if
 * some were.
 */
import type { Reporter, TestModule } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function count(modules: readonly TestModule[], unhandled: number): Counts {
  const counts: Counts = { passed: 0, failed: unhandled, skipped: 0 };
  for (const module of modules) {
    const before = counts.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // A test that is still pending at the end was cut off.
      counts[state === 'pending' ? 'failed' : state]++;
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
    const { passed, failed, skipped } = count(modules, unhandledErrors.length);
    const line = `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ''}`;
    // Vitest and its other reporters speak after this.
    process.once('exit', () => process.stdout.write(`${this.#settings}\n${line}\n`));
  }
}
