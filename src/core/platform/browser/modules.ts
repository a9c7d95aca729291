/** Modules with systems: they are fetched, and may be `blob:` and `data:` URLs. */
import { InputError } from '../../errors.ts';

/** Loads the bytes of a module; undefined if it cannot be fetched. */
export async function loadModuleBytes(url: URL, most: number): Promise<Uint8Array | 'larger' | undefined> {
  try {
    const response = await fetch(url);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) return undefined;
    return bytes.length > most ? 'larger' : bytes;
  } catch {
    return undefined;
  }
}

/** @throws InputError always: bundles only have the games that they import */
export function getGameUrl(id: string): never {
  throw new InputError('system', `"${id}" among the systems: import it from warpool/examples/games/${id}.mjs`, 'none');
}

/** @throws InputError if it is not a URL, absolute or relative to the page */
export function resolveModuleUrl(path: string, place: string): Promise<string> {
  try {
    return Promise.resolve(new URL(path, globalThis.location.href).href);
  } catch {
    return Promise.reject(new InputError(place, 'a URL of a module with a system', `"${path}"`));
  }
}

/** Checks nothing: the import itself shows whether the module runs. */
export function checkRunnable(): void {
  // Nothing to check.
}

/** Returns the name of a module in messages. */
export const getModuleName = (url: string): string => url;
