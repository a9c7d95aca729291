/** Ends a store: when all its cells are there, its manifest says what came of them. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from '../errors.ts';
import { segmentsOf } from '../sweep/segments.ts';
import { PREVIOUS } from './begin.ts';
import type { Lock } from './lock.ts';
import { type Manifest, type StoredPart, writeManifest } from './manifest.ts';
import { factsOf, histogramsDue } from './parts.ts';
import type { ReadStore } from './reading.ts';
import { PART_MAX, sha256Of, withFile } from './regular.ts';
import type { SegmentFacts } from './segment.ts';

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
async function listed({ folder, manifest, sweep, parts }: ReadStore, facts: ReadonlyMap<number, SegmentFacts>) {
  const counts = [...facts].flatMap(([segment, { cells }]) =>
    cells === 0 ? [] : histogramsDue(manifest, sweep, segment),
  );
  const rows = [...parts.tables.values()].map(({ file }) => file);
  const before = new Map(manifest.parts?.map((part) => [part.file, part]));
  const found: StoredPart[] = [];
  for (const file of [...counts, ...rows]) {
    const part = await partNow(folder, file);
    const due = before.get(file);
    if (due !== undefined && due.sha256 !== part.sha256)
      throw new RunError(`${join(folder, file)}: its SHA-256 is not that which it had before the extension`);
    found.push(part);
  }
  return found;
}

/**
 * @param store with the parts that it has now
 * @throws RunError if a segment is missing or a part damaged, or the lock is lost
 */
export async function finishStore(store: ReadStore, lock: Lock): Promise<Manifest> {
  const { folder, manifest, sweep, parts: there } = store;
  const facts = await factsOf(folder, there, manifest, sweep);
  const segments = segmentsOf(sweep, manifest.segmentSize);
  if (facts.size !== segments)
    throw new RunError(
      `${folder} has ${String(facts.size)} of ${String(segments)} segments; --resume plays the others`,
    );
  const parts = await listed(store, facts);
  const all = [...facts.values()];
  const sum = (of: 'cells' | 'rows'): number => all.reduce((total, each) => total + each[of], 0);
  const size = { cells: sum('cells'), rows: sum('rows') };
  const { parts: _before, ...rest } = manifest;
  const finished = { ...rest, complete: true, ...size, digest: storeDigest(all), parts };
  await lock.check();
  await writeManifest(folder, finished);
  await rm(join(folder, PREVIOUS), { recursive: true, force: true });
  return finished;
}
