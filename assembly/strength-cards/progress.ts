/** How far a battle has come that is played decision by decision. */
import { Points, Progress as Words } from '../generated/strength-cards';
import { ATTACKER, DEFENDER, Play, Side } from './side';

/** How many sides play a card. */
const SIDES: i32 = 2;

/** Bytes before both sides' plays; hit points follow these, in the order of the losses policies. */
const HEAD_BYTES: i32 = offsetof<Words>();

let battle: usize = 0;

@unmanaged
export class Progress extends Words {
  @inline static of(): Progress {
    return changetype<Progress>(battle);
  }

  @inline static bytes(): i32 {
    return HEAD_BYTES + Play.bytes() + ((Side.units(ATTACKER) + Side.units(DEFENDER)) << 2);
  }

  @inline static bind(at: usize): void {
    battle = at;
    Play.bind(at + HEAD_BYTES);
  }

  /** Hit points of a side. */
  @inline static hp(side: i32): usize {
    const first = battle + <usize>(HEAD_BYTES + Play.bytes());
    return side === ATTACKER ? first : first + ((<usize>Side.units(ATTACKER)) << 2);
  }

  /** The stage at which tokens begin, and the one at which the dice are rolled. */
  @inline static tokens(): i32 {
    return SIDES;
  }

  @inline static rolls(): i32 {
    return SIDES + Side.tokens(ATTACKER) + Side.tokens(DEFENDER);
  }

  /** The decision point of a stage. */
  @inline static point(stage: i32): i32 {
    return stage < SIDES ? Points.card : stage < Progress.rolls() ? Points.air : Points.losses;
  }

  /** Whose stage it is. */
  static side(stage: i32): i32 {
    if (stage < SIDES) return stage;
    if (stage < Progress.rolls()) return i32(stage >= SIDES + Side.tokens(ATTACKER));
    return stage === Progress.rolls() + 1 ? DEFENDER : ATTACKER;
  }

  /** Which token of its side a stage asks for. */
  @inline static token(stage: i32): i32 {
    const token = stage - SIDES;
    const first = Side.tokens(ATTACKER);
    return token < first ? token : token - first;
  }
}
