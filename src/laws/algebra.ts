/**
 * Laws of dice and what tables do with them. All weights are whole numbers, so every probability is exact; a law is
 * drawn with one word of a battle's stream, enumerated by the exact solver, and told as one number.
 *
 * ```ts
 * const hits = times(5, map(d(6), (face) => Number(face >= 4)));
 * probability(hits, (count) => count >= 3); // 0.5
 * ```
 */
import { affordable, bitsOf, collect, entriesOf, type Law, refuse, totalOf, VALUES_MAX, whole } from './law.ts';

const COUNT_MAX = 10_000;

/** Tells which values something is done to. */
export type When = (value: number) => boolean;

/** One value, always. */
export function constant(value: number): Law {
  return collect('constant', [[value, 1n]]);
}

/**
 * A die with faces 1..sides.
 * @param sides 1..65536
 */
export function d(sides: number): Law {
  whole('d', 'sides', sides, 1, VALUES_MAX);
  return { offset: 1, weights: new Array<bigint>(sides).fill(1n) };
}

/** A die with these faces, each as likely as the others; one that stands twice is twice as likely. */
export function die(faces: readonly number[]): Law {
  return collect(
    'die',
    faces.map((face) => [face, 1n] as const),
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
  return collect('table', Array.from(entries, read));
}

/** What `f` makes of each value. */
export function map(law: Law, f: (value: number) => number): Law {
  return collect(
    'map',
    entriesOf(law).map(([value, weight]) => [f(value), weight] as const),
  );
}

/** What `f` makes of two values that are drawn independently. */
export function combine(a: Law, b: Law, f: (a: number, b: number) => number): Law {
  const others = entriesOf(b);
  affordable('combine', a.weights.length * others.length, bitsOf(a) + bitsOf(b));
  return collect(
    'combine',
    entriesOf(a).flatMap(([x, weight]) => others.map(([y, other]) => [f(x, y), weight * other] as const)),
  );
}

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

/** The sum of values that are drawn independently; of none 0. */
export function sum(...laws: readonly Law[]): Law {
  const all = laws.reduce((total, law) => convolved('sum', total, law), constant(0));
  return collect('sum', entriesOf(all));
}

/**
 * The sum of several draws from one law: `times(3, d(10))` is 3d10.
 * @param count 0..10000
 */
export function times(count: number, law: Law): Law {
  whole('times', 'draws', count, 0, COUNT_MAX);
  affordable('times', ((count * (law.weights.length - 1)) / 2) ** 2, count * Math.log2(Number(totalOf(law))));
  let [result, power] = [constant(0), law];
  // Squares of squares: as many products as the count has bits.
  for (let left = count; left > 0; left >>= 1) {
    if (left & 1) result = convolved('times', result, power);
    if (left > 1) power = convolved('times', power, power);
  }
  return collect('times', entriesOf(result));
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
function best(place: string, keep: number, count: number, law: Law, order: 1 | -1): Law {
  whole(place, 'draws', count, 0, COUNT_MAX);
  whole(place, 'draws to keep', keep, 0, count);
  const sums = 1 + keep * (law.weights.length - 1);
  affordable(place, (law.weights.length * sums * count ** 2) / 2, count * Math.log2(Number(totalOf(law))));
  // Weights by [draws left, sum so far].
  let states = new Map<number, Map<number, bigint>>([[count, new Map([[0, 1n]])]]);
  for (const [value, weight] of entriesOf(law).sort(([a], [b]) => order * (b - a))) {
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
  return collect(place, states.get(0) ?? []);
}

/** The sum of the highest `keep` of `count` draws: `highest(3, 4, d(6))` is 4d6, drop the lowest. */
export function highest(keep: number, count: number, law: Law): Law {
  return best('highest', keep, count, law, 1);
}

/** The sum of the lowest `keep` of `count` draws. */
export function lowest(keep: number, count: number, law: Law): Law {
  return best('lowest', keep, count, law, -1);
}

/**
 * Values for which `when` is true are drawn again.
 * @param limit how often at most, 1 unless said otherwise; with Infinity until another comes
 */
export function reroll(law: Law, when: When, limit = 1): Law {
  const entries = entriesOf(law);
  const kept = entries.filter(([value]) => !when(value));
  if (limit === Number.POSITIVE_INFINITY) {
    if (kept.length === 0) refuse('reroll', 'a value that is not drawn again', 'none');
    return collect('reroll', kept);
  }
  whole('reroll', 'draws', limit, 0, COUNT_MAX);
  affordable('reroll', limit * law.weights.length, (limit + 1) * Math.log2(Number(totalOf(law))));
  let result = law;
  for (let k = 0; k < limit; k++) {
    const theirs = totalOf(result);
    const again = entries.reduce((total, [value, weight]) => (when(value) ? total + weight : total), 0n);
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
  whole('explode', 'draws', limit, 1, 100);
  affordable('explode', (limit * law.weights.length) ** 2, (limit + 1) * Math.log2(Number(totalOf(law))));
  let result = law;
  for (let k = 0; k < limit; k++) {
    const scale = totalOf(result);
    const further = result;
    result = collect(
      'explode',
      entriesOf(law).flatMap(([value, weight]) =>
        when(value)
          ? entriesOf(further).map(([more, other]) => [value + more, weight * other] as const)
          : [[value, weight * scale] as const],
      ),
    );
  }
  return result;
}

/** 1 where the first is greater, -1 where the second is, 0 where they are equal. */
export function compare(a: Law, b: Law): Law {
  return combine(a, b, (x, y) => Math.sign(x - y));
}
