/** Phased dice; port of src/rules/phased-dice/, whose encode.ts lays the scenario out. */

import { Counts } from '../core/counts';
import { configure as read, workspace } from '../core/kernel';
import { Listed } from '../core/listed';
import { Stream } from '../core/stream';
import { Answers } from '../generated/kernel';
import { BATCH_BYTES, Batch, Ends } from '../phased-dice/batch';
import { Battle } from '../phased-dice/battle';
import { Descent } from '../phased-dice/descent';
import { Army } from '../phased-dice/side';
import { Tables } from '../phased-dice/states';

export { cut, distributionAddress, lost, spansAddress, states, steps } from '../core/distribution';
export { countsAddress, reserve, scenarioAddress, valuesAddress } from '../core/kernel';
export { listedAddress } from '../core/listed';
export * from '../environments/abi';

/** Memory for the states of both sides. */
const TABLES_BYTES: usize = 1 << 22;

/** Limits of placements of hits for tables: minimum, per requested battle, and maximum. */
const PLACEMENTS_MIN: u64 = 1 << 12;
const PLACEMENTS_MAX: u64 = 1 << 18;

/** Growth of the limit before another attempt. */
const GROWTH: u64 = 4;

/** States of the tables. */
const NOT_YET: i32 = 0;
const TABULATED: i32 = 1;
const NEVER: i32 = 2;
export let plan: i32 = NOT_YET;

/** Requested battles, and required placements of the next attempt at tables. */
let requested: u64 = 0;
let required: u64 = 0;

/** Working memory, or 0. */
let memoryAt: usize = 0;

/** Reads the scenario of the host and resets the counters. */
export function configure(): void {
  read();
  requested = 0;
  required = PLACEMENTS_MIN;
  memoryAt = workspace(BATCH_BYTES + TABLES_BYTES);
  Army.bindOwn();
  Army.muster(0);
  Army.muster(1);
  plan = memoryAt !== 0 && Battle.canRoll(0) ? NOT_YET : NEVER;
}

/** Simulates one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return Battle.play();
}

/** Creates tables once enough battles are requested that they pay off. */
function prepare(count: u32): void {
  requested += count;
  const placements = min(PLACEMENTS_MAX, max(PLACEMENTS_MIN, requested));
  if (placements < required) return;
  required = placements * GROWTH;
  if (Tables.make(memoryAt + BATCH_BYTES, TABLES_BYTES, <i32>placements)) {
    Batch.prepare(memoryAt);
    plan = TABULATED;
  } else if (!Tables.isBroke() || placements === PLACEMENTS_MAX) plan = NEVER;
}

/** Simulates and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  if (plan === NOT_YET) prepare(count);
  if (plan === TABULATED) Batch.run(runKey, from, count);
  else for (let i: u32 = 0; i < count; i++) Counts.add(play(runKey, from + i));
}

/** Simulates, counts and lists battles, at most as many as fit: core/listed.ts. */
export function list(runKey: u64, from: u64, count: u32): void {
  if (plan === NOT_YET) prepare(count);
  if (plan === TABULATED) Batch.list(runKey, from, count);
  else for (let i: u32 = 0; i < count; i++) Listed.add(i, play(runKey, from + i));
}

/** Computes the exact distribution: see core/distribution.ts. */
export function solve(moves: f64): i32 {
  if (plan === NEVER) return Answers.other;
  const placements = <i32>min<f64>(moves, <f64>PLACEMENTS_MAX);
  if (plan === NOT_YET) {
    if (!Tables.make(memoryAt + BATCH_BYTES, TABLES_BYTES, placements)) return Answers.other;
    Batch.prepare(memoryAt);
    plan = TABULATED;
  }
  return Descent.solve(moves);
}

/** Updates the counters. */
export function settle(): void {
  if (plan === TABULATED) Ends.settle();
}

/** Empties the counters. */
export function clear(): void {
  settle();
  Counts.clear();
}
