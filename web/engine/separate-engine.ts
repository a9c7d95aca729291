/** Another engine beside the one of the page, which stays free. */
import { type EngineWork, type ProgressListener, performOnce } from './client.ts';
import { type EngineSetup, EngineWorker } from './live.ts';

const ignore = (): void => undefined;

/**
 * Has an engine of its own do something, and ends it.
 * @param silence seconds for which code of the user may keep it from hearing
 * @throws what `perform` throws
 */
export async function performInSeparateEngine<T, P>(
  begin: EngineSetup,
  work: EngineWork<T, P>,
  silence: number,
  signal: AbortSignal,
  hear: ProgressListener<P>,
): Promise<T> {
  const apart = new EngineWorker(begin, { ready: ignore, died: ignore, silent: () => silence });
  try {
    return await performOnce(apart, work, signal, hear);
  } finally {
    apart.die('its work is done', true);
  }
}
