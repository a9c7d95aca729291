/**
 * The files of a run that is kept. A part is written under another name and renamed, so it is there whole or not at all.
 *
 *     run.json                                    what is played, and, once all is there, what came of it
 *     tallies/part-00001-268435456-536870912.parquet   tally of battles 268435456..536870911, which are range 1
 */
import { type Cuttable, type Range, rangeAt } from './ranges.ts';

export const RUN_FILE = 'run.json';
export const TALLIES = 'tallies';

/** The file of a tally. */
export function partFile(run: Cuttable, { from, to }: Range): string {
  const number = String(rangeAt(run, from)).padStart(5, '0');
  return `${TALLIES}/part-${number}-${String(from)}-${String(to)}.parquet`;
}

/** The battles of a part by its name; undefined for what is not, letter by letter, the name of a part of the run. */
export function rangeIn(run: Cuttable, file: string): Range | undefined {
  const [, from, to] = /^tallies\/part-\d{5,}-(\d{1,16})-(\d{1,16})\.parquet$/.exec(file) ?? [];
  const range = { from: Number(from), to: Number(to) };
  const within = range.from >= run.from && range.from < range.to && range.to <= run.to;
  if (!within || rangeAt(run, range.from) !== rangeAt(run, range.to - 1)) return undefined;
  return file === partFile(run, range) ? range : undefined;
}
