/** How close to even the cells are: those nearest to 50 %, and how many lie around it. */
import { type CellReading, snapProbability } from './quantity.ts';

/** Probabilities from..to count as balanced. */
export const BAND = [0.45, 0.55] as const;
const EVEN_PROBABILITY = 0.5;

/** Cells that are kept. */
const MAX_NEAREST = 10;

export interface BalancedCells {
  /** Of all cells, by distance from 50 %. */
  readonly nearest: readonly CellReading[];
  /** Cells with a value in the band. */
  readonly within: number;
  /** Of these, cells whose whole interval lies in it. Exact values count. */
  readonly surely: number;
  /** Cells whose interval reaches into the band; at least `within`. */
  readonly possibly: number;
  /** Cells whose interval holds 50 %: they cannot be told from even. */
  readonly open: number;
  /** Cells at 0 and at 1, to one battle of a billion where values are exact. */
  readonly never: number;
  readonly always: number;
  /** Cells with a value below and above one half. */
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
    const off = (each: CellReading): number => Math.abs(each.value - EVEN_PROBABILITY);
    const last = this.#nearest.at(-1);
    if (this.#nearest.length === MAX_NEAREST && last !== undefined && off(reading) >= off(last)) return;
    const at = this.#nearest.findIndex((each) => off(reading) < off(each));
    this.#nearest.splice(at < 0 ? this.#nearest.length : at, 0, reading);
    if (this.#nearest.length > MAX_NEAREST) this.#nearest.pop();
  }

  get cells(): BalancedCells {
    return { nearest: this.#nearest, ...this.#counts };
  }
}
