/** A battle without interruption, or from decision to decision; port of src/rules/phased-dice/model.ts. */

import { Counts } from '../core/counts';
import { Scenario } from '../core/kernel';
import { List } from '../core/list';
import { Turn } from '../environments/turn';
import { Course, Due, Head, Metrics, Outcomes, Places, Points, RATIO_STEPS, Side } from '../generated/phased-dice';
import { Allocation, Army, BY_PHASE, BY_TROOP } from './side';

// From roll to roll: every decision follows the policies.

/** No outcome yet. */
export const UNDECIDED: i32 = -1;

export class Battle {
  /** True if anyone has dice to roll in the round after `round`. */
  @inline static canRoll(round: i32): bool {
    const attacker = Army.force(0);
    const defender = Army.force(1);
    return (attacker.dice | defender.dice) !== 0 || (round === 0 && (attacker.airDice | defender.airDice) !== 0);
  }

  /** Returns the immediate outcome of losses, from the units of the sides, without aircraft and in total. */
  static ending(units0: i32, all0: i32, units1: i32, all1: i32): i32 {
    if (all0 === 0) return all1 === 0 ? Outcomes.mutual : Outcomes.defender;
    if (all1 === 0) return Outcomes.attacker;
    if (units1 > 0) return UNDECIDED;
    return units0 === 0 || Scenario.word(Head.airStalemate) ? Outcomes.stalemate : Outcomes.attacker;
  }

  /** Returns the outcome when attackers with only aircraft have stayed. */
  static airborne(): i32 {
    return Scenario.word(Head.airStalemate) ? Outcomes.stalemate : Outcomes.defender;
  }

  /** True in the phase in which a reserve can fit a unit without a new hit: all that aircraft could not take waits. */
  @inline static follows(round: i32, phase: i32): bool {
    return round === 1 && phase === 1;
  }

  /** Rolls for both sides, then places the hits of both. */
  @inline static phase(round: u32, phase: i32): i32 {
    const place = Places.at(round, phase, 0);
    const dealt = Army.roll(0, phase, place);
    const taken = Army.roll(1, phase, place + Places.side);
    const follows = Battle.follows(round, phase);
    if (dealt > 0 || follows) Allocation.place(1, phase, dealt);
    if (taken > 0 || follows) Allocation.place(0, phase, taken);
    return Battle.ending(Army.force(0).units, Army.all(0), Army.force(1).units, Army.all(1));
  }

  /**
   * Returns true if the policy of the attacker retreats; a side with only aircraft retreats by any policy except
   * `never`.
   */
  static retreats(round: i32): bool {
    if (Army.force(0).units === 0) return Scenario.word(Head.goesHome) !== 0;
    const after = Scenario.word(Head.retreatAfter);
    if (after > 0 && round >= after) return true;
    const ratio = Scenario.word(Head.retreatRatio);
    return ratio > 0 && <i64>Army.force(0).weight * RATIO_STEPS < <i64>ratio * <i64>Army.force(1).weight;
  }

  @inline static round(round: i32): i32 {
    for (let phase = i32(round > 1), n = Scenario.word(Head.phases); phase < n; phase++) {
      const outcome = Battle.phase(round, phase);
      if (outcome !== UNDECIDED) return outcome;
    }
    if (!Battle.retreats(round)) return Army.force(0).units === 0 ? Battle.airborne() : UNDECIDED;
    if (!Scenario.word(Head.noWayOut)) return Outcomes.retreat;
    Army.destroy(0);
    return Outcomes.defender;
  }

  @inline static report(rounds: i32): void {
    Counts.set(Metrics.rounds, rounds);
    Counts.set(Metrics.leftAttacker, Army.all(0));
    Counts.set(Metrics.leftDefender, Army.all(1));
    let metric = Metrics.types;
    for (let side: usize = 0; side < 2; side++) {
      for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) Counts.set(metric++, Army.left(side, BY_TROOP, t));
    }
  }

  static play(): i32 {
    const limit = Scenario.word(Head.maxRounds);
    let round = 0;
    let outcome = UNDECIDED;
    Army.muster(0);
    Army.muster(1);
    while (outcome === UNDECIDED) {
      if (round >= limit || !Battle.canRoll(round)) outcome = Outcomes.stalemate;
      else outcome = Battle.round(++round);
    }
    Battle.report(round);
    return outcome;
  }
}

// In stages, each of which may wait for a decision.

/** No decision yet, and no end. */
const GOES_ON: i32 = -2;

/** Phase between two rounds. */
const REST: i32 = -1;

/** Bytes of a battle's words before those of the sides. */
export const COURSE_BYTES: usize = offsetof<Course>();

let at: usize = 0;

/** The last troop that was found to fit. */
let last: i32 = 0;

export class Battles {
  @inline static bind(address: usize): void {
    at = address;
    Army.bind(address + COURSE_BYTES);
  }

  @inline static course(): Course {
    return changetype<Course>(at);
  }

  /** Writes a battle in which nothing has happened. */
  static begin(): void {
    const course = Battles.course();
    course.round = 0;
    course.phase = REST;
    course.stage = Due.rolls;
    course.hits0 = 0;
    course.hits1 = 0;
    course.named0 = 0;
    course.named1 = 0;
    course.further = 0;
    course.outcome = 0;
    Army.muster(0);
    Army.muster(1);
  }

  /** Returns the deciding side of a stage. */
  @inline static sideOf(stage: i32): usize {
    return <usize>(1 - (stage & 1));
  }

  @inline static hits(side: usize): i32 {
    return load<i32>(at + (side << 2), offsetof<Course>('hits0'));
  }

  @inline static setHits(side: usize, hits: i32): void {
    store<i32>(at + (side << 2), hits, offsetof<Course>('hits0'));
  }

  /** The class that a side has named, by its phase, or 0. */
  @inline static named(side: usize): i32 {
    return load<i32>(at + (side << 2), offsetof<Course>('named0'));
  }

  @inline static setNamed(side: usize, phase: i32): void {
    store<i32>(at + (side << 2), phase, offsetof<Course>('named0'));
  }

  /** Continues to the next decision with a choice. */
  static advance(): i32 {
    let said = GOES_ON;
    while (said === GOES_ON) said = Battles.pass(Battles.course());
    return said;
  }

  /** Passes a stage unless it waits for a decision. */
  @inline static pass(course: Course): i32 {
    const stage = course.stage;
    const side = Battles.sideOf(stage);
    if (stage === Due.over) return Turn.end(course.outcome);
    if (stage === Due.leaves) return Turn.ask(Points.retreat, 0);
    if (stage === Due.rolls) Battles.roll(course);
    else if (stage < Due.attackerLoses) {
      if (Battles.names(course, side)) return Turn.ask(Points.target, <i32>side);
      course.stage++;
    } else {
      if (Battles.loses(course, side)) return Turn.ask(Points.losses, <i32>side);
      if (side === 0) course.stage++;
      else Battles.settle(course);
    }
    return GOES_ON;
  }

  /** Rolls for both sides in the due phase, after starting a new round if necessary. */
  static roll(course: Course): void {
    if (course.phase === REST) {
      const round = course.round;
      if (round >= Scenario.word(Head.maxRounds) || !Battle.canRoll(round)) {
        Battles.end(course, Outcomes.stalemate);
        return;
      }
      course.round = round + 1;
      course.phase = i32(round > 0);
    }
    const phase = course.phase;
    const place = Places.at(course.round, phase, 0);
    Battles.hit(1, phase, Army.roll(0, phase, place));
    Battles.hit(0, phase, Army.roll(1, phase, place + Places.side));
    course.stage = Due.attackerNames;
  }

  /** Adds the reserve of a side to its hits. Only the air phase hits aircraft. */
  @inline static hit(side: usize, phase: i32, hits: i32): void {
    const force = Army.force(side);
    if (hits === 0 || (phase > 0 && force.units === 0)) return;
    Battles.setHits(side, hits + force.reserve);
    force.reserve = 0;
  }

  /** Returns true if a side has a choice of classes to name; names the class if there is only one. */
  static names(course: Course, side: usize): bool {
    const phases = Scenario.word(Head.phases);
    if (Battles.hits(1 - side) === 0 || course.phase === 0 || phases < 3) return false;
    let classes = 0;
    let named = 0;
    for (let phase = 1; phase < phases; phase++) {
      if (Army.left(1 - side, BY_PHASE, phase) === 0) continue;
      classes++;
      named = phase;
    }
    if (classes > 1) return true;
    Battles.setNamed(side, named);
    return false;
  }

  /** Returns the units of a side that its hits can destroy, in the order of their losses. */
  @inline static group(course: Course, side: usize): usize {
    if (course.further) return Army.table(side, Side.ground);
    return Army.table(side, Side.groups + <usize>(course.phase === 0 ? 0 : Battles.named(1 - side)));
  }

  @inline static fits(side: usize, t: i32): bool {
    return Army.left(side, BY_TROOP, t) > 0 && Army.troop(side, t).hits <= Battles.hits(side);
  }

  /** Returns true if a side has a choice of units to lose; otherwise removes the units that must fall. */
  static loses(course: Course, side: usize): bool {
    const force = Army.force(side);
    if (Battles.hits(side) === 0 && Battle.follows(course.round, course.phase)) {
      Battles.setHits(side, force.reserve);
      force.reserve = 0;
    }
    if (Battles.hits(side) > 0) {
      if (course.phase > 0 && Battles.named(1 - side) === 0) course.further = 1;
      if (Battles.place(course, side)) return true;
      force.reserve = Battles.hits(side);
      Battles.setHits(side, 0);
    }
    course.further = 0;
    return false;
  }

  /** Places hits until there is a choice; false if no more hits fit. */
  static place(course: Course, side: usize): bool {
    let fitting = Battles.fitting(course, side);
    while (fitting < 2) {
      if (fitting > 0) Battles.fell(side, last, Battles.most(side, last));
      else if (course.further || (course.phase === 0 && Army.aircraft(side) > 0)) return false;
      else course.further = 1;
      fitting = Battles.fitting(course, side);
    }
    return true;
  }

  /** Counts the troops of a side that its hits can destroy; the last of them is recorded. */
  static fitting(course: Course, side: usize): i32 {
    const group = Battles.group(course, side);
    let fitting = 0;
    for (let i = 0, n = List.length(group); i < n; i++) {
      const t = List.at(group, i);
      if (!Battles.fits(side, t)) continue;
      fitting++;
      last = t;
    }
    return fitting;
  }

  /** Units of a troop that a side's hits can fell. */
  @inline static most(side: usize, t: i32): i32 {
    return min(Army.left(side, BY_TROOP, t), Battles.hits(side) / Army.troop(side, t).hits);
  }

  /** Removes units of a troop, and their hits. */
  @inline static fell(side: usize, t: i32, units: i32): void {
    Allocation.fell(side, Army.force(side), t, units);
    Battles.setHits(side, Battles.hits(side) - units * Army.troop(side, t).hits);
  }

  /** The end of a phase in which all hits are placed. */
  static settle(course: Course): void {
    course.named0 = 0;
    course.named1 = 0;
    const outcome = Battle.ending(Army.force(0).units, Army.all(0), Army.force(1).units, Army.all(1));
    if (outcome !== UNDECIDED) Battles.end(course, outcome);
    else if (course.phase + 1 < Scenario.word(Head.phases)) {
      course.phase++;
      course.stage = Due.rolls;
    } else {
      course.phase = REST;
      course.stage = Due.leaves;
    }
  }

  /** Lets the attacker stay for another round; with only aircraft, that ends the battle. */
  static stay(): void {
    const course = Battles.course();
    if (Army.force(0).units > 0) course.stage = Due.rolls;
    else Battles.end(course, Battle.airborne());
  }

  static retreat(): void {
    const trapped = Scenario.word(Head.noWayOut);
    if (trapped) Army.destroy(0);
    Battles.end(Battles.course(), trapped ? Outcomes.defender : Outcomes.retreat);
  }

  static end(course: Course, outcome: i32): void {
    course.phase = REST;
    course.stage = Due.over;
    course.outcome = outcome;
  }
}
