/** Second engine, which keeps the engine of the page free. */
import { type EngineWork, type ProgressListener, performOnce } from './client.ts';
import { type EngineSetup, EngineWorker } from './live.ts';

const ignore = (): void => undefined;

/**
 * Runs work in a new engine and ends it.
 * @param silence maximum seconds without a response of custom code
 * @throws the errors of `perform`
 */
export async function performInSeparateEngine<T, P>(
  begin: EngineSetup,
  work: EngineWork<T, P>,
  silence: number,
  signal: AbortSignal,
  onProgress: ProgressListener<P>,
): Promise<T> {
  const apart = new EngineWorker(begin, { ready: ignore, died: ignore, silent: () => silence });
  try {
    return await performOnce(apart, work, signal, onProgress);
  } finally {
    apart.die('its work is done', true);
  }
}
