/** Options of environments in threads. */
import type { VectorEnvOptions } from '../environments.ts';

/** Options of environments that threads step. */
export interface ThreadedOptions extends VectorEnvOptions {
  /** Milliseconds within which the threads must be up, 1..600 000; 30 000 unless given. */
  readonly bootTimeoutMs?: number | undefined;
  /** The file that the threads run, if it is not the package's own: for tests. */
  readonly worker?: URL | undefined;
}
