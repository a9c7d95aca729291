/** Generates random parts of scenarios; the same scenarios at every run. */
import { Stream } from '../../src/core/chance/stream.ts';

export class Dealer {
  readonly #stream: Stream;

  constructor(seed: bigint, index: number) {
    this.#stream = Stream.forBattle(seed, index);
  }

  below(bound: number): number {
    return this.#stream.word() % bound;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.#stream.word() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }

  /** Returns 0 to `most` of the items in random order. */
  some<T>(items: readonly T[], most: number): T[] {
    const shuffled = this.shuffled(items);
    return shuffled.slice(0, this.below(most + 1));
  }

  /** Returns each of the items with a probability, in their order. */
  each<T>(items: readonly T[], percent: number): T[] {
    return items.filter(() => this.chance(percent));
  }
}
