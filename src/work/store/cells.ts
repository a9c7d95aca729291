/** The cells of a sweep without a folder: for programs that use them at once, and where there is no disk. */

import { optionsOf } from '../../core/index.ts';
import { checkStart, playOwn } from '../../engines/index.ts';
import { settled } from '../../rules/setting.ts';
import { THREADS } from '../../studies/index.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { type CellResult, makeCell, tidyRows } from './cell.ts';
import { checkMade } from './manifest.ts';
import type { Row } from './rows.ts';

/** Options of `sweepCells`. */
export interface SweepCellsOptions {
  /** Threads that may simulate a cell at once, 1..256; as many as there are cores unless given. They change no result. */
  readonly workers?: number | string | undefined;
  /** Ends the iteration with an AbortError. */
  readonly signal?: AbortSignal | undefined;
}

const checkOptions = optionsOf<SweepCellsOptions>('sweepCells', { ...THREADS, signal: true });

/** A cell of a sweep, with its results. */
export interface SweptCell extends Cell, Pick<CellResult, 'played' | 'exact'> {
  /** The rows that a store of the sweep has for the cell: one for each outcome and each metric. */
  readonly rows: readonly Row[];
}

/**
 * Computes the cells of a sweep one after the other, in the order of their points, and stores nothing. Points that the
 * condition leaves out are skipped. Results equal those of `sweepInto`, digests included; each is computed when it is
 * requested, so a loop that ends early costs no more cells.
 * @throws InputError if an option is out of range, or the scenario of a cell is rejected
 * @throws AbortError if the signal aborts
 * @throws RunError if battles cannot be simulated
 */
export function sweepCells(sweep: Sweep, options: SweepCellsOptions = {}): AsyncGenerator<SweptCell, void> {
  checkOptions(options);
  checkMade(sweep);
  return cellsOf(sweep, options);
}

async function* cellsOf(sweep: Sweep, options: SweepCellsOptions): AsyncGenerator<SweptCell, void> {
  const { signal } = options;
  const threads = settled(THREADS, options);
  const players = { play: (run: Parameters<typeof playOwn>[0], how = {}) => playOwn(run, { ...how, ...threads }) };
  for (let point = 0; point < sweep.points; point++) {
    checkStart(signal);
    const cell = sweep.cell(point);
    if (cell === undefined) continue;
    const result = await makeCell(cell, sweep, { players, signal });
    yield { ...cell, played: result.played, exact: result.exact, rows: tidyRows(result, sweep) };
  }
}
