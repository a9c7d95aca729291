/** Ends a store: when all its cells are there, its manifest says what came of them. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from '../errors.ts';
import { segmentsOf } from '../sweep/segments.ts';
import { PREVIOUS } from './begin.ts';
import type { Lock } from './lock.ts';
import { type Manifest, type StoredPart, writeManifest } from './manifest.ts';
import { hashesOf, histogramsDue, type Part, readTablePart, type TablePart } from './parts.ts';
import type { ReadStore } from './reading.ts';
import { PART_MAX, sha256Of, withFile } from './regular.ts';
import type { SegmentFacts } from './segment.ts';
import { together } from './together.ts';

/** What a part is now. @throws RunError if it is missing or no regular file */
export function partNow(folder: string, file: string): Promise<StoredPart> {
  return withFile(folder, file, PART_MAX, async (opened) => ({
    file,
    bytes: opened.size,
    sha256: await sha256Of(opened),
  }));
}

/** SHA-256 over the digests of all segments. */
export function storeDigest(facts: Iterable<SegmentFacts>): string {
  const hash = createHash('sha256');
  for (const { digest } of facts) hash.update(`${digest}\n`);
  return hash.digest('hex');
}

/** All parts of a store whose segments are all there, as a manifest lists them. */
async function listed({ folder, manifest, sweep }: ReadStore, tables: readonly TablePart[]): Promise<StoredPart[]> {
  const counts = tables.flatMap(({ facts: { segment, cells } }) =>
    cells === 0 ? [] : histogramsDue(manifest, sweep, segment),
  );
  const found = [...(await together(counts, (file) => partNow(folder, file))), ...tables.map(({ stored }) => stored)];
  const before = new Map(manifest.parts?.map((part) => [part.file, part]));
  const changed = found.find(({ file, sha256 }) => before.has(file) && before.get(file)?.sha256 !== sha256);
  if (changed === undefined) return found;
  throw new RunError(`${join(folder, changed.file)}: its SHA-256 is not that which it had before the extension`);
}

/**
 * @param store with the parts that it has now
 * @throws RunError if a segment is missing or a part damaged, or the lock is lost
 */
export async function finishStore(store: ReadStore, lock: Lock): Promise<Manifest> {
  const { folder, manifest, sweep, parts: there } = store;
  const hashes = hashesOf(manifest, sweep);
  const read = ({ file }: Part): Promise<TablePart> => readTablePart(folder, file, manifest.segmentSize, hashes);
  const tables = await together(there.tables.values(), read);
  const segments = segmentsOf(sweep, manifest.segmentSize);
  if (tables.length !== segments)
    throw new RunError(
      `${folder} has ${String(tables.length)} of ${String(segments)} segments; --resume plays the others`,
    );
  const parts = await listed(store, tables);
  const all = tables.map(({ facts }) => facts);
  const sum = (of: 'cells' | 'rows'): number => all.reduce((total, each) => total + each[of], 0);
  const size = { cells: sum('cells'), rows: sum('rows') };
  const { parts: _before, ...rest } = manifest;
  const finished = { ...rest, complete: true, ...size, digest: storeDigest(all), parts };
  await lock.check();
  await writeManifest(folder, finished);
  await rm(join(folder, PREVIOUS), { recursive: true, force: true });
  return finished;
}
