/**
 * Exact distribution of a battle of few draws, by enumeration of its branches: a battle is repeated, each time with the
 * next outcome of its last draw that has one left, and draws read the branch instead of the stream. Probabilities are
 * doubles, not the thresholds that a draw compares its word with.
 */

import { Answers } from '../generated/kernel';
import { Distribution } from './distribution';

/** A battle with more draws or branches is left to a chain, which merges equal states. */
const DRAWS_MAX: usize = 64;
const WAYS_MAX: u32 = 20_000;

/** Draws of the present branch: the selected outcome of each, its last possible one, and the mass up to here. */
@unmanaged
class Draw {
  drawn: i32;
  most: i32;
  share: f64;
}

const draws: usize = memory.data(64 * 16, 8);

let length: usize = 0;
let depth: usize = 0;

/** True if the present branch takes the next outcome of the last draw. */
let moves: bool = false;

/** Probability of the present branch up to the current draw. */
let mass: f64 = 1.0;

/** Draws are ways, not words. */
export let enumerating: bool = false;

export class Branches {
  @inline static at(index: usize): Draw {
    return changetype<Draw>(draws + index * offsetof<Draw>());
  }

  /**
   * Returns the number of marked cubes among `count` cubes drawn from `size` cubes of which `marked` are marked, in
   * this branch.
   */
  static marked(size: i32, marked: i32, count: i32): i32 {
    const draw = Branches.at(min(depth, DRAWS_MAX - 1));
    const others = size - marked;
    if (depth === length) {
      length++;
      draw.drawn = max(0, count - others);
      draw.most = min(count, marked);
      draw.share = draw.drawn < draw.most ? Branches.least(size, marked, count) : 1.0;
    } else if (moves && depth === length - 1) {
      const k = draw.drawn;
      draw.share *= <f64>((marked - k) * (count - k)) / <f64>((k + 1) * (others - count + k + 1));
      draw.drawn = k + 1;
    }
    depth++;
    mass *= draw.share;
    return draw.drawn;
  }

  /** Probability of as few marked cubes as there can be. */
  static least(size: i32, marked: i32, count: i32): f64 {
    const others = size - marked;
    const isExhausted = count > others;
    const a = isExhausted ? size - count : count;
    const b = isExhausted ? others : marked;
    const top = size - max(a, b);
    let share = 1.0;
    for (let i = 0, n = min(a, b); i < n; i++) share *= <f64>(top - i) / <f64>(size - i);
    return share;
  }

  /** Advances to the next branch; false if there is none. */
  static next(): bool {
    while (length > 0 && Branches.at(length - 1).drawn === Branches.at(length - 1).most) length--;
    depth = 0;
    mass = 1.0;
    moves = length > 0;
    return moves;
  }

  /**
   * Computes the distribution of a battle.
   * @param play simulates it: returns its outcome and leaves its metrics in `values`
   */
  static solve(play: () => i32, affordable: f64): i32 {
    if (!Distribution.room()) return Answers.other;
    length = 0;
    let ways: u32 = 0;
    Branches.next();
    enumerating = true;
    do {
      const outcome = play();
      if (length > DRAWS_MAX || ++ways > WAYS_MAX) break;
      Distribution.add(outcome, mass);
    } while (Branches.next());
    enumerating = false;
    if (length > 0) return Answers.other;
    Distribution.size(ways, ways);
    return Distribution.close(0.0, <f64>ways > affordable ? Answers.beyond : Answers.solved);
  }
}
