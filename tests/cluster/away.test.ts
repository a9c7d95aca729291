/** Tests of servers that stop responding or reject the password, and of workers that send invalid answers. */
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, test, vi } from 'vitest';
import { printNote } from '../../src/cli/terminal.ts';
import { RunError } from '../../src/core/errors.ts';
import { runSweepOnQueue } from '../../src/storage/cluster/coordinator.ts';
import { QueueParts } from '../../src/storage/cluster/part-storage.ts';
import type { JobHandler } from '../../src/storage/cluster/worker-service.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, place, run, sweepFile } from '../store/folders.ts';
import { aLink, aServer, aWorker, HAS_REDIS, PASSWORD, type Server } from './redis.ts';

const TEXT = `axes:
  - path: attacker.hp
    range: [1, 12]
  - path: defender.hp
    range: [1, 12]
battles: 100_000
exact: never`;

/** Sets another password and closes all connections, so that all clients must authenticate again. */
async function changePassword(server: Server): Promise<void> {
  const client = new Redis(server.url, { password: PASSWORD, maxRetriesPerRequest: 1 });
  client.on('error', () => undefined);
  await client.config('SET', 'requirepass', 'another');
  await client.call('CLIENT', 'KILL', 'TYPE', 'normal').catch(() => undefined);
  client.disconnect();
}

/** Wraps a job handler so that its results contain the given fields. */
const answering =
  (answer: object) =>
  (performer: JobHandler): JobHandler => ({
    perform: async (job) => ({ ...(await performer.perform(job)), ...answer }),
  });

describe.runIf(HAS_REDIS)('workers with invalid answers', () => {
  test.runIf(DEPTH > 1)('a worker with malformed answers is excluded, and the sweep completes', async () => {
    const server = await aServer();
    const liar = await aWorker(server, { between: answering({ kind: 'refused', fault: 'x'.repeat(50_000) }) });
    const link = await aLink(server);
    const notes: string[] = [];
    const [folder, sweep] = [place(), await loadSweep(sweepFile(TEXT))];
    const onNote = (text: string): void => void notes.push(text);
    const sweeping = runSweepOnQueue(folder, sweep, { workers: 1 }, { link, audit: 0, onNote });
    await expect(liar.ended).rejects.toThrow('excluded by a coordinator: it rejects valid work');
    await aWorker(server);
    const result = await sweeping;
    expect(result).toMatchObject({ complete: true, quarantined: [liar.name] });
    expect(notes.join('\n')).toContain(`worker ${liar.name} is excluded: it rejects valid work: malformed`);
    const due = place();
    await run(TEXT, due);
    expect(bytesOf(folder)).toEqual(bytesOf(due));
  });

  test.runIf(DEPTH > 1)('a worker whose parts arrive damaged is reported, and excluded after three parts', async () => {
    const server = await aServer();
    const link = await aLink(server);
    const damaging = (performer: JobHandler): JobHandler => ({
      async perform(job) {
        const result = await performer.perform(job);
        if (result.kind !== 'cells') return result;
        for (const { file } of result.segments.flatMap(({ parts }) => parts)) {
          const carried = new QueueParts(link.redis, job.plan);
          await carried.drop([file]);
          await carried.put(file, new Uint8Array(100));
        }
        return result;
      },
    });
    const worker = await aWorker(server, { between: damaging });
    const notes: string[] = [];
    const text = TEXT.replaceAll('[1, 12]', '[1, 40]');
    const [folder, sweep] = [place(), await loadSweep(sweepFile(text))];
    const onNote = (text: string): void => void notes.push(text);
    const sweeping = runSweepOnQueue(folder, sweep, { workers: 1 }, { link, audit: 0, onNote });
    await expect(worker.ended).rejects.toThrow('3 of its parts arrived damaged');
    await aWorker(server);
    expect(await sweeping).toMatchObject({ complete: true, quarantined: [worker.name] });
    expect(notes[0]).toBe(`a part of worker ${worker.name} arrived damaged: it is computed here`);
  });

  test('messages of other machines are printed without escape sequences', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    printNote('worker a is excluded: \u001b[2Jboom');
    expect(write.mock.calls).toEqual([['warpool: worker a is excluded: \uFFFD[2Jboom\n']]);
    write.mockRestore();
  });
});

describe.runIf(HAS_REDIS)('coordinator and worker', () => {
  // From the time when coordinator and worker still connect to the time when jobs are in progress.
  const MOMENTS = DEPTH > 1 ? [0, 40, 500] : [500];
  test.each(MOMENTS)('end with the reason if the server rejects the password after %i ms', async (ms) => {
    const server = await aServer();
    const worker = await aWorker(server);
    const link = await aLink(server);
    const sweep = await loadSweep(sweepFile(TEXT.replace('100_000', '10_000_000')));
    const sweeping = runSweepOnQueue(place(), sweep, {}, { link });
    const failing = expect(sweeping).rejects.toThrow(/cannot be used as a queue: (WRONGPASS|NOAUTH)/);
    const ending = expect(worker.ended).rejects.toThrow(RunError);
    await pause(ms);
    await changePassword(server);
    await Promise.all([failing, ending]);
  });

  test.runIf(DEPTH > 1)('report a killed server after 10 s, and end within 5 s of an abort', async () => {
    const server = await aServer();
    const [stop, notes, received]: [AbortController, string[], string[]] = [new AbortController(), [], []];
    const worker = await aWorker(server, { signal: stop.signal, onNote: (text) => void received.push(text) });
    const link = await aLink(server, (text) => void notes.push(text));
    const sweep = await loadSweep(sweepFile(TEXT.replace('100_000', '10_000_000')));
    const sweeping = runSweepOnQueue(place(), sweep, { signal: stop.signal }, { link });
    await pause(500);
    await server.kill();
    await vi.waitFor(
      () => {
        expect(notes.join()).toContain('ECONNREFUSED');
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(notes).toEqual([expect.stringMatching(/^no answer from 127\.0\.0\.1:\d+ for 1\d s: .*; waiting$/)]);
    const began = performance.now();
    stop.abort();
    expect((await sweeping).complete).toBe(false);
    await worker.ended;
    expect(performance.now() - began).toBeLessThan(5000);
    await server.start();
  });

  test.runIf(DEPTH > 1)('report a suspended server, and complete the sweep after it resumes', async () => {
    const server = await aServer();
    await aWorker(server);
    const notes: string[] = [];
    const link = await aLink(server, (text) => void notes.push(text));
    const [folder, due] = [place(), place()];
    // Seconds of work, and a server that is suspended after the first report of it.
    const sweep = await loadSweep(sweepFile(TEXT.replace('100_000', '1_000_000')));
    let isRunning = false;
    const onProgress = (): void => {
      isRunning = true;
    };
    const sweeping = runSweepOnQueue(folder, sweep, { onProgress }, { link });
    await vi.waitFor(
      () => {
        expect(isRunning).toBe(true);
      },
      { timeout: 60_000, interval: 10 },
    );
    server.stand('SIGSTOP');
    await vi.waitFor(
      () => {
        expect(notes.join()).toContain('no answer from');
      },
      { timeout: 20_000, interval: 100 },
    );
    server.stand('SIGCONT');
    expect((await sweeping).complete).toBe(true);
    await run(TEXT.replace('100_000', '1_000_000'), due);
    expect(bytesOf(folder)).toEqual(bytesOf(due));
  });
});
