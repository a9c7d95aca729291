/** Words beside the scenario, as src/systems/strength-cards/rollout.ts gives them. */
import { Extras } from '../rollout/view';

/** Words of the head, then of each side. */
const HEAD: i32 = 3;
const SIDE_WORDS: i32 = 5;

export class Words {
  @inline static word(side: i32, index: i32): i32 {
    return Extras.word(HEAD + side * SIDE_WORDS + index);
  }

  /** The action that plays a token; the next one holds it. */
  @inline static play(): i32 {
    return Extras.word(0);
  }

  /** Strength before cards and tokens, in half points. */
  @inline static strength(side: i32): i32 {
    return Extras.word(1 + side);
  }

  @inline static cards(side: i32): i32 {
    return Words.word(side, 0);
  }

  /** Features at which cards and tokens begin. */
  @inline static cardsAt(side: i32): i32 {
    return Words.word(side, 1);
  }

  @inline static tokensAt(side: i32): i32 {
    return Words.word(side, 2);
  }

  /** The action of a card. */
  @inline static card(side: i32, index: i32): i32 {
    return Extras.word(Words.word(side, 3) + index);
  }

  /** Action and feature of a unit; units are numbered in the order of the losses policy. */
  @inline static hit(side: i32, unit: i32): i32 {
    return Extras.word(Words.word(side, 4) + 2 * unit);
  }

  @inline static hpAt(side: i32, unit: i32): i32 {
    return Extras.word(Words.word(side, 4) + 2 * unit + 1);
  }
}
