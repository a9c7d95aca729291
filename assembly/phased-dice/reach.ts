/** Finds the tabulated states that a side can reach from its first one, and their successors, and renumbers them. */
import { workspace } from '../core/kernel';
import { NEXT, States } from './states';

/** Reachable states of a side. */
@unmanaged
class Side {
  count: i32;
  /** Maximum hits that it takes in a phase. */
  hits: i32;
  /**
   * By number: the state, its record, and the number of hits from which on more make no difference; by number and hits,
   * the successor.
   */
  states: usize;
  records: usize;
  lasts: usize;
  follows: usize;
}

const sides: usize = memory.data(2 * 24, 8);

export class Reach {
  /** Numbers the states of both sides that follow a first one; false if memory is exhausted. */
  static find(first: i32): bool {
    return Reach.findOf(0, first) && Reach.findOf(1, first);
  }

  @inline static side(side: usize): Side {
    return changetype<Side>(sides + side * offsetof<Side>());
  }

  static findOf(who: usize, first: i32): bool {
    const roster = States.roster(who);
    const side = Reach.side(who);
    const tabulated = <usize>roster.states;
    const numbers = workspace(4 * tabulated * (5 + <usize>roster.hits));
    if (numbers === 0) return false;
    side.hits = roster.hits;
    side.states = numbers + 4 * tabulated;
    side.records = side.states + 4 * tabulated;
    side.lasts = side.records + 4 * tabulated;
    side.follows = side.lasts + 4 * tabulated;
    memory.fill(numbers, 0xff, 4 * tabulated);
    side.count = 0;
    Reach.number(side, numbers, first);
    for (let i = 0; i < side.count; i++) Reach.go(who, side, numbers, i);
    return true;
  }

  /** The number of a state, which gets one if it has none. */
  static number(side: Side, numbers: usize, state: i32): i32 {
    const at = numbers + ((<usize>state) << 2);
    if (load<i32>(at) < 0) {
      store<i32>(side.states + ((<usize>side.count) << 2), state);
      store<i32>(at, side.count++);
    }
    return load<i32>(at);
  }

  /** Writes the successors of a state. */
  static go(who: usize, side: Side, numbers: usize, i: i32): void {
    const roster = States.roster(who);
    const record = States.record(who, Reach.state(who, i));
    const next = record + NEXT;
    let last = 0;
    for (let hits = 0; hits <= side.hits; hits++) {
      const at = (<usize>hits) << 2;
      const target = load<u32>(next + at);
      if (target !== load<u32>(next + ((<usize>last) << 2))) last = hits;
      const state = <i32>((<usize>target - roster.first) / roster.bytes);
      store<i32>(Reach.follow(who, i) + at, Reach.number(side, numbers, state));
    }
    store<usize>(side.records + ((<usize>i) << 2), record);
    store<i32>(side.lasts + ((<usize>i) << 2), last);
  }

  @inline static count(side: usize): i32 {
    return Reach.side(side).count;
  }

  @inline static hits(side: usize): i32 {
    return Reach.side(side).hits;
  }

  @inline static state(side: usize, i: i32): i32 {
    return load<i32>(Reach.side(side).states + ((<usize>i) << 2));
  }

  @inline static record(side: usize, i: i32): usize {
    return load<usize>(Reach.side(side).records + ((<usize>i) << 2));
  }

  /** The numbers that follow one, by hits. */
  @inline static follow(side: usize, i: i32): usize {
    return Reach.side(side).follows + ((<usize>(i * (Reach.side(side).hits + 1))) << 2);
  }

  /** Hits from which on more make no difference. */
  @inline static last(side: usize, i: i32): i32 {
    return load<i32>(Reach.side(side).lasts + ((<usize>i) << 2));
  }
}
