import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InputError, RunError } from '../../src/core/errors.ts';
import { SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { chooseEngine } from '../../src/engines/pool/choose-engine.ts';
import { CHUNKS_MAX } from '../../src/engines/pool/chunk-queue.ts';
import type { Progress } from '../../src/engines/pool/run.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { KernelSimulator } from '../../src/engines/pool/simulator.ts';
import { ThreadPool } from '../../src/engines/pool/thread-pool.ts';
import { type Counts, getBattleCount, mergeCounts } from '../../src/stats/counts.ts';
import { some } from '../depth.ts';
import { battles, digestOf, expected, requireBuild, scenario } from './fixtures.ts';

const RANGE = [1_234, 21_235] as const;

/** The digest of RANGE, computed once in the calling thread. */
let wanted = '';
let pool: ThreadPool;

beforeAll(async () => {
  requireBuild();
  pool = await ThreadPool.create({ workers: 2 });
  wanted = await expected(battles(...RANGE));
});

afterAll(() => pool.close());

describe('the result of a run', () => {
  it.each(some([2, 1, 3, 8]))('has the same digest with %i workers', async (workers) => {
    await using team = await ThreadPool.create({ workers });
    const result = await team.play(battles(...RANGE));
    expect(digestOf(battles(...RANGE), result)).toBe(wanted);
    expect(result).toMatchObject({ from: RANGE[0], to: RANGE[1], complete: true, workers });
  });

  it.each(some([7, 1, 1000, 4096, 1_000_000]))('has the same digest with chunks of %i battles', async (chunk) => {
    const run = battles(...RANGE);
    expect(digestOf(run, await pool.play(run, { chunk }))).toBe(wanted);
    expect(digestOf(run, await runInCallingThread(run, { chunk: Math.max(chunk, 100) }))).toBe(wanted);
  });

  it('has the same digest with the reference engine', async () => {
    const run = battles(...RANGE, { engine: 'reference' });
    expect(digestOf(run, await pool.play(run))).toBe(wanted);
    expect(digestOf(run, await runInCallingThread(run))).toBe(wanted);
  });

  it('has another digest with another seed', async () => {
    expect(digestOf(battles(...RANGE), await pool.play(battles(...RANGE, { seed: 8n })))).not.toBe(wanted);
  });

  it('has the same digest after two ranges are merged', async () => {
    const [from, to] = RANGE;
    const [low, high] = await Promise.all([pool.play(battles(from, 5_000)), pool.play(battles(5_000, to))]);
    mergeCounts(low.counts, high.counts);
    expect(digestOf(battles(from, to), { ...low, to })).toBe(wanted);
  });

  it('has the same digest after several legs, with progress that never decreases', async () => {
    const run = battles(3, 3 + 2 * CHUNKS_MAX + 500);
    const seen: number[] = [];
    const result = await pool.play(run, { chunk: 1, onProgress: ({ done }) => seen.push(done) });
    expect(result).toMatchObject({ from: run.from, to: run.to, complete: true });
    expect(digestOf(run, result)).toBe(await expected(run));
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(run.to - run.from);
  });

  it('is a prefix if the run is stopped in its second leg', async () => {
    const run = battles(0, 20 * CHUNKS_MAX);
    const stop = new AbortController();
    const onProgress = ({ done }: Progress): void => {
      if (done > CHUNKS_MAX) stop.abort();
    };
    const result = await pool.play(run, { chunk: 1, onProgress, signal: stop.signal });
    expect(result.complete).toBe(false);
    expect(result.to).toBeGreaterThan(CHUNKS_MAX);
    expect(digestOf(run, result)).toBe(await expected({ ...run, to: result.to }));
  });

  it('is the same for kernel and reference engine near battle 2^53', async () => {
    const run = battles(2 ** 53 - 5_000, 2 ** 53);
    expect(digestOf(run, await pool.play(run))).toBe(await expected({ ...run, engine: 'reference' }));
  });

  it('has the same digest if the counters of the kernel are emptied in between', async () => {
    const { setup } = await chooseEngine(battles(...RANGE));
    if (setup.form === 'reference') throw new Error('not a kernel');
    const emptied = vi.spyOn(SystemKernel.prototype, 'take');
    const player = new KernelSimulator(setup, 5_000);
    const half = (RANGE[0] + RANGE[1] - 1) / 2;
    player.play(RANGE[0], half - RANGE[0]);
    player.play(half, RANGE[1] - half);
    const result = {
      from: RANGE[0],
      to: RANGE[1],
      counts: player.take(),
      complete: true,
      player: 'kernel',
      seconds: 0,
      workers: 0,
    } as const;
    expect(digestOf(battles(...RANGE), result)).toBe(wanted);
    // Battles counted whenever the counters were emptied: at most 5 000 more each time.
    const counted = emptied.mock.results.map(({ value }) => getBattleCount(value as Counts));
    expect(counted).toEqual([4_096, 8_192, 10_000, 14_096, 18_192, 20_001]);
    emptied.mockRestore();
    expect(getBattleCount(player.take())).toBe(0);
  });

  it('is the same for concurrent runs', async () => {
    const runs = Array.from({ length: 9 }, (_, k) => battles(k * 100, 9_000 + k * k * 100, { seed: BigInt(k) }));
    const simulated = await Promise.all(runs.map((run) => pool.play(run)));
    const digests = simulated.map((result, k) => digestOf(runs[k] ?? battles(0, 0), result));
    expect(digests).toEqual(await Promise.all(runs.map(expected)));
  });

  it('is empty for a run without battles', async () => {
    for (const result of [await pool.play(battles(9, 9)), await runInCallingThread(battles(9, 9))]) {
      expect(result).toMatchObject({ from: 9, to: 9, complete: true, seconds: 0 });
      expect(getBattleCount(result.counts)).toBe(0);
    }
  });
});

describe('a stopped run', () => {
  const ways = [
    ['in threads', (...of: Parameters<typeof runInCallingThread>) => pool.play(...of)],
    ['here', runInCallingThread],
  ] as const;

  it.each(ways)('returns a prefix of the run, %s', async (_, play) => {
    const chunk = 777;
    const stop = new AbortController();
    const onProgress = ({ done }: Progress): void => {
      if (done > 0) stop.abort();
    };
    const run = battles(11, 11 + chunk * 65_000);
    const result = await play(run, { signal: stop.signal, onProgress, chunk });
    expect(result.complete).toBe(false);
    expect(result.to).toBeGreaterThan(run.from);
    expect(result.to).toBeLessThan(run.to);
    expect((result.to - run.from) % chunk).toBe(0);
    expect(getBattleCount(result.counts)).toBe(result.to - run.from);
    expect(digestOf(run, result)).toBe(await expected({ ...run, to: result.to }));
  });

  it.each(ways)('returns no battles if the signal is already aborted, %s', async (_, play) => {
    const result = await play(battles(5, 1_000), { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ from: 5, to: 5, complete: false });
    expect(getBattleCount(result.counts)).toBe(0);
  });

  it('does not stop other runs', async () => {
    const stop = new AbortController();
    const stopped = pool.play(battles(0, 1e9), { signal: stop.signal });
    const other = pool.play(battles(...RANGE));
    stop.abort();
    expect((await stopped).complete).toBe(false);
    expect(digestOf(battles(...RANGE), await other)).toBe(wanted);
  });
});

describe('onProgress', () => {
  it.each(['in threads', 'here'])('is called with increasing values up to the total, %s', async (where) => {
    const reported: Progress[] = [];
    const onProgress = (progress: Progress): void => void reported.push(progress);
    const run = battles(0, 2_000_000);
    await (where === 'here' ? runInCallingThread(run, { onProgress }) : pool.play(run, { onProgress }));
    expect(reported.at(-1)).toEqual({ done: 2_000_000, total: 2_000_000 });
    const done = reported.map((progress) => progress.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
  });

  it('ends the run with its error if it throws', async () => {
    const onProgress = (): never => {
      throw new TypeError('enough');
    };
    await expect(pool.play(battles(0, 1e10), { onProgress })).rejects.toThrow(new TypeError('enough'));
    expect(digestOf(battles(...RANGE), await pool.play(battles(...RANGE)))).toBe(wanted);
  });
});

describe('close', () => {
  it('waits for active runs and rejects new ones', async () => {
    const closing = await ThreadPool.create({ workers: 2 });
    const runs = [battles(...RANGE), battles(0, 300_000)];
    const playing = Promise.all(runs.map((run) => closing.play(run)));
    let closed = false;
    const close = closing.close().then(() => {
      closed = true;
    });
    await expect(closing.play(battles(0, 1))).rejects.toThrow(new RunError('the pool is closed'));
    const [first, second] = await playing;
    expect(closed).toBe(false);
    expect(first && digestOf(battles(...RANGE), first)).toBe(wanted);
    expect(second?.complete).toBe(true);
    await close;
    await closing.close();
  });
});

describe('an option that is out of range is rejected', () => {
  it.each([0, 257, 1.5, -1, Number.NaN])('workers: %d', async (workers) => {
    await expect(ThreadPool.create({ workers })).rejects.toThrow(InputError);
  });

  it('bootTimeoutMs: 0', async () => {
    await expect(ThreadPool.create({ workers: 1, bootTimeoutMs: 0 })).rejects.toThrow(InputError);
  });

  it.each([
    { from: -1 },
    { from: 0.5 },
    { from: 20, to: 10 },
    { to: 2 ** 53 + 2 },
    { seed: -1n },
    { seed: 2n ** 64n },
    { scenario: { ...scenario, system: 'chess' } },
  ])('%o', async (other) => {
    await expect(pool.play(battles(0, 10, other))).rejects.toThrow(InputError);
    await expect(runInCallingThread(battles(0, 10, other))).rejects.toThrow(InputError);
  });

  it.each([0, 0.5])('chunk: %d', async (chunk) => {
    await expect(runInCallingThread(battles(0, 10), { chunk })).rejects.toThrow(InputError);
  });
});
