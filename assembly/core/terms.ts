/** A duel as the scenario's head fixes it: src/systems/attrition/encode.ts. */
import { Scenario } from './kernel';

/** Outcomes of two sides, in the order of the models. */
export const ATTACKER: i32 = 0;
export const DEFENDER: i32 = 1;
export const MUTUAL: i32 = 2;
export const UNDECIDED: i32 = 3;

@unmanaged
export class Terms {
  mode: i32;
  attackerHp: i32;
  defenderHp: i32;
  /** Added to the difference of two rolls of the attacker's blow, and what prey adds to a blow that gets through. */
  forth: i32;
  forthPrey: i32;
  /** The same of the defender's blow. */
  back: i32;
  backPrey: i32;
  rounds: i32;
  /** Offset of the table of differences. */
  differences: i32;
  /** Offsets of the laws of what gets through, prey not added: how many numbers there are, then 0.. in doubles. */
  forthLaw: i32;
  backLaw: i32;

  @inline static of(): Terms {
    return changetype<Terms>(Scenario.at(0));
  }
}
