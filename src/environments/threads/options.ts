/** Options of environments in threads. */
import type { VectorEnvOptions } from '../environments.ts';

/** Options of environments stepped by threads. */
export interface ThreadedOptions extends VectorEnvOptions {
  /** Maximum milliseconds for starting the threads, 1..600 000; default: 30 000. */
  readonly bootTimeoutMs?: number | undefined;
  /** File that the threads run, for tests; default: the package's file. */
  readonly worker?: URL | undefined;
}
