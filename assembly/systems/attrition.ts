/** Attrition; twin of src/systems/attrition/, whose encode.ts lays the scenario out. */
import { Chance } from '../core/chance';
import { clear as clearTally, configure as configureTally, Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Tally } from '../core/tally';
import { Terms } from '../core/terms';
import { Volley } from '../core/volley';

export { reserve, scenarioAddress, tallyAddress, valuesAddress } from '../core/kernel';

const MASS: i32 = 2;

/** Outcomes of two sides, in the order of the models. */
const ATTACKER: i32 = 0;
const DEFENDER: i32 = 1;
const MUTUAL: i32 = 2;
const UNDECIDED: i32 = 3;

/** As many combatants as a mass battle can have. */
const COMBATANTS_MAX: i32 = 32;

/** Words of a combatant in the scenario. */
const UNIT_WORDS: i32 = 5;

const hp: usize = memory.data(COMBATANTS_MAX * 4);
const standing: usize = memory.data(COMBATANTS_MAX * 4);
const defences: usize = memory.data(COMBATANTS_MAX * 4);

@unmanaged
class Unit {
  hp: i32;
  party: i32;
  armed: i32;
  attack: i32;
  defense: i32;
}

class Duel {
  /** Damage of one blow: what gets through, and what prey adds to it if anything does. */
  @inline static damage(difference: i32, bonus: i32, prey: i32): i32 {
    const through = difference + bonus;
    return through > 0 ? through + prey : 0;
  }

  static report(rounds: i32, attacker: i32, defender: i32): i32 {
    Tally.set(0, rounds);
    Tally.set(1, max(0, attacker));
    Tally.set(2, max(0, defender));
    if (attacker > 0 && defender > 0) return UNDECIDED;
    return attacker > 0 ? ATTACKER : defender > 0 ? DEFENDER : MUTUAL;
  }

  /** A battle of blows at the same time; one round of them in an indirect exchange. */
  static play(): i32 {
    const terms = Terms.of();
    const table = Scenario.at(terms.differences);
    let attacker = terms.attackerHp;
    let defender = terms.defenderHp;
    let round = 0;
    while (attacker > 0 && defender > 0 && round < terms.rounds) {
      round++;
      const word = Stream.word(round);
      const toDefender = Chance.difference(table, word & 0xffff, round, 0);
      const toAttacker = Chance.difference(table, word >> 16, round, 1);
      defender -= Duel.damage(toDefender, terms.forth, terms.forthPrey);
      attacker -= Duel.damage(toAttacker, terms.back, terms.backPrey);
    }
    return Duel.report(round, attacker, defender);
  }
}

class Mass {
  @inline static unit(index: i32): Unit {
    return changetype<Unit>(Scenario.table(8) + <usize>(index * UNIT_WORDS * 4));
  }

  @inline static at(column: usize, index: i32): usize {
    return column + ((<usize>index) << 2);
  }

  @inline static get(column: usize, index: i32): i32 {
    return load<i32>(Mass.at(column, index));
  }

  @inline static count(): i32 {
    return Scenario.word(1);
  }

  /** Notes who is alive; returns by what damage is divided in this round. */
  static muster(): i32 {
    let alive = 0;
    for (let c = 0; c < Mass.count(); c++) {
      const lives = i32(Mass.get(hp, c) > 0);
      store<i32>(Mass.at(standing, c), lives);
      alive += lives;
    }
    return alive - Scenario.word(3);
  }

  /** True if nobody alive can hurt anybody of another party, however the dice fall. */
  static stuck(by: i32): bool {
    for (let from = 0; from < Mass.count(); from++) {
      const shooter = Mass.unit(from);
      if (!Mass.get(standing, from) || !shooter.armed) continue;
      for (let to = 0; to < Mass.count(); to++) {
        const target = Mass.unit(to);
        if (!Mass.get(standing, to) || target.party === shooter.party) continue;
        if (Scenario.word(5) + shooter.attack - target.defense >= by) return false;
      }
    }
    return true;
  }

  static roll(place: u32): i32 {
    return Scenario.word(6) + Chance.quantile(Scenario.table(7), Stream.word(place));
  }

  static attack(from: i32, by: i32, place: u32): void {
    const shooter = Mass.unit(from);
    const attack = Mass.roll(place) + shooter.attack;
    const prey = Scenario.table(9) + <usize>(from * Mass.count() * 4);
    for (let to = 0; to < Mass.count(); to++) {
      if (!Mass.get(standing, to) || Mass.unit(to).party === shooter.party) continue;
      const damage = max(0, attack - Mass.get(defences, to)) / by;
      if (damage < 1) continue;
      const left = Mass.get(hp, to) - damage - load<i32>(prey + ((<usize>to) << 2));
      store<i32>(Mass.at(hp, to), max(0, left));
    }
  }

  static round(round: u32, by: i32): void {
    const place = round * 2 * <u32>Mass.count();
    for (let c = 0; c < Mass.count(); c++) {
      if (Mass.get(standing, c)) store<i32>(Mass.at(defences, c), Mass.roll(place + 2 * c) + Mass.unit(c).defense);
    }
    for (let c = 0; c < Mass.count(); c++) {
      if (Mass.get(standing, c) && Mass.unit(c).armed) Mass.attack(c, by, place + 2 * c + 1);
    }
  }

  /** Survivors of a party. */
  static survivors(party: i32): i32 {
    let alive = 0;
    for (let c = 0; c < Mass.count(); c++) alive += i32(Mass.get(hp, c) > 0 && Mass.unit(c).party === party);
    return alive;
  }

  /** The only party alive, the number of parties if none is, or -1 if several are. */
  static last(): i32 {
    const parties = Scenario.word(2);
    let last = parties;
    for (let party = 0; party < parties; party++) {
      if (Mass.survivors(party) === 0) continue;
      if (last < parties) return -1;
      last = party;
    }
    return last;
  }

  static report(rounds: i32): void {
    const count = Mass.count();
    Tally.set(0, rounds);
    for (let c = 0; c < count; c++) Tally.set(1 + c, Mass.get(hp, c));
    for (let party = 0; party < Scenario.word(2); party++) Tally.set(1 + count + party, Mass.survivors(party));
  }

  static play(): i32 {
    for (let c = 0; c < Mass.count(); c++) store<i32>(Mass.at(hp, c), Mass.unit(c).hp);
    let round = 0;
    let outcome = -1;
    while (outcome < 0) {
      const by = Mass.muster();
      if (round >= Scenario.word(4) || Mass.stuck(by)) {
        outcome = Scenario.word(2) + 1;
        break;
      }
      round++;
      Mass.round(round, by);
      outcome = Mass.last();
    }
    Mass.report(round);
    return outcome;
  }
}

function battle(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return Scenario.word(0) === MASS ? Mass.play() : Duel.play();
}

/** Plays one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  return battle(runKey, index);
}

/** True if the scenario's battles are played many at once. */
let together: bool = false;

/** Reads what the host has written and empties the counters. */
export function configure(): void {
  configureTally();
  together = Scenario.word(0) !== MASS && Volley.prepare();
}

/** Empties the counters. */
export function clear(): void {
  clearTally();
  if (together) Volley.clear();
}

/** Brings the counters up to date. */
export function settle(): void {
  if (together) Volley.settle();
}

/** Plays and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  if (together) Volley.run(runKey, from, count, UNDECIDED);
  else for (let i: u32 = 0; i < count; i++) Tally.add(battle(runKey, from + i));
}
