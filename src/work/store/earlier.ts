/** Counts of cells that were played before: in the store itself, or in one that was made from another sweep file. */

import { join } from 'node:path';
import { battlesIn, type Tally, type TallyShape } from '../../answers/index.ts';
import { RunError } from '../../core/index.ts';
import { opened, type Registry } from '../../rules/index.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { type Earlier, keptShape, strayRow, tallyOf } from './cell.ts';
import { type Manifest, PREVIOUS, SWEEPS } from './manifest.ts';
import { type ReadStore, readStore } from './parts.ts';
import type { HistogramRow } from './rows.ts';

/** What rows count, as a tally; `strayRow` must have passed them. */
export function countsOf(shape: TallyShape, rows: readonly HistogramRow[]): Tally {
  return tallyOf(shape, rows, ({ count }) => count);
}

/** The shape of what is kept of a cell. */
export function shapeOfCell({ scenario }: Pick<Cell, 'scenario'>, { spec }: Pick<Sweep, 'spec'>): TallyShape {
  return keptShape(opened(scenario).shape, spec.keep.metrics);
}

/** Reads the counts of a store segment by segment; the last segment stays in memory. */
class EarlierCounts {
  readonly #store: Promise<ReadStore>;
  #segment = -1;
  #rows = new Map<number, HistogramRow[]>();

  constructor(store: Promise<ReadStore>) {
    this.#store = store;
  }

  /** Counts of battles 0..below-1 of one cell. */
  async of({ segment, point }: CellPlace, below: number): Promise<HistogramRow[]> {
    if (segment !== this.#segment) {
      this.#rows = await (await this.#store).histograms(segment);
      this.#segment = segment;
    }
    return (this.#rows.get(point) ?? []).filter(({ count, to }) => count !== null && to <= below);
  }
}

/** Where the cells of a segment may have been counted before. */
export type Known =
  /** Nowhere. */
  | { readonly from: 'nowhere' }
  /** In the store itself, battles 0..below-1: it is extended. */
  | { readonly from: 'store'; readonly below: number }
  /** In another store: where there, by point. */
  | { readonly from: 'elsewhere'; readonly folder: string; readonly places: ReadonlyMap<number, CellPlace> };

/** A cell in another store. */
export interface CellPlace {
  readonly segment: number;
  readonly point: number;
}

/** Counts that were read, as a tally. @throws RunError if they are none of such a cell */
function counted(shape: TallyShape, rows: readonly HistogramRow[], battles: number | undefined): Tally {
  const stray = strayRow(shape, rows);
  if (stray !== undefined) throw new RunError(`its earlier counts cannot be used: ${stray}`);
  const tally = countsOf(shape, rows);
  const found = battlesIn(tally);
  if (battles === undefined || found === battles) return tally;
  throw new RunError(`its earlier counts cannot be used: they are of ${String(found)} battles, not ${String(battles)}`);
}

/**
 * Finds the counts of a cell of a segment.
 * @param sweep the sweep that is filled
 * @param open  gives the store that is filled, for none, or the one in another folder
 */
export function knownCounts(
  segment: number,
  sweep: Sweep,
  known: Known,
  open: (folder?: string) => Promise<ReadStore>,
): ((cell: Cell) => Promise<Earlier | undefined>) | undefined {
  if (known.from === 'nowhere') return undefined;
  const stored = known.from === 'store';
  const counts = new EarlierCounts(open(stored ? undefined : known.folder));
  return async (cell) => {
    const place = stored ? { segment, point: cell.index } : known.places.get(cell.index);
    if (place === undefined) return undefined;
    const below = stored ? known.below : undefined;
    const rows = await counts.of(place, below ?? Number.POSITIVE_INFINITY);
    // Cells that were only solved have laws, and no counts.
    if (rows.length === 0 && below === 0) return undefined;
    if (rows.length === 0 && !stored) return undefined;
    const shape = shapeOfCell(cell, sweep);
    return { shape, tally: counted(shape, rows, below), stored };
  };
}

/** What two sweeps must share for a cell of one to be a cell of the other. */
function alike({ sweep: before }: Manifest, { spec, battles }: Sweep, beforeBattles: number): boolean {
  const fixed = before.precision === undefined && spec.precision === undefined && before.rangeSize === undefined;
  const kept = JSON.stringify(before.keep.metrics) === JSON.stringify(spec.keep.metrics);
  // What was played until it was precise cannot go on, and battles too many cannot be taken away.
  return fixed && kept && beforeBattles <= battles;
}

/**
 * @param store perhaps unfinished
 * @returns where a cell with the scenario and the seed of a point stands there, if it does
 * @throws RunError if a part of it is damaged
 */
async function placesIn(store: ReadStore, sweep: Sweep): Promise<(point: number) => CellPlace | undefined> {
  const { manifest, sweep: before } = store;
  if (!alike(manifest, sweep, before.battles)) return () => undefined;
  const found = new Map<string, CellPlace>();
  for (const segment of (await store.allFacts()).keys()) {
    const [from, to] = store.points(segment);
    for (let point = from; point < to; point++) {
      const cell = before.cell(point);
      if (cell !== undefined) found.set(`${cell.hash} ${String(cell.seed)}`, { segment, point });
    }
  }
  return (point) => {
    const cell = sweep.cell(point);
    return cell && found.get(`${cell.hash} ${String(cell.seed)}`);
  };
}

/** Which cells of each segment were put aside with an earlier sweep file. */
export async function cellsAside(
  store: ReadStore,
  registry: Registry,
): Promise<((segment: number) => Known) | undefined> {
  const aside = join(store.folder, PREVIOUS);
  if ((await SWEEPS.find(aside, registry)) === undefined) return undefined;
  const there = await placesIn(await readStore(aside, registry), store.sweep);
  return (segment) => {
    const places = new Map<number, CellPlace>();
    const [from, to] = store.points(segment);
    for (let point = from; point < to; point++) {
      const place = there(point);
      if (place !== undefined) places.set(point, place);
    }
    return { from: 'elsewhere', folder: aside, places };
  };
}
