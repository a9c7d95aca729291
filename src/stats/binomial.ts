/**
 * Tails of the binomial distribution and the exact interval of a probability. Uses only the four operations and square
 * roots, so that results are the same on every machine.
 */
import { exp, ln } from '../core/index.ts';
import type { Interval } from './intervals.ts';

const HALF_LN_2PI = 0.9189385332046727;

/** Terms below this fraction of a sum are negligible. */
const NEGLIGIBLE = 1e-17;

/**
 * Computes ln n! minus Stirling's formula (C. Loader, Fast and accurate computation of binomial probabilities, 2000).
 */
function computeStirlingError(n: number): number {
  if (n >= 16) {
    const square = n * n;
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n;
  }
  let factorial = 1;
  for (let k = 2; k <= n; k++) factorial *= k;
  return ln(factorial) - ((n + 0.5) * ln(n) - n + HALF_LN_2PI);
}

/** Computes Loader's deviance x ln(x / mean) + mean - x, without cancellation if x is close to the mean. */
function computeDeviance(x: number, mean: number): number {
  const gap = x - mean;
  const v = gap / (x + mean);
  if (Math.abs(v) >= 0.1) return x * ln(x / mean) + mean - x;
  let [sum, term] = [gap * v, 2 * x * v];
  for (let odd = 3; ; odd += 2) {
    term *= v * v;
    const next = sum + term / odd;
    if (next === sum) return sum;
    sum = next;
  }
}

/** Computes the logarithm of the probability of x successes, 0 < x < n. */
function computeLogPoint(x: number, n: number, p: number): number {
  const error = computeStirlingError(n) - computeStirlingError(x) - computeStirlingError(n - x);
  const shape = (ln(n) - ln(x) - ln(n - x)) / 2 - HALF_LN_2PI;
  return error + shape - computeDeviance(x, n * p) - computeDeviance(n - x, n * (1 - p));
}

/** Computes P(X >= x) over P(X = x); fast if x is above the mean. */
function tailOverPoint(x: number, n: number, p: number): number {
  const odds = p / (1 - p);
  let [sum, term] = [1, 1];
  for (let k = x; k < n && term > NEGLIGIBLE * sum; k++) {
    term *= ((n - k) / (k + 1)) * odds;
    sum += term;
  }
  return sum;
}

/**
 * Computes ln P(X >= x) of n trials of probability p; 0 if x is not above the mean, as a bound.
 * @param x 0..n
 * @param p 0..1, exclusive
 */
export function computeLogTail(x: number, n: number, p: number): number {
  if (x <= n * p) return 0;
  if (x === n) return n * ln(p);
  return computeLogPoint(x, n, p) + ln(tailOverPoint(x, n, p));
}

/** Finds the p at which at least this number of successes has probability e^target. */
function findLowerBound(x: number, n: number, target: number): number {
  if (x === 0) return 0;
  if (x === n) return exp(target / n);
  // Newton's iteration on ln P(X >= x), which is concave in p: after one step it converges from below.
  const share = x / n;
  const reach = -2 * target;
  let p = Math.max(share / 2, share - Math.sqrt((reach * share * (1 - share)) / n));
  for (let turn = 0; turn < 60; turn++) {
    const tail = tailOverPoint(x, n, p);
    const next = p + ((target - computeLogPoint(x, n, p) - ln(tail)) * tail * p) / x;
    const kept = next > 0 ? next : p / 4;
    if (Math.abs(kept - p) <= 1e-14 * p) break;
    p = Math.min(kept, share);
  }
  return p;
}

/**
 * Computes the interval of C. Clopper and E. Pearson (Biometrika 1934): it misses the true probability on either side
 * with probability at most `level / 2`, for any probability and number of trials.
 * @param count successes, 0..trials
 * @param trials at least 1
 * @param level error rate
 */
export function clopperPearson(count: number, trials: number, level: number): Interval {
  const target = ln(level / 2);
  return [findLowerBound(count, trials, target), 1 - findLowerBound(trials - count, trials, target)];
}

/**
 * Computes `clopperPearson` at 95 %. Wilson's interval (1927) is narrower, but for few successes its coverage drops to
 * 92 % at some probabilities (0.001, 1 000 trials).
 */
export function clopperPearson95(count: number, trials: number): Interval {
  return clopperPearson(count, trials, 0.05);
}
