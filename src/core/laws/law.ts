/**
 * Exact laws of whole numbers: how one is made, and what it tells. Value offset + k of a law has probability weights[k] /
 * sum of the weights. The first and the last weight are above 0, and the weights have no common divisor.
 */
import type { Law } from '../chance/door.ts';
import { ratio } from '../chance/laws.ts';
import { Bounded, canonical, isEqual, mixed, ROOM, refuse, takenOf, VALUES_MAX } from '../chance/taken.ts';

export { refuse, VALUES_MAX };

/** Bits of the sum of the weights: 4096 are those of 1584 six-sided dice. */
const BITS_MAX = 2 ** 12;

/** Draws from one law. */
export const COUNT_MAX = 10_000;

/** Products of weights that making one law may take: some seconds of the largest weights. */
const PRODUCTS_MAX = 2 ** 23;

/** Checks a whole number. */
export function whole(place: string, what: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(place, `${what} ${String(least)}..${String(most)}`, value);
}

/** Checks a list. */
export function listed<T extends Iterable<unknown>>(place: string, what: string, value: T): T {
  return typeof value === 'object' && (value as T | null) !== null && Symbol.iterator in value
    ? value
    : refuse(place, what, value);
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

export function divisor(a: bigint, b: bigint): bigint {
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
 * @param name  what a replay calls it
 */
export function collect(
  place: string,
  entries: Iterable<readonly [value: number, weight: bigint]>,
  name?: string,
): Law {
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
  return canonical({
    offset: least,
    weights: Array.from({ length: most - least + 1 }, (_, k) => (weights.get(least + k) ?? 0n) / common),
    ...(name !== undefined && { name }),
  });
}

/** What a function takes as a law: a number is one that always gives it. */
export type Lawlike = Law | number;

interface Made {
  readonly law: Law;
  readonly values: readonly number[];
}

const made = new Bounded<Made>(ROOM);

/** The most values of a function that are compared: a law of more is made at every call. */
const COMPARED_MAX = 2 ** 18;

const NONE: readonly number[] = [];

/**
 * Makes a law once, by what is called with what: rules may call it at every step. In place of a function there are the
 * values that it gives, for the same function may give others later.
 * @param values of a function of several arguments; they may be many
 */
export function once(call: string, args: readonly Lawlike[], make: () => Law, values: readonly number[] = NONE): Law {
  if (values.length > COMPARED_MAX) return make();
  const asked = args.map((arg) => (typeof arg === 'object' ? `#${String(takenOf(arg).id)}` : arg)).join();
  const key = `${call} ${asked} ${String(mixed(values.length, values))}`;
  const known = made.get(key);
  if (known !== undefined && isEqual(known.values, values)) return known.law;
  const law = make();
  made.set(key, { law, values }, takenOf(law).size + values.length + key.length / 8);
  return law;
}

/** One value, always. */
export function constant(value: number): Law {
  return once('constant', [value], () => collect('constant', [[value, 1n]], String(value)));
}

/** @throws RangeError if it is no law */
export function checked(law: Law): Law {
  return takenOf(law).law;
}

/** @throws RangeError if it is neither law nor number */
export function given(law: Lawlike): Law {
  return typeof law === 'number' ? constant(law) : checked(law);
}

/** The values of a law that come, in ascending order. */
export function valuesOf(law: Law): readonly number[] {
  return takenOf(law).distribution.values;
}

/** [value, weight] of the values that come, in ascending order. */
export function entriesOf({ offset, weights }: Law): [value: number, weight: bigint][] {
  return [...weights.entries()]
    .filter(([, weight]) => weight > 0n)
    .map(([k, weight]) => [offset + k, weight] as [number, bigint]);
}

/** A name from those of the laws that it is made of, if all of them have one. */
export function nameOf(laws: readonly Law[], tell: (...names: string[]) => string): string | undefined {
  const names = laws.flatMap(({ name }) => name ?? []);
  return names.length === laws.length ? tell(...names) : undefined;
}

/** The same law under a name, which replays tell with its values. */
export function named(name: string, law: Law): Law {
  return canonical({ ...law, name });
}

/** A law that was made of another, under a name from that one's. */
export function renamed(law: Law, from: Law, tell: (name: string) => string): Law {
  const name = nameOf([from], tell);
  return name === undefined ? law : named(name, law);
}

// What a law tells, as numbers in double precision: each is computed in whole numbers and rounded once.

/** Tells which values something is done to. */
export type When = (value: number) => boolean;

/** A quotient of whole numbers, the lower one above 0. */
function quotient(above: bigint, below: bigint): number {
  return above < 0n ? -ratio(-above, below) : ratio(above, below);
}

/**
 * The probability of a value, or of all values for which `when` is true.
 * @returns 0..1
 */
export function probability(law: Law, when: number | When): number {
  const counts = typeof when === 'number' ? (value: number) => value === when : when;
  const weight = entriesOf(checked(law)).reduce((sum, [value, each]) => (counts(value) ? sum + each : sum), 0n);
  return ratio(weight, totalOf(law));
}

/** [value, probability] of the values that come, in ascending order. */
export function distribution(law: Law): [value: number, probability: number][] {
  const entries = entriesOf(checked(law));
  const total = totalOf(law);
  return entries.map(([value, weight]) => [value, ratio(weight, total)]);
}

/** The sum of the weights by powers of the values: 1, the values, their squares. */
function powerSums(law: Law): readonly [total: bigint, first: bigint, second: bigint] {
  let [total, first, second] = [0n, 0n, 0n];
  for (const [value, weight] of entriesOf(checked(law))) {
    const each = BigInt(value);
    total += weight;
    first += weight * each;
    second += weight * each * each;
  }
  return [total, first, second];
}

/** The mean of a law. @throws RangeError if it is none */
export function mean(law: Law): number {
  const [total, first] = powerSums(law);
  return quotient(first, total);
}

/** The standard deviation. @throws RangeError if it is no law */
export function deviation(law: Law): number {
  const [total, first, second] = powerSums(law);
  return Math.sqrt(quotient(total * second - first * first, total * total));
}
