/**
 * The attacks of a round on some victims, in the order in which their rolls are looked at. Rolls that do the same to all
 * victims count as one. A victim's law is known once all who can hurt it have rolled.
 */
import { Column } from '../core/column';
import { workspace } from '../core/kernel';
import { Harm, rolls } from './harm';
import { Sets } from './living';
import { Mass } from './mass';

@unmanaged
export class Attack {
  from: i32;
  /** Rolls to tell apart: how many, and by group the greatest roll and the probability. */
  groups: i32;
  greatest: usize;
  probabilities: usize;
  /** Victims whose law is open before this attack, and those of them for whom it is the last. */
  open: u32;
  shut: u32;
  /** In the joint law of the open victims: bytes from one damage to the next, by combatant, and all bytes. */
  strides: usize;
  bytes: usize;
}

const attacks: usize = memory.data(16 * 32, 4);

/** How many attacks there are. */
export let count: i32 = 0;

let greatest: usize = 0;
let probabilities: usize = 0;
let strides: usize = 0;

export class Attacks {
  /** Takes memory; false if there is none. */
  static room(): bool {
    const members = <usize>Mass.count();
    greatest = workspace((members * <usize>rolls) << 2);
    probabilities = workspace((members * <usize>rolls) << 3);
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

  /** Bytes of all joint laws that are in the making at a time. */
  static bytes(): f64 {
    let bytes = 0.0;
    for (let index = 0; index < count; index++) bytes += <f64>Attacks.at(index).bytes;
    return bytes;
  }

  /** The party with most victims. If it attacks last, their law is known before, and least depends on all attacks. */
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
    attack.probabilities = probabilities + ((<usize>(count * rolls)) << 3);
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

  /** True if a roll does to each victim, whatever its defence roll, what the next lesser one does. */
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
