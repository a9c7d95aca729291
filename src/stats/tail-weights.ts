/** Computes the shares of battles with worse, equal and better results than a given one. */
import { type Counts, listValueCounts } from './counts.ts';

/** Rank of an outcome in the order of results. */
export interface OutcomeRank {
  /** Results of a lower rank are worse than all of a higher one. */
  readonly rank: number;
  /** Order within a rank: the index of a metric, and whether more of it is better. Without it all are equal. */
  readonly by?: { readonly metric: number; readonly more: 1 | -1 } | undefined;
}

/** A result: an outcome, and the value of the metric that orders it, in steps of its unit. */
export interface RankedEnd {
  readonly outcome: number;
  readonly value: number;
}

/** Battles, or probabilities of an exact distribution. */
export interface TailWeights {
  readonly worse: number;
  /** Weight of equal results. */
  readonly same: number;
  readonly better: number;
}

/**
 * Computes the weights of the results on both sides of one.
 * @param standings by outcome
 */
export function computeTailWeights(
  counts: Counts,
  standings: readonly OutcomeRank[],
  { outcome, value }: RankedEnd,
): TailWeights {
  const here = standings[outcome] ?? { rank: 0 };
  const computeHeight = (value: number, { by }: OutcomeRank): number => (by === undefined ? 0 : by.more * value);
  const at = computeHeight(value, here);
  const tails = { worse: 0, same: 0, better: 0 };
  const count = (apart: number, weight: number): void => {
    if (apart < 0) tails.worse += weight;
    else if (apart > 0) tails.better += weight;
    else tails.same += weight;
  };
  for (const [o, weight] of counts.outcomes.entries()) {
    const there = standings[o] ?? { rank: 0 };
    if (there.rank !== here.rank || there.by === undefined) count(there.rank - here.rank, weight);
    else
      for (const [each, part] of listValueCounts(counts, there.by.metric, o))
        count(computeHeight(each, there) - at, part);
  }
  return tails;
}
