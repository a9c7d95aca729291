/** Computes the payoffs of all matchups of a roster in this process, without a folder. */
import { addBattles } from './add-battles.ts';
import { type ComputeMatchupOptions, computeCellPayoffs, type MatchupResult } from './matchup-cells.ts';
import type { Roster } from './roster.ts';

/**
 * Computes the payoffs of all matchups, one cell after the other.
 * @param options with the maximum number of battles of matchups that leave results open
 * @throws InputError if the scenario of a matchup is rejected
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 * @throws AbortError if the signal aborts
 */
export async function computeMatchup(
  roster: Roster,
  { maxBattles, ...options }: ComputeMatchupOptions & { readonly maxBattles?: number | undefined },
): Promise<MatchupResult> {
  const cells = await computeCellPayoffs(roster, options);
  return { roster, folder: undefined, ...(await addBattles(roster, cells, maxBattles, options)) };
}
