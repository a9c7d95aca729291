/** Attrition round by round: there are no decisions, so each round has an action without a choice. */
import { Scenario } from '../core/kernel';
import { Row } from '../environments/row';
import { ActionMask, Observation } from '../environments/scene';
import { Turn } from '../environments/turn';
import { Fight, Mass as Head, Modes } from '../generated/attrition';
import { Duel } from './duel';
import { Mass } from './mass';

/** The only decision point, action and player. */
const FIGHT: i32 = 0;

/** Rounds and two hit points; in a mass battle rounds, then columns of combatants. */
const DUEL_BYTES: i32 = offsetof<Fight>();

let battle: usize = 0;

class Rounds {
  @inline static get(): i32 {
    return load<i32>(battle);
  }
}

function isMass(): bool {
  return Scenario.word(Head.mode) === Modes.mass;
}

function fight(): Fight {
  return changetype<Fight>(battle);
}

export function bytes(): i32 {
  return isMass() ? 4 + 12 * Mass.count() : DUEL_BYTES;
}

export function bind(at: usize): void {
  battle = at;
  if (isMass()) Mass.bind(at + 4);
}

export function start(): void {
  Row.clear(battle, <usize>bytes());
  if (isMass()) Mass.begin();
  else Duel.begin(fight());
}

export function advance(): i32 {
  if (isMass()) {
    const outcome = Mass.verdict(Rounds.get());
    return outcome >= 0 ? Turn.end(outcome) : Turn.ask(FIGHT, 0);
  }
  return Duel.goesOn(fight()) ? Turn.ask(FIGHT, 0) : Turn.end(Duel.outcome(fight()));
}

export function take(_: i32): void {
  if (isMass()) {
    store<i32>(battle, Rounds.get() + 1);
    Mass.resume(Rounds.get());
  } else Duel.strike(fight());
}

export function offer(): void {
  ActionMask.add(FIGHT);
}

export function choose(): i32 {
  return FIGHT;
}

export function observe(_: i32): void {
  Observation.set(0, Rounds.get());
  if (isMass()) for (let c = 0, n = Mass.count(); c < n; c++) Observation.set(1 + c, Mass.left(c));
  else {
    Observation.set(1, max(0, fight().attacker));
    Observation.set(2, max(0, fight().defender));
  }
}

export function measure(): void {
  if (isMass()) Mass.report(Rounds.get());
  else Duel.report(fight());
}
