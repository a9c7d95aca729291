/**
 * Exact laws of whole numbers: how one is made, and what it tells. Value offset + k of a law has probability weights[k] /
 * sum of the weights. The first and the last weight are above 0, and the weights have no common divisor.
 */
import { type Law, ratio } from '../chance/laws.ts';

export type { Law };

/** From the least value of a law to its greatest: as many values at most, counting those that never come. */
export const VALUES_MAX: number = 2 ** 16;

/** Bits of the sum of the weights: 4096 are those of 1584 six-sided dice. */
const BITS_MAX = 2 ** 12;

/** Products of weights that making one law may take: some seconds of the largest weights. */
const PRODUCTS_MAX = 2 ** 23;

/** The place in a message is the function that was called. */
export function refuse(place: string, expected: string, found: unknown): never {
  throw new RangeError(`${place}: expected ${expected}, found ${String(found)}`);
}

/** Checks a whole number. */
export function whole(place: string, what: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(place, `${what} ${String(least)}..${String(most)}`, value);
}

/** Checks what a law is going to cost before it is made. */
export function affordable(place: string, products: number, bits: number): void {
  if (bits > BITS_MAX)
    refuse(place, `weights whose sum has at most ${String(BITS_MAX)} bits`, `about ${String(Math.ceil(bits))} bits`);
  if (products > PRODUCTS_MAX)
    refuse(place, `at most ${String(PRODUCTS_MAX)} products of weights`, `about ${String(Math.ceil(products))}`);
}

/** Bits of the sum of the weights. */
export function bitsOf(law: Law): number {
  return totalOf(law).toString(16).length * 4;
}

function divisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

/** The sum of the weights. */
export function totalOf({ weights }: Law): bigint {
  return weights.reduce((sum, weight) => sum + weight, 0n);
}

/**
 * A law from weights by value; values may come more than once.
 * @param place what is told of bad ones
 */
export function collect(place: string, entries: Iterable<readonly [value: number, weight: bigint]>): Law {
  const weights = new Map<number, bigint>();
  for (const [value, weight] of entries) {
    if (!Number.isSafeInteger(value)) refuse(place, 'whole numbers as values', value);
    if (weight < 0n) refuse(place, 'weights of 0 or more', weight);
    if (weight > 0n) weights.set(value, (weights.get(value) ?? 0n) + weight);
  }
  if (weights.size === 0) refuse(place, 'a value with a weight above 0', 'none');
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of weights.keys()) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (most - least >= VALUES_MAX)
    refuse(place, `values within ${String(VALUES_MAX)} of each other`, `${String(least)}..${String(most)}`);
  let common = 0n;
  for (const weight of weights.values()) common = divisor(weight, common);
  return {
    offset: least,
    weights: Array.from({ length: most - least + 1 }, (_, k) => (weights.get(least + k) ?? 0n) / common),
  };
}

/** [value, weight] of the values that come, in ascending order. */
export function entriesOf({ offset, weights }: Law): [value: number, weight: bigint][] {
  return [...weights.entries()]
    .filter(([, weight]) => weight > 0n)
    .map(([k, weight]) => [offset + k, weight] as [number, bigint]);
}

/**
 * The probability of a value, or of all values for which `when` is true.
 * @returns 0..1
 */
export function probability(law: Law, when: number | ((value: number) => boolean)): number {
  const counts = typeof when === 'number' ? (value: number) => value === when : when;
  const weight = entriesOf(law).reduce((sum, [value, each]) => (counts(value) ? sum + each : sum), 0n);
  return ratio(weight, totalOf(law));
}

/** The mean of a law. */
export function mean(law: Law): number {
  const sum = entriesOf(law).reduce((total, [value, weight]) => total + BigInt(value) * weight, 0n);
  const total = totalOf(law);
  return sum < 0n ? -ratio(-sum, total) : ratio(sum, total);
}
