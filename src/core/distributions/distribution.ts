/**
 * Exact laws of whole numbers: how one is made, and what it tells. Value offset + k of a law has probability weights[k] /
 * sum of the weights. The first and the last weight are above 0, and the weights have no common divisor.
 */
import type { Distribution } from '../chance/chance.ts';
import { computeRatio } from '../chance/dice-tables.ts';
import {
  BoundedCache,
  CACHE_WORDS_MAX,
  getCachedDistribution,
  getCanonicalDistribution,
  isEqual,
  mixHash,
  rejectArgument,
  VALUES_MAX,
} from '../chance/distribution-cache.ts';

export { rejectArgument, VALUES_MAX };

/** Bits of the sum of the weights: 4096 are those of 1584 six-sided dice. */
const BITS_MAX = 2 ** 12;

/** Draws from one law. */
export const COUNT_MAX = 10_000;

/** Products of weights that making one law may take: some seconds of the largest weights. */
const PRODUCTS_MAX = 2 ** 23;

/** Checks a whole number. */
export function checkWhole(place: string, what: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return rejectArgument(place, `${what} ${String(least)}..${String(most)}`, value);
}

/** Checks a list. */
export function checkIterable<T extends Iterable<unknown>>(place: string, what: string, value: T): T {
  return typeof value === 'object' && (value as T | null) !== null && Symbol.iterator in value
    ? value
    : rejectArgument(place, what, value);
}

/** Checks what a law is going to cost before it is made. */
export function checkCost(place: string, products: number, bits: number): void {
  if (bits > BITS_MAX)
    rejectArgument(
      place,
      `weights whose sum has at most ${String(BITS_MAX)} bits`,
      `about ${String(Math.ceil(bits))} bits`,
    );
  if (products > PRODUCTS_MAX)
    rejectArgument(
      place,
      `at most ${String(PRODUCTS_MAX)} products of weights`,
      `about ${String(Math.ceil(products))}`,
    );
}

/** Bits of the sum of the weights. */
export function countBits(law: Distribution): number {
  return computeTotal(law).toString(16).length * 4;
}

export function computeDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

/** The sum of the weights. */
export function computeTotal({ weights }: Distribution): bigint {
  return weights.reduce((sum, weight) => sum + weight, 0n);
}

/**
 * A law from weights by value; values may come more than once.
 * @param place what is told of bad ones
 * @param name  what a replay calls it
 */
export function collectEntries(
  place: string,
  entries: Iterable<readonly [value: number, weight: bigint]>,
  name?: string,
): Distribution {
  const weights = new Map<number, bigint>();
  for (const [value, weight] of entries) {
    if (!Number.isSafeInteger(value)) rejectArgument(place, 'whole numbers as values', value);
    if (weight < 0n) rejectArgument(place, 'weights of 0 or more', weight);
    if (weight > 0n) weights.set(value, (weights.get(value) ?? 0n) + weight);
  }
  if (weights.size === 0) rejectArgument(place, 'a value with a weight above 0', 'none');
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of weights.keys()) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (most - least >= VALUES_MAX)
    rejectArgument(place, `values within ${String(VALUES_MAX)} of each other`, `${String(least)}..${String(most)}`);
  let common = 0n;
  for (const weight of weights.values()) common = computeDivisor(weight, common);
  return getCanonicalDistribution({
    offset: least,
    weights: Array.from({ length: most - least + 1 }, (_, k) => (weights.get(least + k) ?? 0n) / common),
    ...(name !== undefined && { name }),
  });
}

/** What a function takes as a law: a number is one that always gives it. */
export type DistributionLike = Distribution | number;

interface MemoizedDistribution {
  readonly law: Distribution;
  readonly values: readonly number[];
}

const memoized = new BoundedCache<MemoizedDistribution>(CACHE_WORDS_MAX);

/** The most values of a function that are compared: a law of more is made at every call. */
const COMPARED_MAX = 2 ** 18;

const NONE: readonly number[] = [];

/**
 * Makes a law once, by what is called with what: rules may call it at every step. In place of a function there are the
 * values that it gives, for the same function may give others later.
 * @param values of a function of several arguments; they may be many
 */
export function memoizeDistribution(
  call: string,
  args: readonly DistributionLike[],
  make: () => Distribution,
  values: readonly number[] = NONE,
): Distribution {
  if (values.length > COMPARED_MAX) return make();
  const asked = args.map((arg) => (typeof arg === 'object' ? `#${String(getCachedDistribution(arg).id)}` : arg)).join();
  const key = `${call} ${asked} ${String(mixHash(values.length, values))}`;
  const known = memoized.get(key);
  if (known !== undefined && isEqual(known.values, values)) return known.law;
  const law = make();
  memoized.set(key, { law, values }, getCachedDistribution(law).size + values.length + key.length / 8);
  return law;
}

/** One value, always. */
export function constant(value: number): Distribution {
  return memoizeDistribution('constant', [value], () => collectEntries('constant', [[value, 1n]], String(value)));
}

/** @throws RangeError if it is no law */
export function checkCanonical(law: Distribution): Distribution {
  return getCachedDistribution(law).distribution;
}

/** @throws RangeError if it is neither law nor number */
export function toDistribution(law: DistributionLike): Distribution {
  return typeof law === 'number' ? constant(law) : checkCanonical(law);
}

/** The values of a law that come, in ascending order. */
export function listValues(law: Distribution): readonly number[] {
  return getCachedDistribution(law).finiteDistribution.values;
}

/** [value, weight] of the values that come, in ascending order. */
export function listEntries({ offset, weights }: Distribution): [value: number, weight: bigint][] {
  return [...weights.entries()]
    .filter(([, weight]) => weight > 0n)
    .map(([k, weight]) => [offset + k, weight] as [number, bigint]);
}

/** A name from those of the laws that it is made of, if all of them have one. */
export function composeName(laws: readonly Distribution[], tell: (...names: string[]) => string): string | undefined {
  const names = laws.flatMap(({ name }) => name ?? []);
  return names.length === laws.length ? tell(...names) : undefined;
}

/** The same law under a name, which replays tell with its values. */
export function named(name: string, law: Distribution): Distribution {
  return getCanonicalDistribution({ ...law, name });
}

/** A law that was made of another, under a name from that one's. */
export function renameDistribution(
  law: Distribution,
  from: Distribution,
  tell: (name: string) => string,
): Distribution {
  const name = composeName([from], tell);
  return name === undefined ? law : named(name, law);
}

// What a law tells, as numbers in double precision: each is computed in whole numbers and rounded once.

/** Tells which values something is done to. */
export type Predicate = (value: number) => boolean;

/** A quotient of whole numbers, the lower one above 0. */
function divide(above: bigint, below: bigint): number {
  return above < 0n ? -computeRatio(-above, below) : computeRatio(above, below);
}

/**
 * The probability of a value, or of all values for which `when` is true.
 * @returns 0..1
 */
export function probability(law: Distribution, when: number | Predicate): number {
  const counts = typeof when === 'number' ? (value: number) => value === when : when;
  const weight = listEntries(checkCanonical(law)).reduce(
    (sum, [value, each]) => (counts(value) ? sum + each : sum),
    0n,
  );
  return computeRatio(weight, computeTotal(law));
}

/** [value, probability] of the values that come, in ascending order. */
export function probabilities(law: Distribution): [value: number, probability: number][] {
  const entries = listEntries(checkCanonical(law));
  const total = computeTotal(law);
  return entries.map(([value, weight]) => [value, computeRatio(weight, total)]);
}

/** The sum of the weights by powers of the values: 1, the values, their squares. */
function computePowerSums(law: Distribution): readonly [total: bigint, first: bigint, second: bigint] {
  let [total, first, second] = [0n, 0n, 0n];
  for (const [value, weight] of listEntries(checkCanonical(law))) {
    const each = BigInt(value);
    total += weight;
    first += weight * each;
    second += weight * each * each;
  }
  return [total, first, second];
}

/** The mean of a law. @throws RangeError if it is none */
export function mean(law: Distribution): number {
  const [total, first] = computePowerSums(law);
  return divide(first, total);
}

/** The standard deviation. @throws RangeError if it is no law */
export function standardDeviation(law: Distribution): number {
  const [total, first, second] = computePowerSums(law);
  return Math.sqrt(divide(total * second - first * first, total * total));
}
