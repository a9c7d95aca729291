/** How much of all battles ends worse, just so, or better than one: for whoever orders the endings. */
import { type Counts, listValueCounts } from './counts.ts';

/** Where the battles of one outcome stand in an order of endings. */
export interface OutcomeRank {
  /** Endings of a lower rank are worse than all of a higher one. */
  readonly rank: number;
  /** Among one rank: the metric that counts, by its index, and whether more of it is better. Without it all are alike. */
  readonly by?: { readonly metric: number; readonly more: 1 | -1 } | undefined;
}

/** One ending: an outcome, and the value of the metric that counts in it, in steps of its unit. */
export interface RankedEnd {
  readonly outcome: number;
  readonly value: number;
}

/** Battles, or probabilities of an exact law. */
export interface TailWeights {
  readonly worse: number;
  /** Endings that are neither better nor worse. */
  readonly same: number;
  readonly better: number;
}

/**
 * The weight of the endings on both sides of one.
 * @param standings by outcome
 */
export function computeTailWeights(
  tally: Counts,
  standings: readonly OutcomeRank[],
  { outcome, value }: RankedEnd,
): TailWeights {
  const here = standings[outcome] ?? { rank: 0 };
  const height = (value: number, { by }: OutcomeRank): number => (by === undefined ? 0 : by.more * value);
  const at = height(value, here);
  const tails = { worse: 0, same: 0, better: 0 };
  const count = (apart: number, weight: number): void => {
    if (apart < 0) tails.worse += weight;
    else if (apart > 0) tails.better += weight;
    else tails.same += weight;
  };
  for (const [o, weight] of tally.outcomes.entries()) {
    const there = standings[o] ?? { rank: 0 };
    if (there.rank !== here.rank || there.by === undefined) count(there.rank - here.rank, weight);
    else for (const [each, part] of listValueCounts(tally, there.by.metric, o)) count(height(each, there) - at, part);
  }
  return tails;
}
