/** What workers and coordinators read may be anybody's: what it may be, and how much. */
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FolderParts } from '../../src/cluster/folder.ts';
import { PartConflict } from '../../src/cluster/parts.ts';
import { PART_MAX } from '../../src/store/regular.ts';
import { place } from '../store/folders.ts';

const FILE = 'table/part-00003.parquet';

async function aFolder(): Promise<string> {
  const folder = place();
  await mkdir(join(folder, 'table'), { recursive: true });
  return folder;
}

describe('parts in a folder', () => {
  test('a link is not followed', async () => {
    const folder = await aFolder();
    writeFileSync(join(folder, 'secret'), 'x');
    symlinkSync('../secret', join(folder, FILE));
    const parts = new FolderParts(folder);
    await expect(parts.read(FILE)).rejects.toThrow('cannot be read: it is a link');
    await expect(parts.find(FILE)).rejects.toThrow('cannot be read: it is a link');
    await expect(parts.put(FILE, new Uint8Array([1]))).rejects.toThrow('cannot be read: it is a link');
  });

  test('one that is too large is not read', async () => {
    const folder = await aFolder();
    writeFileSync(join(folder, FILE), '');
    truncateSync(join(folder, FILE), PART_MAX + 1);
    await expect(new FolderParts(folder).read(FILE)).rejects.toThrow(`at most ${String(PART_MAX)} can be`);
  });

  test('of writers with different bytes one wins, and all others hear of it', async () => {
    const parts = new FolderParts(await aFolder());
    const puts = [1, 2, 3, 4].map((byte) => parts.put(FILE, new Uint8Array([byte])));
    const ends = await Promise.allSettled(puts);
    const lost = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(lost.length).toBe(3);
    for (const reason of lost) expect(reason).toBeInstanceOf(PartConflict);
    expect([...(await parts.read(FILE))]).toEqual([1 + ends.findIndex(({ status }) => status === 'fulfilled')]);
  });
});
