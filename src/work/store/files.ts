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

export const MANIFEST = 'manifest.json';
export const TABLE = 'table';
export const HISTOGRAMS = 'histograms';
export const FOLDERS: readonly string[] = [HISTOGRAMS, TABLE];

/** Where the store was before a changed sweep file took its place, until all its cells are there. */
export const PREVIOUS = '.previous';

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
