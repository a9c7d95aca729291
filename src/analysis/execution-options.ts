/** How runs are executed. Nothing here changes a result, so nothing here is stored with one. */
import { pickNamedOptions, WORKERS_MAX } from '../core/index.ts';
import { PROGRESS_OPTIONS, type Progress, type RunExecutor } from '../engines/index.ts';
import { count, type OptionSpecs, type RequestedOptions, resolveOptions } from '../rules/option-spec.ts';
import { BUDGET } from './shared-options.ts';

/** What commands take of it: an option that is declared here is one of all commands and functions that play runs. */
export const THREADS = {
  /**
   * Threads that may play it at once, 1..256; as many as there are cores unless said otherwise. Runs too short to be worth
   * a thread are played in the calling thread, and so is the beginning of all others. The threads are those of the
   * process: calls that are under way at once share them and take turns. Their number is at most the number
   * of cores, and the largest number that a call requested; they end when no call needs them.
   */
  workers: count(1, WORKERS_MAX, 'number of threads (default: the number of cores)'),
} as const satisfies OptionSpecs;

/** Who plays a run, what it may cost, and who watches: declared once, and passed on whole. */
export interface ExecutionOptions extends RequestedOptions<typeof THREADS> {
  /** Threads to use instead of those of the process: a `ThreadPool`. */
  readonly pool?: RunExecutor | undefined;
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

export const EXECUTION = { ...THREADS, pool: true, budget: BUDGET, ...PROGRESS_OPTIONS } as const;

/** Picks the options of execution from all options of a call. */
export const pickExecutionOptions = (options: ExecutionOptions) => ({
  ...pickNamedOptions<ExecutionOptions>(EXECUTION, options),
  ...resolveOptions({ ...THREADS, budget: BUDGET }, options),
});
