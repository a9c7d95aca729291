/** How a battle goes on between decisions. */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Area, Head, Progress, Stages } from '../generated/token-conflict';
import { Attack } from './attack';
import { Board, begun, fallen, ranks, tokens } from './board';
import { Conflict } from './conflict';

/** The task at hand: the conflict over an area or, after all of these, the attack on a city. */
export class Task {
  @inline static isAttack(at: Progress): bool {
    return at.task >= Scenario.word(Head.areas);
  }

  @inline static isOver(at: Progress): bool {
    return at.task === Scenario.word(Head.areas) + Scenario.word(Head.attacks);
  }

  /** The place of an attack in their order. */
  @inline static place(at: Progress): i32 {
    return at.task - Scenario.word(Head.areas);
  }

  /** Whether an attack has yet to be chosen, so that no area is at hand. */
  @inline static isChoice(at: Progress): bool {
    return at.stage === Stages.idle && Task.isAttack(at);
  }

  /** The number of its area. */
  @inline static where(at: Progress): i32 {
    return Task.isAttack(at) ? Board.siege(at.attack).area : at.task;
  }

  @inline static area(at: Progress): Area {
    return Board.area(Task.where(at));
  }

  /** Whether there is a city, so that the limit does not count. */
  @inline static hasCity(at: Progress, area: Area): bool {
    return area.owner >= 0 && !Task.isAttack(at);
  }

  @inline static settle(at: Progress): void {
    at.task++;
    at.stage = Stages.idle;
    at.engaged = 0;
    at.attack = 0;
  }
}

export class Course {
  /** Draws the counts of an area. */
  static muster(at: Progress): void {
    at.drawn = Board.draw(at.drawn, Board.area(at.task).end);
    at.stage = Stages.fight;
  }

  /** Makes an attack. */
  static assault(at: Progress, attack: i32): void {
    Column.set(begun, attack, 1);
    const attackers = Attack.make(Board.besieged(attack));
    if (attackers < 0) {
      Task.settle(at);
      return;
    }
    Column.set(fallen, attack, 1);
    at.attack = attack;
    at.engaged = attackers;
    at.stage = Stages.fight;
  }

  /** Whether anyone in an area has a choice. */
  static isFree(area: Area): bool {
    for (let c = area.first; c < area.end; c++) {
      if (Column.get(tokens, c) > 0 && Conflict.pool(c) > 0) return true;
    }
    return false;
  }

  /** Begins a round if somebody has a choice; else fights on to the end of the conflict and of what follows from it. */
  static fight(at: Progress, area: Area): void {
    const city = Task.hasCity(at, area);
    if (Course.isFree(area) && Conflict.isContested(area, city)) {
      Conflict.rank(area);
      at.rank = Conflict.following(area, 0);
      at.next = area.first;
      at.stage = Stages.round;
      return;
    }
    Conflict.fight(area, city);
    Conflict.clearRanks();
    if (Task.isAttack(at)) {
      Attack.disperse(area);
      if (!Board.player(Course.victor(at)).barbarian) {
        at.stage = Stages.card;
        return;
      }
    }
    Task.settle(at);
  }

  /** The player who has taken the city. */
  @inline static victor(at: Progress): i32 {
    return Board.contingent(at.engaged).player;
  }

  /** The next contingent of the group at hand that has a choice and has not chosen, or -1. */
  @inline static chooser(at: Progress, area: Area): i32 {
    for (let c = at.next; c < area.end; c++) {
      if (Column.get(ranks, c - area.first) === at.rank && Conflict.pool(c) > 0) return c;
    }
    return -1;
  }

  /** The contingent that is asked chooses its pool or a token. */
  @inline static choose(at: Progress, area: Area, pool: bool): void {
    if (pool) Column.set(ranks, at.next - area.first, -at.rank);
    at.next++;
  }

  /** All of the group at hand give up what they have chosen. */
  static carryOut(at: Progress, area: Area): void {
    for (let c = area.first; c < area.end; c++) {
      const rank = Column.get(ranks, c - area.first);
      if (abs(rank) !== at.rank) continue;
      if (rank < 0) Conflict.spend(c);
      else Board.remove(c, 1);
      Column.set(ranks, c - area.first, 0);
    }
    at.rank = Conflict.isContested(area, Task.hasCity(at, area)) ? Conflict.following(area, at.rank) : 0;
    at.next = area.first;
    if (at.rank > 0) return;
    at.next = 0;
    at.stage = Stages.fight;
    Conflict.clearRanks();
  }

  /** The outcome of a battle that is over. */
  static outcome(): i32 {
    let outcome = 0;
    for (let a = 0, n = Scenario.word(Head.areas); a < n; a++) {
      const area = Board.area(a);
      if (area.owner < 0) outcome += Conflict.result(area);
    }
    for (let a = 0, n = Scenario.word(Head.attacks); a < n; a++) {
      const area = Board.besieged(a);
      outcome += Column.get(fallen, a) ? area.result : area.otherResult;
    }
    return outcome;
  }
}
