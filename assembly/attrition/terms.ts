/** A duel as the scenario's head fixes it: src/rules/attrition/encode.ts. */
import { Scenario } from '../core/kernel';
import { Terms as Words } from '../generated/attrition';

/** Outcomes of two sides, in the order of the models. */
export const ATTACKER: i32 = 0;
export const DEFENDER: i32 = 1;
export const MUTUAL: i32 = 2;
export const UNDECIDED: i32 = 3;

@unmanaged
export class Terms extends Words {
  @inline static of(): Terms {
    return changetype<Terms>(Scenario.at(0));
  }
}
