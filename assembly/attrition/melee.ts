/**
 * The exact law of a mass battle. What happens in a round depends on hit points only by who is alive: for each set of
 * the living the damages have one joint law, and the mass over their hit points moves by it, round by round.
 */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Law } from '../core/law';
import { Tally } from '../core/tally';
import { MassMetrics } from '../generated/attrition';
import { Answers, NEGLIGIBLE } from '../generated/kernel';
import { Attacks } from './attacks';
import { Damages } from './damages';
import { Harm } from './harm';
import { Living, MOVING, Rows, Sets, UNREACHED } from './living';
import { Mass } from './mass';
import { Shift } from './shift';
import { combinations, Survey } from './survey';

/** Words of the scenario's head. */
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
  /** The law of the scenario's battle; see core/law.ts for what it returns. */
  static solve(moves: f64, steps: f64): i32 {
    left = moves;
    const hasRoom = Law.room() && Survey.make();
    Law.size(Survey.states(), combinations);
    if (!hasRoom) return Law.close(1.0, Answers.noRoom);
    if (combinations > steps) return Law.close(1.0, Answers.beyond);
    if (!Melee.room()) return Law.close(1.0, Answers.noRoom);
    const least = Melee.least();
    Law.size(Survey.states(), combinations, least);
    return least > left || !Melee.tabulate() ? Law.close(1.0, Answers.beyond) : Melee.play();
  }

  static room(): bool {
    before = Survey.spare();
    between = Survey.spare();
    return before !== 0 && between !== 0 && Survey.room();
  }

  /** Makes the tables of all sets; false if that takes more moves than there may be. */
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

  /** Moves that it takes at least, before tables are made: as long as nobody has been hurt, all live. */
  static least(): f64 {
    const all = Sets.of(Sets.all());
    if (all.outcome !== MOVING) return 0.0;
    Mass.summon(Sets.all());
    Harm.among(all.reaches);
    const unhurt = Melee.unhurt(all.victims, all.table) * Melee.unhurt(all.victimsToo, all.tableToo);
    const rounds = unhurt < 1.0 ? Math.ceil(Math.log(NEGLIGIBLE) / Math.log(unhurt)) : <f64>i32.MAX_VALUE;
    return all.price * max(1.0, min(<f64>Scenario.word(MAX_ROUNDS), rounds));
  }

  /** The probability that nobody of some victims is hurt in a round: their law, as if no damage exceeded 1. */
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
    while (isCircular ? Law.goesOn(open, outcomes, round, limit) : open > 0.0 && round < limit) {
      if (!Melee.round()) return Law.close(open, Law.suffices(open) ? Answers.solved : Answers.beyond);
      open = Melee.settle(++round);
    }
    if (round < limit) return Law.close(open, Answers.solved);
    for (let set: u32 = 1; set <= Sets.all(); set++) {
      if (Sets.of(set).outcome === MOVING) Melee.count(set, Scenario.word(PARTIES) + 1, round);
    }
    return Law.close(0.0, Answers.solved);
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

  /** Whether all of a set that moves can stay unhurt in a round. */
  static isCircular(): bool {
    for (let set: u32 = 1; set <= Sets.all(); set++) {
      const living = Sets.of(set);
      if (living.outcome !== MOVING || load<f64>(living.table) === 0.0) continue;
      if (living.victimsToo === 0 || load<f64>(living.tableToo) > 0.0) return true;
    }
    return false;
  }

  /** Moves all mass by a round, the least sets first, so that nothing moves twice; false if the moves do not suffice. */
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

  /** Counts battles that are over, and returns the mass of those that go on. */
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
    left -= Rows.blocks(set) * <f64>Tally.metrics();
    Mass.summon(set);
    Mass.report(round);
    Melee.tell(set, set, Sets.of(set).rows, outcome);
  }

  static tell(set: u32, rest: u32, at: usize, outcome: i32): void {
    if (rest === 0) {
      Law.add(outcome, load<f64>(at));
      return;
    }
    const c = <i32>ctz(rest);
    const stride = Rows.stride(set, c);
    for (let wounds = 0, hp = Mass.unit(c).hp; wounds < hp; wounds++) {
      Tally.set(MassMetrics.hp + c, hp - wounds);
      Melee.tell(set, rest & (rest - 1), at + <usize>wounds * stride, outcome);
    }
  }
}
