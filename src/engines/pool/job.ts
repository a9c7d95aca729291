/** Plans the chunks of a run. They do not affect results, only the balance of threads and the delay of a stop. */

import type { Counts } from '../../stats/index.ts';
import {
  CHUNKS_MAX,
  type ChunkPlan,
  ChunkQueue,
  type ChunkQueueMemory,
  computeChunkStart,
  countChunks,
} from './chunk-queue.ts';
import type { BattleSimulator, Engine, SimulatorSetup } from './run.ts';
import { openSimulator } from './simulator.ts';

/** Maximum battles of a chunk: about a tenth of a millisecond of small battles. */
const CHUNK_BATTLES_MAX = { kernel: 2 ** 12, automaton: 2 ** 12, reference: 2 ** 6, sampled: 2 ** 14 };

/** Chunks per thread, if the run is long enough, so that the last one causes little waiting. */
const CHUNKS_PER_WORKER = 32;

/**
 * Plans the first leg of battles from..to-1 for some workers: a job for each, and one as a replacement. Runs with too
 * many chunks for a queue continue in further legs. A stop waits for chunks: they begin with one battle each.
 * @param requested battles per chunk, for all chunks
 * @param most maximum battles per chunk, if earlier legs were slow
 */
export function planChunks(
  run: { engine: Engine; from: number; to: number },
  workers: number,
  requested?: number,
  most: number = Number.POSITIVE_INFINITY,
): ChunkPlan {
  const battles = run.to - run.from;
  const even = Math.ceil(battles / (workers * CHUNKS_PER_WORKER));
  const chunk = Math.max(1, requested ?? Math.min(CHUNK_BATTLES_MAX[run.engine], even, most));
  const ramp = requested === undefined && chunk > 1 ? { ramp: workers } : {};
  const to = Math.min(run.to, run.from + computeChunkStart({ chunk, ...ramp }, CHUNKS_MAX));
  const jobs = 2 * Math.min(workers, countChunks({ chunk, ...ramp }, battles));
  return { from: run.from, to, chunk, ...ramp, jobs };
}

/** Duration of a chunk above which chunks are made smaller, and their target duration, in milliseconds. */
const LATE_MS = 100;
const TARGET_MS = 25;

/** Growth of chunks after a leg without a slow one, which may have been slow by chance. */
const GROWTH = 16;

/** Computes a smaller chunk size after a slow chunk, which may have waited for the processor. */
export function computeShorterChunk(count: number, ms: number): number | undefined {
  return ms > LATE_MS ? (count * TARGET_MS) / ms : undefined;
}

/** Computes the maximum battles of chunks of the next leg. @param wanted request of a slow job in the last leg */
export function computeNextChunkMax(most: number, wanted: number | undefined): number {
  return wanted === undefined ? most * GROWTH : Math.min(most, wanted);
}

// A job: the part of one thread in a run.

export interface Job {
  readonly setup: SimulatorSetup;
  readonly plan: ChunkPlan;
  /** Memory of the queue. */
  readonly memory: ChunkQueueMemory;
  /** Number of the job in the queue. */
  readonly number: number;
}

/**
 * Result of a job; an Error would lose its class in a message to another thread. Without counts: nothing was left to
 * simulate. `busy`: seconds of simulation, without waiting for others.
 */
export type JobResult =
  | { readonly ok: true; readonly counts?: Counts | undefined; readonly busy?: number | undefined }
  | { readonly ok: false; readonly message: string };

/** A `BattleSimulator`, or one in another thread. */
interface AsyncSimulator {
  play(from: number, count: number): void | Promise<void>;
  take(): Counts | Promise<Counts>;
  close(): void | Promise<void>;
}

/**
 * Runs the chunks of a job. Never rejects; the simulator is not used again.
 * @param pause called after every chunk
 * @param open opens the simulator; default: in this thread
 */
export async function runJob(
  { setup, plan, memory, number }: Job,
  pause?: () => Promise<void>,
  open: (setup: SimulatorSetup) => Promise<AsyncSimulator> = openSimulator,
): Promise<JobResult> {
  try {
    const ledger = new ChunkQueue(plan, memory);
    let player: AsyncSimulator | undefined;
    let busy = 0;
    for (const { from, count } of ledger.claimChunks(number)) {
      player ??= await open(setup);
      const began = performance.now();
      const playing = player.play(from, count);
      // Only simulators in other threads are awaited: locally nothing else may happen meanwhile.
      if (playing !== undefined) await playing;
      ledger.finish(number);
      const ms = performance.now() - began;
      busy += ms / 1000;
      const less = computeShorterChunk(count, ms);
      if (less !== undefined && plan.ramp !== undefined) ledger.requestChunkSize(less);
      if (pause === undefined) continue;
      await pause();
      // Signals that arrive during a long chunk are only handled in the next turn of the event loop.
      if (less !== undefined) await pause();
    }
    const counts = await player?.take();
    await player?.close();
    return { ok: true, counts, busy };
  } catch (error) {
    return { ok: false, message: String(error) };
  }
}

// Simulator in a thread without shared memory: it receives commands chunk by chunk.

/** Commands for such a thread. */
export type SimulatorCommand =
  | { readonly do: 'open'; readonly setup: SimulatorSetup }
  | { readonly do: 'play'; readonly from: number; readonly count: number }
  | { readonly do: 'take' }
  | { readonly do: 'close' };

let simulator: BattleSimulator | undefined;

/** Executes a command; a thread has one simulator at a time. */
export async function executeCommand(order: SimulatorCommand): Promise<Counts | undefined> {
  if (order.do === 'open') simulator = await openSimulator(order.setup);
  else if (order.do === 'play') simulator?.play(order.from, order.count);
  else if (order.do === 'take') return simulator?.take();
  else simulator?.close();
  return undefined;
}

/**
 * Opens a simulator in a thread.
 * @param perform performs a task in that thread
 */
export async function openRemoteSimulator(
  perform: (task: { readonly name: string; readonly task: SimulatorCommand }) => Promise<unknown>,
  setup: SimulatorSetup,
): Promise<AsyncSimulator> {
  const send = (task: SimulatorCommand): Promise<unknown> => perform({ name: 'obey', task });
  await send({ do: 'open', setup });
  return {
    play: async (from, count) => {
      await send({ do: 'play', from, count });
    },
    take: async () => (await send({ do: 'take' })) as Counts,
    close: async () => {
      await send({ do: 'close' });
    },
  };
}
