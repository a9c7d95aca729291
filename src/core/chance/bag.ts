/**
 * Cubes from a bag: the quantile of the hypergeometric law, found while its weights are computed.
 *
 * There are too many bags for tables, so thresholds are computed in IEEE doubles: the share of the least
 * outcome as a product, each further one from the one before. Reference and kernel do the same operations in
 * the same order (assembly/core/bag.ts), and none but + - * /, so both have the same thresholds bit for bit.
 * Up to BAG_MAX cubes rounding moves a threshold by less than 2^-40 of the whole: see docs/randomness.md.
 */

/** As many cubes as a bag may hold for the stated error to hold. */
export const BAG_MAX = 400;

/**
 * How many marked cubes are among `count` cubes drawn from `size` cubes of which `marked` are marked.
 * @param word an unsigned 32-bit integer; a greater one never gives fewer marked cubes
 */
export function markedAmong(size: number, marked: number, count: number, word: number): number {
  const others = size - marked;
  const exhausted = count > others;
  const most = Math.min(count, marked);
  let drawn = exhausted ? count - others : 0;
  if (drawn === most) return drawn;
  // The least outcome: no marked cube is drawn, or no other cube is left behind.
  const a = exhausted ? size - count : count;
  const b = exhausted ? others : marked;
  const top = size - Math.max(a, b);
  let share = 2 ** 32;
  for (let i = 0, factors = Math.min(a, b); i < factors; i++) share = (share * (top - i)) / (size - i);
  let below = share;
  // floor(below) is the threshold; an integer word lies on or above it if word + 1 lies above `below`.
  while (drawn < most && below < word + 1) {
    share = (share * ((marked - drawn) * (count - drawn))) / ((drawn + 1) * (others - count + drawn + 1));
    below += share;
    drawn++;
  }
  return drawn;
}
