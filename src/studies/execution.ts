/** How runs are executed. Nothing here changes a result, so nothing here is stored with one. */
import { pickedNames, WORKERS_MAX } from '../core/index.ts';
import { type Players, type Progress, WATCH } from '../engines/index.ts';
import { type Asked, count, type Settings, settled } from '../rules/setting.ts';
import { BUDGET } from './questions.ts';

/** What commands take of it: an option that is declared here is one of all commands and functions that play runs. */
export const THREADS = {
  /**
   * Threads that may play it at once, 1..256; as many as there are cores unless said otherwise. Runs too short to be worth
   * a thread are played in the calling thread, and so is the beginning of all others. The threads are those of the
   * process: calls that are under way at once share them and take turns. Their number is at most the number
   * of cores, and the largest number that a call requested; they end when no call needs them.
   */
  workers: count(1, WORKERS_MAX, 'threads (default: as many as there are cores)'),
} as const satisfies Settings;

/** Who plays a run, what it may cost, and who watches: declared once, and passed on whole. */
export interface Execution extends Asked<typeof THREADS> {
  /** Threads to use instead of those of the process: a `Pool`. */
  readonly pool?: Players | undefined;
  /**
   * Steps, 1..10^10: of the exact law from which the engine `sampled` draws, or of exploring for the engine `automaton`;
   * 4 000 000 unless said otherwise.
   */
  readonly budget?: number | string | undefined;
  /** Ends the run early. What was finished is kept, or returned with `complete: false`. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export const EXECUTION = { ...THREADS, pool: true, budget: BUDGET, ...WATCH } as const;

/** Picks the options of execution from all options of a call. */
export const executionOf = (options: Execution) => ({
  ...pickedNames<Execution>(EXECUTION, options),
  ...settled({ ...THREADS, budget: BUDGET }, options),
});
