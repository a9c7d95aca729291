/** The course of a battle from decision to decision; twin of `turn` in src/systems/cube-bag/battle.ts. */
import { Bag } from '../core/bag';
import { Turn } from '../rollout/turn';
import { Battle } from './battle';
import { Draws } from './draws';
import { CONVERSIONS, Party } from './party';
import { Removal } from './removal';

/** Stages in the order of the model. */
const DEFENDER_CONVERTS: i32 = 0;
export const ATTACKER_CONVERTS: i32 = 1;
export const DRAW: i32 = 2;
export const EXTRA_DRAW: i32 = 3;
export const ATTACKER_REDRAWS: i32 = 4;
const DEFENDER_REDRAWS: i32 = 5;
const LOSSES: i32 = 6;
const DEFENDER_RECOVERS: i32 = 7;
export const OVER: i32 = 9;

/** Decision points. */
const CONVERSION: i32 = 0;
const REMOVAL: i32 = 4;
const ARMY: i32 = 5;

/** What is pending besides draws: a unit to convert, or an object to remove of the attacker, of the defender. */
export const NOTHING: i32 = 0;
export const UNIT: i32 = 1;
const OBJECT: i32 = 2;

@unmanaged
export class Course {
  stage: i32;
  tries: i32;
  pending: i32;
  /** What is left of the damage that is being placed. */
  damage: i32;
  /** The army from which a unit is to be converted. */
  army: i32;
}

/** The battle at hand. */
export let course: Course = changetype<Course>(0);

export class Stages {
  @inline static bind(at: usize): void {
    course = changetype<Course>(at);
  }

  /** The side that decides in a stage of conversion, draws or redraws. */
  @inline static side(): usize {
    const stage = course.stage;
    return stage === DEFENDER_CONVERTS || stage === EXTRA_DRAW || stage === DEFENDER_REDRAWS ? 1 : 0;
  }

  /** The side whose objects fall. */
  @inline static falling(): usize {
    return <usize>(course.pending - OBJECT);
  }

  /** True if nothing is decided but the army from which a unit is to be converted. */
  @inline static hunts(): bool {
    return course.stage <= ATTACKER_CONVERTS && course.pending === NOTHING;
  }

  /** Tries to convert until an army or a unit has to be chosen; true if one has. */
  static converts(side: usize): bool {
    if (course.pending === UNIT) return true;
    const enemy = Party.force(1 - side);
    while (course.tries < Party.word(side, CONVERSIONS) && enemy.left > 0) {
      if (Party.herds(1 - side) > 1 || Stages.tries(side, Party.hunted(1 - side))) return true;
    }
    return false;
  }

  /** Tries to convert a unit of an army, or of any; true if the unit has to be chosen. */
  static tries(side: usize, army: i32): bool {
    if (!Draws.converts(side, course.tries++, army)) return false;
    if (Party.kinds(1 - side, army) > 1) {
      course.pending = UNIT;
      course.army = army;
      return true;
    }
    Party.lose(1 - side, Party.next(1 - side, army));
    return false;
  }

  /** The most cubes that the stage lets be drawn. */
  static most(): i32 {
    if (course.stage === DRAW) return Draws.most();
    return course.stage === EXTRA_DRAW ? Draws.extraMost() : Draws.redrawMost(Stages.side());
  }

  /** The fewest. */
  @inline static least(): i32 {
    return i32(course.stage === DRAW);
  }

  /** True if a number of cubes has to be chosen. */
  static draws(): bool {
    const most = Stages.most();
    if (most > Stages.least()) return true;
    if (course.stage === DRAW) Draws.draw(most);
    return false;
  }

  /** Draws so many cubes. */
  static draw(cubes: i32): void {
    if (course.stage === DRAW) Draws.draw(cubes);
    else if (course.stage === EXTRA_DRAW) Draws.extra(cubes);
    else Draws.redraw(Stages.side(), cubes);
  }

  /** Places damage until an object has to be chosen; true if one has. */
  static settles(): bool {
    if (course.pending === NOTHING) Stages.deal(1, Bag.drawn().first);
    if (Stages.falling() === 1) {
      if (Stages.places()) return true;
      Stages.deal(0, Bag.drawn().second);
    }
    if (Stages.places()) return true;
    course.pending = NOTHING;
    course.damage = 0;
    return false;
  }

  /** Places damage on a side; true if an object has to be chosen. */
  static places(): bool {
    const left = Removal.settle(Stages.falling(), course.damage);
    if (left >= 0) course.damage = left;
    return left >= 0;
  }

  @inline static deal(side: usize, damage: i32): void {
    course.pending = OBJECT + <i32>side;
    course.damage = damage;
  }

  /** Plays a stage up to a decision; true if one is pending. */
  static waits(): bool {
    switch (course.stage) {
      case DEFENDER_CONVERTS:
        return Stages.converts(1);
      case ATTACKER_CONVERTS:
        return Stages.converts(0);
      case LOSSES:
        return Stages.settles();
      default:
        if (course.stage < LOSSES) return Stages.draws();
        Battle.recover(course.stage === DEFENDER_RECOVERS ? 1 : 0);
        return false;
    }
  }

  @inline static next(): void {
    course.stage++;
    course.tries = 0;
  }

  /** Asks for the decision of the stage. */
  static ask(): i32 {
    if (Stages.hunts()) return Turn.ask(ARMY, <i32>Stages.side());
    if (course.pending === UNIT) return Turn.ask(CONVERSION, <i32>Stages.side());
    if (course.pending !== NOTHING) return Turn.ask(REMOVAL, 1 - <i32>Stages.falling());
    const redraws = course.stage >= ATTACKER_REDRAWS;
    return Turn.ask(redraws ? ATTACKER_REDRAWS - 1 : course.stage - 1, <i32>Stages.side());
  }
}
