/** Two fields: for each value of the first the value of the second that comes closest to the target. */
import { type BalanceAxis, valueAt } from './axis.ts';
import type { Gauge, GaugeReading } from './gauge.ts';
import { crossNear, searchLine } from './line.ts';

/** Values of the first field, unless a range of fewer is given. */
const ROWS = 41;

/** Values of the first field on either side of its present one, if no range is given. */
const BESIDE = 10;

/** The k of the first field, from the present one outwards, so that each has a neighbour that is known. */
function outwards({ low, high, present, given }: BalanceAxis): number[] {
  const reach = given ? Math.max(high - present, present - low) : BESIDE;
  const stride = given ? Math.max(1, Math.ceil((high - low) / (ROWS - 1))) : 1;
  const offsets = Array.from({ length: Math.floor(reach / stride) }, (_, i) => (i + 1) * stride);
  return [present, ...offsets.flatMap((offset) => [present - offset, present + offset])].filter(
    (k) => k >= low && k <= high,
  );
}

/** The reading whose value is closest to a number. */
function closest(readings: readonly GaugeReading[], wanted: number): GaugeReading | undefined {
  return [...readings].sort((a, b) => Math.abs(a.value - wanted) - Math.abs(b.value - wanted))[0];
}

/**
 * Searches the second field for each value of the first: at the present one as along a line, then near the value that
 * the row beside it has. The first field takes all values of a range that was given, or 41 of them evenly.
 * @returns for each value of the first field that the scenario allows, in ascending order, the closest reading
 */
export async function searchPairs(
  one: BalanceAxis,
  two: BalanceAxis,
  gauge: Gauge,
  wanted: number,
): Promise<GaugeReading[]> {
  const rows = new Map<number, GaugeReading>();
  const beside = (k: number): GaugeReading | undefined => {
    const [nearest] = [...rows.keys()].sort((a, b) => Math.abs(a - k) - Math.abs(b - k));
    return nearest === undefined ? undefined : rows.get(nearest);
  };
  for (const k of outwards(one)) {
    const look = (m: number): Promise<GaugeReading | undefined> => gauge.look([valueAt(one, k), valueAt(two, m)]);
    const near = beside(k)?.values[1];
    const from = near === undefined ? undefined : Math.round(near / two.step);
    const line = await (from === undefined ? searchLine(two, look, gauge.announce) : crossNear(two, look, from));
    const row = closest(line.readings, wanted);
    if (row !== undefined) rows.set(k, row);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
}
