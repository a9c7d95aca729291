/** What a store has, against what its manifest says it has. */

import { type Fault, faultOf } from '../folder/faults.ts';
import { partNow, type StoredPart } from '../folder/regular.ts';
import { cellsOf, segmentsOf } from '../sweep/segments.ts';
import { MANIFEST, partName } from './files.ts';
import { storeDigest } from './finish.ts';
import { aboutPart, hashesOf, histogramsDue, readFacts } from './parts.ts';
import type { ReadStore } from './reading.ts';
import type { SegmentFacts } from './segment.ts';

async function partFault(folder: string, { file, bytes, sha256 }: StoredPart): Promise<Fault | undefined> {
  try {
    const found = await partNow(folder, file);
    if (found.sha256 === sha256 && found.bytes === bytes) return undefined;
    return { where: file, what: 'its SHA-256 is not that of the manifest' };
  } catch (error) {
    return faultOf(file, error);
  }
}

/** Parts that are not as they are listed, one after the other. */
export async function* partFaults({ folder, manifest }: ReadStore): AsyncGenerator<Fault> {
  for (const part of manifest.parts ?? []) {
    const fault = await partFault(folder, part);
    if (fault !== undefined) yield fault;
  }
}

/** What parts of `table/` say of themselves, and those that cannot be read. */
export interface Facts {
  readonly found: ReadonlyMap<number, SegmentFacts>;
  readonly faults: readonly Fault[];
}

/** @param most faults after which no more are looked for */
export async function factsIn({ folder, manifest, sweep, parts }: ReadStore, most: number): Promise<Facts> {
  const hashes = hashesOf(manifest, sweep);
  const found = new Map<number, SegmentFacts>();
  const faults: Fault[] = [];
  for (const [segment, part] of parts.tables) {
    if (faults.length >= most) break;
    try {
      found.set(segment, await readFacts(folder, part, manifest.segmentSize, hashes));
    } catch (error) {
      faults.push(faultOf(part.file, error));
    }
  }
  return { found, faults };
}

/** A segment's parts of counts that are not listed, or of another sweep. */
export async function histogramFaults(store: ReadStore, segment: number): Promise<Fault[]> {
  const { folder, manifest, sweep, parts } = store;
  const [hashes, own] = [hashesOf(manifest, sweep), parts.histograms.get(segment) ?? []];
  const due = cellsOf(sweep, manifest.segmentSize, segment) === 0 ? [] : histogramsDue(manifest, sweep, segment);
  const there = new Set(own.map(({ file }) => file));
  const faults = due
    .filter((file) => !there.has(file))
    .map((file) =>
      manifest.complete
        ? { where: MANIFEST, what: `${file} is not among its parts` }
        : { where: file, what: 'it is missing' },
    );
  for (const part of own) {
    try {
      const { sweep: hash, segment: its } = await aboutPart(folder, part);
      const battles = hashes.get(String(hash));
      const to = partName(part.file)?.counts?.to;
      const fits = its === segment && (to === 'end' ? battles === sweep.battles : battles === to);
      if (!fits) faults.push({ where: part.file, what: 'it is of another sweep' });
    } catch (error) {
      faults.push(faultOf(part.file, error));
    }
  }
  return faults;
}

function sumFaults({ manifest }: ReadStore, facts: readonly SegmentFacts[]): Fault[] {
  const sum = (of: 'cells' | 'rows'): number => facts.reduce((total, each) => total + each[of], 0);
  const off = (['cells', 'rows'] as const).filter((of) => manifest[of] !== sum(of));
  const faults = off.map((of) => ({
    where: MANIFEST,
    what: `${of} is ${String(manifest[of])}; its parts have ${String(sum(of))}`,
  }));
  if (manifest.digest === storeDigest(facts)) return faults;
  return [...faults, { where: MANIFEST, what: 'the digest is another' }];
}

/** Whatever of the manifest is not what the parts say. */
export function manifestFaults(store: ReadStore, facts: ReadonlyMap<number, SegmentFacts>): Fault[] {
  const { manifest, folder, sweep } = store;
  const [due, there] = [segmentsOf(sweep, manifest.segmentSize), facts.size];
  const count = `${String(there)} of ${String(due)} segments are there`;
  if (!manifest.complete) return [{ where: folder, what: `the sweep is not finished: ${count}` }];
  return there === due ? sumFaults(store, [...facts.values()]) : [{ where: folder, what: count }];
}
