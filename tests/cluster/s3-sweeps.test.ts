/** Tests of shards in an object store. The merged store equals a local one byte by byte. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { AbortError, InputError, RunError } from '../../src/core/errors.ts';
import { hashSha256 } from '../../src/storage/cluster/part-storage.ts';
import type { S3Parts } from '../../src/storage/cluster/s3-parts.ts';
import { deliverShard, type FetchOptions, mergeRemoteStores } from '../../src/storage/cluster/shared-store.ts';
import { createStoreManifest, formatManifest, reopenManifest } from '../../src/storage/store/manifest.ts';
import type { MergeResult } from '../../src/storage/store/merge-stores.ts';
import { runSweep } from '../../src/storage/store/run-sweep.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import type { Sweep } from '../../src/storage/sweep/sweep.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, copyOf, filesOf, manifestIn, place, run, sweepFile } from '../store/folders.ts';
import { eachWithS3 } from './s3-place.ts';
import type { S3Server } from './s3-server.ts';

/** A sweep of 260 cells in three segments. */
const TEXT =
  'axes: [{ path: attacker.hp, range: [1, 13] }, { path: defender.hp, range: [1, 20] }]\nbattles: 20\nexact: never';
const COUNTS = 'histograms/part-00000-0-20.parquet';
const URL = 's3://bucket/prefix';
const file = sweepFile(TEXT);
const load = (): Promise<Sweep> => loadSweep(file);

let due: Record<string, string>;
let whole: string;
let server: S3Server;
let parts: S3Parts;

beforeAll(async () => {
  whole = place();
  await run(TEXT, whole);
  due = bytesOf(whole);
});

eachWithS3(URL, (aServer, itsParts) => {
  server = aServer;
  parts = itsParts;
});

const shard = async (index: number, of: number, options = {}) =>
  await deliverShard(parts, await load(), { index, of }, { workers: 1, ...options });

const merge = (folder: string, options?: FetchOptions): Promise<MergeResult> =>
  mergeRemoteStores(folder, [parts], options);

/** Stores files of a store under the prefix: as shards do, or without metadata as other programs do. */
function fill(which = (_: string): boolean => true, withHash = true): void {
  for (const name of filesOf(whole).filter(which)) {
    const bytes = readFileSync(join(whole, name));
    server.set(`prefix/${name}`, bytes, withHash ? { 'x-amz-meta-sha256': hashSha256(bytes) } : {});
  }
}

/** Returns the number of requests for the bytes of parts. */
const reads = (): number => server.log.filter(({ method, key }) => method === 'GET' && key.endsWith('.parquet')).length;

const shown = ({ faults }: MergeResult): string[] => faults.map(({ where, what }) => `${where}: ${what}`);

const messageOf = (what: Promise<unknown>): Promise<string> =>
  what.then(
    () => 'nothing',
    (error: unknown) =>
      error instanceof RunError || error instanceof InputError ? error.message : `another error: ${String(error)}`,
  );

describe('shards in an object store', () => {
  test.runIf(DEPTH > 1)('merge to the bytes of a local store and leave no temporary files', async () => {
    const scratch = place();
    mkdirSync(scratch);
    const usual = tmpdir();
    vi.stubEnv('TMPDIR', scratch);
    const first = await shard(1, 2);
    expect(first).toMatchObject({ folder: URL, segments: 2, cells: 132, done: 132, before: 0, complete: true });
    const folder = place();
    expect(await merge(folder)).toMatchObject({ complete: false, copied: 4, missing: { cells: 128 } });
    await shard(2, 2);
    expect(await merge(folder)).toMatchObject({ complete: true, copied: 2, faults: [] });
    expect(bytesOf(folder)).toEqual(due);
    expect((await verifyStore(folder, { cells: 1 })).faults).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
    vi.stubEnv('TMPDIR', usual);
    expect(readdirSync(folder).sort()).toEqual(['histograms', 'manifest.json', 'table']);
  });

  test('compute only segments that lack a part', async () => {
    fill((name) => name !== 'histograms/part-00002-0-20.parquet');
    expect(await shard(1, 2)).toMatchObject({ done: 132, before: 128 });
    expect([...server.objects.keys()].sort()).toEqual(Object.keys(due).map((name) => `prefix/${name}`));
    // The missing counts, put twice to test for conditional writes, the manifest, and the rows that exist.
    expect(server.count('PUT')).toBeLessThanOrEqual(4);
  });

  test.runIf(DEPTH > 1)('are fetched concurrently, and a failure leaves an empty folder', async () => {
    await shard(1, 1);
    let under = 0;
    let most = 0;
    // Each of the three segments has one part in progress. A sequential client would wait until the limit of 2 s.
    server.hold = async ({ method, key }) => {
      if (method !== 'GET' || !key.includes('part-')) return;
      most = Math.max(most, ++under);
      for (let k = 0; k < 200 && most < 3; k++) await pause(10);
      under--;
    };
    const folder = place();
    await merge(folder);
    expect(most).toBe(3);
    expect(bytesOf(folder)).toEqual(due);
    server.hold = () => undefined;
    server.fault = ({ key }) => (key.includes('00001') ? { status: 403, code: 'AccessDenied' } : undefined);
    const rejection = place();
    expect(await messageOf(merge(rejection))).toContain('part-00001');
    expect(readdirSync(rejection)).toEqual([]);
  });

  test('are fetched only if the store lacks the part', async () => {
    fill();
    const folder = copyOf(whole);
    expect(await merge(folder)).toMatchObject({ complete: true });
    expect(reads()).toBe(0);
    expect(await merge(place())).toMatchObject({ complete: true });
    expect(reads()).toBe(6);
  });

  test('merge together with a folder', async () => {
    const folder = place();
    await runSweep(await load(), { out: folder, shard: { index: 1, of: 2 }, workers: 1 });
    fill((name) => !name.includes('00000'), false);
    server.set('prefix/manifest.json', formatManifest(reopenManifest(manifestIn(whole))));
    const into = place();
    expect(await mergeRemoteStores(into, [folder, parts])).toMatchObject({ complete: true, copied: 6 });
    expect(bytesOf(into)).toEqual(due);
    expect(await messageOf(mergeRemoteStores(place(), [parts, parts]))).toBe(
      `${URL}: expected a location that is listed once, found it twice`,
    );
  });

  test('store nothing if the signal is already aborted', async () => {
    await expect(shard(1, 1, { signal: AbortSignal.abort() })).rejects.toThrow(AbortError);
    expect([...server.objects.keys()]).toEqual([]);
  });

  test.runIf(DEPTH > 1)('keep the stored parts when a request fails, and resume afterwards', async () => {
    server.fault = ({ method, key }) =>
      method === 'PUT' && key.includes('part-00002-') ? { status: 500, code: 'InternalError' } : undefined;
    expect(await messageOf(shard(1, 1))).toMatch(
      /^s3:\/\/bucket\/prefix\/histograms\/part-00002-0-20.parquet cannot be written: 500 /,
    );
    expect(server.objects.has('prefix/table/part-00000.parquet')).toBe(true);
    server.fault = () => undefined;
    expect((await shard(1, 1)).before).toBeGreaterThan(0);
    expect([...server.objects.keys()].sort()).toEqual(Object.keys(due).map((name) => `prefix/${name}`));
  });
});

describe('a prefix with other content', () => {
  test('is rejected with the differences to another sweep', async () => {
    const other = await loadSweep(sweepFile(TEXT.replace('20]', '21]')));
    server.set('prefix/manifest.json', formatManifest(createStoreManifest(other)));
    expect(await messageOf(shard(1, 1))).toMatch(
      /^s3:\/\/bucket\/prefix: expected the sweep file of this folder, found a changed one:\n {2}axes/,
    );
    expect(server.objects.size).toBe(1);
  });

  test('is rejected if its manifest is of another build', async () => {
    const manifest = reopenManifest(manifestIn(whole));
    const kernels = { ...manifest.kernels, automaton: 'f'.repeat(64) };
    server.set('prefix/manifest.json', formatManifest({ ...manifest, kernels }));
    expect(await messageOf(shard(1, 1))).toMatch(
      /^s3:\/\/bucket\/prefix\/manifest.json: expected the kernel "automaton" of this build, with hash [0-9a-f]{64}, found f{64}$/,
    );
  });

  test('is rejected if its manifest is invalid or too large', async () => {
    server.set('prefix/manifest.json', '{}');
    expect(await messageOf(shard(1, 1))).toMatch(
      /^s3:\/\/bucket\/prefix\/manifest.json: expected the manifest of a sweep/,
    );
    server.set('prefix/manifest.json', new Uint8Array(2 ** 25 + 1));
    expect(await messageOf(merge(place()))).toBe(
      's3://bucket/prefix/manifest.json cannot be read: it has more than 33554432 bytes',
    );
  });

  test('is rejected if its manifest is missing', async () => {
    expect(await messageOf(merge(place()))).toBe('s3://bucket/prefix/manifest.json is missing');
  });

  test('is rejected before parts are fetched if the folder has another sweep', async () => {
    fill();
    const folder = place();
    await run(TEXT.replace('[1, 13]', '[1, 2]').replace('[1, 20]', '[1, 2]'), folder);
    expect(await messageOf(merge(folder))).toMatch(/^s3:\/\/bucket\/prefix\/manifest.json sweep.axes/);
    expect(reads()).toBe(0);
  });
});

describe('a prefix that other programs write to', () => {
  test.runIf(DEPTH > 1)('a part with other bytes is reported and not overwritten', async () => {
    server.set(`prefix/${COUNTS}`, 'forged');
    expect(await messageOf(shard(1, 4))).toMatch(
      /part-00000-0-20.parquet exists with other bytes: SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}; two machines or builds disagree/,
    );
  });

  test('a damaged or invalid part is reported with its URL, and other parts are merged', async () => {
    fill(undefined, false);
    const key = 'prefix/table/part-00001.parquet';
    const bytes = Buffer.from(server.objects.get(key)?.bytes ?? []);
    bytes[99] = (bytes[99] ?? 0) ^ 1;
    server.set(key, bytes);
    server.set('prefix/table/part-00002.parquet', 'no Parquet');
    const folder = place();
    const merged = await merge(folder);
    expect(merged).toMatchObject({
      complete: false,
      missing: {
        segments: [[1, 2]],
      },
    });
    expect(shown(merged).join('\n')).toMatch(/s3:\/\/bucket\/prefix\/table\/part-00001.parquet/);
    expect(shown(merged).join('\n')).not.toContain('.fetched');
  });

  test('objects with unsafe names or names of other sweeps are not fetched', async () => {
    fill(undefined, false);
    const [folder, notes] = [place(), [] as string[]];
    const names = [
      'table/../../../escaped.parquet',
      '/etc/passwd',
      'table/part-00009.parquet',
      'histograms/part-00000-0-77.parquet',
      'lock/x.y',
      'warpool.config.js',
    ];
    for (const name of names) server.set(`prefix/${name}`, 'x');
    expect(await merge(folder, { onNote: (text) => notes.push(text) })).toMatchObject({ complete: true });
    expect(bytesOf(folder)).toEqual(due);
    expect(notes).toEqual([expect.stringMatching(/prefix has objects that are not part of this sweep: /)]);
    const requested = server.log.filter(({ method }) => method === 'GET').map(({ key }) => key);
    for (const name of names) expect(requested).not.toContain(`prefix/${name}`);
  });

  test('a part that does not match its hash in the metadata is rejected', async () => {
    fill(undefined, false);
    const key = 'prefix/table/part-00001.parquet';
    server.set(key, 'forged', {
      'x-amz-meta-sha256': hashSha256(readFileSync(join(whole, 'table/part-00001.parquet'))),
    });
    expect(await messageOf(merge(place()))).toBe(
      `s3://bucket/${key} cannot be read: its SHA-256 does not match its metadata`,
    );
    // The store has this part already, so the merge does not fetch it.
    const folder = copyOf(whole);
    expect(await merge(folder)).toMatchObject({ complete: true });
    expect(bytesOf(folder)).toEqual(due);
    rmSync(folder, { recursive: true });
  });
});
