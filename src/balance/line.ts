/** Searches along one field for the values between which a target is crossed. */
import { type Axis, countBetween } from './axis.ts';
import type { Reading } from './gauge.ts';

/** Looks at the value k of the field; undefined if the scenario does not allow it. */
export type LookAt = (k: number) => Promise<Reading | undefined>;

/** Two values next to each other among those that were looked at, one on either side of the target, in their order. */
export type Crossing = readonly [Reading, Reading];

export interface Line {
  /** The k that were searched. */
  readonly low: number;
  readonly high: number;
  /** True if every one of them was looked at, and known exactly. */
  readonly complete: boolean;
  /** Those that were looked at and are allowed, in ascending order. */
  readonly readings: readonly Reading[];
  readonly crossings: readonly Crossing[];
}

/** Values that are looked at in a range that is too large for all of them; fewer where battles are played for them. */
const GRID = { exact: 33, played: 9 };

/** So many values are all looked at. */
const ALL = 1000;

/** Transitions that looking at all of them may take: some seconds, or some tens where states are costly. */
const STEPS = 1_000_000;

/** A search that finds no crossing ends where it has so many times its first reach. */
const FARTHEST = 64;

/** `count` whole numbers from low to high, evenly. */
function spread(low: number, high: number, count: number): number[] {
  if (countBetween(low, high) <= count) return Array.from({ length: countBetween(low, high) }, (_, i) => low + i);
  return Array.from({ length: count }, (_, i) => low + Math.round(((high - low) * i) / (count - 1)));
}

const apart = (a: Reading | undefined, b: Reading | undefined): boolean =>
  a !== undefined && b !== undefined && a.side * b.side < 0;

class Search {
  readonly #look: LookAt;
  readonly #seen = new Map<number, Reading | undefined>();

  constructor(look: LookAt) {
    this.#look = look;
  }

  async at(k: number): Promise<Reading | undefined> {
    const reading = await this.#look(k);
    this.#seen.set(k, reading);
    return reading;
  }

  /** Looks at all values if they are few and cheap, otherwise at a grid. */
  async scan(low: number, high: number): Promise<void> {
    const count = countBetween(low, high);
    const first = spread(low, high, 3);
    for (const k of first) await this.at(k);
    const steps = Math.max(...first.map((k) => this.#seen.get(k)?.steps ?? 0));
    const cheap = count <= ALL && steps * count <= STEPS;
    const exact = cheap ? count : GRID.exact;
    for (const k of spread(low, high, this.#exact() ? exact : GRID.played)) await this.at(k);
  }

  /** Halves every gap over which the target is crossed until nothing is left between its ends. */
  async narrow(): Promise<void> {
    const known = this.#known();
    for (const [i, [low, below]] of known.entries()) {
      const [high, above] = known[i + 1] ?? [low, below];
      if (apart(below, above)) await this.#halve([low, below], [high, above]);
    }
  }

  async #halve([low, below]: readonly [number, Reading], [high, above]: readonly [number, Reading]): Promise<void> {
    let [from, to] = [low, high];
    while (to - from > 1) {
      const k = Math.floor((from + to) / 2);
      const middle = await this.at(k);
      if (middle === undefined || middle.side === 0) return;
      if (middle.side === below.side) from = k;
      else if (middle.side === above.side) to = k;
    }
  }

  /** True if a crossing, or a value that cannot be told from the target, is known. */
  get found(): boolean {
    const known = this.#known();
    return known.some(([, reading], i) => reading.side === 0 || apart(reading, known[i + 1]?.[1]));
  }

  #known(): (readonly [number, Reading])[] {
    return [...this.#seen]
      .flatMap(([k, reading]) => (reading === undefined ? [] : [[k, reading] as const]))
      .sort(([a], [b]) => a - b);
  }

  #exact(): boolean {
    return this.#known().every(([, { exact }]) => exact);
  }

  line(low: number, high: number): Line {
    const known = this.#known();
    const readings = known.map(([, reading]) => reading);
    const crossings = readings.flatMap((reading, i): Crossing[] => {
      const next = readings[i + 1];
      return next !== undefined && apart(reading, next) ? [[reading, next]] : [];
    });
    const complete = this.#seen.size >= countBetween(low, high) && this.#exact();
    return { low, high, complete, readings, crossings };
  }
}

/**
 * Looks along a field: at all values within its reach where they are few and exact answers cheap, otherwise at a grid,
 * whose gaps are halved where the target lies between their ends. A reach in which the target is not crossed is doubled,
 * up to 64 times the first one. On a grid two crossings between neighbours are missed.
 * @param from the k around which it begins
 */
export async function searchLine(axis: Axis, look: LookAt, from = axis.present): Promise<Line> {
  const search = new Search(look);
  await search.at(from);
  for (let reach = axis.reach; ; reach *= 2) {
    const [low, high] = [Math.max(axis.low, from - reach), Math.min(axis.high, from + reach)];
    await search.scan(low, high);
    const all = low === axis.low && high === axis.high;
    if (!search.found && !all && reach < FARTHEST * axis.reach) continue;
    await search.narrow();
    return search.line(low, high);
  }
}

/**
 * Looks for one crossing near a value: first at its neighbours, then twice as far, and halves the gap.
 * @returns the line between the ends that were looked at
 */
export async function crossNear(axis: Axis, look: LookAt, from: number): Promise<Line> {
  const search = new Search(look);
  await search.at(from);
  for (let reach = 1; ; reach *= 2) {
    const [low, high] = [Math.max(axis.low, from - reach), Math.min(axis.high, from + reach)];
    await search.at(low);
    if (!search.found) await search.at(high);
    const all = low === axis.low && high === axis.high;
    if (!search.found && !all && reach < FARTHEST * axis.reach) continue;
    await search.narrow();
    return search.line(low, high);
  }
}
