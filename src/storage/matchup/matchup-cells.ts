/** Computes cells of a roster in this process. */
import { pause } from '#platform/pause';
import { type ComputeCellsOptions, computeCells } from '../store/sweep-cells.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { addDuels } from './duel-payoffs.ts';
import { type CellPayoffs, type CellRow, type MatchupPayoffs, PayoffSums, readCells } from './read-payoffs.ts';
import type { Roster } from './roster.ts';

/** Options of `computeMatchup`. */
export interface ComputeMatchupOptions extends ComputeCellsOptions {
  /** Called about ten times a second with the number of computed cells. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly cells: number; readonly before: number }) => void)
    | undefined;
}

/** Payoffs of all matchups of a roster. */
export interface MatchupResult extends MatchupPayoffs {
  readonly roster: Roster;
  /** Folder of the results, if they were stored. */
  readonly folder: string | undefined;
}

/** Payoffs of the duels of a roster, and the other cells. */
export interface StartedMatchup {
  readonly sums: PayoffSums;
  readonly cells: readonly number[];
}

/** Computes the payoffs of duels that are solved together. */
export function startMatchup(roster: Roster): StartedMatchup {
  const sums = new PayoffSums(roster);
  return { sums, cells: addDuels(roster, sums) ?? [...Array(roster.sweep.points).keys()] };
}

/** Milliseconds between pauses for timers and signals. */
const PAUSE_EVERY = 100;

/** Computes some cells of a sweep one after the other, with progress that counts the others as done. */
export async function* computeRows(
  sweep: Sweep,
  { onProgress, ...options }: ComputeMatchupOptions,
  cells: readonly number[],
): AsyncGenerator<readonly CellRow[]> {
  const { points } = sweep;
  let done = points - cells.length;
  let next = 0;
  for await (const { rows } of computeCells(sweep, options, cells)) {
    yield rows;
    done++;
    if (performance.now() < next) continue;
    await pause();
    onProgress?.({ done, cells: points, before: 0 });
    next = performance.now() + PAUSE_EVERY;
  }
}

/** Computes all cells that are not in `sums`. @throws the errors of `computeMatchup` */
export async function computeCellPayoffs(
  roster: Roster,
  options: ComputeMatchupOptions,
  { sums, cells }: StartedMatchup = startMatchup(roster),
): Promise<CellPayoffs> {
  return await readCells(roster, computeRows(roster.sweep, options, cells), sums);
}
