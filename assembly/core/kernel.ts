/**
 * What every kernel exports beside its `run` and `play`: room for a scenario and its counters.
 *
 * Order of calls: reserve, then the host writes shape and scenario at `scenarioAddress`, then configure,
 * then run and play as often as wanted. Memory grows in `reserve`, `configure` and `solve` alone. A kernel that counts
 * in a form of its own exports `settle` too, which brings the counters up to date before they are read; one that can
 * tell the exact law exports `solve` (core/law.ts).
 */
import { aligned, reach } from './memory';
import { Tally } from './tally';

export { values as valuesAddress } from './tally';

/** Where the host writes the shape of the tally and, right behind it, the scenario. */
export let scenarioAddress: usize = 0;

/** Where the counters lie. */
export let tallyAddress: usize = 0;

/** Where the scenario's own words begin. */
let body: usize = 0;

/** Where memory is free. */
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

  /** Makes the words that lie at `at` the scenario of what comes next. */
  @inline static use(at: usize): void {
    body = at;
  }

  /** The table that lies `offset` bytes from the start of the head. */
  @inline static at(offset: i32): usize {
    return body + <usize>offset;
  }
}

/** Makes room for so many bytes of scenario and of counters; false if memory cannot grow so far. */
export function reserve(scenarioBytes: u32, tallyBytes: u32): bool {
  scenarioAddress = aligned(__heap_base);
  tallyAddress = aligned(scenarioAddress + scenarioBytes);
  free = tallyAddress + tallyBytes;
  return reach(free);
}

/** So many bytes of working memory that begin at a multiple of 64, or 0 if there are none; for `configure` and `solve`. */
export function workspace(bytes: usize): usize {
  const at = aligned(free);
  if (!reach(<u64>at + bytes)) return 0;
  free = at + bytes;
  return at;
}

/** Reads what the host has written and empties the counters. */
export function configure(): void {
  body = Tally.shape(scenarioAddress, tallyAddress);
  Tally.clear();
}

/** Empties the counters. */
export function clear(): void {
  Tally.clear();
}
