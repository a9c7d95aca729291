/** Attrition; port of src/rules/attrition/, whose encode.ts lays the scenario out. */

import { Descent } from '../attrition/descent';
import { Duel } from '../attrition/duel';
import { Mass } from '../attrition/mass';
import { Melee } from '../attrition/melee';
import { Volley } from '../attrition/volley';
import { Counts } from '../core/counts';
import { clear as clearCounts, configure as configureCounts, Scenario } from '../core/kernel';
import { Listed } from '../core/listed';
import { Stream } from '../core/stream';
import { Mass as Head, Modes } from '../generated/attrition';

export { cut, distributionAddress, least, lost, spansAddress, states, steps } from '../core/distribution';
export { countsAddress, reserve, scenarioAddress, valuesAddress } from '../core/kernel';
export { listedAddress } from '../core/listed';
export * from '../environments/abi';

function battle(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return Scenario.word(Head.mode) === Modes.mass ? Mass.play() : Duel.play();
}

/** Simulates one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  return battle(runKey, index);
}

/** True if the battles of the scenario are simulated in batches. */
let together: bool = false;

/** Reads the scenario of the host and resets the counters. */
export function configure(): void {
  configureCounts();
  together = Scenario.word(Head.mode) !== Modes.mass && Volley.prepare();
}

/** Empties the counters. */
export function clear(): void {
  clearCounts();
  if (together) Volley.clear();
}

/** Updates the counters. */
export function settle(): void {
  if (together) Volley.settle();
}

/** Simulates and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  if (together) Volley.run(runKey, from, count);
  else for (let i: u32 = 0; i < count; i++) Counts.add(battle(runKey, from + i));
}

/** Simulates, counts and lists battles, at most as many as fit: core/listed.ts. */
export function list(runKey: u64, from: u64, count: u32): void {
  for (let i: u32 = 0; i < count; i++) Listed.add(i, battle(runKey, from + i));
}

/** Computes the exact distribution: see core/distribution.ts. */
export function solve(moves: f64, steps: f64): i32 {
  return Scenario.word(Head.mode) === Modes.mass ? Melee.solve(moves, steps) : Descent.solve(moves);
}
