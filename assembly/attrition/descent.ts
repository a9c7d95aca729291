/**
 * Exact distribution of a duel. The losses of a side in a round do not depend on the other side, only their end does:
 * while both are alive their hit points are independent, and the mass of a pair is the product of two distributions,
 * one per side. So one distribution of one variable per side is followed round by round.
 */

import { Distribution, SPECK } from '../core/distribution';
import { Scenario, workspace } from '../core/kernel';
import { Metrics } from '../generated/attrition';
import { Answers } from '../generated/kernel';
import { ATTACKER, DEFENDER, MUTUAL, Terms, UNDECIDED } from './duel';

/** Space behind a column for vectors that exceed its end. */
const MARGIN: i32 = 16;

/** Lanes that one pass over the distribution of the blow computes. */
const BLOCK: i32 = 8;

const sides: usize = memory.data(256, 16);

/** A side under the other's blows. Columns have a number for each count of hit points, 0 first. */
@unmanaged
class Side {
  hp: i32;
  /** Probabilities of the damage before prey: 0..reach; `prey` is added to all except 0. */
  blow: usize;
  reach: i32;
  prey: i32;
  /** Probability of a blow of at least this damage. */
  tails: usize;
  /** Distribution of the hit points of the living, before and after the round; other entries are zero. */
  now: usize;
  next: usize;
  /** Range in which it may be above zero. */
  low: i32;
  high: i32;
  /** Mass by hit points of battles that this side won. */
  won: usize;
  /** Mass of the living, and mass that falls in this round. */
  standing: f64;
  falling: f64;
}

class Column {
  @inline static at(column: usize, index: i32): usize {
    return column + ((<usize>index) << 3);
  }

  @inline static get(column: usize, index: i32): f64 {
    return load<f64>(Column.at(column, index));
  }

  @inline static set(column: usize, index: i32, value: f64): void {
    store<f64>(Column.at(column, index), value);
  }
}

class Fall {
  /** Mass of the side whose hit points the blow reduces to 0 at once. */
  static mass(side: Side): f64 {
    let sum: f64 = 0.0;
    const high = min(side.high, side.reach + side.prey);
    for (let hp = side.low; hp <= high; hp++) {
      sum += Column.get(side.now, hp) * Column.get(side.tails, max(1, hp - side.prey));
    }
    return sum;
  }

  /** Computes the distribution after the blow from hit points `to` on, eight numbers; returns their sum. */
  @inline static block(side: Side, to: i32): f64 {
    const from = Column.at(side.now, to);
    const none = f64x2.splat(load<f64>(side.blow));
    let a = f64x2.mul(none, v128.load(from));
    let b = f64x2.mul(none, v128.load(from, 16));
    let c = f64x2.mul(none, v128.load(from, 32));
    let d = f64x2.mul(none, v128.load(from, 48));
    const last = min(side.reach, side.high - to - side.prey);
    for (let through = max(1, side.low - to - side.prey - BLOCK + 1); through <= last; through++) {
      const share = v128.load64_splat(Column.at(side.blow, through));
      const source = Column.at(from, through + side.prey);
      a = f64x2.add(a, f64x2.mul(share, v128.load(source)));
      b = f64x2.add(b, f64x2.mul(share, v128.load(source, 16)));
      c = f64x2.add(c, f64x2.mul(share, v128.load(source, 32)));
      d = f64x2.add(d, f64x2.mul(share, v128.load(source, 48)));
    }
    const into = Column.at(side.next, to);
    v128.store(into, a);
    v128.store(into, b, 16);
    v128.store(into, c, 32);
    v128.store(into, d, 48);
    const sum = f64x2.add(f64x2.add(a, b), f64x2.add(c, d));
    return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  }

  /** Drops specks at the edges; returns their mass. */
  static trim(side: Side): f64 {
    let dropped: f64 = 0.0;
    for (; side.low <= side.high && Column.get(side.now, side.low) < SPECK; side.low++) {
      dropped += Column.get(side.now, side.low);
      Column.set(side.now, side.low, 0.0);
    }
    for (; side.low <= side.high && Column.get(side.now, side.high) < SPECK; side.high--) {
      dropped += Column.get(side.now, side.high);
      Column.set(side.now, side.high, 0.0);
    }
    return dropped;
  }

  /** Computes one round of one side; returns the dropped mass. */
  static round(side: Side): f64 {
    side.falling = Fall.mass(side);
    memory.fill(side.next, 0, (<usize>(side.high + MARGIN)) << 3);
    const low = max(1, side.low - side.reach - side.prey);
    let sum: f64 = 0.0;
    for (let to = low; to <= side.high; to += BLOCK) sum += Fall.block(side, to);
    const before = side.now;
    side.now = side.next;
    side.next = before;
    side.low = low;
    side.standing = sum;
    return Fall.trim(side);
  }

  /** Adds the mass of battles that end because the other side falls, `fallen`, while this one is alive. */
  static win(side: Side, fallen: f64): void {
    if (fallen === 0.0) return;
    const share = f64x2.splat(fallen);
    for (let hp = side.low; hp <= side.high; hp += 2) {
      const into = Column.at(side.won, hp);
      v128.store(into, f64x2.add(v128.load(into), f64x2.mul(share, v128.load(Column.at(side.now, hp)))));
    }
  }

  /** Multiplications of the next round. */
  @inline static moves(side: Side): f64 {
    return <f64>(side.high - side.low + 1) * <f64>(side.reach + 1);
  }
}

class Ready {
  /** Creates a side before the battle; `law` is the table of the blow against it. False if memory is exhausted. */
  static side(side: Side, hp: i32, law: usize, prey: i32): bool {
    const reach = load<i32>(law) - 1;
    const column = (<usize>(hp + 1 + MARGIN)) << 3;
    const tails = (<usize>(reach + 2)) << 3;
    const at = workspace(3 * column + tails);
    if (at === 0) return false;
    memory.fill(at, 0, 3 * column + tails);
    side.hp = hp;
    side.blow = law + 4;
    side.reach = reach;
    side.prey = prey;
    side.now = at;
    side.next = at + column;
    side.won = at + 2 * column;
    side.tails = at + 3 * column;
    side.low = hp;
    side.high = hp;
    side.standing = 1.0;
    side.falling = 0.0;
    Column.set(side.now, hp, 1.0);
    for (let k = reach; k >= 0; k--) {
      Column.set(side.tails, k, Column.get(side.tails, k + 1) + Column.get(side.blow, k));
    }
    return true;
  }

  /** Rounds of average blows after which the side falls. */
  static rounds(side: Side): f64 {
    let mean: f64 = 0.0;
    for (let k = 1; k <= side.reach; k++) mean += <f64>(k + side.prey) * Column.get(side.blow, k);
    return <f64>side.hp / mean;
  }
}

export class Descent {
  /** Computes the distribution of the duel; see core/distribution.ts for the result. */
  static solve(moves: f64): i32 {
    const terms = Terms.of();
    const attacker = changetype<Side>(sides);
    const defender = changetype<Side>(sides + 128);
    if (!Ready.side(attacker, terms.attackerHp, Scenario.at(terms.backLaw), terms.backPrey)) return Answers.other;
    if (!Ready.side(defender, terms.defenderHp, Scenario.at(terms.forthLaw), terms.forthPrey)) return Answers.other;
    if (!Distribution.room()) return Answers.other;
    const states = attacker.hp + defender.hp + 2;
    const steps = (attacker.hp + 1) * (attacker.reach + 1) + (defender.hp + 1) * (defender.reach + 1);
    Distribution.size(states, steps);
    let left = moves;
    let round = 0;
    let dropped: f64 = 0.0;
    let open = 1.0;
    while (Descent.goesOn(open, round, terms.rounds, attacker, defender)) {
      left -= Fall.moves(attacker) + Fall.moves(defender);
      if (left < 0.0) {
        if (Distribution.suffices(open)) break;
        Distribution.size(states, steps, Descent.least(moves, round, terms.rounds, attacker, defender));
        return Distribution.close(open, Answers.beyond);
      }
      round++;
      const specks = Fall.round(attacker);
      dropped += specks * defender.standing + Fall.round(defender) * attacker.standing;
      Descent.count(round, attacker, defender);
      open = attacker.standing * defender.standing;
    }
    if (round >= terms.rounds) {
      Descent.callOff(round, attacker, defender);
      open = 0.0;
    }
    Descent.survivors(Metrics.hpAttacker, ATTACKER, attacker);
    Descent.survivors(Metrics.hpDefender, DEFENDER, defender);
    return Distribution.close(open + dropped, Answers.solved);
  }

  /**
   * Returns true if a further round can change a digit. A chain in which both sides cannot stay unchanged is followed
   * to its end.
   */
  static goesOn(open: f64, round: i32, limit: i32, attacker: Side, defender: Side): bool {
    if (load<f64>(attacker.blow) * load<f64>(defender.blow) === 0.0) return open > 0.0 && round < limit;
    let outcomes: u64 = 0;
    if (defender.reach > 0) outcomes |= 1 << ATTACKER;
    if (attacker.reach > 0) outcomes |= 1 << DEFENDER;
    if (attacker.reach > 0 && defender.reach > 0) outcomes |= 1 << MUTUAL;
    return Distribution.goesOn(open, outcomes, round, limit);
  }

  /**
   * Estimates the moves for the mean number of rounds of the sides, from the moves so far: their cost rises from round
   * to round.
   */
  static least(moves: f64, round: i32, limit: i32, attacker: Side, defender: Side): f64 {
    const rounds = min(<f64>limit, min(Ready.rounds(attacker), Ready.rounds(defender)));
    return moves + max(1.0, rounds - <f64>round) * (Fall.moves(attacker) + Fall.moves(defender));
  }

  /** Counts the battles that end in this round. */
  static count(round: i32, attacker: Side, defender: Side): void {
    Distribution.value(Metrics.rounds, ATTACKER, round, attacker.standing * defender.falling);
    Distribution.value(Metrics.rounds, DEFENDER, round, attacker.falling * defender.standing);
    Distribution.value(Metrics.rounds, MUTUAL, round, attacker.falling * defender.falling);
    Descent.sum(ATTACKER, attacker.standing * defender.falling);
    Descent.sum(DEFENDER, attacker.falling * defender.standing);
    Descent.sum(MUTUAL, attacker.falling * defender.falling);
    Fall.win(attacker, defender.falling);
    Fall.win(defender, attacker.falling);
  }

  /** Counts an outcome, and the hit points of those who fell in it. */
  static sum(outcome: i32, mass: f64): void {
    Distribution.outcome(outcome, mass);
    if (outcome !== ATTACKER) Distribution.value(Metrics.hpAttacker, outcome, 0, mass);
    if (outcome !== DEFENDER) Distribution.value(Metrics.hpDefender, outcome, 0, mass);
  }

  /** Counts the hit points of winners. */
  static survivors(metric: i32, outcome: i32, side: Side): void {
    for (let hp = 1; hp <= side.hp; hp++) Distribution.value(metric, outcome, hp, Column.get(side.won, hp));
  }

  /** Ends the remaining battles at the round limit. */
  static callOff(round: i32, attacker: Side, defender: Side): void {
    const mass = attacker.standing * defender.standing;
    Distribution.outcome(UNDECIDED, mass);
    Distribution.value(Metrics.rounds, UNDECIDED, round, mass);
    for (let hp = attacker.low; hp <= attacker.high; hp++) {
      Distribution.value(Metrics.hpAttacker, UNDECIDED, hp, Column.get(attacker.now, hp) * defender.standing);
    }
    for (let hp = defender.low; hp <= defender.high; hp++) {
      Distribution.value(Metrics.hpDefender, UNDECIDED, hp, Column.get(defender.now, hp) * attacker.standing);
    }
  }
}
