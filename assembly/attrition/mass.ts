/** Everyone against everyone. */
import { Chance } from '../core/chance';
import { Counts } from '../core/counts';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Mass as Head, MassMetrics, MassPlaces, Unit } from '../generated/attrition';

/** Maximum number of combatants of a mass battle. */
const COMBATANTS_MAX: i32 = 32;

/** By combatant: hit points; the living at the start of the round, and the defense of each in it. */
let hp: usize = memory.data(COMBATANTS_MAX * 4);
let standing: usize = memory.data(COMBATANTS_MAX * 4);
let defences: usize = memory.data(COMBATANTS_MAX * 4);

/** Divisor of damage in the round, and a number that is added before. */
let by: i32 = 0;
let half: i32 = 0;

export class Mass {
  /** Stores hit points at `at` from now on, and the data of a round behind them. */
  static bind(at: usize): void {
    const column = (<usize>Mass.count()) << 2;
    hp = at;
    standing = at + column;
    defences = standing + column;
  }

  @inline static unit(index: i32): Unit {
    return changetype<Unit>(Scenario.table(Head.units) + <usize>(index * offsetof<Unit>()));
  }

  @inline static at(column: usize, index: i32): usize {
    return column + ((<usize>index) << 2);
  }

  @inline static get(column: usize, index: i32): i32 {
    return load<i32>(Mass.at(column, index));
  }

  /** Hit points of a combatant. */
  @inline static left(index: i32): i32 {
    return Mass.get(hp, index);
  }

  @inline static count(): i32 {
    return Scenario.word(Head.combatants);
  }

  /** Sets the living to the members of a set of bits. */
  static summon(set: u32): void {
    for (let c = 0; c < Mass.count(); c++) store<i32>(Mass.at(hp, c), (set >> c) & 1);
    Mass.muster();
  }

  /** Notes who is alive, and with that how damage is divided in this round. */
  @inline static muster(): void {
    let alive = 0;
    for (let c = 0; c < Mass.count(); c++) {
      const lives = i32(Mass.get(hp, c) > 0);
      store<i32>(Mass.at(standing, c), lives);
      alive += lives;
    }
    by = alive - Scenario.word(Head.lessOne);
    half = Scenario.word(Head.nearest) ? by >> 1 : 0;
  }

  /** True if one attacks the other in this round. */
  @inline static attacks(from: i32, to: i32): bool {
    if (!Mass.get(standing, from) || !Mass.get(standing, to)) return false;
    return Mass.unit(from).armed !== 0 && Mass.unit(from).party !== Mass.unit(to).party;
  }

  /** Address of the additional damage of hits of a combatant on the first, the second, ... */
  @inline static prey(from: i32): usize {
    return Scenario.table(Head.prey) + <usize>(from * Mass.count() * 4);
  }

  /** Damage of an attack that exceeds the defense by so much, prey added. */
  @inline static damage(excess: i32, prey: usize): i32 {
    const share = (max(0, excess) + half) / by;
    return share < 1 ? 0 : share + load<i32>(prey);
  }

  /** Returns true if none of the living can hurt another party with any dice. */
  @inline static stuck(): bool {
    for (let from = 0; from < Mass.count(); from++) {
      const shooter = Mass.unit(from);
      if (!Mass.get(standing, from) || !shooter.armed) continue;
      for (let to = 0; to < Mass.count(); to++) {
        const target = Mass.unit(to);
        if (!Mass.get(standing, to) || target.party === shooter.party) continue;
        if (Scenario.word(Head.reach) + shooter.attack - target.defense + half >= by) return false;
      }
    }
    return true;
  }

  static roll(place: u32): i32 {
    return Scenario.word(Head.least) + Chance.quantile(Scenario.table(Head.dice), Stream.word(place));
  }

  static attack(from: i32, place: u32): void {
    const shooter = Mass.unit(from);
    const attack = Mass.roll(place) + shooter.attack;
    const prey = Mass.prey(from);
    for (let to = 0; to < Mass.count(); to++) {
      if (!Mass.get(standing, to) || Mass.unit(to).party === shooter.party) continue;
      const damage = Mass.damage(attack - Mass.get(defences, to), prey + ((<usize>to) << 2));
      if (damage > 0) store<i32>(Mass.at(hp, to), max(0, Mass.get(hp, to) - damage));
    }
  }

  static round(round: u32): void {
    const place = MassPlaces.at(round, 0, Mass.count());
    for (let c = 0; c < Mass.count(); c++) {
      if (Mass.get(standing, c))
        store<i32>(
          Mass.at(defences, c),
          Mass.roll(place + c * MassPlaces.combatant + MassPlaces.defence) + Mass.unit(c).defense,
        );
    }
    for (let c = 0; c < Mass.count(); c++) {
      if (Mass.get(standing, c) && Mass.unit(c).armed)
        Mass.attack(c, place + c * MassPlaces.combatant + MassPlaces.attack);
    }
  }

  /** Survivors of a party. */
  static survivors(party: i32): i32 {
    let alive = 0;
    for (let c = 0; c < Mass.count(); c++) alive += i32(Mass.get(hp, c) > 0 && Mass.unit(c).party === party);
    return alive;
  }

  /** The only party alive, the number of parties if none is, or -1 if several are. */
  @inline static last(): i32 {
    const parties = Scenario.word(Head.parties);
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
    Counts.set(MassMetrics.rounds, rounds);
    for (let c = 0; c < count; c++) Counts.set(MassMetrics.hp + c, Mass.get(hp, c));
    for (let party = 0; party < Scenario.word(Head.parties); party++)
      Counts.set(MassMetrics.survivors(count) + party, Mass.survivors(party));
  }

  static begin(): void {
    for (let c = 0; c < Mass.count(); c++) store<i32>(Mass.at(hp, c), Mass.unit(c).hp);
  }

  /** Returns the outcome for any hit points of the living, or -1 if the battle continues. */
  static standoff(): i32 {
    const last = Mass.last();
    return last < 0 && Mass.stuck() ? Scenario.word(Head.parties) + 1 : last;
  }

  /** Returns the outcome after a number of rounds, or -1 if the battle continues; records the living. */
  static verdict(rounds: i32): i32 {
    const last = rounds > 0 ? Mass.last() : -1;
    if (last >= 0) return last;
    Mass.muster();
    return rounds >= Scenario.word(Head.maxRounds) || Mass.stuck() ? Scenario.word(Head.parties) + 1 : -1;
  }

  /** Simulates one round after `verdict`; the data of the round is invalid afterwards. */
  static resume(round: i32): void {
    Mass.muster();
    Mass.round(round);
    memory.fill(defences, 0, (<usize>Mass.count()) << 2);
  }

  static play(): i32 {
    Mass.begin();
    let round = 0;
    let outcome = Mass.verdict(0);
    while (outcome < 0) {
      Mass.round(++round);
      outcome = Mass.verdict(round);
    }
    Mass.report(round);
    return outcome;
  }
}
