/** Modules with systems: they are fetched, and may be `blob:` and `data:` URLs. */
import { InputError } from '../../errors.ts';

/** The text of a module; undefined if it cannot be fetched, or is longer. */
export async function moduleText(url: URL, most: number): Promise<string | undefined> {
  try {
    const response = await fetch(url);
    const text = await response.text();
    return response.ok && text.length <= most ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Browsers have no `require`. */
export function requiredUrl(path: string, from: URL): URL {
  return new URL(path, from);
}

/** @throws InputError if it is no URL, neither by itself nor relative to the page's */
export function moduleUrl(path: string, place: string): Promise<string> {
  try {
    return Promise.resolve(new URL(path, globalThis.location.href).href);
  } catch {
    return Promise.reject(new InputError(place, 'a URL of a module with a system', `"${path}"`));
  }
}

/** Whether it runs shows when it is imported. */
export function checkRuns(): void {
  // Nothing to see before.
}

/** What messages call a module. */
export const moduleName = (url: string): string => url;
