/** What a law tells, as numbers in double precision: each is computed in whole numbers and rounded once. */
import type { Law } from '../chance/door.ts';
import { ratio } from '../chance/laws.ts';
import { entriesOf, totalOf } from './law.ts';

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
  const weight = entriesOf(law).reduce((sum, [value, each]) => (counts(value) ? sum + each : sum), 0n);
  return ratio(weight, totalOf(law));
}

/** [value, probability] of the values that come, in ascending order. */
export function distribution(law: Law): [value: number, probability: number][] {
  const total = totalOf(law);
  return entriesOf(law).map(([value, weight]) => [value, ratio(weight, total)]);
}

/** The sum of the weights by powers of the values: 1, the values, their squares. */
function powerSums(law: Law): readonly [total: bigint, first: bigint, second: bigint] {
  let [total, first, second] = [0n, 0n, 0n];
  for (const [value, weight] of entriesOf(law)) {
    const each = BigInt(value);
    total += weight;
    first += weight * each;
    second += weight * each * each;
  }
  return [total, first, second];
}

/** The mean of a law. */
export function mean(law: Law): number {
  const [total, first] = powerSums(law);
  return quotient(first, total);
}

/** The standard deviation. */
export function deviation(law: Law): number {
  const [total, first, second] = powerSums(law);
  return Math.sqrt(quotient(total * second - first * first, total * total));
}
