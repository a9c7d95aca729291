/** Opens a store for its readers. */
import { join } from 'node:path';
import type { Column } from '../sweep/axis.ts';
import { openSweep, type Sweep } from '../sweep/sweep.ts';
import { histogramsOf } from './earlier.ts';
import { HISTOGRAMS, partsIn, TABLE } from './files.ts';
import { type Manifest, readManifest } from './manifest.ts';
import type { HistogramRow, Row } from './rows.ts';
import type { Store, StoredAxis, StoreFacts } from './store.ts';
import { readRows } from './tables.ts';

function axisOf({ name, paths, labels, range }: Column): StoredAxis {
  return { name, paths, ...(labels && { values: labels }), ...(range && { range }) };
}

function factsOf(manifest: Manifest, sweep: Sweep, folder: string): StoreFacts {
  const { sweep: spec, ruleset, warpool, complete, digest } = manifest;
  const { precision, precisionOf, bounded } = spec;
  return {
    name: spec.name ?? spec.scenario.name ?? folder,
    system: spec.scenario.system,
    ruleset,
    warpool,
    axes: sweep.columns.map(axisOf),
    design: spec.design === 'grid' ? 'grid' : spec.design.kind,
    points: sweep.points,
    ...(precision === undefined ? { battles: sweep.battles } : { precision }),
    ...(precisionOf !== undefined && { precisionOf }),
    ...(bounded !== undefined && { bounded }),
    seed: String(spec.seed),
    streams: spec.streams,
    complete,
    ...(digest !== undefined && { digest }),
  };
}

/** A store with the sweep that it was made from. */
export interface OpenStore extends Store {
  readonly manifest: Manifest;
  readonly sweep: Sweep;
}

/**
 * @throws InputError if the folder is no store
 * @throws RunError, from its rows, if a part cannot be read
 */
export async function openStore(folder: string): Promise<OpenStore> {
  const manifest = await readManifest(folder);
  const sweep = openSweep(manifest.sweep, folder);
  const { columns } = sweep;
  let last: { readonly segment: number; readonly cells: Map<number, HistogramRow[]> } | undefined;
  return {
    folder,
    manifest,
    sweep,
    facts: factsOf(manifest, sweep, folder),
    async *rows(): AsyncGenerator<Row> {
      for (const parts of (await partsIn(folder, TABLE)).values())
        for (const part of parts) yield* await readRows(join(folder, part), columns);
    },
    async histogram(cell) {
      const segment = Math.floor(cell / manifest.segmentSize);
      if (last?.segment !== segment) {
        const parts = (await partsIn(folder, HISTOGRAMS)).get(segment) ?? [];
        last = { segment, cells: await histogramsOf(folder, parts) };
      }
      return last.cells.get(cell) ?? [];
    },
  };
}
