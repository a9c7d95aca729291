/**
 * The files of a store. A part of a table is written under another name and renamed, so it is there whole or not at all;
 * the part of `table/` comes last and says that its cells are done.
 *
 *     manifest.json
 *     histograms/part-00012-0-100000.parquet     counts of battles 0..99999 of the cells of segment 12; never rewritten
 *     table/part-00012.parquet                   what all counts of segment 12 say
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DRAFT } from './durable.ts';

export const MANIFEST = 'manifest.json';
export const TABLE = 'table';
export const HISTOGRAMS = 'histograms';
export const FOLDERS: readonly string[] = [HISTOGRAMS, TABLE];

const numbered = (segment: number): string => `part-${String(segment).padStart(5, '0')}`;

export function tablePart(segment: number): string {
  return join(TABLE, `${numbered(segment)}.parquet`);
}

/** @param from first of the battles that are counted; one past the last is `to`, or `end` where cells differ in it */
export function histogramPart(segment: number, from: number, to: number | 'end'): string {
  return join(HISTOGRAMS, `${numbered(segment)}-${String(from)}-${String(to)}.parquet`);
}

/** The names in a folder, ordered; none if it is missing. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The segment of a part's name. */
function segmentOf(name: string): number | undefined {
  const [, number] = /^part-(\d{5,})[-.]/.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The parts of one of the two folders by segment, each segment's in the order of their battles. */
export async function partsIn(store: string, folder: string): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  for (const name of await namesIn(join(store, folder))) {
    const segment = name.endsWith('.parquet') ? segmentOf(name) : undefined;
    if (segment === undefined) continue;
    found.set(segment, [...(found.get(segment) ?? []), join(folder, name)]);
  }
  const begins = (name: string): number => Number(/-(\d+)-[^-]*$/.exec(name)?.[1] ?? 0);
  for (const parts of found.values()) parts.sort((a, b) => begins(a) - begins(b));
  return new Map([...found].sort(([a], [b]) => a - b));
}

/** Removes what a killed process left half written. */
export async function sweepUp(store: string): Promise<void> {
  for (const folder of ['.', ...FOLDERS]) {
    for (const name of await namesIn(join(store, folder)))
      if (name.endsWith(DRAFT)) await rm(join(store, folder, name), { force: true });
  }
}
