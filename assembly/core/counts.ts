/**
 * Counts of outcomes and, for each metric and outcome, of the metric's values; port of src/stats/counts.ts.
 * Counters have 32 bits: the host empties them before 2^32 battles.
 */

import { METRICS_MAX, Range, Shape } from '../generated/kernel';

export const VALUES_BYTES: i32 = METRICS_MAX * 4;

/** Metrics of the last battle: 32-bit integers in the order of the model. */
export let values: usize = memory.data(VALUES_BYTES);

/** For each metric: where its counters begin (a byte address biased by its least value) and its row in bytes. */
const columns: usize = memory.data(METRICS_MAX * 8);

let base: usize = 0;
let end: usize = 0;
let count: i32 = 0;

export class Counts {
  /** Reads the shape at `at`, places the counters from `counters` on, and returns the end of the shape. */
  static shape(at: usize, counters: usize): usize {
    const outcomes = changetype<Shape>(at).outcomes;
    count = changetype<Shape>(at).metrics;
    base = counters;
    let next = counters + ((<usize>outcomes) << 2);
    let range = at + offsetof<Shape>();
    for (let m = 0; m < count; m++) {
      const row = changetype<Range>(range).bins << 2;
      store<i32>(columns + ((<usize>m) << 3), <i32>next - (changetype<Range>(range).least << 2));
      store<i32>(columns + ((<usize>m) << 3), row, 4);
      next += <usize>(row * outcomes);
      range += offsetof<Range>();
    }
    end = next;
    return range;
  }

  /** Stores metrics at `at` from now on: instances that share a memory need separate places. */
  @inline static leaveAt(at: usize): void {
    values = at;
  }

  /** Number of metrics. */
  @inline static metrics(): i32 {
    return count;
  }

  /** Address of the counters, and their number of bytes. */
  @inline static start(): usize {
    return base;
  }

  @inline static bytes(): usize {
    return end - base;
  }

  /** The counter of an outcome. */
  @inline static outcome(outcome: i32): usize {
    return base + ((<usize>outcome) << 2);
  }

  /** The counter of a metric's value among battles with this outcome. */
  @inline static value(metric: i32, outcome: i32, value: i32): usize {
    const column = columns + ((<usize>metric) << 3);
    return <usize>(load<i32>(column) + load<i32>(column, 4) * outcome + (value << 2));
  }

  static clear(): void {
    memory.fill(base, 0, end - base);
  }

  @inline static bump(at: usize, times: u32 = 1): void {
    store<u32>(at, load<u32>(at) + times);
  }

  @inline static set(metric: i32, value: i32): void {
    store<i32>(values + ((<usize>metric) << 2), value);
  }

  /** Counts `times` battles that ended in `outcome` with the metrics in `values`. */
  @inline static add(outcome: i32, times: u32 = 1): void {
    Counts.bump(Counts.outcome(outcome), times);
    for (let m = 0; m < count; m++) Counts.bump(Counts.value(m, outcome, load<i32>(values + ((<usize>m) << 2))), times);
  }
}
