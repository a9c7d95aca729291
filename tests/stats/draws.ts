/** Runs of a known law without battles: how often each value comes in n draws, drawn as a whole. */
import { Stream } from '../../src/core/chance/stream.ts';

/** A number in 0..1, not its ends. */
export type Uniform = () => number;

export function uniformOf(seed: bigint, run: number): Uniform {
  const stream = Stream.forBattle(seed, run);
  return () => (stream.word() + 0.5) / 2 ** 32;
}

/** ln n!, to 1e-12. */
function lnFactorial(n: number): number {
  if (n < 32) {
    let product = 1;
    for (let k = 2; k <= n; k++) product *= k;
    return Math.log(product);
  }
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
}

/** Successes of n trials: the law's inverse, its values taken from the likeliest outwards. */
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

/** A law: values, ascending, and what is likely of them. */
export type Law = readonly (readonly [value: number, probability: number])[];

export function meanOf(law: Law): number {
  return law.reduce((sum, [value, p]) => sum + value * p, 0);
}

export function varianceOf(law: Law): number {
  const mean = meanOf(law);
  return law.reduce((sum, [value, p]) => sum + (value - mean) ** 2 * p, 0);
}

/** Adds to the counts of a law's values those of n more draws. */
export function drawInto(counts: number[], law: Law, n: number, uniform: Uniform): void {
  let [left, mass] = [n, 1];
  for (const [k, [, p]] of law.entries()) {
    const part = k === law.length - 1 ? left : binomialDraw(uniform, left, Math.min(1, p / mass));
    counts[k] = (counts[k] ?? 0) + part;
    left -= part;
    mass -= p;
  }
}
