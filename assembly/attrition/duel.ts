/**
 * Blows at the same time: direct combat and the indirect exchange, as encode.ts of src/rules/attrition lays them out.
 */
import { Chance } from '../core/chance';
import { Counts } from '../core/counts';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Fight, Metrics, Places, Terms as Words } from '../generated/attrition';

// A duel as the scenario's head fixes it: src/rules/attrition/encode.ts.

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

const own: usize = memory.data(offsetof<Fight>(), 4);

export class Duel {
  /** Damage of one blow: the excess, plus the bonus on prey if it is above 0. */
  @inline static damage(difference: i32, bonus: i32, prey: i32): i32 {
    const through = difference + bonus;
    return through > 0 ? through + prey : 0;
  }

  @inline static begin(fight: Fight): void {
    const terms = Terms.of();
    fight.rounds = 0;
    fight.attacker = terms.attackerHp;
    fight.defender = terms.defenderHp;
  }

  @inline static goesOn(fight: Fight): bool {
    const limit = Terms.of().rounds;
    return fight.attacker > 0 && fight.defender > 0 && limit > fight.rounds;
  }

  /** Simulates one round. */
  @inline static strike(fight: Fight): void {
    const terms = Terms.of();
    const table = Scenario.at(terms.differences);
    const round = ++fight.rounds;
    const word = Stream.word(Places.at(round));
    const toDefender = Chance.difference(table, word & 0xffff, round, 0);
    const toAttacker = Chance.difference(table, word >> 16, round, 1);
    fight.defender -= Duel.damage(toDefender, terms.forth, terms.forthPrey);
    fight.attacker -= Duel.damage(toAttacker, terms.back, terms.backPrey);
  }

  @inline static outcome(fight: Fight): i32 {
    if (fight.attacker > 0 && fight.defender > 0) return UNDECIDED;
    return fight.attacker > 0 ? ATTACKER : fight.defender > 0 ? DEFENDER : MUTUAL;
  }

  static report(fight: Fight): void {
    Counts.set(Metrics.rounds, fight.rounds);
    Counts.set(Metrics.hpAttacker, max(0, fight.attacker));
    Counts.set(Metrics.hpDefender, max(0, fight.defender));
  }

  /** A battle of blows at the same time; one round of them in an indirect exchange. */
  static play(): i32 {
    const fight = changetype<Fight>(own);
    Duel.begin(fight);
    while (Duel.goesOn(fight)) Duel.strike(fight);
    Duel.report(fight);
    return Duel.outcome(fight);
  }
}
