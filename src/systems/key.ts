/** Names of lists of numbers. */

/** Before the digits of a list that has a number without a character of its own. */
const DIGITS = 0xffff;

/**
 * Tells lists of whole numbers apart: a character for each number from 0 to 65534. It takes a quarter of the time of
 * `join`, and its texts are shorter.
 */
export function keyOf(numbers: readonly number[]): string {
  for (const number of numbers) {
    if ((number & DIGITS) !== number || number === DIGITS) return `${String.fromCharCode(DIGITS)}${numbers.join()}`;
  }
  return String.fromCharCode(...numbers);
}
