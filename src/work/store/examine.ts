/** Which parts of a store that is not complete can be taken as they are, and how those of before an extension are restored. */

import { isDamage } from '../folder/files.ts';
import { sweepHash } from '../sweep/sweep.ts';
import type { Known } from './earlier.ts';
import { type ReadStore, type SegmentFacts, storeOf, writeParts } from './parts.ts';
import { fillSegment, type SegmentOptions } from './segment.ts';

/** What a store has of a segment. */
export interface Examined {
  readonly segment: number;
  /** Of its rows, if these and all counts that belong to them are sound. */
  readonly facts: SegmentFacts | undefined;
  /** Without rows, in a store that was extended: battles of each cell up to which its counts are sound. */
  readonly below: number | undefined;
  /** Parts that are not to be used. */
  readonly damaged: readonly string[];
}

/** Those of some parts that are missing or damaged. @throws RunError if the system cannot read one */
async function unsound(store: ReadStore, segment: number, files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const file of files)
    await store.soundCounts(segment, file).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      found.push(file);
    });
  return found;
}

/** Examines all parts of a segment. @throws RunError if the system cannot read one */
export async function examine(store: ReadStore, segment: number): Promise<Examined> {
  const rows = store.tables.get(segment);
  const facts =
    rows &&
    (await store.facts(rows).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      return undefined;
    }));
  const due = facts?.cells === 0 ? [] : store.countsDue(segment, facts?.battles);
  const wrong = rows === undefined && store.manifest.extended.length === 0 ? [] : await unsound(store, segment, due);
  if (facts !== undefined && wrong.length === 0) return { segment, facts, below: undefined, damaged: [] };
  const has = store.has(segment);
  const isSound = (file: string): boolean => !wrong.includes(file);
  const below = store.manifest.extended.findLast((battles) => store.countsDue(segment, battles).every(isSound));
  const damaged = [...(rows === undefined ? [] : [rows.file]), ...wrong.filter(has)];
  // Rows whose counts are missing are as wrong as damaged ones.
  return { segment, facts: undefined, below, damaged };
}

/** The hash that the sweep of a store had when its cells had so many battles, as other parts of that time have it. */
async function hashAt(store: ReadStore, battles: number): Promise<string> {
  const { sweep } = store.manifest;
  for (const part of [...store.counts.values()].flat()) {
    const { sweep: hash } = await store.about(part).catch(() => ({ sweep: undefined }));
    if (typeof hash === 'string' && store.battlesAt(hash) === battles) return hash;
  }
  return sweepHash({ ...sweep, battles });
}

/**
 * Computes anew the counts that a segment lacks from before an extension, and stores them. Their bytes are those of before.
 * @throws CellError if a cell cannot be, or its battles could not be simulated
 */
export async function restoreCounts(store: ReadStore, segment: number, options: SegmentOptions): Promise<void> {
  const { folder, manifest } = store;
  const { parts: _parts, extended, ...rest } = manifest;
  let known: Known = { from: 'nowhere' };
  for (const battles of extended) {
    const sweep = { ...manifest.sweep, battles };
    const hash = await hashAt(store, battles);
    const before = { ...rest, sweep, sweepHash: hash, extended: extended.filter((step) => step < battles) };
    const earlier = await storeOf({ folder, manifest: before });
    if ((await unsound(earlier, segment, earlier.countsDue(segment))).length > 0) {
      const filled = await fillSegment(earlier, { segment, known }, new Map(), options);
      if (filled === undefined) return;
      await writeParts(folder, filled.parts.slice(0, -1));
    }
    known = { from: 'store', below: battles };
  }
}
