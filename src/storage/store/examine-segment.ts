/**
 * Examination of an unfinished store: reusable parts of segments, and restoration of counts from before an extension.
 */

import { isDamage } from '../folder/files.ts';
import { computeSweepHash } from '../sweep/sweep.ts';
import type { CountsSource } from './previous-counts.ts';
import { fillSegment, type SegmentOptions } from './segment.ts';
import { createSweepStore, type SegmentInfo, type SweepStore, writeParts } from './sweep-store.ts';

/** State of a segment in a store. */
export interface SegmentStatus {
  readonly segment: number;
  /** Metadata of its rows, if these and all their counts are sound. */
  readonly facts: SegmentInfo | undefined;
  /** Without rows, in an extended store: battles of each cell up to which its counts are sound. */
  readonly soundBattles: number | undefined;
  /** Parts that must not be used. */
  readonly damaged: readonly string[];
}

/** Returns the parts that are missing or damaged. @throws RunError if a part cannot be read */
async function findDamaged(store: SweepStore, segment: number, files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const file of files)
    await store.verifyCounts(segment, file).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      found.push(file);
    });
  return found;
}

/** Examines all parts of a segment. @throws RunError if one cannot be read */
export async function examineSegment(store: SweepStore, segment: number): Promise<SegmentStatus> {
  const rows = store.tables.get(segment);
  const facts =
    rows &&
    (await store.readInfo(rows).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      return undefined;
    }));
  const due = facts?.cells === 0 ? [] : store.listExpectedCounts(segment, facts?.battles);
  const wrong =
    rows === undefined && store.manifest.extended.length === 0 ? [] : await findDamaged(store, segment, due);
  if (facts !== undefined && wrong.length === 0) return { segment, facts, soundBattles: undefined, damaged: [] };
  const has = store.has(segment);
  const isSound = (file: string): boolean => !wrong.includes(file);
  const below = store.manifest.extended.findLast((battles) =>
    store.listExpectedCounts(segment, battles).every(isSound),
  );
  const damaged = [...(rows === undefined ? [] : [rows.file]), ...wrong.filter(has)];
  // Rows without their counts are as useless as damaged ones.
  return { segment, facts: undefined, soundBattles: below, damaged };
}

/** Finds the hash of the sweep when its cells had this number of battles, from other parts of that time. */
async function findSweepHash(store: SweepStore, battles: number): Promise<string> {
  const { sweep } = store.manifest;
  for (const part of [...store.counts.values()].flat()) {
    const { sweep: hash } = await store.about(part).catch(() => ({ sweep: undefined }));
    if (typeof hash === 'string' && store.battlesAt(hash) === battles) return hash;
  }
  return computeSweepHash({ ...sweep, battles });
}

/**
 * Recomputes the missing counts of a segment from before an extension, and stores them with identical bytes.
 * @throws CellError if a scenario is rejected, or its battles cannot be simulated
 */
export async function restoreCounts(store: SweepStore, segment: number, options: SegmentOptions): Promise<void> {
  const { folder, manifest } = store;
  const { parts: _parts, extended, ...rest } = manifest;
  let known: CountsSource = { from: 'nowhere' };
  for (const battles of extended) {
    const sweep = { ...manifest.sweep, battles };
    const hash = await findSweepHash(store, battles);
    const before = { ...rest, sweep, sweepHash: hash, extended: extended.filter((step) => step < battles) };
    const earlier = await createSweepStore({ folder, manifest: before });
    if ((await findDamaged(earlier, segment, earlier.listExpectedCounts(segment))).length > 0) {
      const filled = await fillSegment(earlier, { segment, known }, new Map(), options);
      if (filled === undefined) return;
      await writeParts(folder, filled.parts.slice(0, -1));
    }
    known = { from: 'store', below: battles };
  }
}
