/** Walks through a store take its parts one after the other. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { copyOf, place, run } from './folders.ts';

let whole: string;
beforeAll(async () => {
  whole = place();
  await run('axes: [{ path: attacker.hp, range: [1, 500] }]\nbattles: 1\nexact: never', whole);
});

/** Takes one row, removes all files of a table, and takes the others. */
async function taken(table: 'table' | 'histograms'): Promise<{ parts: number; cells: number[]; error: string }> {
  const folder = copyOf(whole);
  const store = await openStore(folder);
  const rows = table === 'table' ? store.rows() : store.histograms();
  const first = await rows.next();
  if (first.done === true) throw new Error('no rows');
  const cells = new Set([first.value.cell]);
  const names = readdirSync(join(folder, table));
  for (const name of names) rmSync(join(folder, table, name));
  let error = '';
  try {
    for await (const { cell } of rows) cells.add(cell);
  } catch (thrown) {
    error = String(thrown);
  }
  return { parts: names.length, cells: [...cells], error };
}

test.each(['table', 'histograms'] as const)(
  '%s: the next one is read when the one before is through',
  async (table) => {
    const { parts, cells, error } = await taken(table);
    expect(parts).toBeGreaterThan(2);
    expect(cells.length).toBeGreaterThan(1);
    expect(cells.length).toBeLessThanOrEqual(Math.ceil(500 / parts) + 1);
    expect(error).toMatch(/^RunError: .*part-00001.*: it is missing|^RunError: .*part-00001/);
  },
);
