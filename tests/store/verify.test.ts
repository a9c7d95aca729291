import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { getBattleCount } from '../../src/stats/counts.ts';
import { computeDigest } from '../../src/stats/digest.ts';
import { summarizeBattles, summarizeDistribution } from '../../src/stats/summary.ts';
import { choosePlaces, type VerifyOptions } from '../../src/storage/folder/verification.ts';
import { createAuditedCell } from '../../src/storage/store/audit.ts';
import { createRows } from '../../src/storage/store/cell.ts';
import type { StoreManifest } from '../../src/storage/store/manifest.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { readTableMetadata } from '../../src/storage/store/parquet/parquet.ts';
import { readSweepStore, type SegmentInfo } from '../../src/storage/store/sweep-store.ts';
import { encodeHistograms, readHistograms, readRows } from '../../src/storage/store/tables.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import type { HistogramRow } from '../../src/storage/sweep/rows.ts';
import { DEPTH, some } from '../depth.ts';
import {
  copyOf,
  encodeRows,
  manifestIn,
  place,
  putManifest,
  relisted,
  run,
  runsOf,
  tableFile,
  unfinished,
} from './folders.ts';

const TEXT = 'axes: [{ path: attacker.hp, range: [1, 20] }]\nbattles: 500\nexact: always';
const TABLE = 'table/part-00000.parquet';
const COUNTS = 'histograms/part-00000-0-500.parquet';
const CELLS = [0, 20] as const;

let whole: string;
beforeAll(async () => {
  whole = place();
  await run(TEXT, whole);
});

const copy = (): string => copyOf(whole);

const faultsOf = async (folder: string, options: VerifyOptions = {}): Promise<string[]> => {
  const { faults } = await verifyStore(folder, { cells: 0, workers: 1, ...options });
  return faults.map(({ where, what }) => `${where}: ${what}`);
};

const countsOf = (folder: string) => readHistograms(tableFile(join(folder, COUNTS)), CELLS);

/** Writes other histograms into a store, and changes nothing else. */
async function alter(folder: string, change: (rows: HistogramRow[]) => HistogramRow[]): Promise<void> {
  const path = join(folder, COUNTS);
  const about = await readTableMetadata(tableFile(path));
  writeFileSync(path, encodeHistograms(runsOf(change(await countsOf(folder))), about));
}

/** Updates the hashes of parts and the checksum of the manifest. */
function forgeManifest(folder: string, change: Partial<StoreManifest> = {}): void {
  putManifest(folder, relisted(folder, { ...manifestIn(folder), ...change }));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Moves one battle of a cell from one outcome to another, and updates everything that depends on it. */
async function forge(folder: string, cell: number): Promise<void> {
  await alter(folder, (rows) => {
    const of = (outcome: string) =>
      rows.filter((row) => row.cell === cell && row.outcome === outcome && row.count !== null);
    const [from, to] = [of('attacker'), of('defender')];
    const changed = new Map<HistogramRow, number>();
    // One value of each metric, and the outcome itself, for both outcomes.
    for (const [list, by] of [
      [from, -1],
      [to, 1],
    ] as const) {
      const seen = new Set<string>();
      for (const row of [...list].sort((a, b) => (b.count ?? 0) - (a.count ?? 0))) {
        const key = row.kind + (row.kind === 'metric' ? row.name : '');
        if (!seen.has(key)) changed.set(row, (row.count ?? 0) + by);
        seen.add(key);
      }
    }
    return rows.map((row) => ({ ...row, count: changed.get(row) ?? row.count }));
  });
  const store = await openStore(folder);
  const [rows, histograms] = [
    await readRows(tableFile(join(folder, TABLE)), store.sweep.columns, CELLS),
    await countsOf(folder),
  ];
  const forged = store.sweep.cell(cell);
  if (forged === undefined) throw new Error('no cell');
  const {
    shape,
    counts,
    distribution: exactDistribution,
  } = createAuditedCell(
    forged,
    store.sweep,
    [],
    [{ file: COUNTS, rows: histograms.filter((row) => row.cell === cell) }],
  );
  if (counts === undefined || exactDistribution === undefined) throw new Error('no counts');
  const simulation = {
    scenarioHash: forged.hash,
    system: 'attrition',
    seed: forged.seed,
    from: 0,
    to: getBattleCount(counts),
  };
  const own = computeDigest(simulation, shape, counts);
  const due = createRows(
    {
      cell: forged,
      shape,
      played: { battles: getBattleCount(counts), summary: summarizeBattles(shape, counts), digest: own },
      exact: { summary: summarizeDistribution(shape, exactDistribution) },
    },
    store.sweep,
  );
  const all = rows.flatMap((row) => (row.cell === cell ? (row.name === due[0]?.name ? due : []) : [row]));
  const lines = [...new Map(all.map((row) => [row.cell, row])).values()];
  const facts = (await readTableMetadata(tableFile(join(folder, TABLE)))) as unknown as SegmentInfo;
  const segment = sha256(lines.map((row) => `${String(row.cell)} ${row.scenario} ${row.digest ?? ''}\n`).join(''));
  writeFileSync(join(folder, TABLE), encodeRows(all, store.sweep.columns, { ...facts, digest: segment }));
  forgeManifest(folder, { digest: sha256(`${segment}\n`) });
}

describe('an unchanged store', () => {
  test('has no faults with the reference and kernel engines', async () => {
    for (const engine of ['reference', 'kernel'] as const) {
      const result = await verifyStore(whole, { engine, probability: 1 });
      expect(result).toMatchObject({
        faults: [],
        cells: 20,
        replayed: 20,
        battles: 10_000,
        solved: 20,
        probability: 1,
      });
    }
  });

  test.runIf(DEPTH > 1)('is simulated again in randomly chosen cells, with the reported probability', async () => {
    const result = await verifyStore(whole, { cells: 3, seed: '0x10' });
    expect(result).toMatchObject({ replayed: 3, probability: 3 / 20, seed: '16' });
    expect(await verifyStore(whole, { probability: 0.31, workers: 1 })).toMatchObject({
      replayed: 7,
      probability: 0.35,
    });
  });

  test.runIf(DEPTH > 1)('of any kind of sweep has no faults, unless the sweep is unfinished', async () => {
    for (const text of some([
      'precision: 0.02\nexact: auto',
      'precision: 30%\nexact: never',
      'battles: 300\nbounded: true\nexact: never',
      'battles: 300\nkeep: { metrics: [rounds], outcomes: [defender], histograms: false }',
      'exact: always',
      'exact: always\nkeep: { histograms: false }',
      'battles: 300\nstreams: independent\nexact: never',
    ])) {
      const folder = place();
      await run(`axes: [{ path: attacker.hp, range: [1, 5] }]\n${text}`, folder);
      expect(await faultsOf(folder, { probability: 1, cells: undefined }), text).toEqual([]);
    }
    const folder = copy();
    await run(TEXT, folder, { mode: 'extend', battles: 800 });
    expect(await faultsOf(folder, { probability: 1, cells: undefined })).toEqual([]);
    putManifest(folder, { ...unfinished(manifestIn(folder)), parts: [] });
    expect(await faultsOf(folder)).toEqual([`${folder}: the sweep is not finished: 1 of 1 segments exist`]);
  });
});

describe('an altered store', () => {
  test('has faults if a single count changed', async () => {
    const folder = copy();
    await alter(folder, (rows) => {
      const at = rows.findIndex(({ kind, count }) => kind === 'metric' && count !== null);
      return rows.map((row, r) => (r === at ? { ...row, count: (row.count ?? 0) + 1 } : row));
    });
    const faults = (await faultsOf(folder)).join('\n');
    expect(faults).toContain(`${COUNTS}: its SHA-256 differs from the manifest`);
    expect(faults).toContain('cell 0: its digest does not match its counts');
    expect(faults).toMatch(/cell 0: the values of rounds with attacker sum to \d+, not to \d+/);
    forgeManifest(folder);
    expect((await faultsOf(folder)).join('\n')).toContain('cell 0: its digest does not match its counts');
  });

  test('has faults if two counts changed, even with the same sums', async () => {
    const folder = copy();
    await alter(folder, (rows) => {
      const [a, b] = rows.filter((row) => row.cell === 4 && row.name === 'rounds' && row.outcome === 'attacker');
      const changed = new Map([
        [a, 1],
        [b, -1],
      ]);
      return rows.map((row) => ({ ...row, count: row.count === null ? null : row.count + (changed.get(row) ?? 0) }));
    });
    forgeManifest(folder);
    const faults = (await faultsOf(folder)).join('\n');
    expect(faults).toContain('cell 4: its digest does not match its counts');
    expect(faults).toContain('cell 4 rounds: estimate is');
  });

  test('has faults if a figure, a probability or a digest changed, or a part is missing', async () => {
    const folder = copy();
    const store = await openStore(folder);
    const rows = await readRows(tableFile(join(folder, TABLE)), store.sweep.columns, CELLS);
    const about = await readTableMetadata(tableFile(join(folder, TABLE)));
    const altered = rows.map((row, r) => (r === 10 ? { ...row, high: (row.high ?? 0) + 0.001 } : row));
    writeFileSync(join(folder, TABLE), encodeRows(altered, store.sweep.columns, about));
    forgeManifest(folder);
    expect((await faultsOf(folder)).join('\n')).toMatch(
      /^cell 1 hp\.attacker: high is [\d.]+, not [\d.]+$|^cell 1 \S+: high is/m,
    );
    const other = copy();
    await alter(other, (all) =>
      all.map((row, r) => (r === all.length - 1 ? { ...row, probability: (row.probability ?? 0) + 0.01 } : row)),
    );
    forgeManifest(other);
    expect((await faultsOf(other)).join('\n')).toMatch(/cell 19: the values of \S+ with \S+ sum to/);
    const third = copy();
    rmSync(join(third, COUNTS));
    const missing = (await faultsOf(third)).join('\n');
    expect(missing).toContain(`${COUNTS}: it is missing`);
    expect(missing).toContain('cell 7: it has no counts');
    const fourth = copy();
    forgeManifest(fourth, { digest: 'f'.repeat(64) });
    expect(await faultsOf(fourth)).toEqual(['manifest.json: its digest does not match its parts']);
  });
});

describe('a battle with a forged outcome, and with all digests, rows and hashes forged', () => {
  test.runIf(DEPTH > 1)('is found only if its cell is simulated again', async () => {
    const folder = copy();
    await forge(folder, 7);
    expect(await faultsOf(folder)).toEqual([]);
    for (const seed of [0n, 1n, 2n, 3n, 4n, 5n].slice(0, 2 * DEPTH)) {
      const fault = 'cell 7: engine reference gets different counts in 500 battles';
      const found = choosePlaces(20, 4, seed).has(7);
      expect(await faultsOf(folder, { cells: 4, seed }), String(seed)).toEqual(found ? [fault] : []);
    }
    expect(await faultsOf(folder, { engine: 'kernel', probability: 1, cells: undefined })).toHaveLength(1);
  });
});

test('verifyStore stops between two cells of a part after a signal', async () => {
  const stop = new AbortController();
  const onProgress = (): void => {
    setImmediate(() => {
      stop.abort();
    });
  };
  const { cells, complete } = await verifyStore(whole, { cells: 0, signal: stop.signal, onProgress });
  expect(complete).toBe(false);
  expect(cells).toBeLessThan(20);
});

test('verifyStore reports cells as done only after they are simulated again', async () => {
  const reported: number[] = [];
  await verifyStore(whole, { cells: 3, seed: 1n, onProgress: ({ done }) => void reported.push(done) });
  // All 20 cells are consistent before the first one is simulated again.
  expect(reported.filter((done) => done === 17).length).toBeGreaterThanOrEqual(4);
  expect(reported.at(-1)).toBe(20);
});

test.runIf(DEPTH > 1)('verifyStore with two threads finds the same faults as with one, in the same order', async () => {
  const folder = place();
  const axis = (side: string): string => `{ path: ${side}.hp, range: [1, 46] }`;
  await run(`axes: [${axis('attacker')}, ${axis('defender')}]\nbattles: 0\nexact: always`, folder);
  const { parts = [], cells } = manifestIn(folder);
  expect(cells).toBe(2116);
  const tables = parts.map(({ file }) => file).filter((file) => file.startsWith('table/'));
  expect(tables.length).toBeGreaterThan(4);
  const store = await readSweepStore(folder);
  for (const segment of [3, 1]) {
    const path = join(folder, tables[segment] ?? '');
    const about = await readTableMetadata(tableFile(path));
    const rows = await readRows(tableFile(path), store.sweep.columns, store.points(segment));
    const altered = rows.map((row, r) => (r === 0 ? { ...row, exact: (row.exact ?? 0) / 2 } : row));
    writeFileSync(path, encodeRows(altered, store.sweep.columns, about));
  }
  forgeManifest(folder);
  const reported: number[] = [];
  const options = { seed: 3n, cells: 4, onProgress: ({ done }: { done: number }) => void reported.push(done) };
  const one = await verifyStore(folder, { ...options, workers: 1 });
  expect(reported.length).toBeGreaterThan(2000);
  reported.length = 0;
  const two = await verifyStore(folder, { ...options, workers: 2 });
  expect(two).toEqual(one);
  expect(two).toMatchObject({ complete: true, cells: 2116, solved: 4 });
  const first = [1, 3].map((segment) => `cell ${String(store.points(segment)[0])} `);
  expect(two.faults.map(({ where }) => first.findIndex((cell) => where.startsWith(cell)))).toEqual([0, 1]);
  expect(reported.every((done, t) => done <= 2116 && done >= (reported[t - 1] ?? 0))).toBe(true);
  // Threads that know a store open it again after it has changed.
  rmSync(join(folder, tables[0] ?? ''));
  reported.length = 0;
  expect((await verifyStore(folder, { ...options, workers: 2 })).faults.length).toBeGreaterThan(2);
});

test('verifyStore accepts axes with missing values, and finds a changed value', async () => {
  const folder = place();
  await run('axes: [{ path: attacker.attack, values: [1, null, 2] }]\nbattles: 100\nexact: always', folder);
  expect(await faultsOf(folder)).toEqual([]);
  const table = join(folder, TABLE);
  const store = await readSweepStore(folder);
  const rows = await readRows(tableFile(table), store.sweep.columns, [0, 3]);
  const altered = rows.map((row) => (row.cell === 0 ? { ...row, axes: { 'attacker.attack': '2' } } : row));
  writeFileSync(table, encodeRows(altered, store.sweep.columns, await readTableMetadata(tableFile(table))));
  forgeManifest(folder);
  expect((await faultsOf(folder))[0]).toMatch(/^cell 0 \S+: attacker\.attack differs from the design$/);
});
