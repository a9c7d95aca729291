/** The reference model as a player. */
import { Sampled } from '../chance/sampled.ts';
import { Stream } from '../chance/stream.ts';
import { countBattle, emptyTally, shapeOf, type Tally } from '../stats/tally.ts';
import { playBattle } from '../systems/battle.ts';
import { received } from '../systems/load.ts';
import { opened } from '../systems/opened.ts';
import type { Model, State } from '../systems/system.ts';
import type { Player, ReferenceSetup } from './player.ts';

export class ReferencePlayer implements Player {
  readonly #model: Model<State>;
  readonly #seed: bigint;
  #tally: Tally;

  private constructor(model: Model<State>, seed: bigint) {
    this.#model = model;
    this.#seed = seed;
    this.#tally = emptyTally(shapeOf(this.#model));
  }

  /** @throws InputError if the code of the system cannot be loaded */
  static async open(setup: ReferenceSetup): Promise<ReferencePlayer> {
    return new ReferencePlayer(opened(await received(setup)).model, setup.seed);
  }

  play(from: number, count: number): void {
    for (let battle = from; battle < from + count; battle++) {
      const { outcome, metrics } = playBattle(this.#model, new Sampled(Stream.of(this.#seed, battle)));
      countBattle(this.#tally, outcome, metrics);
    }
  }

  take(): Tally {
    const tally = this.#tally;
    this.#tally = emptyTally(shapeOf(this.#model));
    return tally;
  }

  close(): void {
    // It holds nothing that others could use.
  }
}
