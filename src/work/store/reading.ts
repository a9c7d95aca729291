/** Reads the parts of a store, one segment at a time. */

import { SHIPPED } from '../../rules/index.ts';
import type { Registry } from '../../rules/registry.ts';
import { pointsOf } from '../sweep/segments.ts';
import { openSweep, type Sweep } from '../sweep/sweep.ts';
import { type Manifest, SWEEPS } from './manifest.ts';
import { type Part, type Parts, partsOf, readPart } from './parts.ts';
import type { HistogramRow, Row } from './rows.ts';
import { readHistograms, readRows } from './tables.ts';

/** A store whose manifest has been read and checked, with the parts that it has now. */
export interface ReadStore {
  readonly folder: string;
  readonly manifest: Manifest;
  /** What the store was made from. */
  readonly sweep: Sweep;
  readonly parts: Parts;
}

/**
 * @param registry in which the system of the store is found
 * @throws InputError if the folder is no store, or one of another version, or made with other rules
 * @throws RunError if its manifest is damaged
 */
export async function readStore(folder: string, registry: Registry = SHIPPED): Promise<ReadStore> {
  const manifest = await SWEEPS.read(folder, registry);
  const sweep = openSweep(manifest.sweep, folder);
  return { folder, manifest, sweep, parts: await partsOf(folder, manifest, sweep) };
}

type Segments = Pick<ReadStore, 'folder' | 'manifest' | 'sweep'>;

/** The rows in a part of `table/`. @throws RunError that names the part if it is damaged */
export async function rowsIn({ folder, manifest, sweep }: Segments, part: Part, segment: number): Promise<Row[]> {
  const cells = pointsOf(sweep, manifest.segmentSize, segment);
  return await readRows(await readPart(folder, part), sweep.columns, cells);
}

/** The rows in a part of `histograms/`. @throws RunError that names the part if it is damaged */
export async function countsIn({ folder, manifest, sweep }: Segments, part: Part, segment: number) {
  return await readHistograms(await readPart(folder, part), pointsOf(sweep, manifest.segmentSize, segment));
}

/** All rows of a segment's histograms, by cell. @throws RunError that names a part that is damaged */
export async function histogramsOf(store: ReadStore, segment: number): Promise<Map<number, HistogramRow[]>> {
  const found = new Map<number, HistogramRow[]>();
  for (const part of store.parts.histograms.get(segment) ?? []) {
    for (const row of await countsIn(store, part, segment)) {
      const own = found.get(row.cell);
      if (own === undefined) found.set(row.cell, [row]);
      else own.push(row);
    }
  }
  return found;
}
