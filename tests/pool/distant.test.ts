/**
 * Tests of threads without shared memory, as in pages that are not cross-origin isolated: the caller has the chunk
 * queue.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import type { ThreadGroup, ThreadGroupOptions } from '../../src/core/platform/types.ts';
import { ChunkQueue } from '../../src/engines/pool/chunk-queue.ts';
import { executeCommand, type SimulatorCommand } from '../../src/engines/pool/job.ts';
import type { RunRequest } from '../../src/engines/pool/run.ts';
import { ThreadPool } from '../../src/engines/pool/thread-pool.ts';
import { battles, digestOf, expected } from './fixtures.ts';

/** Commands that the only thread received, and the numbers of the `play` commands that fail. */
const messages: SimulatorCommand['do'][] = [];
let deadly: readonly number[] = [];
/** Called for each command, with the number of `play` commands so far. */
let onOrder: ((simulation: number) => void) | undefined;

class OneThread implements ThreadGroup {
  readonly workers = 1;
  #plays = 0;
  #last: Promise<unknown> = Promise.resolve();

  async perform({ task }: { readonly task: unknown }): Promise<unknown> {
    if (task === null) return null;
    const order = task as SimulatorCommand;
    messages.push(order.do);
    onOrder?.(messages.filter((each) => each === 'play').length);
    if (order.do === 'play' && deadly.includes(++this.#plays)) throw new Error('out of memory');
    // Messages between threads are copies.
    return structuredClone(await executeCommand(order.do === 'open' ? order : structuredClone(order)));
  }

  grow(): void {
    // One thread is enough for these tests.
  }

  withThread<R>(use: (perform: ThreadGroup['perform']) => Promise<R>): Promise<R> {
    const turn = this.#last.then(() => use((task) => this.perform(task)));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  destroy(): Promise<void> {
    return Promise.resolve();
  }
}

vi.mock('#platform/threads', () => ({ cores: () => 1, startThreads: (_: ThreadGroupOptions) => new OneThread() }));

beforeEach(() => {
  vi.stubGlobal('SharedArrayBuffer', undefined);
  messages.length = 0;
  deadly = [];
  onOrder = undefined;
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const RUN = battles(100, 30_100);

async function play(run: RunRequest, signal?: AbortSignal) {
  await using pool = await ThreadPool.create({ workers: 1 });
  return await pool.play(run, { chunk: 1000, signal });
}

describe('threads without shared memory', () => {
  test('use a chunk queue in an ArrayBuffer of the caller', () => {
    const cut = { from: 0, to: 10, jobs: 1, chunk: 5, ramp: undefined };
    expect(new ChunkQueue(cut).memory).toBeInstanceOf(ArrayBuffer);
  });

  test.each([
    ['the kernel', RUN],
    ['an automaton', battles(0, 200_000)],
    ['the rules', battles(0, 500, { engine: 'reference' })],
  ])('return the digest of the calling thread: %s', async (_, run) => {
    expect(digestOf(run, await play(run))).toBe(await expected(run));
    expect(messages.filter((order) => order === 'open').length).toBe(
      messages.filter((order) => order === 'close').length,
    );
    expect(messages.filter((order) => order === 'play').length).toBeGreaterThan(0);
  });

  test('stop between chunks on a signal, and keep the simulated battles', async () => {
    const stop = new AbortController();
    onOrder = (simulation) => {
      if (simulation === 3) stop.abort();
    };
    const result = await play(RUN, stop.signal);
    expect(result.complete).toBe(false);
    expect(result.to).toBe(RUN.from + 3000);
    expect(digestOf(RUN, result)).toBe(await expected({ ...RUN, to: result.to }));
  });

  test('retry the battles of a failed thread once, and report them if it fails again', async () => {
    deadly = [4];
    expect(digestOf(RUN, await play(RUN))).toBe(await expected(RUN));
    deadly = [4, 5];
    const failure = play(RUN);
    await expect(failure).rejects.toThrow(RunError);
    await expect(failure).rejects.toThrow(/battles \d+\.\.\d+ could not be simulated.*out of memory/);
  });
});
