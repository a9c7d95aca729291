/** What a side chooses and rolls. */
import { Chance } from '../core/chance';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import {
  Absorber,
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

/** Bytes of a side's play, and where those of both sides lie. */
const PLAY_BYTES: i32 = offsetof<Words>();
const own: usize = memory.data(2 * PLAY_BYTES);
let plays: usize = own;

@unmanaged
export class Play extends Words {
  @inline static of(side: i32): Play {
    return changetype<Play>(plays + <usize>(side * PLAY_BYTES));
  }

  /** Before anything is played. */
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

  /** Bytes of both sides' plays. */
  @inline static bytes(): i32 {
    return 2 * PLAY_BYTES;
  }

  /** Keeps both sides' plays at `at` from here on. */
  @inline static bind(at: usize): void {
    plays = at;
  }

  /** Keeps them where only this instance looks. */
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

  /** Places in its order of absorbers. */
  @inline static absorbers(side: i32): i32 {
    return Side.word(side, Force.absorberCount);
  }

  @inline static absorber(side: i32, index: i32): Absorber {
    return changetype<Absorber>(Side.table(side, Force.absorbers) + <usize>(index * offsetof<Absorber>()));
  }

  /** Whether its survivors have nowhere to go if it loses. */
  @inline static nowhere(side: i32): bool {
    return Side.word(side, Force.nowhere) !== 0;
  }

  /** What the lot whose table lies at `offset` of the scenario shows. */
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

  /** Whether the weight of a token plays it. */
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

  /** Counts what has been chosen, and rolls all dice. */
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
