/** What attacks do to defences among one set of the living. */
import { Column } from '../core/column';
import { Scenario, workspace } from '../core/kernel';
import { Mass as Head } from '../generated/attrition';
import { Mass } from './mass';

/** How many sums the dice can have, and where their probabilities begin. */
export let rolls: i32 = 0;
let probabilities: usize = 0;

/** Damage by attacker, victim and difference of their rolls, the least difference first. */
let harms: usize = 0;

export class Harm {
  /** Reads the dice and takes memory; false if there is none. */
  static room(): bool {
    const law = Scenario.table(Head.law);
    rolls = load<i32>(law);
    probabilities = law + 4;
    harms = workspace((<usize>(Mass.count() * Mass.count() * (2 * rolls - 1))) << 2);
    return harms !== 0;
  }

  /** The probability of a sum of the dice, the least being 0. */
  @inline static probability(roll: i32): f64 {
    return load<f64>(probabilities + ((<usize>roll) << 3));
  }

  /** The damages of an attacker to a victim, at most its hit points; the address is that of difference 0. */
  @inline static of(from: i32, to: i32): usize {
    return harms + ((<usize>((from * Mass.count() + to) * (2 * rolls - 1) + rolls - 1)) << 2);
  }

  /** The greatest damage of an attacker to a victim. */
  @inline static most(from: i32, to: i32): i32 {
    return Column.get(Harm.of(from, to), rolls - 1);
  }

  /** Tabulates damages among those alive, and writes the greatest of each victim in a round to `reaches`. */
  static among(reaches: usize): void {
    for (let to = 0, count = Mass.count(); to < count; to++) {
      let reach = 0;
      for (let from = 0; from < count; from++) {
        Harm.tabulate(from, to);
        reach += Harm.most(from, to);
      }
      Column.set(reaches, to, min(reach, Mass.unit(to).hp));
    }
  }

  static tabulate(from: i32, to: i32): void {
    const target = Mass.unit(to);
    const ahead = Mass.unit(from).attack - target.defense;
    const attacks = Mass.attacks(from, to);
    const prey = Mass.prey(from) + ((<usize>to) << 2);
    for (let difference = 1 - rolls; difference < rolls; difference++) {
      const damage = attacks ? min(target.hp, Mass.damage(difference + ahead, prey)) : 0;
      Column.set(Harm.of(from, to), difference, damage);
    }
  }
}
