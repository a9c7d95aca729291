/** A job: one thread's part in a run. */
import type { Tally } from '../../answers/tally.ts';
import { shorter } from './cut.ts';
import type { Setup } from './forms.ts';
import { type Cut, Ledger, type LedgerMemory } from './ledger.ts';
import { openPlayer } from './player.ts';

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
export interface AnyPlayer {
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
