import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { runJob } from '../../src/engines/pool/job.ts';
import { type JobExecutor, runInCallingThread, scheduleRun } from '../../src/engines/pool/run-scheduler.ts';
import { ThreadPool, type ThreadPoolOptions } from '../../src/engines/pool/thread-pool.ts';
import { DEPTH, some } from '../depth.ts';
import { battles, digestOf, expected, requireBuild, workerFile } from './fixtures.ts';

const RUN = battles(100, 60_100);
const OPTIONS = { chunk: 500 };
let wanted = '';
let graves = '';
let pool: ThreadPool | undefined;

interface Fault {
  readonly kind: 'exit' | 'uncaught' | 'late' | 'trap';
  /** Numbers of the jobs whose thread dies. Replacement jobs of a run are numbered after its first jobs. */
  readonly jobs: readonly number[];
  /** Fatal call into the kernel, counted from 1 in each job. */
  readonly at: number;
  readonly barren?: boolean;
}

async function mortal(workers: number, fault: Fault, options: ThreadPoolOptions = {}): Promise<ThreadPool> {
  process.env['WARPOOL_TEST_FAULT'] = JSON.stringify({ ...fault, graves });
  pool = await ThreadPool.create({ workers, worker: workerFile('mortal'), ...options });
  return pool;
}

beforeAll(async () => {
  requireBuild();
  wanted = await expected(RUN);
});

beforeEach(() => {
  graves = mkdtempSync(join(tmpdir(), 'warpool-'));
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
  delete process.env['WARPOOL_TEST_FAULT'];
  rmSync(graves, { recursive: true });
});

describe.each(some(['exit', 'uncaught', 'late', 'trap'] as const))('a thread that dies once (%s)', (kind) => {
  it.each(
    some([
      { workers: 3, jobs: [1, 2, 3], at: 1 },
      { workers: 1, jobs: [1], at: 1 },
      { workers: 1, jobs: [1], at: 40 },
      { workers: 2, jobs: [1], at: 1 },
      { workers: 3, jobs: [1, 2, 3], at: 10 },
    ]),
  )('does not change the result: %o', async ({ workers, jobs, at }) => {
    const team = await mortal(workers, { kind, jobs, at });
    expect(digestOf(RUN, await team.play(RUN, OPTIONS))).toBe(wanted);
    expect(digestOf(RUN, await team.play(RUN, OPTIONS))).toBe(wanted);
    if (workers === 1) expect(readdirSync(graves)).toEqual(['1']);
  });
});

const CAUSES = { exit: 'exited with code: 3', uncaught: 'nobody caught this', trap: 'unreachable' };

describe.each(some(['exit', 'uncaught', 'trap'] as const))('a thread that dies (%s)', (kind) => {
  it('twice causes an error with range and reason, and the pool remains usable', async () => {
    const team = await mortal(1, { kind, jobs: [1, 2], at: 3 });
    const failure = team.play(RUN, OPTIONS);
    await expect(failure).rejects.toThrow(RunError);
    await expect(failure).rejects.toThrow(CAUSES[kind]);
    // An asynchronous error takes effect only when the job becomes idle, at its last chunk.
    await expect(failure).rejects.toThrow(kind === 'uncaught' ? 'battles 59600..60099' : 'battles 1100..1599');
    expect(digestOf(RUN, await team.play(RUN, OPTIONS))).toBe(wanted);
  });

  it.runIf(DEPTH > 1)('in each job fails only its run, and neither concurrent nor later runs', async () => {
    const team = await mortal(2, { kind, jobs: [1, 2, 3, 4], at: 1 });
    // Only kernels are fatal, so the reference engine succeeds.
    const harmless = { ...RUN, engine: 'reference', to: RUN.from + 500 } as const;
    const [failed, neighbors] = await Promise.allSettled([team.play(RUN, OPTIONS), team.play(harmless)]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'RunError' } });
    if (neighbors.status === 'rejected') throw neighbors.reason;
    const counted = [neighbors.value, await team.play(harmless)];
    const digests = counted.map((result) => digestOf(harmless, result));
    expect(new Set(digests)).toEqual(new Set([await expected({ ...harmless, engine: 'kernel' })]));
  });

  it.runIf(DEPTH > 1)('in a stopped run leaves a prefix of the run', async () => {
    const team = await mortal(1, { kind, jobs: [1], at: 5 });
    const stop = new AbortController();
    const watch = setInterval(() => {
      if (readdirSync(graves).length > 0) stop.abort();
    }, 1);
    const run = { ...RUN, to: RUN.from + 5e7 };
    const result = await team.play(run, { chunk: 1000, signal: stop.signal });
    clearInterval(watch);
    expect(result.complete).toBe(false);
    expect(result.to).toBeGreaterThanOrEqual(run.from + 5_000);
    expect(digestOf(run, result)).toBe(await expected({ ...run, to: result.to }));
  });
});

describe('a kernel that fails in the calling thread', () => {
  const run = vi.spyOn(SystemKernel.prototype, 'run');
  const fail = (): never => {
    throw new WebAssembly.RuntimeError('unreachable');
  };

  afterEach(() => {
    run.mockReset();
  });

  it('once does not change the result', async () => {
    run.mockImplementationOnce(fail);
    expect(digestOf(RUN, await runInCallingThread(RUN, OPTIONS))).toBe(wanted);
  });

  it('twice causes an error with range and reason', async () => {
    run.mockImplementationOnce(fail).mockImplementationOnce(fail);
    const failure = runInCallingThread(RUN, OPTIONS);
    await expect(failure).rejects.toThrow(RunError);
    await expect(failure).rejects.toThrow(/battles 100\.\.599 .* RuntimeError: unreachable/);
  });
});

describe('threads that die before they start their job', () => {
  /** Creates an executor in the calling thread whose first `deaths` jobs fail before they start. */
  function fatal(deaths: number): JobExecutor {
    let left = deaths;
    return {
      workers: 1,
      perform: async (offer) => {
        const job = offer();
        if (left-- > 0) return { ok: false, message: 'gone' };
        return job === undefined ? { ok: true } : await runJob(job);
      },
    };
  }

  it.each([1, 2, 3, 9])('do not change the result of a run: %i failures', async (deaths) => {
    expect(digestOf(RUN, await scheduleRun(RUN, fatal(deaths), OPTIONS))).toBe(wanted);
  });

  it('cause an error if all jobs fail', async () => {
    await expect(scheduleRun(RUN, fatal(1000), OPTIONS)).rejects.toThrow(/could not be simulated; .* gone/);
  });
});

describe('threads that cannot be replaced', () => {
  it.runIf(DEPTH > 1)('fail the run in time with the reason, and the pool can be closed', async () => {
    const team = await mortal(1, { kind: 'exit', jobs: [1], at: 1, barren: true }, { bootTimeoutMs: 2_000 });
    const failure = team.play(RUN, OPTIONS);
    await expect(failure).rejects.toThrow(RunError);
    await expect(failure).rejects.toThrow('nobody is left');
    await expect(team.play(RUN, OPTIONS)).rejects.toThrow(RunError);
  });
});

describe('a pool whose worker fails to start', () => {
  it.each(
    some([
      ['throws', 'this worker cannot be loaded', 30_000],
      ['leaves', 'exited with code: 5', 30_000],
      ['hangs', 'did not start within 500 ms', 500],
      ['spins', 'did not start within 500 ms', 500],
      ['missing', 'missing.js', 30_000],
    ] as const),
  )('is rejected with the reason: %s', async (file, message, bootTimeoutMs) => {
    const creating = ThreadPool.create({ workers: 2, worker: workerFile(file), bootTimeoutMs });
    await expect(creating).rejects.toThrow(RunError);
    await expect(creating).rejects.toThrow(message);
  });
});
