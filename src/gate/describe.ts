/** What a build has to be measured, as it tells the gate of another build. */
import { BENCHMARKS, loadBenchmark } from './benchmark.ts';
import { played } from './counters.ts';
import type { Entry } from './player.ts';
import { entryOf } from './process.ts';

export interface Described {
  /** As the player of the same build reads it. */
  readonly entry: Entry;
  /** Of a fixed run of its kernel. */
  readonly digest: string;
}

export async function described(): Promise<Described[]> {
  const found: Described[] = [];
  for (const subject of BENCHMARKS) {
    const benchmark = await loadBenchmark(subject);
    found.push({ entry: entryOf(benchmark), digest: played(benchmark).digest });
  }
  return found;
}
