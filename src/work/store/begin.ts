/** Makes a folder ready to be filled: a new store, or one that is there and goes on. */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { makeFolders } from '../../core/files/output.ts';
import { opened } from '../../rules/opened.ts';
import type { Registry } from '../../rules/registry.ts';
import { type Begin, beginFolder, newFolder } from '../folder/begin.ts';
import { openSweep, type Sweep, sweepHash } from '../sweep/sweep.ts';
import { FOLDERS, HISTOGRAMS, MANIFEST, PREVIOUS } from './files.ts';
import { type Manifest, newManifest, SWEEPS } from './manifest.ts';
import { EXTENSIONS_MAX } from './schema.ts';

/**
 * `new`: the folder is new or empty; `resume`: what is missing is played; `extend`: all cells get more battles;
 * `recompute`: the sweep file has changed, and cells that it has kept are not played again.
 */
export type Mode = 'new' | 'resume' | 'extend' | 'recompute';

/** The store as it is to be extended: with more battles in its manifest. */
async function extended(folder: string, manifest: Manifest, sweep: Sweep): Promise<Manifest> {
  const { battles = 0, precision } = sweep.spec;
  const before = openSweep(manifest.sweep, folder).battles;
  if (precision !== undefined)
    throw new InputError(
      folder,
      'cells of a fixed number of battles, to extend them',
      `a precision of ${String(precision)}`,
    );
  const changes = SWEEPS.changes(manifest, newManifest(sweep));
  SWEEPS.refuseChanged(
    folder,
    changes.filter(({ path }) => path !== 'battles'),
  );
  if (battles < before)
    throw new InputError('--battles', `more than the ${String(before)} of each cell in ${folder}`, String(battles));
  if (battles === before) return manifest;
  if (!manifest.complete)
    throw new InputError(folder, 'a complete sweep to extend', 'an unfinished one; --resume finishes it');
  if (manifest.extended.length >= EXTENSIONS_MAX)
    throw new InputError(folder, `at most ${String(EXTENSIONS_MAX)} extensions`, 'one more');
  const { cells: _cells, rows: _rows, digest: _digest, parts = [], ...rest } = manifest;
  const more = { ...rest, sweep: { ...manifest.sweep, battles }, complete: false };
  // Counts are not written anew: until all are there, the manifest says what they were.
  const kept = {
    extended: [...manifest.extended, before],
    parts: parts.filter(({ file }) => file.startsWith(HISTOGRAMS)),
  };
  const next = { ...more, sweepHash: sweepHash(more.sweep), ...kept };
  await SWEEPS.write(folder, next);
  return next;
}

/** Puts the store aside, for its cells to be taken from there. Killed at any point, it can be done again. */
async function putAside(folder: string): Promise<void> {
  const aside = join(folder, PREVIOUS);
  await makeFolders(aside);
  // The manifest goes first: without it the folder is a store no more, and what is left of it belongs aside.
  const present = await readdir(folder);
  for (const name of [MANIFEST, ...FOLDERS]) {
    if (!present.includes(name)) continue;
    await rm(join(aside, name), { recursive: true, force: true });
    await rename(join(folder, name), join(aside, name));
  }
}

async function recomputed(folder: string, sweep: Sweep, registry: Registry): Promise<Manifest> {
  const manifest = await SWEEPS.find(folder, registry);
  const aside = await SWEEPS.find(join(folder, PREVIOUS), registry);
  if (manifest !== undefined && SWEEPS.changes(manifest, newManifest(sweep)).length === 0) return manifest;
  const interrupted = aside !== undefined && manifest !== undefined && !manifest.complete;
  // What was put aside is worth more than what an unfinished second attempt has.
  if (interrupted)
    for (const name of [MANIFEST, ...FOLDERS]) await rm(join(folder, name), { recursive: true, force: true });
  else await putAside(folder);
  return await newFolder(SWEEPS, folder, newManifest(sweep), registry);
}

/** What a folder is to hold of a sweep: where it was extended, with the battles that its cells have got. */
export function dueOf(sweep: Sweep): (there: Manifest | undefined) => Manifest {
  const due = newManifest(sweep);
  return (there) => {
    if (there === undefined || there.extended.length === 0) return due;
    return { ...due, sweep: { ...due.sweep, battles: there.sweep.battles } };
  };
}

/**
 * The caller holds the lock of the folder, unless it is a shard's (`either`): all of them write the same.
 * @returns the manifest of what is to be filled
 * @throws InputError if the folder holds something else, or does not fit the mode
 * @throws RunError if its manifest is damaged, or something cannot be written
 */
export async function beginStore(folder: string, sweep: Sweep, mode: Mode | Begin): Promise<Manifest> {
  const { registry } = opened(sweep.spec.scenario);
  if (mode === 'recompute') return await recomputed(folder, sweep, registry);
  if (mode === 'extend') return await extended(folder, await SWEEPS.read(folder, registry), sweep);
  return await beginFolder(SWEEPS, folder, dueOf(sweep), mode, registry);
}
