/** How battles over states end and are counted: first by states and ends, at last by metrics. */
import { Scenario } from '../core/kernel';
import { Tally } from '../core/tally';
import { Head, Metrics, Outcomes, Side } from '../generated/phased-dice';
import { Army, BY_TROOP } from './army';
import { Battle, UNDECIDED } from './battle';
import { AIR_ONLY, CLASS, CLASSES, COUNTERS, ENDS, GONE, LOST, States, UNARMED, UNHURT } from './states';

/** A retreat that destroys the attacker: the last of the ends. */
export const DESTROYED: i32 = ENDS - 1;

/** The round is to be played again. */
export const AGAIN: i32 = ENDS;

/**
 * How battles end, by the classes of both sides: at the end of any round, when the attacker leaves, after the last
 * round, and at once, within a round, where there may be no end yet.
 */
const ends: usize = memory.data(4 * 64);
export const USUAL: usize = 0;
export const LEAVING: usize = 64;
export const LAST: usize = 128;
export const AT_ONCE: usize = 192;
const NO_END: usize = 255;

/** By end, the counter of battles that last no rounds. */
const rounds: usize = memory.data(4 * ENDS);

export class Ends {
  /** Prepares for the scenario. */
  static prepare(): void {
    const leaving = Scenario.word(Head.noWayOut) ? DESTROYED : Outcomes.retreat;
    const alone = Scenario.word(Head.goesHome) ? leaving : Battle.airborne();
    for (let c0 = 0; c0 <= LOST; c0++) {
      for (let c1 = 0; c1 <= LOST; c1++) {
        const at = ends + <usize>(c0 * CLASSES + c1);
        const lost = Battle.ending(i32(c0 < AIR_ONLY), i32(c0 < GONE), i32(c1 < AIR_ONLY), i32(c1 < GONE));
        const isLost = c0 === LOST || c1 === LOST;
        const isFixed = isLost || lost !== UNDECIDED || c0 === AIR_ONLY;
        const fixed = isLost ? AGAIN : lost === UNDECIDED ? alone : lost;
        store<u8>(at + USUAL, <u8>(isFixed ? fixed : c1 === UNARMED ? Outcomes.stalemate : leaving));
        store<u8>(at + LEAVING, <u8>(isFixed ? fixed : leaving));
        store<u8>(at + LAST, <u8>(isFixed ? fixed : Outcomes.stalemate));
        store<u8>(at + AT_ONCE, <u8>(lost === UNDECIDED ? NO_END : lost));
      }
    }
    for (let end = 0; end < ENDS; end++) {
      store<u32>(
        rounds + ((<usize>end) << 2),
        <u32>Tally.value(Metrics.rounds, end === DESTROYED ? Outcomes.defender : end, 0),
      );
    }
  }

  /** True if losses, weakness or a lack of dice end the battle. */
  @inline static isDecided(a: usize, d: usize): bool {
    return load<i32>(a) < load<i32>(d);
  }

  /** True if a battle goes on, by the table of the round or, within it, of what ends at once. */
  @inline static goesOn(a: usize, d: usize, table: usize): bool {
    if (table === AT_ONCE) return Ends.entry(a, d, AT_ONCE) === NO_END;
    return table === USUAL && !Ends.isDecided(a, d);
  }

  /** How a battle ends by a table. */
  @inline static of(a: usize, d: usize, table: usize): usize {
    return Ends.entry(a, d, select<usize>(table === LAST ? USUAL : table, table, Ends.isDecided(a, d)));
  }

  @inline static entry(a: usize, d: usize, table: usize): usize {
    return <usize>load<u8>(ends + table + load<u32>(a, CLASS) + load<u32>(d, CLASS));
  }

  /** Counts a battle that lasted so many rounds. */
  @inline static count(a: usize, d: usize, ended: usize, round: i32): void {
    Tally.bump(a + (ended << 2) + COUNTERS);
    Tally.bump(d + (ended << 2) + COUNTERS);
    Tally.bump(<usize>load<u32>(rounds + (ended << 2)) + ((<usize>round) << 2));
  }

  /** Adds what was counted by states to the counters by metrics. */
  static settle(): void {
    for (let side: usize = 0; side < 2; side++) {
      const first = side === 0 ? Metrics.types : Metrics.types + Army.word(0, Side.troops);
      for (let state = UNHURT, n = States.roster(side).states; state < n; state++) {
        const counters = States.record(side, state) + COUNTERS;
        const force = States.force(side, state);
        for (let end = 0; end < ENDS; end++) {
          const battles = load<u32>(counters + ((<usize>end) << 2));
          if (battles === 0) continue;
          store<u32>(counters + ((<usize>end) << 2), 0);
          Ends.add(side, first, force, end, battles);
        }
      }
    }
  }

  static add(side: usize, first: i32, force: usize, end: i32, battles: u32): void {
    const outcome = end === DESTROYED ? Outcomes.defender : end;
    const none = end === DESTROYED && side === 0;
    if (side === 0) Tally.bump(Tally.outcome(outcome), battles);
    let units = 0;
    for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) {
      const left = none ? 0 : load<i32>(force + BY_TROOP + ((<usize>t) << 2));
      units += left;
      Tally.bump(Tally.value(first + t, outcome, left), battles);
    }
    Tally.bump(Tally.value(Metrics.left + <i32>side, outcome, units), battles);
  }
}
