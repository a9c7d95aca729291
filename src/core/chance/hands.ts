/**
 * Handfuls of equal dice, read as their sorted faces. The hands of a handful are its multisets, each with its faces in
 * descending order, and follow each other lexicographically: a greater word never gives a lesser hand.
 */
import { Bounded, isEqual } from './bounded.ts';
import { type Distribution, probabilities, thresholds } from './laws.ts';
import { refuse, VALUES_MAX } from './taken.ts';

/** Hands of a handful: 20d6 has 53130. */
const HANDS_MAX = 2 ** 16;

/** Dice of a handful. The weights of many coins are large although their hands are few. */
const DICE_MAX = 100;

/** Faces in all the hands that are remembered, copies included, at some 8 bytes each. */
const HANDS_ROOM = 2 ** 23;

/** The faces of some dice, in descending order. */
export type Hand = readonly number[];

/** All hands of a handful. */
export class HandsLaw {
  readonly list: readonly Hand[];
  /** For each hand the sequences of faces that show it. */
  readonly weights: readonly bigint[];
  #copies: number[][] | undefined;
  #table: Uint32Array | undefined;
  #distribution: Distribution<Hand> | undefined;

  constructor(count: number, sides: number) {
    const list: Hand[] = [];
    const weights: bigint[] = [];
    const add = (hand: Hand, run: number, ways: bigint): void => {
      if (hand.length === count) {
        list.push(Object.freeze(hand));
        weights.push(ways);
        return;
      }
      const last = hand.at(-1) ?? sides;
      for (let face = 1; face <= last; face++) {
        const same = hand.length > 0 && face === last ? run + 1 : 1;
        // The multinomial coefficient, factor by factor: n! over the factorial of each run.
        add([...hand, face], same, (ways * BigInt(hand.length + 1)) / BigInt(same));
      }
    };
    add([], 0, 1n);
    this.list = list;
    this.weights = weights;
  }

  /** The hands, not frozen: V8 takes frozen ones apart five times as slowly. Whoever lends them looks at `areWhole` after. */
  get copies(): readonly Hand[] {
    this.#copies ??= this.list.map((hand) => [...hand]);
    return this.#copies;
  }

  /** Whether nobody has changed a copy; else they are made anew when they are next needed. */
  areWhole(): boolean {
    const whole = this.copies.every((copy, k) => isEqual(copy, this.list[k] as Hand));
    if (!whole) this.#copies = undefined;
    return whole;
  }

  /** The index of a word's hand is the number of thresholds <= word. */
  get table(): Uint32Array {
    this.#table ??= thresholds({ offset: 0, weights: this.weights });
    return this.#table;
  }

  get distribution(): Distribution<Hand> {
    this.#distribution ??= {
      values: this.list,
      probabilities: probabilities({ offset: 0, weights: this.weights }),
    };
    return this.#distribution;
  }
}

/** Whether there are more multisets than HANDS_MAX: (count + sides - 1 choose count) of them. */
function tooMany(count: number, sides: number): boolean {
  let hands = 1;
  for (let k = 1; k <= Math.min(count, sides - 1); k++) {
    hands = (hands * (count + sides - k)) / k;
    if (hands > HANDS_MAX) return true;
  }
  return false;
}

const known = new Bounded<HandsLaw>(HANDS_ROOM);

/**
 * The hands of `count` dice with faces 1..sides.
 * @param place what is told of bad dice
 * @throws RangeError if there are more than 65536
 */
export function handsOf(place: string, count: number, sides: number): HandsLaw {
  const name = `${String(count)}d${String(sides)}`;
  let hands = known.get(name);
  if (hands === undefined) {
    if (!Number.isInteger(count) || count < 0 || count > DICE_MAX) refuse(place, `dice 0..${String(DICE_MAX)}`, count);
    if (!Number.isInteger(sides) || sides < 1 || sides > VALUES_MAX)
      refuse(place, `sides 1..${String(VALUES_MAX)}`, sides);
    if (tooMany(count, sides))
      refuse(place, `dice with at most ${String(HANDS_MAX)} different hands, such as 20d6 or 9d10`, name);
    hands = new HandsLaw(count, sides);
    known.set(name, hands, 2 * hands.list.length * (count + 8));
  }
  return hands;
}
