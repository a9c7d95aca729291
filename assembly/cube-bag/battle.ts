/** What every battle begins and ends with, and what leaves no choice. */
import { Bag } from '../core/bag';
import { Scenario } from '../core/kernel';
import { Tally } from '../core/tally';
import { Head, Metrics, Outcomes, Side } from '../generated/cube-bag';
import { Damage } from './damage';
import { Draws } from './draws';
import { Party } from './party';

export class Battle {
  static start(): void {
    Bag.fill(Scenario.word(Head.attackerCubes), Scenario.word(Head.defenderCubes), Scenario.word(Head.neutralCubes));
    Party.muster(0);
    Party.muster(1);
    Damage.muster();
  }

  static recover(side: usize): void {
    const own = Party.force(side);
    for (let i = 0, n = Party.word(side, Side.recoveries); i < n && own.recoveries < own.unitsLost; i++) {
      if (Draws.recovers(side, i)) own.recoveries++;
    }
  }

  @inline static outcome(): i32 {
    if (Party.gone(0)) return Party.gone(1) ? Outcomes.mutual : Outcomes.defender;
    return Party.gone(1) ? Outcomes.attacker : Outcomes.none;
  }

  /** Leaves what a side has lost of each type. Slots of one type lie side by side. */
  @inline static reportLosses(side: usize, metric: i32): void {
    const own = Party.force(side);
    const slots = Party.word(side, Side.slots);
    if (slots === Party.word(side, Side.kinds)) {
      for (let slot = 0; slot < slots; slot++) Tally.set(metric + slot, own.fallen(slot));
      return;
    }
    let lost = 0;
    for (let slot = 0; slot < slots; slot++) {
      const kind = Party.kind(side, slot);
      lost = own.fallen(slot) + (slot > 0 && Party.kind(side, slot - 1) === kind ? lost : 0);
      Tally.set(metric + kind, lost);
    }
  }

  static report(): void {
    const drawn = Bag.drawn();
    Tally.set(Metrics.drawnAttacker, drawn.first);
    Tally.set(Metrics.drawnDefender, drawn.second);
    Tally.set(Metrics.drawnNeutral, drawn.third);
    let types = 0;
    for (let side: usize = 0; side < 2; side++) {
      const own = Party.force(side);
      Tally.set(Metrics.losses + <i32>side, own.lost);
      Battle.reportLosses(side, Metrics.types + types);
      types += Party.word(side, Side.kinds);
    }
    for (let side: usize = 0; side < 2; side++) {
      const own = Party.force(side);
      Tally.set(Metrics.conversions(types) + <i32>side, own.conversions);
      Tally.set(Metrics.recoveries(types) + <i32>side, own.recoveries);
      Tally.set(Metrics.experience(types) + <i32>side, own.experience);
    }
    Tally.set(Metrics.marks(types), Damage.marks());
  }
}
