/** Token conflict decision by decision: what is given up in rounds, and what is taken after the fall of a city. */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Turn } from '../rollout/turn';
import { Extras, Offer, Sight } from '../rollout/view';
import { Attack } from './attack';
import { Area, Board, PLAYERS, Progress, ranks, stock } from './board';
import { Conflict } from './conflict';
import { CARD, Course, FIGHT, IDLE, ROUND, Task, TREASURY } from './course';

/** Decision points and actions as src/systems/token-conflict/rollout.ts lists them. */
const SACRIFICE: i32 = 0;
const TAKE_CARD: i32 = 1;
const TAKE_TREASURY: i32 = 2;
const GIVE_POOL: i32 = 0;
const GIVE_TOKEN: i32 = 1;
const TAKE: i32 = 2;
const LEAVE: i32 = 3;

/** The first feature of players' turns. */
const TURNS: i32 = 2;

/** Whether a player has yet to act in the round. */
const AT_HAND: i32 = 1;
const LATER: i32 = 2;

class Decision {
  /** Asks a player of the plan; returns what `advance` returns. */
  @inline static ask(point: i32, player: i32): i32 {
    return Turn.ask(point, Extras.word(1 + <usize>player));
  }

  @inline static isSacrifice(): bool {
    return Board.progress().stage === ROUND;
  }
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
    const area = Task.area(at);
    const stage = at.stage;
    if (stage === IDLE) Course.begin(at, area);
    else if (stage === FIGHT) Course.fight(at, area);
    else if (stage === ROUND) {
      const chooser = Course.chooser(at, area);
      if (chooser >= 0) {
        at.next = chooser;
        return Decision.ask(SACRIFICE, Board.contingent(chooser).player);
      }
      Course.carryOut(at, area);
    } else if (stage === CARD) {
      if (Attack.hasCard(area)) return Decision.ask(TAKE_CARD, Course.victor(at));
      at.stage = TREASURY;
    } else {
      const victor = Course.victor(at);
      if (Column.get(stock, victor) > 0) return Decision.ask(TAKE_TREASURY, victor);
      Task.settle(at);
    }
  }
  return Turn.end(Course.outcome());
}

export function take(action: i32): void {
  const at = Board.progress();
  const area = Task.area(at);
  if (at.stage === ROUND) Course.choose(at, area, action === GIVE_POOL);
  else if (at.stage === CARD) {
    if (action === TAKE) Attack.drawCard(area, Course.victor(at));
    at.stage = TREASURY;
  } else {
    if (action === TAKE) Attack.fillTreasury(Course.victor(at));
    Task.settle(at);
  }
}

export function offer(): void {
  const first = Decision.isSacrifice() ? GIVE_POOL : TAKE;
  Offer.add(first);
  Offer.add(first + 1);
}

export function allows(action: i32): bool {
  return action <= GIVE_TOKEN === Decision.isSacrifice();
}

export function choose(): i32 {
  const at = Board.progress();
  if (at.stage === ROUND) return Conflict.sparesToken(at.next) ? GIVE_POOL : GIVE_TOKEN;
  const victor = Board.player(Course.victor(at));
  return (at.stage === CARD ? victor.takesCard : victor.takesTreasury) ? TAKE : LEAVE;
}

/** Shows whether players have yet to act in the round at hand. */
function showTurns(at: Progress, area: Area): void {
  for (let c = area.first; c < area.end; c++) {
    const rank = abs(Column.get(ranks, c - area.first));
    if (rank > 0) Sight.set(TURNS + Board.contingent(c).player, rank === at.rank ? AT_HAND : LATER);
  }
}

/** Everything is seen: what equals have chosen has not happened yet. */
export function observe(_: i32): void {
  const at = Board.progress();
  const over = Task.isOver(at);
  const players = Scenario.word(PLAYERS);
  Sight.set(0, over ? -1 : Task.place(at));
  Sight.set(1, i32(!over && Task.isAttack(at)));
  for (let p = 0; p < players; p++) Sight.set(TURNS + p, 0);
  if (at.stage === ROUND) showTurns(at, Task.area(at));
  const readings = Extras.at(1 + <usize>players);
  const first = TURNS + players;
  for (let f = 0, n = Extras.word(0); f < n; f++) Sight.set(first + f, Board.word(Column.get(readings, f)));
}

export function measure(): void {
  Board.report();
}
