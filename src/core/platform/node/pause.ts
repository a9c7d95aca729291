/** A turn of the event loop, in which timers, messages and signals are heard. */
import { setImmediate } from 'node:timers/promises';

export async function pause(): Promise<void> {
  await setImmediate();
}
