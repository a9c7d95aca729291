/** Tests that sweeps and runs over a queue have the bytes and digests of a single process. */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { formatSweepSheet } from '../../src/report/sweep/sweep.ts';
import { loadScenario, updateScenario } from '../../src/rules/scenario/index.ts';
import { runOnQueue, runSweepOnQueue } from '../../src/storage/cluster/coordinator.ts';
import type { DeliveredPart, DeliveredSegment } from '../../src/storage/cluster/job.ts';
import { QueueParts } from '../../src/storage/cluster/part-storage.ts';
import type { JobHandler } from '../../src/storage/cluster/worker-service.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import { createStoreManifest } from '../../src/storage/store/manifest.ts';
import { fillSegment } from '../../src/storage/store/segment.ts';
import { SweepStore } from '../../src/storage/store/sweep-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import type { Cell } from '../../src/storage/sweep/sweep.ts';
import { called } from '../cli/called.ts';
import { ROOT } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, place, run, sweepFile } from '../store/folders.ts';
import { aLink, aServer, aWorker, HAS_REDIS, PASSWORD } from './redis.ts';

const TEXT = `axes:
  - path: attacker.hp
    range: [1, 12]
  - path: defender.hp
    range: [1, 12]
where: attacker.hp + defender.hp != 9
battles: 100_000
exact: never`;

const SOLVED = `axes:
  - path: attacker.hp
    range: [1, 20]
  - path: defender.hp
    range: [1, 20]
exact: always`;

const PLAIN = { paint: { bold: String, dim: String, red: String, green: String }, width: 100 } as never;

const local = { played: '', solved: '' };

beforeAll(async () => {
  for (const [name, text] of Object.entries({ played: TEXT, solved: SOLVED })) {
    const folder = place();
    await run(text, folder);
    local[name as keyof typeof local] = folder;
  }
});

const withNextSeed = (cell: Cell | undefined): Cell | undefined => cell && { ...cell, seed: cell.seed + 1n };

/** Returns a wrong hash for each segment whose number is a multiple of `every`, and wrong counts for battles. */
const lying =
  (every: number, reported: number[]) =>
  (performer: JobHandler): JobHandler => ({
    async perform(job) {
      const result = await performer.perform(job);
      if (result.kind === 'battles') {
        const [first = 0, second = 0, ...rest] = result.outcomes;
        return { ...result, outcomes: first > 0 ? [first - 1, second + 1, ...rest] : result.outcomes };
      }
      if (result.kind !== 'cells') return result;
      const segments = result.segments.map((simulation) => {
        if (simulation.segment % every !== 0) return simulation;
        reported.push(simulation.segment);
        const parts = simulation.parts.map((part) => ({ ...part, sha256: '0'.repeat(64) }));
        return { ...simulation, parts };
      });
      return { ...result, segments };
    },
  });

test.each(['extend', 'recompute'] as const)('a queue does not %s a sweep', async (mode) => {
  const result = runSweepOnQueue(place(), await loadSweep(sweepFile(TEXT)), { mode }, { link: undefined as never });
  await expect(result).rejects.toThrow(`--queue cannot be combined with --${mode}, which needs earlier results`);
});

describe.runIf(HAS_REDIS)('a queue', () => {
  test('returns the bytes of a local sweep', async () => {
    const server = await aServer();
    await aWorker(server);
    const link = await aLink(server);
    for (const [text, due] of [
      [TEXT, local.played],
      [SOLVED, local.solved],
    ] as const) {
      const folder = place();
      const result = await runSweepOnQueue(folder, await loadSweep(sweepFile(text)), {}, { link, audit: 0 });
      expect(result.complete).toBe(true);
      expect(result.quarantined).toEqual([]);
      expect(bytesOf(folder)).toEqual(bytesOf(due));
    }
    // Parts on the server are deleted after the sweep.
    expect(await link.redis.keys('warpool:part:*')).toEqual([]);
  });

  test('returns the bytes and the report of local matchups', async () => {
    const server = await aServer();
    let jobs = 0;
    await aWorker(server, {
      between: (performer) => ({
        perform(job) {
          jobs++;
          return performer.perform(job);
        },
      }),
    });
    const [file, password, local, folder] = [`${place()}.yaml`, `${place()}.txt`, place(), place()];
    const armies = [20, 25, 30].map((hp) => `{ name: h${String(hp)}, set: { hp: ${String(hp)} } }`).join();
    const scenario = join(ROOT, 'scenarios/attrition-direct.yaml');
    writeFileSync(file, `scenario: ${scenario}\nbattles: 20_000\nexact: never\narmies: [${armies}]\n`);
    writeFileSync(password, PASSWORD);
    const due = await called(['matchup', file, '--quiet', '--out', local]);
    const queue = ['--queue', server.url, '--password-file', password];
    const found = await called(['matchup', file, '--quiet', '--out', folder, ...queue]);
    expect(found).toEqual(due);
    expect(jobs).toBeGreaterThan(0);
    expect(due).toMatchObject({ code: 0, stdout: expect.stringContaining('9 simulated') as string });
    expect(bytesOf(folder)).toEqual(bytesOf(local));
    expect(await (await aLink(server)).redis.keys('warpool:part:*')).toEqual([]);
  });

  test.runIf(DEPTH > 1)('stores parts in a store that workers can access', async () => {
    const server = await aServer();
    const [folder, sweep] = [place(), await loadSweep(sweepFile(TEXT))];
    await createStore(sweep, folder);
    const carried: string[] = [];
    await aWorker(server, {
      store: folder,
      between: (performer) => ({
        async perform(job) {
          const result = await performer.perform(job);
          if (result.kind === 'cells') carried.push(...result.segments.map(({ at }) => at));
          return result;
        },
      }),
    });
    const link = await aLink(server);
    // The coordinator continues the store that was created before.
    const result = await runSweepOnQueue(folder, sweep, {}, { link });
    expect(result.complete).toBe(true);
    expect(new Set(carried.filter((at) => at !== 'nowhere'))).toEqual(new Set(['folder']));
    expect(bytesOf(folder)).toEqual(bytesOf(local.played));
  });

  test.runIf(DEPTH > 1)('reports a --store of a worker that is another folder', async () => {
    const server = await aServer();
    const [folder, other, sweep] = [place(), place(), await loadSweep(sweepFile(TEXT))];
    await createStore(sweep, other);
    await aWorker(server, { store: other });
    const notes: string[] = [];
    const link = await aLink(server);
    const onNote = (text: string): void => void notes.push(text);
    await runSweepOnQueue(folder, sweep, {}, { link, audit: 0, onNote });
    expect(notes.join()).toContain('is not visible here: parts go through the queue');
    expect(bytesOf(folder)).toEqual(bytesOf(local.played));
  });

  test.runIf(DEPTH > 1)('excludes a worker that reports wrong hashes of parts in the store', async () => {
    const server = await aServer();
    const [folder, sweep] = [place(), await loadSweep(sweepFile(TEXT))];
    await createStore(sweep, folder);
    const liar = await aWorker(server, { store: folder, between: lying(1, []) });
    const link = await aLink(server);
    const playing = runSweepOnQueue(folder, sweep, { workers: 1 }, { link, audit: 0 });
    await expect(liar.ended).rejects.toThrow('excluded by a coordinator: its results of segment');
    await aWorker(server, { store: folder });
    expect((await playing).quarantined).toEqual([liar.name]);
    expect(bytesOf(folder)).toEqual(bytesOf(local.played));
  });

  test.runIf(DEPTH > 1)('excludes a worker that reports wrong hashes of parts it has sent', async () => {
    const server = await aServer();
    const reported: number[] = [];
    const [liar] = [await aWorker(server, { between: lying(3, reported) }), await aWorker(server)];
    const notes: string[] = [];
    const link = await aLink(server);
    const folder = place();
    const onNote = (text: string): void => void notes.push(text);
    const result = await runSweepOnQueue(
      folder,
      await loadSweep(sweepFile(TEXT)),
      { workers: 1 },
      { link, audit: 0, onNote },
    );
    expect(result.complete).toBe(true);
    expect(bytesOf(folder)).toEqual(bytesOf(local.played));
    if (reported.length === 0) return;
    expect(result.quarantined).toEqual([liar.name]);
    expect(notes.join()).toContain(`worker ${liar.name} is excluded`);
    await expect(liar.ended).rejects.toThrow('excluded by a coordinator: its results of segment');
  });

  test.runIf(DEPTH > 1)('excludes a worker that sends wrong parts with correct checksums, by audit', async () => {
    const server = await aServer();
    const sweep = await loadSweep(sweepFile(TEXT));
    // Cells of another seed, delivered as cells of this sweep.
    const other = { ...sweep, cell: (point: number) => withNextSeed(sweep.cell(point)) };
    const forging = (performer: JobHandler): JobHandler => ({
      async perform(job) {
        const result = await performer.perform(job);
        if (job.kind !== 'cells' || result.kind !== 'cells') return result;
        const segments: DeliveredSegment[] = [];
        for (const simulation of result.segments) segments.push(await forge(simulation.segment, simulation, job.plan));
        return { ...result, segments };
      },
    });
    const forge = async (segment: number, simulation: DeliveredSegment, plan: string): Promise<DeliveredSegment> => {
      const settled = {
        players: { play: runInCallingThread },
        signal: undefined,
        stopped: () => false,
        onCell: () => undefined,
      };
      const store = Object.assign(new SweepStore('', createStoreManifest(sweep), []), { sweep: other });
      const filled = await fillSegment(store, { segment, known: { from: 'nowhere' } }, new Map(), settled);
      const carried = new QueueParts(link.redis, plan);
      if (simulation.at === 'queue') await carried.drop(simulation.parts.map(({ file }) => file));
      const parts: DeliveredPart[] = [];
      for (const { content, ...part } of filled?.parts ?? []) {
        if (simulation.at === 'queue') await carried.put(part.file, content);
        parts.push(part);
      }
      return { ...simulation, parts };
    };
    const link = await aLink(server);
    const liar = await aWorker(server, { between: forging });
    await aWorker(server);
    const folder = place();
    const result = await runSweepOnQueue(folder, sweep, { workers: 1 }, { link, audit: 1 });
    expect(result.complete).toBe(true);
    expect(result.quarantined).toEqual([liar.name]);
    expect(bytesOf(folder)).toEqual(bytesOf(local.played));
  });

  test.runIf(DEPTH > 1)('returns the digest of a local run, also with a precision target', async () => {
    const server = await aServer();
    await aWorker(server);
    await aWorker(server);
    const link = await aLink(server);
    const scenario = await loadScenario('scenarios/attrition-direct.yaml');
    for (const requested of [
      { battles: 5_000_000 },
      { precision: 0.0008 },
      { precision: '0.2%', precisionOf: 'rounds' },
    ]) {
      const due = await simulate(scenario, requested);
      const { result, quarantined: aside } = await runOnQueue(scenario, { link, audit: 0.3 }, (pool) =>
        simulate(scenario, { ...requested, pool }),
      );
      expect(result.digest).toBe(due.digest);
      expect(result.stopping).toEqual(due.stopping);
      expect(aside).toEqual([]);
    }
  });

  test.runIf(DEPTH > 1)('excludes a worker with wrong counts by audit, and simulates its battles again', async () => {
    const server = await aServer();
    const liar = await aWorker(server, { between: lying(1, []) });
    await aWorker(server);
    const link = await aLink(server);
    const scenario = updateScenario(await loadScenario('scenarios/attrition-direct.yaml'), { 'attacker.hp': 11 });
    const due = await simulate(scenario, { battles: 12_000_000 });
    const act = (pool: Parameters<Parameters<typeof runOnQueue>[2]>[0]) =>
      simulate(scenario, { battles: 12_000_000, pool });
    const { result, quarantined: aside } = await runOnQueue(scenario, { link, audit: 1, workers: 1 }, act);
    expect(result.digest).toBe(due.digest);
    expect(aside).toEqual([liar.name]);
  });

  test.runIf(DEPTH > 1)('reports invalid input with the same error as without a queue', async () => {
    const server = await aServer();
    await aWorker(server);
    const link = await aLink(server);
    const text = SOLVED.replace('exact: always', 'exact: always\nbudget: 10');
    const due = await run(text, place()).catch(String);
    const printed = await runSweepOnQueue(place(), await loadSweep(sweepFile(text)), { workers: 1 }, { link }).catch(
      String,
    );
    expect(printed).toBe(due);
  });

  test.runIf(DEPTH > 1)('leaves an interrupted sweep that --resume completes locally', async () => {
    const server = await aServer();
    await aWorker(server);
    const link = await aLink(server);
    const [folder, sweep, stop] = [place(), await loadSweep(sweepFile(TEXT)), new AbortController()];
    const onProgress = ({ done }: { done: number }): void => {
      if (done > 0) stop.abort();
    };
    const first = await runSweepOnQueue(folder, sweep, { signal: stop.signal, onProgress }, { link });
    expect(first.complete).toBe(false);
    expect(formatSweepSheet(first, PLAIN)).toContain('run the same command again, or replace --queue by --resume');
    expect(first.done).toBeGreaterThan(0);
    expect(readdirSync(join(folder, 'table')).length).toBeGreaterThan(0);
    const second = await run(TEXT, folder, { mode: 'resume' });
    expect(second.complete).toBe(true);
    expect(formatSweepSheet({ ...second, complete: false }, PLAIN)).toContain('add --resume to the same command');
    expect(second.before).toBe(first.done);
    expect(bytesOf(folder)).toEqual(bytesOf(local.played));
  });
});
