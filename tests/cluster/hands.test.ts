/** What a worker makes of a job of many segments. */
import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SHIPPED } from '../../src/rules/index.ts';
import { type CellsJob, hashOf, putPlan, sweepPlan } from '../../src/work/cluster/job.ts';
import { CarriedParts } from '../../src/work/cluster/parts.ts';
import { Hands } from '../../src/work/cluster/serve.ts';
import { playSegment, type SegmentJob } from '../../src/work/store/segment.ts';
import { prepareSweep } from '../../src/work/store/sweep.ts';
import { loadSweep } from '../../src/work/sweep/read.ts';
import { DEPTH } from '../depth.ts';
import { place, sweepFile } from '../store/folders.ts';
import { aLink, aServer, HAS_REDIS } from './redis.ts';

/** Eight segments: one for each cell. */
const TEXT = 'axes: [{ path: attacker.hp, range: [1, 8] }]\nbattles: 2200000\nexact: always\nprecision: 0.0006';

test.runIf(HAS_REDIS && DEPTH > 1)('each segment is told once, and its parts lie where it says', async () => {
  const link = await aLink(await aServer());
  const { manifest } = await prepareSweep(place(), await loadSweep(sweepFile(TEXT)));
  await putPlan(link.redis, sweepPlan(manifest));
  const plan = hashOf(sweepPlan(manifest));
  const played: number[] = [];
  const call = async <R>(_name: string, task: unknown): Promise<R> => {
    const job = task as SegmentJob;
    played.push(job.segment);
    return (await playSegment(job)) as R;
  };
  const play = () => Promise.reject(new Error('no battles'));
  const scratch = place();
  mkdirSync(scratch);
  const hands = new Hands({ redis: link.redis, registry: SHIPPED, pool: { call, play }, worker: 'w', scratch });
  const segments = Array.from({ length: 8 }, (_, segment) => segment);
  const job: CellsJob = { kind: 'cells', plan, segments, deliver: 'any' };
  const result = await hands.perform(job);
  if (result.kind !== 'cells') throw new Error(result.kind);
  expect(played).toEqual(segments);
  expect(result.segments.map(({ segment }) => segment)).toEqual(segments);
  const carried = new CarriedParts(link.redis, plan);
  for (const { parts, at, conflict } of result.segments) {
    expect({ at, conflict, parts: parts.length }).toEqual({ at: 'queue', conflict: false, parts: 2 });
    for (const { file, bytes, sha256 } of parts) expect(await carried.find(file)).toEqual({ bytes, sha256 });
  }
  expect((await link.redis.keys('warpool:part:*')).length).toBe(16);
  expect((await hands.perform({ ...job, segments: [3], deliver: 'nowhere' })).kind).toBe('cells');
});
