import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { createMark, getOwnWriter } from '../../src/core/files/durable.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';
import {
  bytesOf,
  filesOf,
  manifestIn,
  place,
  putManifest,
  relisted,
  rowsOf,
  run,
  sweepFile,
  unfinished,
} from './folders.ts';

const AXES = 'axes: [{ path: attacker.hp, range: [5, 9] }, { path: defender.hp, values: [4, 6, 8] }]';
/** 8 cells, each in its own segment. */
const PLAYED = 'axes: [{ path: attacker.hp, range: [5, 12] }]\nbattles: 2100000\nexact: never';
/** 400 cells in 4 segments. */
const SOLVED = 'axes: [{ path: attacker.hp, range: [1, 20] }, { path: defender.hp, range: [1, 20] }]\nexact: always';

/** Returns the exact distribution of the first cell, value by value. */
async function lawOf(folder: string) {
  const store = await openStore(folder);
  return (await store.histogram(0)).filter(({ probability }) => probability !== null);
}

describe('the store of a sweep', () => {
  test('has the results of simulate and solve for each cell', async () => {
    const folder = place();
    await run(`${AXES}\nbattles: 3000\nexact: always\nseed: 5`, folder);
    const sweep = await loadSweep(sweepFile(`${AXES}\nbattles: 3000`));
    const rows = await rowsOf(folder);
    expect(rows).toHaveLength(15 * 7);
    for (let point = 0; point < 15; point++) {
      const cell = sweep.cell(point);
      if (cell === undefined) throw new Error('no cell');
      const simulation = await simulate(cell.scenario, { battles: 3000, seed: 5 });
      const exactDistribution = solveSync(cell.scenario).summary;
      const own = rows.filter((row) => row.cell === point);
      expect(new Set(own.map(({ digest }) => digest))).toEqual(new Set([simulation.digest]));
      expect(own[0]).toMatchObject({ scenario: cell.hash, seed: '5', battles: 3000, reached: null });
      expect(own[0]?.axes).toEqual({ 'attacker.hp': cell.labels[0], 'defender.hp': cell.labels[1] });
      for (const { name, p, ci95 } of simulation.summary.outcomes) {
        const row = own.find((each) => each.name === name);
        expect(row).toMatchObject({ kind: 'outcome', estimate: p, low: ci95?.[0], high: ci95?.[1], median: null });
        expect(row?.exact).toBe(exactDistribution.outcomes.find((each) => each.name === name)?.p);
      }
      for (const { name, mean, variance, quantiles, max } of simulation.summary.metrics) {
        const row = own.find((each) => each.name === name);
        expect(row).toMatchObject({ kind: 'metric', estimate: mean, max, median: quantiles[0.5] });
        expect(row?.standard_deviation).toBe(Math.sqrt(variance));
        expect(row?.standard_error).toBe(Math.sqrt(variance / 2999));
        expect(Math.abs(row?.z ?? 9)).toBeLessThan(5);
      }
    }
  });

  test('has the counts and the exact probability of each value', async () => {
    const folder = place();
    await run(`${AXES}\nbattles: 3000\nexact: always`, folder);
    const store = await openStore(folder);
    const sweep = await loadSweep(sweepFile(`${AXES}\nbattles: 3000`));
    const scenario = sweep.cell(7)?.scenario;
    if (scenario === undefined) throw new Error('no cell');
    const rounds = solveSync(scenario).summary.metrics[0];
    const histogram = await store.histogram(7);
    const exactDistribution = new Map<number | null, number>();
    for (const { name, value, probability } of histogram)
      if (name === 'rounds') exactDistribution.set(value, (exactDistribution.get(value) ?? 0) + (probability ?? 0));
    for (const [value, p] of rounds?.histogram ?? []) expect(exactDistribution.get(value)).toBeCloseTo(p, 12);
    const counted = histogram.filter(({ kind, count }) => kind === 'outcome' && count !== null);
    expect(counted.reduce((sum, { count }) => sum + (count ?? 0), 0)).toBe(3000);
    expect(counted.every(({ from, to }) => from === 0 && to === 3000)).toBe(true);
  });

  test('is identical for any number of threads', async () => {
    const one = place();
    await run(PLAYED, one, { workers: 1 });
    for (const workers of [3, 2].slice(0, DEPTH)) {
      const folder = place();
      await run(PLAYED, folder, { workers });
      expect(bytesOf(folder)).toEqual(bytesOf(one));
    }
    expect(filesOf(one)).toHaveLength(1 + 2 * 8);
  });

  test('has only the outcomes and metrics selected by keep', async () => {
    const folder = place();
    const keep = 'keep: { outcomes: [attacker], metrics: [rounds], histograms: false }';
    await run(`${AXES}\nbattles: 1000\nexact: always\n${keep}`, folder);
    const names = (await rowsOf(folder)).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(['attacker', 'rounds']));
    const histogram = await (await openStore(folder)).histogram(3);
    expect(histogram.every(({ probability }) => probability === null)).toBe(true);
    expect(new Set(histogram.map(({ name }) => name))).toEqual(new Set(['attacker', 'defender', 'mutual', 'rounds']));
  });

  test.runIf(DEPTH > 1)('shows whether a precision target was reached', async () => {
    const folder = place();
    await run(`${AXES}\nprecision: 0.01\nexact: never`, folder);
    const rows = await rowsOf(folder);
    for (const { low, high, kind, reached } of rows) {
      expect(reached).toBe(true);
      if (kind === 'outcome') expect((high ?? 1) - (low ?? 0)).toBeLessThanOrEqual(0.02);
    }
    const sweep = await loadSweep(sweepFile(AXES));
    const scenario = sweep.cell(0)?.scenario;
    if (scenario === undefined) throw new Error('no cell');
    const alone = await simulate(scenario, { precision: 0.01 });
    expect(rows[0]).toMatchObject({ battles: alone.to, digest: alone.digest });
    const short = place();
    await run(`${AXES}\nprecision: 0.01\nbattles: 1000\nexact: never`, short);
    expect((await rowsOf(short))[0]).toMatchObject({ battles: 1000, reached: false });
  });

  test.runIf(DEPTH > 1)(
    'supports precision targets in percent, and wider intervals of means with bounded',
    async () => {
      const folder = place();
      await run(`${AXES}\nprecision: 20%\nprecisionFloor: 0.05\nexact: never`, folder);
      for (const { low, high, kind, estimate, reached } of await rowsOf(folder)) {
        expect(reached).toBe(true);
        const halfWidth = ((high ?? 1) - (low ?? 0)) / 2;
        if (kind === 'outcome') expect(halfWidth).toBeLessThanOrEqual(0.2 * Math.max(0.05, estimate ?? 0));
      }
      const [plain, bounded] = [place(), place()];
      await run(`${AXES}\nbattles: 2000\nexact: never`, plain);
      await run(`${AXES}\nbattles: 2000\nexact: never\nbounded: true`, bounded);
      const wider = await rowsOf(bounded);
      for (const [r, { kind, low, high, digest }] of (await rowsOf(plain)).entries()) {
        const row = wider[r];
        expect(row?.digest).toBe(digest);
        if (kind === 'outcome') expect([row?.low, row?.high]).toEqual([low, high]);
        else expect((row?.high ?? 0) - (row?.low ?? 0)).toBeGreaterThan((high ?? 0) - (low ?? 0));
      }
    },
  );

  test.runIf(DEPTH > 1)('has the same rows if all threads simulate one cell', async () => {
    const text = 'axes: [{ path: attacker.hp, values: [5, 6] }]\nexact: never\nkeep: { metrics: [] }';
    const folder = place();
    await run(`${text}\nbattles: 17000000`, folder, { workers: 2 });
    const sweep = await loadSweep(sweepFile(`${text}\nbattles: 17000000`));
    const scenario = sweep.cell(1)?.scenario;
    if (scenario === undefined) throw new Error('no cell');
    const alone = await simulate(scenario, { battles: 17_000_000 });
    const row = (await rowsOf(folder)).find(({ cell, name }) => cell === 1 && name === 'attacker');
    expect(row?.estimate).toBe(alone.summary.outcomes[0]?.p);
  });
});

describe('runSweep in an existing folder', () => {
  test.runIf(DEPTH > 1)('resumes after an interruption with the same bytes', async () => {
    const whole = place();
    const { manifest } = await run(PLAYED, whole);
    const folder = place();
    const stop = new AbortController();
    const onProgress = (): void => {
      stop.abort();
    };
    expect(await run(PLAYED, folder, { signal: stop.signal, onProgress })).toMatchObject({ complete: false });
    expect((await openStore(folder)).info.complete).toBe(false);
    // Several interruptions at once: some parts are missing, and one was being written.
    rmSync(join(folder, 'table/part-00003.parquet'), { force: true });
    rmSync(join(folder, 'table/part-00005.parquet'), { force: true });
    rmSync(join(folder, 'histograms/part-00005-0-2100000.parquet'), { force: true });
    const dead = createMark({ ...getOwnWriter(), pid: 2 ** 22 + 1 });
    writeFileSync(join(folder, `table/.part-00005.parquet.${dead}.draft`), 'half');
    putManifest(folder, unfinished(manifest));
    const resumed = await run(PLAYED, folder, { mode: 'resume' });
    expect(resumed).toMatchObject({ complete: true, done: 8, cells: 8 });
    expect(bytesOf(folder)).toEqual(bytesOf(whole));
    const again = await run(PLAYED, folder);
    expect(again).toMatchObject({ complete: true, done: 8, before: 8 });
  });

  test.runIf(DEPTH > 1)('simulates only missing battles if it extends, with the rows of a longer sweep', async () => {
    const [extended, whole] = [place(), place()];
    const text = `${AXES}\nexact: auto`;
    await run(`${text}\nbattles: 1000`, extended);
    const before = bytesOf(extended);
    await run(`${text}\nbattles: 1000`, extended, { mode: 'extend', battles: 2500 });
    await run(`${text}\nbattles: 1000`, extended, { mode: 'extend', battles: 4000 });
    await run(`${text}\nbattles: 4000`, whole);
    expect(await rowsOf(extended)).toEqual(await rowsOf(whole));
    // The store has the exact distribution once.
    const [distributions, due] = [await lawOf(extended), await lawOf(whole)];
    expect(due).not.toEqual([]);
    expect(distributions).toEqual(due);
    const after = bytesOf(extended);
    const counts = Object.keys(after).filter((name) => name.startsWith('histograms'));
    expect(counts).toEqual([
      'histograms/part-00000-0-1000.parquet',
      'histograms/part-00000-1000-2500.parquet',
      'histograms/part-00000-2500-4000.parquet',
    ]);
    expect(after[counts[0] ?? '']).toBe(before[counts[0] ?? '']);
    // The original file is still accepted, and the sweep is complete.
    expect(await run(`${text}\nbattles: 1000`, extended, { mode: 'resume' })).toMatchObject({
      complete: true,
      before: 15,
    });
  });

  test.runIf(DEPTH > 1)('counts no battles twice if an extension was killed between counts and rows', async () => {
    const [extended, whole] = [place(), place()];
    await run(`${AXES}\nbattles: 1000`, extended);
    const rows = join(extended, 'table/part-00000.parquet');
    const old = readFileSync(rows);
    const { manifest } = await run(`${AXES}\nbattles: 1000`, extended, { mode: 'extend', battles: 2000 });
    writeFileSync(rows, old);
    putManifest(extended, { ...unfinished(manifest), parts: [] });
    await run(`${AXES}\nbattles: 1000`, extended, { mode: 'resume' });
    await run(`${AXES}\nbattles: 2000`, whole);
    expect(await rowsOf(extended)).toEqual(await rowsOf(whole));
  });

  test.runIf(DEPTH > 1)('recomputes a changed file with the same bytes as a new sweep', async () => {
    const [folder, whole] = [place(), place()];
    const small = 'axes: [{ path: attacker.hp, range: [5, 9] }]\nexact: never';
    const large = 'axes: [{ path: attacker.hp, range: [3, 9] }]\nexact: never';
    await run(`${small}\nbattles: 1000`, folder);
    const { manifest } = await run(`${large}\nbattles: 1500`, folder, { mode: 'recompute' });
    await run(`${large}\nbattles: 1500`, whole);
    expect(await rowsOf(folder)).toEqual(await rowsOf(whole));
    expect(bytesOf(folder)).toEqual(bytesOf(whole));
    expect(manifest.complete).toBe(true);
    expect(filesOf(folder).some((name) => name.includes('previous'))).toBe(false);
  });

  test.runIf(DEPTH > 1)('does not simulate unchanged cells again', async () => {
    const [folder, other] = [place(), place()];
    const text = (seed: number, low: number) =>
      `axes: [{ path: attacker.hp, range: [${String(low)}, 9] }]\nexact: never\nbattles: 1000\nseed: ${String(seed)}`;
    await run(text(1, 5), folder);
    await run(text(2, 5), other);
    // Counts of another seed replace the counts of the store. They remain in cells that are not simulated again.
    const part = 'histograms/part-00000-0-1000.parquet';
    writeFileSync(join(folder, part), readFileSync(join(other, part)));
    putManifest(folder, relisted(folder, manifestIn(folder)));
    await run(text(1, 4), folder, { mode: 'recompute' });
    const kept = (await rowsOf(folder)).filter(({ cell }) => cell > 0).map(({ estimate }) => estimate);
    expect(kept).toEqual((await rowsOf(other)).map(({ estimate }) => estimate));
  });

  test.runIf(DEPTH > 1)('resumes a recomputation that was killed while old parts were moved', async () => {
    const [folder, whole] = [place(), place()];
    const text = (low: number) => `axes: [{ path: attacker.hp, range: [${String(low)}, 9] }]\nbattles: 1000`;
    await run(text(5), folder);
    await run(text(3), whole);
    await run(text(4), folder, { mode: 'recompute' });
    const aside = join(folder, '.previous');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(aside);
    // Killed after the first rename: the manifest was moved, the parts were not.
    renameSync(join(folder, 'manifest.json'), join(aside, 'manifest.json'));
    await run(text(3), folder, { mode: 'recompute' });
    expect(bytesOf(folder)).toEqual(bytesOf(whole));
  });
});

describe('runSweep', () => {
  const rejected = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => 'accepted',
      (reason: unknown) => reason,
    );
    return error instanceof Error ? error.message : String(error);
  };

  test('rejects folders with another sweep or other files, or without a sweep to resume', async () => {
    const folder = place();
    await run(`${AXES}\nbattles: 1000`, folder);
    expect(await rejected(run(`${AXES}\nbattles: 1000\nseed: 3`, folder))).toContain(
      'expected the sweep file of this folder, found a changed one:\n  seed: 1 in the store, 3 in the file\n--recompute',
    );
    expect(await rejected(run(AXES, place(), { mode: 'resume' }))).toContain('no manifest.json in it');
    const stranger = place();
    const { mkdirSync } = await import('node:fs');
    mkdirSync(stranger);
    writeFileSync(join(stranger, 'thesis.txt'), 'years of work');
    expect(await rejected(run(AXES, stranger))).toContain('expected a new or an empty folder, found thesis.txt in it');
    expect(filesOf(stranger)).toEqual(['thesis.txt']);
    expect(await rejected(run(AXES, join(stranger, 'thesis.txt')))).toContain('found a file');
    const orphaned = place();
    await run(`${AXES}\nbattles: 1000`, orphaned);
    rmSync(join(orphaned, 'manifest.json'));
    expect(await rejected(run(`${AXES}\nbattles: 1000\nseed: 9`, orphaned))).toContain('without a manifest');
    expect(await rejected(run(`${AXES}\nbattles: 1000`, folder, { mode: 'extend', battles: 500 }))).toContain(
      'battles: expected more than the 1000 of each cell',
    );
  });

  test('rejects stores that are unfinished, damaged, or of another version', async () => {
    const folder = place();
    const { manifest } = await run(`${AXES}\nbattles: 1000`, folder);
    const put = (change: object): void => {
      putManifest(folder, { ...manifest, ...change });
    };
    putManifest(folder, unfinished(manifest));
    expect(await rejected(run(`${AXES}\nbattles: 1000`, folder))).toContain(
      'an unfinished sweep; option resume continues it',
    );
    put({ ruleset: '0' });
    expect(await rejected(run(`${AXES}\nbattles: 1000`, folder, { mode: 'resume' }))).toContain('found ruleset "0"');
    put({ format: 99 });
    expect(await rejected(run(`${AXES}\nbattles: 1000`, folder))).toContain('expected format 2, found 99');
    writeFileSync(join(folder, 'manifest.json'), '{');
    expect(await rejected(run(`${AXES}\nbattles: 1000`, folder))).toContain(
      'manifest.json cannot be read: it is not JSON',
    );
  });

  test('rejects a cell with an invalid scenario, and keeps the stored cells', async () => {
    const folder = place();
    const text = 'axes: [{ path: attacker.hp, values: [1, 100001, 2] }]\nbattles: 2100000';
    expect(await rejected(run(text, folder))).toContain('cell 1 (attacker.hp=100001) attacker.hp: expected an integer');
    expect(filesOf(folder).filter((name) => name.startsWith('table'))).toHaveLength(2);
  });

  test.runIf(DEPTH > 1)('rejects a cell whose exact answer is too large, with its index', async () => {
    const text =
      'axes: [{ path: attacker.hp, values: [9, 100000] }, { path: defender.hp, values: [99999] }]\nexact: always';
    expect(await rejected(run(text, place()))).toMatch(/cell 1: the exact answer needs/);
  });
});

test.runIf(DEPTH > 1)('sweeps with exact answers only have no counts, and resume like others', async () => {
  const folder = place();
  const { manifest } = await run(SOLVED, folder);
  expect(manifest).toMatchObject({ cells: 400, rows: 2800 });
  const rows = await rowsOf(folder);
  expect(rows.every(({ battles, digest, estimate }) => battles === 0 && digest === null && estimate === null)).toBe(
    true,
  );
  const bytes = bytesOf(folder);
  rmSync(join(folder, 'table/part-00002.parquet'));
  putManifest(folder, unfinished(manifest));
  await run(SOLVED, folder, { mode: 'resume' });
  expect({ ...bytesOf(folder), 'manifest.json': '' }).toEqual({ ...bytes, 'manifest.json': '' });
});
