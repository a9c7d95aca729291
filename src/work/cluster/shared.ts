/** A store that workers share: the folder of a sweep, or a place in an object store. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { opened } from '../../rules/opened.ts';
import type { Registry } from '../../rules/registry.ts';
import { MANIFEST } from '../store/files.ts';
import { checkAlike, MANIFEST_MAX, type Manifest, manifestText, SWEEPS, unfinished } from '../store/manifest.ts';
import type { ReadStore } from '../store/reading.ts';
import { FolderParts } from './folder.ts';
import { PartConflict, PartMissing, type Parts } from './parts.ts';
import { retold } from './retold.ts';
import type { S3Parts } from './s3.ts';

export interface SharedStore {
  /** What a coordinator is told of where parts are. */
  readonly at: 'folder' | 'bucket';
  readonly parts: Parts;
  /** The manifest; undefined while there is none. @throws InputError or RunError if it is none, or cannot be read */
  manifest(): Promise<Manifest | undefined>;
}

export function sharedFolder(folder: string, registry: Registry): SharedStore {
  return { at: 'folder', parts: new FolderParts(folder), manifest: () => SWEEPS.find(folder, registry) };
}

export function sharedBucket(parts: S3Parts, registry: Registry): SharedStore {
  return { at: 'bucket', parts, manifest: () => withCopy(parts, (folder) => SWEEPS.find(folder, registry)) };
}

/** Does something with a folder that has the manifest of a place, if there is one; errors name the place. */
async function withCopy<T>(parts: S3Parts, act: (folder: string) => Promise<T>): Promise<T | undefined> {
  const bytes = await parts.read(MANIFEST, MANIFEST_MAX).catch((error: unknown) => {
    if (error instanceof PartMissing) return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'warpool-place-'));
  try {
    await writeFile(join(folder, MANIFEST), bytes);
    return await retold([{ folder, url: parts.place.url }], () => act(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Puts the manifest of a store into a place, by which workers know that parts of its sweep belong there.
 * @throws InputError if it has that of another sweep or build; RunError if it cannot be reached
 */
export async function announce({ folder, manifest, sweep }: ReadStore, parts: S3Parts): Promise<void> {
  const { registry } = opened(sweep.spec.scenario);
  try {
    await parts.put(MANIFEST, new TextEncoder().encode(manifestText(unfinished(manifest))));
  } catch (error) {
    if (!(error instanceof PartConflict)) throw error;
    await withCopy(parts, async (copy) => {
      checkAlike(folder, manifest, copy, await SWEEPS.read(copy, registry));
    });
  }
}
