/** What a build has to be measured, as it tells the gate of another build. */
import { BENCHMARKS, type Benchmark, loadBenchmark } from './benchmark.ts';
import { played } from './counters.ts';
import type { PlayerEntry } from './player.ts';

export interface Described {
  /** As the player of the same build reads it. */
  readonly entry: PlayerEntry;
  /** Of a fixed run of its kernel. */
  readonly digest: string;
}

export function entryOf({ name, path, shape, made }: Benchmark): PlayerEntry {
  return { name, path, shape, made };
}

export async function described(): Promise<Described[]> {
  const found: Described[] = [];
  for (const subject of BENCHMARKS) {
    const benchmark = await loadBenchmark(subject);
    found.push({ entry: entryOf(benchmark), digest: played(benchmark).digest });
  }
  return found;
}
