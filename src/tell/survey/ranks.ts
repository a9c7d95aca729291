/** The cells with the greatest and the least values, kept while all cells pass by. */
import type { Reading } from './quantity.ts';

/** Cells that are kept at each end. */
export const RANKED = 10;

/** Cells with the same value; if they are many, which of them are named would be arbitrary. */
export interface Level {
  readonly value: number;
  readonly cells: number;
  /** The first of them. */
  readonly readings: readonly Reading[];
}

/** Cells of the same value that are named. */
const NAMED = 3;

interface OpenLevel extends Level {
  cells: number;
  readonly readings: Reading[];
}

export class Ranks {
  readonly #highest: Reading[] = [];
  readonly #lowest: Reading[] = [];
  readonly #top: OpenLevel[] = [];
  readonly #bottom: OpenLevel[] = [];

  /** Of equal values the first that came stays. */
  add(reading: Reading): void {
    keep(this.#highest, reading, (a, b) => b.value - a.value);
    keep(this.#lowest, reading, (a, b) => a.value - b.value);
    raise(this.#top, reading, (a, b) => b.value - a.value);
    raise(this.#bottom, reading, (a, b) => a.value - b.value);
  }

  /** Values with their cells, descending. */
  get top(): readonly Level[] {
    return this.#top;
  }

  /** Values with their cells, ascending. */
  get bottom(): readonly Level[] {
    return this.#bottom;
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

type Valued = Pick<Reading, 'value'>;

/** Where something of this value stands among those kept; undefined if it is beyond them. */
function placeOf(kept: readonly Valued[], valued: Valued, order: (a: Valued, b: Valued) => number): number | undefined {
  const last = kept.at(-1);
  if (kept.length === RANKED && last !== undefined && order(valued, last) >= 0) return undefined;
  const at = kept.findIndex((each) => order(valued, each) < 0);
  return at < 0 ? kept.length : at;
}

/** A level that has dropped out never comes back: those kept only get better. */
function raise(kept: OpenLevel[], reading: Reading, order: (a: Valued, b: Valued) => number): void {
  const same = kept.find(({ value }) => value === reading.value);
  if (same !== undefined) {
    same.cells += 1;
    if (same.readings.length < NAMED) same.readings.push(reading);
    return;
  }
  const at = placeOf(kept, reading, order);
  if (at === undefined) return;
  kept.splice(at, 0, { value: reading.value, cells: 1, readings: [reading] });
  if (kept.length > RANKED) kept.pop();
}

function keep(kept: Reading[], reading: Reading, order: (a: Valued, b: Valued) => number): void {
  const at = placeOf(kept, reading, order);
  if (at === undefined) return;
  kept.splice(at, 0, reading);
  if (kept.length > RANKED) kept.pop();
}
