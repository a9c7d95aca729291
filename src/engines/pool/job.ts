/** How a run is cut into chunks. It changes no result, only how evenly threads are used and how soon they stop. */

import type { Tally } from '../../answers/index.ts';
import { beginOf, CHUNKS_MAX, type Cut, chunksIn, Ledger, type LedgerMemory } from './ledger.ts';
import { openPlayer } from './player.ts';
import type { Engine, Player, Setup } from './run.ts';

/** The most battles of a chunk: about a tenth of a millisecond of a small battle. */
const LONGEST = { kernel: 2 ** 12, automaton: 2 ** 12, reference: 2 ** 6, sampled: 2 ** 14 };

/** As many chunks a thread, if the run is long enough: the last one keeps nobody waiting for long. */
const CHUNKS_PER_WORKER = 32;

/**
 * Cuts the first leg of battles from..to-1 for some workers: a job for each, and one to replace it. Runs of more
 * chunks than a ledger has go on in further legs. Chunks are what a stop has to wait for: they begin with one battle each.
 * @param asked battles of a chunk, if the caller wishes: all chunks have so many
 * @param most  battles of a chunk, if earlier legs have shown that they take long
 */
export function cutLeg(
  run: { engine: Engine; from: number; to: number },
  workers: number,
  asked?: number,
  most: number = Number.POSITIVE_INFINITY,
): Cut {
  const battles = run.to - run.from;
  const even = Math.ceil(battles / (workers * CHUNKS_PER_WORKER));
  const chunk = Math.max(1, asked ?? Math.min(LONGEST[run.engine], even, most));
  const ramp = asked === undefined && chunk > 1 ? { ramp: workers } : {};
  const to = Math.min(run.to, run.from + beginOf({ chunk, ...ramp }, CHUNKS_MAX));
  const jobs = 2 * Math.min(workers, chunksIn({ chunk, ...ramp }, battles));
  return { from: run.from, to, chunk, ...ramp, jobs };
}

/** Milliseconds that a chunk may take before chunks are made smaller, and those that they should take. */
const LATE = 100;
const DUE = 25;

/** How much larger chunks become again after a leg in which none was late: one may have been so by chance. */
const GROWTH = 16;

/** Battles that a chunk should have, if one of so many took too long: perhaps it waited for the processor. */
export function shorter(count: number, ms: number): number | undefined {
  return ms > LATE ? (count * DUE) / ms : undefined;
}

/** The most battles of the chunks of the next leg. @param wanted by who was late in the last one */
export function nextMost(most: number, wanted: number | undefined): number {
  return wanted === undefined ? most * GROWTH : Math.min(most, wanted);
}

// A job: one thread's part in a run.

export interface Job {
  readonly setup: Setup;
  readonly cut: Cut;
  /** The ledger of the run. */
  readonly memory: LedgerMemory;
  /** The job's own number in the ledger. */
  readonly number: number;
}

/**
 * How a job ended; an Error would lose its class on the way to another thread. No tally: nothing was left to play.
 * `busy`: seconds that it played, without what others did meanwhile.
 */
export type JobResult =
  | { readonly ok: true; readonly tally?: Tally | undefined; readonly busy?: number | undefined }
  | { readonly ok: false; readonly message: string };

/** A `Player`, or one in another thread. */
interface AnyPlayer {
  play(from: number, count: number): void | Promise<void>;
  take(): Tally | Promise<Tally>;
  close(): void | Promise<void>;
}

/**
 * Plays what the ledger has for the job. Never rejects; the player is not used again.
 * @param pause is awaited after every chunk
 * @param open  opens who plays: in this thread, unless given
 */
export async function playJob(
  { setup, cut, memory, number }: Job,
  pause?: () => Promise<void>,
  open: (setup: Setup) => Promise<AnyPlayer> = openPlayer,
): Promise<JobResult> {
  try {
    const ledger = new Ledger(cut, memory);
    let player: AnyPlayer | undefined;
    let busy = 0;
    for (const { from, count } of ledger.chunksOf(number)) {
      player ??= await open(setup);
      const began = performance.now();
      const playing = player.play(from, count);
      // Only one in another thread is waited for: here, nothing else is to happen meanwhile.
      if (playing !== undefined) await playing;
      ledger.finish(number);
      const ms = performance.now() - began;
      busy += ms / 1000;
      const less = shorter(count, ms);
      if (less !== undefined && cut.ramp !== undefined) ledger.want(less);
      if (pause === undefined) continue;
      await pause();
      // Signals that came while a long chunk was played are only heard in the next turn of the event loop.
      if (less !== undefined) await pause();
    }
    const tally = await player?.take();
    await player?.close();
    return { ok: true, tally, busy };
  } catch (error) {
    return { ok: false, message: String(error) };
  }
}

// A player in a thread with which no memory is shared: it is told chunk by chunk what to play.

/** What such a thread is told. */
export type Order =
  | { readonly do: 'open'; readonly setup: Setup }
  | { readonly do: 'play'; readonly from: number; readonly count: number }
  | { readonly do: 'take' }
  | { readonly do: 'close' };

let player: Player | undefined;

/** Does what the thread is told; a thread has one player at a time. */
export async function obey(order: Order): Promise<Tally | undefined> {
  if (order.do === 'open') player = await openPlayer(order.setup);
  else if (order.do === 'play') player?.play(order.from, order.count);
  else if (order.do === 'take') return player?.take();
  else player?.close();
  return undefined;
}

/**
 * Opens a player in a thread.
 * @param perform has a task done by that thread
 */
export async function distantPlayer(
  perform: (task: { readonly name: string; readonly task: Order }) => Promise<unknown>,
  setup: Setup,
): Promise<AnyPlayer> {
  const tell = (task: Order): Promise<unknown> => perform({ name: 'obey', task });
  await tell({ do: 'open', setup });
  return {
    play: async (from, count) => {
      await tell({ do: 'play', from, count });
    },
    take: async () => (await tell({ do: 'take' })) as Tally,
    close: async () => {
      await tell({ do: 'close' });
    },
  };
}
