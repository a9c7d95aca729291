/**
 * The files of a store. A part of a table is written under another name and renamed, so it is there whole or not at all;
 * the part of `table/` comes last and says that its cells are done.
 *
 *     manifest.json
 *     histograms/part-00012-0-100000.parquet     counts of battles 0..99999 of the cells of segment 12; never rewritten
 *     table/part-00012.parquet                   what all counts of segment 12 say
 *
 * Names are paths from the store with / in them, on every system.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDrafts } from '../../core/files/durable.ts';

export const MANIFEST = 'manifest.json';
export const TABLE = 'table';
export const HISTOGRAMS = 'histograms';
export const FOLDERS: readonly string[] = [HISTOGRAMS, TABLE];

/** Where the counts of a part end: before a battle, or where each of its cells was precise enough. */
export type End = number | 'end';

const numbered = (segment: number): string => `part-${String(segment).padStart(5, '0')}`;

export function tablePart(segment: number): string {
  return `${TABLE}/${numbered(segment)}.parquet`;
}

/** @param from first of the battles that are counted */
export function histogramPart(segment: number, from: number, to: End): string {
  return `${HISTOGRAMS}/${numbered(segment)}-${String(from)}-${String(to)}.parquet`;
}

/** What the name of a part says. */
export interface PartName {
  readonly segment: number;
  /** The battles that are counted in it; undefined for a part of `table/`. */
  readonly counts: { readonly from: number; readonly to: End } | undefined;
}

/** Undefined for what is not the name of a part, letter by letter. */
export function partName(file: string): PartName | undefined {
  const [, folder, segments, from, to] =
    /^(table|histograms)\/part-(\d{5,8})(?:-(\d{1,16})-(\d{1,16}|end))?\.parquet$/.exec(file) ?? [];
  if (folder === undefined || (folder === TABLE) !== (from === undefined)) return undefined;
  const segment = Number(segments);
  const end: End = to === 'end' ? to : Number(to);
  const counts = from === undefined ? undefined : { from: Number(from), to: end };
  const due = counts === undefined ? tablePart(segment) : histogramPart(segment, counts.from, counts.to);
  return file === due ? { segment, counts } : undefined;
}

/** The names in a folder of a store, ordered; none if it is missing. */
async function namesIn(store: string, folder: string): Promise<string[]> {
  try {
    return (await readdir(join(store, folder))).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))) return [];
    throw error;
  }
}

/** Readers of a folder pass over names that begin with a dot, but for those that ask for all `*.parquet`. */
const isHidden = (name: string): boolean => name.startsWith('.') && !name.endsWith('.parquet');

/** Whatever readers of the two folders see in them. */
export async function filesIn(store: string): Promise<string[]> {
  const files: string[] = [];
  for (const folder of FOLDERS) {
    const names = await namesIn(store, folder);
    files.push(...names.filter((name) => !isHidden(name)).map((name) => `${folder}/${name}`));
  }
  return files;
}

/**
 * Removes what killed processes have left half written. Only who holds the lock of a store does this.
 * @param now by the clock of the files
 */
export async function sweepUp(store: string, now: number): Promise<void> {
  for (const folder of ['.', ...FOLDERS]) await removeDrafts(join(store, folder), now);
}
