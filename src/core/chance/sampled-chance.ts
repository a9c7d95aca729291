/** The chance source over the stream of a battle, which the reference engine uses. */
import type { Chance, Dice, DicePool, DiceSet, Distribution, EventData } from './chance.ts';
import {
  ALIAS_SLOTS,
  computeWeightThresholds,
  ESCAPE,
  findQuantile,
  getDiceSetTable,
  getDifferenceTable,
  getHitsThresholds,
  getSumThresholds,
  POOL_CHUNK,
} from './dice-tables.ts';
import { getCachedDistribution, getSortedDice, sampleMarked } from './distribution-cache.ts';
import { createStreamLayout, type StreamLayout, UNBOUNDED } from './stream-layout.ts';

/** Positions of draws that escape from a half word: above every position that `seek` can set. */
export const ESCAPES: StreamLayout = createStreamLayout({ place: UNBOUNDED, half: 2 }, 1, {}, 0x8000_0000);

/** Words by position: the stream of a battle. */
export interface WordStream {
  /** Sets the position of the next word. */
  seek(place: number): void;
  /** Returns the next word, an unsigned 32-bit integer. */
  word(): number;
}

export class SampledChance implements Chance {
  readonly #stream: WordStream;
  #place = 0;
  #half: 0 | 1 = 0;

  constructor(stream: WordStream) {
    this.#stream = stream;
  }

  seek(word: number, half: 0 | 1 = 0): void {
    this.#place = word;
    this.#half = half;
  }

  sum(dice: Dice): number {
    return dice.count + findQuantile(getSumThresholds(dice), this.#nextWord());
  }

  excess(dice: Dice, bonus: number): number {
    return Math.max(0, this.difference(dice) + bonus);
  }

  hits(pools: readonly DicePool[]): number {
    return pools.reduce((total, pool) => total + this.#samplePoolHits(pool), 0);
  }

  faces(lots: readonly DiceSet[]): number {
    return lots.reduce((total, lot) => {
      const { least, table } = getDiceSetTable(lot);
      return total + least + findQuantile(table, this.#nextWord());
    }, 0);
  }

  draw(bag: readonly number[], count: number): number[] {
    let size = bag.reduce((sum, cubes) => sum + cubes, 0);
    let left = Math.min(count, size);
    return bag.map((cubes, colour) => {
      const last = colour === bag.length - 1;
      const drawn = last ? left : sampleMarked(size, cubes, left, this.#nextWord());
      size -= cubes;
      left -= drawn;
      return drawn;
    });
  }

  pick(weights: readonly number[]): number {
    return findQuantile(computeWeightThresholds(weights), this.#nextWord());
  }

  sample(distribution: Distribution): number {
    return getCachedDistribution(distribution).sample(this.#nextWord());
  }

  roll(count: number, sides: number): readonly number[] {
    const { list, thresholds } = getSortedDice('roll', count, sides);
    return list[findQuantile(thresholds, this.#nextWord())] ?? [];
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(_id: string, _facts?: () => EventData): void {
    // Counted battles record no events.
  }

  /** Draws X - Y for two rolls of `dice`, from the next half word. */
  protected difference(dice: Dice): number {
    const table = getDifferenceTable(dice);
    const place = this.#place;
    const half = this.#half;
    const bits = (this.#getWordAt(place) >>> (16 * half)) & 0xffff;
    this.#place = place + half;
    this.#half = half === 0 ? 1 : 0;
    const slot = bits % ALIAS_SLOTS;
    let distance = (bits >>> 8 < (table.cut[slot] ?? 0) ? table.primary : table.alias)[slot] ?? 0;
    if (distance === ESCAPE) distance = findQuantile(table.residual, this.#getWordAt(ESCAPES.positionOf(place, half)));
    return bits & 0x80 ? -distance : distance;
  }

  #samplePoolHits({ dice, value }: DicePool): number {
    let hits = 0;
    for (let left = dice; left > 0; left -= POOL_CHUNK) {
      const rolled = Math.min(left, POOL_CHUNK);
      const word = this.#nextWord();
      hits += value >= 6 ? rolled : findQuantile(getHitsThresholds(rolled, value), word);
    }
    return hits;
  }

  #nextWord(): number {
    if (this.#half === 1) this.#place++;
    this.#half = 0;
    return this.#getWordAt(this.#place++);
  }

  #getWordAt(place: number): number {
    this.#stream.seek(place);
    return this.#stream.word();
  }
}

// The sampled chance source with a counter of applied rules.

export class RuleCountingChance extends SampledChance {
  /** Number of applications of each rule, by id. */
  readonly applied = new Map<string, number>();

  override rule(id: string): void {
    this.applied.set(id, (this.applied.get(id) ?? 0) + 1);
  }
}
