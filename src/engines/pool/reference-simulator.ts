/** Simulator of the reference engine. */

import {
  type BattleEnd,
  type BoundScenario,
  getBoundScenario,
  playSeededBattle,
  receiveScenario,
} from '../../rules/index.ts';
import { addBattle, type Counts, createEmptyCounts } from '../../stats/index.ts';
import type { BattleRows } from '../kernel/instance.ts';
import type { ReferenceSetup, ScenarioSimulator } from './run.ts';

export class ReferenceSimulator implements ScenarioSimulator {
  readonly #open: BoundScenario;
  readonly #seed: bigint;
  #counts: Counts;

  private constructor(open: BoundScenario, seed: bigint) {
    this.#open = open;
    this.#seed = seed;
    this.#counts = createEmptyCounts(open.shape);
  }

  /** @throws InputError if the code of the system cannot be loaded */
  static async open(setup: ReferenceSetup): Promise<ReferenceSimulator> {
    return new ReferenceSimulator(getBoundScenario(await receiveScenario(setup)), setup.seed);
  }

  play(from: number, count: number): void {
    for (let battle = from; battle < from + count; battle++) this.#simulate(battle);
  }

  simulateRows(from: number, count: number): BattleRows {
    const rows: number[] = [];
    for (let battle = from; battle < from + count; battle++) {
      const { outcome, metrics } = this.#simulate(battle);
      rows.push(outcome, ...metrics);
    }
    return rows;
  }

  take(): Counts {
    const counts = this.#counts;
    this.#counts = createEmptyCounts(this.#open.shape);
    return counts;
  }

  #simulate(battle: number): BattleEnd {
    const end = playSeededBattle(this.#open, this.#seed, battle);
    addBattle(this.#counts, end.outcome, end.metrics);
    return end;
  }

  close(): void {
    // Nothing to release.
  }
}
