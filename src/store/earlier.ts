/** Counts that stand in a store already. */
import { join } from 'node:path';
import { shapeOf, type TallyShape } from '../stats/tally.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { requireSystem } from '../systems/index.ts';
import type { Earlier } from './cell.ts';
import { keptShape, tallyOf, type Weight } from './counts.ts';
import { HISTOGRAMS, partsIn } from './files.ts';
import type { HistogramRow } from './rows.ts';
import { readHistograms } from './tables.ts';

/** Rows with a count as what they weigh. */
export function countsOf(rows: readonly HistogramRow[]): Weight[] {
  return rows.flatMap(({ count, ...of }) => (count === null ? [] : [{ ...of, weight: count }]));
}

/** The shape of what is kept of a cell. */
export function shapeOfCell({ scenario }: Pick<Cell, 'scenario'>, { spec }: Pick<Sweep, 'spec'>): TallyShape {
  return keptShape(shapeOf(requireSystem(scenario.system).model(scenario)), spec.keep.metrics);
}

/** All rows of a segment's histograms, by cell. */
export async function histogramsOf(folder: string, parts: readonly string[]): Promise<Map<number, HistogramRow[]>> {
  const found = new Map<number, HistogramRow[]>();
  for (const part of parts) {
    for (const row of await readHistograms(join(folder, part))) {
      const own = found.get(row.cell);
      if (own === undefined) found.set(row.cell, [row]);
      else own.push(row);
    }
  }
  return found;
}

/** Reads the counts of a store segment by segment; the last segment stays in memory. */
class EarlierCounts {
  readonly #folder: string;
  #parts: Promise<Map<number, string[]>> | undefined;
  #segment = -1;
  #rows = new Map<number, HistogramRow[]>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Counts of battles 0..below-1 of one cell. */
  async of(segment: number, point: number, below: number): Promise<Weight[]> {
    this.#parts ??= partsIn(this.#folder, HISTOGRAMS);
    if (segment !== this.#segment) {
      this.#rows = await histogramsOf(this.#folder, (await this.#parts).get(segment) ?? []);
      this.#segment = segment;
    }
    return countsOf((this.#rows.get(point) ?? []).filter(({ to }) => to <= below));
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

/** Finds the counts of a cell of a segment. */
export function knownCounts(
  folder: string,
  segment: number,
  sweep: Sweep,
  known: Known,
): ((cell: Cell) => Promise<Earlier | undefined>) | undefined {
  if (known.from === 'nowhere') return undefined;
  const counts = new EarlierCounts(known.from === 'store' ? folder : known.folder);
  return async (cell) => {
    const place = known.from === 'store' ? { segment, point: cell.index } : known.places.get(cell.index);
    if (place === undefined) return undefined;
    const weights = await counts.of(
      place.segment,
      place.point,
      known.from === 'store' ? known.below : Number.POSITIVE_INFINITY,
    );
    if (weights.length === 0) return undefined;
    const shape = shapeOfCell(cell, sweep);
    return { shape, tally: tallyOf(shape, weights), stored: known.from === 'store' };
  };
}
