/** A battle in stages, from decision to decision; port of `turn` in src/rules/cube-bag/model.ts. */
import { Bag } from '../core/bag';
import { Counts } from '../core/counts';
import { Scenario } from '../core/kernel';
import { Turn } from '../environments/turn';
import { Course, Head, Metrics, Outcomes, Pending, Points, Side, Stage } from '../generated/cube-bag';
import { Damage, Removal } from './damage';
import { Draws } from './draws';
import { Party } from './side';

// Start and end of every battle, and parts without a choice.

export class Battle {
  static start(): void {
    Bag.fill(Scenario.word(Head.attackerCubes), Scenario.word(Head.defenderCubes), Scenario.word(Head.neutralCubes));
    Party.muster(0);
    Party.muster(1);
    Damage.muster();
  }

  static recover(side: usize): void {
    const own = Party.force(side);
    for (let i = 0, n = Party.word(side, Side.recoveries); i < n && own.recoveries < own.unitsLost; i++) {
      if (Draws.recovers(side, i)) own.recoveries++;
    }
  }

  @inline static outcome(): i32 {
    if (Party.gone(0)) return Party.gone(1) ? Outcomes.mutual : Outcomes.defender;
    return Party.gone(1) ? Outcomes.attacker : Outcomes.none;
  }

  /** Reports the losses of a side by type. Slots of one type are adjacent. */
  @inline static reportLosses(side: usize, metric: i32): void {
    const own = Party.force(side);
    const slots = Party.word(side, Side.slots);
    if (slots === Party.word(side, Side.kinds)) {
      for (let slot = 0; slot < slots; slot++) Counts.set(metric + slot, own.fallen(slot));
      return;
    }
    let lost = 0;
    for (let slot = 0; slot < slots; slot++) {
      const kind = Party.kind(side, slot);
      lost = own.fallen(slot) + (slot > 0 && Party.kind(side, slot - 1) === kind ? lost : 0);
      Counts.set(metric + kind, lost);
    }
  }

  static report(): void {
    const drawn = Bag.drawn();
    Counts.set(Metrics.drawnAttacker, drawn.first);
    Counts.set(Metrics.drawnDefender, drawn.second);
    Counts.set(Metrics.drawnNeutral, drawn.third);
    let types = 0;
    for (let side: usize = 0; side < 2; side++) {
      const own = Party.force(side);
      Counts.set(Metrics.losses + <i32>side, own.lost);
      Battle.reportLosses(side, Metrics.types + types);
      types += Party.word(side, Side.kinds);
    }
    for (let side: usize = 0; side < 2; side++) {
      const own = Party.force(side);
      Counts.set(Metrics.conversions(types) + <i32>side, own.conversions);
      Counts.set(Metrics.recoveries(types) + <i32>side, own.recoveries);
      Counts.set(Metrics.experience(types) + <i32>side, own.experience);
    }
    Counts.set(Metrics.marks(types), Damage.marks());
  }
}

// The course of a battle from decision to decision.

/** The current battle. */
export let course: Course = changetype<Course>(0);

export class Stages {
  @inline static bind(at: usize): void {
    course = changetype<Course>(at);
  }

  /** The side that decides in a stage of conversion, draws or redraws. */
  @inline static side(): usize {
    const stage = course.stage;
    return stage === Stage.conversionDefender || stage === Stage.extraDrawDefender || stage === Stage.redrawDefender
      ? 1
      : 0;
  }

  /** The side whose objects fall. */
  @inline static falling(): usize {
    return <usize>(course.pending - Pending.attacker);
  }

  /** True if nothing is decided but the army from which a unit is to be converted. */
  @inline static hunts(): bool {
    return course.stage <= Stage.conversionAttacker && course.pending === Pending.nothing;
  }

  /** Tries to convert until an army or a unit has to be chosen; true if one has. */
  static converts(side: usize): bool {
    if (course.pending === Pending.unit) return true;
    const enemy = Party.force(1 - side);
    while (course.tries < Party.word(side, Side.conversions) && enemy.left > 0) {
      if (Party.herds(1 - side) > 1 || Stages.tries(side, Party.hunted(1 - side))) return true;
    }
    return false;
  }

  /** Tries to convert a unit of an army, or of any; true if the unit has to be chosen. */
  static tries(side: usize, army: i32): bool {
    if (!Draws.converts(side, course.tries++, army)) return false;
    if (Party.kinds(1 - side, army) > 1) {
      course.pending = Pending.unit;
      course.army = army;
      return true;
    }
    Party.lose(1 - side, Party.next(1 - side, army));
    return false;
  }

  /** True if cubes are drawn one by one now. */
  @inline static counts(): bool {
    return Draws.byCube() && course.stage <= Stage.extraDrawDefender;
  }

  /**
   * Returns true if a side that draws cube by cube must decide whether to continue; the attacker must draw the first
   * one.
   */
  static goesOn(side: usize): bool {
    if (!Draws.may(side)) return false;
    if (side === 1 || course.tries > 0) return true;
    Stages.cube(side);
    return Draws.may(side);
  }

  @inline static cube(side: usize): void {
    Draws.cube(side);
    course.tries = 1;
  }

  /** The most cubes that the stage lets be drawn. */
  static most(): i32 {
    if (Stages.counts()) return 1;
    if (course.stage === Stage.drawAttacker) return Draws.most();
    return course.stage === Stage.extraDrawDefender ? Draws.extraMost() : Draws.redrawMost(Stages.side());
  }

  /** The fewest. */
  @inline static least(): i32 {
    return i32(course.stage === Stage.drawAttacker && !Draws.byCube());
  }

  /** True if a number of cubes has to be chosen. */
  static draws(): bool {
    if (Stages.counts()) return Stages.goesOn(Stages.side());
    const most = Stages.most();
    if (most > Stages.least()) return true;
    if (course.stage === Stage.drawAttacker) Draws.draw(most);
    return false;
  }

  /** Draws a number of cubes; the stage is over unless they are drawn one by one. */
  static draw(cubes: i32): void {
    if (Stages.counts() && cubes > 0) {
      Stages.cube(Stages.side());
      return;
    }
    if (Stages.counts()) Stages.next();
    else Stages.number(cubes);
  }

  /** Draws a number of cubes, and the stage is over. */
  static number(cubes: i32): void {
    if (course.stage === Stage.drawAttacker) Draws.draw(cubes);
    else if (course.stage === Stage.extraDrawDefender) Draws.extra(cubes);
    else Draws.redraw(Stages.side(), cubes);
    Stages.next();
  }

  /** Places damage until an object must be chosen; returns true if so. */
  static settles(): bool {
    if (course.pending === Pending.nothing) Stages.deal(1, Bag.drawn().first);
    if (Stages.falling() === 1) {
      if (Stages.places()) return true;
      Stages.deal(0, Bag.drawn().second);
    }
    if (Stages.places()) return true;
    course.pending = Pending.nothing;
    course.damage = 0;
    return false;
  }

  /** Places damage on a side; returns true if an object must be chosen. */
  static places(): bool {
    const left = Removal.settle(Stages.falling(), course.damage);
    if (left >= 0) course.damage = left;
    return left >= 0;
  }

  @inline static deal(side: usize, damage: i32): void {
    course.pending = Pending.attacker + <i32>side;
    course.damage = damage;
  }

  /** Simulates a stage up to a decision; returns true if one is pending. */
  static waits(): bool {
    switch (course.stage) {
      case Stage.conversionDefender:
        return Stages.converts(1);
      case Stage.conversionAttacker:
        return Stages.converts(0);
      case Stage.lossesAttacker:
        return Stages.settles();
      default:
        if (course.stage < Stage.lossesAttacker) return Stages.draws();
        Battle.recover(course.stage === Stage.recoveryDefender ? 1 : 0);
        return false;
    }
  }

  @inline static next(): void {
    course.stage++;
    course.tries = 0;
  }

  /** Requests the decision of the stage. */
  static ask(): i32 {
    if (Stages.hunts()) return Turn.ask(Points.army, <i32>Stages.side());
    if (course.pending === Pending.unit) return Turn.ask(Points.conversion, <i32>Stages.side());
    if (course.pending !== Pending.nothing) return Turn.ask(Points.removal, 1 - <i32>Stages.falling());
    const redraws = course.stage >= Stage.redrawAttacker;
    return Turn.ask(redraws ? Points.redraw : course.stage - Stage.drawAttacker + Points.draw, <i32>Stages.side());
  }
}
