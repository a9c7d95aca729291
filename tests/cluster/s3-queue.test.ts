/** Tests of queue workers that store their parts in an object store. The results equal a local sweep. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { type CoordinatorOptions, runSweepOnQueue } from '../../src/storage/cluster/coordinator.ts';
import type { DeliveredSegment } from '../../src/storage/cluster/job.ts';
import { openS3Parts, type S3Parts } from '../../src/storage/cluster/s3-parts.ts';
import { openSharedBucket } from '../../src/storage/cluster/shared-store.ts';
import type { JobHandler } from '../../src/storage/cluster/worker-service.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, filesOf, place, run, sweepFile } from '../store/folders.ts';
import { aLink, aServer, aWorker, HAS_REDIS, type Server, type WorkerAsked } from './redis.ts';
import { eachWithS3 } from './s3-place.ts';
import type { S3Server } from './s3-server.ts';

/** A sweep of 260 cells in three segments. */
const TEXT =
  'axes: [{ path: attacker.hp, range: [1, 13] }, { path: defender.hp, range: [1, 20] }]\nbattles: 20\nexact: never';
const FIRST = 'prefix/table/part-00000.parquet';

let due: Record<string, string>;
let whole: string;
let server: S3Server;
let parts: S3Parts;

beforeAll(async () => {
  whole = place();
  await run(TEXT, whole);
  due = bytesOf(whole);
});

eachWithS3('s3://bucket/prefix', (aServer, itsParts) => {
  server = aServer;
  parts = itsParts;
});

/** Creates a store of another sweep. */
async function another(): Promise<string> {
  const folder = place();
  await run(TEXT.replace('battles: 20', 'battles: 21'), folder);
  return folder;
}

/** Records the segments that a worker delivers. */
const hearing =
  (received: DeliveredSegment[], change = (simulated: DeliveredSegment): DeliveredSegment => simulated) =>
  (performer: JobHandler): JobHandler => ({
    async perform(job) {
      const result = await performer.perform(job);
      if (result.kind !== 'cells') return result;
      const segments = result.segments.map(change);
      received.push(...segments);
      return { ...result, segments };
    },
  });

interface Swept {
  readonly files: Record<string, string>;
  readonly aside: readonly string[];
  readonly notes: string;
  /** Locations to which parts were delivered. */
  readonly at: readonly string[];
  readonly conflicts: number;
}

/** Runs a sweep over a queue with one worker. */
async function sweep(
  requested: Partial<CoordinatorOptions> = {},
  worker: (redis: Server) => WorkerAsked = () => ({}),
): Promise<Swept> {
  const redis = await aServer();
  const received: DeliveredSegment[] = [];
  const notes: string[] = [];
  await aWorker(redis, { store: parts, between: hearing(received), ...worker(redis) });
  const link = await aLink(redis);
  const onNote = (text: string): void => void notes.push(text);
  const folder = place();
  const options = { link, audit: 0, bucket: parts, onNote, ...requested };
  const { quarantined: aside, complete } = await runSweepOnQueue(
    folder,
    await loadSweep(sweepFile(TEXT)),
    { workers: 1 },
    options,
  );
  expect(complete).toBe(true);
  const at = [...new Set(received.map((simulated) => simulated.at))];
  const conflicts = received.filter(({ conflict }) => conflict).length;
  return { files: bytesOf(folder), aside, notes: notes.join('\n'), at, conflicts };
}

describe.runIf(HAS_REDIS)('queue workers with an object store', () => {
  test.runIf(DEPTH > 1)('store parts and manifest as shards do', async () => {
    const { files, at, notes } = await sweep();
    expect(files).toEqual(due);
    expect(at).toEqual(['bucket']);
    expect(notes).toBe('');
    expect([...server.objects.keys()].toSorted()).toEqual(filesOf(whole).map((name) => `prefix/${name}`));
    for (const name of filesOf(whole).filter((file) => file.endsWith('.parquet')))
      expect(server.objects.get(`prefix/${name}`)?.bytes).toEqual(readFileSync(join(whole, name)));
  });

  test.runIf(DEPTH > 1)('send parts through the queue if the coordinator has no object store', async () => {
    const { files, notes } = await sweep({ bucket: undefined });
    // Without a manifest, workers do not know that the prefix belongs to this sweep.
    expect(files).toEqual(due);
    expect(notes).toBe('');
    expect(server.objects.size).toBe(0);
  });

  test.runIf(DEPTH > 1)('do not change a prefix that belongs to another sweep', async () => {
    server.set('prefix/manifest.json', readFileSync(join(await another(), 'manifest.json')));
    const { files, at } = await sweep({ bucket: undefined });
    expect(files).toEqual(due);
    expect(at).toEqual(['queue']);
    expect(server.objects.size).toBe(1);
  });

  test.runIf(DEPTH > 1)('send parts through the queue if the coordinator has another prefix', async () => {
    server.set('prefix/manifest.json', readFileSync(join(whole, 'manifest.json')));
    using elsewhere = await openS3Parts('s3://bucket/elsewhere');
    const { files, notes, at } = await sweep({ bucket: elsewhere });
    expect(files).toEqual(due);
    expect(notes).toMatch(/^the --store of worker \S+ is not visible here: parts go through the queue$/m);
    expect(at).toContain('bucket');
  });

  test.runIf(DEPTH > 1)('do not start if the prefix belongs to another sweep', async () => {
    server.set('prefix/manifest.json', readFileSync(join(await another(), 'manifest.json')));
    await expect(sweep()).rejects.toThrow(
      /^s3:\/\/bucket\/prefix\/manifest.json sweep.battles: expected 20, as in \S+, found 21$/,
    );
  });

  test('report a missing bucket at their start, and accept a missing manifest', async () => {
    using nowhere = await openS3Parts('s3://another/prefix');
    await expect(openSharedBucket(nowhere, SHIPPED_REGISTRY).manifest()).rejects.toThrow('404 refused: NoSuchBucket');
    expect(await openSharedBucket(parts, SHIPPED_REGISTRY).manifest()).toBeUndefined();
  });

  test.runIf(DEPTH > 1)('leave a part with other bytes unchanged, and the coordinator computes it', async () => {
    server.set(FIRST, 'something else');
    const { files, aside, conflicts } = await sweep();
    expect(files).toEqual(due);
    expect(aside).toEqual([]);
    expect(conflicts).toBe(1);
    expect(String(server.objects.get(FIRST)?.bytes)).toBe('something else');
  });

  test.runIf(DEPTH > 1)('are excluded if they report wrong hashes, and their parts are reported', async () => {
    let honest: Promise<unknown> | undefined;
    const { files, aside, notes } = await sweep({}, (redis) => ({
      between: hearing([], (simulated) => {
        honest ??= aWorker(redis);
        return { ...simulated, parts: simulated.parts.map((part) => ({ ...part, sha256: '0'.repeat(64) })) };
      }),
    }));
    await honest;
    expect(files).toEqual(due);
    expect(aside).toHaveLength(1);
    expect(notes).toContain('s3://bucket/prefix may have wrong parts of worker');
  });

  test.runIf(DEPTH > 1)('send parts through the queue if the object store cannot be read', async () => {
    server.fault = ({ method, key }) =>
      method === 'GET' && key.endsWith('.parquet') ? { status: 403, code: 'AccessDenied' } : undefined;
    const { files, aside, notes } = await sweep();
    expect(files).toEqual(due);
    expect(aside).toEqual([]);
    expect(notes).toContain('cannot be read');
    expect(notes).toContain('parts go through the queue');
  });
});
