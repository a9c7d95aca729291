/** Damage: what absorbs it, and which units take it. */
import { Column } from '../core/column';
import { Absorbers, Force } from '../generated/strength-cards';
import { Row } from '../rollout/row';
import { Play, Side } from './side';

export class Losses {
  /** Whether points go to the unit with most hit points left; otherwise to one unit after the other. */
  @inline static spreads(side: i32): bool {
    return Side.word(side, Force.spread) !== 0;
  }

  /** The unit with most hit points left, the first of equals. */
  @inline static most(hp: usize, count: i32): i32 {
    let most = 0;
    for (let unit = 1; unit < count; unit++) {
      if (Column.get(hp, unit) > Column.get(hp, most)) most = unit;
    }
    return most;
  }

  /** The unit that the policy gives the next point. */
  static next(side: i32, hp: usize): i32 {
    if (Losses.spreads(side)) return Losses.most(hp, Side.units(side));
    let unit = 0;
    while (Column.get(hp, unit) === 0) unit++;
    return unit;
  }

  /** Takes points one by one from the unit with most hit points left. */
  static spread(hp: usize, count: i32, damage: i32): void {
    for (let left = damage; left > 0; left--) Column.add(hp, Losses.most(hp, count), -1);
  }

  /** Takes all from one unit after the other. */
  static inOrder(hp: usize, count: i32, damage: i32): void {
    let left = damage;
    for (let unit = 0; unit < count && left > 0; unit++) {
      const taken = min(left, Column.get(hp, unit));
      Column.add(hp, unit, -taken);
      left -= taken;
    }
  }

  /** Writes the hit points of a side's units, in the order of the losses policy, before the battle. */
  @inline static muster(side: i32, hp: usize): void {
    Row.copy(hp, Side.table(side, Force.hp), (<usize>Side.units(side)) << 2);
  }

  /** Notes which hit points are left after so much damage. */
  @inline static count(side: i32, hp: usize, damage: i32): void {
    let alive = 0;
    for (let unit = 0, n = Side.units(side); unit < n; unit++) alive += i32(Column.get(hp, unit) > 0);
    const play = Play.of(side);
    play.alive = alive;
    play.hp = Side.health(side) - damage;
  }

  /** A side's units take so much damage, no more than they can. */
  static wound(side: i32, hp: usize, damage: i32): void {
    const count = Side.units(side);
    Losses.muster(side, hp);
    if (Losses.spreads(side)) Losses.spread(hp, count, damage);
    else Losses.inOrder(hp, count, damage);
    Losses.count(side, hp, damage);
  }

  /** A side takes damage; returns how much of it is left to its units. @param levels of fortification that it has */
  static absorb(side: i32, damage: i32, levels: i32): i32 {
    const play = Play.of(side);
    let left = damage;
    let symbols = play.symbols;
    let standing = levels;
    let health = Side.health(side);
    for (let p = 0, n = Side.absorbers(side); p < n; p++) {
      const place = Side.absorber(side, p);
      const most = min(left, place.most);
      if (place.by === Absorbers.symbols) {
        const taken = min(most, symbols);
        symbols -= taken;
        left -= taken;
      } else if (place.by === Absorbers.fortification) {
        const taken = min(most, standing);
        standing -= taken;
        left -= taken;
      } else {
        const taken = min(most, health);
        health -= taken;
        left -= taken;
      }
    }
    play.levels = levels - standing;
    play.absorbed = damage - left;
    return Side.health(side) - health;
  }
}
