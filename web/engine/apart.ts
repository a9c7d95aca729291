/** Another engine beside the one of the page, which stays free. */
import { attempt, type Hear, type Work } from './client.ts';
import { type Beginning, Live } from './live.ts';

const nobody = (): void => undefined;

/**
 * Has an engine of its own do something, and ends it.
 * @param silence seconds for which code of the user may keep it from hearing
 * @throws what `perform` throws
 */
export async function performApart<T, P>(
  begin: Beginning,
  work: Work<T, P>,
  silence: number,
  signal: AbortSignal,
  hear: Hear<P>,
): Promise<T> {
  const apart = new Live(begin, { ready: nobody, died: nobody, silent: () => silence });
  try {
    return await attempt(apart, work, signal, hear);
  } finally {
    apart.die('its work is over', true);
  }
}
