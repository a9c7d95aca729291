/** A share of the ranges of a run, for one of several machines. */

import type { Players } from '../../engines/pool/own.ts';
import type { PreparedRun, Progress, Run } from '../../engines/pool/run.ts';
import { prepare } from '../../engines/pool/setup.ts';
import { isOwn, type Shard } from '../folder/shard.ts';
import { cutAt, type Range } from './ranges.ts';
import type { RunStore } from './store.ts';

/** The ranges of a share: every so many, so that all shares are about equal. */
export function rangesOf(store: RunStore, shard: Shard): Range[] {
  return [...cutAt(store.run, store.run)].filter((_, range) => isOwn(shard, range));
}

export interface ShardProgress {
  /** Ranges of the share that are there, and those that were before. */
  readonly done: number;
  readonly before: number;
  readonly ranges: number;
  /** False if a signal came before all of them were. */
  readonly complete: boolean;
  /** Battles that were played, and the time that took. */
  readonly battles: number;
  readonly seconds: number;
}

interface Watch {
  readonly budget?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Plays those ranges of a share that are not there. Others may play the same at once: they write the same bytes. */
export async function playRanges(
  store: RunStore,
  due: readonly Range[],
  players: Players,
  { budget, signal, onProgress }: Watch,
): Promise<ShardProgress> {
  const { run } = store;
  const { scenario, engine } = run;
  const whole: Run = { engine, scenario, seed: BigInt(run.seed), from: run.from, to: run.to, budget };
  const missing: Range[] = [];
  for (const range of due) if (!(await store.has(range))) missing.push(range);
  const before = due.length - missing.length;
  const asked = missing.reduce((sum, { from, to }) => sum + to - from, 0);
  let prepared: PreparedRun | undefined;
  let [done, battles, seconds] = [before, 0, 0];
  for (const range of missing) {
    if (signal?.aborted === true) break;
    // Somebody else may have played it meanwhile.
    const there = await store.has(range);
    if (!there) {
      prepared ??= await prepare(whole, { signal });
      const tell = ({ done: now }: Progress): void => onProgress?.({ done: battles + now, asked });
      const result = await players.play({ ...whole, ...range }, { prepared, signal, onProgress: tell });
      if (!result.complete) break;
      await store.write(range, result.tally);
      seconds += result.seconds;
      battles += range.to - range.from;
    }
    done++;
  }
  return { done, before, ranges: due.length, complete: done === due.length, battles, seconds };
}
