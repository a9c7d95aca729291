/** Phased dice; twin of src/systems/phased-dice/, whose encode.ts lays the scenario out. */
import { Chance, POOL_CHUNK } from '../core/chance';
import { Scenario } from '../core/kernel';
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

/** As many troops as a side can have: those of the table and those added. */
const TROOPS_MAX: i32 = 128;

/** Words of the head. */
const PHASES: usize = 0;
const MAX_ROUNDS: usize = 1;
const AIR_STALEMATE: usize = 2;
const RETREAT_AFTER: usize = 3;
const RETREAT_RATIO: usize = 4;
const NO_WAY_OUT: usize = 5;
const SIDES: usize = 6;
const SIDE_WORDS: usize = 15;
const TABLES: usize = SIDES + 2 * SIDE_WORDS;

/** Words of a side. */
const TROOPS: usize = 0;
const TROOP_TABLE: usize = 1;
const POOLS: usize = 2;
const GROUPS: usize = 6;
const GROUND: usize = 10;
const NAMED: usize = 11;

/** Steps in which the ratio of a retreat is given. */
const RATIO_STEPS: i64 = 1000000;

/** Words of the stream that a side's roll in one phase can take. */
const PHASE_BITS: u32 = 10;

const counts: usize = memory.data(2 * TROOPS_MAX * 4);
const reserves: usize = memory.data(2 * 4);

@unmanaged
class Troop {
  count: i32;
  dice: i32;
  hits: i32;
  weight: i32;
  worth: i32;
}

/** Lists in the scenario: their length, then their items. */
class List {
  @inline static length(list: usize): i32 {
    return load<i32>(list);
  }

  @inline static at(list: usize, index: i32): i32 {
    return load<i32>(list + ((<usize>index) << 2), 4);
  }
}

class Army {
  @inline static word(side: i32, at: usize): i32 {
    return Scenario.word(SIDES + <usize>side * SIDE_WORDS + at);
  }

  @inline static table(side: i32, at: usize): usize {
    return Scenario.table(SIDES + <usize>side * SIDE_WORDS + at);
  }

  @inline static troop(side: i32, index: i32): Troop {
    return changetype<Troop>(Army.table(side, TROOP_TABLE) + <usize>index * offsetof<Troop>());
  }

  @inline static slot(side: i32, index: i32): usize {
    return counts + ((<usize>(side * TROOPS_MAX + index)) << 2);
  }

  @inline static living(side: i32, index: i32): i32 {
    return load<i32>(Army.slot(side, index));
  }

  static muster(side: i32): void {
    for (let t = 0, n = Army.word(side, TROOPS); t < n; t++) store<i32>(Army.slot(side, t), Army.troop(side, t).count);
    store<i32>(reserves + ((<usize>side) << 2), 0);
  }

  /** Living units of a list of troops. */
  static units(side: i32, list: usize): i32 {
    let units = 0;
    for (let i = 0, n = List.length(list); i < n; i++) units += Army.living(side, List.at(list, i));
    return units;
  }

  /** Living units, aircraft included. */
  static all(side: i32): i32 {
    let units = 0;
    for (let t = 0, n = Army.word(side, TROOPS); t < n; t++) units += Army.living(side, t);
    return units;
  }

  @inline static group(side: i32, phase: i32): usize {
    return Army.table(side, GROUPS + <usize>phase);
  }

  /** True if the side has dice to roll in a phase. */
  static canRoll(side: i32, phase: i32): bool {
    const group = Army.group(side, phase);
    for (let i = 0, n = List.length(group); i < n; i++) {
      const t = List.at(group, i);
      if (Army.living(side, t) > 0 && Army.troop(side, t).dice > 0) return true;
    }
    return false;
  }

  /** Six times the hits to be expected of a side in a round without aircraft. */
  static weight(side: i32): i32 {
    const ground = Army.table(side, GROUND);
    let weight = 0;
    for (let i = 0, n = List.length(ground); i < n; i++) {
      const t = List.at(ground, i);
      weight += Army.living(side, t) * Army.troop(side, t).weight;
    }
    return weight;
  }

  /** Removes all units. */
  static destroy(side: i32): void {
    memory.fill(Army.slot(side, 0), 0, TROOPS_MAX * 4);
  }
}

class Roll {
  /** Hits of a pool whose words begin at `place`. */
  @inline static pool(value: i32, dice: i32, place: u32): i32 {
    if (value >= 6) return dice;
    const tables = TABLES + <usize>((value - 1) * POOL_CHUNK - 1);
    let hits = 0;
    let word = place;
    let left = dice;
    while (left > 0) {
      hits += Chance.quantile(Scenario.table(tables + <usize>min(left, POOL_CHUNK)), Stream.word(word++));
      left -= POOL_CHUNK;
    }
    return hits;
  }

  /** Hits that a side rolls in a phase, its words beginning at `place`. */
  static phase(side: i32, phase: i32, place: u32): i32 {
    let at = Army.table(side, POOLS + <usize>phase);
    const pools = load<i32>(at);
    let word = place;
    let hits = 0;
    at += 4;
    for (let p = 0; p < pools; p++) {
      const value = load<i32>(at);
      const troops = List.length(at + 4);
      let dice = 0;
      for (let i = 0; i < troops; i++) {
        const t = List.at(at + 4, i);
        dice += Army.living(side, t) * Army.troop(side, t).dice;
      }
      at += 8 + ((<usize>troops) << 2);
      hits += Roll.pool(value, dice, word);
      word += (dice + POOL_CHUNK - 1) / POOL_CHUNK;
    }
    return hits;
  }
}

class Allocation {
  /** Removes units of a list, in its order, as long as any fits; returns the hits that are left. */
  @inline static onto(side: i32, list: usize, hits: i32): i32 {
    let left = hits;
    for (let i = 0, n = List.length(list); i < n; i++) {
      const t = List.at(list, i);
      const slot = Army.slot(side, t);
      const living = load<i32>(slot);
      const each = Army.troop(side, t).hits;
      if (living === 0 || each > left) continue;
      const fallen = min(living, left / each);
      store<i32>(slot, living - fallen);
      left -= fallen * each;
    }
    return left;
  }

  /** What naming the class of a phase is worth to the enemy; -1 if none of it is left. */
  static worth(side: i32, phase: i32, pool: i32): i32 {
    const group = Army.group(side, phase);
    let present = false;
    let worth = 0;
    for (let i = 0, n = List.length(group); i < n; i++) {
      const t = List.at(group, i);
      const living = Army.living(side, t);
      if (living === 0) continue;
      present = true;
      const troop = Army.troop(side, t);
      if (troop.hits <= pool) worth += living * troop.worth;
    }
    return present ? worth : -1;
  }

  /** The phase of the class that the enemy names. */
  static named(side: i32, pool: i32): i32 {
    let named = 0;
    let most = -1;
    for (let i = 0, n = Scenario.word(PHASES) - 1; i < n; i++) {
      const phase = Army.word(side, NAMED + <usize>i);
      const worth = Allocation.worth(side, phase, pool);
      if (worth <= most) continue;
      most = worth;
      named = phase;
    }
    return named;
  }

  /** Places the hits that a side took in a phase, with its reserve. */
  static place(side: i32, phase: i32, hits: i32): void {
    const reserve = reserves + ((<usize>side) << 2);
    const pool = load<i32>(reserve) + hits;
    const first = Army.group(side, phase === 0 ? 0 : Allocation.named(side, pool));
    let left = Allocation.onto(side, first, pool);
    if (phase > 0 || Army.units(side, first) === 0) left = Allocation.onto(side, Army.table(side, GROUND), left);
    store<i32>(reserve, left);
  }
}

class Battle {
  static canRoll(first: i32): bool {
    for (let phase = first, n = Scenario.word(PHASES); phase < n; phase++) {
      if (Army.canRoll(0, phase) || Army.canRoll(1, phase)) return true;
    }
    return false;
  }

  /** The outcome that losses have brought about. */
  static ending(): i32 {
    const bare0 = Army.units(0, Army.table(0, GROUND)) === 0;
    const bare1 = Army.units(1, Army.table(1, GROUND)) === 0;
    if (!bare0 && !bare1) return UNDECIDED;
    const gone0 = bare0 && Army.all(0) === 0;
    const gone1 = bare1 && Army.all(1) === 0;
    if (gone0) return gone1 ? MUTUAL : DEFENDER;
    if (gone1) return ATTACKER;
    if ((bare0 && bare1) || Scenario.word(AIR_STALEMATE)) return STALEMATE;
    return bare0 ? DEFENDER : ATTACKER;
  }

  /** Both sides roll, then both place. */
  static phase(round: u32, phase: i32): i32 {
    const place = ((round << 3) | (<u32>phase << 1)) << PHASE_BITS;
    const dealt = Roll.phase(0, phase, place);
    const taken = Roll.phase(1, phase, place + (1 << PHASE_BITS));
    if (dealt > 0) Allocation.place(1, phase, dealt);
    if (taken > 0) Allocation.place(0, phase, taken);
    return phase === 0 || (dealt | taken) !== 0 ? Battle.ending() : UNDECIDED;
  }

  static retreats(round: i32): bool {
    const after = Scenario.word(RETREAT_AFTER);
    if (after > 0 && round >= after) return true;
    const ratio = Scenario.word(RETREAT_RATIO);
    return ratio > 0 && <i64>Army.weight(0) * RATIO_STEPS < <i64>ratio * <i64>Army.weight(1);
  }

  static round(round: i32): i32 {
    for (let phase = i32(round > 1), n = Scenario.word(PHASES); phase < n; phase++) {
      const outcome = Battle.phase(round, phase);
      if (outcome !== UNDECIDED) return outcome;
    }
    if (!Battle.retreats(round)) return UNDECIDED;
    if (!Scenario.word(NO_WAY_OUT)) return RETREAT;
    Army.destroy(0);
    return DEFENDER;
  }

  static report(rounds: i32): void {
    Tally.set(0, rounds);
    Tally.set(1, Army.all(0));
    Tally.set(2, Army.all(1));
    let metric = 3;
    for (let side = 0; side < 2; side++) {
      for (let t = 0, n = Army.word(side, TROOPS); t < n; t++) Tally.set(metric++, Army.living(side, t));
    }
  }

  static play(): i32 {
    Army.muster(0);
    Army.muster(1);
    let round = 0;
    let outcome = UNDECIDED;
    while (outcome === UNDECIDED) {
      if (round >= Scenario.word(MAX_ROUNDS) || !Battle.canRoll(i32(round > 0))) outcome = STALEMATE;
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
