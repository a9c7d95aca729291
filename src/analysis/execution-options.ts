/** Options of the execution of runs. They do not change results and are not stored with them. */
import { pickNamedOptions, WORKERS_MAX } from '../core/index.ts';
import { PROGRESS_OPTIONS, type Progress, type RunExecutor } from '../engines/index.ts';
import { count, type OptionSpecs, type RequestedOptions, resolveOptions } from '../rules/option-spec.ts';
import { BUDGET } from './shared-options.ts';

/** Options of all commands and functions that simulate runs. */
export const THREADS = {
  /**
   * Maximum number of threads, 1..256; default: the number of cores. Short runs, and the beginning of all others, are
   * simulated in the calling thread. Concurrent calls share the threads of the process. The number of threads is at
   * most the number of cores and the largest requested number; idle threads end.
   */
  workers: count(1, WORKERS_MAX, 'number of threads (default: the number of cores)'),
} as const satisfies OptionSpecs;

/** Execution of a run: its engine, its cost and its observers. */
export interface ExecutionOptions extends RequestedOptions<typeof THREADS> {
  /** A `ThreadPool` to use instead of the threads of the process. */
  readonly pool?: RunExecutor | undefined;
  /**
   * Maximum steps, 1..10^10, of the exact distribution for the engine `sampled`, or of the exploration for the engine
   * `automaton`; default 4 000 000.
   */
  readonly budget?: number | string | undefined;
  /** Stops the run. Finished parts are stored, or returned with `complete: false`. */
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
