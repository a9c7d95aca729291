/** Balance of cells: the cells nearest to 50 %, and numbers of cells around it. */
import { type CellReading, snapProbability } from './quantity.ts';

/** Range of probabilities that count as balanced. */
export const BAND = [0.45, 0.55] as const;
const EVEN_PROBABILITY = 0.5;

/** Maximum number of listed cells. */
const MAX_NEAREST = 10;

export interface BalancedCells {
  /** Nearest cells, by distance from 50 %. */
  readonly nearest: readonly CellReading[];
  /** Number of cells with a value in the band. */
  readonly within: number;
  /** Number of these cells whose whole interval is in the band, or whose value is exact. */
  readonly surely: number;
  /** Number of cells whose interval overlaps the band; at least `within`. */
  readonly possibly: number;
  /** Number of cells whose interval contains 50 %. */
  readonly open: number;
  /** Numbers of cells with probability 0 and 1; exact values within 1e-9 count. */
  readonly never: number;
  readonly always: number;
  /** Numbers of cells with a value below and above 50 %. */
  readonly below: number;
  readonly above: number;
}

export class BalancedCellCounts {
  readonly #nearest: CellReading[] = [];
  readonly #counts = { within: 0, surely: 0, possibly: 0, open: 0, never: 0, always: 0, below: 0, above: 0 };

  add(reading: CellReading): void {
    const value = snapProbability({ kind: 'outcome' }, reading.value);
    const [low, high] = reading.interval ?? [value, value];
    const counts = this.#counts;
    const { never, always, within, surely, possibly, open, below, above } = counts;
    counts.never = never + Number(value === 0);
    counts.always = always + Number(value === 1);
    counts.below = below + Number(value < EVEN_PROBABILITY);
    counts.above = above + Number(value > EVEN_PROBABILITY);
    counts.within = within + Number(value >= BAND[0] && value <= BAND[1]);
    counts.surely = surely + Number(low >= BAND[0] && high <= BAND[1]);
    counts.possibly = possibly + Number(low <= BAND[1] && high >= BAND[0]);
    counts.open = open + Number(low < high && low <= EVEN_PROBABILITY && high >= EVEN_PROBABILITY);
    this.#keep(reading);
  }

  #keep(reading: CellReading): void {
    const computeMiss = (each: CellReading): number => Math.abs(each.value - EVEN_PROBABILITY);
    const last = this.#nearest.at(-1);
    if (this.#nearest.length === MAX_NEAREST && last !== undefined && computeMiss(reading) >= computeMiss(last)) return;
    const at = this.#nearest.findIndex((each) => computeMiss(reading) < computeMiss(each));
    this.#nearest.splice(at < 0 ? this.#nearest.length : at, 0, reading);
    if (this.#nearest.length > MAX_NEAREST) this.#nearest.pop();
  }

  get cells(): BalancedCells {
    return { nearest: this.#nearest, ...this.#counts };
  }
}
