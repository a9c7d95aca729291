/**
 * Places in the stream of a battle. A layout.ts declares them once: models seek by the declaration here, and what is
 * written of it for kernels, for programs in C and for docs/explanation/randomness.md says the same.
 *
 * A place is a number whose digits are indices, the last of which counts fastest; so many words of it belong together.
 */

/** How many values an index has: a number, or by its name a size that the scenario tells. */
type IndexSize = number | string;

/** The room of an index that comes first and may grow on: that of rounds. */
export const UNBOUNDED: number = Number.POSITIVE_INFINITY;

type PartOffsets = Readonly<Record<string, number>>;

/** By how much a place moves on with an index: so many words, for each of a size where there is one. */
export interface Stride {
  readonly name: string;
  readonly room: IndexSize;
  readonly words: number;
  readonly of?: string;
}

/** Declared from the last index to the first. */
function computeStrides(rooms: readonly (readonly [string, IndexSize])[], words: number): Stride[] {
  const strides: Stride[] = [];
  let [below, size]: [number, string | undefined] = [words, undefined];
  for (const [name, room] of rooms.toReversed()) {
    strides.unshift({ name, room, words: below, ...(size !== undefined && { of: size }) });
    if (typeof room === 'number') below *= room;
    else if (size === undefined) size = room;
    else throw new Error(`${name}: a second size that depends on the scenario`);
  }
  return strides;
}

export class StreamLayout<P extends PartOffsets = PartOffsets> {
  /** Of the indices, the slowest first. */
  readonly strides: readonly Stride[];
  /** Words that belong together. */
  readonly words: number;
  /** Those among them that have names: how far each lies from the first. */
  readonly parts: P;
  /** The first of all. */
  readonly from: number;
  readonly #first: number;
  readonly #second: number;
  readonly #third: number;

  constructor(rooms: readonly (readonly [string, IndexSize])[], words: number, parts: P, from: number) {
    if (rooms.length > 3) throw new Error('more than three indices');
    this.strides = computeStrides(rooms, words);
    this.words = words;
    this.parts = parts;
    this.from = from;
    const [first = 0, second = 0, third = 0] = this.strides.map((stride) => stride.words);
    [this.#first, this.#second, this.#third] = [first, second, third];
  }

  /** The first word at these indices, of which the last ones may be missing: they are 0. */
  positionOf(first: number, second = 0, third = 0): number {
    return this.from + first * this.#first + second * this.#second + third * this.#third;
  }

  /** The places where a size is known. */
  withSize(size: number): StreamLayout<P> {
    const rooms = this.strides.map(({ name, room }) => [name, typeof room === 'number' ? room : size] as const);
    return new StreamLayout(rooms, this.words, this.parts, this.from);
  }

  /** The first word that lies behind all these, if the first index goes up to `last`, or else as far as it can. */
  end(last?: number): number {
    const [{ room, words } = { room: 0, words: 0 }] = this.strides;
    return this.from + (last === undefined ? Number(room) : last + 1) * words;
  }
}

/**
 * @param rooms by index, the slowest first, how many values it has; three indices at most, one size at most by its name
 * @param words that belong together
 * @param parts names of some of these, with how far each lies from the first
 * @param from the first of all places
 */
export function createStreamLayout<const P extends PartOffsets = PartOffsets>(
  rooms: Readonly<Record<string, IndexSize>>,
  words: number,
  parts: P = {} as P,
  from = 0,
): StreamLayout<P> {
  return new StreamLayout(Object.entries(rooms), words, parts, from);
}
