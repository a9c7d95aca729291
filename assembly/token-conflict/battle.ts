/** A battle: conflicts over areas, then attacks on cities in their order; and its progress between decisions. */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Row } from '../environments/row';
import { Area, Head, Progress, Stages } from '../generated/token-conflict';
import { adjacent, Board, begun, cards, fallen, hand, ranks, ships, spent, stock, tokens, treasury } from './board';

// Conflicts over areas: rounds in which everyone gives up one token, the weaker before the stronger.

/** Exceeds any number of tokens: holders of Metalworking come last. */
const LAST: i32 = 1000000;

export class Conflict {
  static isContested(area: Area, city: bool): bool {
    let present = 0;
    let total = 0;
    const column = tokens;
    for (let c = area.first, end = area.end; c < end; c++) {
      const count = Column.get(column, c);
      present += i32(count > 0);
      total += count;
    }
    return present > 1 && (city || total > area.limit);
  }

  /** Ships and adjacent tokens of a contingent. */
  @inline static pool(c: i32): i32 {
    return Column.get(ships, c) + Column.get(adjacent, c);
  }

  /** Returns true if the policy of the scenario gives up a part of the pool, if there is one. */
  @inline static sparesToken(c: i32): bool {
    return Board.contingent(c).poolFirst !== 0 || Column.get(tokens, c) === 1;
  }

  /** Spends a ship or, without one, an adjacent token. */
  static spend(c: i32): void {
    const player = Board.contingent(c).player;
    Column.add(spent, player, 1);
    if (Column.get(ships, c) > 0) Column.add(ships, c, -1);
    else {
      Column.add(adjacent, c, -1);
      Column.add(stock, player, 1);
    }
  }

  /** Applies one loss: a ship, an adjacent token or a token of the area. */
  static giveUp(c: i32): void {
    if (Conflict.pool(c) > 0 && Conflict.sparesToken(c)) Conflict.spend(c);
    else Board.remove(c, 1);
  }

  /** The least rank above `rank` in an area, or 0. */
  static following(area: Area, rank: i32): i32 {
    let next = 0;
    const column = ranks;
    for (let k = 0, n = area.end - area.first; k < n; k++) {
      const each = Column.get(column, k);
      if (each > rank && (next === 0 || each < next)) next = each;
    }
    return next;
  }

  /** Starts a round: ranks each contingent, 0 without tokens. */
  @inline static rank(area: Area): void {
    Board.progress().rounds++;
    const column = ranks;
    const first = area.first;
    for (let k = 0, n = area.end - first; k < n; k++) {
      const count = Column.get(tokens, first + k);
      const last = Board.contingent(first + k).metalworking ? LAST : 0;
      Column.set(column, k, count > 0 ? count + last : 0);
    }
  }

  @inline static clearRanks(): void {
    Row.clear(ranks, Board.columns(1, Head.players));
  }

  static round(area: Area, city: bool): void {
    Conflict.rank(area);
    let rank = Conflict.following(area, 0);
    const column = ranks;
    const first = area.first;
    const length = area.end - first;
    while (rank > 0) {
      for (let k = 0; k < length; k++) {
        if (Column.get(column, k) === rank) Conflict.giveUp(first + k);
      }
      if (!Conflict.isContested(area, city)) return;
      rank = Conflict.following(area, rank);
    }
  }

  /** Fights to the end, everyone following the scenario's policy. */
  static fight(area: Area, city: bool): void {
    while (Conflict.isContested(area, city)) Conflict.round(area, city);
  }

  /** Returns the contribution to the outcome of an area without a city. */
  static result(area: Area): i32 {
    let present = 0;
    let result = area.otherResult;
    for (let c = area.first; c < area.end; c++) {
      if (Column.get(tokens, c) === 0) continue;
      present++;
      result = Board.contingent(c).result;
    }
    return present > 1 ? area.result : result;
  }
}

// Attacks on cities: after the conflicts the remaining attackers take the city or are lost.

export class Attack {
  /** Returns the contingent that attacks the city, or -1. */
  static attackers(area: Area): i32 {
    for (let c = area.first; c < area.end; c++) {
      if (c !== area.owner && Column.get(tokens, c) > 0) return c;
    }
    return -1;
  }

  @inline static owner(area: Area): i32 {
    return Board.contingent(area.owner).player;
  }

  /** The city becomes tokens of its owner. */
  static raze(area: Area, becomes: i32): void {
    const owner = Attack.owner(area);
    const raised = area.pirate ? becomes : min(becomes, Column.get(stock, owner));
    Column.add(tokens, area.owner, raised);
    if (!area.pirate) Column.add(stock, owner, -raised);
  }

  /** Attacks a city; returns the contingent that has taken it, or -1 if it remains. */
  static make(area: Area): i32 {
    const c = Attack.attackers(area);
    if (c < 0) return -1;
    const attackers = Board.contingent(c);
    const count = Column.get(tokens, c);
    if (count < attackers.need) {
      Board.remove(c, count);
      return -1;
    }
    Attack.raze(area, attackers.becomes);
    return c;
  }

  /** Barbarians of a fallen pirate city leave if they do not stay. */
  @inline static disperse(area: Area): void {
    if (area.pirate && Scenario.word(Head.removesPirates)) Column.set(tokens, area.owner, 0);
  }

  @inline static hasCard(area: Area): bool {
    return !area.pirate && Column.get(hand, Attack.owner(area)) > 0;
  }

  @inline static drawCard(area: Area, attacker: i32): void {
    Column.add(hand, Attack.owner(area), -1);
    Column.add(hand, attacker, 1);
    Column.add(cards, attacker, 1);
  }

  /** Tokens that a victor can move to the treasury. */
  @inline static gain(attacker: i32): i32 {
    return min(Scenario.word(Head.treasury), Column.get(stock, attacker));
  }

  @inline static fillTreasury(attacker: i32): void {
    const taken = Attack.gain(attacker);
    Column.add(stock, attacker, -taken);
    Column.add(treasury, attacker, taken);
  }

  /** Gives a player the reward of a city by the policies of the scenario. */
  static reward(area: Area, attacker: i32): void {
    const victor = Board.player(attacker);
    if (victor.barbarian) return;
    if (victor.takesCard && Attack.hasCard(area)) Attack.drawCard(area, attacker);
    if (victor.takesTreasury) Attack.fillTreasury(attacker);
  }
}

// Order of attacks: ranks assign entries of the order to owners, and each owner orders its own cities.

export class Order {
  static isAttacked(attack: i32): bool {
    return Attack.attackers(Board.besieged(attack)) >= 0;
  }

  /** Returns the sort key of a city by the policy of its owner: the least is first. */
  static urgency(attack: i32): i32 {
    const siege = Board.siege(attack);
    const order = Board.player(siege.owner).order;
    if (order === 0) return siege.preference;
    const attackers = Attack.attackers(Board.area(siege.area));
    return attackers < 0 ? 0 : order * Column.get(tokens, attackers);
  }

  /** Returns true if a city of an owner has not had its turn. */
  static isOpen(attack: i32, owner: i32): bool {
    return Board.siege(attack).owner === owner && !Column.get(begun, attack);
  }

  /** The owner's first open city by its policy, among those that are attacked or those that are not; or -1. */
  static first(owner: i32, attacked: bool): i32 {
    let first = -1;
    for (let a = 0, n = Scenario.word(Head.attacks); a < n; a++) {
      if (!Order.isOpen(a, owner) || Order.isAttacked(a) !== attacked) continue;
      if (first < 0 || Order.urgency(a) < Order.urgency(first)) first = a;
    }
    return first;
  }

  /** Returns the attack of an entry of the order by the policy of the owner. */
  static policy(place: i32): i32 {
    const siege = Board.siege(place);
    if (siege.owner < 0) return place;
    const attacked = Order.first(siege.owner, true);
    const idle = Order.first(siege.owner, false);
    if (attacked < 0) return idle;
    if (idle < 0 || !siege.waits) return attacked;
    const lead = Order.urgency(attacked) - Order.urgency(idle);
    return lead > 0 || (lead === 0 && idle < attacked) ? idle : attacked;
  }

  /**
   * Returns true if an attack is possible at an entry of the order. Cities without an attack make no difference, except
   * that one of them lets other owners go first.
   */
  static allows(place: i32, attack: i32): bool {
    const siege = Board.siege(place);
    if (siege.owner < 0) return attack === place;
    if (!Order.isOpen(attack, siege.owner)) return false;
    if (Order.isAttacked(attack)) return true;
    const idles = siege.waits || Order.first(siege.owner, true) < 0;
    return idles && attack === Order.first(siege.owner, false);
  }

  /** Returns true if the owner has a choice at an entry of the order. */
  static isFree(place: i32): bool {
    const siege = Board.siege(place);
    if (siege.owner < 0) return false;
    let open = 0;
    let attacked = 0;
    for (let a = 0, n = Scenario.word(Head.attacks); a < n; a++) {
      if (!Order.isOpen(a, siege.owner)) continue;
      open++;
      attacked += i32(Order.isAttacked(a));
    }
    return attacked > 1 || (siege.waits !== 0 && attacked === 1 && open > 1);
  }

  /** Returns the attacked area of an entry of the order, if all follow the policies of the scenario. */
  @inline static area(place: i32): Area {
    const next = Board.siege(place).next;
    if (next >= 0) return Board.area(next);
    const attack = Order.policy(place);
    Column.set(begun, attack, 1);
    return Board.besieged(attack);
  }
}

// Progress of a battle between decisions.

/** The current task: the conflict over an area or, after all of these, the attack on a city. */
export class Task {
  @inline static isAttack(at: Progress): bool {
    return at.task >= Scenario.word(Head.areas);
  }

  @inline static isOver(at: Progress): bool {
    return at.task === Scenario.word(Head.areas) + Scenario.word(Head.attacks);
  }

  /** Returns the index of an attack in the order. */
  @inline static place(at: Progress): i32 {
    return at.task - Scenario.word(Head.areas);
  }

  /** Returns true if the attack is not yet chosen, so that there is no current area. */
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

  /** Returns true if there is a city, so that the limit does not apply. */
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

  /** Returns true if a player in an area has a choice. */
  static isFree(area: Area): bool {
    for (let c = area.first; c < area.end; c++) {
      if (Column.get(tokens, c) > 0 && Conflict.pool(c) > 0) return true;
    }
    return false;
  }

  /**
   * Starts a round if a player has a choice; otherwise continues to the end of the conflict and of its consequences.
   */
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

  /** Returns the player who has taken the city. */
  @inline static victor(at: Progress): i32 {
    return Board.contingent(at.engaged).player;
  }

  /** Returns the next contingent of the current group with a pending choice, or -1. */
  @inline static chooser(at: Progress, area: Area): i32 {
    for (let c = at.next; c < area.end; c++) {
      if (Column.get(ranks, c - area.first) === at.rank && Conflict.pool(c) > 0) return c;
    }
    return -1;
  }

  /** Sets the choice of the current contingent: its pool or a token. */
  @inline static choose(at: Progress, area: Area, pool: bool): void {
    if (pool) Column.set(ranks, at.next - area.first, -at.rank);
    at.next++;
  }

  /** Applies the choices of the current group. */
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
