/** Summaries of measurements. */

/** Formats median, minimum and maximum. @param {number[]} values @param {number} digits */
export function told(values, digits) {
  const sorted = values.toSorted((a, b) => a - b);
  const [middle, least, most] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)];
  return [middle, least, most].map((value) => (value ?? 0).toFixed(digits));
}
