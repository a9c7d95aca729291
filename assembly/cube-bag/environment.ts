/** Cubes from a bag decision by decision; the order of actions and features is that of src/rules/cube-bag/rollout.ts. */
import { Bag } from '../core/bag';
import { BATTLE_WORDS, OVER, Pending, Points, READY, Stage, Battle as Words } from '../generated/cube-bag';
import { Row } from '../rollout/row';
import { Offer } from '../rollout/scene';
import { Turn } from '../rollout/turn';
import { Battle } from './battle';
import { Bonuses } from './bonuses';
import { Damage } from './damage';
import { Draws } from './draws';
import { Herds } from './herds';
import { Seen } from './observe';
import { Party } from './party';
import { Removal } from './removal';
import { course, Stages } from './stages';
import { Types } from './types';

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
  else for (let cubes = Stages.least(), most = Stages.most(); cubes <= most; cubes++) Offer.add(cubes);
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
