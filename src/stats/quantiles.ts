/** Quantiles of the normal and of Student's t distribution at any level, for simultaneous intervals. */
import { ln } from '../core/index.ts';

const HALF_LN_2PI = 0.9189385332046727;

/**
 * Computes the density of the standard normal distribution at z over P(Z > z): Laplace's continued fraction (Abramowitz
 * and Stegun 26.2.14).
 */
function computeHazard(z: number): number {
  // The further out, the fewer steps are needed.
  let fraction = z;
  for (let k = 20 + Math.ceil(400 / Math.max(1, z * z)); k >= 1; k--) fraction = z + k / fraction;
  return fraction;
}

/** Bisects an interval to find the root of a falling function. */
function findRoot(falling: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (falling(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Computes the value that a standard normal variable exceeds with probability `tail`, accurate to 2e-9, and the same on
 * every machine.
 * @param tail 1e-300..0.3
 */
export function normalUpper(tail: number): number {
  // Newton's iteration on ln P(Z > z), which is concave: it converges from above.
  const target = ln(tail);
  let z = Math.sqrt(-2 * target);
  for (let turn = 0; turn < 20; turn++) {
    const rate = computeHazard(z);
    const step = (-(z * z) / 2 - HALF_LN_2PI - ln(rate) - target) / rate;
    z += step;
    if (Math.abs(step) <= 1e-12 * z) break;
  }
  return z;
}

/**
 * Computes P(|T| <= sqrt(degrees) tan(angle)) of Student's t distribution with whole degrees of freedom (Abramowitz and
 * Stegun 26.7.3, 26.7.4).
 */
function computeStudentProbability(angle: number, degrees: number): number {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const odd = degrees % 2;
  let term = odd === 1 ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let k = 2 + odd; k <= degrees - 2; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    sum += term;
  }
  return odd === 1 ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}

/**
 * Computes the value that a Student's t variable exceeds with probability `tail`: exact up to 30 degrees of freedom,
 * then by the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), accurate to 2e-3 of the value down to tails of
 * 1e-4.
 */
export function studentUpper(tail: number, degrees: number): number {
  if (degrees <= 30) {
    const angle = findRoot((at) => 1 - 2 * tail - computeStudentProbability(at, degrees), 0, Math.PI / 2);
    return Math.sqrt(degrees) * Math.tan(angle);
  }
  const z = normalUpper(tail);
  const square = z * z;
  // Powers by products, which are the same on every machine.
  const one = (square + 1) / 4;
  const two = ((5 * square + 16) * square + 3) / 96;
  const three = (((3 * square + 19) * square + 17) * square - 15) / 384;
  return z * (1 + (one + (two + three / degrees) / degrees) / degrees);
}
