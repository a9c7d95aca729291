/**
 * Positions in the stream of a battle. A layout.ts declares them once; models use this declaration, and the
 * declarations for kernels, for C programs and for docs/explanation/randomness.md are generated from it.
 *
 * A position is a number whose digits are indices, the last of which changes fastest; each position has a fixed number
 * of words.
 */

/** Number of values of an index: a number, or the name of a size that depends on the scenario. */
type IndexSize = number | string;

/** Size of a first index without a limit: rounds. */
export const UNBOUNDED: number = Number.POSITIVE_INFINITY;

type PartOffsets = Readonly<Record<string, number>>;

/** Stride of an index in words, times a size if there is one. */
export interface Stride {
  readonly name: string;
  readonly room: IndexSize;
  readonly words: number;
  readonly of?: string;
}

/** Computes the strides, from the last index to the first. */
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
  /** Strides of the indices, the slowest first. */
  readonly strides: readonly Stride[];
  /** Words of a position. */
  readonly words: number;
  /** Named offsets from the first position. */
  readonly parts: P;
  /** The first position. */
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

  /** Returns the first word at these indices; omitted ones are 0. */
  positionOf(first: number, second = 0, third = 0): number {
    return this.from + first * this.#first + second * this.#second + third * this.#third;
  }

  /** Returns the layout for a known size. */
  withSize(size: number): StreamLayout<P> {
    const rooms = this.strides.map(({ name, room }) => [name, typeof room === 'number' ? room : size] as const);
    return new StreamLayout(rooms, this.words, this.parts, this.from);
  }

  /** Returns the first word after all positions, if the first index goes up to `last`, or else to its maximum. */
  end(last?: number): number {
    const [{ room, words } = { room: 0, words: 0 }] = this.strides;
    return this.from + (last === undefined ? Number(room) : last + 1) * words;
  }
}

/**
 * @param rooms sizes of the indices, the slowest first; at most three indices, at most one named size
 * @param words number of words of a position
 * @param parts named offsets within a position
 * @param from the first position
 */
export function createStreamLayout<const P extends PartOffsets = PartOffsets>(
  rooms: Readonly<Record<string, IndexSize>>,
  words: number,
  parts: P = {} as P,
  from = 0,
): StreamLayout<P> {
  return new StreamLayout(Object.entries(rooms), words, parts, from);
}
