/** Ends a store: when all its cells are there, its manifest says what came of them. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from '../../core/errors.ts';
import type { Lock } from '../folder/lock.ts';
import { partNow, type StoredPart } from '../folder/regular.ts';
import { together } from '../folder/together.ts';
import { segmentsOf } from '../sweep/segments.ts';
import { PREVIOUS } from './files.ts';
import { type Manifest, SWEEPS } from './manifest.ts';
import { hashesOf, type Part, partsDue, readTablePart } from './parts.ts';
import type { ReadStore } from './reading.ts';
import type { FinishedSegment, SegmentFacts } from './segment.ts';

/** SHA-256 over the digests of all segments. */
export function storeDigest(facts: Iterable<SegmentFacts>): string {
  const hash = createHash('sha256');
  for (const { digest } of facts) hash.update(`${digest}\n`);
  return hash.digest('hex');
}

/** A segment of a store that has rows. @param stored by this process: that is not read again */
async function finishedIn(
  store: ReadStore,
  rows: Part,
  stored: FinishedSegment | undefined,
  hashes: ReturnType<typeof hashesOf>,
): Promise<FinishedSegment> {
  const { folder, manifest, sweep, parts } = store;
  const { facts, parts: known } = stored ?? (await readTablePart(folder, rows.file, manifest.segmentSize, hashes));
  const { segment, cells } = facts;
  const there = new Set([rows.file, ...(parts.histograms.get(segment) ?? []).map(({ file }) => file)]);
  const found: StoredPart[] = [];
  for (const file of partsDue(manifest, sweep, segment, cells))
    found.push(known.find((part) => part.file === file && there.has(file)) ?? (await partNow(folder, file)));
  return { facts, parts: found };
}

/** All parts of a store, as its manifest lists them: those of `table/` are the last ones. */
function listed({ folder, manifest }: ReadStore, segments: readonly FinishedSegment[]): StoredPart[] {
  const found = [
    ...segments.flatMap(({ parts }) => parts.slice(0, -1)),
    ...segments.flatMap(({ parts }) => parts.slice(-1)),
  ];
  const before = new Map(manifest.parts?.map((part) => [part.file, part]));
  const changed = found.find(({ file, sha256 }) => before.has(file) && before.get(file)?.sha256 !== sha256);
  if (changed === undefined) return found;
  throw new RunError(`${join(folder, changed.file)}: its SHA-256 is not that which it had before the extension`);
}

/**
 * @param store with the parts that it has now
 * @param stored what this process has stored, by segment
 * @throws RunError if a segment is missing or a part damaged, or the lock is lost
 */
export async function finishStore(
  store: ReadStore,
  lock: Lock,
  stored: ReadonlyMap<number, FinishedSegment> = new Map(),
): Promise<Manifest> {
  const { folder, manifest, sweep, parts: there } = store;
  const hashes = hashesOf(manifest, sweep);
  const due = segmentsOf(sweep, manifest.segmentSize);
  if (there.tables.size !== due)
    throw new RunError(
      `${folder} has ${String(there.tables.size)} of ${String(due)} segments; --resume plays the others`,
    );
  const segments = await together(there.tables, ([segment, part]) =>
    finishedIn(store, part, stored.get(segment), hashes),
  );
  const parts = listed(store, segments);
  const all = segments.map(({ facts }) => facts);
  const sum = (of: 'cells' | 'rows'): number => all.reduce((total, each) => total + each[of], 0);
  const size = { cells: sum('cells'), rows: sum('rows') };
  const { parts: _before, ...rest } = manifest;
  const finished = { ...rest, complete: true, ...size, digest: storeDigest(all), parts };
  await lock.check();
  await SWEEPS.write(folder, finished);
  await rm(join(folder, PREVIOUS), { recursive: true, force: true });
  return finished;
}
