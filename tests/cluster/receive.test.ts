/** Tests of the parts that a coordinator accepts from workers and of those that it rejects. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import type { DeliveredSegment } from '../../src/storage/cluster/job.ts';
import { PartReceiver } from '../../src/storage/cluster/part-receiver.ts';
import { QueueParts } from '../../src/storage/cluster/part-storage.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import {
  createStoredPart,
  type EncodedPart,
  readSweepStore,
  type SweepStore,
} from '../../src/storage/store/sweep-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, place, run, sweepFile } from '../store/folders.ts';
import { getDistributionFile, load, local, part, SEGMENTS, TEXT } from '../store/halves.ts';
import { aLink, aServer, HAS_REDIS } from './redis.ts';

/** Another sweep with the same number of cells. */
const OTHER = TEXT.replace('defender.hp, range: [1, 22]', 'defender.hp, range: [2, 23]');

const read = (folder: string, file: string): EncodedPart => {
  const content = new Uint8Array(readFileSync(join(folder, file)));
  return { ...createStoredPart(file, content), content };
};

const partsIn = (folder: string, segment: number): EncodedPart[] => [
  read(folder, getDistributionFile(segment)),
  read(folder, part(segment)),
];

const printed = (segment: number, parts: readonly EncodedPart[]): DeliveredSegment => ({
  segment,
  parts: parts.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 })),
  at: 'queue',
  conflict: false,
});

async function started(): Promise<SweepStore> {
  const folder = place();
  await createStore(await load(), folder);
  return await readSweepStore(folder, SHIPPED_REGISTRY);
}

describe.runIf(HAS_REDIS)('parts on the server', () => {
  /** Creates an empty store, and puts the parts of segments on the server. */
  async function sent(...segments: (readonly EncodedPart[])[]) {
    const [store, link] = [await started(), await aLink(await aServer())];
    const carried = new QueueParts(link.redis, 'a'.repeat(64));
    await carried.putAll(segments);
    const keys = (): Promise<string[]> => link.redis.keys('warpool:part:*');
    return { folder: store.folder, receiver: new PartReceiver({ store, queueParts: carried }), keys };
  }

  test('are received together with their checksums, and deleted from the server', async () => {
    const all = Array.from({ length: SEGMENTS }, (_, segment) => partsIn(local, segment));
    const { folder, receiver, keys } = await sent(...all);
    expect((await keys()).length).toBe(2 * SEGMENTS);
    const taken = await receiver.receive(all.map((parts, segment) => printed(segment, parts)));
    for (const [segment, parts] of all.entries())
      expect(taken.get(segment)).toMatchObject({ facts: { segment }, parts: printed(segment, parts).parts });
    const { 'manifest.json': _own, ...stored } = bytesOf(folder);
    expect(bytesOf(local)).toMatchObject(stored);
    expect(Object.keys(stored).length).toBe(2 * SEGMENTS);
    expect(await keys()).toEqual([]);
  });

  test.runIf(DEPTH > 1)('of another sweep are rejected even with correct hashes', async () => {
    const other = place();
    await run(OTHER, other);
    expect((await loadSweep(sweepFile(OTHER))).points).toBe((await load()).points);
    const [good, forged] = [partsIn(local, 0), partsIn(other, 1)];
    const { folder, receiver, keys } = await sent(good, forged);
    const taken = await receiver.receive([printed(0, good), printed(1, forged)]);
    expect(taken.get(1)).toBe('wrong');
    expect(taken.get(0)).toMatchObject({ facts: { segment: 0 } });
    expect(Object.keys(bytesOf(folder)).sort()).toEqual([getDistributionFile(0), 'manifest.json', part(0)].sort());
    expect(await keys()).toEqual([]);
  });

  test('with a changed bit are rejected even if their hash matches', async () => {
    const [counts, rows] = partsIn(local, 0);
    if (counts === undefined || rows === undefined) throw new Error('no parts');
    const content = rows.content.map((byte, b) => (b === 200 ? byte ^ 1 : byte));
    const changed = [counts, { ...createStoredPart(rows.file, content), content }];
    const { receiver } = await sent(changed);
    expect((await receiver.receive([printed(0, changed)])).get(0)).toBe('wrong');
  });

  test.each([
    [
      'other bytes than were said',
      (one: DeliveredSegment) => ({ ...one, parts: one.parts.map((each) => ({ ...each, sha256: 'b'.repeat(64) })) }),
    ],
    ['one of two', (one: DeliveredSegment) => ({ ...one, parts: one.parts.slice(1) })],
    ['those of another segment', (one: DeliveredSegment) => ({ ...one, segment: 2 })],
    ['parts that were there with other bytes', (one: DeliveredSegment) => ({ ...one, conflict: true })],
    [
      'parts that are not there',
      (one: DeliveredSegment) => ({ ...one, segment: 3, parts: printed(3, partsIn(local, 3)).parts }),
    ],
  ])('are rejected: %s', async (_, change) => {
    const { folder, receiver } = await sent(partsIn(local, 0));
    const changed = change(printed(0, partsIn(local, 0)));
    expect(await receiver.receive([changed])).toEqual(new Map([[changed.segment, 'wrong']]));
    expect(Object.keys(bytesOf(folder))).toEqual(['manifest.json']);
  });
});
