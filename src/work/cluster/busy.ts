/** Keeps a desk busy. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Desk } from './desk.ts';
import { BEAT_EVERY } from './people.ts';

/**
 * Keeps as many things under way as a desk has room for.
 * @param next begins one; undefined if there is nothing to begin now
 */
export async function keepBusy(
  desk: Pick<Desk, 'room' | 'drain'>,
  next: () => Promise<void> | undefined,
): Promise<void> {
  const under = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for (;;) {
    while (under.size < desk.room && failures.length === 0) {
      const begun = next();
      if (begun === undefined) break;
      const ended: Promise<void> = begun
        .catch((error: unknown) => {
          failures.push(error);
          void desk.drain();
        })
        .finally(() => under.delete(ended));
      under.add(ended);
    }
    if (under.size === 0) break;
    // Room grows when workers come.
    await Promise.race([...under, pause(BEAT_EVERY / 4)]);
  }
  if (failures.length > 0) throw failures[0];
}
