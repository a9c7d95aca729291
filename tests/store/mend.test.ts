/** Repair of a complete store: only damaged parts are simulated again. */
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHistogramPartName, createTablePartName } from '../../src/storage/store/manifest.ts';
import type { SweepMode } from '../../src/storage/store/run-sweep.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import { DEPTH, some } from '../depth.ts';
import { bytesOf, copyOf, filesOf, place, run } from './folders.ts';

const TEXT = 'axes: [{ path: attacker.hp, range: [1, 20] }, { path: defender.hp, range: [1, 15] }]\nbattles: 100';
const due = place();
await run(TEXT, due);

const [rows, counts] = [createTablePartName(1), createHistogramPartName(2, 0, 100)];

function severalDamaged(folder: string): string[] {
  writeFileSync(join(folder, counts), 'x');
  writeFileSync(join(folder, rows), 'x');
  return [counts, rows];
}

const DAMAGE: Readonly<Record<string, (folder: string) => readonly string[]>> = {
  'rows are missing': (folder) => {
    rmSync(join(folder, rows));
    return [rows];
  },
  'rows are cut': (folder) => {
    truncateSync(join(folder, rows), 0);
    return [rows];
  },
  'rows have one byte more': (folder) => {
    appendFileSync(join(folder, rows), 'x');
    return [rows];
  },
  'rows are a link': (folder) => {
    renameSync(join(folder, rows), `${folder}-rows`);
    symlinkSync(`${folder}-rows`, join(folder, rows));
    return [rows];
  },
  'counts are missing': (folder) => {
    rmSync(join(folder, counts));
    return [counts];
  },
  'several parts are damaged': severalDamaged,
};

async function checkMended(mode: SweepMode, damage: (folder: string) => readonly string[]): Promise<void> {
  const folder = copyOf(due);
  const files = damage(folder);
  const result = await run(TEXT, folder, { mode });
  expect(result.repaired).toEqual(files);
  expect(result).toMatchObject({ complete: true, cells: 300, done: 300 });
  expect(result.before).toBeLessThan(300);
  expect(bytesOf(folder)).toEqual(bytesOf(due));
}

describe('a damaged store is repaired', () => {
  test.each(some(Object.entries(DAMAGE)))('by resume: %s', async (_, damage) => {
    await checkMended('resume', damage);
  });

  test.each(some(['recompute', 'new'] as const))('by %s', async (mode) => {
    await checkMended(mode, severalDamaged);
  });

  test.runIf(DEPTH > 1)('without remaining faults', async () => {
    const folder = copyOf(due);
    severalDamaged(folder);
    await run(TEXT, folder, { mode: 'resume' });
    expect((await verifyStore(folder, { cells: 0 })).faults).toEqual([]);
  });

  test.runIf(DEPTH > 1)('by extend without more battles', async () => {
    const folder = copyOf(due);
    rmSync(join(folder, rows));
    expect((await run(TEXT, folder, { mode: 'extend', battles: 100 })).repaired).toEqual([rows]);
    expect(bytesOf(folder)).toEqual(bytesOf(due));
  });

  test.runIf(DEPTH > 1)('by extend if it was extended, both rows and counts', async () => {
    const whole = copyOf(due);
    await run(TEXT, whole, { mode: 'extend', battles: 150 });
    for (const file of [rows, createHistogramPartName(2, 100, 150)]) {
      const folder = copyOf(whole);
      rmSync(join(folder, file));
      const { repaired: mended } = await run(TEXT, folder, { mode: 'extend', battles: 150 });
      expect(mended).toEqual([file]);
      expect(bytesOf(folder)).toEqual(bytesOf(whole));
    }
    const folder = copyOf(whole);
    rmSync(join(folder, counts));
    expect((await run(TEXT, folder, { mode: 'extend', battles: 150 })).repaired).toEqual([counts]);
    expect(bytesOf(folder)).toEqual(bytesOf(whole));
  });
});

describe('resume', () => {
  test('changes nothing in an undamaged store', async () => {
    const folder = copyOf(due);
    expect(await run(TEXT, folder, { mode: 'resume' })).toMatchObject({ repaired: [], before: 300, complete: true });
  });

  test('does not follow a link to a folder of parts', async () => {
    const folder = copyOf(due);
    const elsewhere = `${folder}-elsewhere`;
    renameSync(join(folder, 'table'), elsewhere);
    symlinkSync(elsewhere, join(folder, 'table'));
    const before = filesOf(elsewhere);
    await expect(run(TEXT, folder, { mode: 'resume' })).rejects.toThrow('table cannot be read: it is not a folder');
    expect(filesOf(elsewhere)).toEqual(before);
  });

  test('does not empty a folder in place of a part', async () => {
    const folder = copyOf(due);
    rmSync(join(folder, rows));
    mkdirSync(join(folder, rows));
    writeFileSync(join(folder, rows, 'mine'), 'x');
    await expect(run(TEXT, folder, { mode: 'resume' })).rejects.toThrow(`${rows} cannot be written`);
    expect(filesOf(join(folder, rows))).toEqual(['mine']);
  });
});
