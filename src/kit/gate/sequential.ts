/**
 * Decides by few rounds where it can and by more where it must: a benchmark is measured on until its median lies clear of
 * its limit, or the rounds are used up.
 */

export type LimitDecision = 'within' | 'beyond' | 'undecided';

/** Rounds that it takes at least to pass and to fail, and at most. To fail takes more: disturbances only ever slow down. */
export const ROUNDS = { pass: 3, fail: 9, most: 15 };

/** Half the width of the interval around the median, in standard errors. */
const WIDTH = 2;

/** The least relative standard deviation of a round that is believed; three rounds can agree by chance. */
const LEAST_SPREAD = 0.004;

export interface MedianEstimate {
  /** The median. */
  readonly value: number;
  /** Half the width of its interval. */
  readonly range: number;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** The standard deviation is taken from the median of distances, which outliers do not move. */
export function estimate(rounds: readonly number[]): MedianEstimate {
  const value = median(rounds);
  const spread = 1.4826 * median(rounds.map((round) => Math.abs(round - value)));
  // The variance of a median is that of a mean times pi/2, for a normal distribution.
  const error = Math.max(spread, LEAST_SPREAD * value) * Math.sqrt(Math.PI / 2 / rounds.length);
  return { value, range: WIDTH * error };
}

/** Whether figures of so many rounds keep within a limit. */
export function decide(rounds: readonly number[], limit: number): LimitDecision {
  if (rounds.length < ROUNDS.pass) return 'undecided';
  const { value, range } = estimate(rounds);
  if (value + range < limit) return 'within';
  if (rounds.length >= ROUNDS.most) return value > limit ? 'beyond' : 'within';
  return rounds.length >= ROUNDS.fail && value - range > limit ? 'beyond' : 'undecided';
}
