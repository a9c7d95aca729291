/**
 * Prints in the last lines of a run the tests that were cut off because their process ended, the settings that repeat
 * the run, and the counts: `12 passed, 0 failed`, and `, 3 skipped` if tests were skipped.
 */
import type { Reporter, TestModule } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Names of the tests that started but did not end. */
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
    // Files and suites can fail outside of tests.
    if (module.state() === 'failed' && counts.failed === before) counts.failed++;
  }
  return counts;
}

export class SummaryReporter implements Reporter {
  readonly #settings: string;

  /** @param settings environment variables that repeat the run */
  constructor(settings: string) {
    this.#settings = settings;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed, skipped, cutOff } = count(modules, unhandledErrors.length);
    const cut = cutOff.map((name) => `cut off: ${name}\n`).join('');
    const line = `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ''}`;
    // Vitest and its other reporters print after this call.
    process.once('exit', () => process.stdout.write(`${cut}${this.#settings}\n${line}\n`));
  }
}
