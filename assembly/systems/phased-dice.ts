/** Phased dice; twin of src/systems/phased-dice/, whose encode.ts lays the scenario out. */
import { Chance } from '../core/chance';
import { Scenario } from '../core/kernel';
import { List } from '../core/list';
import { Stream } from '../core/stream';
import { Tally } from '../core/tally';

export { clear, configure, reserve, scenarioAddress, tallyAddress, valuesAddress } from '../core/kernel';

/** Outcomes in the order of the model. */
const ATTACKER: i32 = 0;
const DEFENDER: i32 = 1;
const MUTUAL: i32 = 2;
const STALEMATE: i32 = 3;
const RETREAT: i32 = 4;
const UNDECIDED: i32 = -1;

/** As many troops as a side can have, those of the table and those added; each may roll a pool of its own. */
const TROOPS_MAX: i32 = 128;

/** Words of the head. */
const PHASES: usize = 0;
const MAX_ROUNDS: usize = 1;
const AIR_STALEMATE: usize = 2;
const RETREAT_AFTER: usize = 3;
const RETREAT_RATIO: usize = 4;
const NO_WAY_OUT: usize = 5;
const SIDES: usize = 6;
const SIDE_WORDS: usize = 19;
const TABLES: usize = SIDES + 2 * SIDE_WORDS;

/** Words of a side, counted from its own first. */
const TROOPS: usize = 0;
const MUSTER_BYTES: usize = 1;
const MUSTER: usize = 2;
const TROOP_TABLE: usize = 3;
const POOL_VALUES: usize = 4;
const POOLS: usize = 5;
const GROUPS: usize = 10;
const GROUND: usize = 14;
const WEIGHED: usize = 15;
const NAMED: usize = 16;

/** Steps in which the ratio of a retreat is given. */
const RATIO_STEPS: i64 = 1000000;

/** Words of the stream that a side's roll in one phase can take, as a power of 2. */
const PHASE_BITS: u32 = 10;

/** What a side has left, laid out as encode.ts does: a `Force`, then units by phase, units by troop, dice by pool. */
const forces: usize = memory.data(2 * 4 * (9 + 2 * TROOPS_MAX));
const FORCE_BYTES: usize = 4 * (9 + 2 * TROOPS_MAX);

@unmanaged
class Force {
  reserve: i32;
  /** Units, dice and weight of all troops but aircraft. */
  units: i32;
  dice: i32;
  weight: i32;
  /** Dice of aircraft at the start. */
  airDice: i32;
}

/** Bytes before the units by phase, and before those by troop. */
const BY_PHASE: usize = 20;
const BY_TROOP: usize = 36;

@unmanaged
class Troop {
  dice: i32;
  hits: i32;
  weight: i32;
  worth: i32;
  phase: i32;
  /** Bytes before the dice of its pool. */
  pool: i32;
}

class Army {
  /** Word `at` of a side's part of the head; side 0 is the attacker. */
  @inline static word(side: usize, at: usize): i32 {
    return Scenario.word(SIDES + side * SIDE_WORDS + at);
  }

  @inline static table(side: usize, at: usize): usize {
    return Scenario.table(SIDES + side * SIDE_WORDS + at);
  }

  @inline static force(side: usize): Force {
    return changetype<Force>(forces + side * FORCE_BYTES);
  }

  @inline static troop(side: usize, index: i32): Troop {
    return changetype<Troop>(Army.table(side, TROOP_TABLE) + <usize>index * offsetof<Troop>());
  }

  /** Word `index` of the part of a side's force that begins after `before` bytes. */
  @inline static left(side: usize, before: usize, index: i32): i32 {
    return load<i32>(forces + side * FORCE_BYTES + before + ((<usize>index) << 2));
  }

  @inline static muster(side: usize): void {
    memory.copy(forces + side * FORCE_BYTES, Army.table(side, MUSTER), Army.word(side, MUSTER_BYTES));
  }

  /** Removes all units. */
  @inline static destroy(side: usize): void {
    memory.fill(forces + side * FORCE_BYTES, 0, FORCE_BYTES);
  }

  @inline static aircraft(side: usize): i32 {
    return Army.left(side, BY_PHASE, 0);
  }

  /** Hits that the side rolls in a phase, its words beginning at `place`. */
  @inline static roll(side: usize, phase: i32, place: u32): i32 {
    const values = Army.table(side, POOL_VALUES);
    const dice = BY_TROOP + ((<usize>Army.word(side, TROOPS)) << 2);
    const end = Army.word(side, POOLS + <usize>phase + 1);
    let word = place;
    let hits = 0;
    for (let pool = Army.word(side, POOLS + <usize>phase); pool < end; pool++) {
      const rolled = Army.left(side, dice, pool);
      hits += Chance.hits(TABLES, load<i32>(values + ((<usize>pool) << 2)), rolled, word);
      word += Chance.hitsWords(rolled);
    }
    return hits;
  }
}

class Allocation {
  /** Takes units of a troop away. */
  @inline static fell(side: usize, t: i32, units: i32): void {
    const force = forces + side * FORCE_BYTES;
    const troop = Army.troop(side, t);
    const dice = units * troop.dice;
    const slot = force + BY_TROOP + ((<usize>t) << 2);
    const group = force + BY_PHASE + ((<usize>troop.phase) << 2);
    const pool = force + <usize>troop.pool;
    store<i32>(slot, load<i32>(slot) - units);
    store<i32>(group, load<i32>(group) - units);
    store<i32>(pool, load<i32>(pool) - dice);
    if (troop.phase === 0) return;
    Army.force(side).units -= units;
    Army.force(side).dice -= dice;
    Army.force(side).weight -= units * troop.weight;
  }

  /** Removes units of a list, in its order, as long as any fits; returns the hits that are left. */
  static onto(side: usize, list: usize, hits: i32): i32 {
    let left = hits;
    for (let i = 0, n = List.length(list); i < n; i++) {
      const t = List.at(list, i);
      const living = Army.left(side, BY_TROOP, t);
      const each = Army.troop(side, t).hits;
      if (living === 0 || each > left) continue;
      const fallen = left < 2 * each ? 1 : min(living, left / each);
      Allocation.fell(side, t, fallen);
      left -= fallen * each;
      if (left === 0) break;
    }
    return left;
  }

  /** What the units of a class that fit into the pool are worth to the enemy. */
  static worth(side: usize, phase: i32, pool: i32): i32 {
    const group = Army.table(side, GROUPS + <usize>phase);
    let worth = 0;
    for (let i = 0, n = List.length(group); i < n; i++) {
      const t = List.at(group, i);
      const troop = Army.troop(side, t);
      if (troop.hits <= pool) worth += Army.left(side, BY_TROOP, t) * troop.worth;
    }
    return worth;
  }

  /** The phase of the class that the enemy names. */
  @inline static named(side: usize, pool: i32): i32 {
    const weighed = Army.word(side, WEIGHED);
    let named = 0;
    let most = -1;
    for (let i: usize = 0, n = <usize>Scenario.word(PHASES) - 1; i < n; i++) {
      const phase = Army.word(side, NAMED + i);
      if (Army.left(side, BY_PHASE, phase) === 0) continue;
      if (!weighed) return phase;
      const worth = Allocation.worth(side, phase, pool);
      if (worth <= most) continue;
      most = worth;
      named = phase;
    }
    return named;
  }

  /** Places the hits that a side took in a phase, with its reserve. */
  static place(side: usize, phase: i32, hits: i32): void {
    const force = Army.force(side);
    const pool = force.reserve + hits;
    const first = phase === 0 ? 0 : Allocation.named(side, pool);
    let left = Allocation.onto(side, Army.table(side, GROUPS + <usize>first), pool);
    if (left > 0 && (phase > 0 || Army.aircraft(side) === 0)) {
      left = Allocation.onto(side, Army.table(side, GROUND), left);
    }
    force.reserve = left;
  }
}

class Battle {
  /** True if anyone has dice to roll in the round after `round`. */
  @inline static canRoll(round: i32): bool {
    const attacker = Army.force(0);
    const defender = Army.force(1);
    return (attacker.dice | defender.dice) !== 0 || (round === 0 && (attacker.airDice | defender.airDice) !== 0);
  }

  /** The outcome that losses have brought about. */
  @inline static ending(): i32 {
    const units0 = Army.force(0).units;
    const units1 = Army.force(1).units;
    if (units0 > 0 && units1 > 0) return UNDECIDED;
    const gone0 = units0 + Army.aircraft(0) === 0;
    const gone1 = units1 + Army.aircraft(1) === 0;
    if (gone0) return gone1 ? MUTUAL : DEFENDER;
    if (gone1) return ATTACKER;
    if (units0 + units1 === 0 || Scenario.word(AIR_STALEMATE)) return STALEMATE;
    return units0 === 0 ? DEFENDER : ATTACKER;
  }

  /** Both sides roll, then both place. */
  @inline static phase(round: u32, phase: i32): i32 {
    const place = ((round << 3) | ((<u32>phase) << 1)) << PHASE_BITS;
    const dealt = Army.roll(0, phase, place);
    const taken = Army.roll(1, phase, place + (1 << PHASE_BITS));
    if (dealt > 0) Allocation.place(1, phase, dealt);
    if (taken > 0) Allocation.place(0, phase, taken);
    return Battle.ending();
  }

  static retreats(round: i32): bool {
    const after = Scenario.word(RETREAT_AFTER);
    if (after > 0 && round >= after) return true;
    const ratio = Scenario.word(RETREAT_RATIO);
    return ratio > 0 && <i64>Army.force(0).weight * RATIO_STEPS < <i64>ratio * <i64>Army.force(1).weight;
  }

  @inline static round(round: i32): i32 {
    for (let phase = i32(round > 1), n = Scenario.word(PHASES); phase < n; phase++) {
      const outcome = Battle.phase(round, phase);
      if (outcome !== UNDECIDED) return outcome;
    }
    if (!Battle.retreats(round)) return UNDECIDED;
    if (!Scenario.word(NO_WAY_OUT)) return RETREAT;
    Army.destroy(0);
    return DEFENDER;
  }

  @inline static report(rounds: i32): void {
    Tally.set(0, rounds);
    Tally.set(1, Army.force(0).units + Army.aircraft(0));
    Tally.set(2, Army.force(1).units + Army.aircraft(1));
    let metric = 3;
    for (let side: usize = 0; side < 2; side++) {
      for (let t = 0, n = Army.word(side, TROOPS); t < n; t++) Tally.set(metric++, Army.left(side, BY_TROOP, t));
    }
  }

  static play(): i32 {
    const limit = Scenario.word(MAX_ROUNDS);
    let round = 0;
    let outcome = UNDECIDED;
    Army.muster(0);
    Army.muster(1);
    while (outcome === UNDECIDED) {
      if (round >= limit || !Battle.canRoll(round)) outcome = STALEMATE;
      else outcome = Battle.round(++round);
    }
    Battle.report(round);
    return outcome;
  }
}

/** Plays one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return Battle.play();
}

/** Plays and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  for (let i: u32 = 0; i < count; i++) Tally.add(play(runKey, from + i));
}
