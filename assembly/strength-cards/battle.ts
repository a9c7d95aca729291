/** A battle from strengths compared to what both sides are left with. */
import { Scenario } from '../core/kernel';
import { Tally } from '../core/tally';
import { Head, Metrics } from '../generated/strength-cards';
import { Losses } from './losses';
import { ATTACKER, DEFENDER, Play, Side } from './side';

const UNITS_MAX: i32 = 32;
const hp: usize = memory.data(UNITS_MAX * 4);

export class Battle {
  /** Levels of fortification before the battle; the attacker has none. */
  @inline static levels(side: i32): i32 {
    return side === DEFENDER ? Scenario.word(Head.fortification) : 0;
  }

  /** Whether the attacker wins where both are equally strong. */
  @inline static initiative(): i32 {
    return Scenario.word(Head.initiative);
  }

  /** Attacker's total minus the defender's, in half points. */
  @inline static margin(): i32 {
    return Scenario.word(Head.ahead) + Play.of(ATTACKER).lead - Play.of(DEFENDER).lead;
  }

  @inline static winner(margin: i32): i32 {
    if (margin === 0) return Battle.initiative() ? ATTACKER : DEFENDER;
    return margin > 0 ? ATTACKER : DEFENDER;
  }

  /** What of the enemy's damage is left to a side's units. */
  @inline static absorb(side: i32): i32 {
    return Losses.absorb(side, Play.of(DEFENDER - side).damage, Battle.levels(side));
  }

  /** Leaves the metrics; returns the winner. */
  static report(): i32 {
    const margin = Battle.margin();
    const winner = Battle.winner(margin);
    const attacker = Play.of(ATTACKER);
    const defender = Play.of(DEFENDER);
    const loser = DEFENDER - winner;
    const nowhere = Side.nowhere(loser);
    const captured = winner === ATTACKER && attacker.alive > 0;
    Tally.set(Metrics.margin, margin);
    Tally.set(Metrics.damageAttacker, attacker.damage);
    Tally.set(Metrics.damageDefender, defender.damage);
    Tally.set(Metrics.absorbedAttacker, attacker.absorbed);
    Tally.set(Metrics.absorbedDefender, defender.absorbed);
    Tally.set(Metrics.lostAttacker, Side.units(ATTACKER) - attacker.alive);
    Tally.set(Metrics.lostDefender, Side.units(DEFENDER) - defender.alive);
    Tally.set(Metrics.eliminated, nowhere ? Play.of(loser).alive : 0);
    Tally.set(Metrics.hpAttacker, nowhere && loser === ATTACKER ? 0 : attacker.hp);
    Tally.set(Metrics.hpDefender, nowhere && loser === DEFENDER ? 0 : defender.hp);
    Tally.set(Metrics.captured, i32(captured));
    Tally.set(Metrics.fortification, captured ? 0 : Battle.levels(DEFENDER) - defender.levels);
    Tally.set(Metrics.portFleetsLost, captured ? Scenario.word(Head.portFleets) : 0);
    return winner;
  }

  static play(): i32 {
    Side.choose(ATTACKER);
    Side.roll(ATTACKER);
    Side.choose(DEFENDER);
    Side.roll(DEFENDER);
    Losses.wound(DEFENDER, hp, Battle.absorb(DEFENDER));
    Losses.wound(ATTACKER, hp, Battle.absorb(ATTACKER));
    return Battle.report();
  }
}
