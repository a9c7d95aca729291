/** Strength and cards; port of src/rules/strength-cards/, whose encode.ts lays the scenario out. */

import { Counts } from '../core/counts';
import { Listed } from '../core/listed';
import { Stream } from '../core/stream';
import { Battle } from '../strength-cards/battle';
import { Play } from '../strength-cards/side';

export { clear, configure, countsAddress, reserve, scenarioAddress, valuesAddress } from '../core/kernel';
export { listedAddress } from '../core/listed';
export * from '../environments/abi';

function battle(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return Battle.play();
}

/** Simulates one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  Play.unbind();
  return battle(runKey, index);
}

/** Simulates and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  Play.unbind();
  for (let i: u32 = 0; i < count; i++) Counts.add(battle(runKey, from + i));
}

/** Simulates, counts and lists battles, at most as many as fit: core/listed.ts. */
export function list(runKey: u64, from: u64, count: u32): void {
  Play.unbind();
  for (let i: u32 = 0; i < count; i++) Listed.add(i, battle(runKey, from + i));
}
