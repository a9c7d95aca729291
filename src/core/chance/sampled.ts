/** The door over a battle's stream: what the reference model plays with. */
import type { Dice, DicePool, Door, Facts, Law, Lot } from './door.ts';
import {
  differenceTable,
  ESCAPE,
  facesTable,
  hitsTable,
  POOL_CHUNK,
  quantile,
  SLOTS,
  sumTable,
  weightThresholds,
} from './laws.ts';
import { ENDLESS, type Places, places } from './places.ts';
import { handsOf, markedAmong, takenOf } from './taken.ts';

/** Words of draws that escape from a half word: above every place that `seek` can name. */
export const ESCAPES: Places = places({ place: ENDLESS, half: 2 }, 1, {}, 0x8000_0000);

/** Words at places: a battle's stream. */
export interface Words {
  /** Makes `place` that of the next word. */
  seek(place: number): void;
  /** The next word, an unsigned 32-bit integer. */
  word(): number;
}

export class Sampled implements Door {
  readonly #stream: Words;
  #place = 0;
  #half: 0 | 1 = 0;

  constructor(stream: Words) {
    this.#stream = stream;
  }

  seek(word: number, half: 0 | 1 = 0): void {
    this.#place = word;
    this.#half = half;
  }

  sum(dice: Dice): number {
    return dice.count + quantile(sumTable(dice), this.#word());
  }

  excess(dice: Dice, bonus: number): number {
    return Math.max(0, this.difference(dice) + bonus);
  }

  hits(pools: readonly DicePool[]): number {
    return pools.reduce((total, pool) => total + this.#poolHits(pool), 0);
  }

  faces(lots: readonly Lot[]): number {
    return lots.reduce((total, lot) => {
      const { least, table } = facesTable(lot);
      return total + least + quantile(table, this.#word());
    }, 0);
  }

  draw(bag: readonly number[], count: number): number[] {
    let size = bag.reduce((sum, cubes) => sum + cubes, 0);
    let left = Math.min(count, size);
    return bag.map((cubes, colour) => {
      const last = colour === bag.length - 1;
      const drawn = last ? left : markedAmong(size, cubes, left, this.#word());
      size -= cubes;
      left -= drawn;
      return drawn;
    });
  }

  pick(weights: readonly number[]): number {
    return quantile(weightThresholds(weights), this.#word());
  }

  take(law: Law): number {
    const taken = takenOf(law);
    return taken.law.offset + quantile(taken.table, this.#word());
  }

  roll(count: number, sides: number): readonly number[] {
    const { list, table } = handsOf('roll', count, sides);
    return list[quantile(table, this.#word())] ?? [];
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(_id: string, _facts?: () => Facts): void {
    // Nobody listens to a battle that is only counted.
  }

  /** X - Y for two rolls of `dice`, from the next half word. */
  protected difference(dice: Dice): number {
    const table = differenceTable(dice);
    const place = this.#place;
    const half = this.#half;
    const bits = (this.#wordAt(place) >>> (16 * half)) & 0xffff;
    this.#place = place + half;
    this.#half = half === 0 ? 1 : 0;
    const slot = bits % SLOTS;
    let distance = (bits >>> 8 < (table.cut[slot] ?? 0) ? table.primary : table.alias)[slot] ?? 0;
    if (distance === ESCAPE) distance = quantile(table.residual, this.#wordAt(ESCAPES.at(place, half)));
    return bits & 0x80 ? -distance : distance;
  }

  #poolHits({ dice, value }: DicePool): number {
    let hits = 0;
    for (let left = dice; left > 0; left -= POOL_CHUNK) {
      const rolled = Math.min(left, POOL_CHUNK);
      const word = this.#word();
      hits += value >= 6 ? rolled : quantile(hitsTable(rolled, value), word);
    }
    return hits;
  }

  #word(): number {
    if (this.#half === 1) this.#place++;
    this.#half = 0;
    return this.#wordAt(this.#place++);
  }

  #wordAt(place: number): number {
    this.#stream.seek(place);
    return this.#stream.word();
  }
}

// The sampled door with an ear for the rules: it plays the same battle and counts which of them applied.

export class Counting extends Sampled {
  /** How often each rule applied, by id. */
  readonly fired = new Map<string, number>();

  override rule(id: string): void {
    this.fired.set(id, (this.fired.get(id) ?? 0) + 1);
  }
}
