/** Words beside the scenario, as src/rules/strength-cards/rollout.ts gives them. */
import { EXTRA_SIDE_WORDS, EXTRA_UNIT_WORDS, Extra, ExtraSide, ExtraUnit } from '../generated/strength-cards';
import { Extras } from '../rollout/scene';

export class Words {
  @inline static word(side: i32, index: i32): i32 {
    return Extras.word(Extra.sides + side * EXTRA_SIDE_WORDS + index);
  }

  /** The action that plays a token; the next one holds it. */
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
