/** Opens a store for its readers. */

import { ownRules } from '../../answers/digest.ts';
import { opened } from '../../rules/opened.ts';
import { type ReadOptions, registryIn } from '../../rules/scenario/index.ts';
import type { Column } from '../sweep/axis.ts';
import type { Sweep } from '../sweep/sweep.ts';
import type { Manifest } from './manifest.ts';
import { countsIn, histogramsOf, type ReadStore, readStore, rowsIn } from './reading.ts';
import type { HistogramRow, Row } from './rows.ts';
import type { Store, StoredAxis, StoreFacts } from './store.ts';

function axisOf({ name, paths, labels, range }: Column): StoredAxis {
  return { name, paths, ...(labels && { values: labels }), ...(range && { range }) };
}

function factsOf(manifest: Manifest, sweep: Sweep, folder: string): StoreFacts {
  const { sweep: spec, ruleset, warpool, complete, digest } = manifest;
  const { counts } = opened(spec.scenario).system;
  const { precision, precisionOf, bounded } = spec;
  return {
    name: spec.name ?? spec.scenario.name ?? folder,
    system: spec.scenario.system,
    ...ownRules(manifest),
    ...(counts && { counts }),
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
export interface OpenStore extends Store, ReadStore {
  /** All counts and laws, in the order of their parts; at most one part is in memory at a time. */
  histograms(): AsyncIterable<HistogramRow>;
}

/**
 * Only the parts that belong to the store are read, and none that is not as the manifest says.
 * @throws InputError if the folder is no store, or one of another version, or made with rules that are not given
 * @throws RunError if its manifest is damaged; from its rows, if a part is
 */
export async function openStore(folder: string, options: ReadOptions = {}): Promise<OpenStore> {
  const store = await readStore(folder, registryIn(options));
  const { manifest, sweep, parts } = store;
  let last: { readonly segment: number; readonly cells: Map<number, HistogramRow[]> } | undefined;
  return {
    ...store,
    strays: parts.strays,
    facts: factsOf(manifest, sweep, folder),
    async *rows(): AsyncGenerator<Row> {
      for (const [segment, part] of parts.tables) yield* await rowsIn(store, part, segment);
    },
    async *histograms(): AsyncGenerator<HistogramRow> {
      for (const [segment, several] of parts.histograms)
        for (const part of several) yield* await countsIn(store, part, segment);
    },
    async histogram(cell) {
      const segment = Math.floor(cell / manifest.segmentSize);
      if (last?.segment !== segment) last = { segment, cells: await histogramsOf(store, segment) };
      return last.cells.get(cell) ?? [];
    },
  };
}
