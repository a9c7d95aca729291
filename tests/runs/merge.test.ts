/** Shards of a run in one folder or in several: merged, they equal the run. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import { SWEEP_FOLDERS } from '../../src/storage/store/manifest.ts';
import { mergeStores } from '../../src/storage/store/merge-stores.ts';
import { simulate } from '../../src/storage/store/simulate.ts';
import { change, ownFolder } from '../custom-system.ts';
import { ASKED, DUEL, HERE, into, mortal, place, share, storeOf } from './folders.ts';

const { rangeSize: _size, ...PLAIN } = ASKED;
const single = await simulate(DUEL, PLAIN);

/** Creates folders with one shard each. */
async function shares(count: number): Promise<string[]> {
  const folders = Array.from({ length: count }, place);
  for (const [f, folder] of folders.entries()) await share(folder, f + 1, count);
  return folders;
}

const PART = 'histograms/part-00000-2033-3033.parquet';
const RANGE = { from: 2033, to: 3033 };

describe('shards of a run', () => {
  test.each([1, 2, 8])('equal the run if %i of them are merged in any order', async (count) => {
    const folders = await shares(count);
    const [first = '', ...others] = folders.toReversed();
    const { result, missing, copied: taken, manifest } = await mergeStores(first, others);
    const own = Math.ceil((5 - (count - 1)) / count);
    expect({ digest: result?.digest, missing: missing.segments }).toEqual({ digest: single.digest, missing: [] });
    expect(taken).toBe(5 - Math.max(0, own));
    expect(result?.summary).toEqual(single.summary);
    expect(manifest).toEqual((await into(place())).manifest);
  });

  test('in one folder are finished by mergeStores or by resume', async () => {
    for (const finish of [mergeStores, (folder: string) => into(folder, { resume: true, pool: mortal(0) })]) {
      const folder = place();
      expect((await share(folder, 2, 2)).manifest.complete).toBe(false);
      expect(await share(folder, 1, 2)).toMatchObject({ done: 3, doneBefore: 0, ranges: 3, complete: true, parts: 5 });
      expect((await finish(folder)).result?.digest).toBe(single.digest);
      expect((await SWEEP_FOLDERS.read(folder)).complete).toBe(true);
    }
  });

  test('can be merged again if a merge was aborted while it added counts', async () => {
    const [first = '', second = ''] = await shares(2);
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }): void => {
      if (done === 7) stop.abort();
    };
    const merging = mergeStores(first, [second], { signal: stop.signal, onProgress });
    await expect(merging).rejects.toThrow('stopped before');
    expect((await mergeStores(first)).result?.digest).toBe(single.digest);
  });

  test('may be merged into a new folder, with parts that several folders have', async () => {
    const [a, b, c] = [...(await shares(2)), place()] as [string, string, string];
    await share(b, 1, 3);
    await expect(mergeStores(c, [a, b, a])).rejects.toThrow('expected a folder that is listed once');
    const { result, copied: taken, manifest, segments } = await mergeStores(c, [a, b]);
    expect({ digest: result?.digest, taken, segments }).toEqual({ digest: single.digest, taken: 5, segments: 5 });
    expect(await SWEEP_FOLDERS.read(c)).toEqual(manifest);
    expect((await mergeStores(c, [a, b])).copied).toBe(0);
  });

  test('resume after they were killed, and report existing ranges', async () => {
    const folder = place();
    await expect(share(folder, 1, 2, { pool: mortal(2) })).rejects.toThrow('killed');
    expect(await share(folder, 1, 2)).toMatchObject({ done: 3, doneBefore: 2, ranges: 3, battles: 500 });
    expect(await share(folder, 1, 2, { pool: mortal(0) })).toMatchObject({ done: 3, doneBefore: 3, battles: 0 });
  });

  test('stop after a signal, and do not store the unfinished range', async () => {
    const [folder, stop] = [place(), new AbortController()];
    let ranges = 0;
    const pool = {
      async play(...[run, options]: Parameters<typeof HERE.play>) {
        if (++ranges === 2) stop.abort();
        return await HERE.play(run, options);
      },
    };
    const { done, complete } = await share(folder, 1, 2, { pool, signal: stop.signal });
    expect({ done, complete, files: readdirSync(join(folder, 'histograms')).length }).toEqual({
      done: 1,
      complete: false,
      files: 1,
    });
  });

  test('write the same files if two processes run the same shard concurrently', async () => {
    const [folder, alone] = [place(), place()];
    await Promise.all([share(folder, 1, 2), share(folder, 1, 2), share(alone, 1, 2)]);
    const files = readdirSync(join(folder, 'histograms'));
    expect(files).toEqual(readdirSync(join(alone, 'histograms')));
    for (const file of files)
      expect(readFileSync(join(folder, 'histograms', file))).toEqual(readFileSync(join(alone, 'histograms', file)));
  });

  test('of another run or with a precision target are rejected', async () => {
    const folder = place();
    await createStore(DUEL, folder, ASKED);
    await expect(share(folder, 1, 2, { seed: 8 })).rejects.toThrow('seed: "7" in the store, "8" requested');
    await expect(share(place(), 1, 2, { precision: 0.01 })).rejects.toThrow('precision cannot be combined with shard');
    await expect(share(folder, 3, 2)).rejects.toThrow('shard: expected a shard 1..2 of 2, found 3/2');
  });
});

describe('mergeStores for a run', () => {
  test('reports missing battles, and finishes the run when all exist', async () => {
    const folder = place();
    await share(folder, 2, 3);
    const first = await mergeStores(folder);
    expect(first.missing).toEqual({
      segments: [
        [0, 0],
        [2, 3],
      ],
      cells: 1,
      shards: undefined,
    });
    expect((await mergeStores(folder, [], { shards: 3 })).missing.shards).toEqual([1, 3]);
    expect(first).toMatchObject({ segments: 5, complete: false, manifest: { complete: false } });
    expect(first.result).toBeUndefined();
    await share(folder, 1, 3);
    await share(folder, 3, 3);
    expect((await mergeStores(folder)).result?.digest).toBe(single.digest);
  });

  test('reports conflicting parts and their digests, and uses neither', async () => {
    const [a, b] = (await shares(2)) as [string, string];
    const [own, other] = [await storeOf(a), await storeOf(b)];
    // A worker with defective memory: one battle has a different outcome, and all sums are correct.
    const counts = await own.read(RANGE);
    const lied = await other.read({ from: 1033, to: 2033 });
    await other.write(RANGE, lied);
    const { faults, result, missing, manifest } = await mergeStores(a, [b]);
    const right = await simulate(DUEL, { seed: 7, from: RANGE.from, battles: 1000 });
    const command = 'run --seed 7 --from 2033 --battles 1000';
    expect(faults).toMatchObject([{ where: join(a, PART) }]);
    expect(faults[0]?.what).toContain(`${join(b, PART)} differs from it: digests ${right.digest} and `);
    expect(faults[0]?.what).toContain(`"${command}" prints the correct one`);
    expect({ result, missing: missing.segments, complete: manifest.complete }).toEqual({
      result: undefined,
      missing: [[2, 2]],
      complete: false,
    });
    expect(await own.read(RANGE)).toEqual(counts);
    rmSync(join(b, PART));
    expect((await mergeStores(a, [b])).result?.digest).toBe(single.digest);
  });

  test('reports damaged parts, and copies undamaged ones of other folders', async () => {
    const folder = place();
    await share(folder, 1, 1);
    const copy = place();
    cpSync(folder, copy, { recursive: true });
    writeFileSync(join(folder, PART), readFileSync(join(folder, PART)).subarray(1));
    const alone = await mergeStores(folder);
    expect(alone).toMatchObject({ missing: { segments: [[2, 2]] }, faults: [{ where: `${folder}/${PART}` }] });
    const { result, copied: taken, faults } = await mergeStores(folder, [copy]);
    expect({ digest: result?.digest, taken, faults: faults.length }).toEqual({
      digest: single.digest,
      taken: 1,
      faults: 1,
    });
    expect(readFileSync(join(folder, PART))).toEqual(readFileSync(join(copy, PART)));
  });

  test('rejects folders of different runs, and changes nothing', async () => {
    const [a, b, c] = [place(), place(), place()];
    await share(a, 1, 2);
    await simulate(DUEL, { out: b, ...ASKED, seed: 8, pool: HERE, shard: { index: 2, of: 2 } });
    await simulate(DUEL, { out: c, ...ASKED, rangeSize: 2000, pool: HERE, shard: { index: 2, of: 2 } });
    await expect(mergeStores(a, [b])).rejects.toThrow(`sweep.seed: expected "7", as in ${a}, found "8"`);
    await expect(mergeStores(a, [c])).rejects.toThrow(`sweep.rangeSize: expected 1000, as in ${a}, found 2000`);
    expect(readdirSync(join(a, 'histograms'))).toHaveLength(3);
    const nowhere = place();
    await expect(mergeStores(nowhere, [a, place()])).rejects.toThrow(
      'expected a folder written by warpool sweep or run --out',
    );
    await expect(mergeStores(nowhere)).rejects.toThrow('expected a folder written by warpool sweep or run --out');
    expect(existsSync(join(nowhere, 'manifest.json'))).toBe(false);
  });

  test('with a precision target reports the first missing battles', async () => {
    const [folder, asked] = [place(), { seed: 3, precision: 0.02, rangeSize: 1500, pool: HERE }];
    await expect(simulate(DUEL, { out: folder, ...asked, pool: mortal(2) })).rejects.toThrow('killed');
    const there = await mergeStores(folder);
    expect(there.result).toBeUndefined();
    expect(there.missing.segments).toHaveLength(1);
    const whole = place();
    await simulate(DUEL, { out: whole, ...asked });
    const { result } = await mergeStores(folder, [whole]);
    expect(result?.stopping).toEqual((await simulate(DUEL, { seed: 3, precision: 0.02 })).stopping);
  });
});

test('runs with custom systems are distinguished by the hash of the module', async () => {
  const [one, other] = [ownFolder(), ownFolder()];
  change(other.path, '\n', '\n// another module\n');
  const folders = [place(), place()];
  for (const [f, own] of [one, other].entries()) {
    const systems = await loadSystems([own.path]);
    const scenario = validateScenario({ system: 'my-duel' }, { systems });
    await simulate(scenario, {
      out: folders[f] ?? '',
      battles: 40,
      rangeSize: 10,
      pool: HERE,
      shard: { index: f + 1, of: 2 },
    });
  }
  const [a, b] = folders as [string, string];
  await expect(mergeStores(a, [], {})).rejects.toThrow(/expected the file of its system .*: option systems/);
  const systems = await loadSystems([one.path]);
  await expect(mergeStores(a, [b], { systems })).rejects.toThrow(/as when it was created, found hash [0-9a-f]+ of/);
  expect(await mergeStores(a, [], { systems })).toMatchObject({
    segments: 4,
    missing: {
      segments: [
        [1, 1],
        [3, 3],
      ],
    },
  });
});
