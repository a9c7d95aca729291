/** Opens a store. */
import { RunError } from '../errors.ts';
import type { Store } from './store.ts';

/** A placeholder with the type of the real one. */
export function openStore(folder: string): Promise<Store> {
  return Promise.reject(new RunError(`${folder}: this version reads no stores`));
}
