/** Tests of workers with jobs of several segments or of a missing plan. */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { type CellsJob, createSweepPlan, hashPlan, putPlan } from '../../src/storage/cluster/job.ts';
import { QueueParts } from '../../src/storage/cluster/part-storage.ts';
import { workerQueueName } from '../../src/storage/cluster/worker-registry.ts';
import { LocalJobHandler } from '../../src/storage/cluster/worker-service.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import { runSegmentJob, type SegmentJob } from '../../src/storage/store/segment.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';
import { place, sweepFile } from '../store/folders.ts';
import { aLink, aServer, aWorker, HAS_REDIS } from './redis.ts';

/** A sweep of eight segments, one for each cell. */
const TEXT = 'axes: [{ path: attacker.hp, range: [1, 8] }]\nbattles: 2200000\nexact: always\nprecision: 0.0006';

test.runIf(HAS_REDIS && DEPTH > 1)(
  'a job of eight segments runs each once, and its parts are on the server',
  async () => {
    const link = await aLink(await aServer());
    const { manifest } = await createStore(await loadSweep(sweepFile(TEXT)), place());
    await putPlan(link.redis, createSweepPlan(manifest));
    const plan = hashPlan(createSweepPlan(manifest));
    const simulated: number[] = [];
    const call = async <R>(_name: string, task: unknown): Promise<R> => {
      const job = task as SegmentJob;
      simulated.push(job.segment);
      return (await runSegmentJob(job)) as R;
    };
    const play = () => Promise.reject(new Error('no battles'));
    const scratch = place();
    mkdirSync(scratch);
    const hands = new LocalJobHandler({
      redis: link.redis,
      registry: SHIPPED_REGISTRY,
      pool: { call, play },
      worker: 'w',
      scratch,
    });
    const segments = Array.from({ length: 8 }, (_, segment) => segment);
    const job: CellsJob = { kind: 'cells', plan, segments, deliver: 'any' };
    const result = await hands.perform(job);
    if (result.kind !== 'cells') throw new Error(result.kind);
    expect(simulated).toEqual(segments);
    expect(result.segments.map(({ segment }) => segment)).toEqual(segments);
    const carried = new QueueParts(link.redis, plan);
    for (const { parts, at, conflict } of result.segments) {
      expect({ at, conflict, parts: parts.length }).toEqual({ at: 'queue', conflict: false, parts: 2 });
      for (const { file, bytes, sha256 } of parts) expect(await carried.find(file)).toEqual({ bytes, sha256 });
    }
    expect((await link.redis.keys('warpool:part:*')).length).toBe(16);
    expect((await hands.perform({ ...job, segments: [3], deliver: 'nowhere' })).kind).toBe('cells');
  },
);

test.runIf(HAS_REDIS && DEPTH > 1)('jobs of a missing plan do not count as failures of the worker', async () => {
  const server = await aServer();
  const link = await aLink(server);
  const notes: string[] = [];
  const { name, ended } = await aWorker(server, { onNote: (text) => notes.push(text) });
  const queue = link.queue(workerQueueName(name));
  const job = { kind: 'cells', plan: '0'.repeat(64), segments: [0], deliver: 'queue' };
  for (let k = 0; k < 5; k++) await queue.add('job', job, { attempts: 1 });
  await vi.waitFor(
    () => {
      expect(notes).toHaveLength(5);
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(new Set(notes)).toEqual(new Set(['a job failed: the plan 00000000 is not on the server']));
  const still = await Promise.race([ended.catch(String), pause(500, 'at work')]);
  expect(still).toBe('at work');
});
