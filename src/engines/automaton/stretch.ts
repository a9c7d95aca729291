/** The thresholds of a node, cut by the top bits of the word. */

const WORD = 2 ** 32;

/** Slots of a record, as powers of 2, and the share of words for which another look at the same word is accepted. */
const BITS = { least: 1, most: 7 };
const SECOND_LOOKS = 1 / 64;

/** Words first..first + 2^bits - 1, and which of some thresholds, ascending, divide them: from..to - 1. */
export interface Stretch {
  readonly thresholds: readonly number[];
  readonly first: number;
  readonly bits: number;
  readonly from: number;
  readonly to: number;
}

/** All words. */
export function allWords(thresholds: readonly number[]): Stretch {
  return { thresholds, first: 0, bits: 32, from: 0, to: thresholds.length };
}

/** How many of the stretches of `size` words hold more than one threshold within them. */
function crowded({ thresholds, first, from, to }: Stretch, size: number): number {
  let count = 0;
  let slot = -1;
  let held = 0;
  for (let k = from; k < to; k++) {
    const at = (thresholds[k] ?? 0) - first;
    // A threshold at the first word of a stretch divides none.
    if (at % size === 0) continue;
    const next = Math.floor(at / size);
    held = next === slot ? held + 1 : 1;
    slot = next;
    if (held === 2) count++;
  }
  return count;
}

/** Into how many slots a stretch is best cut, as a power of 2. */
export function slotBits(stretch: Stretch): number {
  const most = Math.min(BITS.most, stretch.bits);
  for (let by = BITS.least; by < most; by++) {
    const size = 2 ** (stretch.bits - by);
    if (crowded(stretch, size) * size <= SECOND_LOOKS * WORD) return by;
  }
  return most;
}

/** A stretch in 2^by equal ones. */
export function cut({ thresholds, first, bits, from, to }: Stretch, by: number): Stretch[] {
  const size = 2 ** (bits - by);
  let k = from;
  return Array.from({ length: 2 ** by }, (_, slot) => {
    const start = first + slot * size;
    while (k < to && (thresholds[k] ?? 0) <= start) k++;
    const least = k;
    while (k < to && (thresholds[k] ?? 0) < start + size) k++;
    return { thresholds, first: start, bits: bits - by, from: least, to: k };
  });
}
