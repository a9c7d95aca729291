/** Choices and rolls of a side, and the effects of damage. */
import { Chance } from '../core/chance';
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Row } from '../environments/row';
import {
  Absorber,
  Absorbers,
  Card,
  Fates,
  FORCE_WORDS,
  Force,
  Head,
  Lots,
  Places,
  Token,
  Play as Words,
} from '../generated/strength-cards';

/** Outcomes, and the order of sides. */
export const ATTACKER: i32 = 0;
export const DEFENDER: i32 = 1;

/** Bytes of the play of a side, and the address of those of both sides. */
const PLAY_BYTES: i32 = offsetof<Words>();
const own: usize = memory.data(2 * PLAY_BYTES);
let plays: usize = own;

@unmanaged
export class Play extends Words {
  @inline static of(side: i32): Play {
    return changetype<Play>(plays + <usize>(side * PLAY_BYTES));
  }

  /** Resets all choices. */
  @inline clear(hp: i32, units: i32): void {
    this.card = -1;
    this.air = 0;
    this.lead = 0;
    this.symbols = 0;
    this.damage = 0;
    this.absorbed = 0;
    this.levels = 0;
    this.hp = hp;
    this.alive = units;
  }

  /** Bytes of the plays of both sides. */
  @inline static bytes(): i32 {
    return 2 * PLAY_BYTES;
  }

  /** Stores the plays of both sides at `at` from now on. */
  @inline static bind(at: usize): void {
    plays = at;
  }

  /** Stores them in memory of this instance. */
  @inline static unbind(): void {
    plays = own;
  }
}

export class Side {
  /** Word `index` of a side's part of the head. */
  @inline static word(side: i32, index: i32): i32 {
    return Scenario.word(Head.sides + side * FORCE_WORDS + index);
  }

  @inline static table(side: i32, index: i32): usize {
    return Scenario.table(Head.sides + side * FORCE_WORDS + index);
  }

  @inline static card(side: i32, index: i32): Card {
    return changetype<Card>(Side.table(side, Force.cards) + <usize>(index * offsetof<Card>()));
  }

  @inline static token(side: i32, index: i32): Token {
    return changetype<Token>(Side.table(side, Force.tokens) + <usize>(index * offsetof<Token>()));
  }

  /** Number of air tokens. */
  @inline static tokens(side: i32): i32 {
    return Side.word(side, Force.tokenCount);
  }

  /** Number of units, and all hit points of them. */
  @inline static units(side: i32): i32 {
    return Side.word(side, Force.units);
  }

  @inline static health(side: i32): i32 {
    return Side.word(side, Force.health);
  }

  /** Number of entries in its order of absorbers. */
  @inline static absorbers(side: i32): i32 {
    return Side.word(side, Force.absorberCount);
  }

  @inline static absorber(side: i32, index: i32): Absorber {
    return changetype<Absorber>(Side.table(side, Force.absorbers) + <usize>(index * offsetof<Absorber>()));
  }

  /** Returns true if its survivors cannot retreat after a defeat. */
  @inline static nowhere(side: i32): bool {
    return Side.word(side, Force.nowhere) !== 0;
  }

  /** Rolls the dice set with the table at `offset` of the scenario. */
  @inline static lot(offset: i32, place: u32): i32 {
    const table = Scenario.at(offset);
    return load<i32>(table) + Chance.quantile(table + 4, Stream.word(place));
  }

  /** The index of the card that the weights choose. */
  @inline static drawCard(side: i32): i32 {
    const only = Side.word(side, Force.onlyCard);
    return only >= 0
      ? only
      : Chance.quantile(Side.table(side, Force.cardDraw), Stream.word(Places.at(side) + Places.card));
  }

  /** Draws the use of a token by its weight. */
  @inline static drawToken(side: i32, index: i32): bool {
    const token = Side.token(side, index);
    if (token.fate !== Fates.drawn) return token.fate !== Fates.held;
    return Stream.word(Places.at(side) + Places.token + index) >= token.threshold;
  }

  /** Chooses by the weights. */
  @inline static choose(side: i32): void {
    const play = Play.of(side);
    play.card = Side.drawCard(side);
    let air: u32 = 0;
    for (let t = 0, n = Side.tokens(side); t < n; t++) air |= u32(Side.drawToken(side, t)) << t;
    play.air = air;
  }

  /** Sums the choices, and rolls all dice. */
  static roll(side: i32): void {
    const play = Play.of(side);
    const card = Side.card(side, play.card);
    const place = Places.at(side) + Places.damage;
    let lead = card.lead;
    let damage = Side.lot(card.dice, place + Lots.card) + Side.lot(Side.word(side, Force.lot), place + Lots.units);
    for (let air = play.air; air !== 0; air &= air - 1) {
      const t = ctz(air);
      const token = Side.token(side, t);
      lead += token.strength;
      damage += Side.lot(token.dice, place + Lots.token + t);
    }
    play.symbols = card.symbols;
    play.lead = lead;
    play.damage = damage;
  }
}

// Damage: its absorbers, and the units that take it.

export class Losses {
  /** Returns true if points go to the unit with most hit points left; otherwise to one unit after the other. */
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

  /** Returns the unit that takes the next point by the policy. */
  static next(side: i32, hp: usize): i32 {
    if (Losses.spreads(side)) return Losses.most(hp, Side.units(side));
    let unit = 0;
    while (Column.get(hp, unit) === 0) unit++;
    return unit;
  }

  /** Removes points one by one from the unit with most hit points left. */
  static spread(hp: usize, count: i32, damage: i32): void {
    for (let left = damage; left > 0; left--) Column.add(hp, Losses.most(hp, count), -1);
  }

  /** Removes all points from one unit after the other. */
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

  /**
   * Applies damage to a side; returns the part that is left for its units. @param levels remaining levels of
   * fortification
   */
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
