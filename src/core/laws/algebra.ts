/**
 * Laws of dice and tables, and what is made of their values. All weights are whole numbers, so every probability is
 * exact; `door.take` draws a law with one word of a battle's stream.
 *
 * ```ts
 * const damage = map(d(20), (roll) => (roll === 20 ? times(2, d(6)) : roll >= 12 ? d(6) : 0));
 * probability(damage, (points) => points >= 6); // 0.10277777777777777
 * ```
 */
import type { Law } from '../chance/door.ts';
import { type Hand, type HandsLaw, handsOf } from '../chance/taken.ts';
import {
  affordable,
  bitsOf,
  COUNT_MAX,
  checked,
  collect,
  constant,
  divisor,
  entriesOf,
  given,
  type Lawlike,
  listed,
  nameOf,
  once,
  refuse,
  renamed,
  totalOf,
  VALUES_MAX,
  valuesOf,
  type When,
  whole,
} from './law.ts';

/**
 * A die with faces 1..sides.
 * @param sides 1..65536
 */
export function d(sides: number): Law {
  return once('d', [sides], () => {
    whole('d', 'sides', sides, 1, VALUES_MAX);
    const faces = Array.from({ length: sides }, (_, k) => [k + 1, 1n] as const);
    return collect('d', faces, `d${String(sides)}`);
  });
}

/** A die with these faces, each as likely as the others; one that stands twice is twice as likely. */
export function die(faces: readonly number[]): Law {
  return collect(
    'die',
    listed('die', 'a list of faces', faces).map((face) => [face, 1n] as const),
  );
}

/**
 * A table of one's own.
 * @param entries values with their weights, whole numbers of 0 or more that need not sum up to anything
 */
export function table(entries: Iterable<readonly [value: number, weight: number | bigint]>): Law {
  const read = ([value, weight]: readonly [number, number | bigint]): [number, bigint] => {
    if (typeof weight === 'bigint') return [value, weight];
    if (!Number.isSafeInteger(weight)) refuse('table', 'whole numbers as weights', weight);
    return [value, BigInt(weight)];
  };
  return collect('table', Array.from(listed('table', 'a list of values with weights', entries), read));
}

/** What `f` makes of each value: another value, or a law that is drawn in its place. */
export function map(law: Law, f: (value: number) => Lawlike): Law {
  const images = valuesOf(law).map((value) => f(value));
  return once('map', [law, ...images], () => mapped(law, images));
}

/** @param images for each value of the law */
function mapped(law: Law, images: readonly Lawlike[]): Law {
  const parts = entriesOf(law).map(([, weight], k) => {
    const image = images[k] as Lawlike;
    const isLaw = typeof image === 'object';
    return { weight, entries: isLaw ? entriesOf(image) : [[image, 1n] as const], total: isLaw ? totalOf(image) : 1n };
  });
  const common = parts.reduce((least, { total }) => (least * total) / divisor(least, total), 1n);
  const products = parts.reduce((sum, { entries }) => sum + entries.length, 0);
  affordable('map', products, bitsOf(law) + common.toString(16).length * 4);
  return collect(
    'map',
    parts.flatMap(({ weight, entries, total }) => {
      const scale = weight * (common / total);
      return entries.map(([value, each]) => [value, each * scale] as const);
    }),
  );
}

type Pair = readonly [Law, Law];

/** What `f` makes of two values that are drawn independently. */
export function combine(a: Lawlike, b: Lawlike, f: (a: number, b: number) => number): Law {
  const pair: Pair = [given(a), given(b)];
  const values = imagesOf('combine', pair, f);
  return once('combine', pair, () => combined('combine', pair, values), values);
}

/** For each value of the first law, what `f` makes of it and each value of the other. */
function imagesOf(place: string, [a, b]: Pair, f: (a: number, b: number) => number): number[] {
  affordable(place, a.weights.length * b.weights.length, bitsOf(a) + bitsOf(b));
  const others = valuesOf(b);
  return valuesOf(a).flatMap((mine) => others.map((theirs) => f(mine, theirs)));
}

/** @param values of `imagesOf` */
function combined(place: string, [a, b]: Pair, values: readonly number[], name?: string): Law {
  const others = entriesOf(b);
  return collect(
    place,
    entriesOf(a).flatMap(([, weight], i) =>
      others.map(([, other], k) => [values[i * others.length + k] as number, weight * other] as const),
    ),
    name,
  );
}

const against = (pair: Pair): string | undefined => nameOf(pair, (mine, theirs) => `${mine} against ${theirs}`);

/** What a function that is always the same makes of two values. */
function standing(place: string, a: Lawlike, b: Lawlike, f: (a: number, b: number) => number): Law {
  const pair: Pair = [given(a), given(b)];
  return once(place, pair, () => combined(place, pair, imagesOf(place, pair, f), against(pair)));
}

/** 1 where the first is greater, -1 where the second is, 0 where they are equal. */
export function compare(a: Lawlike, b: Lawlike): Law {
  return standing('compare', a, b, (x, y) => Math.sign(x - y));
}

/** What is left of a pool's successes when each of the other's has cancelled one: max(0, mine - theirs). */
export function opposed(mine: Lawlike, theirs: Lawlike): Law {
  return standing('opposed', mine, theirs, (x, y) => Math.max(0, x - y));
}

/** For each value of a law 1 if `when` is true of it, else 0. */
function flagsOf(law: Law, when: When): number[] {
  return valuesOf(law).map((value) => (when(value) ? 1 : 0));
}

/**
 * Values for which `when` is true are drawn again.
 * @param limit how often at most, 1 unless said otherwise; with Infinity until another comes
 */
export function reroll(law: Law, when: When, limit = 1): Law {
  const flags = flagsOf(law, when);
  const make = (): Law => renamed(rerolled(law, flags, limit), law, (name) => `${name} rerolled`);
  return once('reroll', [law, limit, ...flags], make);
}

/** @param flags 1 for each value that is drawn again */
function rerolled(law: Law, flags: readonly number[], limit: number): Law {
  const entries = entriesOf(law);
  const kept = entries.filter((_, k) => flags[k] === 0);
  if (limit === Number.POSITIVE_INFINITY) {
    if (kept.length === 0) refuse('reroll', 'a value that is not drawn again', 'none');
    return collect('reroll', kept);
  }
  whole('reroll', 'draws', limit, 0, COUNT_MAX);
  affordable('reroll', limit * law.weights.length, (limit + 1) * Math.log2(Number(totalOf(law))));
  const again = entries.reduce((total, [, weight], k) => (flags[k] === 1 ? total + weight : total), 0n);
  let result = law;
  for (let k = 0; k < limit; k++) {
    const theirs = totalOf(result);
    // Kept values of the first draw, and in the place of the others the law with one draw less.
    result = collect('reroll', [
      ...kept.map(([value, weight]) => [value, weight * theirs] as const),
      ...entriesOf(result).map(([value, weight]) => [value, weight * again] as const),
    ]);
  }
  return result;
}

/**
 * After each draw for which `when` is true another is added.
 * @param limit how many at most are added, 1..100: dice that explode without end have no exact law
 */
export function explode(law: Law, when: When, limit: number): Law {
  const flags = flagsOf(law, when);
  const make = (): Law => renamed(exploded(law, flags, limit), law, (name) => `${name} exploding`);
  return once('explode', [law, limit, ...flags], make);
}

/** @param flags 1 for each value after which another is added */
function exploded(law: Law, flags: readonly number[], limit: number): Law {
  whole('explode', 'draws', limit, 1, 100);
  affordable('explode', (limit * law.weights.length) ** 2, (limit + 1) * Math.log2(Number(totalOf(law))));
  const entries = entriesOf(law);
  let result = law;
  for (let k = 0; k < limit; k++) {
    const scale = totalOf(result);
    const further = entriesOf(result);
    result = collect(
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

// Laws of several dice: sums, successes, the best and the worst of them, and whatever is read off their sorted faces.

/** The product of two polynomials: the weights of sums. */
function convolved(place: string, a: Law, b: Law): Law {
  const length = a.weights.length + b.weights.length - 1;
  if (length > VALUES_MAX) refuse(place, `at most ${String(VALUES_MAX)} values`, length);
  affordable(place, a.weights.length * b.weights.length, bitsOf(a) + bitsOf(b));
  const weights = new Array<bigint>(length).fill(0n);
  for (const [i, x] of a.weights.entries()) {
    if (x === 0n) continue;
    for (const [j, y] of b.weights.entries()) weights[i + j] = (weights[i + j] ?? 0n) + x * y;
  }
  return { offset: a.offset + b.offset, weights };
}

/** The sum of values that are drawn independently, `sum(d(6), 2)`; of none 0. */
export function sum(...terms: readonly Lawlike[]): Law {
  const laws = terms.map(given);
  return once('sum', laws, () => {
    const all = laws.reduce((total, law) => convolved('sum', total, law), constant(0));
    const name = nameOf(laws, (...names) => names.join(' + ').replaceAll('+ -', '- '));
    return collect('sum', entriesOf(all), name);
  });
}

/** `3d10`, or `3 x` any other law. */
const severally = (count: number, name: string): string =>
  /^d\d+$/.test(name) ? `${String(count)}${name}` : `${String(count)} x (${name})`;

/**
 * The sum of several draws from one law: `times(3, d(10))` is 3d10.
 * @param count 0..10000
 */
export function times(count: number, law: Law): Law {
  return once('times', [count, checked(law)], () => multiplied(count, law));
}

function multiplied(count: number, law: Law): Law {
  whole('times', 'draws', count, 0, COUNT_MAX);
  affordable('times', ((count * (law.weights.length - 1)) / 2) ** 2, count * Math.log2(Number(totalOf(law))));
  let [result, power] = [constant(0), law];
  // Squares of squares: as many products as the count has bits.
  for (let left = count; left > 0; left >>= 1) {
    if (left & 1) result = convolved('times', result, power);
    if (left > 1) power = convolved('times', power, power);
  }
  const name = nameOf([law], (each) => severally(count, each));
  return collect('times', entriesOf(result), name);
}

/**
 * How many of several draws from one law are successes: `count(5, d(6), (face) => face >= 4)`.
 * @param draws 0..10000
 * @param when  which values are successes
 */
export function count(draws: number, law: Law, when: When): Law {
  const success = map(law, (value) => (when(value) ? 1 : 0));
  const make = (): Law => renamed(times(draws, success), law, (name) => `successes of ${severally(draws, name)}`);
  return once('count', [draws, law, success], make);
}

function choose(n: number, k: number): bigint {
  let ways = 1n;
  for (let i = 1; i <= k; i++) ways = (ways * BigInt(n - k + i)) / BigInt(i);
  return ways;
}

/**
 * The sum of the best `keep` of `count` draws. Values are taken from the best on: of those that are left so many show it,
 * as many of these are kept as there is room for. (The way of icepool's pools.)
 */
function best(place: 'highest' | 'lowest', keep: number, count: number, law: Law): Law {
  whole(place, 'draws', count, 0, COUNT_MAX);
  whole(place, 'draws to keep', keep, 0, count);
  const sums = 1 + keep * (law.weights.length - 1);
  affordable(place, (law.weights.length * sums * count ** 2) / 2, count * Math.log2(Number(totalOf(law))));
  // Weights by [draws left, sum so far].
  let states = new Map<number, Map<number, bigint>>([[count, new Map([[0, 1n]])]]);
  const entries = entriesOf(law);
  for (const [value, weight] of place === 'highest' ? entries.reverse() : entries) {
    const after = new Map<number, Map<number, bigint>>();
    for (const [left, sums] of states) {
      const room = Math.max(0, keep - (count - left));
      for (let show = 0; show <= left; show++) {
        const ways = choose(left, show) * weight ** BigInt(show);
        const more = value * Math.min(show, room);
        const into = after.get(left - show) ?? new Map<number, bigint>();
        after.set(left - show, into);
        for (const [sum, mass] of sums) into.set(sum + more, (into.get(sum + more) ?? 0n) + mass * ways);
      }
    }
    states = after;
  }
  const name = nameOf([law], (each) => `${place} ${String(keep)} of ${severally(count, each)}`);
  return collect(place, states.get(0) ?? [], name);
}

/** The sum of the highest `keep` of `count` draws: `highest(3, 4, d(6))` is 4d6, drop the lowest. */
export function highest(keep: number, count: number, law: Law): Law {
  return once('highest', [keep, count, checked(law)], () => best('highest', keep, count, law));
}

/** The sum of the lowest `keep` of `count` draws. */
export function lowest(keep: number, count: number, law: Law): Law {
  return once('lowest', [keep, count, checked(law)], () => best('lowest', keep, count, law));
}

/** What is read off sorted faces, those of each handful. */
type Reading = (...faces: Hand[]) => number;

/** What `f` reads off every combination of hands; the last handful changes fastest. */
function readings(handfuls: readonly (readonly Hand[])[], f: Reading): number[] {
  const [first, second, ...others] = handfuls;
  if (first === undefined) return [f()];
  if (second === undefined) return first.map((hand) => f(hand));
  // Two handfuls are the usual case: a call with its arguments as they are is twice as fast as one that spreads them.
  const after = (one: Hand): number[] =>
    others.length === 0
      ? second.map((other) => f(one, other))
      : readings([second, ...others], (...faces) => f(one, ...faces));
  const values: number[] = [];
  for (const one of first) for (const value of after(one)) values.push(value);
  return values;
}

/** The same of handfuls whose hands `f` might change: then they are frozen for it, and it is told so. */
function readFaces(handfuls: readonly HandsLaw[], f: Reading): readonly number[] {
  const read = (): readonly number[] =>
    readings(
      handfuls.map(({ copies }) => copies),
      f,
    );
  const frozen = handfuls.map(({ list }) => list);
  try {
    const values = read();
    return handfuls.every((each) => each.areWhole()) ? values : readings(frozen, f);
  } catch (error) {
    for (const each of handfuls) each.areWhole();
    throw error;
  }
}

/**
 * What `f` reads off the sorted faces of handfuls of dice, each in descending order:
 *
 * ```ts
 * const bestAgainstBest = hands([[3, 6], [2, 6]], ([attack = 0], [defence = 0]) => attack - defence);
 * ```
 * @param handfuls [count, sides] of each
 */
export function hands(
  handfuls: readonly (readonly [count: number, sides: number])[],
  f: (...faces: (readonly number[])[]) => number,
): Law {
  const all = listed('hands', 'a list of [count, sides]', handfuls).map(([dice, sides]) =>
    handsOf('hands', dice, sides),
  );
  const bits = handfuls.reduce((total, [dice, sides]) => total + dice * Math.log2(sides), 0);
  const together = all.reduce((product, { list }) => product * list.length, 1);
  affordable('hands', together, bits);
  const values = readFaces(all, f);
  return once('hands', handfuls.flat(), () => readOff(all, values), values);
}

/** @param values of `readFaces` */
function readOff(all: readonly HandsLaw[], values: readonly number[]): Law {
  let ways = [1n];
  for (const { weights } of all) ways = ways.flatMap((before) => weights.map((each) => before * each));
  return collect(
    'hands',
    values.map((value, k) => [value, ways[k] as bigint] as const),
  );
}
