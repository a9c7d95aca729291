/** Which units the hits fell; twin of src/rules/phased-dice/allocation.ts. */
import { Scenario } from '../core/kernel';
import { List } from '../core/list';
import { Force, Head, Side } from '../generated/phased-dice';
import { Army, BY_PHASE, BY_TROOP } from './army';

export class Allocation {
  /** Takes units of a troop away. */
  @inline static fell(side: usize, force: Force, t: i32, units: i32): void {
    const troop = Army.troop(side, t);
    const dice = units * troop.dice;
    const slot = changetype<usize>(force) + BY_TROOP + ((<usize>t) << 2);
    const group = changetype<usize>(force) + BY_PHASE + ((<usize>troop.phase) << 2);
    const pool = changetype<usize>(force) + <usize>troop.pool;
    store<i32>(slot, load<i32>(slot) - units);
    store<i32>(group, load<i32>(group) - units);
    store<i32>(pool, load<i32>(pool) - dice);
    if (troop.phase === 0) return;
    force.units -= units;
    force.dice -= dice;
    force.weight -= units * troop.weight;
  }

  /** Removes units of a list, in its order, as long as any fits; returns the hits that are left. */
  static onto(side: usize, list: usize, hits: i32): i32 {
    const force = Army.force(side);
    let left = hits;
    for (let i = 0, n = List.length(list); i < n; i++) {
      const t = List.at(list, i);
      const living = Army.leftOf(force, BY_TROOP, t);
      const each = Army.troop(side, t).hits;
      if (living === 0 || each > left) continue;
      const fallen = left < 2 * each ? 1 : min(living, left / each);
      Allocation.fell(side, force, t, fallen);
      left -= fallen * each;
      if (left === 0) break;
    }
    return left;
  }

  /** What the units of a class that fit into the pool are worth to the enemy. */
  @inline static worth(side: usize, phase: i32, pool: i32): i32 {
    const force = Army.force(side);
    const group = Army.table(side, Side.groups + <usize>phase);
    let worth = 0;
    for (let i = 0, n = List.length(group); i < n; i++) {
      const t = List.at(group, i);
      const troop = Army.troop(side, t);
      if (troop.hits <= pool) worth += Army.leftOf(force, BY_TROOP, t) * troop.worth;
    }
    return worth;
  }

  /** The phase of the class that the enemy names. */
  @inline static named(side: usize, pool: i32): i32 {
    const force = Army.force(side);
    const weighed = Army.word(side, Side.weighed);
    let named = 0;
    let most = -1;
    for (let i: usize = 0, n = <usize>Scenario.word(Head.phases) - 1; i < n; i++) {
      const phase = Army.word(side, Side.named + i);
      if (Army.leftOf(force, BY_PHASE, phase) === 0) continue;
      if (!weighed) return phase;
      const worth = Allocation.worth(side, phase, pool);
      if (worth <= most) continue;
      most = worth;
      named = phase;
    }
    return named;
  }

  /** Places the hits that a side took in a phase, with its reserve; of a side that took none the reserve alone. */
  static place(side: usize, phase: i32, hits: i32): void {
    const force = Army.force(side);
    // Outside the air phase aircraft are hit by nothing.
    if (phase > 0 && force.units === 0) return;
    let left = force.reserve + hits;
    if (hits > 0) {
      const first = phase === 0 ? 0 : Allocation.named(side, left);
      left = Allocation.onto(side, Army.table(side, Side.groups + <usize>first), left);
    }
    if (left > 0 && (phase > 0 || Army.aircraft(side) === 0)) {
      left = Allocation.onto(side, Army.table(side, Side.ground), left);
    }
    force.reserve = left;
  }
}
