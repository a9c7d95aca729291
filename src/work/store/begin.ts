/** Makes a folder ready to be filled: a new store, or one that is there and goes on. */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { isDraft } from '../../core/files/durable.ts';
import { makeFolders } from '../../core/files/folders.ts';
import { opened } from '../../rules/opened.ts';
import type { Registry } from '../../rules/registry.ts';
import { type Change, changesBetween } from '../folder/changes.ts';
import { LOCK, type Lock } from '../folder/lock.ts';
import { openSweep, type Sweep, sweepHash } from '../sweep/sweep.ts';
import { FOLDERS, HISTOGRAMS, MANIFEST, sweepUp } from './files.ts';
import { findManifest, type Manifest, newManifest, putManifest, readManifest, writeManifest } from './manifest.ts';
import { EXTENSIONS_MAX } from './schema.ts';

/**
 * `new`: the folder is new or empty; `resume`: what is missing is played; `extend`: all cells get more battles;
 * `recompute`: the sweep file has changed, and cells that it has kept are not played again.
 */
export type Mode = 'new' | 'resume' | 'extend' | 'recompute';

/** Where the store was before a changed sweep file took its place, until all its cells are there. */
export const PREVIOUS = '.previous';

/** Changes that are told. */
const TOLD = 8;

/** Changes for a message. @param asked where what was asked for stands */
export function told(changes: readonly Change[], asked = 'in the file'): string {
  const shown = changes.slice(0, TOLD).map(({ path, before = 'nothing', after = 'nothing' }) => {
    const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
    return `  ${path}: ${cut(before)} in the store, ${cut(after)} ${asked}`;
  });
  const more = changes.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${String(more)} more`] : [])].join('\n');
}

function differences(manifest: Manifest, sweep: Sweep): Change[] {
  const { name: _was, ...before } = manifest.sweep;
  const { name: _is, ...after } = sweep.spec;
  return changesBetween(before, after);
}

/**
 * Makes an empty store. Of several processes that do so at once one writes the manifest, and all go on with that.
 * @throws InputError if the folder has anything else in it
 */
export async function newStore(folder: string, manifest: Manifest, registry: Registry): Promise<Manifest> {
  await makeFolders(folder);
  const others = (await readdir(folder)).filter((name) => name !== LOCK && name !== PREVIOUS && !isDraft(name));
  const stray = others.find((name) => !FOLDERS.includes(name));
  if (stray !== undefined) throw new InputError(folder, 'a new or an empty folder', `${stray} in it`);
  for (const name of FOLDERS) {
    await makeFolders(join(folder, name));
    // Whose parts these are nobody can tell.
    const part = (await readdir(join(folder, name))).find((found) => !isDraft(found));
    if (part !== undefined)
      throw new InputError(folder, 'a new or an empty folder', `${name}/${part} without a manifest`);
  }
  await putManifest(folder, manifest);
  return await readManifest(folder, registry);
}

function refuseChanged(folder: string, changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const found = `one that has changed:\n${told(changes)}\n--recompute plays only cells that are new or changed`;
  throw new InputError(folder, 'the sweep file that it was made from', found);
}

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
  refuseChanged(
    folder,
    differences(manifest, sweep).filter(({ path }) => path !== 'battles'),
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
  await writeManifest(folder, next);
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

async function recomputed(folder: string, manifest: Manifest | undefined, sweep: Sweep) {
  const { registry } = opened(sweep.spec.scenario);
  const aside = await findManifest(join(folder, PREVIOUS), registry);
  if (manifest !== undefined && differences(manifest, sweep).length === 0) return manifest;
  const interrupted = aside !== undefined && manifest !== undefined && !manifest.complete;
  // What was put aside is worth more than what an unfinished second attempt has.
  if (interrupted)
    for (const name of [MANIFEST, ...FOLDERS]) await rm(join(folder, name), { recursive: true, force: true });
  else await putAside(folder);
  return await newStore(folder, newManifest(sweep), registry);
}

/** The manifest of a sweep that goes on, which must be that of its file. @throws InputError if it is not */
export function resumed(folder: string, manifest: Manifest, sweep: Sweep, mode: Mode): Manifest {
  const file = manifest.extended.length > 0 ? { ...sweep.spec, battles: manifest.sweep.battles } : sweep.spec;
  refuseChanged(folder, differences(manifest, { ...sweep, spec: file }));
  if (mode === 'new' && !manifest.complete)
    throw new InputError(folder, 'a new or an empty folder', 'an unfinished sweep; --resume goes on with it');
  return manifest;
}

/**
 * @param lock of the store, which the caller holds
 * @returns the manifest of what is to be filled
 * @throws InputError if the folder holds something else, or does not fit the mode
 * @throws RunError if its manifest is damaged, or something cannot be written
 */
export async function beginStore(folder: string, sweep: Sweep, mode: Mode, lock: Lock): Promise<Manifest> {
  await sweepUp(folder, lock.now);
  const { registry } = opened(sweep.spec.scenario);
  const manifest = await findManifest(folder, registry);
  if (mode === 'recompute') return await recomputed(folder, manifest, sweep);
  if (manifest === undefined) {
    if (mode === 'new') return await newStore(folder, newManifest(sweep), registry);
    throw new InputError(folder, 'a sweep to go on with', `no ${MANIFEST} in it`);
  }
  return mode === 'extend' ? await extended(folder, manifest, sweep) : resumed(folder, manifest, sweep, mode);
}
