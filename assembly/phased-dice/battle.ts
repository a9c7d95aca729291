/** One battle after the rules, from roll to roll; twin of src/rules/phased-dice/model.ts. */
import { Scenario } from '../core/kernel';
import { Tally } from '../core/tally';
import { Head, Metrics, Outcomes, Places, RATIO_STEPS, Side } from '../generated/phased-dice';
import { Allocation } from './allocation';
import { Army, BY_TROOP } from './army';

/** No outcome yet. */
export const UNDECIDED: i32 = -1;

export class Battle {
  /** True if anyone has dice to roll in the round after `round`. */
  @inline static canRoll(round: i32): bool {
    const attacker = Army.force(0);
    const defender = Army.force(1);
    return (attacker.dice | defender.dice) !== 0 || (round === 0 && (attacker.airDice | defender.airDice) !== 0);
  }

  /** The outcome that losses bring about at once, from the units that sides have, without aircraft and all of them. */
  static ending(units0: i32, all0: i32, units1: i32, all1: i32): i32 {
    if (all0 === 0) return all1 === 0 ? Outcomes.mutual : Outcomes.defender;
    if (all1 === 0) return Outcomes.attacker;
    if (units1 > 0) return UNDECIDED;
    return units0 === 0 || Scenario.word(Head.airStalemate) ? Outcomes.stalemate : Outcomes.attacker;
  }

  /** The outcome when attackers with aircraft alone have stayed. */
  static airborne(): i32 {
    return Scenario.word(Head.airStalemate) ? Outcomes.stalemate : Outcomes.defender;
  }

  /** True in the phase in which a reserve can fit a unit without a new hit: all that aircraft could not take waits. */
  @inline static follows(round: i32, phase: i32): bool {
    return round === 1 && phase === 1;
  }

  /** Both sides roll, then both place. */
  @inline static phase(round: u32, phase: i32): i32 {
    const place = Places.at(round, phase, 0);
    const dealt = Army.roll(0, phase, place);
    const taken = Army.roll(1, phase, place + Places.side);
    const follows = Battle.follows(round, phase);
    if (dealt > 0 || follows) Allocation.place(1, phase, dealt);
    if (taken > 0 || follows) Allocation.place(0, phase, taken);
    return Battle.ending(Army.force(0).units, Army.all(0), Army.force(1).units, Army.all(1));
  }

  /** Whether the attacker's policy retreats; aircraft alone go home by any policy that ever retreats. */
  static retreats(round: i32): bool {
    if (Army.force(0).units === 0) return Scenario.word(Head.goesHome) !== 0;
    const after = Scenario.word(Head.retreatAfter);
    if (after > 0 && round >= after) return true;
    const ratio = Scenario.word(Head.retreatRatio);
    return ratio > 0 && <i64>Army.force(0).weight * RATIO_STEPS < <i64>ratio * <i64>Army.force(1).weight;
  }

  @inline static round(round: i32): i32 {
    for (let phase = i32(round > 1), n = Scenario.word(Head.phases); phase < n; phase++) {
      const outcome = Battle.phase(round, phase);
      if (outcome !== UNDECIDED) return outcome;
    }
    if (!Battle.retreats(round)) return Army.force(0).units === 0 ? Battle.airborne() : UNDECIDED;
    if (!Scenario.word(Head.noWayOut)) return Outcomes.retreat;
    Army.destroy(0);
    return Outcomes.defender;
  }

  @inline static report(rounds: i32): void {
    Tally.set(Metrics.rounds, rounds);
    Tally.set(Metrics.leftAttacker, Army.all(0));
    Tally.set(Metrics.leftDefender, Army.all(1));
    let metric = Metrics.types;
    for (let side: usize = 0; side < 2; side++) {
      for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) Tally.set(metric++, Army.left(side, BY_TROOP, t));
    }
  }

  static play(): i32 {
    const limit = Scenario.word(Head.maxRounds);
    let round = 0;
    let outcome = UNDECIDED;
    Army.muster(0);
    Army.muster(1);
    while (outcome === UNDECIDED) {
      if (round >= limit || !Battle.canRoll(round)) outcome = Outcomes.stalemate;
      else outcome = Battle.round(++round);
    }
    Battle.report(round);
    return outcome;
  }
}
