/** Shares of a run, played by several into one folder or into several: together they are the run. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSystems } from '../../src/rules/load.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { simulate } from '../../src/studies/simulate.ts';
import { prepareRun, simulateInto, simulateShard } from '../../src/work/tallies/into.ts';
import { RUNS } from '../../src/work/tallies/manifest.ts';
import { mergeRun } from '../../src/work/tallies/merge.ts';
import { RunStore } from '../../src/work/tallies/store.ts';
import { change, ownFolder } from '../own.ts';
import { ASKED, DUEL, HERE, into, mortal, place, share } from './folders.ts';

const { rangeSize: _size, ...PLAIN } = ASKED;
const single = await simulate(DUEL, PLAIN);

/** Folders with a share each. */
async function shares(count: number): Promise<string[]> {
  const folders = Array.from({ length: count }, place);
  for (const [f, folder] of folders.entries()) await share(folder, f + 1, count);
  return folders;
}

const store = async (folder: string): Promise<RunStore> => new RunStore(folder, await RUNS.read(folder));

const PART = 'tallies/part-00002-2033-3033.parquet';
const RANGE = { from: 2033, to: 3033 };

describe('shares', () => {
  test.each([1, 2, 8])('%i of them, in any order, merge to the run', async (count) => {
    const folders = await shares(count);
    const [first = '', ...others] = folders.toReversed();
    const { result, missing, added, manifest } = await mergeRun(first, others);
    const own = Math.ceil((5 - (count - 1)) / count);
    expect({ digest: result?.digest, missing }).toEqual({ digest: single.digest, missing: [] });
    expect(added).toBe(5 - Math.max(0, own));
    expect(result?.summary).toEqual(single.summary);
    expect(manifest).toEqual((await into(place())).manifest);
  });

  test('into one folder, where the run is then finished by merging it, or by --resume', async () => {
    for (const finish of [mergeRun, (folder: string) => into(folder, { mode: 'resume', pool: mortal(0) })]) {
      const folder = place();
      expect((await share(folder, 2, 2)).manifest.complete).toBe(false);
      expect(await share(folder, 1, 2)).toMatchObject({ done: 3, before: 0, ranges: 3, complete: true, parts: 5 });
      expect((await finish(folder)).result?.digest).toBe(single.digest);
      expect((await RUNS.read(folder)).complete).toBe(true);
    }
  });

  test('a merge that is stopped while it adds up says so', async () => {
    const [first = '', second = ''] = await shares(2);
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }): void => {
      if (done === 5) stop.abort();
    };
    const merging = mergeRun(first, [second], { signal: stop.signal, onProgress });
    await expect(merging).rejects.toThrow('stopped before');
    expect((await mergeRun(first)).result?.digest).toBe(single.digest);
  });

  test('into a folder of its own that does not exist, with parts that several have', async () => {
    const [a, b, c] = [...(await shares(2)), place()] as [string, string, string];
    await share(b, 1, 3);
    const { result, added, manifest, parts } = await mergeRun(c, [a, b, a]);
    expect({ digest: result?.digest, added, parts }).toEqual({ digest: single.digest, added: 5, parts: 5 });
    expect(await RUNS.read(c)).toEqual(manifest);
    expect((await mergeRun(c, [a, b, c])).added).toBe(0);
  });

  test('killed, a share goes on where it was, and tells what was there', async () => {
    const folder = place();
    await expect(share(folder, 1, 2, { pool: mortal(2) })).rejects.toThrow('killed');
    expect(await share(folder, 1, 2)).toMatchObject({ done: 3, before: 2, ranges: 3, battles: 500 });
    expect(await share(folder, 1, 2, { pool: mortal(0) })).toMatchObject({ done: 3, before: 3, battles: 0 });
  });

  test('a signal ends it between or within ranges; the one under way is not kept', async () => {
    const [folder, stop] = [place(), new AbortController()];
    let ranges = 0;
    const pool = {
      async play(...[run, options]: Parameters<typeof HERE.play>) {
        if (++ranges === 2) stop.abort();
        return await HERE.play(run, options);
      },
    };
    const { done, complete } = await share(folder, 1, 2, { pool, signal: stop.signal });
    expect({ done, complete, files: readdirSync(join(folder, 'tallies')).length }).toEqual({
      done: 1,
      complete: false,
      files: 1,
    });
  });

  test('two processes at the same share at once: both end well, and the files are the same', async () => {
    const [folder, alone] = [place(), place()];
    await Promise.all([share(folder, 1, 2), share(folder, 1, 2), share(alone, 1, 2)]);
    const files = readdirSync(join(folder, 'tallies'));
    expect(files).toEqual(readdirSync(join(alone, 'tallies')));
    for (const file of files)
      expect(readFileSync(join(folder, 'tallies', file))).toEqual(readFileSync(join(alone, 'tallies', file)));
  });

  test('a share of another run is refused, and so is one of a precision', async () => {
    const folder = place();
    await prepareRun(folder, DUEL, ASKED);
    await expect(share(folder, 1, 2, { seed: 8 })).rejects.toThrow('seed: "7" in the store, "8" asked for');
    await expect(share(place(), 1, 2, { precision: 0.01 })).rejects.toThrow('precision: expected a number of battles');
    await expect(share(folder, 3, 2)).rejects.toThrow('shard.index: expected an integer 1..2, found 3');
  });
});

describe('a merge tells', () => {
  test('which battles are missing, and finishes when they are there', async () => {
    const folder = place();
    await share(folder, 2, 3);
    const first = await mergeRun(folder);
    expect(first.missing).toEqual([
      { from: 33, to: 1033 },
      { from: 2033, to: 4033 },
    ]);
    expect(first).toMatchObject({ parts: 2, manifest: { complete: false } });
    expect(first.result).toBeUndefined();
    await share(folder, 1, 3);
    await share(folder, 3, 3);
    expect((await mergeRun(folder)).result?.digest).toBe(single.digest);
  });

  test('whose parts disagree: neither is taken, and both digests are told', async () => {
    const [a, b] = (await shares(2)) as [string, string];
    const [own, other] = [await store(a), await store(b)];
    // A worker with bad memory: one battle ended otherwise, and all sums are right.
    const tally = await own.read(RANGE);
    const lied = await other.read({ from: 1033, to: 2033 });
    await other.write(RANGE, lied);
    const { disagreeing, result, missing, manifest } = await mergeRun(a, [b]);
    expect(disagreeing).toMatchObject([{ file: PART, ...RANGE, digests: [{ folder: a }, { folder: b }] }]);
    const right = await simulate(DUEL, { seed: 7, from: RANGE.from, battles: 1000 });
    expect(disagreeing[0]?.digests[0]?.digest).toBe(right.digest);
    expect(disagreeing[0]?.digests[1]?.digest).not.toBe(right.digest);
    expect({ result, missing, complete: manifest.complete }).toEqual({
      result: undefined,
      missing: [RANGE],
      complete: false,
    });
    expect(await own.read(RANGE)).toEqual(tally);
    rmSync(join(b, PART));
    expect((await mergeRun(a, [b])).result?.digest).toBe(single.digest);
  });

  test('which parts are damaged, and takes good ones of other folders in their place', async () => {
    const folder = place();
    await share(folder, 1, 1);
    const copy = place();
    cpSync(folder, copy, { recursive: true });
    writeFileSync(join(folder, PART), readFileSync(join(folder, PART)).subarray(1));
    const alone = await mergeRun(folder);
    expect(alone).toMatchObject({ missing: [RANGE], damaged: [{ where: `${folder}/${PART}` }] });
    const { result, added, damaged } = await mergeRun(folder, [copy]);
    expect({ digest: result?.digest, added, damaged: damaged.length }).toEqual({
      digest: single.digest,
      added: 1,
      damaged: 1,
    });
    expect(readFileSync(join(folder, PART))).toEqual(readFileSync(join(copy, PART)));
  });

  test('that folders are of different runs, and changes nothing', async () => {
    const [a, b, c] = [place(), place(), place()];
    await share(a, 1, 2);
    await simulateShard(b, DUEL, { ...ASKED, seed: 8, pool: HERE, shard: { index: 2, of: 2 } });
    await simulateShard(c, DUEL, { ...ASKED, rangeSize: 2000, pool: HERE, shard: { index: 2, of: 2 } });
    await expect(mergeRun(a, [b])).rejects.toThrow(`seed: "8" in the store, "7" in ${a}`);
    await expect(mergeRun(a, [c])).rejects.toThrow(`rangeSize: 2000 in the store, 1000 in ${a}`);
    expect(readdirSync(join(a, 'tallies'))).toHaveLength(3);
    const nowhere = place();
    await expect(mergeRun(nowhere, [a, place()])).rejects.toThrow('expected a folder that warpool run --out has made');
    await expect(mergeRun(nowhere)).rejects.toThrow('expected a folder that warpool run --out has made');
    expect(existsSync(join(nowhere, 'run.json'))).toBe(false);
  });

  test('of a run with a precision, the first battles that are missing', async () => {
    const [folder, asked] = [place(), { seed: 3, precision: 0.02, rangeSize: 1500, pool: HERE }];
    await expect(simulateInto(folder, DUEL, { ...asked, pool: mortal(2) })).rejects.toThrow('killed');
    const there = await mergeRun(folder);
    expect(there.result).toBeUndefined();
    expect(there.missing).toHaveLength(1);
    const whole = place();
    await simulateInto(whole, DUEL, asked);
    const { result } = await mergeRun(folder, [whole]);
    expect(result?.stopping).toEqual((await simulate(DUEL, { seed: 3, precision: 0.02 })).stopping);
  });
});

test('runs by rules of one’s own are told apart by the hash of their module', async () => {
  const [one, other] = [ownFolder(), ownFolder()];
  change(other.path, '\n', '\n// another module\n');
  const folders = [place(), place()];
  for (const [f, own] of [one, other].entries()) {
    const systems = await loadSystems([own.path]);
    const scenario = validateScenario({ system: 'my-duel' }, { systems });
    await simulateShard(folders[f] ?? '', scenario, {
      battles: 40,
      rangeSize: 10,
      pool: HERE,
      shard: { index: f + 1, of: 2 },
    });
  }
  const [a, b] = folders as [string, string];
  await expect(mergeRun(a, [], {})).rejects.toThrow(/expected the file of the system .* that it was made with/);
  const systems = await loadSystems([one.path]);
  await expect(mergeRun(a, [b], { systems })).rejects.toThrow(/by which it was made, found hash [0-9a-f]+ of/);
  expect(await mergeRun(a, [], { systems })).toMatchObject({
    parts: 2,
    missing: [
      { from: 10, to: 20 },
      { from: 30, to: 40 },
    ],
  });
});
