/** The manifest of a store: what was asked, by which program, and, once all is there, what came of it. */

import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { describeFound } from '../../rules/scenario/problem.ts';
import { changesBetween } from '../folder/changes.ts';
import { Kind, madeNow, same } from '../folder/kind.ts';
import type { StoredPart } from '../folder/regular.ts';
import { SEALED_MAX, sealedText } from '../folder/sealed.ts';
import { segmentSize, segmentsOf } from '../sweep/segments.ts';
import { openSweep, type Sweep, sweepHash } from '../sweep/sweep.ts';
import { FOLDERS, HISTOGRAMS, MANIFEST, PREVIOUS, partName, TABLE } from './files.ts';
import { countsDue } from './parts.ts';
import { FORMAT, type Manifest, manifestSchema } from './schema.ts';

export type { Manifest } from './schema.ts';

/** The most bytes of a manifest. */
export const MANIFEST_MAX: number = SEALED_MAX;

/** The manifest of a store that is about to be filled. */
export function newManifest(sweep: Sweep): Manifest {
  const { spec } = sweep;
  return {
    ...madeNow(FORMAT, spec.scenario),
    sweepHash: sweepHash(spec),
    segmentSize: segmentSize(sweep),
    sweep: spec,
    extended: [],
    complete: false,
  };
}

/** A manifest as its file has it: with a seal, the SHA-256 of all the rest. */
export function manifestText(manifest: Manifest): string {
  return sealedText(manifest);
}

function checkExtended({ extended, sweep }: Manifest, { battles }: Sweep, path: string): void {
  const steps = [...extended, battles];
  const ascending = steps.every((step, s) => s === 0 || step > (steps[s - 1] ?? 0));
  if (!ascending || (extended.length > 0 && sweep.precision !== undefined))
    throw new InputError(`${path} extended`, `numbers of battles that rise to ${String(battles)}`, steps.join(', '));
}

function checkHashes(manifest: Manifest, sweep: Sweep, path: string): void {
  const { sweepHash: whole, segmentSize: size, extended } = manifest;
  const { spec } = sweep;
  same(`${path} sweepHash`, sweepHash(spec), whole);
  const [first] = extended;
  const before = first === undefined ? sweep : openSweep({ ...spec, battles: first }, `${path} sweep`);
  same(`${path} segmentSize`, segmentSize(before), size);
}

/** The order of parts in a manifest: counts before rows, by segment, by battles. */
function inOrder(a: StoredPart, b: StoredPart): boolean {
  const [one, other] = [partName(a.file), partName(b.file)];
  if (one === undefined || other === undefined) return false;
  const kind = (part: StoredPart): number => (part.file.startsWith(TABLE) ? 1 : 0);
  const order = kind(a) - kind(b) || one.segment - other.segment;
  const to = (part: typeof one): number => Number(part.counts?.to ?? 0);
  return order === 0 ? to(one) < to(other) : order < 0;
}

/** Parts have the names of such a sweep, each once; a complete store has a part of rows for each segment. */
function checkParts(manifest: Manifest, sweep: Sweep, path: string): void {
  const { parts = [], complete, extended } = manifest;
  const segments = segmentsOf(sweep, manifest.segmentSize);
  const due = countsDue(manifest, sweep);
  for (const [p, part] of parts.entries()) {
    const place = `${path} parts[${String(p)}].file`;
    const name = partName(part.file);
    const known = name !== undefined && name.segment < segments && (name.counts === undefined || due(name.counts));
    if (!known) throw new InputError(place, 'a part of this sweep', describeFound(part.file));
    const before = parts[p - 1];
    if (before !== undefined && !inOrder(before, part))
      throw new InputError(place, `a part that comes after ${before.file}`, part.file);
    const kept = name.counts !== undefined && extended.includes(Number(name.counts.to));
    if (!complete && !kept) throw new InputError(place, 'a part that was there before the extension', part.file);
  }
  const rows = parts.filter(({ file }) => !file.startsWith(HISTOGRAMS)).length;
  if (complete) same(`${path} parts, those of ${TABLE}/`, segments, rows);
}

/** Folders of sweeps. */
export const SWEEPS = new Kind<Manifest>({
  thing: 'sweep',
  file: MANIFEST,
  folders: FOLDERS,
  beside: [PREVIOUS],
  format: FORMAT,
  what: 'the manifest of a sweep',
  madeBy: 'warpool sweep',
  schema: manifestSchema,
  scenarioAt: 'sweep.scenario',
  scenarioIn: ({ sweep }) => sweep.scenario,
  sameness: ({ sweep: { name: _label, ...spec } }) => spec,
  changed: {
    expected: 'the sweep file that it was made from',
    found: 'one that has changed',
    asked: 'in the file',
    help: '\n--recompute plays only cells that are new or changed',
  },
  atEnd: ({ cells, rows, digest, parts, extended, complete }) => {
    // While a store is extended, parts are those that are not written anew.
    return { cells, rows, digest, ...(extended.length === 0 || complete ? { parts } : {}) };
  },
  check: (manifest, path) => {
    const sweep = openSweep(manifest.sweep, `${path} sweep`);
    checkExtended(manifest, sweep, path);
    checkHashes(manifest, sweep, path);
    checkParts(manifest, sweep, path);
  },
});

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
