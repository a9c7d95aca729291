/**
 * An alias table over a law in doubles, built from integers: weights of 2^32 in all for each slot, so that the law
 * that is drawn is known to the last unit. Method: A. J. Walker 1977; the way to build it, M. D. Vose 1991.
 */

/** One word chooses a slot by its top `bits` bits; another, below the slot's threshold, means the slot itself. */
export interface AliasTable {
  /** The table has 2^bits slots, 1 <= bits <= 20; those beyond the law's values are never drawn. */
  readonly bits: number;
  readonly thresholds: Uint32Array<ArrayBuffer>;
  readonly aliases: Uint32Array<ArrayBuffer>;
}

/** Words of a slot. */
const SLOT_WEIGHT = 2 ** 32;

/** Integers in proportion to the probabilities, of the given sum; what rounding leaves goes to the likeliest value. */
export function weightsOf(probabilities: readonly number[], total: number): number[] {
  const weights = probabilities.map((probability) => Math.floor(probability * total));
  const held = weights.reduce((sum, weight) => sum + weight, 0);
  // Laws can have more values than a call can have arguments.
  const likeliest = probabilities.indexOf(probabilities.reduce((most, probability) => Math.max(most, probability), 0));
  weights[likeliest] = (weights[likeliest] ?? 0) + total - held;
  return weights;
}

/**
 * The table of a law of at most 2^20 values; each is drawn with its probability within 2^-32 divided by their number,
 * the likeliest one within 2^-32.
 */
export function aliasTable(probabilities: readonly number[]): AliasTable {
  const bits = Math.max(1, Math.ceil(Math.log2(probabilities.length)));
  const slots = 2 ** bits;
  const left = weightsOf(probabilities, slots * SLOT_WEIGHT);
  while (left.length < slots) left.push(0);
  const thresholds = new Uint32Array(slots);
  const aliases = Uint32Array.from({ length: slots }, (_, slot) => slot);
  const short = [...left.keys()].filter((slot) => (left[slot] ?? 0) < SLOT_WEIGHT);
  const long = [...left.keys()].filter((slot) => (left[slot] ?? 0) > SLOT_WEIGHT);
  for (let slot = short.pop(); slot !== undefined; slot = short.pop()) {
    const donor = long.at(-1);
    if (donor === undefined) throw new Error('alias table: ran out of weight');
    thresholds[slot] = left[slot] ?? 0;
    aliases[slot] = donor;
    left[donor] = (left[donor] ?? 0) - (SLOT_WEIGHT - (left[slot] ?? 0));
    if ((left[donor] ?? 0) > SLOT_WEIGHT) continue;
    long.pop();
    if ((left[donor] ?? 0) < SLOT_WEIGHT) short.push(donor);
  }
  return { bits, thresholds, aliases };
}
