/** The state of one environment: this head, then the words of its battle as the system lays them out. */

/** What becomes of an environment when it is stepped. */
export const OPEN: i32 = 0;
/** Its battle is over, or lost by an illegal action: it waits for a reset. */
export const DONE: i32 = 1;
/** The limit of steps has ended its episode, not its battle: it waits for a reset, a decision still pending. */
export const TRUNCATED: i32 = 2;

/** No decision is pending: the battle is over. */
export const NONE: i32 = -1;

@unmanaged
export class Record {
  /** The key of the battle's stream. */
  keyLow: u32;
  keyHigh: u32;
  /** Number of the battle in this environment, from 0 on. */
  episode: u32;
  /** Actions taken in it. */
  steps: u32;
  /** Index of its scenario. */
  variant: i32;
  /** Index of the pending decision point, or NONE. */
  point: i32;
  /** Who decides. */
  player: i32;
  /** Index of the outcome, once the battle is over. */
  outcome: i32;
  status: i32;
  unused0: i32;
  unused1: i32;
  unused2: i32;

  /** True if no action can be taken: the battle is over, or its episode is. */
  @inline get isOver(): bool {
    return this.point < 0 || this.status !== OPEN;
  }
}

/** Bytes before the battle's words. */
export const HEAD_BYTES: usize = 48;
