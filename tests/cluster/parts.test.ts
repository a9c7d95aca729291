/** Tests of parts of several segments that are stored and read together. */
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  FolderParts,
  PartConflictError,
  PartMissingError,
  putOneByOne,
  QueueParts,
} from '../../src/storage/cluster/part-storage.ts';
import { createHistogramPartName, createTablePartName, FOLDERS } from '../../src/storage/store/manifest.ts';
import { createStoredPart, type EncodedPart } from '../../src/storage/store/sweep-store.ts';
import { place } from '../store/folders.ts';
import { aLink, aServer, HAS_REDIS } from './redis.ts';

const encoded = (file: string, ...bytes: number[]): EncodedPart => {
  const content = Uint8Array.from(bytes);
  return { ...createStoredPart(file, content), content };
};

/** Returns the counts and the rows of a segment. */
const segment = (n: number, byte: number): EncodedPart[] => [
  encoded(createHistogramPartName(n, 0, 10), byte),
  encoded(createTablePartName(n), byte, byte),
];

const COUNTS = createHistogramPartName(1, 0, 10);

describe('FolderParts.putAll', () => {
  async function aFolder(): Promise<string> {
    const folder = place();
    for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true });
    return folder;
  }

  test('stores all parts and leaves no temporary files', async () => {
    const folder = await aFolder();
    const parts = new FolderParts(folder);
    expect(await parts.putAll([segment(0, 3), segment(1, 4)])).toEqual(new Map());
    expect([...(await parts.read(createTablePartName(1)))]).toEqual([4, 4]);
    expect([...(await parts.read(COUNTS))]).toEqual([4]);
    for (const name of FOLDERS) expect(readdirSync(join(folder, name)).length).toBe(2);
  });

  test('skips the rows of a segment whose counts fail, and stores other segments', async () => {
    const parts = new FolderParts(await aFolder());
    await parts.put(COUNTS, Uint8Array.from([9]));
    const failures = await parts.putAll([segment(0, 3), segment(1, 4), segment(2, 5)]);
    expect([...failures.keys()]).toEqual([COUNTS]);
    expect(failures.get(COUNTS)).toBeInstanceOf(PartConflictError);
    await expect(parts.read(createTablePartName(1))).rejects.toBeInstanceOf(PartMissingError);
    expect([...(await parts.read(createTablePartName(0)))]).toEqual([3, 3]);
    expect([...(await parts.read(createTablePartName(2)))]).toEqual([5, 5]);
  });
});

describe('putOneByOne', () => {
  test('stores the parts of each segment up to the first failure', async () => {
    const seen: string[] = [];
    const put = (file: string): Promise<void> => {
      seen.push(file);
      return file === COUNTS ? Promise.reject(new PartConflictError(file)) : Promise.resolve();
    };
    const failures = await putOneByOne({ put }, [segment(0, 3), segment(1, 4)]);
    expect([...failures.keys()]).toEqual([COUNTS]);
    expect(seen.sort()).toEqual([createHistogramPartName(0, 0, 10), COUNTS, createTablePartName(0)].sort());
  });
});

describe.runIf(HAS_REDIS)('QueueParts', () => {
  test('putAll accepts equal bytes, and reports other bytes as conflicts and large parts as errors', async () => {
    const link = await aLink(await aServer());
    const parts = new QueueParts(link.redis, 'a'.repeat(64));
    await parts.put(createTablePartName(0), Uint8Array.from([3, 3]));
    await parts.put(COUNTS, Uint8Array.from([9]));
    const large = { ...encoded(createTablePartName(2)), bytes: 2 ** 24 + 1, content: new Uint8Array(2 ** 24 + 1) };
    const failures = await parts.putAll([segment(0, 3), segment(1, 4), [large]]);
    expect([...failures.keys()].sort()).toEqual([COUNTS, createTablePartName(2)].sort());
    expect(failures.get(COUNTS)).toBeInstanceOf(PartConflictError);
    expect(String(failures.get(createTablePartName(2)))).toContain('at most 16: start workers with --store');
    expect([...(await parts.read(createHistogramPartName(0, 0, 10)))]).toEqual([3]);
    expect(await parts.putAll([])).toEqual(new Map());
  });

  test('readAll returns the parts that exist and are not larger than announced', async () => {
    const link = await aLink(await aServer());
    const parts = new QueueParts(link.redis, 'a'.repeat(64));
    const large = new Uint8Array(2 ** 20);
    await parts.putAll([segment(0, 3), [encoded(COUNTS, 4)]]);
    await parts.put(createTablePartName(1), large);
    const printed = [
      ...segment(0, 3),
      ...segment(2, 5),
      { file: COUNTS, bytes: 1 },
      { file: createTablePartName(1), bytes: 1 },
    ];
    const before = link.redis.stream.bytesRead;
    const found = await parts.readAll(printed);
    expect([...found.keys()]).toEqual([createHistogramPartName(0, 0, 10), createTablePartName(0), COUNTS]);
    expect([...(found.get(createTablePartName(0)) ?? [])]).toEqual([3, 3]);
    expect(link.redis.stream.bytesRead - before).toBeLessThan(100);
    expect(await parts.readAll([])).toEqual(new Map());
    await parts.drop([COUNTS]);
    expect(await parts.find(COUNTS)).toBeUndefined();
  });
});
