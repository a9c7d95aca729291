import { describe, expect, it } from 'vitest';
import { type BattleRange, CHUNKS_MAX, ChunkQueue } from '../../src/engines/pool/chunk-queue.ts';
import { planChunks } from '../../src/engines/pool/job.ts';

function cut(from: number, to: number, chunk: number, jobs = 4): ChunkQueue {
  return new ChunkQueue({ from, to, chunk, jobs });
}

function take(chunks: Generator<BattleRange, void>): BattleRange | undefined {
  return chunks.next().value ?? undefined;
}

describe('ChunkQueue', () => {
  it('yields each battle once, in order, and a shorter last chunk', () => {
    expect([...cut(5, 30, 10).claimChunks(1)]).toEqual([
      { from: 5, count: 10 },
      { from: 15, count: 10 },
      { from: 25, count: 5 },
    ]);
  });

  it('shares the chunks among jobs with the same memory', () => {
    const ledger = cut(0, 40, 10);
    const other = new ChunkQueue(ledger.plan, ledger.memory);
    const [one, two] = [ledger.claimChunks(1), other.claimChunks(2)];
    const claims = [one, two, two, one, one, two].map((job) => take(job)?.from);
    expect(claims).toEqual([0, 10, 20, 30, undefined, undefined]);
  });

  it('has claimed a prefix of the run when it is stopped', () => {
    const ledger = cut(100, 200, 10);
    const job = ledger.claimChunks(1);
    take(job);
    take(job);
    expect(ledger.hasFreeChunks).toBe(true);
    ledger.stop();
    expect(ledger.hasFreeChunks).toBe(false);
    expect(take(job)).toBeUndefined();
    expect(ledger.claimedTo).toBe(120);
  });

  it('reassigns the chunks of a dead job, even if the run was stopped', () => {
    const ledger = cut(0, 60, 10);
    const [one, two] = [ledger.claimChunks(1), ledger.claimChunks(2)];
    for (const job of [one, two, one]) take(job);
    ledger.finish(1);
    ledger.finish(2);
    expect(ledger.done).toBe(20);
    ledger.stop();
    ledger.reassign(1, 3);
    expect(ledger.done).toBe(10);
    expect([...ledger.claimChunks(3)].map(({ from }) => from)).toEqual([0, 20]);
    expect(ledger.claimedTo).toBe(30);
  });

  it('returns the last chunk of a job', () => {
    const ledger = cut(0, 60, 10);
    expect(ledger.lastChunkOf(2)).toBeUndefined();
    take(ledger.claimChunks(1));
    take(ledger.claimChunks(2));
    expect(ledger.lastChunkOf(2)).toEqual({ from: 10, count: 10 });
  });

  it('continues after a job that died between claiming and recording a chunk', () => {
    const ledger = cut(0, 30, 10, 2);
    const words = new Int32Array(ledger.memory);
    const firstOwner = words.length - 3;
    words[firstOwner] = 1;
    expect(ledger.claimedTo).toBe(10);
    expect([...ledger.claimChunks(2)].map(({ from }) => from)).toEqual([10, 20]);
    ledger.reassign(1, 2);
    expect(take(ledger.claimChunks(2))?.from).toBe(0);
  });
});

describe('planChunks', () => {
  const run = (to: number, engine: 'kernel' | 'reference' = 'kernel') => ({ engine, from: 0, to });

  it('limits the number and the length of chunks for all runs', () => {
    for (const to of [1e6, 1e9, 2 ** 53]) {
      for (const requested of [undefined, 1]) {
        const leg = planChunks(run(to), 2, requested);
        expect(Math.ceil((leg.to - leg.from) / leg.chunk)).toBeLessThanOrEqual(CHUNKS_MAX);
        expect(leg.chunk).toBeLessThanOrEqual(requested ?? 4096);
      }
    }
  });

  it('returns one leg if its chunks fit into the queue, otherwise the part that fits', () => {
    expect(planChunks(run(CHUNKS_MAX), 2, 1).to).toBe(CHUNKS_MAX);
    expect(planChunks({ ...run(CHUNKS_MAX + 100), from: 50 }, 2, 1).to).toBe(CHUNKS_MAX + 50);
  });

  it('plans at most one job per chunk, and one in reserve for each job', () => {
    expect(planChunks(run(3), 8)).toEqual({ from: 0, to: 3, chunk: 1, jobs: 6 });
    expect(planChunks(run(1e6), 8).jobs).toBe(16);
    expect(planChunks(run(0), 8).jobs).toBe(0);
  });

  it('plans shorter chunks for the reference engine', () => {
    expect(planChunks(run(1e6, 'reference'), 2).chunk).toBeLessThan(planChunks(run(1e6), 2).chunk);
  });
});
