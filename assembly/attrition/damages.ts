/**
 * The joint law of the damages of a round. Given all attack rolls, the damages of the victims are independent, for each
 * victim has a defence roll of its own: so attackers roll one after the other, and once all who can hurt a victim have
 * rolled, it gets a law of its own, which multiplies the law of what depends on later attacks.
 */
import { Column } from '../core/column';
import { workspace } from '../core/kernel';
import { Attack, Attacks, count } from './attacks';
import { Harm, rolls } from './harm';
import { Joint } from './joint';
import { Sets } from './living';
import { Mass } from './mass';

/** The law of nobody's damages. */
const nobody: usize = memory.data(8, 8);

/** Damage that a victim has taken before an attack, by attack, victim and defence roll. */
let sums: usize = 0;

/** By combatant: its law once it is known, as damages in falling order and their probabilities. */
let lengths: usize = 0;
let values: usize = 0;
let shares: usize = 0;

/** Where joint laws in the making begin. */
let drafts: usize = 0;

/** The greatest damage of each victim. */
let reaches: usize = 0;

/** Multiplications that may still be made. */
let left: f64 = 0.0;

export class Damages {
  /** Takes memory, so many bytes of it for joint laws in the making; false if there is none. */
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
   * Makes the table of the joint law of the attacks that were planned last.
   * @param moves how many multiplications may be made; returns how many of them are left, below 0 if they do not suffice
   */
  static write(table: usize, victims: u32, most: usize, moves: f64): f64 {
    reaches = most;
    left = moves;
    memory.fill(sums, 0, (<usize>(Mass.count() * rolls)) << 2);
    Damages.follow(0, drafts);
    if (left >= 0.0) Joint.write(table, victims, reaches, drafts);
    return left - Joint.bytes(victims, reaches) / 8.0;
  }

  /** Writes the law of the victims who are open before an attack to `joint`. Each attack sums for itself: few roundings. */
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

  /** Damage by victim and defence roll of the attacks before one. */
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

  /** Notes the law of a victim; damage falls as the defence roll rises. */
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

  /** Adds the laws of those whom an attack shuts and of the others who are open, times `weight`, to the law of all. */
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
