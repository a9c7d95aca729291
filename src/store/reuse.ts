/** Finds the cells of a sweep in a store that was made from another sweep file. */
import type { Sweep } from '../sweep/sweep.ts';
import type { CellPlace } from './earlier.ts';
import type { Manifest } from './manifest.ts';
import { factsOf } from './parts.ts';
import type { ReadStore } from './reading.ts';

/** What two sweeps must share for a cell of one to be a cell of the other. */
function alike({ sweep: before }: Manifest, { spec, battles }: Sweep, beforeBattles: number): boolean {
  const fixed = before.precision === undefined && spec.precision === undefined;
  const kept = JSON.stringify(before.keep.metrics) === JSON.stringify(spec.keep.metrics);
  // What was played until it was precise cannot go on, and battles too many cannot be taken away.
  return fixed && kept && beforeBattles <= battles;
}

/**
 * @param store perhaps unfinished
 * @returns where a cell with the scenario and the seed of a point stands there, if it does
 * @throws RunError if a part of it is damaged
 */
export async function placesIn(
  { folder, manifest, sweep: before, parts }: ReadStore,
  sweep: Sweep,
): Promise<(point: number) => CellPlace | undefined> {
  if (!alike(manifest, sweep, before.battles)) return () => undefined;
  const found = new Map<string, CellPlace>();
  const size = manifest.segmentSize;
  for (const segment of (await factsOf(folder, parts, manifest, before)).keys()) {
    for (let point = segment * size; point < Math.min(before.points, (segment + 1) * size); point++) {
      const cell = before.cell(point);
      if (cell !== undefined) found.set(`${cell.hash} ${String(cell.seed)}`, { segment, point });
    }
  }
  return (point) => {
    const cell = sweep.cell(point);
    return cell && found.get(`${cell.hash} ${String(cell.seed)}`);
  };
}
