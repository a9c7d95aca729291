/** The end of a sweep: parts that this process has stored are not read again, all others are. */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { lockStore } from '../../src/storage/folder/lock.ts';
import { finishStore } from '../../src/storage/store/finish-store.ts';
import { createTablePartName, parsePartName } from '../../src/storage/store/manifest.ts';
import { type FinishedSegment, readSweepStore } from '../../src/storage/store/sweep-store.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, copyOf, manifestIn, place, putManifest, run, unfinished } from './folders.ts';

const TEXT = 'axes: [{ path: attacker.hp, range: [1, 20] }, { path: defender.hp, range: [1, 20] }]\nbattles: 100';
const due = place();
const stored = new Map<number, FinishedSegment>();
{
  const { manifest } = await run(TEXT, due);
  const parts = manifest.parts ?? [];
  const store = await readSweepStore(due, SHIPPED_REGISTRY);
  for (const [segment, facts] of await store.readAllInfo())
    stored.set(segment, { facts, parts: parts.filter(({ file }) => parsePartName(file)?.segment === segment) });
}

/** Finishes a copy of the store in a process that has stored the known segments. */
async function finished(
  change: (folder: string) => void,
  known: ReadonlyMap<number, FinishedSegment>,
): Promise<string> {
  const folder = copyOf(due);
  putManifest(folder, unfinished(manifestIn(folder)));
  change(folder);
  await using lock = await lockStore(folder);
  await finishStore(await readSweepStore(folder, SHIPPED_REGISTRY), lock, known);
  return folder;
}

const nothing = (): void => undefined;

describe('finishStore', () => {
  test('writes the same bytes, independent of the process that stored the parts', async () => {
    const [first] = stored;
    expect(stored.size).toBeGreaterThan(2);
    for (const known of [new Map(), new Map(first && [first]), stored])
      expect(bytesOf(await finished(nothing, known))).toEqual(bytesOf(due));
  });

  test.runIf(DEPTH > 1)('does not read known parts, so verifyStore finds a part that was changed since', async () => {
    const change = (folder: string): void => {
      appendFileSync(join(folder, createTablePartName(1)), 'x');
    };
    await expect(finished(change, new Map())).rejects.toThrow('part-00001.parquet cannot be read');
    const folder = await finished(change, stored);
    const { faults } = await verifyStore(folder, { cells: 0 });
    expect(faults.map(({ where }) => where).join()).toContain('part-00001.parquet');
  });

  test('rejects a store with a missing part', async () => {
    const [counts = ''] = stored.get(2)?.parts.map(({ file }) => file) ?? [];
    const gone = (file: string) => (folder: string) => {
      rmSync(join(folder, file));
    };
    await expect(finished(gone(counts), stored)).rejects.toThrow(/histograms.*cannot be read: it is missing/);
    await expect(finished(gone(createTablePartName(2)), stored)).rejects.toThrow(
      '3 of 4 segments; option resume simulates the others',
    );
  });
});
