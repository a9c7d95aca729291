/** Reads a store with progress, and warns of ignored files. */
import { formatGrouped, sanitizeXmlText } from '../report/index.ts';
import type { Store } from '../storage/index.ts';
import { type OpenStore, openStore } from '../storage/node.ts';
import type { LongRunningOptions } from './options.ts';
import { createProgressBar } from './progress.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { printStatus } from './terminal.ts';

/** Files that are named. */
const NAMED_FILES_MAX = 3;

/** Warns of files that are not parts of the store: other programs that read its folders would include them. */
function warnOfStrayFiles({ folder, strayFiles = [] }: Store): void {
  if (strayFiles.length === 0) return;
  const more =
    strayFiles.length > NAMED_FILES_MAX ? ` and ${formatGrouped(strayFiles.length - NAMED_FILES_MAX)} more` : '';
  const names = strayFiles.slice(0, NAMED_FILES_MAX).map(sanitizeXmlText).join(', ');
  printStatus(`${sanitizeXmlText(folder)}: ignored files that are not part of the sweep: ${names}${more}`);
}

/**
 * Runs `act` with a store.
 * @param times number of passes over its parts
 */
export async function readStoreWithProgress<T>(
  folder: string,
  options: RegistryOptions & LongRunningOptions,
  times: number,
  act: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const bar = createProgressBar(options, 'parts');
  const onPart = (done: number, parts: number): void => bar.show?.({ done, total: Math.max(done, times * parts) });
  const store = await openStore(folder, { systems: await loadRegistry(options, folder), onPart });
  warnOfStrayFiles(store);
  try {
    return await act(store);
  } finally {
    bar.end();
  }
}
