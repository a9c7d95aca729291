/** Command `warpool report`: written files, printed texts and rejected input. */
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { printReport, type ReportCommandOptions } from '../../src/cli/report.ts';
import type { ResultRow, Store } from '../../src/storage/sweep/rows.ts';
import { axis, DUEL, storeOf, sweepStore } from '../report/store.ts';
import { called } from './called.ts';
import { catchWriting, written } from './written.ts';

const opened = vi.hoisted((): { store: unknown } => ({ store: undefined }));
vi.mock('../../src/storage/store/open-store.ts', () => ({ openStore: () => Promise.resolve(opened.store) }));

let store: Store;
let folder: string;

beforeAll(async () => {
  const axes = [axis('attacker.hp', [10, 20]), axis('defender.hp', [10, 20])];
  store = await sweepStore({ scenario: DUEL, axes, battles: 200 });
});

beforeEach(() => {
  opened.store = store;
  folder = mkdtempSync(join(tmpdir(), 'warpool-report-'));
  catchWriting();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const notify = (options: Partial<ReportCommandOptions>) =>
  printReport('results', { format: ['svg', 'png'], ...options });

describe('warpool report', () => {
  test('writes a page, reports it on standard error and prints its full path', async () => {
    const page = join(folder, 'new', 'page.html');
    await notify({ out: page });
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(written.err).toMatch(/^report written, \d+ kB:\n$/);
    expect(written.out).toBe(`${page}\n`);
    expect(readdirSync(join(folder, 'new'))).toEqual(['page.html']);
  });

  test('writes only figures, in the requested formats', async () => {
    await notify({ figures: folder, format: ['svg', 'json'], of: ['attacker'] });
    const names = ['effects-attacker', 'law-outcomes', 'map-attacker', 'ranks-attacker', 'scores'];
    expect(readdirSync(folder).sort()).toEqual(names.flatMap((name) => [`${name}.svg`, `${name}.vl.json`]));
    expect(written.err).toBe(`${folder}: 5 figures written, each as svg, json\n`);
    const spec = JSON.parse(readFileSync(join(folder, 'map-attacker.vl.json'), 'utf8')) as { $schema: string };
    expect(spec.$schema).toContain('vega-lite/v6');
    expect(existsSync('report.html')).toBe(false);
  });

  test('prints the path of the page to standard error with --json', async () => {
    const page = join(folder, 'page.html');
    await notify({ out: page, json: true });
    expect(written.err).toMatch(/^report written, \d+ kB:\n/);
    expect(written.err.endsWith(`\n${page}\n`)).toBe(true);
    expect((JSON.parse(written.out) as { name: string }).name).toBe('a duel');
  });

  test('--json prints findings and writes no file', async () => {
    await notify({ json: true });
    const {
      findings: found,
      cells,
      complete,
    } = JSON.parse(written.out) as {
      findings: {
        of: { name: string };
        balanced: { cells: number; nearest: { cell: number; estimate: number; exact: number }[] };
        matters: { effects: { axis: string; direction: string }[] };
        odd: { kind: string; names: string[] }[];
        text: { balanced: string[] };
      };
      cells: { present: number };
      complete: boolean;
    };
    expect([found.of.name, cells.present, complete]).toEqual(['attacker', 4, true]);
    const off = found.balanced.nearest.map(({ exact }) => Math.abs(exact - 0.5));
    expect(off).toEqual(off.toSorted((a, b) => a - b));
    expect(off).toHaveLength(4);
    const directions = found.matters.effects.map(({ axis: name, direction }) => [name, direction]);
    expect(directions).toContainEqual(['attacker.hp', 'rises']);
    expect(directions).toContainEqual(['defender.hp', 'falls']);
    expect(found.odd).toEqual([{ kind: 'never', names: ['stalemate'], exact: true }]);
    expect(found.text.balanced[0]).toMatch(/^Closest to even: /);
    expect(written.err).toBe('');
    expect(existsSync('report.html')).toBe(false);
  });

  test('exits with 1 if simulated and exact results of a cell disagree', async () => {
    const rows: ResultRow[] = [];
    for await (const row of store.rows()) rows.push(row);
    const wrong = rows.map((row) => (row.cell === 2 && row.name === 'attacker' ? { ...row, exact: 1 } : row));
    opened.store = storeOf(store.info, wrong);
    const ended = await notify({ json: true }).catch((error: unknown) => error);
    expect(ended).toMatchObject({ code: 1 });
    expect(String(ended)).toMatch(
      /cell 2: exact and simulated results disagree: attacker is [\d.]+ % in 200 battles, but exactly 100 %; "warpool verify"/,
    );
    expect(JSON.parse(written.out)).toHaveProperty('findings');
  });

  test('rejects --json with --text', async () => {
    await expect(notify({ json: true, text: true })).rejects.toThrow('--json cannot be combined with --text');
  });

  test('--text prints tables and writes no file', async () => {
    await notify({ text: true });
    expect(written.out).toMatch(/^a duel\n/);
    expect(written.err).toBe('');
    expect(existsSync('report.html')).toBe(false);
  });

  test('rejects an --out file that does not end in .html', async () => {
    await expect(notify({ out: join(folder, 'table.parquet') })).rejects.toThrow(
      '--out: expected a file that ends in .html',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('rejects a store without finished cells', async () => {
    opened.store = storeOf({ ...store.info, complete: false }, []);
    await expect(notify({ text: true })).rejects.toThrow('results: the sweep has no finished cell yet');
  });

  test('reports a file that cannot be written', async () => {
    await expect(notify({ out: '/dev/null/page.html' })).rejects.toThrow('/dev/null/page.html cannot be written: ');
  });
});

describe('options of report', () => {
  test.each([
    [['--format', 'svg,pdf'], '--format: expected some of svg, png, json, found "pdf"'],
    [['--fix', 'attacker.hp'], '--fix: expected axis=value, found "attacker.hp"'],
    [['--cell', 'last'], '--cell: expected an integer 0..'],
  ])('rejects %j', async (args, message) => {
    vi.restoreAllMocks();
    const { code, stderr } = await called(['report', 'results', ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('--help lists the options', async () => {
    const { code, stdout } = await called(['report', '--help']);
    expect(code).toBe(0);
    for (const word of [
      '--out <file>',
      '--figures <folder>',
      '--format <list>',
      '--fix <axis=value...>',
      '--text',
      '--json',
    ])
      expect(stdout).toContain(word);
  });
});
