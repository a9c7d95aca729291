/**
 * Exact distribution of a mass battle. A round depends on hit points only by the set of the living: for each set the
 * damages have one joint distribution, which moves the mass over their hit points, round by round.
 */
import { Column } from '../core/column';
import { Counts } from '../core/counts';
import { Distribution } from '../core/distribution';
import { Scenario, workspace } from '../core/kernel';
import { MassMetrics } from '../generated/attrition';
import { Answers, NEGLIGIBLE } from '../generated/kernel';
import { Attacks, Damages, Harm } from './damages';
import { BLOCK, Joint, Living, MOVING, Rows, Sets, Shift, UNREACHED } from './living';
import { Mass } from './mass';

// Survey of a mass battle before the solution: the reachable sets of the living, their victims, and the cost of a round
// of each.

/** Maximum number of combatants of sets. */
const MEMBERS_MAX: i32 = 16;

/** Maximum bytes of mass and tables. */
const BYTES_MAX: f64 = 536870912.0;

/** Cost of a row in addition to its blocks, and of a combination of falls in addition to its rows, in moves. */
const ROW_PRICE: f64 = 4.0;
const WAY_PRICE: f64 = 100.0;

/** Combinations of attack rolls of all sets. */
let combinations: f64 = 0.0;

/** Bytes: in total, of the largest array, and of unfinished joint distributions. */
let bytes: f64 = 0.0;
let array: f64 = 0.0;
let drafts: f64 = 0.0;

class Survey {
  /** States of the chain: hit points of all, 0 too. */
  static states(): f64 {
    let states = 1.0;
    for (let c = 0; c < Mass.count(); c++) states *= <f64>(Mass.unit(c).hp + 1);
    return states;
  }

  /** Surveys all reachable sets; false if they exceed the memory limit. */
  static make(): bool {
    if (Mass.count() > MEMBERS_MAX || !Harm.room() || !Attacks.room() || !Sets.room()) return false;
    combinations = 0.0;
    bytes = 0.0;
    array = 0.0;
    drafts = 0.0;
    Sets.of(Sets.all()).outcome = MOVING;
    for (let set = Sets.all(); set > 0 && bytes <= BYTES_MAX; set--) {
      if (Sets.of(set).outcome !== UNREACHED) Survey.look(set);
    }
    if (Sets.of(0).outcome !== UNREACHED) Survey.look(0);
    return bytes + drafts + 2.0 * array <= BYTES_MAX;
  }

  static look(set: u32): void {
    const living = Sets.of(set);
    const size = Rows.bytes(set);
    bytes += size;
    Mass.summon(set);
    living.outcome = Mass.standoff();
    if (living.outcome !== MOVING) return;
    array = max(array, size);
    Harm.among(living.reaches);
    Survey.part(set, living);
    Survey.plan(living.victims, living.reaches);
    if (living.victimsToo !== 0) Survey.plan(living.victimsToo, living.reaches);
    living.price = Survey.price(set, living);
    const victims = living.victims | living.victimsToo;
    for (let fallen = victims; fallen !== 0; fallen = (fallen - 1) & victims) {
      Sets.of(set & ~fallen).outcome = MOVING;
    }
  }

  /**
   * Finds the victims. If there are two parties each is hurt only by the other, so that their damages are independent.
   */
  static part(set: u32, living: Living): void {
    let victims: u32 = 0;
    for (let c = 0; c < Mass.count(); c++) if (Column.get(living.reaches, c) > 0) victims |= 1 << c;
    const first = Sets.party(set, Mass.unit(<i32>ctz(victims)).party);
    const rest = set & ~first;
    const isTwo = Sets.party(set, Mass.unit(<i32>ctz(rest)).party) === rest;
    living.victims = isTwo ? victims & first : victims;
    living.victimsToo = isTwo ? victims & rest : 0;
  }

  static plan(victims: u32, reaches: usize): void {
    combinations += Attacks.plan(victims, reaches);
    drafts = max(drafts, Attacks.bytes());
    bytes += Joint.bytes(victims, reaches);
  }

  /** Moves of a round. */
  static price(set: u32, living: Living): f64 {
    const last = Sets.last(set);
    let rows = 1.0;
    let rowsToo = 1.0;
    let ways = 1.0;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const c = <i32>ctz(rest);
      const reach = <f64>Column.get(living.reaches, c);
      const hp = <f64>Mass.unit(c).hp;
      const apart = c === last ? Survey.row(hp, reach) : Survey.triangle(hp, reach) + reach;
      const whole = c === last ? Survey.row(hp, 0.0) : hp;
      rows *= Sets.has(living.victims, c) ? apart : whole;
      rowsToo *= Sets.has(living.victimsToo, c) ? apart : whole + 1.0;
      ways *= 2.0;
    }
    return ways * WAY_PRICE + rows + (living.victimsToo === 0 ? 0.0 : rowsToo);
  }

  /** Pairs of wounds before and after damages of 0 to `reach`. */
  static triangle(hp: f64, reach: f64): f64 {
    const most = min(reach + 1.0, hp);
    return 0.5 * most * (most + 1.0) + (hp - most) * most;
  }

  /** Counts the blocks of all pairs of rows along one member. */
  static row(hp: f64, reach: f64): f64 {
    let moves = 2.0 * ROW_PRICE;
    for (let at = 0.0; at < hp; at += <f64>BLOCK) moves += min(reach, at + <f64>(BLOCK - 1)) + 1.0;
    return moves + reach / <f64>BLOCK;
  }

  /** Allocates memory for all surveyed sets; false if there is none. */
  static room(): bool {
    if (!Damages.room(<usize>drafts)) return false;
    for (let set: u32 = 0; set <= Sets.all(); set++) {
      const living = Sets.of(set);
      if (living.outcome === UNREACHED) continue;
      living.rows = Rows.room(Rows.bytes(set));
      if (living.rows === 0) return false;
      Rows.clear(set, living.rows);
      if (living.outcome !== MOVING) continue;
      living.table = workspace(<usize>Joint.bytes(living.victims, living.reaches));
      living.tableToo = workspace(<usize>Joint.bytes(living.victimsToo, living.reaches));
      if (living.tableToo === 0) return false;
    }
    return true;
  }

  /** Allocates memory for the mass of any moving set; 0 if there is none. */
  static spare(): usize {
    return Rows.room(array);
  }
}

// Computes the distribution, round by round.

/** Words of the head of the scenario. */
const PARTIES: usize = 2;
const MAX_ROUNDS: usize = 4;

/** Mass of a set while it moves: before the round, and between the damages of one party and those of the other. */
let before: usize = 0;
let between: usize = 0;

/** By combatant, as the greatest damage: 1. */
const touches: usize = memory.data(16 * 4, 4);

/** Moves that may still be made. */
let left: f64 = 0.0;

export class Melee {
  /** Computes the distribution of the battle; see core/distribution.ts for the result. */
  static solve(moves: f64, steps: f64): i32 {
    left = moves;
    const hasRoom = Distribution.room() && Survey.make();
    Distribution.size(Survey.states(), combinations);
    if (!hasRoom) return Distribution.close(1.0, Answers.noRoom);
    if (combinations > steps) return Distribution.close(1.0, Answers.beyond);
    if (!Melee.room()) return Distribution.close(1.0, Answers.noRoom);
    const least = Melee.least();
    Distribution.size(Survey.states(), combinations, least);
    return least > left || !Melee.tabulate() ? Distribution.close(1.0, Answers.beyond) : Melee.play();
  }

  static room(): bool {
    before = Survey.spare();
    between = Survey.spare();
    return before !== 0 && between !== 0 && Survey.room();
  }

  /** Writes the tables of all sets; false if that exceeds the moves. */
  static tabulate(): bool {
    for (let set: u32 = 0; set <= Sets.all(); set++) {
      const living = Sets.of(set);
      if (living.outcome !== MOVING) continue;
      Mass.summon(set);
      Harm.among(living.reaches);
      Melee.write(living.table, living.victims, living.reaches);
      if (living.victimsToo !== 0) Melee.write(living.tableToo, living.victimsToo, living.reaches);
      if (left < 0.0) return false;
    }
    return true;
  }

  static write(table: usize, victims: u32, reaches: usize): void {
    Attacks.plan(victims, reaches);
    left = Damages.write(table, victims, reaches, left);
  }

  /** Computes a lower bound of the moves, before tables are written: while no one is hurt, all are alive. */
  static least(): f64 {
    const all = Sets.of(Sets.all());
    if (all.outcome !== MOVING) return 0.0;
    Mass.summon(Sets.all());
    Harm.among(all.reaches);
    const unhurt = Melee.unhurt(all.victims, all.table) * Melee.unhurt(all.victimsToo, all.tableToo);
    const rounds = unhurt < 1.0 ? Math.ceil(Math.log(NEGLIGIBLE) / Math.log(unhurt)) : <f64>i32.MAX_VALUE;
    return all.price * max(1.0, min(<f64>Scenario.word(MAX_ROUNDS), rounds));
  }

  /**
   * Computes the probability that none of some victims is hurt in a round: their distribution, as if no damage exceeded
   * 1.
   */
  static unhurt(victims: u32, table: usize): f64 {
    if (victims === 0) return 1.0;
    for (let c = 0; c < Mass.count(); c++) Column.set(touches, c, 1);
    Melee.write(table, victims, touches);
    return load<f64>(table);
  }

  static play(): i32 {
    const limit = Scenario.word(MAX_ROUNDS);
    store<f64>(Sets.of(Sets.all()).rows, 1.0);
    const outcomes = Melee.outcomes();
    const isCircular = Melee.isCircular();
    let round = 0;
    let open = Melee.settle(0);
    while (isCircular ? Distribution.goesOn(open, outcomes, round, limit) : open > 0.0 && round < limit) {
      if (!Melee.round())
        return Distribution.close(open, Distribution.suffices(open) ? Answers.solved : Answers.beyond);
      open = Melee.settle(++round);
    }
    if (round < limit) return Distribution.close(open, Answers.solved);
    for (let set: u32 = 1; set <= Sets.all(); set++) {
      if (Sets.of(set).outcome === MOVING) Melee.count(set, Scenario.word(PARTIES) + 1, round);
    }
    return Distribution.close(0.0, Answers.solved);
  }

  /** The outcomes of the sets that can be reached, as bits. */
  static outcomes(): u64 {
    let outcomes: u64 = 0;
    for (let set: u32 = 0; set <= Sets.all(); set++) {
      const outcome = Sets.of(set).outcome;
      if (outcome >= 0) outcomes |= (<u64>1) << outcome;
    }
    return outcomes;
  }

  /** Returns true if all members of a moving set can stay unhurt in a round. */
  static isCircular(): bool {
    for (let set: u32 = 1; set <= Sets.all(); set++) {
      const living = Sets.of(set);
      if (living.outcome !== MOVING || load<f64>(living.table) === 0.0) continue;
      if (living.victimsToo === 0 || load<f64>(living.tableToo) > 0.0) return true;
    }
    return false;
  }

  /**
   * Moves all mass by a round, the least sets first, so that nothing moves twice; false if the moves do not suffice.
   */
  static round(): bool {
    for (let set: u32 = 1; set <= Sets.all(); set++) {
      const living = Sets.of(set);
      if (living.outcome !== MOVING || living.held === 0.0) continue;
      left -= living.price;
      if (left < 0.0) return false;
      Rows.copy(set, before, living.rows);
      Rows.clear(set, living.rows);
      Melee.move(set, living);
    }
    return true;
  }

  /** Moves the mass of a set by the damages of its victims; if two parties are left, of one after the other. */
  static move(set: u32, living: Living): void {
    const victims = living.victims;
    for (let fallen = victims; ; fallen = (fallen - 1) & victims) {
      const rest = set & ~fallen;
      if (living.victimsToo === 0)
        Shift.add(set, before, victims, fallen, living.table, living.reaches, Sets.of(rest).rows);
      else {
        Rows.clear(rest, between);
        Shift.add(set, before, victims, fallen, living.table, living.reaches, between);
        if (Rows.settle(rest, between) > 0.0) Melee.moveToo(rest, living);
      }
      if (fallen === 0) break;
    }
  }

  static moveToo(set: u32, living: Living): void {
    const victims = living.victimsToo;
    for (let fallen = victims; ; fallen = (fallen - 1) & victims) {
      const rows = Sets.of(set & ~fallen).rows;
      Shift.add(set, between, victims, fallen, living.tableToo, living.reaches, rows);
      if (fallen === 0) break;
    }
  }

  /** Counts finished battles, and returns the mass of the others. */
  static settle(round: i32): f64 {
    let open = 0.0;
    for (let set: u32 = 0; set <= Sets.all(); set++) {
      const living = Sets.of(set);
      if (living.outcome === UNREACHED) continue;
      living.held = Rows.settle(set, living.rows);
      left -= Rows.blocks(set);
      if (living.outcome === MOVING) open += living.held;
      else if (living.held > 0.0) {
        Melee.count(set, living.outcome, round);
        Rows.clear(set, living.rows);
      }
    }
    return open;
  }

  /** Counts battles that end with a set, by their hit points. */
  static count(set: u32, outcome: i32, round: i32): void {
    left -= Rows.blocks(set) * <f64>Counts.metrics();
    Mass.summon(set);
    Mass.report(round);
    Melee.tell(set, set, Sets.of(set).rows, outcome);
  }

  static tell(set: u32, rest: u32, at: usize, outcome: i32): void {
    if (rest === 0) {
      Distribution.add(outcome, load<f64>(at));
      return;
    }
    const c = <i32>ctz(rest);
    const stride = Rows.stride(set, c);
    for (let wounds = 0, hp = Mass.unit(c).hp; wounds < hp; wounds++) {
      Counts.set(MassMetrics.hp + c, hp - wounds);
      Melee.tell(set, rest & (rest - 1), at + <usize>wounds * stride, outcome);
    }
  }
}
