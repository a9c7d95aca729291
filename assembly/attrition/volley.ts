/**
 * Many duels at once: sixteen blows, of two sides in eight duels, in a vector of byte lanes.
 *
 * All duels of a batch are in the same round. They are simulated for some rounds, eight at a time; then the living are
 * compacted, so that vectors stay full, and finished duels are counted; no branch depends on the dice except for rare
 * escapes. Every duel has its own stream, and results are those of a duel that is simulated separately.
 *
 * Bytes of a duel alternate like the half words of its stream: the blow of the attacker, then the blow of the defender.
 */
import { Chance } from '../core/chance';
import { Counts } from '../core/counts';
import { Scenario, workspace } from '../core/kernel';
import { Lanes } from '../core/lanes';
import { Stream } from '../core/stream';
import { Metrics } from '../generated/attrition';
import { ATTACKER, DEFENDER, MUTUAL, Terms, UNDECIDED } from './duel';

// Moves the lanes that a mask names to the front of a vector, in their order; the lanes behind them are undefined.

/** For each mask of four lanes of 32 bits, and of eight lanes of 16 bits: which byte goes where. */
const quads: usize = memory.data(16 * 16, 16);
const octets: usize = memory.data(256 * 16, 16);

class Pack {
  /** Writes the tables; for `configure`. */
  static prepare(): void {
    Pack.fill(quads, 4);
    Pack.fill(octets, 8);
  }

  static fill(table: usize, lanes: i32): void {
    const bytes = 16 / lanes;
    for (let mask = 0; mask < 1 << lanes; mask++) {
      let to = table + ((<usize>mask) << 4);
      for (let lane = 0; lane < lanes; lane++) {
        if (!((mask >> lane) & 1)) continue;
        for (let byte = 0; byte < bytes; byte++) store<u8>(to++, lane * bytes + byte);
      }
    }
  }

  /** Shuffle that packs four lanes of 32 bits by the lowest four bits of `mask`. */
  @inline static quad(mask: i32): v128 {
    return v128.load(quads + ((<usize>(mask & 15)) << 4));
  }

  /** Shuffle that packs eight lanes of 16 bits; `mask` has eight bits. */
  @inline static octet(mask: i32): v128 {
    return v128.load(octets + ((<usize>mask) << 4));
  }
}

// Batches of duels.

/** Duels of a batch: their state fits into the first-level cache. */
const BATCH: usize = 1024;

/** Rounds between two closings of the ranks: 4 is 6 % faster than 2 and 18 % faster than 1 over eight rounds a duel. */
const STRIDE: i32 = 4;

/** Maximum rounds of duels that are counted by an increment each; the few longer ones cost more. */
const ROUNDS_MAX: i32 = 128;

/** The greatest hit points and the greatest gap of two rolls that byte lanes hold. */
const HP_MAX: i32 = 255;
const REACH_MAX: i32 = 127;

/** Table entry that redirects the draw to the residual distribution: the sign bit. */
const ESCAPE: u8 = 0x80;

/** Tables by slot, in bytes: cuts, distances below the cut, and their difference to the ones above it. */
const SLOTS: usize = 32;
const cuts: usize = memory.data(32, 16);
const distances: usize = memory.data(32, 16);
const changes: usize = memory.data(32, 16);

/** Sixteen distances while their escapes are mended. */
const mended: usize = memory.data(16, 16);

/** Added to the differences, and to blows with damage. */
let bonuses: v128 = i8x16.splat(0);
let preys: v128 = i8x16.splat(0);
let hunted: bool = false;

let terms: Terms = changetype<Terms>(0);
let table: usize = 0;

/** The batch: halves of the keys and pairs of hit points by duel, and the ends of duels that are over. */
let lows: usize = 0;
let highs: usize = 0;
let pairs: usize = 0;
let over: usize = 0;

/** Counters of ends: a row for each number of rounds, of `width` differences of hit points from -defenderHp on. */
let ends: usize = 0;
let width: i32 = 0;
/** Rows that may hold something. */
let used: i32 = 0;

class Blows {
  /** Looks up `slots` in a table; `uppers` are the same minus 16. */
  @inline static look(at: usize, slots: v128, uppers: v128): v128 {
    return v128.or(i8x16.swizzle(v128.load(at), slots), i8x16.swizzle(v128.load(at, 16), uppers));
  }

  /** Draws anew where a distance escaped; the keys of the eight duels are at `low` and `high`. */
  static mend(distance: v128, escaped: i32, low: usize, high: usize, round: i32): v128 {
    v128.store(mended, distance);
    for (let left = escaped; left; left &= left - 1) {
      const lane = ctz(left);
      const duel = (<usize>(lane >> 1)) << 2;
      Stream.resume(load<u32>(low + duel), load<u32>(high + duel));
      store<u8>(mended + <usize>lane, <u8>Chance.residual(table, round, lane & 1));
    }
    return v128.load(mended);
  }

  /** Computes the damage of sixteen blows, from the words of the first and the last four duels. */
  @inline static damage(first: v128, last: v128, low: usize, high: usize, round: i32): v128 {
    const byte = i16x8.splat(255);
    const bits = i8x16.narrow_i16x8_u(v128.and(first, byte), v128.and(last, byte));
    const atoms = i8x16.narrow_i16x8_u(i16x8.shr_u(first, 8), i16x8.shr_u(last, 8));
    const slots = v128.and(bits, i8x16.splat(31));
    const uppers = i8x16.sub(slots, i8x16.splat(16));
    const above = i8x16.ge_u(atoms, Blows.look(cuts, slots, uppers));
    const change = v128.and(Blows.look(changes, slots, uppers), above);
    let distance = v128.xor(Blows.look(distances, slots, uppers), change);
    const escaped = i8x16.bitmask(distance);
    if (escaped) distance = Blows.mend(distance, escaped, low, high, round);
    const sign = i8x16.lt_s(bits, i8x16.splat(0));
    const through = i8x16.sub_sat_s(v128.xor(distance, sign), i8x16.sub(sign, bonuses));
    const damage = i8x16.max_s(through, i8x16.splat(0));
    if (!hunted) return damage;
    return i8x16.add_sat_u(damage, v128.and(preys, i8x16.gt_s(through, i8x16.splat(0))));
  }
}

/** Results as an index of counters: hit points of the attacker minus those of the defender, from -defenderHp on. */
class Ends {
  /**
   * Computes the results of eight duels that survived a number of rounds, relative to the row before the first of them.
   */
  @inline static of(pair: v128, lived: v128): v128 {
    const lead = i16x8.sub(i16x8.shr_u(pair, 8), v128.and(pair, i16x8.splat(255)));
    const row = i16x8.mul(lived, i16x8.splat(<i16>width));
    return i16x8.add(i16x8.add(lead, row), i16x8.splat(<i16>terms.defenderHp));
  }

  static report(rounds: i32, end: i32, times: u32): void {
    const lead = end - terms.defenderHp;
    Counts.set(Metrics.rounds, rounds);
    Counts.set(Metrics.hpAttacker, max(0, lead));
    Counts.set(Metrics.hpDefender, max(0, -lead));
    Counts.add(lead > 0 ? ATTACKER : lead < 0 ? DEFENDER : MUTUAL, times);
  }

  /** Counts results from `over` up to `stop` of duels that had survived a number of rounds before. */
  static count(stop: usize, rounds: i32): void {
    if (rounds + STRIDE > ROUNDS_MAX) {
      for (let at = over; at < stop; at += 2) {
        const end = <i32>load<u16>(at);
        Ends.report(rounds + end / width, end % width, 1);
      }
      return;
    }
    used = max(used, rounds + STRIDE + 1);
    const row = ends + ((<usize>(rounds * width)) << 2);
    for (let at = over; at < stop; at += 2) Counts.bump(row + ((<usize>load<u16>(at)) << 2));
  }
}

class Ranks {
  /** Opens a batch. */
  static muster(runKey: u64, from: u64, count: usize): void {
    for (let duel: usize = 0; duel < count; duel++) {
      const key = Stream.key(runKey, from + duel);
      store<u32>(lows + (duel << 2), <u32>key);
      store<u32>(highs + (duel << 2), <u32>(key >> 32));
    }
    const pair = i16x8.splat(<i16>((terms.attackerHp << 8) | terms.defenderHp));
    for (let duel: usize = 0; duel < count; duel += 8) v128.store(pairs + (duel << 1), pair);
  }

  /** Moves those of four duels that `mask` names to `to`. */
  @inline static move(to: usize, mask: i32, low: v128, high: v128): void {
    const packed = Pack.quad(mask);
    v128.store(lows + (to << 2), i8x16.swizzle(low, packed));
    v128.store(highs + (to << 2), i8x16.swizzle(high, packed));
  }

  /**
   * Simulates the first `count` duels of the batch from `round` up to before `stop`; returns the number of unfinished
   * ones.
   */
  static play(count: usize, round: i32, stop: i32): usize {
    let kept: usize = 0;
    let gone = over;
    for (let duel: usize = 0; duel < count; duel += 8) {
      const low = lows + (duel << 2);
      const high = highs + (duel << 2);
      const firstLow = v128.load(low);
      const lastLow = v128.load(low, 16);
      const firstHigh = v128.load(high);
      const lastHigh = v128.load(high, 16);
      let pair = v128.load(pairs + (duel << 1));
      let alive = i16x8.splat(-1);
      let lived = i16x8.splat(0);
      for (let place = round; place < stop; place++) {
        const counter = i32x4.splat(place);
        const first = Lanes.words(i32x4.add(firstLow, counter), firstHigh);
        const last = Lanes.words(i32x4.add(lastLow, counter), lastHigh);
        const damage = Blows.damage(first, last, low, high, place);
        lived = i16x8.sub(lived, alive);
        pair = i8x16.sub_sat_u(pair, v128.and(damage, alive));
        alive = i16x8.eq(i8x16.eq(pair, i8x16.splat(0)), i16x8.splat(0));
      }
      // There are no duels behind the last one.
      const tail = <i32>(count - duel);
      const there = tail >= 8 ? 255 : (1 << tail) - 1;
      const living = i16x8.bitmask(alive) & there;
      const fallen = living ^ there;
      v128.store(gone, i8x16.swizzle(Ends.of(pair, lived), Pack.octet(fallen)));
      gone += (<usize>popcnt(fallen)) << 1;
      v128.store(pairs + (kept << 1), i8x16.swizzle(pair, Pack.octet(living)));
      Ranks.move(kept, living, firstLow, firstHigh);
      kept += <usize>popcnt(living & 15);
      Ranks.move(kept, living >> 4, lastLow, lastHigh);
      kept += <usize>popcnt(living >> 4);
    }
    Ends.count(gone, round - 1);
    return kept;
  }

  /** Counts the duels that are unfinished after the last round. */
  static disband(count: usize, rounds: i32): void {
    Counts.set(Metrics.rounds, rounds);
    for (let duel: usize = 0; duel < count; duel++) {
      Counts.set(Metrics.hpAttacker, <i32>load<u8>(pairs + (duel << 1), 1));
      Counts.set(Metrics.hpDefender, <i32>load<u8>(pairs + (duel << 1)));
      Counts.add(UNDECIDED);
    }
  }
}

export class Volley {
  /** Makes ready for the duels of the scenario; false if they do not fit into byte lanes. */
  static prepare(): bool {
    terms = Terms.of();
    table = Scenario.at(terms.differences);
    const reach = Volley.tabulate();
    // Blows that never do damage do as little from -127.
    const forth = max(-REACH_MAX, terms.forth);
    const back = max(-REACH_MAX, terms.back);
    if (reach > REACH_MAX || !Volley.fits(terms.attackerHp, reach, back)) return false;
    if (!Volley.fits(terms.defenderHp, reach, forth)) return false;
    bonuses = i16x8.splat(<i16>((back << 8) | (forth & 255)));
    preys = i16x8.splat(<i16>((min(HP_MAX, terms.backPrey) << 8) | min(HP_MAX, terms.forthPrey)));
    hunted = (terms.forthPrey | terms.backPrey) !== 0;
    Pack.prepare();
    return Volley.room();
  }

  /** Returns true if no blow with this bonus on these hit points exceeds the range of a byte. */
  static fits(hp: i32, reach: i32, bonus: i32): bool {
    return hp <= HP_MAX && bonus <= REACH_MAX && (reach + bonus <= REACH_MAX || hp <= REACH_MAX);
  }

  /** Turns the table of differences into bytes; returns the greatest distance. */
  static tabulate(): i32 {
    let reach = Chance.residualReach(table);
    for (let slot: usize = 0; slot < SLOTS; slot++) {
      const below = Chance.primary(table, slot);
      const above = Chance.alias(table, slot);
      const distance = below < 0 ? ESCAPE : <u8>below;
      store<u8>(cuts + slot, Chance.cut(table, slot));
      store<u8>(distances + slot, distance);
      store<u8>(changes + slot, distance ^ (above < 0 ? ESCAPE : <u8>above));
      reach = max(reach, max(below, above));
    }
    return reach;
  }

  /** Allocates memory; columns have space for a vector behind their end. */
  static room(): bool {
    width = terms.attackerHp + terms.defenderHp + 1;
    used = ROUNDS_MAX + 1;
    const at = workspace(BATCH * 12 + 64 + ((<usize>(used * width)) << 2));
    if (at === 0) return false;
    lows = at;
    highs = lows + BATCH * 4 + 16;
    pairs = highs + BATCH * 4 + 16;
    over = pairs + BATCH * 2 + 16;
    ends = over + BATCH * 2 + 16;
    Volley.clear();
    return true;
  }

  /** Simulates and counts duels from..from + count - 1. */
  static run(runKey: u64, from: u64, count: u32): void {
    let first = from;
    for (let left = <usize>count; left > 0; ) {
      const batch = min(BATCH, left);
      Ranks.muster(runKey, first, batch);
      let round = 0;
      let living = batch;
      while (living > 0 && round < terms.rounds) {
        const next = min(round + STRIDE, terms.rounds);
        living = Ranks.play(living, round + 1, next + 1);
        round = next;
      }
      Ranks.disband(living, round);
      first += batch;
      left -= batch;
    }
  }

  /** Transfers the counters to the counts. */
  static settle(): void {
    for (let rounds = 0; rounds < used; rounds++) {
      for (let end = 0; end < width; end++) {
        const times = load<u32>(ends + ((<usize>(rounds * width + end)) << 2));
        if (times > 0) Ends.report(rounds, end, times);
      }
    }
    Volley.clear();
  }

  static clear(): void {
    memory.fill(ends, 0, (<usize>(used * width)) << 2);
    used = 0;
  }
}
