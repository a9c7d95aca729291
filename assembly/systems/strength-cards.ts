/** Strength and cards; twin of src/systems/strength-cards/, whose encode.ts lays the scenario out. */
import { Chance } from '../core/chance';
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Tally } from '../core/tally';

export { clear, configure, reserve, scenarioAddress, tallyAddress, valuesAddress } from '../core/kernel';

/** Outcomes, and the order of sides. */
const ATTACKER: i32 = 0;
const DEFENDER: i32 = 1;

/** Words of the head. */
const ABSORB: i32 = 2;
const FORTIFICATION: i32 = 5;
const NO_RETREAT: i32 = 6;
const PORT_FLEETS: i32 = 7;
const OPTIONS: i32 = 8;
const SIDE_WORDS: i32 = 10;

/** Places in the stream. */
const PLACES: u32 = 256;
const TOKENS: u32 = 32;
const DAMAGE: u32 = 64;

/** What takes damage. */
const SYMBOLS: i32 = 0;
const LEVELS: i32 = 1;

/** What becomes of an air token. */
const HELD: i32 = 0;
const DRAWN: i32 = 2;

const UNITS_MAX: i32 = 32;

/** Words of a side's play: lead in half points, symbols, damage rolled; then what it was left with. */
const PLAY_WORDS: i32 = 6;
const plays: usize = memory.data(2 * PLAY_WORDS * 4);

const hp: usize = memory.data(UNITS_MAX * 4);

@unmanaged
class Play {
  lead: i32;
  symbols: i32;
  damage: i32;
  absorbed: i32;
  /** Hit points left, and units that have some. */
  hp: i32;
  alive: i32;

  @inline static of(side: i32): Play {
    return changetype<Play>(plays + <usize>(side * PLAY_WORDS * 4));
  }
}

@unmanaged
class Card {
  lead: i32;
  symbols: i32;
  dice: i32;
}

@unmanaged
class Token {
  strength: i32;
  dice: i32;
  fate: i32;
  threshold: u32;
}

class Side {
  /** Word `index` of a side's part of the head. */
  @inline static word(side: i32, index: i32): i32 {
    return Scenario.word(OPTIONS + side * SIDE_WORDS + index);
  }

  @inline static table(side: i32, index: i32): usize {
    return Scenario.table(OPTIONS + side * SIDE_WORDS + index);
  }

  /** What the lot whose table lies at `offset` of the scenario shows. */
  @inline static lot(offset: i32, place: u32): i32 {
    const table = Scenario.at(offset);
    return load<i32>(table) + Chance.quantile(table + 4, Stream.word(place));
  }

  /** Plays a card and air tokens and rolls the dice of them all. */
  static play(side: i32): void {
    const place = <u32>side * PLACES;
    let index = Side.word(side, 0);
    if (index < 0) index = Chance.quantile(Side.table(side, 1), Stream.word(place));
    const card = changetype<Card>(Side.table(side, 2) + <usize>(index * offsetof<Card>()));
    const play = Play.of(side);
    play.symbols = card.symbols;
    let lead = card.lead;
    let damage = Side.lot(card.dice, place + DAMAGE) + Side.lot(Side.word(side, 5), place + DAMAGE + 1);
    const count = Side.word(side, 3);
    for (let t = 0; t < count; t++) {
      const token = changetype<Token>(Side.table(side, 4) + <usize>(t * offsetof<Token>()));
      if (token.fate === HELD) continue;
      if (token.fate === DRAWN && Stream.word(place + TOKENS + t) < token.threshold) continue;
      lead += token.strength;
      damage += Side.lot(token.dice, place + DAMAGE + 2 + t);
    }
    play.lead = lead;
    play.damage = damage;
  }
}

class Losses {
  /** Takes points one by one from the unit with most hit points left, the first of equals. */
  static spread(count: i32, damage: i32): void {
    for (let left = damage; left > 0; left--) {
      let most = 0;
      for (let unit = 1; unit < count; unit++) {
        if (Column.get(hp, unit) > Column.get(hp, most)) most = unit;
      }
      Column.add(hp, most, -1);
    }
  }

  /** Takes all from one unit after the other. */
  static inOrder(count: i32, damage: i32): void {
    let left = damage;
    for (let unit = 0; unit < count && left > 0; unit++) {
      const taken = min(left, Column.get(hp, unit));
      Column.add(hp, unit, -taken);
      left -= taken;
    }
  }

  /** A side's units take so much damage, no more than they can. */
  static wound(side: i32, damage: i32): void {
    const play = Play.of(side);
    const count = Side.word(side, 6);
    memory.copy(hp, Side.table(side, 7), <usize>(count << 2));
    if (Side.word(side, 9)) Losses.spread(count, damage);
    else Losses.inOrder(count, damage);
    let alive = 0;
    for (let unit = 0; unit < count; unit++) alive += i32(Column.get(hp, unit) > 0);
    play.alive = alive;
    play.hp = Side.word(side, 8) - damage;
  }

  /** A side takes damage; returns how many of `levels` levels of fortification it cost. */
  static take(side: i32, damage: i32, levels: i32): i32 {
    const play = Play.of(side);
    let left = damage;
    let used = 0;
    let wounds = 0;
    for (let a = 0; a < 3; a++) {
      const absorber = Scenario.word(ABSORB + a);
      const room = absorber === SYMBOLS ? play.symbols : absorber === LEVELS ? levels : Side.word(side, 8);
      const taken = min(left, room);
      left -= taken;
      if (absorber === LEVELS) used = taken;
      else if (absorber !== SYMBOLS) wounds = taken;
    }
    Losses.wound(side, wounds);
    play.absorbed = damage - left;
    return used;
  }
}

class Battle {
  static report(margin: i32, winner: i32, levels: i32): void {
    const attacker = Play.of(ATTACKER);
    const defender = Play.of(DEFENDER);
    const nowhere = winner === ATTACKER && Scenario.word(NO_RETREAT) !== 0;
    const captured = winner === ATTACKER && attacker.alive > 0;
    Tally.set(0, margin);
    Tally.set(1, attacker.damage);
    Tally.set(2, defender.damage);
    Tally.set(3, attacker.absorbed);
    Tally.set(4, defender.absorbed);
    Tally.set(5, Side.word(ATTACKER, 6) - attacker.alive);
    Tally.set(6, Side.word(DEFENDER, 6) - defender.alive);
    Tally.set(7, nowhere ? defender.alive : 0);
    Tally.set(8, attacker.hp);
    Tally.set(9, nowhere ? 0 : defender.hp);
    Tally.set(10, i32(captured));
    Tally.set(11, captured ? 0 : levels);
    Tally.set(12, captured ? Scenario.word(PORT_FLEETS) : 0);
  }

  static play(): i32 {
    Side.play(ATTACKER);
    Side.play(DEFENDER);
    const attacker = Play.of(ATTACKER);
    const defender = Play.of(DEFENDER);
    const margin = Scenario.word(0) + attacker.lead - defender.lead;
    const initiative = Scenario.word(1) ? ATTACKER : DEFENDER;
    const winner = margin === 0 ? initiative : margin > 0 ? ATTACKER : DEFENDER;
    const levels = Scenario.word(FORTIFICATION);
    const used = Losses.take(DEFENDER, attacker.damage, levels);
    Losses.take(ATTACKER, defender.damage, 0);
    Battle.report(margin, winner, levels - used);
    return winner;
  }
}

function battle(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return Battle.play();
}

/** Plays one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  return battle(runKey, index);
}

/** Plays and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  for (let i: u32 = 0; i < count; i++) Tally.add(battle(runKey, from + i));
}
