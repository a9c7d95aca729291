/** The thresholds of a node, cut by the top bits of the word. */

const WORD = 2 ** 32;

/** Slots of a record, as powers of 2, and the share of words for which another look at the same word is accepted. */
const BITS = { least: 1, most: 7 };
const SECOND_LOOKS = 1 / 64;

/** Words first..first + 2^bits - 1, and between which of some thresholds they lie. */
export interface Stretch {
  readonly thresholds: readonly number[];
  readonly first: number;
  readonly bits: number;
}

/** How many thresholds are <= word. */
export function wayOf(thresholds: readonly number[], word: number): number {
  let k = 0;
  while (k < thresholds.length && (thresholds[k] ?? 0) <= word) k++;
  return k;
}

/** The thresholds that divide a stretch. */
export function within({ thresholds, first, bits }: Stretch): number {
  return wayOf(thresholds, first + 2 ** bits - 1) - wayOf(thresholds, first);
}

/** A stretch in 2^by equal ones. */
export function cut({ thresholds, first, bits }: Stretch, by: number): Stretch[] {
  return Array.from({ length: 2 ** by }, (_, k) => ({
    thresholds,
    first: first + k * 2 ** (bits - by),
    bits: bits - by,
  }));
}

/** Into how many slots a stretch is best cut, as a power of 2. */
export function slotBits(stretch: Stretch): number {
  const most = Math.min(BITS.most, stretch.bits);
  for (let by = BITS.least; by < most; by++) {
    const crowded = cut(stretch, by).filter((part) => within(part) > 1).length;
    if (crowded * 2 ** (stretch.bits - by) <= SECOND_LOOKS * WORD) return by;
  }
  return most;
}
