/** A job: one thread's part in a run. */
import type { Tally } from '../stats/tally.ts';
import { shorter } from './cut.ts';
import type { Player, Setup } from './forms.ts';
import { type Cut, Ledger } from './ledger.ts';
import { openPlayer } from './player.ts';

export interface Job {
  readonly setup: Setup;
  readonly cut: Cut;
  /** The ledger of the run. */
  readonly memory: SharedArrayBuffer;
  /** The job's own number in the ledger. */
  readonly number: number;
}

/** How a job ended; an Error would lose its class on the way to another thread. No tally: nothing was left to play. */
export type JobResult =
  | { readonly ok: true; readonly tally?: Tally | undefined }
  | { readonly ok: false; readonly message: string };

/**
 * Plays what the ledger has for the job. Never rejects; the player is not used again.
 * @param pause is awaited after every chunk
 */
export async function playJob({ setup, cut, memory, number }: Job, pause?: () => Promise<void>): Promise<JobResult> {
  try {
    const ledger = new Ledger(cut, memory);
    let player: Player | undefined;
    for (const { from, count } of ledger.chunksOf(number)) {
      player ??= await openPlayer(setup);
      const began = performance.now();
      player.play(from, count);
      ledger.finish(number);
      const less = shorter(count, performance.now() - began);
      if (less !== undefined && cut.ramp !== undefined) ledger.want(less);
      if (pause === undefined) continue;
      await pause();
      // Signals that came while a long chunk was played are only heard in the next turn of the event loop.
      if (less !== undefined) await pause();
    }
    const tally = player?.take();
    player?.close();
    return { ok: true, tally };
  } catch (error) {
    return { ok: false, message: String(error) };
  }
}
