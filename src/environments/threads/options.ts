/** Options of environments in threads. */
import type { VectorEnvOptions } from '../environments.ts';

/** Options of environments that threads step. */
export interface ThreadedOptions extends VectorEnvOptions {
  /** Maximum milliseconds for starting the threads, 1..600 000; default: 30 000. */
  readonly bootTimeoutMs?: number | undefined;
  /** The file that the threads run, if it is not the package's own: for tests. */
  readonly worker?: URL | undefined;
}
