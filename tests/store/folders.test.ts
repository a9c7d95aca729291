/** Folders are made level by level, and what cannot be made is refused. */
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../src/core/files/output.ts';

const base = mkdtempSync(join(tmpdir(), 'warpool-'));

test('makes all levels, by several at once too, and leaves what is there', async () => {
  const folder = join(base, 'a', 'b', 'c');
  await Promise.all(Array.from({ length: 8 }, () => makeFolders(folder)));
  await makeFolders(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('refuses a file, and a way through one', async () => {
  const path = join(base, 'file');
  writeFileSync(path, '');
  await expect(makeFolders(path)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolders(join(path, 'inner'))).rejects.toMatchObject({ code: 'EEXIST' });
});

test.runIf(process.platform === 'linux')('refuses at once where the system says that there is none', async () => {
  await expect(makeFolders('/proc/warpool/inner')).rejects.toMatchObject({ code: 'ENOENT' });
});
