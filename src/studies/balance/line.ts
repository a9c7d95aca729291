/** Searches along one field for the values between which a target is crossed. */
import { type BalanceAxis, countBetween } from './axis.ts';
import type { GaugeReading } from './gauge.ts';

/** Looks at the value k of the field; undefined if the scenario does not allow it. */
export type LookAt = (k: number) => Promise<GaugeReading | undefined>;

/** Says how many values come next, at most. */
export type Announce = (count: number) => void;

/**
 * Two values, one on either side of the target, in their order: next to each other among those that were looked at, but
 * for values that could not be told from the target by playing.
 */
export type Crossing = readonly [GaugeReading, GaugeReading];

export interface Line {
  /** The k that were searched. */
  readonly low: number;
  readonly high: number;
  /** True if every one of them was looked at. */
  readonly whole: boolean;
  /** True if every one of them was looked at, and known exactly. */
  readonly complete: boolean;
  /** Those that were looked at and are allowed, in ascending order. */
  readonly readings: readonly GaugeReading[];
  readonly crossings: readonly Crossing[];
}

/** Values that are looked at in a range that is too large for all of them. */
const GRID = 33;

/** So many values are all looked at. */
const ALL = 1000;

/** Transitions that exact answers for all of them may take: some seconds, or some tens where states are costly. */
const STEPS = 1_000_000;

/** Values between two that may both meet the target by playing: so many are all looked at. */
const FILLED = 64;

/** A search that finds no crossing ends where it has so many times its first reach. */
const FARTHEST = 64;

/** `count` whole numbers from low to high, evenly. */
function spread(low: number, high: number, count: number): number[] {
  if (countBetween(low, high) <= count) return Array.from({ length: countBetween(low, high) }, (_, i) => low + i);
  return Array.from({ length: count }, (_, i) => low + Math.round(((high - low) * i) / (count - 1)));
}

const apart = (a: GaugeReading | undefined, b: GaugeReading | undefined): boolean =>
  a !== undefined && b !== undefined && a.side * b.side < 0;

/** True of a value that battles did not exclude. */
const possible = ({ exact, verdict }: GaugeReading): boolean => !exact && verdict !== 'fails';

type Known = readonly [k: number, reading: GaugeReading];

class Search {
  readonly #look: LookAt;
  readonly #announce: Announce;
  readonly #seen = new Map<number, GaugeReading | undefined>();

  constructor(look: LookAt, announce: Announce = () => undefined) {
    this.#look = look;
    this.#announce = announce;
  }

  async at(k: number): Promise<GaugeReading | undefined> {
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
    const all = count <= ALL && (!this.#exact() || steps * count <= STEPS);
    const wanted = all ? count : GRID;
    this.#announce(wanted);
    for (const k of spread(low, high, wanted)) await this.at(k);
  }

  /** Halves every gap over which the target is crossed until nothing is left between its ends; then `#closeIn`. */
  async narrow(): Promise<void> {
    for (const [[low, below], [high, above]] of this.#gaps()) {
      if (apart(below, above)) await this.#halve([low, below], [high, above]);
    }
    await this.#closeIn();
  }

  async #halve([low, below]: Known, [high, above]: Known): Promise<void> {
    let [from, to] = [low, high];
    while (to - from > 1) {
      const k = Math.floor((from + to) / 2);
      const middle = await this.at(k);
      if (middle === undefined || middle.side === 0) return;
      if (middle.side === below.side) from = k;
      else if (middle.side === above.side) to = k;
    }
  }

  /** Where battles are played: finds the ends of what may meet the target, and looks at what is between them. */
  async #closeIn(): Promise<void> {
    for (const [[low, below], [high, above]] of this.#gaps()) {
      if (possible(below) !== possible(above)) await this.#edge(low, high, possible(below));
    }
    for (const [[low, below], [high, above]] of this.#gaps()) {
      if (!possible(below) || !possible(above)) continue;
      for (const k of spread(low + 1, high - 1, FILLED)) await this.at(k);
    }
  }

  /** @param may whether the value at `low` may meet the target; that at `high` is different */
  async #edge(low: number, high: number, may: boolean): Promise<void> {
    let [from, to] = [low, high];
    while (to - from > 1) {
      const k = Math.floor((from + to) / 2);
      const middle = await this.at(k);
      if (middle === undefined) return;
      if (possible(middle) === may) from = k;
      else to = k;
    }
  }

  /** True if a crossing, or a value that is known to be the target, is known. */
  get crossed(): boolean {
    const known = this.#known();
    return known.some(([, { exact, side }]) => exact && side === 0) || this.#crossings().length > 0;
  }

  /** True if a crossing, or a value that cannot be told from the target, is known. */
  get found(): boolean {
    return this.crossed || this.#known().some(([, { side }]) => side === 0);
  }

  #known(): Known[] {
    return [...this.#seen]
      .flatMap(([k, reading]) => (reading === undefined ? [] : [[k, reading] as const]))
      .sort(([a], [b]) => a - b);
  }

  /** Every two neighbours that are known. */
  #gaps(): (readonly [Known, Known])[] {
    const known = this.#known();
    return known.slice(1).map((next, i) => [known[i] ?? next, next]);
  }

  #crossings(): Crossing[] {
    const sure = this.#known()
      .map(([, reading]) => reading)
      .filter(({ exact, side }) => exact || side !== 0);
    return sure.flatMap((reading, i): Crossing[] => {
      const next = sure[i + 1];
      return next !== undefined && apart(reading, next) ? [[reading, next]] : [];
    });
  }

  #exact(): boolean {
    return this.#known().every(([, { exact }]) => exact);
  }

  line(low: number, high: number): Line {
    const readings = this.#known().map(([, reading]) => reading);
    const whole = this.#seen.size >= countBetween(low, high);
    return { low, high, whole, complete: whole && this.#exact(), readings, crossings: this.#crossings() };
  }
}

/**
 * Looks along a field: at all values within its reach where they are few and exact answers cheap, otherwise at a grid,
 * whose gaps are halved where the target lies between their ends. A reach in which the target is not crossed is doubled,
 * up to 64 times the first one. On a grid two crossings between neighbours are missed.
 */
export async function searchLine(axis: BalanceAxis, look: LookAt, announce?: Announce): Promise<Line> {
  const from = axis.present;
  const search = new Search(look, announce);
  await search.at(from);
  for (let reach = axis.reach; ; reach *= 2) {
    const [low, high] = [Math.max(axis.low, from - reach), Math.min(axis.high, from + reach)];
    await search.scan(low, high);
    const all = low === axis.low && high === axis.high;
    if (!search.crossed && !all && reach < FARTHEST * axis.reach) continue;
    await search.narrow();
    return search.line(low, high);
  }
}

/**
 * Looks for one crossing near a value: first at its neighbours, then twice as far, and halves the gap.
 * @returns the line between the ends that were looked at
 */
export async function crossNear(axis: BalanceAxis, look: LookAt, from: number): Promise<Line> {
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
