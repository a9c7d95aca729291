/** Cubes from a bag; port of src/rules/cube-bag/, whose encode.ts lays the scenario out. */
import { Bag } from '../core/bag';
import { Branches } from '../core/branches';
import { Counts } from '../core/counts';
import { Listed } from '../core/listed';
import { Stream } from '../core/stream';
import { Battle } from '../cube-bag/battle';
import { Damage, Removal } from '../cube-bag/damage';
import { Draws } from '../cube-bag/draws';
import { Party } from '../cube-bag/side';
import { Side } from '../generated/cube-bag';

export { distributionAddress, lost, spansAddress, states, steps } from '../core/distribution';
export { clear, configure, countsAddress, reserve, scenarioAddress, valuesAddress } from '../core/kernel';
export { listedAddress } from '../core/listed';
export * from '../environments/abi';

/** A side's tries of conversion. */
function convert(side: usize): void {
  const enemy = Party.force(1 - side);
  for (let i = 0, n = Party.word(side, Side.conversions); i < n && enemy.left > 0; i++) {
    const army = Party.hunted(1 - side);
    if (Draws.converts(side, i, army)) Party.lose(1 - side, Party.next(1 - side, army));
  }
}

/** Places the damage to a side; group by group if the destruction priority orders all its objects. */
function lose(side: usize, damage: i32): void {
  if (Party.word(side, Side.mixed)) Removal.place(side, damage);
  else Damage.place(side, damage);
}

function battle(): i32 {
  Battle.start();
  convert(1);
  convert(0);
  Draws.both();
  Draws.redraw(0, Draws.redrawChoice(0));
  Draws.redraw(1, Draws.redrawChoice(1));
  lose(1, Bag.drawn().first);
  lose(0, Bag.drawn().second);
  Battle.recover(1);
  Battle.recover(0);
  Battle.report();
  return Battle.outcome();
}

/** Simulates one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return battle();
}

/** Simulates and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  for (let i: u32 = 0; i < count; i++) Counts.add(play(runKey, from + i));
}

/** Simulates, counts and lists battles, at most as many as fit: core/listed.ts. */
export function list(runKey: u64, from: u64, count: u32): void {
  for (let i: u32 = 0; i < count; i++) Listed.add(i, play(runKey, from + i));
}

/** Computes the exact distribution: see core/distribution.ts. */
export function solve(moves: f64): i32 {
  return Branches.solve(battle, moves);
}
