/**
 * Exact distributions of whole numbers: their creation and their statistics. Value offset + k of a distribution has
 * probability weights[k] / sum of the weights. The first and the last weight are above 0, and the weights have no
 * common divisor.
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
  mixNumber,
  rejectArgument,
  VALUES_MAX,
} from '../chance/distribution-cache.ts';

export { rejectArgument, VALUES_MAX };

/** Bits of the sum of the weights: 4096 are those of 1584 six-sided dice. */
export const BITS_MAX: number = 2 ** 12;

/** Maximum number of draws from one distribution. */
export const COUNT_MAX = 10_000;

/** Maximum number of products of weights in one operation: several seconds with the largest weights. */
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

/** Checks the cost of an operation before it starts. */
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
export function countBits(distribution: Distribution): number {
  return computeTotal(distribution).toString(16).length * 4;
}

export function computeDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

/** Computes the sum of the weights. */
export function computeTotal({ weights }: Distribution): bigint {
  return weights.reduce((sum, weight) => sum + weight, 0n);
}

/**
 * Creates a distribution from weights by value; values may be repeated.
 * @param place place of errors
 * @param name name in replays
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

/** A distribution, or a number as a constant. */
export type DistributionLike = Distribution | number;

interface MemoizedDistribution {
  readonly distribution: Distribution;
  readonly call: string;
  /** Numbers, and the identities of distributions. */
  readonly args: readonly (number | object)[];
  readonly values: readonly number[];
}

/** By a hash of the call. */
const memoized = new BoundedCache<MemoizedDistribution, number>(CACHE_WORDS_MAX);

/** Maximum number of compared values of a function: a larger distribution is computed at every call. */
const COMPARED_MAX = 2 ** 18;

const NONE: readonly number[] = [];

const identify = (arg: DistributionLike): number | object =>
  typeof arg === 'object' ? getCachedDistribution(arg).token : arg;

function isEqualCall(known: readonly (number | object)[], args: readonly DistributionLike[]): boolean {
  if (known.length !== args.length) return false;
  for (let k = 0; k < args.length; k++) if (known[k] !== identify(args[k] as DistributionLike)) return false;
  return true;
}

/**
 * Caches a distribution by the function that creates it and its arguments, because rules may call it in every step. The
 * key of an argument that is a function is the list of its values, because the same function may return others later.
 * @param values of a function of several arguments; the list may be long
 */
export function memoizeDistribution(
  call: string,
  args: readonly DistributionLike[],
  make: () => Distribution,
  values: readonly number[] = NONE,
): Distribution {
  if (values.length > COMPARED_MAX) return make();
  let hash = mixHash(call.length + call.charCodeAt(0), values);
  for (const arg of args) hash = mixNumber(hash, typeof arg === 'object' ? getCachedDistribution(arg).id : arg);
  const known = memoized.get(hash);
  if (known?.call === call && isEqualCall(known.args, args) && isEqual(known.values, values)) return known.distribution;
  const law = make();
  const size = getCachedDistribution(law).size + values.length + args.length;
  memoized.set(hash, { distribution: law, call, args: args.map(identify), values }, size);
  return law;
}

/** Creates a distribution with a single value. */
export function constant(value: number): Distribution {
  return memoizeDistribution('constant', [value], () => collectEntries('constant', [[value, 1n]], String(value)));
}

/** @throws RangeError if it is not a distribution */
export function checkCanonical(distribution: Distribution): Distribution {
  return getCachedDistribution(distribution).distribution;
}

/** @throws RangeError if it is neither a distribution nor a number */
export function toDistribution(distribution: DistributionLike): Distribution {
  return typeof distribution === 'number' ? constant(distribution) : checkCanonical(distribution);
}

/** Lists the possible values of a distribution in ascending order. */
export function listValues(distribution: Distribution): readonly number[] {
  return getCachedDistribution(distribution).finiteDistribution.values;
}

/** Lists [value, weight] of the possible values in ascending order. */
export function listEntries({ offset, weights }: Distribution): [value: number, weight: bigint][] {
  return [...weights.entries()]
    .filter(([, weight]) => weight > 0n)
    .map(([k, weight]) => [offset + k, weight] as [number, bigint]);
}

/** Composes a name of the names of distributions, if all of them have one. */
export function composeName(
  distributions: readonly Distribution[],
  describe: (...names: string[]) => string,
): string | undefined {
  const names = distributions.flatMap(({ name }) => name ?? []);
  return names.length === distributions.length ? describe(...names) : undefined;
}

/** Names a distribution; replays show the name with its values. */
export function named(name: string, distribution: Distribution): Distribution {
  return memoizeDistribution(`named ${name}`, [distribution], () => getCachedDistribution(distribution).rename(name));
}

/** Names a derived distribution. */
export function renameDistribution(
  distribution: Distribution,
  from: Distribution,
  describe: (name: string) => string,
): Distribution {
  const name = composeName([from], describe);
  return name === undefined ? distribution : named(name, distribution);
}

// Statistics of a distribution in double precision: each is computed in whole numbers and rounded once.

/** Selects values. */
export type Predicate = (value: number) => boolean;

/** Divides whole numbers; the divisor must be above 0. */
function divide(above: bigint, below: bigint): number {
  return above < 0n ? -computeRatio(-above, below) : computeRatio(above, below);
}

/**
 * Computes the probability of a value, or of all values for which `when` is true.
 * @returns 0..1
 */
export function probability(distribution: Distribution, when: number | Predicate): number {
  const counts = typeof when === 'number' ? (value: number) => value === when : when;
  const weight = listEntries(checkCanonical(distribution)).reduce(
    (sum, [value, each]) => (counts(value) ? sum + each : sum),
    0n,
  );
  return computeRatio(weight, computeTotal(distribution));
}

/** Lists [value, probability] of the possible values in ascending order. */
export function probabilities(distribution: Distribution): [value: number, probability: number][] {
  const entries = listEntries(checkCanonical(distribution));
  const total = computeTotal(distribution);
  return entries.map(([value, weight]) => [value, computeRatio(weight, total)]);
}

/** Computes the sums of the weights by powers of the values: 1, the values, their squares. */
function computePowerSums(distribution: Distribution): readonly [total: bigint, first: bigint, second: bigint] {
  let [total, first, second] = [0n, 0n, 0n];
  for (const [value, weight] of listEntries(checkCanonical(distribution))) {
    const each = BigInt(value);
    total += weight;
    first += weight * each;
    second += weight * each * each;
  }
  return [total, first, second];
}

/** Computes the mean. @throws RangeError if it is not a distribution */
export function mean(distribution: Distribution): number {
  const [total, first] = computePowerSums(distribution);
  return divide(first, total);
}

/** Computes the standard deviation. @throws RangeError if it is not a distribution */
export function standardDeviation(distribution: Distribution): number {
  const [total, first, second] = computePowerSums(distribution);
  return Math.sqrt(divide(total * second - first * first, total * total));
}
