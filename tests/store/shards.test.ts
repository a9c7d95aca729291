/** Sweeps in shards on independent machines: the store equals the store of one machine, byte by byte. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AbortError } from '../../src/core/errors.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import { createTasks } from '../../src/storage/store/fill-store.ts';
import { mergeStores } from '../../src/storage/store/merge-stores.ts';
import { runSweep } from '../../src/storage/store/run-sweep.ts';
import { readSweepStore } from '../../src/storage/store/sweep-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, copyOf, filesOf, manifestIn, place, putManifest, run, sweepFile } from './folders.ts';
import { due, half, load, part, SEGMENTS, TEXT } from './halves.ts';

/** Two shards in separate folders: segments 0 and 2, and segments 1 and 3. */
const [odd, even] = [place(), place()];
const simulated = [
  await runSweep(await load(), { out: odd, shard: { index: 1, of: 2 }, workers: 1 }),
  await runSweep(await load(), { out: even, shard: { index: 2, of: 2 }, workers: 1 }),
];

describe('a shard', () => {
  test('simulates only its segments', () => {
    expect(Object.keys(due).filter((name) => name.startsWith('table'))).toHaveLength(SEGMENTS);
    expect(bytesOf(odd)).toEqual(bytesOf(half(1)));
    expect(bytesOf(even)).toEqual(bytesOf(half(2)));
    expect(filesOf(join(odd, 'table'))).toEqual(['part-00000.parquet', 'part-00002.parquet']);
    expect(filesOf(join(even, 'table'))).toEqual(['part-00001.parquet', 'part-00003.parquet']);
    expect(
      simulated.map(({ segments, cells, done, before, complete }) => [segments, cells, done, before, complete]),
    ).toEqual([
      [2, 256, 256, 0, true],
      [2, 228, 228, 0, true],
    ]);
  });

  test('simulates nothing twice, and nothing if it has no segments', async () => {
    const again = await runSweep(await load(), { out: odd, shard: { index: 1, of: 2 }, workers: 1 });
    expect(again).toMatchObject({ before: 256, done: 256, complete: true });
    const none = await runSweep(await load(), { out: odd, shard: { index: 7, of: 9 }, workers: 1 });
    expect(none).toMatchObject({ segments: 0, cells: 0, complete: true });
  });

  test('takes no lock, and ignores drafts of other processes', async () => {
    const folder = copyOf(odd);
    mkdirSync(join(folder, 'lock'));
    writeFileSync(join(folder, 'lock', 'somebody'), '');
    writeFileSync(join(folder, 'table', '.part-00001.parquet.x.draft'), 'half');
    await runSweep(await load(), { out: folder, shard: { index: 2, of: 2 }, workers: 1 });
    expect(filesOf(folder)).toContain('table/.part-00001.parquet.x.draft');
    expect(filesOf(folder)).toContain('lock/somebody');
  });

  test('uses the segment size of an existing store, if its sweep allows this size', async () => {
    const axes = 'axes: [{ path: attacker.hp, range: [1, 200] }, { path: defender.hp, range: [1, 200] }]';
    const [folder, sweep] = [place(), await loadSweep(sweepFile(`${axes}\nbattles: 1\nexact: never`))];
    await createStore(sweep, folder);
    const made = manifestIn(folder);
    expect(made.segmentSize).toBe(157);
    const last = { index: 313, of: 313 };
    for (const segmentSize of [3, 158]) {
      putManifest(folder, { ...made, segmentSize });
      const shown = `segmentSize: expected 4..157, to match the rest, found ${String(segmentSize)}`;
      await expect(runSweep(sweep, { out: folder, shard: last, workers: 1 })).rejects.toThrow(shown);
    }
    // Segment size of version 0.2.0.
    putManifest(folder, { ...made, segmentSize: 128 });
    const simulated = await runSweep(sweep, { out: folder, shard: last, workers: 1 });
    expect(simulated).toMatchObject({ segments: 1, cells: 64, complete: true });
  });

  test.runIf(DEPTH > 1)('resumes after an abort', async () => {
    const folder = place();
    const sweep = await load();
    await expect(
      runSweep(sweep, { out: folder, shard: { index: 1, of: 1 }, workers: 1, signal: AbortSignal.abort() }),
    ).rejects.toThrow(AbortError);
    await runSweep(sweep, { out: folder, shard: { index: 1, of: 1 }, workers: 1 });
    expect(await mergeStores(folder)).toMatchObject({ complete: true });
    expect(bytesOf(folder)).toEqual(due);
  });

  test.each([
    [{ index: 0, of: 2 }, 'shard: expected a shard 1..2 of 2, found 0/2'],
    [{ index: 3, of: 2 }, 'shard: expected a shard 1..2 of 2, found 3/2'],
    [{ index: 1, of: 0 }, 'shard: expected 1..1000000 shards, found 1/0'],
    [{ index: 1.5, of: 2 }, 'shard: expected a shard 1..2 of 2, found 1.5/2'],
  ])('with %o is rejected', async (shard, message) => {
    await expect(runSweep(await load(), { out: place(), shard })).rejects.toThrow(message);
  });

  test.each(['resume', 'extend', 'recompute'])('together with %s is rejected', async (mode) => {
    const options = { out: place(), shard: { index: 1, of: 2 }, [mode]: true };
    await expect(runSweep(await load(), options)).rejects.toThrow(`${mode} cannot be combined with shard`);
  });

  test('is rejected in the store of another sweep, version or kernel', async () => {
    const shard = { index: 1, of: 2 };
    const other = await loadSweep(sweepFile('axes: [{ path: attacker.hp, range: [1, 2] }]'));
    await expect(runSweep(other, { out: odd, shard })).rejects.toThrow('expected the sweep file of this folder');
    const manifest = manifestIn(odd);
    const changed = copyOf(odd);
    putManifest(changed, { ...manifest, warpool: '0.0.1' });
    await expect(runSweep(await load(), { out: changed, shard })).rejects.toThrow(
      /expected warpool .*of one build, found warpool 0\.0\.1/,
    );
    putManifest(changed, { ...manifest, kernels: { ...manifest.kernels, attrition: '0'.repeat(64) } });
    await expect(runSweep(await load(), { out: changed, shard })).rejects.toThrow(
      'expected the kernel "attrition" of this build',
    );
    putManifest(changed, { ...manifest, ruleset: '1' });
    await expect(runSweep(await load(), { out: changed, shard })).rejects.toThrow('expected ruleset');
    const strange = place();
    mkdirSync(strange);
    writeFileSync(join(strange, 'notes.txt'), '');
    await expect(runSweep(await load(), { out: strange, shard })).rejects.toThrow('expected a new or an empty folder');
  });
});

test('createTasks lists each segment once, in an order that is even over the sweep', async () => {
  const text = 'axes: [{ path: attacker.hp, range: [1, 12800] }]\nexact: always';
  const [folder, sweep] = [place(), await loadSweep(sweepFile(text))];
  const { segments } = await createStore(sweep, folder);
  const all = Array.from({ length: segments }, (_, segment) => segment);
  const order = (await createTasks(await readSweepStore(folder), all, undefined)).tasks.map(({ segment }) => segment);
  expect(order.toSorted((a, b) => a - b)).toEqual(all);
  for (let from = 0; from + 10 <= segments; from++) {
    const mean = order.slice(from, from + 10).reduce((sum, segment) => sum + segment, 0) / 10;
    expect(Math.abs(mean / segments - 0.5)).toBeLessThan(0.1);
  }
});

describe('shards in one folder', () => {
  test.runIf(DEPTH > 1)('may be prepared twice, run concurrently, and run twice', async () => {
    const [folder, sweep] = [place(), await load()];
    const prepared = await createStore(sweep, folder);
    expect(prepared).toMatchObject({ segments: SEGMENTS, manifest: { complete: false } });
    expect(filesOf(folder)).toEqual(['manifest.json']);
    expect(await createStore(sweep, folder)).toEqual(prepared);
    await Promise.all(
      [1, 2, 1, 2].map((index) => runSweep(sweep, { out: folder, shard: { index, of: 2 }, workers: 1 })),
    );
    const merged = await mergeStores(folder);
    expect(merged).toMatchObject({ complete: true, cells: 484, done: 484, copied: 0, faults: [] });
    expect(bytesOf(folder)).toEqual(due);
    expect(await mergeStores(folder)).toEqual(merged);
    expect(await runSweep(sweep, { out: folder, shard: { index: 1, of: 2 } })).toMatchObject({
      before: 256,
      complete: true,
    });
  });

  test('are reported if they are missing, and a local sweep computes them', async () => {
    const folder = copyOf(odd);
    const merged = await mergeStores(folder, [], { shards: 2 });
    const missing = {
      segments: [
        [1, 1],
        [3, 3],
      ],
      cells: 228,
      shards: [2],
    };
    expect(merged).toMatchObject({ complete: false, done: 256, cells: 484, missing, manifest: { complete: false } });
    expect(await run(TEXT, folder, { mode: 'resume' })).toMatchObject({ complete: true, before: 256 });
    expect(bytesOf(folder)).toEqual(due);
  });

  test.runIf(DEPTH > 1)('may be prepared for more battles, and for a changed sweep file', async () => {
    const text = (hp: number, battles: number): string =>
      `axes: [{ path: attacker.hp, range: [1, ${String(hp)}] }]\nbattles: ${String(battles)}`;
    const [folder, expected] = [place(), place()];
    await run(text(3, 1000), folder);
    await run(text(3, 2000), expected);
    const more = await loadSweep(sweepFile(text(3, 2000)));
    await createStore(more, folder, { extend: true });
    await runSweep(more, { out: folder, shard: { index: 1, of: 1 }, workers: 1 });
    expect(await mergeStores(folder)).toMatchObject({ complete: true, manifest: { extended: [1000] } });
    expect(bytesOf(folder)[part(0)]).toBe(bytesOf(expected)[part(0)]);
    const other = await loadSweep(sweepFile(text(4, 2000)));
    await createStore(other, folder, { recompute: true });
    await runSweep(other, { out: folder, shard: { index: 1, of: 1 }, workers: 1 });
    expect(await mergeStores(folder)).toMatchObject({ complete: true, cells: 4 });
    const fresh = place();
    await run(text(4, 2000), fresh);
    expect(bytesOf(folder)).toEqual(bytesOf(fresh));
  });
});
