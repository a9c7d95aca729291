/** Finds the cells of a sweep in a store that was made from another sweep file. */
import { join } from 'node:path';
import type { Registry } from '../../rules/registry.ts';
import { pointsOf } from '../sweep/segments.ts';
import type { Sweep } from '../sweep/sweep.ts';
import type { CellPlace, Known } from './earlier.ts';
import { PREVIOUS } from './files.ts';
import { type Manifest, SWEEPS } from './manifest.ts';
import { factsOf } from './parts.ts';
import { type ReadStore, readStore } from './reading.ts';

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
async function placesIn(
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

/** Which cells of each segment were put aside with an earlier sweep file. */
export async function cellsAside(
  folder: string,
  sweep: Sweep,
  size: number,
  registry: Registry,
): Promise<((segment: number) => Known) | undefined> {
  const aside = join(folder, PREVIOUS);
  if ((await SWEEPS.find(aside, registry)) === undefined) return undefined;
  const there = await placesIn(await readStore(aside, registry), sweep);
  return (segment) => {
    const places = new Map<number, CellPlace>();
    const [from, to] = pointsOf(sweep, size, segment);
    for (let point = from; point < to; point++) {
      const place = there(point);
      if (place !== undefined) places.set(point, place);
    }
    return { from: 'elsewhere', folder: aside, places };
  };
}
