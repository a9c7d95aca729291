/**
 * Distributions of dice and tables, and operations on them. All weights are whole numbers, so every probability is
 * exact; `chance.sample` draws a value with one word of the stream of a battle.
 *
 * ```ts
 * const damage = map(d(20), (roll) => (roll === 20 ? times(2, d(6)) : roll >= 12 ? d(6) : 0));
 * probability(damage, (points) => points >= 6); // 0.10277777777777777
 * ```
 */
import type { Distribution } from '../chance/chance.ts';
import {
  getCachedDistribution,
  getSortedDice,
  type SortedDice,
  type SortedDiceDistribution,
} from '../chance/distribution-cache.ts';
import {
  COUNT_MAX,
  checkCanonical,
  checkCost,
  checkIterable,
  checkWhole,
  collectEntries,
  composeName,
  computeDivisor,
  computeTotal,
  constant,
  countBits,
  type DistributionLike,
  listEntries,
  listValues,
  memoizeDistribution,
  type Predicate,
  rejectArgument,
  renameDistribution,
  toDistribution,
  VALUES_MAX,
} from './distribution.ts';
import { combineRepeatedly, countSamples, createSum } from './large-sum.ts';

/** Dice with at most 100 faces: a search by the call takes as long as a short rule. A text such as '6' is no key. */
const commonDice = new Map<number, Distribution>();

/**
 * Creates a die with faces 1..sides.
 * @param sides 1..65536
 */
export function d(sides: number): Distribution {
  return commonDice.get(sides) ?? createDie(sides);
}

function createDie(sides: number): Distribution {
  return memoizeDistribution('d', [sides], () => {
    checkWhole('d', 'sides', sides, 1, VALUES_MAX);
    const faces = Array.from({ length: sides }, (_, k) => [k + 1, 1n] as const);
    const made = collectEntries('d', faces, `d${String(sides)}`);
    if (sides <= 100) commonDice.set(sides, made);
    return made;
  });
}

/** Creates a die with these faces of equal probability; a repeated face counts repeatedly. */
export function die(faces: readonly number[]): Distribution {
  return collectEntries(
    'die',
    checkIterable('die', 'a list of faces', faces).map((face) => [face, 1n] as const),
  );
}

/**
 * Creates a custom table.
 * @param entries values with their weights, whole numbers of 0 or more with any sum
 */
export function weighted(entries: Iterable<readonly [value: number, weight: number | bigint]>): Distribution {
  const read = ([value, weight]: readonly [number, number | bigint]): [number, bigint] => {
    if (typeof weight === 'bigint') return [value, weight];
    if (!Number.isSafeInteger(weight)) rejectArgument('weighted', 'whole numbers as weights', weight);
    return [value, BigInt(weight)];
  };
  return collectEntries(
    'weighted',
    Array.from(checkIterable('weighted', 'a list of values with weights', entries), read),
  );
}

/** Maps each value by `f` to another value, or to a distribution that is sampled instead. */
export function map(distribution: Distribution, f: (value: number) => DistributionLike): Distribution {
  const images = listValues(distribution).map((value) => f(value));
  return memoizeDistribution('map', [distribution, ...images], () => buildMapped(distribution, images));
}

/** @param images for each value of the distribution */
function buildMapped(distribution: Distribution, images: readonly DistributionLike[]): Distribution {
  const parts = listEntries(distribution).map(([, weight], k) => {
    const image = images[k] as DistributionLike;
    const isLaw = typeof image === 'object';
    return {
      weight,
      entries: isLaw ? listEntries(image) : [[image, 1n] as const],
      total: isLaw ? computeTotal(image) : 1n,
    };
  });
  const common = parts.reduce((least, { total }) => (least * total) / computeDivisor(least, total), 1n);
  const products = parts.reduce((sum, { entries }) => sum + entries.length, 0);
  checkCost('map', products, countBits(distribution) + common.toString(16).length * 4);
  return collectEntries(
    'map',
    parts.flatMap(({ weight, entries, total }) => {
      const scale = weight * (common / total);
      return entries.map(([value, each]) => [value, each * scale] as const);
    }),
  );
}

type DistributionPair = readonly [Distribution, Distribution];

/** Combines two independent values by `f`. */
export function combine(a: DistributionLike, b: DistributionLike, f: (a: number, b: number) => number): Distribution {
  const pair: DistributionPair = [toDistribution(a), toDistribution(b)];
  const values = computeImages('combine', pair, f);
  return memoizeDistribution('combine', pair, () => buildCombined('combine', pair, values), values);
}

/** Computes `f` for each pair of values of the two distributions. */
function computeImages(place: string, [a, b]: DistributionPair, f: (a: number, b: number) => number): number[] {
  checkCost(place, a.weights.length * b.weights.length, countBits(a) + countBits(b));
  const others = listValues(b);
  return listValues(a).flatMap((mine) => others.map((theirs) => f(mine, theirs)));
}

/** @param values result of `computeImages` */
function buildCombined(
  place: string,
  [a, b]: DistributionPair,
  values: readonly number[],
  name?: string,
): Distribution {
  const others = listEntries(b);
  return collectEntries(
    place,
    listEntries(a).flatMap(([, weight], i) =>
      others.map(([, other], k) => [values[i * others.length + k] as number, weight * other] as const),
    ),
    name,
  );
}

const formatAgainst = (pair: DistributionPair): string | undefined =>
  composeName(pair, (mine, theirs) => `${mine} against ${theirs}`);

/** Combines two distributions by a constant function, with a cache. */
function combineFixed(
  place: string,
  a: DistributionLike,
  b: DistributionLike,
  f: (a: number, b: number) => number,
): Distribution {
  const pair: DistributionPair = [toDistribution(a), toDistribution(b)];
  return memoizeDistribution(place, pair, () =>
    buildCombined(place, pair, computeImages(place, pair, f), formatAgainst(pair)),
  );
}

/** Compares two values: 1 if the first is greater, -1 if the second is, 0 if they are equal. */
export function compareRolls(a: DistributionLike, b: DistributionLike): Distribution {
  return combineFixed('compareRolls', a, b, (x, y) => Math.sign(x - y));
}

/** Computes the net successes of a pool after each success of the other pool cancels one: max(0, mine - theirs). */
export function netSuccesses(mine: DistributionLike, theirs: DistributionLike): Distribution {
  return combineFixed('netSuccesses', mine, theirs, (x, y) => Math.max(0, x - y));
}

/** Maximum number of values whose flags are the bits of a number. */
const FLAG_BITS = 16;

/** Computes 1 for each value for which `when` is true, else 0. */
function computeFlags(values: readonly number[], when: Predicate): number[] {
  const flags = new Array<number>(values.length);
  for (let k = 0; k < values.length; k++) flags[k] = when(values[k] as number) ? 1 : 0;
  return flags;
}

/**
 * Rerolls values for which `when` is true.
 * @param limit maximum number of rerolls, default 1; with Infinity until another value occurs
 */
export function reroll(distribution: Distribution, when: Predicate, limit = 1): Distribution {
  const flags = computeFlags(listValues(distribution), when);
  const make = (): Distribution =>
    renameDistribution(buildRerolled(distribution, flags, limit), distribution, (name) => `${name} rerolled`);
  return memoizeDistribution('reroll', [distribution, limit], make, flags);
}

/** @param flags 1 for each value that is drawn again */
function buildRerolled(distribution: Distribution, flags: readonly number[], limit: number): Distribution {
  const entries = listEntries(distribution);
  const kept = entries.filter((_, k) => flags[k] === 0);
  if (limit === Number.POSITIVE_INFINITY) {
    if (kept.length === 0) rejectArgument('reroll', 'a value that is not drawn again', 'none');
    return collectEntries('reroll', kept);
  }
  checkWhole('reroll', 'draws', limit, 0, COUNT_MAX);
  checkCost('reroll', limit * distribution.weights.length, (limit + 1) * Math.log2(Number(computeTotal(distribution))));
  const again = entries.reduce((total, [, weight], k) => (flags[k] === 1 ? total + weight : total), 0n);
  let result = distribution;
  for (let k = 0; k < limit; k++) {
    const theirs = computeTotal(result);
    // Kept values of the first draw; for the others, the distribution with one reroll less.
    result = collectEntries('reroll', [
      ...kept.map(([value, weight]) => [value, weight * theirs] as const),
      ...listEntries(result).map(([value, weight]) => [value, weight * again] as const),
    ]);
  }
  return result;
}

/**
 * Adds another draw after each draw for which `when` is true.
 * @param limit maximum number of added draws, 1..100: unlimited explosions have no exact distribution
 */
export function explode(distribution: Distribution, when: Predicate, limit: number): Distribution {
  const flags = computeFlags(listValues(distribution), when);
  const make = (): Distribution =>
    renameDistribution(buildExploded(distribution, flags, limit), distribution, (name) => `${name} exploding`);
  return memoizeDistribution('explode', [distribution, limit], make, flags);
}

/** @param flags 1 for each value after which another is added */
function buildExploded(distribution: Distribution, flags: readonly number[], limit: number): Distribution {
  checkWhole('explode', 'draws', limit, 1, 100);
  checkCost(
    'explode',
    (limit * distribution.weights.length) ** 2,
    (limit + 1) * Math.log2(Number(computeTotal(distribution))),
  );
  const entries = listEntries(distribution);
  let result = distribution;
  for (let k = 0; k < limit; k++) {
    const scale = computeTotal(result);
    const further = listEntries(result);
    result = collectEntries(
      'explode',
      entries.flatMap(([value, weight], v) =>
        flags[v] === 1
          ? further.map(([more, other]) => [value + more, weight * other] as const)
          : [[value, weight * scale] as const],
      ),
    );
  }
  return result;
}

// Distributions of several dice: sums, successes, the best and the worst of them, and functions of their sorted faces.

/** Multiplies two polynomials, which gives the weights of sums. */
function convolve(place: string, a: Distribution, b: Distribution): Distribution {
  const length = a.weights.length + b.weights.length - 1;
  if (length > VALUES_MAX) rejectArgument(place, `at most ${String(VALUES_MAX)} values`, length);
  checkCost(place, a.weights.length * b.weights.length, countBits(a) + countBits(b));
  const weights = new Array<bigint>(length).fill(0n);
  for (const [i, x] of a.weights.entries()) {
    if (x === 0n) continue;
    for (const [j, y] of b.weights.entries()) weights[i + j] = (weights[i + j] ?? 0n) + x * y;
  }
  return { offset: a.offset + b.offset, weights };
}

/** Computes the sum of independent values, `sum(d(6), 2)`; 0 without arguments. */
export function sum(...terms: readonly DistributionLike[]): Distribution {
  const distributions = terms.map(toDistribution);
  return memoizeDistribution('sum', distributions, () => {
    const build = (): Distribution => {
      const all = distributions.reduce((total, distribution) => convolve('sum', total, distribution), constant(0));
      const name = composeName(distributions, (...names) => names.join(' + ').replaceAll('+ -', '- '));
      return collectEntries('sum', listEntries(all), name);
    };
    return createSum(countSamples(distributions), build);
  });
}

/** Formats `3d10`, or `3 x` any other distribution. */
const formatTimes = (count: number, name: string): string =>
  /^d\d+$/.test(name) ? `${String(count)}${name}` : `${String(count)} x (${name})`;

/**
 * Computes the sum of several draws from one distribution: `times(3, d(10))` is 3d10.
 * @param count 0..10000
 */
export function times(count: number, distribution: Distribution): Distribution {
  return memoizeDistribution('times', [count, checkCanonical(distribution)], () => buildMultiple(count, distribution));
}

function buildMultiple(count: number, distribution: Distribution): Distribution {
  checkWhole('times', 'draws', count, 0, COUNT_MAX);
  checkCost(
    'times',
    ((count * (distribution.weights.length - 1)) / 2) ** 2,
    count * Math.log2(Number(computeTotal(distribution))),
  );
  return createSum(countSamples([distribution], count), () => {
    const result = combineRepeatedly(count, constant(0), distribution, (a, b) => convolve('times', a, b));
    const name = composeName([distribution], (each) => formatTimes(count, each));
    return collectEntries('times', listEntries(result), name);
  });
}

/**
 * Counts the successes among several draws from one distribution: `count(5, d(6), (face) => face >= 4)`.
 * @param draws 0..10000
 * @param when returns true for successes
 */
export function count(draws: number, distribution: Distribution, when: Predicate): Distribution {
  const entry = getCachedDistribution(distribution);
  const { values } = entry.finiteDistribution;
  if (values.length > FLAG_BITS || !(draws < COUNT_MAX))
    return countFlags(draws, distribution, computeFlags(values, when));
  let bits = 0;
  for (let k = 0; k < values.length; k++) if (when(values[k] as number)) bits |= 1 << k;
  const key = (draws << FLAG_BITS) | bits;
  const known = entry.counts.get(key);
  if (known?.draws === draws) return known.distribution;
  const flags = values.map((_, k) => (bits >> k) & 1);
  const made = countFlags(draws, distribution, flags);
  entry.counts.set(key, { draws, distribution: made }, getCachedDistribution(made).size);
  return made;
}

/** @param flags 1 for each value that is a success */
function countFlags(draws: number, distribution: Distribution, flags: readonly number[]): Distribution {
  const make = (): Distribution => {
    const success = memoizeDistribution('map', [distribution, ...flags], () => buildMapped(distribution, flags));
    return renameDistribution(
      times(draws, success),
      distribution,
      (name) => `successes of ${formatTimes(draws, name)}`,
    );
  };
  return memoizeDistribution('count', [draws, distribution], make, flags);
}

function computeBinomial(n: number, k: number): bigint {
  let ways = 1n;
  for (let i = 1; i <= k; i++) ways = (ways * BigInt(n - k + i)) / BigInt(i);
  return ways;
}

/** Names of sums in replays. */
const BEST_NAMES = { keepHighest: 'highest', keepLowest: 'lowest' } as const;

/**
 * Computes the sum of the best `keep` of `count` draws. Processes values from the best: of the remaining draws some
 * have this value, and as many of them are kept as there is space. (Method of the pools of icepool.)
 */
function sumBest(
  place: keyof typeof BEST_NAMES,
  keep: number,
  count: number,
  distribution: Distribution,
): Distribution {
  checkWhole(place, 'draws', count, 0, COUNT_MAX);
  checkWhole(place, 'draws to keep', keep, 0, count);
  const sums = 1 + keep * (distribution.weights.length - 1);
  checkCost(
    place,
    (distribution.weights.length * sums * count ** 2) / 2,
    count * Math.log2(Number(computeTotal(distribution))),
  );
  // Weights by [draws left, sum so far].
  let states = new Map<number, Map<number, bigint>>([[count, new Map([[0, 1n]])]]);
  const entries = listEntries(distribution);
  for (const [value, weight] of place === 'keepHighest' ? entries.reverse() : entries) {
    const after = new Map<number, Map<number, bigint>>();
    for (const [left, sums] of states) {
      const room = Math.max(0, keep - (count - left));
      for (let show = 0; show <= left; show++) {
        const ways = computeBinomial(left, show) * weight ** BigInt(show);
        const more = value * Math.min(show, room);
        const into = after.get(left - show) ?? new Map<number, bigint>();
        after.set(left - show, into);
        for (const [sum, mass] of sums) into.set(sum + more, (into.get(sum + more) ?? 0n) + mass * ways);
      }
    }
    states = after;
  }
  const name = composeName(
    [distribution],
    (each) => `${BEST_NAMES[place]} ${String(keep)} of ${formatTimes(count, each)}`,
  );
  return collectEntries(place, states.get(0) ?? [], name);
}

/** Computes the sum of the highest `keep` of `count` draws: `keepHighest(3, 4, d(6))` is 4d6, drop the lowest. */
export function keepHighest(keep: number, count: number, distribution: Distribution): Distribution {
  return memoizeDistribution('keepHighest', [keep, count, checkCanonical(distribution)], () =>
    sumBest('keepHighest', keep, count, distribution),
  );
}

/** Computes the sum of the lowest `keep` of `count` draws. */
export function keepLowest(keep: number, count: number, distribution: Distribution): Distribution {
  return memoizeDistribution('keepLowest', [keep, count, checkCanonical(distribution)], () =>
    sumBest('keepLowest', keep, count, distribution),
  );
}

/** Function of the sorted faces of each set. */
type FacesFunction = (...faces: SortedDice[]) => number;

/** Computes `f` for every combination of results; the last set changes fastest. */
function computeReadings(handfuls: readonly (readonly SortedDice[])[], f: FacesFunction): number[] {
  const [first, second, ...others] = handfuls;
  if (first === undefined) return [f()];
  if (second === undefined) return first.map((hand) => f(hand));
  // Two sets are the usual case: a call with plain arguments is twice as fast as one that spreads them.
  const listAfter = (one: SortedDice): number[] =>
    others.length === 0
      ? second.map((other) => f(one, other))
      : computeReadings([second, ...others], (...faces) => f(one, ...faces));
  const values: number[] = [];
  for (const one of first) for (const value of listAfter(one)) values.push(value);
  return values;
}

/** Computes the readings with frozen results, for functions `f` that might change them. */
function computeFrozenReadings(handfuls: readonly SortedDiceDistribution[], f: FacesFunction): readonly number[] {
  const read = (): readonly number[] =>
    computeReadings(
      handfuls.map(({ copies }) => copies),
      f,
    );
  const frozen = handfuls.map(({ list }) => list);
  try {
    const values = read();
    return handfuls.every((each) => each.isIntact()) ? values : computeReadings(frozen, f);
  } catch (error) {
    for (const each of handfuls) each.isIntact();
    throw error;
  }
}

/**
 * Computes a function of the sorted faces of sets of dice, each in descending order:
 *
 * ```ts
 * const bestAgainstBest = sortedDice([[3, 6], [2, 6]], ([attack = 0], [defense = 0]) => attack - defense);
 * ```
 * @param handfuls [count, sides] of each set
 */
export function sortedDice(
  handfuls: readonly (readonly [count: number, sides: number])[],
  f: (...faces: (readonly number[])[]) => number,
): Distribution {
  const all = checkIterable('sortedDice', 'a list of [count, sides]', handfuls).map(([dice, sides]) =>
    getSortedDice('sortedDice', dice, sides),
  );
  const bits = handfuls.reduce((total, [dice, sides]) => total + dice * Math.log2(sides), 0);
  const together = all.reduce((product, { list }) => product * list.length, 1);
  checkCost('sortedDice', together, bits);
  const values = computeFrozenReadings(all, f);
  return memoizeDistribution('sortedDice', handfuls.flat(), () => collectReadings(all, values), values);
}

/** @param values result of `computeReadings` */
function collectReadings(all: readonly SortedDiceDistribution[], values: readonly number[]): Distribution {
  let ways = [1n];
  for (const { weights } of all) ways = ways.flatMap((before) => weights.map((each) => before * each));
  return collectEntries(
    'sortedDice',
    values.map((value, k) => [value, ways[k] as bigint] as const),
  );
}
