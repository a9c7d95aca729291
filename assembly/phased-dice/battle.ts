/** One battle after the rules, from roll to roll; twin of src/systems/phased-dice/combat.ts. */
import { Scenario } from '../core/kernel';
import { Tally } from '../core/tally';
import { Allocation } from './allocation';
import {
  AIR_STALEMATE,
  Army,
  BY_TROOP,
  MAX_ROUNDS,
  NO_WAY_OUT,
  PHASE_BITS,
  PHASES,
  RATIO_STEPS,
  RETREAT_AFTER,
  RETREAT_RATIO,
  TROOPS,
} from './army';

/** Outcomes in the order of the model. */
const ATTACKER: i32 = 0;
export const DEFENDER: i32 = 1;
const MUTUAL: i32 = 2;
export const STALEMATE: i32 = 3;
export const RETREAT: i32 = 4;
export const UNDECIDED: i32 = -1;

export class Battle {
  /** True if anyone has dice to roll in the round after `round`. */
  @inline static canRoll(round: i32): bool {
    const attacker = Army.force(0);
    const defender = Army.force(1);
    return (attacker.dice | defender.dice) !== 0 || (round === 0 && (attacker.airDice | defender.airDice) !== 0);
  }

  /** The outcome that losses have brought about, from the units that sides have, all of them and without aircraft. */
  static ending(units0: i32, all0: i32, units1: i32, all1: i32): i32 {
    if (units0 > 0 && units1 > 0) return UNDECIDED;
    if (all0 === 0) return all1 === 0 ? MUTUAL : DEFENDER;
    if (all1 === 0) return ATTACKER;
    if (units0 + units1 === 0 || Scenario.word(AIR_STALEMATE)) return STALEMATE;
    return units0 === 0 ? DEFENDER : ATTACKER;
  }

  /** Both sides roll, then both place. */
  @inline static phase(round: u32, phase: i32): i32 {
    const place = ((round << 3) | ((<u32>phase) << 1)) << PHASE_BITS;
    const dealt = Army.roll(0, phase, place);
    const taken = Army.roll(1, phase, place + (1 << PHASE_BITS));
    if (dealt > 0) Allocation.place(1, phase, dealt);
    if (taken > 0) Allocation.place(0, phase, taken);
    return Battle.ending(Army.force(0).units, Army.all(0), Army.force(1).units, Army.all(1));
  }

  static retreats(round: i32): bool {
    const after = Scenario.word(RETREAT_AFTER);
    if (after > 0 && round >= after) return true;
    const ratio = Scenario.word(RETREAT_RATIO);
    return ratio > 0 && <i64>Army.force(0).weight * RATIO_STEPS < <i64>ratio * <i64>Army.force(1).weight;
  }

  @inline static round(round: i32): i32 {
    for (let phase = i32(round > 1), n = Scenario.word(PHASES); phase < n; phase++) {
      const outcome = Battle.phase(round, phase);
      if (outcome !== UNDECIDED) return outcome;
    }
    if (!Battle.retreats(round)) return UNDECIDED;
    if (!Scenario.word(NO_WAY_OUT)) return RETREAT;
    Army.destroy(0);
    return DEFENDER;
  }

  @inline static report(rounds: i32): void {
    Tally.set(0, rounds);
    Tally.set(1, Army.all(0));
    Tally.set(2, Army.all(1));
    let metric = 3;
    for (let side: usize = 0; side < 2; side++) {
      for (let t = 0, n = Army.word(side, TROOPS); t < n; t++) Tally.set(metric++, Army.left(side, BY_TROOP, t));
    }
  }

  static play(): i32 {
    const limit = Scenario.word(MAX_ROUNDS);
    let round = 0;
    let outcome = UNDECIDED;
    Army.muster(0);
    Army.muster(1);
    while (outcome === UNDECIDED) {
      if (round >= limit || !Battle.canRoll(round)) outcome = STALEMATE;
      else outcome = Battle.round(++round);
    }
    Battle.report(round);
    return outcome;
  }
}
