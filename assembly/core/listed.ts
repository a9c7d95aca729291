/**
 * Battles that are counted and listed: a row of each with its outcome and its metrics, for those that compare battle by
 * battle.
 */
import { LISTED_BYTES } from '../generated/kernel';
import { Counts, values } from './counts';

/** Address of the rows. */
export const listedAddress: usize = memory.data(LISTED_BYTES, 16);

export class Listed {
  /** The row of battle k of those that are listed, whose outcome is written. */
  @inline static row(k: u32, outcome: i32): usize {
    const row = listedAddress + <usize>k * ((<usize>(1 + Counts.metrics())) << 2);
    store<i32>(row, outcome);
    return row;
  }

  /** Counts and lists a battle that ended in `outcome` with the metrics in `values`. */
  @inline static add(k: u32, outcome: i32): void {
    Counts.add(outcome);
    memory.copy(Listed.row(k, outcome) + 4, values, (<usize>Counts.metrics()) << 2);
  }

  /** Writes a metric of a row. */
  @inline static set(row: usize, metric: i32, value: i32): void {
    store<i32>(row + ((<usize>metric) << 2), value, 4);
  }
}
