/** Damages of the attacks of a round to a set of the living: one by one, and their joint distribution. */
import { Column } from '../core/column';
import { Scenario, workspace } from '../core/kernel';
import { Mass as Head } from '../generated/attrition';
import { Joint, Sets } from './living';
import { Mass } from './mass';

// Attacks and defenses among one set of the living.

/** Number of sums of the dice, and the address of their probabilities. */
let rolls: i32 = 0;
let probabilities: usize = 0;

/** Damage by attacker, victim and difference of their rolls, the least difference first. */
let harms: usize = 0;

export class Harm {
  /** Reads the dice and allocates memory; false if there is none. */
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

// The attacks of a round on some victims, in the order of their rolls. Rolls with the same effect on all victims count
// as one. The distribution of a victim is known once all its attackers have rolled.

@unmanaged
export class Attack {
  from: i32;
  /** Distinct rolls: their number, and by group the greatest roll and the probability. */
  groups: i32;
  greatest: usize;
  probabilities: usize;
  /** Victims whose distribution is open before this attack, and those of them for whom it is the last. */
  open: u32;
  shut: u32;
  /** In the joint distribution of the open victims: bytes from one damage to the next, by combatant, and all bytes. */
  strides: usize;
  bytes: usize;
}

const attacks: usize = memory.data(16 * 32, 4);

/** Number of attacks. */
let count: i32 = 0;

let greatest: usize = 0;
let grouped: usize = 0;
let strides: usize = 0;

export class Attacks {
  /** Allocates memory; false if there is none. */
  static room(): bool {
    const members = <usize>Mass.count();
    greatest = workspace((members * <usize>rolls) << 2);
    grouped = workspace((members * <usize>rolls) << 3);
    strides = workspace((members * members) << 2);
    return strides !== 0;
  }

  @inline static at(index: i32): Attack {
    return changetype<Attack>(attacks + <usize>index * offsetof<Attack>());
  }

  /** Plans the attacks on some victims among those alive; returns how many combinations of rolls there are. */
  static plan(victims: u32, reaches: usize): f64 {
    const last = Attacks.largest(victims);
    count = 0;
    for (let c = 0; c < Mass.count(); c++) if (Mass.unit(c).party !== last) Attacks.add(c, victims);
    for (let c = 0; c < Mass.count(); c++) if (Mass.unit(c).party === last) Attacks.add(c, victims);
    let combinations = 1.0;
    let open = victims;
    for (let index = 0; index < count; index++) {
      const attack = Attacks.at(index);
      attack.open = open;
      attack.shut = Attacks.settled(index, open);
      open &= ~attack.shut;
      Attacks.lay(attack, reaches);
      combinations *= <f64>attack.groups;
    }
    return combinations;
  }

  /** Bytes of all unfinished joint distributions at a time. */
  static bytes(): f64 {
    let bytes = 0.0;
    for (let index = 0; index < count; index++) bytes += <f64>Attacks.at(index).bytes;
    return bytes;
  }

  /**
   * The party with most victims. If it attacks last, their distribution is known before, and least depends on all
   * attacks.
   */
  static largest(victims: u32): i32 {
    let largest = 0;
    let most = 0;
    for (let c = 0; c < Mass.count(); c++) {
      const size = <i32>popcnt(Sets.party(victims, Mass.unit(c).party));
      if (size <= most) continue;
      most = size;
      largest = Mass.unit(c).party;
    }
    return largest;
  }

  /** Adds the attack of a combatant if it can hurt a victim. */
  static add(from: i32, victims: u32): void {
    let hurts = false;
    for (let rest = victims; rest !== 0; rest &= rest - 1) hurts = hurts || Harm.most(from, <i32>ctz(rest)) > 0;
    if (!hurts) return;
    const attack = Attacks.at(count);
    attack.from = from;
    attack.greatest = greatest + ((<usize>(count * rolls)) << 2);
    attack.probabilities = grouped + ((<usize>(count * rolls)) << 3);
    attack.strides = strides + ((<usize>(count * Mass.count())) << 2);
    count++;
    Attacks.group(attack, victims);
  }

  static group(attack: Attack, victims: u32): void {
    let groups = 0;
    let probability: f64 = 0.0;
    for (let roll = 0; roll < rolls; roll++) {
      probability += Harm.probability(roll);
      if (roll + 1 < rolls && Attacks.alike(attack.from, roll + 1, victims)) continue;
      Column.set(attack.greatest, groups, roll);
      store<f64>(attack.probabilities + ((<usize>groups) << 3), probability);
      groups++;
      probability = 0.0;
    }
    attack.groups = groups;
  }

  /** Returns true if a roll has the same effect on each victim as the next lesser one, for any defense roll. */
  static alike(from: i32, roll: i32, victims: u32): bool {
    for (let rest = victims; rest !== 0; rest &= rest - 1) {
      const harm = Harm.of(from, <i32>ctz(rest));
      // Damages rise with the difference: the least and the greatest are equal only if all are.
      if (Column.get(harm, roll) !== Column.get(harm, roll - rolls)) return false;
    }
    return true;
  }

  /** Open victims whom no later attack can hurt. */
  static settled(index: i32, open: u32): u32 {
    let shut = open;
    for (let later = index + 1; later < count; later++) {
      for (let rest = shut; rest !== 0; rest &= rest - 1) {
        const victim = <i32>ctz(rest);
        if (Harm.most(Attacks.at(later).from, victim) > 0) shut &= ~(1 << victim);
      }
    }
    return shut;
  }

  static lay(attack: Attack, reaches: usize): void {
    let stride = 8;
    for (let c = Sets.last(attack.open); c >= 0; c--) {
      if (!Sets.has(attack.open, c)) continue;
      Column.set(attack.strides, c, stride);
      stride *= Column.get(reaches, c) + 1;
    }
    attack.bytes = <usize>stride;
  }
}

// Joint distribution of the damages of a round. Given all attack rolls, the damages of the victims are independent,
// because each victim has its own defense roll: so attackers roll in sequence, and once all attackers of a victim have
// rolled, it gets a separate distribution, which multiplies the distribution of victims of later attacks.

/** Distribution of no damages. */
const nobody: usize = memory.data(8, 8);

/** Damage to a victim before an attack, by attack, victim and defense roll. */
let sums: usize = 0;

/** By combatant: its known distribution, as descending damages and their probabilities. */
let lengths: usize = 0;
let values: usize = 0;
let shares: usize = 0;

/** Addresses of unfinished joint distributions. */
let drafts: usize = 0;

/** The greatest damage of each victim. */
let reaches: usize = 0;

/** Multiplications that may still be made. */
let left: f64 = 0.0;

export class Damages {
  /** Allocates memory, including these bytes for unfinished joint distributions; false if there is none. */
  static room(bytes: usize): bool {
    const members = <usize>Mass.count();
    const column = (<usize>rolls) << 2;
    sums = workspace((members + 1) * members * column);
    lengths = workspace(members << 2);
    values = workspace(members * column);
    shares = workspace((members * column) << 1);
    drafts = workspace(bytes);
    store<f64>(nobody, 1.0);
    return drafts !== 0;
  }

  /**
   * Writes the table of the joint distribution of the attacks that were planned last.
   * @param moves maximum number of multiplications; returns how many of them are left, below 0 if they do not suffice
   */
  static write(table: usize, victims: u32, most: usize, moves: f64): f64 {
    reaches = most;
    left = moves;
    memory.fill(sums, 0, (<usize>(Mass.count() * rolls)) << 2);
    Damages.follow(0, drafts);
    if (left >= 0.0) Joint.write(table, victims, reaches, drafts);
    return left - Joint.bytes(victims, reaches) / 8.0;
  }

  /**
   * Writes the distribution of the open victims before an attack to `joint`. Each attack sums separately, which causes
   * few roundings.
   */
  static follow(index: i32, joint: usize): void {
    const attack = Attacks.at(index);
    const isLast = index + 1 === count;
    const next = isLast ? attack : Attacks.at(index + 1);
    const inner = isLast ? nobody : joint + attack.bytes;
    memory.fill(joint, 0, attack.bytes);
    for (let group = 0; group < attack.groups && left >= 0.0; group++) {
      Damages.roll(attack, index, Column.get(attack.greatest, group));
      if (!isLast) Damages.follow(index + 1, inner);
      const probability = load<f64>(attack.probabilities + ((<usize>group) << 3));
      Damages.multiply(attack, next, attack.open, joint, inner, probability);
    }
  }

  /** Damage by victim and defense roll of the attacks before one. */
  @inline static before(index: i32, victim: i32): usize {
    return sums + ((<usize>((index * Mass.count() + victim) * rolls)) << 2);
  }

  /** Adds the damages of an attack roll. */
  static roll(attack: Attack, index: i32, roll: i32): void {
    for (let rest = attack.open; rest !== 0; rest &= rest - 1) {
      const victim = <i32>ctz(rest);
      const reach = Column.get(reaches, victim);
      const before = Damages.before(index, victim);
      const after = Damages.before(index + 1, victim);
      const harm = Harm.of(attack.from, victim);
      for (let defence = 0; defence < rolls; defence++) {
        Column.set(after, defence, min(reach, Column.get(before, defence) + Column.get(harm, roll - defence)));
      }
      left -= <f64>rolls;
      if (Sets.has(attack.shut, victim)) Damages.know(victim, after);
    }
  }

  /** Records the distribution of a victim; damage falls as the defense roll rises. */
  static know(victim: i32, damages: usize): void {
    const value = values + ((<usize>(victim * rolls)) << 2);
    const share = shares + ((<usize>(victim * rolls)) << 3);
    let length = 0;
    let probability: f64 = 0.0;
    for (let defence = 0; defence < rolls; defence++) {
      probability += Harm.probability(defence);
      const damage = Column.get(damages, defence);
      if (defence + 1 < rolls && Column.get(damages, defence + 1) === damage) continue;
      Column.set(value, length, damage);
      store<f64>(share + ((<usize>length) << 3), probability);
      length++;
      probability = 0.0;
    }
    Column.set(lengths, victim, length);
  }

  /**
   * Adds the distributions of victims that an attack closes and of the other open ones, times `weight`, to the total
   * distribution.
   */
  static multiply(attack: Attack, next: Attack, open: u32, to: usize, from: usize, weight: f64): void {
    const victim = <i32>ctz(open);
    const stride = <usize>Column.get(attack.strides, victim);
    const others = open & (open - 1);
    if (Sets.has(attack.shut, victim)) {
      const end = values + ((<usize>(victim * rolls + Column.get(lengths, victim))) << 2);
      let share = shares + ((<usize>(victim * rolls)) << 3);
      for (let value = values + ((<usize>(victim * rolls)) << 2); value < end; value += 4) {
        const into = to + <usize>load<i32>(value) * stride;
        Damages.raise(attack, next, others, into, from, weight * load<f64>(share));
        share += 8;
      }
      left -= 1.0;
    } else {
      const step = <usize>Column.get(next.strides, victim);
      for (let damage = 0, reach = Column.get(reaches, victim); damage <= reach; damage++) {
        Damages.raise(attack, next, others, to + <usize>damage * stride, from + <usize>damage * step, weight);
      }
    }
  }

  @inline static raise(attack: Attack, next: Attack, others: u32, to: usize, from: usize, weight: f64): void {
    if (others !== 0) Damages.multiply(attack, next, others, to, from, weight);
    else store<f64>(to, load<f64>(to) + weight * load<f64>(from));
  }
}
