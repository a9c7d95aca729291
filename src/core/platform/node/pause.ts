/** Waits for a turn of the event loop, which handles timers, messages and signals. */
import { setImmediate } from 'node:timers/promises';

export async function pause(): Promise<void> {
  await setImmediate();
}
