import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEPTH, some } from '../depth.ts';
import { called } from './called.ts';
import { DUEL, file, warpool } from './warpool.ts';

const base = mkdtempSync(join(tmpdir(), 'warpool-sweeps-'));
let places = 0;
const place = (): string => join(base, String(places++));

const sweep = (text: string): string => file(`sweep-${String(places++)}.yaml`, `scenario: ${DUEL}\n${text}\n`);
const SMALL = sweep('axes: [{ path: attacker.hp, range: [5, 14] }]\nbattles: 1000');
/** Sweep of 200 cells in 10 segments, which takes 1 to 2 s. */
const LONG = sweep(
  'axes: [{ path: attacker.hp, range: [10, 209] }]\nbattles: 200000\nexact: never\nkeep: { metrics: [rounds] }',
);

/** Returns the number of written segments. */
function partsIn(folder: string): number {
  const table = join(folder, 'table');
  return existsSync(table) ? readdirSync(table).filter((name) => /^part-\d+\.parquet$/.test(name)).length : 0;
}

function bytesOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const hash = createHash('sha256');
  for (const name of names) {
    hash.update(`${name}\n`);
    if (statSync(join(folder, name)).isFile()) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

describe('sweep', () => {
  test('--dry-run prints the estimated work', async () => {
    const { code, stdout } = await called(['sweep', SMALL, '--dry-run']);
    expect(code).toBe(0);
    for (const part of ['10 cells\n', 'grid of 10 points', 'attacker.hp (10 values)', '1 000 battles each', 'about'])
      expect(stdout).toContain(part);
    const { stdout: json } = await called(['sweep', SMALL, '--dry-run', '--json']);
    const estimate = JSON.parse(json) as { readonly tried: number; readonly solved: number };
    expect(estimate).toMatchObject({ cells: 10, points: 10, checked: 10, system: 'attrition' });
    // The number of tried cells depends on the available time: one on a busy machine.
    expect(estimate.tried).toBeGreaterThanOrEqual(1);
    expect(estimate.tried).toBeLessThanOrEqual(10);
    expect(estimate.solved).toBe(estimate.tried);
    const wrong = await called(['sweep', sweep('axes: [{ path: attacker.hp, values: [1, 0] }]'), '--dry-run']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('cell 1 (attacker.hp=0) attacker.hp: expected an integer 1..100000, found 0');
  });

  test('fills a folder, and finds it complete at the second call', async () => {
    const folder = place();
    const first = await called(['sweep', SMALL, '--out', folder]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('10 of 10 cells');
    const second = await called(['sweep', SMALL, '--out', folder, '--json']);
    const { digest, ...reported } = JSON.parse(second.stdout) as Record<string, unknown>;
    expect(reported).toMatchObject({ cells: 10, done: 10, doneBefore: 10, complete: true, rows: 70 });
    expect(first.stdout).toContain(`digest    ${String(digest)}\n`);
    const csv = join(base, 'out.csv');
    expect(await called(['export', folder, csv])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `${csv}: 70 records\n`,
    });
    const verified = await called(['verify', folder, '--probability', '1']);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toContain('OK, no problems found');
    expect(verified.stdout).toContain(
      '10 cells simulated again by the engine reference, 10 000 battles; 10 cells solved again',
    );
    expect(verified.stdout).toContain('with a probability of 100 %');
  });

  test.runIf(DEPTH > 1)('--extend adds battles, and --recompute accepts changed axes', async () => {
    const folder = place();
    await called(['sweep', SMALL, '--out', folder]);
    const more = await called(['sweep', SMALL, '--out', folder, '--extend', '--battles', '2e3', '--json']);
    expect(JSON.parse(more.stdout)).toMatchObject({ complete: true, done: 10 });
    const other = sweep('axes: [{ path: attacker.hp, range: [4, 14] }]\nbattles: 1000');
    const rejected = await called(['sweep', other, '--out', folder]);
    expect(rejected).toMatchObject({ code: 2, stdout: '' });
    expect(rejected.stderr).toContain('axes[0].range[0]: 5 in the store, 4 in the file');
    expect(await called(['sweep', other, '--out', folder, '--recompute', '--json'])).toMatchObject({ code: 0 });
  });

  test.each(
    some([
      [['sweep', SMALL], '--out: expected a folder for the results, found nothing'],
      [['sweep', SMALL, '--out', 'x', '--battles', '5'], '--battles requires --extend'],
      [['sweep', SMALL, '--out', 'x', '--extend'], '--extend requires --battles <total per cell>'],
      [['sweep', SMALL, '--out', 'x', '--resume', '--recompute'], '--recompute cannot be combined with --resume'],
      [
        ['sweep', SMALL, '--out', join(base, 'nowhere'), '--resume'],
        'nowhere: expected a folder written by warpool sweep or run --out, found no manifest.json in it; without --resume the sweep begins there',
      ],
      [
        ['sweep', DUEL, '--out', 'x'],
        'expected a sweep file, with a scenario and axes, found a scenario; use "warpool run"',
      ],
      [['verify', base], 'expected a folder written by warpool sweep or run --out, found no manifest.json in it'],
      [['verify', base, '--probability', '2'], '--probability: expected a number 0..1, or 0%..100%, found "2"'],
      [['verify', base, '--probability', '1', '--cells', '2'], '--probability cannot be combined with --cells'],
      [['export', base, 'x.csv'], 'expected a folder written by warpool sweep or run --out'],
    ]),
  )('rejects %s', async (args, message) => {
    const { code, stdout, stderr } = await called(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(existsSync('x')).toBe(false);
    expect(existsSync(join(base, 'nowhere'))).toBe(false);
  });

  test('verify reports faults and exits with 1', async () => {
    const folder = place();
    await called(['sweep', SMALL, '--out', folder]);
    const { writeFileSync } = await import('node:fs');
    const part = join(folder, 'table/part-00000.parquet');
    const bytes = readFileSync(part);
    bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
    writeFileSync(part, bytes);
    const { code, stdout, stderr } = await called(['verify', folder]);
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/its SHA-256 differs from the manifest|cannot be read/);
  });
});

describe('an interrupted sweep', () => {
  test.runIf(DEPTH > 1)('prints how to resume after Ctrl-C', async () => {
    const folder = place();
    const { code, stdout, stderr } = await warpool(['sweep', LONG, '--out', folder], {
      signals: [['SIGINT', () => partsIn(folder) >= 1]],
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(/interrupted at \d+ of 200 cells\n/);
    expect((stdout + stderr).match(/.*--resume.*/g)).toEqual(['continue: add --resume to the same command']);
    expect(await called(['sweep', LONG, '--out', folder, '--resume'])).toMatchObject({ code: 0 });
  });

  test.runIf(DEPTH > 1)('resumes to the same bytes after repeated SIGKILL', { timeout: 180_000 }, async () => {
    const whole = place();
    expect(await called(['sweep', LONG, '--out', whole])).toMatchObject({ code: 0 });
    const bytes = bytesOf(whole);
    let killed = 0;
    for (const [round, parts] of [1, 3, 0, 2, 5].slice(0, DEPTH).entries()) {
      const folder = place();
      for (const turn of [0, 1]) {
        const resume = existsSync(join(folder, 'manifest.json')) ? ['--resume'] : [];
        const args = ['sweep', LONG, '--out', folder, '--workers', String(1 + round), ...resume];
        const due = (): boolean => existsSync(folder) && partsIn(folder) >= parts + 2 * turn;
        // The sweep succeeds if it finishes before the signal.
        const { code } = await warpool(args, { signals: [['SIGKILL', due]] });
        expect([null, 0]).toContain(code);
        if (code === null) killed++;
      }
      const resume = existsSync(join(folder, 'manifest.json')) ? ['--resume'] : [];
      expect(await called(['sweep', LONG, '--out', folder, ...resume])).toMatchObject({ code: 0 });
      expect(bytesOf(folder)).toBe(bytes);
    }
    expect(killed).toBeGreaterThan(0);
  });
});
