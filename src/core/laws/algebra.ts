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
import type { When } from './figures.ts';
import {
  affordable,
  bitsOf,
  COUNT_MAX,
  collect,
  divisor,
  entriesOf,
  given,
  type Lawlike,
  nameOf,
  once,
  refuse,
  renamed,
  totalOf,
  VALUES_MAX,
  valuesOf,
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
