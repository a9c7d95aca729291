/** Phased dice decision by decision: classes named, units lost, retreats. */
import { Scenario } from '../core/kernel';
import { List } from '../core/list';
import { ActionMask, Extras, Observation } from '../environments/scene';
import { Due, EXTRA_WORDS, Extra, Head, Side } from '../generated/phased-dice';
import { Battle, Battles, COURSE_BYTES } from './battle';
import { Allocation, Army, BY_PHASE, BY_TROOP } from './side';

/** Phases in which a class of units fights that can be named, the first of which has action 0. */
const FIRST_CLASS: i32 = 1;

/** An army without a view of hidden choices. */
const DEFENDER: i32 = 1;

/** The action of losing a unit of a troop. */
function loseOf(side: usize, t: i32): i32 {
  const before = side === 0 ? <usize>0 : <usize>Army.word(0, Side.troops);
  return Extras.word(EXTRA_WORDS + before + <usize>t);
}

/** Returns the troop of a side that an action loses, or -1. */
function troopOf(side: usize, action: i32): i32 {
  for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) if (loseOf(side, t) === action) return t;
  return -1;
}

function isClass(side: usize, action: i32): bool {
  const phase = FIRST_CLASS + action;
  return phase < Scenario.word(Head.phases) && Army.left(1 - side, BY_PHASE, phase) > 0;
}

export function bytes(): i32 {
  return <i32>(COURSE_BYTES + Army.bytes(0) + Army.bytes(1));
}

export function bind(at: usize): void {
  Battles.bind(at);
}

export function start(): void {
  Battles.begin();
}

export function advance(): i32 {
  return Battles.advance();
}

export function offer(): void {
  const course = Battles.course();
  const side = Battles.sideOf(course.stage);
  if (course.stage === Due.leaves) {
    ActionMask.add(Extras.word(Extra.stay));
    ActionMask.add(Extras.word(Extra.stay) + 1);
  } else if (course.stage >= Due.attackerLoses) {
    const group = Battles.group(course, side);
    for (let i = 0, n = List.length(group); i < n; i++) {
      const t = List.at(group, i);
      if (Battles.fits(side, t)) ActionMask.add(loseOf(side, t));
    }
  } else {
    for (let action = 0, n = Scenario.word(Head.phases) - FIRST_CLASS; action < n; action++) {
      if (isClass(side, action)) ActionMask.add(action);
    }
  }
}

export function choose(): i32 {
  const course = Battles.course();
  const side = Battles.sideOf(course.stage);
  if (course.stage === Due.leaves) return Extras.word(Extra.stay) + i32(Battle.retreats(course.round));
  if (course.stage < Due.attackerLoses) return Allocation.named(1 - side, Battles.hits(1 - side)) - FIRST_CLASS;
  const group = Battles.group(course, side);
  let i = 0;
  while (!Battles.fits(side, List.at(group, i))) i++;
  return loseOf(side, List.at(group, i));
}

export function take(action: i32): void {
  const course = Battles.course();
  const side = Battles.sideOf(course.stage);
  if (course.stage === Due.leaves) {
    if (action === Extras.word(Extra.stay)) Battles.stay();
    else Battles.retreat();
  } else if (course.stage >= Due.attackerLoses) Battles.fell(side, troopOf(side, action), 1);
  else {
    Battles.setNamed(side, FIRST_CLASS + action);
    course.stage++;
  }
}

/** Writes the features of a side; returns the next feature. @param isOpen true if its named class is visible */
function observeSide(from: i32, side: usize, isOpen: bool): i32 {
  const force = Army.force(side);
  const named = isOpen ? Battles.named(side) : 0;
  let feature = from;
  Observation.set(feature++, Battles.hits(side));
  Observation.set(feature++, force.reserve);
  Observation.set(feature++, force.weight);
  const phases = Scenario.word(Head.phases);
  if (phases > 2) for (let phase = 1; phase < phases; phase++) Observation.set(feature++, i32(named === phase));
  for (let t = 0, n = Army.word(side, Side.troops); t < n; t++)
    Observation.set(feature++, Army.left(side, BY_TROOP, t));
  return feature;
}

export function observe(player: i32): void {
  const course = Battles.course();
  const stage = course.stage;
  const isPlaced = stage < Due.attackerNames || stage >= Due.leaves;
  Observation.set(0, course.round);
  Observation.set(1, isPlaced ? 0 : 1 + course.phase);
  const next = observeSide(2, 0, player !== DEFENDER || stage >= Due.attackerLoses);
  observeSide(next, 1, true);
}

export function measure(): void {
  Battle.report(Battles.course().round);
}
