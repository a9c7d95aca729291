/** Computes the cells of a sweep without a folder, for programs that use them at once. */

import { THREADS } from '../../analysis/index.ts';
import { createOptionsCheck } from '../../core/index.ts';
import { checkStart, type RunExecutor, runBattles } from '../../engines/index.ts';
import { resolveOptions } from '../../rules/option-spec.ts';
import type { ResultRow } from '../sweep/rows.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { type ComputedCell, computeCell, createRows } from './cell.ts';
import { checkSweepObject } from './manifest.ts';

/** Options of `sweepCells`. */
export interface SweepCellsOptions {
  /** Threads that may simulate a cell at once, 1..256; by default the number of cores. They do not change results. */
  readonly workers?: number | string | undefined;
  /** Ends the iteration with an AbortError. */
  readonly signal?: AbortSignal | undefined;
}

const checkOptions = createOptionsCheck<SweepCellsOptions>('sweepCells', { ...THREADS, signal: true });

/** A cell of a sweep, with its results. */
export interface CellResult extends Cell, Pick<ComputedCell, 'played' | 'exact'> {
  /** The rows that a store of the sweep has for the cell: one for each outcome and each metric. */
  readonly rows: readonly ResultRow[];
}

/**
 * Computes the cells of a sweep one after the other, in the order of their points, and stores nothing. Points that the
 * condition leaves out are skipped. Results equal those of `runSweep`, digests included; each is computed when it is
 * requested, so a loop that ends early costs no more cells.
 * @throws InputError if an option is out of range, or the scenario of a cell is rejected
 * @throws AbortError if the signal aborts
 * @throws RunError if battles cannot be simulated
 */
export function sweepCells(sweep: Sweep, options: SweepCellsOptions = {}): AsyncGenerator<CellResult, void> {
  checkOptions(options);
  checkSweepObject(sweep);
  return computeCells(sweep, options);
}

/** Options of `computeCells`. */
export interface ComputeCellsOptions extends SweepCellsOptions {
  /** Executor of the battles; default: `workers` threads. */
  readonly players?: RunExecutor | undefined;
}

/** Computes the cells at some points like `sweepCells`. */
export async function* computeCells(
  sweep: Sweep,
  { signal, workers, players: given }: ComputeCellsOptions,
  selected: Iterable<number> = Array(sweep.points).keys(),
): AsyncGenerator<CellResult, void> {
  const threads = resolveOptions(THREADS, { workers });
  const players: RunExecutor = given ?? { play: (run, how = {}) => runBattles(run, { ...how, ...threads }) };
  for (const point of selected) {
    checkStart(signal);
    const cell = sweep.cell(point);
    if (cell === undefined) continue;
    const result = await computeCell(cell, sweep, { players, signal });
    yield { ...cell, played: result.played, exact: result.exact, rows: createRows(result, sweep) };
  }
}
