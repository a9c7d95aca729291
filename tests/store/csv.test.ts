import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { checkOutput, writeText } from '../../src/core/files/output.ts';
import { exportCsv, openStore } from '../../src/storage/store/open-store.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, filesOf, place, rowsOf, run } from './folders.ts';

const TEXT = `axes:
  - { path: attacker.hp, values: [3, 4] }
  - { name: army, cases: { "=SUM(A1)": {}, 'a "quoted", name': { defender.attack: null }, ünï: { defender.attack: 2 } } }
battles: 200
exact: always
seed: "18446744073709551615"`;

test.runIf(DEPTH > 1)(
  'exportCsv for spreadsheets writes a byte order mark, CRLF, quotes, no formulas, and all rows',
  async () => {
    const parent = place();
    mkdirSync(parent);
    const folder = join(parent, 'store');
    await run(TEXT, folder);
    const store = await openStore(folder);
    const path = join(folder, '../table.csv');
    const rows = await rowsOf(folder);
    expect(await exportCsv(store, path, { of: 'table', excel: true })).toBe(rows.length);
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith('\uFEFFcell,attacker.hp,army,kind,name,battles,estimate,low,high,')).toBe(true);
    const lines = text.slice(1).split('\r\n');
    expect(lines).toHaveLength(rows.length + 2);
    expect(text).not.toMatch(/[^\r]\n/);
    expect(lines[1]).toMatch(/^0,3,'=SUM\(A1\),outcome,attacker,200,/);
    expect(text).toContain('1,3,"a ""quoted"", name",outcome');
    expect(text).toContain('2,3,ünï,outcome');
    expect(lines[1]?.split(',').at(-3)).toBe('18446744073709551615');
    expect(Number(lines[1]?.split(',')[6])).toBe(rows[0]?.estimate);
    const counts = join(folder, '../counts.csv');
    const written = await exportCsv(store, counts, { of: 'histograms' });
    expect(readFileSync(counts, 'utf8').split('\n')).toHaveLength(written + 2);
    expect(readFileSync(counts, 'utf8')).toMatch(/^cell,kind,name,outcome,value,from,to,count,probability\n/);
    await exportCsv(store, path, { of: 'table' });
    expect(readFileSync(path, 'utf8')).toBe(text.slice(1).replaceAll('\r\n', '\n'));
    await expect(exportCsv(store, join(path, 'x.csv'), { of: 'table' })).rejects.toThrow('x.csv cannot be written: E');
    await exportCsv(store, join(parent, 'deep/down/x.csv'), { of: 'table' });
    expect(readFileSync(join(parent, 'deep/down/x.csv'), 'utf8')).toBe(readFileSync(path, 'utf8'));
    expect(filesOf(parent).some((name) => name.endsWith('.draft'))).toBe(false);
  },
);

describe('an output path', () => {
  const OWN = ['manifest.json', 'table/part-00000.parquet', 'histograms/x', 'table', 'lock', '.previous/table/x'];

  test.each(OWN)('is rejected if it is the file %s of a store', async (file) => {
    const folder = place();
    await run(TEXT, folder);
    const before = bytesOf(folder);
    const store = await openStore(folder);
    const rejection = 'expected a file that is not part of a store, found';
    await expect(exportCsv(store, join(folder, file), { of: 'table' })).rejects.toThrow(rejection);
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    await expect(checkOutput(join(link, file), '--out')).rejects.toThrow(`--out: ${rejection} ${file} of the store`);
    expect(bytesOf(folder)).toEqual(before);
  });

  test('is rejected if it is a file of a resumable run', async () => {
    const folder = place();
    mkdirSync(join(folder, 'tallies'), { recursive: true });
    writeFileSync(join(folder, 'run.json'), '{}');
    await expect(writeText(join(folder, 'run.json'), 'x')).rejects.toThrow('run.json of the store');
    await writeText(join(folder, 'notes.txt'), 'x');
  });

  test('is rejected if it is a link to an input file', async () => {
    const folder = place();
    mkdirSync(folder);
    const [file, link] = [join(folder, 'file'), join(folder, 'link')];
    writeFileSync(file, 'x');
    symlinkSync(file, link);
    await expect(checkOutput(link, '--junit', [file])).rejects.toThrow('--junit: expected a file that is not an input');
    await checkOutput(join(folder, 'other'), '--junit', [file]);
  });

  test('may have the name of a store file outside of stores', async () => {
    const folder = place();
    mkdirSync(folder);
    await writeText(join(folder, 'manifest.json'), 'x');
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe('x');
  });
});

describe('output', () => {
  const inside = (): string => {
    const folder = place();
    mkdirSync(folder);
    return folder;
  };

  test('to a link replaces its target and keeps the link', async () => {
    const folder = inside();
    const [file, link] = [join(folder, 'file'), join(folder, 'link')];
    writeFileSync(file, 'old');
    symlinkSync(file, link);
    await writeText(link, 'new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['file', 'link']);
  });

  test('to a pipe keeps the pipe', async () => {
    const store = place();
    await run(TEXT, store);
    const pipe = join(inside(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = promisify(execFile)('cat', [pipe]);
    const records = await exportCsv(await openStore(store), pipe, { of: 'table' });
    expect((await reading).stdout.split('\n')).toHaveLength(records + 2);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  /**
   * Creates a device that is always full in a temporary folder, because a rename must never replace the device of the
   * machine.
   */
  function fullDevice(): string | undefined {
    const path = join(inside(), 'full');
    if (spawnSync('mknod', [path, 'c', '1', '7']).status !== 0) return undefined;
    try {
      writeFileSync(path, 'x');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return path;
    }
    return undefined;
  }

  const device = fullDevice();
  test.runIf(device !== undefined)('to a full device is an error that keeps the device', async () => {
    const path = device ?? '';
    const message = `RunError: ${path} cannot be written: ENOSPC: no space left on device`;
    await expect(writeText(path, 'x').catch(String)).resolves.toBe(message);
    const store = place();
    await run(TEXT, store);
    await expect(exportCsv(await openStore(store), path, { of: 'table' }).catch(String)).resolves.toBe(message);
    expect(lstatSync(path).isCharacterDevice()).toBe(true);
  });
});
