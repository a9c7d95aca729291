/** A duel as the scenario's head fixes it: src/systems/attrition/encode.ts. */
import { Scenario } from './kernel';

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
  /** Offsets of the table of differences. */
  differences: i32;

  @inline static of(): Terms {
    return changetype<Terms>(Scenario.at(0));
  }
}
