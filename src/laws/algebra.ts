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
import { takenOf } from '../chance/taken.ts';
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
  whole,
} from './law.ts';

/**
 * A die with faces 1..sides.
 * @param sides 1..65536
 */
export function d(sides: number): Law {
  return once('d', [sides], [], () => {
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
  const parts = entriesOf(takenOf(law).law).map(([value, weight]) => {
    const made = f(value);
    const entries: [number, bigint][] = typeof made === 'object' ? entriesOf(takenOf(made).law) : [[made, 1n]];
    return { weight, entries, total: typeof made === 'object' ? totalOf(made) : 1n };
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

/** What `f` makes of two values that are drawn independently. */
export function combine(a: Lawlike, b: Lawlike, f: (a: number, b: number) => number): Law {
  return combined('combine', [given(a), given(b)], f);
}

type Pair = readonly [Law, Law];

function combined(place: string, [a, b]: Pair, f: (a: number, b: number) => number, name?: string): Law {
  const others = entriesOf(b);
  affordable(place, a.weights.length * others.length, bitsOf(a) + bitsOf(b));
  return collect(
    place,
    entriesOf(a).flatMap(([x, weight]) => others.map(([y, other]) => [f(x, y), weight * other] as const)),
    name,
  );
}

const against = (pair: Pair): string | undefined => nameOf(pair, (mine, theirs) => `${mine} against ${theirs}`);

/** 1 where the first is greater, -1 where the second is, 0 where they are equal. */
export function compare(a: Lawlike, b: Lawlike): Law {
  const pair: Pair = [given(a), given(b)];
  return once('compare', [], pair, () => combined('compare', pair, (x, y) => Math.sign(x - y), against(pair)));
}

/** What is left of a pool's successes when each of the other's has cancelled one: max(0, mine - theirs). */
export function opposed(mine: Lawlike, theirs: Lawlike): Law {
  const pair: Pair = [given(mine), given(theirs)];
  return once('opposed', [], pair, () => combined('opposed', pair, (x, y) => Math.max(0, x - y), against(pair)));
}

const rerolled = (name: string): string => `${name} rerolled`;

/**
 * Values for which `when` is true are drawn again.
 * @param limit how often at most, 1 unless said otherwise; with Infinity until another comes
 */
export function reroll(law: Law, when: When, limit = 1): Law {
  const entries = entriesOf(takenOf(law).law);
  const kept = entries.filter(([value]) => !when(value));
  if (limit === Number.POSITIVE_INFINITY) {
    if (kept.length === 0) refuse('reroll', 'a value that is not drawn again', 'none');
    return renamed(collect('reroll', kept), law, rerolled);
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
  return renamed(result, law, rerolled);
}

/**
 * After each draw for which `when` is true another is added.
 * @param limit how many at most are added, 1..100: dice that explode without end have no exact law
 */
export function explode(law: Law, when: When, limit: number): Law {
  const entries = entriesOf(takenOf(law).law);
  whole('explode', 'draws', limit, 1, 100);
  affordable('explode', (limit * law.weights.length) ** 2, (limit + 1) * Math.log2(Number(totalOf(law))));
  let result = law;
  for (let k = 0; k < limit; k++) {
    const scale = totalOf(result);
    const further = result;
    result = collect(
      'explode',
      entries.flatMap(([value, weight]) =>
        when(value)
          ? entriesOf(further).map(([more, other]) => [value + more, weight * other] as const)
          : [[value, weight * scale] as const],
      ),
    );
  }
  return renamed(result, law, (name) => `${name} exploding`);
}
