/** Creation of folders, level by level. */
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../src/core/files/output.ts';

const base = mkdtempSync(join(tmpdir(), 'warpool-'));

test('makeFolders creates all levels, also concurrently, and keeps existing folders', async () => {
  const folder = join(base, 'a', 'b', 'c');
  await Promise.all(Array.from({ length: 8 }, () => makeFolders(folder)));
  await makeFolders(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('makeFolders rejects a file, and a path through a file', async () => {
  const path = join(base, 'file');
  writeFileSync(path, '');
  await expect(makeFolders(path)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolders(join(path, 'inner'))).rejects.toMatchObject({ code: 'EEXIST' });
});

test.runIf(process.platform === 'linux')('makeFolders rejects at once if the system reports ENOENT', async () => {
  await expect(makeFolders('/proc/warpool/inner')).rejects.toMatchObject({ code: 'ENOENT' });
});
