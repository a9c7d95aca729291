/**
 * The yardstick of the gate: what kernels do (hash, look up, branch, count) in a module of its own that never changes.
 * What counts is bench/gate/yardstick.wasm, compiled from this once by AssemblyScript 0.28.20; the source is here to be
 * read. It imports nothing, so that no change of the kernels' core can reach it.
 */

/** 64 slots, filled by `configure`: the difference of two rolls of 3d10, roughly. */
const table: usize = memory.data(64 * 4, 16);

/** Counters by rounds. */
const counts: usize = memory.data(64 * 4, 16);

export function configure(): void {
  for (let slot = 0; slot < 64; slot++) {
    const spread = (slot % 8) + ((slot >> 3) % 8);
    store<i32>(table + ((<usize>slot) << 2), spread - 7);
  }
}

function mix(value: u64): u64 {
  let z = value;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

function duel(key: u64): i32 {
  let attacker = 30;
  let defender = 25;
  let rounds = 0;
  while (attacker > 0 && defender > 0 && rounds < 63) {
    rounds++;
    let x = (<u32>rounds + <u32>key) ^ <u32>(key >> 32);
    x = (x ^ (x >> 17)) * 0xed5ad4bb;
    x = (x ^ (x >> 11)) * 0xac4c1b51;
    x = (x ^ (x >> 15)) * 0x31848bab;
    x ^= x >> 14;
    defender -= max(0, load<i32>(table + ((<usize>(x & 63)) << 2)) + 1);
    attacker -= max(0, load<i32>(table + ((<usize>((x >> 16) & 63)) << 2)) + 1);
  }
  return rounds;
}

/** Plays battles from..from + count - 1; returns a sum that only this work gives. */
export function run(from: u64, count: u32): u32 {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const rounds = duel(mix(from + i));
    const counter = counts + ((<usize>rounds) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
    sum = sum * 31 + <u32>rounds;
  }
  return sum;
}
