/** A sweep on one machine, and the halves of its store that two shards write. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import type { Sweep } from '../../src/storage/sweep/sweep.ts';
import { bytesOf, copyOf, manifestIn, place, putManifest, run, sweepFile, unfinished } from './folders.ts';

/** 484 cells with exact answers only, in four segments. */
export const TEXT =
  'axes: [{ path: attacker.hp, range: [1, 22] }, { path: defender.hp, range: [1, 22] }]\nbattles: 0\nexact: always';
export const SEGMENTS = 4;
const file = sweepFile(TEXT);
export const load = (): Promise<Sweep> => loadSweep(file);

/** Store of a sweep on one machine. `due` has the SHA-256 of each file. */
export const local: string = place();
await run(TEXT, local);
export const due: Record<string, string> = bytesOf(local);

export const part = (segment: number): string => `table/part-0000${String(segment)}.parquet`;
export const getDistributionFile = (segment: number): string => `histograms/part-0000${String(segment)}-0-0.parquet`;

/** Creates the store of one of two shards. */
export function half(index: 1 | 2): string {
  const folder = copyOf(local);
  putManifest(folder, unfinished(manifestIn(folder)));
  for (let segment = 2 - index; segment < SEGMENTS; segment += 2)
    for (const name of [part(segment), getDistributionFile(segment)]) rmSync(join(folder, name));
  return folder;
}
