/** Tests of the sizes of chunks. They begin small and stay short, because a stop waits for active chunks. */
import { describe, expect, test, vi } from 'vitest';
import {
  CHUNKS_MAX,
  ChunkQueue,
  type ChunkSizes,
  computeChunkStart,
  countChunks,
} from '../../src/engines/pool/chunk-queue.ts';
import { computeNextChunkMax, computeShorterChunk, planChunks } from '../../src/engines/pool/job.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { KernelSimulator } from '../../src/engines/pool/simulator.ts';
import { battles, digestOf, expected } from './fixtures.ts';

describe('the sizes of chunks', () => {
  test('grow from one battle, with one chunk of each size per thread', () => {
    const sizes = { chunk: 10, ramp: 2 };
    const begins = Array.from({ length: 12 }, (_, k) => computeChunkStart(sizes, k));
    expect(begins).toEqual([0, 1, 2, 4, 6, 10, 14, 22, 30, 40, 50, 60]);
  });

  test('cover a run without gap or overlap', () => {
    for (const chunk of [1, 2, 3, 7, 64, 100, 4096])
      for (const ramp of [undefined, 1, 2, 5, 16])
        for (const total of [0, 1, 2, 3, 10, 63, 64, 65, 1000, 12_345, 100_000]) {
          const sizes: ChunkSizes = { chunk, ramp };
          const count = countChunks(sizes, total);
          expect(computeChunkStart(sizes, count)).toBeGreaterThanOrEqual(total);
          if (count > 0) expect(computeChunkStart(sizes, count - 1)).toBeLessThan(total);
          for (let k = 0; k < Math.min(count, 300); k++) {
            const size = computeChunkStart(sizes, k + 1) - computeChunkStart(sizes, k);
            expect(size).toBeGreaterThanOrEqual(1);
            expect(size).toBeLessThanOrEqual(chunk);
          }
        }
  });

  test('are the same in a ChunkQueue, whose chunks cover the run', () => {
    const ledger = new ChunkQueue({ from: 7, to: 100, chunk: 16, ramp: 2, jobs: 2 });
    const ranges = [...ledger.claimChunks(1)];
    expect(ranges.map(({ count }) => count)).toEqual([1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 16, 15]);
    expect(ranges.reduce((next, { from, count }) => (from === next ? next + count : -1), 7)).toBe(100);
    expect(ledger.claimedTo).toBe(100);
  });

  test('fit into the chunk queue', () => {
    for (const to of [1e6, 2 ** 40])
      for (const workers of [1, 16, 256]) {
        const leg = planChunks({ engine: 'kernel', from: 0, to }, workers);
        expect(countChunks(leg, leg.to - leg.from)).toBeLessThanOrEqual(CHUNKS_MAX);
        expect(leg.to).toBe(Math.min(to, computeChunkStart(leg, CHUNKS_MAX)));
      }
  });

  test('equal the requested size', () => {
    expect(planChunks({ engine: 'kernel', from: 0, to: 1e6 }, 4, 500)).toEqual({
      from: 0,
      to: 1e6,
      chunk: 500,
      jobs: 8,
    });
  });

  test('decrease after a slow chunk, and increase again without one', () => {
    expect(computeShorterChunk(4096, 99)).toBeUndefined();
    expect(computeShorterChunk(4096, 400)).toBe(256);
    expect(computeNextChunkMax(Number.POSITIVE_INFINITY, 12)).toBe(12);
    expect(computeNextChunkMax(12, undefined)).toBe(192);
    expect(planChunks({ engine: 'kernel', from: 0, to: 1e9 }, 4, undefined, 12).chunk).toBe(12);
  });
});

describe('a leg of a run', () => {
  test('ends when smaller chunks are requested', () => {
    const ledger = new ChunkQueue({ from: 0, to: 1000, chunk: 64, ramp: 1, jobs: 2 });
    const chunks = ledger.claimChunks(1);
    for (let k = 0; k < 4; k++) chunks.next();
    ledger.requestChunkSize(5.7);
    expect(ledger.hasFreeChunks).toBe(false);
    expect(chunks.next().done).toBe(true);
    expect([ledger.claimedTo, ledger.requestedChunkSize, ledger.stopped]).toEqual([15, 5, false]);
    ledger.requestChunkSize(0.2);
    expect(ledger.requestedChunkSize).toBe(1);
  });

  /** Mocks the clock that measures chunks, so that each battle takes 40 ms. */
  function slowly(): { sizes: () => number[]; restore: () => void } {
    const slow = vi.spyOn(KernelSimulator.prototype, 'play');
    const sizes = (): number[] => slow.mock.calls.map(([, count]) => count);
    const clock = vi.spyOn(performance, 'now');
    clock.mockImplementation(() => 40 * sizes().reduce((sum, count) => sum + count, 0));
    const restore = (): void => {
      for (const spy of [slow, clock]) spy.mockRestore();
    };
    return { sizes, restore };
  }

  test('with slow chunks is followed by smaller chunks, with the same result', async () => {
    const run = battles(0, 300);
    const wanted = await expected(run);
    const { sizes, restore } = slowly();
    const result = await runInCallingThread(run);
    const simulated = sizes();
    restore();
    expect(digestOf(run, result)).toBe(wanted);
    // Chunks of 1, 2 and 4 battles, of which the last one took 160 ms, then chunks of one battle.
    expect(simulated.slice(0, 3)).toEqual([1, 2, 4]);
    expect(new Set(simulated.slice(3))).toEqual(new Set([1]));
    expect(simulated.reduce((sum, size) => sum + size, 0)).toBe(300);
  });

  test('returns only the battles of started chunks when it is stopped', async () => {
    const stop = new AbortController();
    const { sizes, restore } = slowly();
    const looked = setInterval(() => {
      if (sizes().length >= 8) stop.abort();
    }, 0);
    const result = await runInCallingThread(battles(0, 1e6), { signal: stop.signal });
    clearInterval(looked);
    const simulated = sizes();
    restore();
    expect(result.complete).toBe(false);
    expect(Math.max(...simulated)).toBe(4);
    expect(result.to).toBe(simulated.reduce((sum, size) => sum + size, 0));
  });
});
