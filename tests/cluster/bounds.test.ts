/** Limits of the data that workers and coordinators accept, since other programs may have written it. */
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { jobSchema, PlanCache } from '../../src/storage/cluster/job.ts';
import { FolderParts, PartConflictError, QueueParts } from '../../src/storage/cluster/part-storage.ts';
import { PART_MAX } from '../../src/storage/folder/files.ts';
import { DEPTH } from '../depth.ts';
import { place } from '../store/folders.ts';
import { aLink, aServer, HAS_REDIS } from './redis.ts';

const FILE = 'table/part-00003.parquet';

async function aFolder(): Promise<string> {
  const folder = place();
  await mkdir(join(folder, 'table'), { recursive: true });
  return folder;
}

describe('parts in a folder', () => {
  test('symbolic links are not followed', async () => {
    const folder = await aFolder();
    writeFileSync(join(folder, 'secret'), 'x');
    symlinkSync('../secret', join(folder, FILE));
    const parts = new FolderParts(folder);
    await expect(parts.read(FILE)).rejects.toThrow('cannot be read: it is a link');
    await expect(parts.find(FILE)).rejects.toThrow('cannot be read: it is a link');
    await expect(parts.put(FILE, new Uint8Array([1]))).rejects.toThrow('cannot be read: it is a link');
  });

  test('a part that is too large is not read', async () => {
    const folder = await aFolder();
    writeFileSync(join(folder, FILE), '');
    truncateSync(join(folder, FILE), PART_MAX + 1);
    await expect(new FolderParts(folder).read(FILE)).rejects.toThrow(`at most ${String(PART_MAX)} are allowed`);
  });

  test('one of several writers with different bytes succeeds, and the others get a PartConflictError', async () => {
    const parts = new FolderParts(await aFolder());
    const puts = [1, 2, 3, 4].map((byte) => parts.put(FILE, new Uint8Array([byte])));
    const ends = await Promise.allSettled(puts);
    const lost = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(lost.length).toBe(3);
    for (const reason of lost) expect(reason).toBeInstanceOf(PartConflictError);
    expect([...(await parts.read(FILE))]).toEqual([1 + ends.findIndex(({ status }) => status === 'fulfilled')]);
  });
});

describe.runIf(HAS_REDIS)('values on a Redis server', () => {
  test.runIf(DEPTH > 1)('a value that is too large is read only up to the limit', async () => {
    const link = await aLink(await aServer());
    const plan = 'a'.repeat(64);
    const parts = new QueueParts(link.redis, plan);
    for (const key of [`warpool:part:${plan}:${FILE}`, `warpool:plan:${plan}`])
      await link.redis.setrange(key, 2 ** 26, 'x');
    const before = link.redis.stream.bytesRead;
    await expect(parts.read(FILE)).rejects.toThrow('has more than 16777216 bytes');
    await expect(parts.find(FILE)).rejects.toThrow('has more than 16777216 bytes');
    await expect(new PlanCache(link.redis, SHIPPED_REGISTRY, place()).store(plan)).rejects.toThrow(
      'the plan aaaaaaaa on the server is damaged',
    );
    expect(link.redis.stream.bytesRead - before).toBeLessThan(3 * 2 ** 24 + 1000);
  });
});

describe('jobSchema', () => {
  const job = { kind: 'battles', plan: 'a'.repeat(64), engine: 'sampled', seed: '1', of: 10, from: 0, to: 10 };

  test.each([{}, { budget: 1 }, { budget: 1e10 }, { of: 2 ** 53 }])('accepts a job with %o', (change) => {
    expect(jobSchema.safeParse({ ...job, ...change }).success).toBe(true);
  });

  test.each([
    { budget: 0 },
    { budget: 1.5 },
    { budget: 1e10 + 1 },
    { budget: Number.POSITIVE_INFINITY },
    { of: 0 },
    { of: 0.5 },
    { of: 2 ** 53 + 2 },
  ])('rejects a job with %o', (change) => {
    expect(jobSchema.safeParse({ ...job, ...change }).success).toBe(false);
  });
});
