/**
 * Exact distribution over pairs of states: mass moves from pair to pair, phase by phase, until it is negligible. Given
 * the pair, the transitions of both sides in a phase are independent.
 */

import { Distribution } from '../core/distribution';
import { Scenario, workspace } from '../core/kernel';
import { Answers } from '../generated/kernel';
import { Head, Metrics, Outcomes, Side } from '../generated/phased-dice';
import { AT_ONCE, DESTROYED, Ends, LAST, LEAVING, USUAL } from './batch';
import { Gather } from './gather';
import { Reach } from './reach';
import { Army, BY_TROOP } from './side';
import { ENDS, OPENING, States, UNHURT } from './states';
import { Taken, Volley, Volleys } from './volleys';

// Distribution of pairs of states.

/** Maximum bytes of mass and distributions. */
const ROOM_MAX: u64 = 1 << 26;

/** Mass by pair before and after a phase, and by side, state and end. */
let now: usize = 0;
let then: usize = 0;
let ended: usize = 0;

/**
 * By pair: whether a round began with it; whether the last one has reached new pairs; whether one of them can stay
 * unchanged.
 */
let met: usize = 0;
let grew: bool = false;
let circles: bool = false;

/** Reachable states of each side. */
let attackers: i32 = 0;
let defenders: i32 = 0;

/** Costs in moves: fixed cost of a phase, cost of a visit of every tabulated pair; total so far. */
let looks: f64 = 0.0;
let spent: f64 = 0.0;

export class Descent {
  /** Computes the distribution of the tables; returns the answer of `solve` (core/distribution.ts). */
  static solve(moves: f64): i32 {
    const isOpened = (States.rolls(0, 0) | States.rolls(1, 0)) > 0;
    if (!Distribution.room() || !Descent.room(isOpened ? OPENING : UNHURT)) return Answers.other;
    const steps = Descent.steps(0) + Descent.steps(1);
    Distribution.size(States.roster(0).states + States.roster(1).states, steps);
    spent = 0.0;
    circles = false;
    store<f64>(Descent.pair(now, 0, 0), 1.0);
    if (isOpened) Descent.fly();
    const limit = Scenario.word(Head.maxRounds);
    const after = Scenario.word(Head.retreatAfter);
    let open = 1.0;
    let round = 0;
    grew = true;
    while (Descent.goesOn(open, round, after, limit)) {
      for (let phase = 1, n = Scenario.word(Head.phases); phase < n; phase++) Descent.phase(phase);
      round++;
      open = Descent.leave(round, round === after ? LEAVING : round === limit ? LAST : USUAL);
      if (spent <= moves) continue;
      if (!Distribution.suffices(open)) return Distribution.close(open, Answers.beyond);
      break;
    }
    Descent.tell();
    return Distribution.close(open, Answers.solved);
  }

  /**
   * Returns true if a further round can change a digit: while new pairs are reached, so that all outcomes may occur, or
   * the attacker is going to leave, or pairs do not return.
   */
  static goesOn(open: f64, round: i32, after: i32, limit: i32): bool {
    if (grew || !circles || round < after) return open > 0.0 && round < limit;
    return Distribution.goesOn(open, Distribution.came(DESTROYED), round, limit);
  }

  /** Moves all mass by the air phase. */
  static fly(): void {
    Descent.phase(0);
    Descent.leave(1, AT_ONCE);
  }

  /** Size of the table of a side: by state and hits, the successor. */
  @inline static steps(side: usize): i32 {
    return States.roster(side).states * (States.roster(side).hits + 1);
  }

  /** Returns true if all pairs, and distributions if they were all different, are within the memory limit. */
  static fits(): bool {
    const roster0 = States.roster(0);
    const roster1 = States.roster(1);
    const states = <u64>(roster0.states + roster1.states);
    const numbers = <u64>roster0.states * <u64>(roster1.hits + 1) + <u64>roster1.states * <u64>(roster0.hits + 1);
    const hits = 8 * <u64>Scenario.word(Head.phases) * numbers + 4 * <u64>(Descent.steps(0) + Descent.steps(1));
    return 17 * <u64>roster0.states * <u64>roster1.states + 8 * ENDS * states + hits <= ROOM_MAX;
  }

  /**
   * Allocates memory for all states that follow a first one, and writes the distributions of hits; false if there is
   * none.
   */
  static room(first: i32): bool {
    if (!Descent.fits() || !Reach.find(first)) return false;
    attackers = Reach.count(0);
    defenders = Reach.count(1);
    const pairs = <usize>(attackers * defenders);
    const sides = <usize>(attackers + defenders) * 8 * ENDS;
    now = workspace(17 * pairs + sides);
    if (now === 0) return false;
    memory.fill(now, 0, 17 * pairs + sides);
    then = now + 8 * pairs;
    ended = then + 8 * pairs;
    met = ended + sides;
    looks = <f64>States.roster(0).states * <f64>States.roster(1).states;
    if (!Gather.prepare()) return false;
    for (let phase = 0, n = Scenario.word(Head.phases); phase < n; phase++) {
      if (!Volleys.write(0, phase) || !Volleys.write(1, phase) || !Gather.layOut(phase)) return false;
    }
    return true;
  }

  @inline static pair(mass: usize, a: i32, d: i32): usize {
    return mass + ((<usize>(a * defenders + d)) << 3);
  }

  /**
   * Moves all mass by one phase: the successors of defenders are gathered first, for two attackers at a time if they
   * deal the same hits.
   */
  static phase(phase: i32): void {
    memory.fill(then, 0, (<usize>(attackers * defenders)) << 3);
    spent += looks;
    const first = Volleys.first(1, phase);
    for (let a = 0; a < attackers; a++) {
      const dealt = Volleys.of(0, phase, a);
      const b = a + i32(a + 1 < attackers && Volleys.of(0, phase, a + 1) === dealt);
      Gather.rows(phase, Descent.pair(now, a, 0), b > a, dealt);
      for (let at = first; at !== 0; at = changetype<Volley>(at).next) {
        if (changetype<Volley>(at).ways + changetype<Volley>(at).ways1 > 0)
          Descent.spread(a, b, changetype<Volley>(at));
      }
      a = b;
    }
    const before = now;
    now = then;
    then = before;
  }

  /**
   * Moves the gathered mass of a volley to the successors of an attacker, and of the next one unless `b` is the same.
   * That one is often the successor of the first by one hit, so that both visit most rows together, the second with one
   * hit less.
   */
  static spread(a: i32, b: i32, taken: Volley): void {
    const last = Reach.last(0, a);
    const last1 = Reach.last(0, b);
    spent += <f64>(Taken.ways(taken, last) * taken.ways + Taken.ways(taken, last1) * taken.ways1);
    Gather.take(taken);
    for (let hits = Taken.from(taken, min(last, last1)), to = taken.most + 1; hits <= to; hits++) {
      const p = Taken.weight(taken, 1, hits, last);
      const q = b > a ? Taken.weight(taken, 1, hits - 1, last1) : 0.0;
      const row = p > 0.0 ? Descent.after(a, hits) : 0;
      const row1 = q > 0.0 ? Descent.after(b, hits - 1) : row;
      if (row === row1) {
        if (row !== 0) Gather.spread(taken, p, q, row);
      } else {
        if (row !== 0) Gather.spread(taken, p, 0.0, row);
        Gather.spread(taken, 0.0, q, row1);
      }
    }
  }

  /** Returns the row of the successor of an attacker by a number of hits. */
  @inline static after(a: i32, hits: i32): usize {
    return Descent.pair(then, load<i32>(Reach.follow(0, a) + ((<usize>hits) << 2)), 0);
  }

  /** Removes the mass of finished battles by a table; returns the mass of the others. */
  static leave(round: i32, table: usize): f64 {
    let open = 0.0;
    grew = false;
    for (let a = 0; a < attackers; a++) {
      const own = Reach.record(0, a);
      for (let d = 0; d < defenders; d++) {
        const at = Descent.pair(now, a, d);
        const mass = load<f64>(at);
        if (mass === 0.0) continue;
        const enemy = Reach.record(1, d);
        if (Ends.goesOn(own, enemy, table)) {
          open += mass;
          if (!load<u8>(met + <usize>(a * defenders + d))) Descent.meetPair(a, d);
        } else {
          Descent.end(a, d, <i32>Ends.of(own, enemy, table), round, mass);
          store<f64>(at, 0.0);
        }
      }
    }
    return open;
  }

  /** Records a new pair. */
  static meetPair(a: i32, d: i32): void {
    store<u8>(met + <usize>(a * defenders + d), 1);
    grew = true;
    if (!circles) circles = Descent.stays(a, d);
  }

  /** Returns true if a pair can go through a round without a hit. */
  static stays(a: i32, d: i32): bool {
    for (let phase = 1, n = Scenario.word(Head.phases); phase < n; phase++) {
      if (Volleys.of(0, phase, a).least + Volleys.of(1, phase, d).least > 0) return false;
    }
    return true;
  }

  /** Adds the mass of battles that end so. */
  static end(a: i32, d: i32, end: i32, round: i32, mass: f64): void {
    const outcome = end === DESTROYED ? Outcomes.defender : end;
    Distribution.outcome(outcome, mass);
    Distribution.value(Metrics.rounds, outcome, round, mass);
    for (let side: usize = 0; side < 2; side++) {
      const at = Descent.ended(side, side ? d : a, end);
      store<f64>(at, load<f64>(at) + mass);
    }
  }

  @inline static ended(side: usize, state: i32, end: i32): usize {
    return ended + ((<usize>((side ? attackers + state : state) * ENDS + end)) << 3);
  }

  /** Adds the mass by state and end to the metrics. */
  static tell(): void {
    for (let side: usize = 0; side < 2; side++) {
      for (let state = 0, n = Reach.count(side); state < n; state++) {
        for (let end = 0; end < ENDS; end++) {
          const mass = load<f64>(Descent.ended(side, state, end));
          if (mass !== 0.0) Descent.tellOf(side, States.force(side, Reach.state(side, state)), end, mass);
        }
      }
    }
  }

  static tellOf(side: usize, force: usize, end: i32, mass: f64): void {
    const outcome = end === DESTROYED ? Outcomes.defender : end;
    const first = side === 0 ? Metrics.types : Metrics.types + Army.word(0, Side.troops);
    let units = 0;
    for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) {
      const left = end === DESTROYED && side === 0 ? 0 : load<i32>(force + ((<usize>t) << 2), BY_TROOP);
      units += left;
      Distribution.value(first + t, outcome, left, mass);
    }
    Distribution.value(Metrics.left + <i32>side, outcome, units, mass);
  }
}
