/** Iterators over a store read its parts one after the other. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/storage/store/open-store.ts';
import { copyOf, manifestIn, place, run } from './folders.ts';

let whole: string;
beforeAll(async () => {
  whole = place();
  await run('axes: [{ path: attacker.hp, range: [1, 500] }]\nbattles: 1\nexact: never', whole);
});

test.each(['table', 'histograms'] as const)(
  '%s: each part is read after the rows of the previous one',
  async (table) => {
    const folder = copyOf(whole);
    const store = await openStore(folder);
    const rows: AsyncIterable<{ cell: number }> = table === 'table' ? store.rows() : store.histograms();
    const walk = rows[Symbol.asyncIterator]();
    const cells = new Set<number>();
    const walkOn = async (): Promise<void> => {
      for (let next = await walk.next(); next.done !== true; next = await walk.next()) cells.add(next.value.cell);
    };
    await walk.next();
    const parts = readdirSync(join(folder, table));
    expect(parts.length).toBeGreaterThan(2);
    for (const name of parts) rmSync(join(folder, table, name));
    await expect(walkOn()).rejects.toThrow('part-00001');
    expect([...cells]).toEqual(Array.from({ length: manifestIn(whole).segmentSize }, (_, cell) => cell));
  },
);
