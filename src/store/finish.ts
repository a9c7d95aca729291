/** Ends a store: when all its cells are there, its manifest says what came of them. */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from '../errors.ts';
import { PREVIOUS } from './begin.ts';
import { HISTOGRAMS, partsIn, TABLE } from './files.ts';
import { type Manifest, type StoredPart, writeManifest } from './manifest.ts';
import { readAbout } from './parquet.ts';
import type { SegmentFacts } from './segment.ts';

/** What the parts of `table/` say of themselves, by segment. */
export async function factsOf(folder: string): Promise<Map<number, SegmentFacts>> {
  const found = new Map<number, SegmentFacts>();
  for (const [segment, [part = '']] of await partsIn(folder, TABLE))
    found.set(segment, (await readAbout(join(folder, part))) as SegmentFacts);
  return found;
}

export async function partOf(folder: string, file: string): Promise<StoredPart> {
  const content = await readFile(join(folder, file));
  return { file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** SHA-256 over the digests of all segments. */
export function storeDigest(facts: Iterable<SegmentFacts>): string {
  const hash = createHash('sha256');
  for (const { digest } of facts) hash.update(`${digest}\n`);
  return hash.digest('hex');
}

/** @throws RunError if a segment is missing */
export async function finishStore(folder: string, manifest: Manifest, segments: number): Promise<Manifest> {
  const facts = await factsOf(folder);
  if (facts.size !== segments)
    throw new RunError(
      `${folder} has ${String(facts.size)} of ${String(segments)} segments; --resume plays the others`,
    );
  const parts: StoredPart[] = [];
  for (const kind of [HISTOGRAMS, TABLE])
    for (const files of (await partsIn(folder, kind)).values())
      for (const file of files) parts.push(await partOf(folder, file));
  const all = [...facts.values()];
  const sum = (of: 'cells' | 'rows'): number => all.reduce((total, each) => total + each[of], 0);
  const size = { cells: sum('cells'), rows: sum('rows') };
  const finished = { ...manifest, complete: true, ...size, digest: storeDigest(all), parts };
  await writeManifest(folder, finished);
  await rm(join(folder, PREVIOUS), { recursive: true, force: true });
  return finished;
}
