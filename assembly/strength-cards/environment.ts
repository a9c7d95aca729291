/** Strength and cards decision by decision: cards, air tokens, then points of damage. */
import { Column } from '../core/column';
import { ActionMask, Extras, Observation } from '../environments/scene';
import { Turn } from '../environments/turn';
import { EXTRA_SIDE_WORDS, EXTRA_UNIT_WORDS, Extra, ExtraSide, ExtraUnit, Points } from '../generated/strength-cards';
import { Battle, Progress } from './battle';
import { ATTACKER, DEFENDER, Losses, Play, Side } from './side';

// Additional words of src/rules/strength-cards/environment.ts.

class Words {
  @inline static word(side: i32, index: i32): i32 {
    return Extras.word(Extra.sides + side * EXTRA_SIDE_WORDS + index);
  }

  /** Action of using a token; the next one is holding it. */
  @inline static play(): i32 {
    return Extras.word(Extra.play);
  }

  /** Strength before cards and tokens, in half points. */
  @inline static strength(side: i32): i32 {
    return Extras.word(Extra.strength + side);
  }

  @inline static cards(side: i32): i32 {
    return Words.word(side, ExtraSide.cards);
  }

  /** Features at which cards and tokens begin. */
  @inline static cardsAt(side: i32): i32 {
    return Words.word(side, ExtraSide.cardsAt);
  }

  @inline static tokensAt(side: i32): i32 {
    return Words.word(side, ExtraSide.tokensAt);
  }

  /** The action of a card. */
  @inline static card(side: i32, index: i32): i32 {
    return Extras.word(Words.word(side, ExtraSide.cardTable) + index);
  }

  /** Action and feature of a unit; units are numbered in the order of the losses policy. */
  @inline static hit(side: i32, unit: i32): i32 {
    return Extras.word(Words.word(side, ExtraSide.unitTable) + EXTRA_UNIT_WORDS * unit + ExtraUnit.action);
  }

  @inline static hpAt(side: i32, unit: i32): i32 {
    return Extras.word(Words.word(side, ExtraSide.unitTable) + EXTRA_UNIT_WORDS * unit + ExtraUnit.feature);
  }
}

// The functions of an environment.

class Cards {
  /** The card of an action, or -1. */
  static of(side: i32, action: i32): i32 {
    for (let card = 0, n = Words.cards(side); card < n; card++) if (Words.card(side, card) === action) return card;
    return -1;
  }
}

class Hits {
  /** Applies the damage of the attacker, or of the defender, to its absorbers before the units. */
  static suffer(side: i32): void {
    Progress.of().points = Battle.absorb(side);
  }

  /** Returns true if the choice of the unit that takes the next point makes a difference. */
  @inline static choice(side: i32): bool {
    const play = Play.of(side);
    const points = Progress.of().points;
    return points > 0 && points < play.hp && play.alive > 1;
  }

  /** The units take all points that leave no choice. */
  static rest(side: i32): void {
    const progress = Progress.of();
    if (progress.points === 0) return;
    const hp = Progress.hp(side);
    const left = Play.of(side).hp - progress.points;
    Losses.inOrder(hp, Side.units(side), progress.points);
    Losses.count(side, hp, Side.health(side) - left);
    progress.points = 0;
  }

  static point(side: i32, unit: i32): void {
    const hp = Progress.hp(side);
    const play = Play.of(side);
    Column.add(hp, unit, -1);
    play.hp--;
    play.alive -= i32(Column.get(hp, unit) === 0);
    Progress.of().points--;
  }

  /** The living unit of an action, or -1. */
  static of(side: i32, action: i32): i32 {
    const hp = Progress.hp(side);
    for (let unit = 0, n = Side.units(side); unit < n; unit++) {
      if (Words.hit(side, unit) === action) return Column.get(hp, unit) > 0 ? unit : -1;
    }
    return -1;
  }
}

export function bytes(): i32 {
  return Progress.bytes();
}

export function bind(at: usize): void {
  Progress.bind(at);
}

export function start(): void {
  const progress = Progress.of();
  progress.stage = 0;
  progress.points = 0;
  for (let side = ATTACKER; side <= DEFENDER; side++) {
    Play.of(side).clear(Side.health(side), Side.units(side));
    Losses.muster(side, Progress.hp(side));
  }
}

/** Performs a stage without a choice. */
function pass(stage: i32): void {
  const side = Progress.side(stage);
  if (stage < Progress.tokens()) Play.of(side).card = 0;
  else if (stage === Progress.rolls()) {
    Side.roll(ATTACKER);
    Side.roll(DEFENDER);
    Hits.suffer(DEFENDER);
  } else {
    Hits.rest(side);
    if (side === DEFENDER) Hits.suffer(ATTACKER);
  }
  Progress.of().stage = stage + 1;
}

/** Returns true if a stage has a choice. */
function asks(stage: i32): bool {
  const side = Progress.side(stage);
  if (stage < Progress.tokens()) return Words.cards(side) > 1;
  const rolls = Progress.rolls();
  return stage < rolls || (stage > rolls && Hits.choice(side));
}

export function advance(): i32 {
  const end = Progress.rolls() + 3;
  for (let stage = Progress.of().stage; stage < end; stage++) {
    if (asks(stage)) return Turn.ask(Progress.point(stage), Progress.side(stage));
    pass(stage);
  }
  return Turn.end(Battle.winner(Battle.margin()));
}

export function take(action: i32): void {
  const progress = Progress.of();
  const stage = progress.stage;
  const side = Progress.side(stage);
  const point = Progress.point(stage);
  if (point === Points.losses) {
    Hits.point(side, Hits.of(side, action));
    return;
  }
  const play = Play.of(side);
  if (point === Points.card) play.card = Cards.of(side, action);
  else play.air |= u32(action === Words.play()) << Progress.token(stage);
  progress.stage = stage + 1;
}

export function offer(): void {
  const stage = Progress.of().stage;
  const side = Progress.side(stage);
  const point = Progress.point(stage);
  if (point === Points.card)
    for (let card = 0, n = Words.cards(side); card < n; card++) ActionMask.add(Words.card(side, card));
  else if (point === Points.air) {
    ActionMask.add(Words.play());
    ActionMask.add(Words.play() + 1);
  } else {
    const hp = Progress.hp(side);
    for (let unit = 0, n = Side.units(side); unit < n; unit++) {
      if (Column.get(hp, unit) > 0) ActionMask.add(Words.hit(side, unit));
    }
  }
}

export function choose(): i32 {
  const stage = Progress.of().stage;
  const side = Progress.side(stage);
  const point = Progress.point(stage);
  if (point === Points.card) return Words.card(side, Side.drawCard(side));
  if (point === Points.air) return Words.play() + i32(!Side.drawToken(side, Progress.token(stage)));
  return Words.hit(side, Losses.next(side, Progress.hp(side)));
}

/** Features of both sides: symbols and damage; then of each its cards, tokens and hit points. */
const SYMBOLS: i32 = 6;
const DAMAGE: i32 = 8;

/** Returns true if a player knows the choices of a side before a stage. @param player -1 sees everything */
function knows(player: i32, side: i32, stage: i32): bool {
  return player < 0 || player === side || Progress.of().stage >= stage;
}

function observeSide(player: i32, side: i32): void {
  const play = Play.of(side);
  const card = knows(player, side, Progress.tokens()) ? play.card : -1;
  const air: u32 = knows(player, side, Progress.rolls()) ? play.air : 0;
  Observation.set(SYMBOLS + side, card < 0 ? 0 : Side.card(side, card).symbols);
  Observation.set(DAMAGE + side, play.damage);
  const cards = Words.cardsAt(side);
  for (let c = 0, n = Words.cards(side); c < n; c++) Observation.set(cards + c, i32(c === card));
  const tokens = Words.tokensAt(side);
  for (let t = 0, n = Side.tokens(side); t < n; t++) Observation.set(tokens + t, <i32>((air >> t) & 1));
  const hp = Progress.hp(side);
  for (let unit = 0, n = Side.units(side); unit < n; unit++)
    Observation.set(Words.hpAt(side, unit), Column.get(hp, unit));
}

export function observe(player: i32): void {
  const progress = Progress.of();
  const stage = progress.stage;
  const choosesToken = stage >= Progress.tokens() && stage < Progress.rolls();
  Observation.set(0, Words.strength(ATTACKER));
  Observation.set(1, Words.strength(DEFENDER));
  Observation.set(2, i32(Battle.initiative() !== 0));
  Observation.set(3, Battle.levels(DEFENDER) - Play.of(DEFENDER).levels);
  Observation.set(4, choosesToken ? Progress.token(stage) : 0);
  Observation.set(5, progress.points);
  observeSide(player, ATTACKER);
  observeSide(player, DEFENDER);
}

export function measure(): void {
  Battle.report();
}
