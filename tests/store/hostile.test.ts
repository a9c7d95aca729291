/** Forged or damaged stores: errors name the file, and no file outside of the store is read. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { InputError, RunError } from '../../src/core/errors.ts';
import { exportCsv, openStore } from '../../src/storage/store/open-store.ts';
import { readTableMetadata } from '../../src/storage/store/parquet/parquet.ts';
import { encodeHistograms, readHistograms, readRows } from '../../src/storage/store/tables.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import type { HistogramRow, ResultRow } from '../../src/storage/sweep/rows.ts';
import { DEPTH, some } from '../depth.ts';
import {
  copyOf,
  encodeRows,
  filesOf,
  manifestIn,
  place,
  putManifest,
  relisted,
  rowsOf,
  run,
  runsOf,
  tableFile,
  unfinished,
} from './folders.ts';

const TEXT = 'axes: [{ path: attacker.hp, range: [1, 6] }]\nbattles: 200\nexact: always\nwhere: attacker.hp != 3';
const TABLE = 'table/part-00000.parquet';
const COUNTS = 'histograms/part-00000-0-200.parquet';
const CELLS = [0, 6] as const;

let whole: string;
let rows: ResultRow[];
beforeAll(async () => {
  whole = place();
  await run(TEXT, whole, { workers: 1 });
  rows = await rowsOf(whole);
});

const copy = (): string => copyOf(whole);

/** Creates a store whose manifest says that it is incomplete. */
function started(): string {
  const folder = copy();
  putManifest(folder, unfinished(manifestIn(folder)));
  return folder;
}

async function faultsOf(folder: string): Promise<string[]> {
  const { faults } = await verifyStore(folder, { cells: 0 });
  return faults.map(({ where, what }) => `${where}: ${what}`);
}

/** Reads all rows and counts of a store. Throws any error that is not documented. */
async function readOut(folder: string): Promise<string> {
  try {
    const store = await openStore(folder);
    const path = join(folder, '../out.csv');
    const found = [await exportCsv(store, path, { of: 'table' }), await exportCsv(store, path, { of: 'histograms' })];
    return found.join(' ');
  } catch (error) {
    if (error instanceof InputError || error instanceof RunError) return error.message;
    throw error;
  }
}

describe('other files next to parts', () => {
  const STRAYS = [
    'table/part-00000.x.parquet',
    'table/part-00000 (copy).parquet',
    'table/part-00001.parquet',
    'table/part-000000.parquet',
    'table/.hidden.parquet',
    'table/notes.txt',
    'table/inner/part-00000.parquet',
    'histograms/part-00000-0-7.parquet',
    'histograms/part-00000-200-400.parquet',
    'histograms/part-00001-0-200.parquet',
    'histograms/part-00000-0-200.parquet.bak',
  ];
  test.each(some(STRAYS))('%s is reported and ignored', async (file) => {
    const due = await readOut(whole);
    for (const folder of [copy(), started()]) {
      const stray = file.replace(/\/inner\/.*/, '/inner');
      mkdirSync(join(folder, file, '..'), { recursive: true });
      copyFileSync(join(folder, file.startsWith('table') ? TABLE : COUNTS), join(folder, file));
      expect(await faultsOf(folder)).toContain(
        `${stray}: it is not part of this sweep, but readers of the folder include it`,
      );
      expect((await openStore(folder)).strayFiles).toEqual([stray]);
      expect(await readOut(folder)).toBe(due);
    }
  });

  test('drafts and hidden files of operating systems are ignored', async () => {
    const folder = copy();
    writeFileSync(join(folder, 'table/.DS_Store'), '');
    writeFileSync(join(folder, 'table/.part-00000.parquet.x.draft'), 'half');
    expect(await faultsOf(folder)).toEqual([]);
  });
});

describe('a part', () => {
  const spoil: Readonly<Record<string, (path: string) => void>> = {
    'it is missing': (path) => {
      rmSync(path);
    },
    'it is a link': (path) => {
      renameSync(path, `${path}.away`);
      symlinkSync(`${path}.away`, path);
    },
    'it is a folder': (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    'it is not a regular file': (path) => {
      rmSync(path);
      execFileSync('mkfifo', [path]);
    },
    '536870913 bytes': (path) => {
      truncateSync(path, 2 ** 29 + 1);
    },
  };

  test.each(some([TABLE, COUNTS].flatMap((file) => Object.keys(spoil).map((what) => [file, what]))))(
    'is reported: %s: %s',
    async (file, what) => {
      for (const folder of [copy(), started()]) {
        spoil[what]?.(join(folder, file));
        const gone = what === 'it is missing';
        expect((await faultsOf(folder)).join('\n')).toMatch(gone ? /it is missing|0 of 1 segments exist/ : what);
        if (gone) continue;
        expect(await readOut(folder)).toContain(`${file} cannot be read: `);
      }
    },
  );

  test('that is missing from a complete store is reported by name', async () => {
    for (const file of [TABLE, COUNTS]) {
      const folder = copy();
      rmSync(join(folder, file));
      expect(await faultsOf(folder)).toContain(`${file}: it is missing`);
      expect(await readOut(folder)).toBe(`${join(folder, file)} cannot be read: it is missing`);
    }
  });

  test('with a changed bit is rejected, in complete and incomplete stores', async () => {
    const bytes = [readFileSync(join(whole, TABLE)), readFileSync(join(whole, COUNTS))];
    for (let flip = 0; flip < (DEPTH === 1 ? 8 : 60); flip++) {
      const which = flip % 2;
      const file = [TABLE, COUNTS][which] ?? '';
      const other = Uint8Array.from(bytes[which] ?? []);
      const at = (flip * 7919) % other.length;
      other[at] = (other[at] ?? 0) ^ (1 << (flip % 8));
      for (const folder of flip < 4 * DEPTH ? [copy(), started()] : [started()]) {
        writeFileSync(join(folder, file), other);
        expect(await readOut(folder)).toContain(`${join(folder, file)} cannot be read: `);
        expect((await faultsOf(folder)).join('\n')).toContain(file);
      }
    }
  });

  test('of another sweep, or without its counts, is computed again by a resumed sweep', async () => {
    const other = place();
    await run(TEXT.replace('200', '201'), other, { workers: 1 });
    for (const damage of [
      (folder: string) => {
        copyFileSync(join(other, TABLE), join(folder, TABLE));
      },
      (folder: string) => {
        rmSync(join(folder, COUNTS));
      },
    ]) {
      const folder = started();
      damage(folder);
      expect((await run(TEXT, folder, { mode: 'resume', workers: 1 })).repaired).toEqual([TABLE]);
      expect(await faultsOf(folder)).toEqual([]);
    }
  });
});

describe('folders and manifests', () => {
  test('a link to a folder of parts is not followed', async () => {
    for (const name of ['table', 'histograms']) {
      const [folder, away] = [copy(), place()];
      renameSync(join(folder, name), away);
      symlinkSync(away, join(folder, name));
      expect((await faultsOf(folder)).join('\n')).toContain(`${name} is not a folder of the store`);
      expect(await readOut(folder)).toContain(`${name} is not a folder of the store`);
    }
  });

  test.each([
    '../outside.parquet',
    'table/../../outside.parquet',
    '/etc/hostname',
    'table/part-00000.parquet\u0000',
    'table\\part-00000.parquet',
    'manifest.json',
    '',
  ])('a manifest that lists %j is rejected', async (file) => {
    const folder = copy();
    writeFileSync(join(folder, '../outside.parquet'), 'secret');
    const manifest = manifestIn(folder);
    const parts = manifest.parts?.map((part, p) => (p === 0 ? { ...part, file } : part));
    putManifest(folder, { ...manifest, parts });
    expect((await faultsOf(folder)).join('\n')).toContain('parts[0].file: expected a part of this sweep');
    expect(await readOut(folder)).toContain('parts[0].file: expected a part of this sweep');
  });

  test.each<[string, (path: string) => void, string]>([
    [
      'empty',
      (path) => {
        writeFileSync(path, '');
      },
      'it is not JSON',
    ],
    [
      'binary',
      (path) => {
        writeFileSync(path, new Uint8Array([0, 255, 254, 7]));
      },
      'The encoded data was not valid',
    ],
    [
      'null',
      (path) => {
        writeFileSync(path, 'null');
      },
      'other JSON',
    ],
    [
      'a list',
      (path) => {
        writeFileSync(path, '[{"format":2}]');
      },
      'other JSON',
    ],
    [
      'no sweep',
      (path) => {
        writeFileSync(path, '{"format":2,"ruleset":"4"}');
      },
      'its checksum does not match',
    ],
    [
      'deep',
      (path) => {
        writeFileSync(path, `{"format":2,"ruleset":"4","a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`);
      },
      'manifest.json',
    ],
    [
      'too large',
      (path) => {
        truncateSync(path, 2 ** 25 + 1);
      },
      'it has 33554433 bytes; at most 33554432 are allowed',
    ],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      'it is a folder',
    ],
    [
      'a pipe',
      (path) => {
        rmSync(path);
        execFileSync('mkfifo', [path]);
      },
      'it is not a regular file',
    ],
    [
      'a link',
      (path) => {
        renameSync(path, `${path}.away`);
        symlinkSync('manifest.json.away', path);
      },
      'it is a link',
    ],
  ])('a manifest that is %s is rejected', async (_what, spoil, due) => {
    const folder = copy();
    spoil(join(folder, 'manifest.json'));
    expect(await readOut(folder)).toContain(due);
    const verified = await faultsOf(folder).catch((error: unknown) => {
      if (error instanceof InputError) return [error.message];
      throw error;
    });
    expect(verified.join('\n')).toContain(due);
    for (const mode of ['new', 'resume', 'recompute'] as const)
      await expect(run(TEXT, folder, { mode, workers: 1 })).rejects.toThrow(due);
  });
});

/** Writes other rows into a store, updates all hashes, and verifies the store. */
async function forged(
  folder: string,
  change: { rows?: (rows: ResultRow[]) => ResultRow[]; counts?: (rows: HistogramRow[]) => HistogramRow[] },
): Promise<string[]> {
  const { sweep } = await openStore(folder);
  const [table, counts] = [tableFile(join(folder, TABLE)), tableFile(join(folder, COUNTS))];
  const [own, counted] = [await readRows(table, sweep.columns, CELLS), await readHistograms(counts, CELLS)];
  const about = [await readTableMetadata(table), await readTableMetadata(counts)];
  const altered = change.rows?.(own) ?? own;
  const facts = { ...about[0], rows: altered.length };
  writeFileSync(join(folder, TABLE), encodeRows(altered, sweep.columns, facts));
  writeFileSync(join(folder, COUNTS), encodeHistograms(runsOf(change.counts?.(counted) ?? counted), about[1] ?? {}));
  putManifest(folder, relisted(folder, { ...manifestIn(folder), rows: altered.length }));
  return await faultsOf(folder);
}

describe('verification of a store with forged rows and valid hashes', () => {
  test.each<[string, Parameters<typeof forged>[1], RegExp]>([
    ['nothing', {}, /^$/],
    [
      'the value of an axis',
      { rows: (all) => all.map((row, r) => (r === 9 ? { ...row, axes: { 'attacker.hp': 5 } } : row)) },
      /attacker\.hp differs from the design/,
    ],
    [
      'a seed',
      { rows: (all) => all.map((row) => (row.cell === 1 ? { ...row, seed: '9' } : row)) },
      /cell 1 attacker: seed is 9, not 1/,
    ],
    [
      'a scenario',
      { rows: (all) => all.map((row) => (row.cell === 1 ? { ...row, scenario: 'f'.repeat(64) } : row)) },
      /cell 1 attacker: scenario is f+, not/,
    ],
    [
      'rows of a cell that the condition leaves out',
      { rows: (all) => [...all, ...all.slice(0, 7).map((row) => ({ ...row, cell: 2 }))] },
      /it has 7 rows that belong to no cell/,
    ],
    ['rows that are missing', { rows: (all) => all.slice(0, -1) }, /cell 5: its rows are/],
    ['rows twice', { rows: (all) => [...all, ...all.slice(0, 1)] }, /cell 0: its rows are/],
    [
      'counts of a cell that the condition leaves out',
      { counts: (all) => [...all, { ...first(all), cell: 2 }] },
      /it has cell 2, which the sweep excludes/,
    ],
    ['counts twice', { counts: (all) => [first(all), ...all] }, /cell 0: it has .*, not /],
    [
      'a count in two rows',
      {
        counts: (all) => [
          { ...first(all), count: 1 },
          { ...first(all), count: (first(all).count ?? 2) - 1 },
          ...all.slice(1),
        ],
      },
      /cell 0: it has .*, not /,
    ],
    [
      'counts of a metric that nothing has',
      { counts: (all) => [...all, { ...first(all), kind: 'metric', name: 'luck', value: 1 }] },
      /metric luck 1 .* is impossible/,
    ],
    [
      'counts of an outcome that nothing has',
      { counts: (all) => [...all, { ...first(all), name: 'draw', outcome: 'draw' }] },
      /outcome draw null .* is impossible/,
    ],
    [
      'a value beyond all that can be',
      { counts: (all) => all.map((row) => (row.kind === 'metric' ? { ...row, value: 1e15 } : row)) },
      /1000000000000000 .* is impossible/,
    ],
    [
      'counts of other battles',
      { counts: (all) => all.map((row) => (row.count === null ? row : { ...row, to: 300 })) },
      /cell 0: it has .*"to":300/,
    ],
    [
      'a count that is none',
      { counts: (all) => all.map((row, r) => (r === 0 ? { ...row, count: -5 } : row)) },
      /-5 is impossible/,
    ],
    [
      'a law that is none',
      { counts: (all) => all.map((row) => (row.probability === null ? row : { ...row, probability: 7 })) },
      /7 is impossible/,
    ],
  ])('finds %s', async (_what, change, due) => {
    expect((await forged(copy(), change)).join('\n')).toMatch(due);
  });

  const first = (all: readonly HistogramRow[]): HistogramRow => {
    const row = all.find(({ kind, count }) => kind === 'outcome' && count !== null);
    if (row === undefined) throw new Error('no counts');
    return row;
  };

  test('finds a forged number of battles, even with matching names and hashes of parts', async () => {
    const folder = copy();
    const { computeSweepHash: sweepHash } = await import('../../src/storage/sweep/sweep.ts');
    const manifest = manifestIn(folder);
    const sweep = { ...manifest.sweep, battles: 201 };
    const hash = sweepHash(sweep);
    const file = 'histograms/part-00000-0-201.parquet';
    const [table, counts] = [tableFile(join(folder, TABLE)), tableFile(join(folder, COUNTS))];
    const about = await readTableMetadata(table);
    const { columns } = (await openStore(folder)).sweep;
    const own = (await readRows(table, columns, CELLS)).map((row) => ({ ...row, battles: 201 }));
    const counted = (await readHistograms(counts, CELLS)).map((row) => ({ ...row, to: row.count === null ? 0 : 201 }));
    writeFileSync(join(folder, TABLE), encodeRows(own, columns, { ...about, sweep: hash, battles: 201 }));
    writeFileSync(join(folder, file), encodeHistograms(runsOf(counted), { sweep: hash, segment: 0 }));
    rmSync(join(folder, COUNTS));
    const parts = [file, TABLE].map((name) => ({ file: name, bytes: 1, sha256: '' }));
    putManifest(folder, relisted(folder, { ...manifest, sweep, sweepHash: hash, parts }));
    expect(await faultsOf(folder)).toContain('cell 0: its counts have 200 battles, the sweep has 201');
  });

  test.runIf(DEPTH > 1)(
    'finds forged intervals with a precision target only if cells are simulated again',
    async () => {
      const folder = place();
      await run('axes: [{ path: attacker.hp, values: [3, 4] }]\nprecision: 0.05\nexact: never', folder, { workers: 1 });
      const { sweep } = await openStore(folder);
      const table = tableFile(join(folder, TABLE));
      const own = await readRows(table, sweep.columns, [0, 2]);
      const altered = own.map((row) => (row.kind === 'outcome' ? { ...row, low: 0.3, high: 0.3001 } : row));
      writeFileSync(join(folder, TABLE), encodeRows(altered, sweep.columns, await readTableMetadata(table)));
      putManifest(folder, relisted(folder, manifestIn(folder)));
      expect(await faultsOf(folder)).toEqual([]);
      const again = await verifyStore(folder, { cells: 2, engine: 'kernel', workers: 1 });
      expect(again.faults[0]).toMatchObject({
        where: 'cell 0 attacker',
        what: expect.stringMatching(/^low is 0.3; simulated again it is /) as string,
      });
    },
  );
});

test('reading a store creates no files', async () => {
  const folder = copy();
  const before = filesOf(folder);
  await readOut(folder);
  await faultsOf(folder);
  expect(filesOf(folder)).toEqual(before);
  expect(await rowsOf(folder)).toEqual(rows);
});

test('verifyStore reports other kernels as a fault, or as a note for another version', async () => {
  const folder = copy();
  const manifest = manifestIn(folder);
  const kernels = { ...manifest.kernels, attrition: '0'.repeat(64) };
  putManifest(folder, { ...manifest, kernels });
  expect((await faultsOf(folder)).join('\n')).toMatch(
    /^manifest.json: its kernels are from another build of warpool \S+: attrition$/,
  );
  putManifest(folder, { ...manifest, kernels, warpool: '0.0.7' });
  expect(await verifyStore(folder, { cells: 0 })).toMatchObject({
    faults: [],
    notes: [expect.stringMatching(/^made by warpool 0\.0\.7, whose kernels differ from version \S+: attrition$/)],
  });
});
