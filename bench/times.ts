/** Nanoseconds per unit of work in the best sample of each turn, by contender. */
export type Times = ReadonlyMap<string, readonly number[]>;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Speedup of `fast` over `slow`: the median of the ratios of the turns. */
export function timesAsFast(times: Times, fast: string, slow: string): number {
  const [quick = [], long = []] = [times.get(fast), times.get(slow)];
  return median(long.map((time, turn) => time / (quick[turn] ?? Number.NaN)));
}
