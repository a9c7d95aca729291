/** Samples from known distributions without battles: counts of each value in n draws, generated at once. */
import { Stream } from '../../src/core/chance/stream.ts';

/** Generator of numbers in the open interval 0..1. */
export type Uniform = () => number;

export function uniformOf(seed: bigint, run: number): Uniform {
  const stream = Stream.forBattle(seed, run);
  return () => (stream.word() + 0.5) / 2 ** 32;
}

/** Computes ln n! to 1e-12. */
function lnFactorial(n: number): number {
  if (n < 32) {
    let product = 1;
    for (let k = 2; k <= n; k++) product *= k;
    return Math.log(product);
  }
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
}

/** Draws the number of successes of n trials by inversion, starting from the most likely value. */
export function binomialDraw(uniform: Uniform, n: number, p: number): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const odds = p / (1 - p);
  const ways = lnFactorial(n) - lnFactorial(mode) - lnFactorial(n - mode);
  const point = Math.exp(ways + mode * Math.log(p) + (n - mode) * Math.log1p(-p));
  let rest = uniform() - point;
  let [low, high, below, above] = [mode, mode, point, point];
  while (rest > 0 && below + above > 1e-18) {
    above *= ((n - high) / (high + 1)) * odds;
    high++;
    rest -= above;
    if (rest <= 0) return high;
    below *= low / (n - low + 1) / odds;
    low--;
    rest -= below;
    if (rest <= 0) return low;
  }
  return mode;
}

/** Probability distribution: values in ascending order with their probabilities. */
export type Law = readonly (readonly [value: number, probability: number])[];

export function meanOf(exactDistribution: Law): number {
  return exactDistribution.reduce((sum, [value, p]) => sum + value * p, 0);
}

export function varianceOf(exactDistribution: Law): number {
  const mean = meanOf(exactDistribution);
  return exactDistribution.reduce((sum, [value, p]) => sum + (value - mean) ** 2 * p, 0);
}

/** Adds n draws from a distribution to the counts of its values. */
export function drawInto(counts: number[], exactDistribution: Law, n: number, uniform: Uniform): void {
  let [left, mass] = [n, 1];
  for (const [k, [, p]] of exactDistribution.entries()) {
    const part = k === exactDistribution.length - 1 ? left : binomialDraw(uniform, left, Math.min(1, p / mass));
    counts[k] = (counts[k] ?? 0) + part;
    left -= part;
    mass -= p;
  }
}
