/** Searches the settings of one field, of two, or of more, each in its own way. */
import { type BalanceAxis, finer, valueAt } from './axis.ts';
import { type Gauge, type GaugeReading, Stopped } from './gauge.ts';
import { type Crossing, type Line, searchLine } from './line.ts';
import { type Near, searchNear } from './near.ts';
import { searchPairs } from './pairs.ts';

/** A step of a field of numbers is divided by ten at most so often. */
const REFINEMENTS = 6;

/** What was searched, apart from what the gauge has seen. */
export interface Haul {
  /** Of one field. */
  readonly line?: Line;
  /** Of two fields: for each value of the first, in ascending order, the reading closest to the target. */
  readonly pairs?: readonly GaugeReading[];
  /** Of three or more. */
  readonly near?: Near;
  /** False if a signal came first. */
  readonly finished: boolean;
}

/** The crossing between values ever closer to each other, until one of them meets the target. */
async function refined(coarse: BalanceAxis, crossing: Crossing, gauge: Gauge): Promise<Crossing> {
  let [axis, found] = [coarse, crossing];
  for (let turn = 0; turn < REFINEMENTS && !found.some((reading) => gauge.meets(reading)); turn++) {
    axis = finer(axis);
    const [low = 0, high = 0] = found.map(({ values: [value = 0] }) => Math.round(value / axis.step));
    const part = { ...axis, low, high, present: low, reach: high - low };
    const { crossings } = await searchLine(part, (k) => gauge.look([valueAt(part, k)]), gauge.announce);
    const [next] = crossings;
    // Nothing between them is allowed, or can be told from the target.
    if (next === undefined || next.every((reading, end) => reading === found[end])) return found;
    found = next;
  }
  return found;
}

async function searchOne(axis: BalanceAxis, gauge: Gauge): Promise<Line> {
  const line = await searchLine(axis, (k) => gauge.look([valueAt(axis, k)]), gauge.announce);
  if (axis.integer) return line;
  const crossings: Crossing[] = [];
  for (const crossing of line.crossings) crossings.push(await refined(axis, crossing, gauge));
  // Between any two numbers there are others.
  return { ...line, crossings, whole: false, complete: false };
}

/** Around the present setting; and where nothing near meets the target, along each field by itself. */
async function searchMany(axes: readonly BalanceAxis[], gauge: Gauge): Promise<Near> {
  const near = await searchNear(axes, gauge);
  if (near.meets) return near;
  for (const [a, axis] of axes.entries()) {
    const along = (k: number): number[] => axes.map((other, b) => valueAt(other, a === b ? k : other.present));
    await searchLine(axis, (k) => gauge.look(along(k)), gauge.announce);
  }
  return near;
}

async function searched(axes: readonly BalanceAxis[], gauge: Gauge, wanted: number): Promise<Omit<Haul, 'finished'>> {
  const [one, two, ...others] = axes;
  if (one === undefined) return {};
  if (two === undefined) return { line: await searchOne(one, gauge) };
  if (others.length === 0) return { pairs: await searchPairs(one, two, gauge, wanted) };
  return { near: await searchMany(axes, gauge) };
}

/**
 * @param present what the scenario has in the fields; undefined if it has no numbers in all of them
 * @param wanted  the target
 */
export async function search(
  axes: readonly BalanceAxis[],
  gauge: Gauge,
  present: readonly number[] | undefined,
  wanted: number,
): Promise<Haul> {
  try {
    if (present !== undefined) await gauge.look(present);
    return { ...(await searched(axes, gauge, wanted)), finished: true };
  } catch (error) {
    if (error instanceof Stopped) return { finished: false };
    throw error;
  }
}
