/** Token conflict; port of src/rules/token-conflict/, whose encode.ts lays the scenario out. */

import { Counts } from '../core/counts';
import { Scenario } from '../core/kernel';
import { Listed } from '../core/listed';
import { Stream } from '../core/stream';
import { Area, Head } from '../generated/token-conflict';
import { Attack, Conflict, Order } from '../token-conflict/battle';
import { Board } from '../token-conflict/board';

export { clear, configure, countsAddress, reserve, scenarioAddress, valuesAddress } from '../core/kernel';
export { listedAddress } from '../core/listed';
export * from '../environments/abi';

/** Words of a battle without interruption: space for 64 areas and players and 1024 contingents. */
const own: usize = memory.data((8 + 3 * 1024 + 7 * 64 + 2 * 64) * 4, 16);

/** Simulates the conflict of an area; returns its contribution to the outcome. */
function settle(area: Area): i32 {
  const city = area.owner >= 0;
  Conflict.fight(area, city);
  return city ? 0 : Conflict.result(area);
}

/** Simulates the attack on a city; returns its contribution to the outcome. */
function attack(area: Area): i32 {
  const attackers = Attack.make(area);
  if (attackers < 0) return area.otherResult;
  Conflict.fight(area, false);
  Attack.disperse(area);
  Attack.reward(area, Board.contingent(attackers).player);
  return area.result;
}

function battle(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  Board.muster();
  Board.draw(0, Scenario.word(Head.contingents));
  let outcome = 0;
  for (let a = 0, n = Scenario.word(Head.areas); a < n; a++) outcome += settle(Board.area(a));
  for (let a = 0, n = Scenario.word(Head.attacks); a < n; a++) outcome += attack(Order.area(a));
  Board.report();
  return outcome;
}

/** Simulates one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  Board.bind(own);
  return battle(runKey, index);
}

/** Simulates and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  Board.bind(own);
  for (let i: u32 = 0; i < count; i++) Counts.add(battle(runKey, from + i));
}

/** Simulates, counts and lists battles, at most as many as fit: core/listed.ts. */
export function list(runKey: u64, from: u64, count: u32): void {
  Board.bind(own);
  for (let i: u32 = 0; i < count; i++) Listed.add(i, battle(runKey, from + i));
}
