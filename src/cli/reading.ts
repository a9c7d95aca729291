/** Reads a store: shows how far that is, and says what lies among its parts and is left out. */
import { cleanText, grouped } from '../tell/index.ts';
import type { Store } from '../work/index.ts';
import { type OpenStore, openStore } from '../work/node.ts';
import type { Long } from './options.ts';
import { progressBar } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { say } from './terminal.ts';

/** Files that are named. */
const NAMED = 3;

/** Warns of files that are no parts of the store, which programs that read its folders would read as well. */
function warnOf({ folder, strays = [] }: Store): void {
  if (strays.length === 0) return;
  const more = strays.length > NAMED ? ` and ${grouped(strays.length - NAMED)} more` : '';
  const names = strays.slice(0, NAMED).map(cleanText).join(', ');
  say(`${cleanText(folder)}: no part of the sweep, and left out: ${names}${more}`);
}

/**
 * Does something with a store.
 * @param times that all of its parts are read
 */
export async function readTold<T>(
  folder: string,
  options: Known & Long,
  times: number,
  act: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const bar = progressBar(options, 'parts');
  const onPart = (done: number, parts: number): void => bar.show?.({ done, asked: Math.max(done, times * parts) });
  const store = await openStore(folder, { systems: await registryFor(options, folder), onPart });
  warnOf(store);
  try {
    return await act(store);
  } finally {
    bar.end();
  }
}
