/** Exports of the module of every system for simulation decision by decision: docs/reference/abi.md. */

import { Counts } from '../core/counts';
import { aligned, reach } from '../core/memory';
import { ABI, Errors } from '../generated/environments';
import { Environments, resetMarked } from './environments';
import { configBytes, counts, envs, Fields, observationRow, outcomesMax, stride, sums, table, values } from './fields';
import * as Game from './game';
import { Policies } from './policies';
import { Scene } from './scene';

/** The version of this interface. */
export function env_abi(): i32 {
  return ABI;
}

/**
 * Reserves memory for a configuration; returns the address at which the host writes it, or 0 if memory cannot grow
 * enough.
 */
export function env_reserve(bytes: u32): usize {
  const at = aligned(__heap_base);
  Fields.place(at, bytes);
  return reach(<u64>at + bytes) ? at : 0;
}

/** Returns the maximum bytes of a battle of the configuration. */
function battleBytes(): usize {
  let most = 0;
  for (let v = 0, n = Fields.of().variants; v < n; v++) {
    Scene.use(v);
    most = max(most, Game.bytes());
  }
  return <usize>most;
}

/** Allocates working memory of a thread. */
function sitDown(count: i32, first: u32, threads: i32, thread: i32, bytes: usize): u64 {
  const end = Fields.lay(count, first, threads, thread, bytes);
  Counts.leaveAt(values);
  return end;
}

/**
 * Lays out `count` environments, the first of which has the index `first`, for a number of threads. Memory grows here
 * for the last time. Returns one of `Errors`.
 */
export function env_init(count: i32, first: u32, threads: i32): i32 {
  if (Fields.of().abi !== ABI) return Errors.abi;
  const end = sitDown(count, first, threads, 0, battleBytes());
  return end <= (<u64>1) << 31 && reach(end) ? Errors.none : Errors.memory;
}

/**
 * Attaches an instance to a memory in which another one has laid out environments; `thread` from 1 on is its own
 * number.
 */
export function env_attach(bytes: u32, count: i32, first: u32, threads: i32, thread: i32): void {
  Fields.place(aligned(__heap_base), bytes);
  sitDown(count, first, threads, thread, battleBytes());
}

/** Reads the configuration again after the host has changed rewards, weights, seed or modes in place. */
export function env_configure(): i32 {
  if (Fields.of().abi !== ABI) return Errors.abi;
  const so = Fields.of();
  const same = (<usize>so.features) << 2 === observationRow && battleBytes() <= stride;
  return same ? Errors.none : Errors.shape;
}

/** The table of fields: kind, columns, address and bytes of a row of each. */
export function env_fields(): usize {
  return table;
}

/** Starts episode 0 of environments from..to-1. */
export function env_reset(from: i32, to: i32): void {
  for (let e = from; e < to; e++) {
    Environments.clearRewards(e);
    Environments.begin(e, 0);
  }
}

/** Starts the next episode of those among from..to-1 that `reset_mask` marks. */
export function env_reset_masked(from: i32, to: i32): void {
  resetMarked(from, to);
}

/**
 * Takes the actions of environments from..to-1; returns the number of finished episodes, listed from `finished[from]`
 * on.
 */
export function env_step(from: i32, to: i32): i32 {
  return Environments.stepAll(from, to);
}

/**
 * Takes the actions of opponents in those of environments from..to-1 that have a pending decision of an opponent; the
 * result is that of `env_step`.
 */
export function env_answer(from: i32, to: i32): i32 {
  return Environments.answerAll(from, to);
}

/** Writes the actions of a policy for environments from..to-1: 0 the scenario's, 1 uniform. */
export function env_suggest(policy: i32, from: i32, to: i32): void {
  for (let e = from; e < to; e++) Policies.suggest(policy, e);
}

/** Steps each of from..to-1 by a policy, up to a number of steps or of finished episodes; returns all steps. */
export function env_rollout(policy: i32, from: i32, to: i32, steps: u32, episodes: u32): u32 {
  return Policies.rollout(policy, from, to, steps, episodes);
}

/** Shows environments from..to-1 anew after the host has changed their records. */
export function env_refresh(from: i32, to: i32): void {
  for (let e = from; e < to; e++) Environments.refresh(e);
}

/** Gives environments from..to-1 other futures: those of the run of another seed. */
export function env_rekey(from: i32, to: i32, seedLow: u32, seedHigh: u32): void {
  const seed = ((<u64>seedHigh) << 32) | <u64>seedLow;
  for (let e = from; e < to; e++) {
    const record = Environments.record(e);
    const key = Environments.key(seed, e, record.episode);
    record.keyLow = <u32>key;
    record.keyHigh = <u32>(key >> 32);
  }
}

/**
 * Simulates the battle of environment `e` to its end a number of times, all players by a policy, as battles from.. of
 * the run with this key. Battles by outcome, then sums by metric (doubles) are at `env_counts` and `env_sums`.
 */
export function env_playouts(e: i32, runKey: u64, from: u64, count: u32, policy: i32): void {
  memory.fill(counts, 0, (<usize>outcomesMax) << 2);
  memory.fill(sums, 0, (<usize>Fields.of().metrics) << 3);
  const record = Environments.record(e);
  for (let i: u32 = 0; i < count; i++) Policies.playOut(record, runKey, from + i, policy);
}

export function env_counts(): usize {
  return counts;
}

export function env_sums(): usize {
  return sums;
}

/** Number of environments, and bytes of the configuration. */
export function env_count(): i32 {
  return envs;
}

export function env_config_bytes(): u32 {
  return <u32>configBytes;
}
