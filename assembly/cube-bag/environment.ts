/**
 * Cubes from a bag decision by decision; the order of actions and features is that of
 * src/rules/cube-bag/environment.ts.
 */
import { Bag } from '../core/bag';
import { Row } from '../environments/row';
import { ActionMask, Extras, Observation } from '../environments/scene';
import { Turn } from '../environments/turn';
import {
  BATTLE_WORDS,
  BONUS_WORDS,
  Bonus,
  BUILDING_WORDS,
  Building,
  CHOICE_WORDS,
  Choice,
  OVER,
  Pending,
  Points,
  PREPARED_WORDS,
  Prepared,
  READY,
  Side,
  Stage,
  Battle as Words,
} from '../generated/cube-bag';
import { Battle, course, Stages } from './battle';
import { Damage, Removal } from './damage';
import { Draws } from './draws';
import { ANY, Party } from './side';

// Decisions about the bonuses of armies, before the bag is filled; port of src/rules/cube-bag/model.ts.

class Bonuses {
  /** Start of the words of bonuses: behind those of slots, armies and structures. */
  static from(): usize {
    const buildings = <usize>(Party.word(0, Side.slots) + Party.word(1, Side.slots) + 1);
    return buildings + 1 + <usize>Extras.word(buildings) * BUILDING_WORDS;
  }

  /** Start of the due choice; in a handwritten state at most the last. */
  static due(): usize {
    let at = Bonuses.from() + PREPARED_WORDS;
    const last = Extras.word(Bonuses.from() + Prepared.choices) - 1;
    for (let i = 0, n = min(course.tries, last); i < n; i++) at = Bonuses.option(at, Extras.word(at + Choice.options));
    return at;
  }

  /** Start of an option of a choice. */
  @inline static option(choice: usize, index: i32): usize {
    return choice + CHOICE_WORDS + <usize>index * BONUS_WORDS;
  }

  /** The side whose army counts a bonus. */
  @inline static side(): usize {
    return <usize>Extras.word(Bonuses.due() + Choice.side);
  }

  /** Adds all cubes that do not depend on bonuses, if there is a choice of one. */
  static begin(): void {
    const from = Bonuses.from();
    if (Extras.word(from + Prepared.choices) === 0) return;
    const attacker = Extras.word(from + Prepared.attacker);
    const defender = Extras.word(from + Prepared.defender);
    Bag.fill(attacker, defender, Extras.word(from + Prepared.neutral));
    course.stage = READY;
    course.pending = Pending.bonus;
    course.army = Extras.word(Bonuses.due() + Choice.army);
  }

  static offer(): void {
    const choice = Bonuses.due();
    for (let i = 0, n = Extras.word(choice + Choice.options); i < n; i++) {
      ActionMask.add(Extras.word(Bonuses.option(choice, i) + Bonus.action));
    }
  }

  /** Returns the action by the policy of the scenario. */
  static action(): i32 {
    const choice = Bonuses.due();
    return Extras.word(Bonuses.option(choice, Extras.word(choice + Choice.policy)) + Bonus.action);
  }

  static take(action: i32): void {
    const choice = Bonuses.due();
    let index = 0;
    while (Extras.word(Bonuses.option(choice, index) + Bonus.action) !== action) index++;
    const option = Bonuses.option(choice, index);
    const inside = Bag.inside();
    if (Extras.word(choice + Choice.side) === 0) inside.first += Extras.word(option + Bonus.own);
    else inside.second += Extras.word(option + Bonus.own);
    inside.third += Extras.word(option + Bonus.neutral);
    course.tries++;
    if (course.tries < Extras.word(Bonuses.from() + Prepared.choices)) {
      course.army = Extras.word(Bonuses.due() + Choice.army);
    } else Bonuses.end();
  }

  /** Discards the cubes of both sides before the first stage. */
  static end(): void {
    const inside = Bag.inside();
    const gone = min(Extras.word(Bonuses.from() + Prepared.fabian), min(inside.first, inside.second));
    inside.first -= gone;
    inside.second -= gone;
    course.stage = 0;
    course.tries = 0;
    course.pending = Pending.nothing;
    course.army = ANY;
  }
}

// Decisions about the army from which a unit is converted, and the actions of armies.

class Herds {
  /** The side from whose armies a unit is to be converted. */
  @inline static side(): usize {
    return 1 - Stages.side();
  }

  /** Returns the action of an army; the word is behind those of the slots of both sides. */
  @inline static action(army: i32): i32 {
    return Extras.word(<usize>(Party.word(0, Side.slots) + Party.word(1, Side.slots))) + army - 1;
  }

  /** Returns the army of an action. */
  @inline static army(action: i32): i32 {
    return action - Herds.action(0);
  }

  static offer(): void {
    const side = Herds.side();
    for (let i = 0, n = Party.word(side, Side.preyCount); i < n; i++) {
      const army = Party.prey(side, i).army;
      if (Party.kinds(side, army) > 0) ActionMask.add(Herds.action(army));
    }
  }
}

// Decisions about an object: types of units and structures, and their actions.

class Types {
  /** Returns the action of a slot of a side. */
  @inline static action(side: usize, slot: i32): i32 {
    return Extras.word(<usize>(slot + (side === 0 ? 0 : Party.word(0, Side.slots))));
  }

  /** Returns the first slot of a side with this action and with units to convert, or -1. */
  static unit(side: usize, action: i32): i32 {
    for (let slot = 0, n = Party.word(side, Side.troops); slot < n; slot++) {
      if (Types.action(side, slot) === action && Party.has(side, slot, course.army)) return slot;
    }
    return -1;
  }

  /** Returns the type of a side with this action, or -1. */
  static kind(side: usize, action: i32): i32 {
    for (let slot = 0, n = Party.word(side, Side.slots); slot < n; slot++) {
      if (Types.action(side, slot) === action) return Party.kind(side, slot);
    }
    return -1;
  }

  /** The side of whose objects one is chosen. */
  @inline static side(): usize {
    return course.pending === Pending.unit ? 1 - Stages.side() : Stages.falling();
  }

  /** Offers units to convert. */
  static offerUnits(side: usize): void {
    for (let slot = 0, n = Party.word(side, Side.troops); slot < n; slot++) {
      if (Party.has(side, slot, course.army)) ActionMask.add(Types.action(side, slot));
    }
  }

  /** Offers objects to remove. */
  static offerObjects(side: usize): void {
    Removal.look(side, course.damage);
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
      if (Removal.allows(side, i, course.damage)) ActionMask.add(Types.action(side, Party.target(side, i).slot));
    }
  }

  static take(side: usize, action: i32): void {
    if (course.pending !== Pending.unit) {
      course.damage = Removal.take(side, Types.kind(side, action), course.damage);
      return;
    }
    Party.lose(side, Types.unit(side, action));
    course.pending = Pending.nothing;
    course.army = ANY;
  }
}

// Observation of a battle, in the order of src/rules/cube-bag/environment.ts. It hides nothing.

/** Features before those of the sides. */
const COMMON: i32 = 10;

class Seen {
  /** Returns the remaining part of a total, by the stage. */
  @inline static left(stage: i32, all: i32): i32 {
    if (course.stage > stage) return 0;
    return course.stage === stage ? all - course.tries : all;
  }

  /** Shows a side from a feature on; returns the one behind. */
  static side(side: usize, from: i32): i32 {
    const own = Party.force(side);
    Observation.set(from, Party.word(side, Side.courage));
    Observation.set(from + 1, Seen.left(Stage.conversionAttacker - <i32>side, Party.word(side, Side.conversions)));
    Observation.set(from + 2, Seen.left(Stage.redrawAttacker + <i32>side, Party.word(side, Side.redraw) >> 1));
    Observation.set(from + 3, own.conversions);
    Observation.set(from + 4, own.recoveries);
    Observation.set(from + 5, own.experience);
    Observation.set(from + 6, own.lost);
    return from + 7;
  }

  static units(side: usize, from: i32): i32 {
    const n = Party.word(side, Side.troops);
    for (let slot = 0; slot < n; slot++) Observation.set(from + slot, Party.force(side).units(slot));
    return from + n;
  }

  /**
   * Remaining structures: for each feature additional words have side, slot, initial count, and the number that fall
   * before it.
   */
  static structures(from: i32): void {
    let at = <usize>(Party.word(0, Side.slots) + Party.word(1, Side.slots) + 1);
    const n = Extras.word(at++);
    for (let i = 0; i < n; i++) {
      const fallen = Party.force(Extras.word(at + Building.side)).fallen(Extras.word(at + Building.slot));
      const count = Extras.word(at + Building.count);
      Observation.set(from + i, min(count, max(0, Extras.word(at + Building.before) + count - fallen)));
      at += BUILDING_WORDS;
    }
  }

  static all(): void {
    const bag = Bag.inside();
    const drawn = Bag.drawn();
    Observation.set(0, course.stage);
    Observation.set(1, bag.first);
    Observation.set(2, bag.second);
    Observation.set(3, bag.third);
    Observation.set(4, drawn.first);
    Observation.set(5, drawn.second);
    Observation.set(6, drawn.third);
    Observation.set(7, course.damage);
    Observation.set(8, Damage.marks());
    Observation.set(9, course.army);
    const units = Seen.side(1, Seen.side(0, COMMON));
    Seen.structures(Seen.units(1, Seen.units(0, units)));
  }
}

// The functions of an environment.

/** Bytes of a battle before those of the sides. */
const PARTIES: usize = 4 * BATTLE_WORDS;

export function bytes(): i32 {
  return <i32>PARTIES + Party.bytes(0) + Party.bytes(1);
}

export function bind(at: usize): void {
  Stages.bind(at);
  Bag.bind(at + (Words.cubes << 2));
  Damage.bind(at + (Words.marks << 2));
  Party.bind(at + PARTIES);
}

export function start(): void {
  Row.clear(changetype<usize>(course), <usize>bytes());
  Battle.start();
  Bonuses.begin();
}

export function advance(): i32 {
  if (course.stage === READY) {
    Bag.clear(Bag.hand());
    return Turn.ask(Points.bonus, <i32>Bonuses.side());
  }
  while (course.stage < OVER) {
    if (Stages.waits()) {
      Bag.clear(Bag.hand());
      return Stages.ask();
    }
    Stages.next();
  }
  Bag.clear(Bag.hand());
  Bag.clear(Bag.inside());
  return Turn.end(Battle.outcome());
}

export function offer(): void {
  if (course.stage === READY) Bonuses.offer();
  else if (Stages.hunts()) Herds.offer();
  else if (course.pending === Pending.unit) Types.offerUnits(Types.side());
  else if (course.pending !== Pending.nothing) Types.offerObjects(Types.side());
  else for (let cubes = Stages.least(), most = Stages.most(); cubes <= most; cubes++) ActionMask.add(cubes);
}

export function choose(): i32 {
  if (course.stage === READY) return Bonuses.action();
  if (Stages.hunts()) return Herds.action(Party.hunted(Herds.side()));
  if (course.pending === Pending.nothing) {
    if (Stages.counts()) return i32(Draws.goesOn(Stages.side(), course.tries > 0));
    if (course.stage === Stage.drawAttacker) return Draws.choice();
    return course.stage === Stage.extraDrawDefender ? Draws.extraChoice() : Draws.redrawChoice(Stages.side());
  }
  const side = Types.side();
  const isUnit = course.pending === Pending.unit;
  return Types.action(side, isUnit ? Party.next(side, course.army) : Removal.choice(side, course.damage));
}

export function take(action: i32): void {
  if (course.stage === READY) {
    Bonuses.take(action);
    return;
  }
  if (Stages.hunts()) {
    Stages.tries(Stages.side(), Herds.army(action));
    return;
  }
  if (course.pending !== Pending.nothing) {
    Types.take(Types.side(), action);
    return;
  }
  Stages.draw(action);
}

export function observe(_: i32): void {
  Seen.all();
}

export function measure(): void {
  Battle.report();
}
