/** Which attack is next: ranks give every owner places in the order, and each owner orders its own cities. */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Area, Head } from '../generated/token-conflict';
import { Attack } from './attack';
import { Board, begun, tokens } from './board';

export class Order {
  static isAttacked(attack: i32): bool {
    return Attack.attackers(Board.besieged(attack)) >= 0;
  }

  /** By what the owner's policy orders a city: the least is first. */
  static urgency(attack: i32): i32 {
    const siege = Board.siege(attack);
    const order = Board.player(siege.owner).order;
    if (order === 0) return siege.preference;
    const attackers = Attack.attackers(Board.area(siege.area));
    return attackers < 0 ? 0 : order * Column.get(tokens, attackers);
  }

  /** Whether the turn of an owner's city has yet to come. */
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

  /** The attack that comes in a place of the order by the owner's policy. */
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
   * Whether an attack can come in a place of the order. Cities that nobody attacks make no difference, but that one of
   * them lets other owners go first.
   */
  static allows(place: i32, attack: i32): bool {
    const siege = Board.siege(place);
    if (siege.owner < 0) return attack === place;
    if (!Order.isOpen(attack, siege.owner)) return false;
    if (Order.isAttacked(attack)) return true;
    const idles = siege.waits || Order.first(siege.owner, true) < 0;
    return idles && attack === Order.first(siege.owner, false);
  }

  /** Whether the owner has a choice in a place of the order. */
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

  /** The area that is attacked in a place of the order, everyone following the scenario's policy. */
  @inline static area(place: i32): Area {
    const next = Board.siege(place).next;
    if (next >= 0) return Board.area(next);
    const attack = Order.policy(place);
    Column.set(begun, attack, 1);
    return Board.besieged(attack);
  }
}
