/** Earlier counts of cells: in the same store, or in the store of an earlier sweep file. */

import { join } from 'node:path';
import { RunError } from '../../core/index.ts';
import { getBoundScenario, type SystemRegistry } from '../../rules/index.ts';
import { type Counts, type CountsShape, getBattleCount } from '../../stats/index.ts';
import type { HistogramRow } from '../sweep/rows.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { createCounts, findInvalidRow, type PreviousCounts, selectShape } from './cell.ts';
import { PREVIOUS, type StoreManifest, SWEEP_FOLDERS } from './manifest.ts';
import { readSweepStore, type SweepStore } from './sweep-store.ts';

/** Sums rows to counts; `findInvalidRow` must have accepted them. */
export function sumRows(shape: CountsShape, rows: readonly HistogramRow[]): Counts {
  return createCounts(shape, rows, ({ count }) => count);
}

/** Returns the shape of the stored counts of a cell. */
export function createCellShape({ scenario }: Pick<Cell, 'scenario'>, { spec }: Pick<Sweep, 'spec'>): CountsShape {
  return selectShape(getBoundScenario(scenario).shape, spec.keep.metrics);
}

/** Reads the counts of a store segment by segment; the last segment stays in memory. */
class PreviousCountsReader {
  readonly #store: Promise<SweepStore>;
  #segment = -1;
  #rows = new Map<number, HistogramRow[]>();

  constructor(store: Promise<SweepStore>) {
    this.#store = store;
  }

  /** Counts of battles 0..below-1 of one cell. */
  async read({ segment, point }: CellLocation, below: number): Promise<HistogramRow[]> {
    if (segment !== this.#segment) {
      this.#rows = await (await this.#store).readHistograms(segment);
      this.#segment = segment;
    }
    return (this.#rows.get(point) ?? []).filter(({ count, to }) => count !== null && to <= below);
  }
}

/** Source of earlier counts of the cells of a segment. */
export type CountsSource =
  /** Nowhere. */
  | { readonly from: 'nowhere' }
  /** In the store itself, battles 0..below-1: it is extended. */
  | { readonly from: 'store'; readonly below: number }
  /** In another store: positions there, by point. */
  | { readonly from: 'elsewhere'; readonly folder: string; readonly places: ReadonlyMap<number, CellLocation> };

/** A cell in another store. */
export interface CellLocation {
  readonly segment: number;
  readonly point: number;
}

/** Converts rows to counts. @throws RunError if such a cell cannot have them */
function parseCounts(shape: CountsShape, rows: readonly HistogramRow[], battles: number | undefined): Counts {
  const stray = findInvalidRow(shape, rows);
  if (stray !== undefined) throw new RunError(`its earlier counts cannot be used: ${stray}`);
  const counts = sumRows(shape, rows);
  const found = getBattleCount(counts);
  if (battles === undefined || found === battles) return counts;
  throw new RunError(`its earlier counts cannot be used: they have ${String(found)} battles, not ${String(battles)}`);
}

/**
 * Creates a finder of earlier counts of the cells of a segment.
 * @param sweep the sweep of the store
 * @param open opens the store itself, for undefined, or another folder
 */
export function createCountsFinder(
  segment: number,
  sweep: Sweep,
  known: CountsSource,
  open: (folder?: string) => Promise<SweepStore>,
): ((cell: Cell) => Promise<PreviousCounts | undefined>) | undefined {
  if (known.from === 'nowhere') return undefined;
  const stored = known.from === 'store';
  const counts = new PreviousCountsReader(open(stored ? undefined : known.folder));
  return async (cell) => {
    const place = stored ? { segment, point: cell.index } : known.places.get(cell.index);
    if (place === undefined) return undefined;
    const below = stored ? known.below : undefined;
    const rows = await counts.read(place, below ?? Number.POSITIVE_INFINITY);
    // Cells that were only solved have distributions, but no counts.
    if (rows.length === 0 && below === 0) return undefined;
    if (rows.length === 0 && !stored) return undefined;
    const shape = createCellShape(cell, sweep);
    return { shape, counts: parseCounts(shape, rows, below), stored };
  };
}

/** True if cells of an earlier sweep can be reused in this one. */
function isCompatible({ sweep: before }: StoreManifest, { spec, battles }: Sweep, beforeBattles: number): boolean {
  const fixed = before.precision === undefined && spec.precision === undefined && before.rangeSize === undefined;
  const kept = JSON.stringify(before.keep.metrics) === JSON.stringify(spec.keep.metrics);
  // Runs with a precision cannot be extended, and surplus battles cannot be removed.
  return fixed && kept && beforeBattles <= battles;
}

/**
 * @param store may be unfinished
 * @returns locations of cells by scenario and seed
 * @throws RunError if a part is damaged
 */
async function locateCells(store: SweepStore, sweep: Sweep): Promise<(point: number) => CellLocation | undefined> {
  const { manifest, sweep: before } = store;
  if (!isCompatible(manifest, sweep, before.battles)) return () => undefined;
  const found = new Map<string, CellLocation>();
  for (const segment of (await store.readAllInfo()).keys()) {
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

/** Locates cells of each segment in the store of an earlier sweep file. */
export async function locatePreviousCells(
  store: SweepStore,
  registry: SystemRegistry,
): Promise<((segment: number) => CountsSource) | undefined> {
  const aside = join(store.folder, PREVIOUS);
  if ((await SWEEP_FOLDERS.find(aside, registry)) === undefined) return undefined;
  const there = await locateCells(await readSweepStore(aside, registry), store.sweep);
  return (segment) => {
    const places = new Map<number, CellLocation>();
    const [from, to] = store.points(segment);
    for (let point = from; point < to; point++) {
      const place = there(point);
      if (place !== undefined) places.set(point, place);
    }
    return { from: 'elsewhere', folder: aside, places };
  };
}
