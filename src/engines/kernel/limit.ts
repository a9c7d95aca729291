/** When battles are followed to the limit of their rounds, though all that is left of them is below what matters. */

/** Moves that may be made for that, and those that a round takes whatever its transitions: a tenth of a millisecond. */
const TO_LIMIT = { moves: 200_000, round: 100 };

/**
 * Whether the limit is near enough: no outcome but the stalemate there changes by it.
 * @param rounds      that are left
 * @param transitions that mass moves over in each
 */
export function nearsLimit(rounds: number, transitions: number): boolean {
  return rounds * (transitions + TO_LIMIT.round) <= TO_LIMIT.moves;
}
