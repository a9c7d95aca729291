/** Tests of the threads that all calls of a process share. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { countCores } from '../../src/core/platform/node/threads.ts';
import { runBattles } from '../../src/engines/pool/adaptive-runner.ts';
import type { Progress } from '../../src/engines/pool/run.ts';
import { ThreadLease } from '../../src/engines/pool/worker-threads.ts';
import { runSweep } from '../../src/storage/store/run-sweep.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';
import { place, sweepFile } from '../store/folders.ts';
import { battles, digestOf, expected, requireBuild, scenario } from './fixtures.ts';

const later = globalThis.setTimeout;

beforeAll(requireBuild);

afterAll(() => {
  vi.unstubAllGlobals();
});

/** Numbers of live threads, of threads alive at once at most, and of started threads. */
let [alive, most, started] = [0, 0, 0];

function count(worker: Worker): void {
  started++;
  alive++;
  most = Math.max(most, alive);
  worker.once('exit', () => alive--);
}

beforeEach(() => {
  // Idle threads end after 0.1 s instead of 1 s in these tests.
  const sooner = (then: () => void, wait?: number) => later(then, wait === 1000 ? 100 : wait);
  vi.stubGlobal('setTimeout', sooner);
  process.on('worker', count);
});

/** Waits until the threads of a test have ended. */
afterEach(async () => {
  vi.restoreAllMocks();
  while (alive > 0) await sleep(20);
  process.off('worker', count);
  [most, started] = [0, 0];
});

/** Number of battles from which threads are faster. */
const LONG = 2_000_000;

describe('concurrent calls', () => {
  it('start at most one thread per core, with the results of separate runs', async () => {
    // The lease starts and keeps all threads, since the number that the runs need depends on the machine.
    await using lease = new ThreadLease();
    const runs = Array.from({ length: 12 }, (_, k) => battles(0, LONG + k, { seed: BigInt(k) }));
    const [results] = await Promise.all([Promise.all(runs.map((run) => runBattles(run))), lease.start()]);
    expect(results.map(({ complete }) => complete)).toEqual(runs.map(() => true));
    expect(most).toBe(countCores());
    expect(started).toBe(countCores());
    const [run = battles(0, 1)] = runs;
    expect(digestOf(run, results[0] as never)).toBe(await expected(run));
  });

  it('start no threads if each run is short, and share one kernel instance', async () => {
    let instances = 0;
    class Counted extends WebAssembly.Instance {
      constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
        instances++;
        super(module, imports);
      }
    }
    vi.stubGlobal('WebAssembly', { Module: WebAssembly.Module, Memory: WebAssembly.Memory, Instance: Counted });
    const runs = Array.from({ length: 200 }, (_, k) => battles(k, k + 20_000));
    const results = await Promise.all(runs.map((run) => runBattles(run)));
    expect(results.map((result, k) => [result.workers, digestOf(runs[k] as never, result).length])).toEqual(
      runs.map(() => [0, 64]),
    );
    expect(started).toBe(0);
    vi.unstubAllGlobals();
    expect(instances).toBeLessThanOrEqual(1);
  });

  it.runIf(DEPTH > 1)('take turns, so that a short run does not wait for a long one', async () => {
    const stop = new AbortController();
    const endless = [1, 2, 3].map((seed) =>
      runBattles(battles(0, 2 ** 45, { seed: BigInt(seed) }), { signal: stop.signal }),
    );
    const short = battles(0, LONG);
    await using lease = new ThreadLease();
    await lease.start();
    const result = await lease.play(short);
    stop.abort();
    expect(digestOf(short, result)).toBe(await expected(short));
    expect((await Promise.all(endless)).map(({ complete }) => complete)).toEqual([false, false, false]);
    expect(most).toBe(countCores());
  });
});

describe('a signal', () => {
  it.runIf(DEPTH > 1)('stops a run that waits for busy threads', async () => {
    const [stop, stopAll] = [new AbortController(), new AbortController()];
    await using lease = new ThreadLease(countCores());
    await lease.start();
    const others = lease.play(battles(0, 2 ** 45), { signal: stopAll.signal, chunk: 2 ** 45 / 2 ** 16 });
    const waiting = lease.play(battles(0, 2 ** 45), { signal: stop.signal });
    stop.abort();
    expect(await waiting).toMatchObject({ complete: false, to: 0 });
    stopAll.abort();
    await lease.end();
    await expect(others).rejects.toThrow('the work was canceled');
  });

  it('stops a run while threads start', async () => {
    const stop = new AbortController();
    const run = battles(0, 2 ** 45);
    let before = 0;
    process.once('worker', () => {
      before = started;
      stop.abort();
    });
    const result = await runBattles(run, { signal: stop.signal });
    expect(before).toBeGreaterThan(0);
    expect(result).toMatchObject({ complete: false, workers: 0 });
    expect(digestOf(run, result)).toBe(await expected({ ...run, to: result.to }));
  });
});

describe('a thread lease', () => {
  it.runIf(DEPTH > 1)('gets the number of threads that it requires, and no more', async () => {
    await using one = new ThreadLease(1);
    await one.start();
    expect(started).toBe(1);
    await using three = new ThreadLease(3);
    const run = battles(0, LONG);
    const progress: Progress[] = [];
    const [first, second] = await Promise.all([
      one.play(run),
      three.play(run, { onProgress: (each) => void progress.push(each) }),
    ]);
    expect([first.workers, second.workers]).toEqual([1, 3]);
    expect(digestOf(run, second)).toBe(digestOf(run, first));
    expect(most).toBeLessThanOrEqual(3);
    expect(progress.at(-1)).toEqual({ done: LONG, total: LONG });
  });

  it.runIf(DEPTH > 1)('rejects only its own work after end()', async () => {
    await using mine = new ThreadLease(1);
    const other = new ThreadLease(1);
    const run = battles(0, LONG);
    const [playing, ended] = [mine.play(run), other.play(battles(0, 2 ** 45))];
    const rejected = expect(ended).rejects.toThrow('the work was canceled');
    await sleep(50);
    await other.end();
    await rejected;
    await other[Symbol.asyncDispose]();
    expect(digestOf(run, await playing)).toBe(await expected(run));
    await expect(other.play(run)).rejects.toThrow('the work was canceled');
  });

  it('runs tasks in few threads until it grows', async () => {
    await using lease = new ThreadLease(3, 1);
    const probe = () => Promise.all([1, 2, 3].map(() => lease.call('batch', null)));
    await probe();
    expect(started).toBe(1);
    lease.grow(3);
    await probe();
    expect(started).toBe(3);
  });

  it('simulates runs with all its threads', async () => {
    await using lease = new ThreadLease(2, 1);
    await lease.call('batch', null);
    expect((await lease.play(battles(0, LONG))).workers).toBe(2);
    expect(started).toBe(2);
  });

  /** Runs a shard of 17 segments, and returns the bytes of its rows. */
  async function runShard(of: number, workers = 3): Promise<string[]> {
    const axes = 'axes: [{ path: attacker.hp, range: [1, 64] }, { path: defender.hp, range: [1, 34] }]';
    const sweep = await loadSweep(sweepFile(`${axes}\nbattles: 1\nexact: never`));
    const out = place();
    const { segments } = await runSweep(sweep, { out, shard: { index: 1, of }, workers });
    expect(segments).toBe(Math.ceil(17 / of));
    const table = join(out, 'table');
    return readdirSync(table)
      .sort()
      .map((file) => readFileSync(join(table, file)).toString('hex'));
  }

  /** Mocks the CPU time that segments take in this thread, in seconds. */
  const pretendSeconds = (seconds: number) =>
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 1e6 * seconds, system: 0 });

  it('starts no threads for short shards', async () => {
    pretendSeconds(0.25);
    for (const of of [4, 1]) await runShard(of);
    expect(started).toBe(0);
  });

  it('starts threads for a long shard, with the same results', async () => {
    pretendSeconds(0.01);
    const expected = await runShard(1, 1);
    expect(started).toBe(0);
    pretendSeconds(4);
    expect(await runShard(1)).toEqual(expected);
    expect(started).toBe(2);
  });

  it('starts no more threads than a shard has segments', async () => {
    pretendSeconds(9);
    await runShard(6, 8);
    expect(started).toBe(2);
  });

  it('solves long cells and failing cells in threads', async () => {
    const axes = 'axes: [{ path: attacker.hp, values: [1, 900] }, { path: defender.hp, values: [1, 900] }]';
    const long = await loadSweep(sweepFile(`${axes}\nexact: always\nbattles: 0`));
    expect((await runSweep(long, { out: place(), workers: 1 })).done).toBe(4);
    expect(started).toBe(1);
    const failing = await loadSweep(sweepFile(`${axes}\nexact: always\nbattles: 0\nbudget: 100`));
    await expect(runSweep(failing, { out: place(), workers: 1 })).rejects.toThrow(/^cell \d: the exact answer needs/);
  });

  it('uses threads that are already started', async () => {
    await using lease = new ThreadLease(2);
    await lease.start();
    const call = vi.spyOn(ThreadLease.prototype, 'call');
    await runShard(1, 2);
    expect(call).toHaveBeenCalled();
  });

  it('requires 1..256 threads', () => {
    expect(() => new ThreadLease(0)).toThrow('workers: expected an integer 1..256');
  });
});

/** Program that simulates long runs and prints the active resources of the process. */
const PLAYS = `
  import { simulate } from ${JSON.stringify(new URL('../../dist/src/analysis/simulate.js', import.meta.url).href)};
  const scenario = ${JSON.stringify(scenario)};
  const runs = await Promise.all([1, 2, 3].map((seed) => simulate(scenario, { seed, battles: 5e6 })));
  console.log(runs.every(({ complete }) => complete), process.getActiveResourcesInfo().filter((name) => !name.includes('Pipe')));
`;

it.runIf(DEPTH > 1)('a process ends while its threads are idle', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', PLAYS], { encoding: 'utf8' });
  expect(printed).toBe('true []\n');
});
