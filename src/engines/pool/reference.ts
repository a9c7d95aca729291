/** The reference model as a player. */
import { countBattle, emptyTally, type Tally } from '../../answers/index.ts';
import { type Opened, opened, playSeeded, received } from '../../rules/index.ts';
import type { Listed } from '../kernel/instance.ts';
import type { ReferenceSetup, SoloPlayer } from './run.ts';

export class ReferencePlayer implements SoloPlayer {
  readonly #open: Opened;
  readonly #seed: bigint;
  #tally: Tally;

  private constructor(open: Opened, seed: bigint) {
    this.#open = open;
    this.#seed = seed;
    this.#tally = emptyTally(open.shape);
  }

  /** @throws InputError if the code of the system cannot be loaded */
  static async open(setup: ReferenceSetup): Promise<ReferencePlayer> {
    return new ReferencePlayer(opened(await received(setup)), setup.seed);
  }

  play(from: number, count: number): void {
    for (let battle = from; battle < from + count; battle++) this.list(battle, 1);
  }

  list(from: number, count: number): Listed {
    const rows: number[] = [];
    for (let battle = from; battle < from + count; battle++) {
      const { outcome, metrics } = playSeeded(this.#open, this.#seed, battle);
      countBattle(this.#tally, outcome, metrics);
      rows.push(outcome, ...metrics);
    }
    return rows;
  }

  take(): Tally {
    const tally = this.#tally;
    this.#tally = emptyTally(this.#open.shape);
    return tally;
  }

  close(): void {
    // It holds nothing that others could use.
  }
}
