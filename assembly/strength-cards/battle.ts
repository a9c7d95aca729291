/** A battle from the comparison of strengths to the remaining forces of both sides. */

import { Counts } from '../core/counts';
import { Scenario } from '../core/kernel';
import { Head, Metrics, Points, Progress as Words } from '../generated/strength-cards';
import { ATTACKER, DEFENDER, Losses, Play, Side } from './side';

const UNITS_MAX: i32 = 32;
const hp: usize = memory.data(UNITS_MAX * 4);

export class Battle {
  /** Levels of fortification before the battle; the attacker has none. */
  @inline static levels(side: i32): i32 {
    return side === DEFENDER ? Scenario.word(Head.fortification) : 0;
  }

  /** Returns true if the attacker wins ties. */
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

  /** Returns the damage by the enemy that is left for the units of a side. */
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
    Counts.set(Metrics.margin, margin);
    Counts.set(Metrics.damageAttacker, attacker.damage);
    Counts.set(Metrics.damageDefender, defender.damage);
    Counts.set(Metrics.absorbedAttacker, attacker.absorbed);
    Counts.set(Metrics.absorbedDefender, defender.absorbed);
    Counts.set(Metrics.lostAttacker, Side.units(ATTACKER) - attacker.alive);
    Counts.set(Metrics.lostDefender, Side.units(DEFENDER) - defender.alive);
    Counts.set(Metrics.eliminated, nowhere ? Play.of(loser).alive : 0);
    Counts.set(Metrics.hpAttacker, nowhere && loser === ATTACKER ? 0 : attacker.hp);
    Counts.set(Metrics.hpDefender, nowhere && loser === DEFENDER ? 0 : defender.hp);
    Counts.set(Metrics.captured, i32(captured));
    Counts.set(Metrics.fortification, captured ? 0 : Battle.levels(DEFENDER) - defender.levels);
    Counts.set(Metrics.portFleetsLost, captured ? Scenario.word(Head.portFleets) : 0);
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

// Progress of a battle that is simulated decision by decision.

/** Number of sides that choose a card. */
const SIDES: i32 = 2;

/** Bytes before the plays of both sides; followed by hit points, in the order of the losses policies. */
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

  /** Returns the side of a stage. */
  static side(stage: i32): i32 {
    if (stage < SIDES) return stage;
    if (stage < Progress.rolls()) return i32(stage >= SIDES + Side.tokens(ATTACKER));
    return stage === Progress.rolls() + 1 ? DEFENDER : ATTACKER;
  }

  /** Returns the token of its side that a stage decides. */
  @inline static token(stage: i32): i32 {
    const token = stage - SIDES;
    const first = Side.tokens(ATTACKER);
    return token < first ? token : token - first;
  }
}
