/** Quantile tables as the compiler walks them. */

/** The outcomes of a quantile table that some word gives, and the thresholds between them. */
export interface Ways {
  readonly thresholds: readonly number[];
  readonly outcomes: readonly number[];
}

export function waysOf(table: Uint32Array): Ways {
  const thresholds: number[] = [];
  const outcomes: number[] = [];
  let below = 0;
  for (const [k, threshold] of table.entries()) {
    if (threshold === below) continue;
    outcomes.push(k);
    thresholds.push(threshold);
    below = threshold;
  }
  return { thresholds, outcomes: [...outcomes, table.length] };
}
