/** The cells with the greatest and the least values, kept while all cells pass by. */
import type { Reading } from './quantity.ts';

/** Cells that are kept at each end. */
export const RANKED = 10;

export class Ranks {
  readonly #highest: Reading[] = [];
  readonly #lowest: Reading[] = [];

  /** Of equal values the first that came stays. */
  add(reading: Reading): void {
    keep(this.#highest, reading, (a, b) => b.value - a.value);
    keep(this.#lowest, reading, (a, b) => a.value - b.value);
  }

  /** Descending. */
  get highest(): readonly Reading[] {
    return this.#highest;
  }

  /** Ascending. */
  get lowest(): readonly Reading[] {
    return this.#lowest;
  }
}

function keep(kept: Reading[], reading: Reading, order: (a: Reading, b: Reading) => number): void {
  const last = kept.at(-1);
  if (kept.length === RANKED && last !== undefined && order(reading, last) >= 0) return;
  const at = kept.findIndex((each) => order(reading, each) < 0);
  kept.splice(at < 0 ? kept.length : at, 0, reading);
  if (kept.length > RANKED) kept.pop();
}
