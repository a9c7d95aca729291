/** Token conflict decision by decision: losses in rounds, the next city, the benefits of its fall. */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { ActionMask, Extras, Observation } from '../environments/scene';
import { Turn } from '../environments/turn';
import { Actions, Area, EXTRA_WORDS, Extra, Head, Points, Progress, Stages } from '../generated/token-conflict';
import { Attack, Conflict, Course, Order, Task } from './battle';
import { Board, ranks } from './board';

/** The first action that names a city. */
const NEXT: i32 = Actions.leave + 1;

/** The first feature of players' turns. */
const TURNS: i32 = 2;

/** Turn of a player in the round. */
const AT_HAND: i32 = 1;
const LATER: i32 = 2;

/** The words that src/rules/token-conflict/environment.ts adds: two numbers, then deciders, readings and choices. */
class Words {
  @inline static readings(): i32 {
    return Extras.word(Extra.readings);
  }

  /** Number of selectable cities of the scenario. */
  @inline static choices(): i32 {
    return Extras.word(Extra.choices);
  }

  /** A player's number among those who decide. */
  @inline static decider(player: i32): i32 {
    return Extras.word(EXTRA_WORDS + <usize>player);
  }

  /** The attack that an action names. */
  @inline static choice(action: i32): i32 {
    return Extras.word(EXTRA_WORDS + <usize>(Scenario.word(Head.players) + Words.readings() + action - NEXT));
  }
}

class Decision {
  /** Requests a decision of a player of the plan; returns the result of `advance`. */
  @inline static ask(point: i32, player: i32): i32 {
    return Turn.ask(point, Words.decider(player));
  }

  /** The first of the two actions of a decision that is not about the order of cities. */
  @inline static first(at: Progress): i32 {
    return at.stage === Stages.round ? Actions.givePool : Actions.take;
  }
}

/** Returns true if an action can name the next city. */
function allowsNext(at: Progress, action: i32): bool {
  return action >= NEXT && Order.allows(Task.place(at), Words.choice(action));
}

/** The action that names the city that is next by the owner's policy. */
function nextByPolicy(at: Progress): i32 {
  const attack = Order.policy(Task.place(at));
  let action = NEXT;
  while (Words.choice(action) !== attack) action++;
  return action;
}

export function bytes(): i32 {
  return Board.bytes();
}

export function bind(at: usize): void {
  Board.bind(at);
}

export function start(): void {
  Board.muster();
}

export function advance(): i32 {
  const at = Board.progress();
  while (!Task.isOver(at)) {
    if (Task.isChoice(at)) {
      const place = Task.place(at);
      if (Order.isFree(place)) return Decision.ask(Points.cityOrder, Board.siege(place).owner);
      Course.assault(at, Order.policy(place));
      continue;
    }
    const area = Task.area(at);
    const stage = at.stage;
    if (stage === Stages.idle) Course.muster(at);
    else if (stage === Stages.fight) Course.fight(at, area);
    else if (stage === Stages.round) {
      const chooser = Course.chooser(at, area);
      if (chooser >= 0) {
        at.next = chooser;
        return Decision.ask(Points.sacrifice, Board.contingent(chooser).player);
      }
      Course.carryOut(at, area);
    } else if (stage === Stages.card) {
      if (Attack.hasCard(area)) return Decision.ask(Points.takeCard, Course.victor(at));
      at.stage = Stages.treasury;
    } else {
      const victor = Course.victor(at);
      if (Attack.gain(victor) > 0) return Decision.ask(Points.takeTreasury, victor);
      Task.settle(at);
    }
  }
  return Turn.end(Course.outcome());
}

export function take(action: i32): void {
  const at = Board.progress();
  if (Task.isChoice(at)) {
    Course.assault(at, Words.choice(action));
    return;
  }
  const area = Task.area(at);
  if (at.stage === Stages.round) Course.choose(at, area, action === Actions.givePool);
  else if (at.stage === Stages.card) {
    if (action === Actions.take) Attack.drawCard(area, Course.victor(at));
    at.stage = Stages.treasury;
  } else {
    if (action === Actions.take) Attack.fillTreasury(Course.victor(at));
    Task.settle(at);
  }
}

export function offer(): void {
  const at = Board.progress();
  if (Task.isChoice(at)) {
    for (let action = NEXT, end = NEXT + Words.choices(); action < end; action++) {
      if (allowsNext(at, action)) ActionMask.add(action);
    }
    return;
  }
  const first = Decision.first(at);
  ActionMask.add(first);
  ActionMask.add(first + 1);
}

export function choose(): i32 {
  const at = Board.progress();
  if (Task.isChoice(at)) return nextByPolicy(at);
  if (at.stage === Stages.round) return Conflict.sparesToken(at.next) ? Actions.givePool : Actions.giveToken;
  const victor = Board.player(Course.victor(at));
  return (at.stage === Stages.card ? victor.takesCard : victor.takesTreasury) ? Actions.take : Actions.leave;
}

/** Writes the turns of players in the current round. */
function showTurns(at: Progress, area: Area): void {
  for (let c = area.first; c < area.end; c++) {
    const rank = abs(Column.get(ranks, c - area.first));
    if (rank > 0) Observation.set(TURNS + Board.contingent(c).player, rank === at.rank ? AT_HAND : LATER);
  }
}

/** Everything is visible: pending choices of equals have no effect yet. */
export function observe(_: i32): void {
  const at = Board.progress();
  const over = Task.isOver(at);
  const players = Scenario.word(Head.players);
  Observation.set(0, over || Task.isChoice(at) ? -1 : Task.where(at));
  Observation.set(1, i32(!over && Task.isAttack(at)));
  for (let p = 0; p < players; p++) Observation.set(TURNS + p, 0);
  if (at.stage === Stages.round) showTurns(at, Task.area(at));
  const first = TURNS + players;
  const readings = Extras.at(EXTRA_WORDS + <usize>players);
  for (let f = 0, n = Words.readings(); f < n; f++) Observation.set(first + f, Board.word(Column.get(readings, f)));
}

export function measure(): void {
  Board.report();
}
