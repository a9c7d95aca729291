/** Several things at once, but not all. */

/** Files that are read at once: one part of each is in memory. */
const AT_ONCE = 8;

export interface TogetherOptions {
  readonly atOnce?: number | undefined;
  /** Begins no more when it comes; results are then missing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does `act` for each, some at a time. After a failure no more are begun, and those under way end first.
 * @returns what came of each, in the order of `items`
 * @throws what the first that failed has thrown
 */
export async function together<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  { atOnce = AT_ONCE, signal }: TogetherOptions = {},
): Promise<R[]> {
  const waiting = [...items].entries();
  const results: R[] = [];
  const failures: unknown[] = [];
  const hand = async (): Promise<void> => {
    for (const [i, item] of waiting) {
      if (signal?.aborted === true || failures.length > 0) return;
      try {
        results[i] = await act(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, hand));
  if (failures.length > 0) throw failures[0];
  return results;
}
