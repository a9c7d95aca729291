/** Phased dice; twin of src/systems/phased-dice/, whose encode.ts lays the scenario out. */
import { configure as read, workspace } from '../core/kernel';
import { Stream } from '../core/stream';
import { Tally } from '../core/tally';
import { Army } from '../phased-dice/army';
import { BATCH_BYTES, Batch } from '../phased-dice/batch';
import { Battle } from '../phased-dice/battle';
import { States } from '../phased-dice/states';

export { reserve, scenarioAddress, tallyAddress, valuesAddress } from '../core/kernel';

/** Memory for the states of both sides. */
const TABLES_BYTES: usize = 1 << 20;

/** Whether sides are played as states; not known before the first run. */
const UNKNOWN: i32 = 0;
const TABULATED: i32 = 1;
const TOO_LARGE: i32 = 2;
let plan: i32 = UNKNOWN;

/** Working memory, or 0. */
let memoryAt: usize = 0;

/** Reads what the host has written and empties the counters. */
export function configure(): void {
  read();
  plan = UNKNOWN;
  memoryAt = workspace(BATCH_BYTES + TABLES_BYTES);
}

/** Plays one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return Battle.play();
}

function isTabulated(): bool {
  if (memoryAt === 0) return false;
  Army.muster(0);
  Army.muster(1);
  if (!Battle.canRoll(0) || !States.tabulate(memoryAt + BATCH_BYTES, TABLES_BYTES)) return false;
  Batch.prepare(memoryAt);
  return true;
}

/** Plays and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  if (plan === UNKNOWN) plan = isTabulated() ? TABULATED : TOO_LARGE;
  if (plan === TABULATED) Batch.run(runKey, from, count);
  else for (let i: u32 = 0; i < count; i++) Tally.add(play(runKey, from + i));
}

/** Brings the counters up to date. */
export function settle(): void {
  if (plan === TABULATED) Batch.settle();
}

/** Empties the counters. */
export function clear(): void {
  settle();
  Tally.clear();
}
