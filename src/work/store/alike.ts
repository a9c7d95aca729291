/** Whether two stores have been begun alike: by one build, with one sweep. Their parts are then the same, byte by byte. */
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { changesBetween } from '../folder/changes.ts';
import { MANIFEST, partName } from './files.ts';
import type { Manifest } from './manifest.ts';

/** The manifest as it was before the store was complete. */
export function unfinished({ cells: _c, rows: _r, digest: _d, parts = [], ...rest }: Manifest): Manifest {
  const { extended } = rest;
  const kept = parts.filter(({ file }) => extended.includes(Number(partName(file)?.counts?.to)));
  return { ...rest, complete: false, ...(extended.length > 0 && { parts: kept }) };
}

/** What all shards have in common. A name is a label for people. */
function common(manifest: Manifest): object {
  const { sweep, parts: _parts, ...rest } = unfinished(manifest);
  const { name: _name, ...spec } = sweep;
  return { ...rest, sweep: spec };
}

const cut = (text = 'nothing'): string => (text.length > 70 ? `${text.slice(0, 67)}...` : text);

/**
 * Refuses a store whose parts are not those of another store.
 * @throws InputError that names the first difference
 */
export function checkAlike(store: string, manifest: Manifest, other: string, its: Manifest): void {
  const changes = changesBetween(common(manifest), common(its));
  // What differs says more than that the hashes of it do.
  const change = changes.find(({ path }) => !/^(scenario|sweep)Hash$/.test(path)) ?? changes[0];
  if (change === undefined) return;
  const { path, before, after } = change;
  throw new InputError(`${join(other, MANIFEST)} ${path}`, `${cut(before)}, as in ${store}`, cut(after));
}
