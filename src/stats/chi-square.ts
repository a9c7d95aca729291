/** Upper tail of the chi-square distribution. */

/** Complementary error function for x >= 0: continued fraction and series (NIST DLMF 7.9.1, 7.6.1). */
function computeErfc(x: number): number {
  if (x < 2.5) {
    let [term, sum] = [x, x];
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= -(x * x) / n;
      sum += term / (2 * n + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let n = 100; n > 0; n--) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}

/**
 * Computes the probability that a chi-square variable exceeds a value (NIST DLMF 8.8.6).
 * @param value 0 or above
 * @param degrees degrees of freedom, a whole number from 1
 */
export function computeChiSquareTail(value: number, degrees: number): number {
  const x = value / 2;
  if (x <= 0) return 1;
  const isOdd = degrees % 2 === 1;
  let tail = isOdd ? computeErfc(Math.sqrt(x)) : Math.exp(-x);
  // Logarithm of x^a e^-x / Gamma(a + 1), from a = 1/2 or a = 1.
  let [a, logTerm] = isOdd ? [0.5, 0.5 * Math.log(x) - x - Math.log(Math.sqrt(Math.PI) / 2)] : [1, Math.log(x) - x];
  for (; a < degrees / 2; a++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(x) - Math.log(a + 1);
  }
  return Math.min(1, tail);
}
