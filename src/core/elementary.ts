/**
 * Logarithm and exponential by the four operations, which IEEE 754 specifies exactly. The functions of `Math` may
 * differ between machines, but numbers that determine the length of a run must not.
 */

const LN2 = Math.LN2;

/** The golden section: fractional parts of its multiples are evenly spread for any number of them. */
export const GOLDEN_SECTION = (Math.sqrt(5) - 1) / 2;

/** Computes the natural logarithm of a normal number above 0, accurate to several units of the last place. */
export function ln(x: number): number {
  let [mantissa, exponent] = [x, 0];
  for (; mantissa > 1.5; mantissa /= 2) exponent++;
  for (; mantissa < 0.75; mantissa *= 2) exponent--;
  const s = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let odd = 35; odd >= 1; odd -= 2) sum = sum * s * s + 1 / odd;
  return exponent * LN2 + 2 * s * sum;
}

/** Computes the exponential of a number -700..700. */
export function exp(x: number): number {
  const twos = Math.round(x / LN2);
  const rest = x - twos * LN2;
  let value = 1;
  for (let k = 20; k >= 1; k--) value = 1 + (value * rest) / k;
  for (let k = 0; k < twos; k++) value *= 2;
  for (let k = 0; k > twos; k--) value /= 2;
  return value;
}
