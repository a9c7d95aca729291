/**
 * Exports of every kernel in addition to `run` and `play`: memory of a scenario and its counters.
 *
 * Order of calls: reserve, then the host writes shape and scenario at `scenarioAddress`, then configure, then any
 * number of run and play. Memory grows only in `reserve`, `configure` and `solve`. A kernel with its own form of
 * counters also exports `settle`, which updates the counters before they are read; one that can compute the exact
 * distribution exports `solve` (core/distribution.ts).
 */

import { Counts } from './counts';
import { aligned, reach } from './memory';

export { values as valuesAddress } from './counts';

/** Address at which the host writes the shape of the counts, followed by the scenario. */
export let scenarioAddress: usize = 0;

/** Address of the counters. */
export let countsAddress: usize = 0;

/** Address of the words of the scenario. */
let body: usize = 0;

/** Start of free memory. */
let free: usize = 0;

export class Scenario {
  /** Word `index` of the scenario's head. */
  @inline static word(index: usize): i32 {
    return load<i32>(body + (index << 2));
  }

  /** The table that word `index` of the head points to. */
  @inline static table(index: usize): usize {
    return Scenario.at(Scenario.word(index));
  }

  /** Uses the words at `at` as the scenario from now on. */
  @inline static use(at: usize): void {
    body = at;
  }

  /** Returns the table at an offset of bytes from the start of the head. */
  @inline static at(offset: i32): usize {
    return body + <usize>offset;
  }
}

/** Reserves memory for the scenario and the counters; false if memory cannot grow enough. */
export function reserve(scenarioBytes: u32, countsBytes: u32): bool {
  scenarioAddress = aligned(__heap_base);
  countsAddress = aligned(scenarioAddress + scenarioBytes);
  free = countsAddress + countsBytes;
  return reach(free);
}

/** Allocates working memory aligned to 64 bytes, or returns 0 if memory is exhausted; for `configure` and `solve`. */
export function workspace(bytes: usize): usize {
  const at = aligned(free);
  if (!reach(<u64>at + bytes)) return 0;
  free = at + bytes;
  return at;
}

/** Reads the scenario of the host and resets the counters. */
export function configure(): void {
  body = Counts.shape(scenarioAddress, countsAddress);
  Counts.clear();
}

/** Empties the counters. */
export function clear(): void {
  Counts.clear();
}
