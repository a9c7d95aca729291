/**
 * The interval of a standard deviation. The variance is the mean of the squared distances from the mean, and these are
 * bounded by the declared range: so it has the interval of a mean, `fixedInterval`, which counts what never came. That the
 * mean is estimated costs a degree of freedom. Normal theory (chi-square) is not used: it is wrong for every law whose
 * fourth moment is not that of a normal one, however many battles there are.
 */
import type { Interval } from './intervals.ts';
import { fixedInterval } from './mean-interval.ts';
import { sampleOfReals } from './sample.ts';

/**
 * @param pairs [value, count], of one battle or more
 * @param range the least and the greatest value that there can be
 */
export function deviationInterval(
  pairs: readonly (readonly [value: number, count: number])[],
  [low, high]: Interval,
): Interval {
  const { battles, mean } = sampleOfReals(pairs, [low, high]);
  const most = Math.max(mean - low, high - mean) ** 2;
  const squares = pairs.map(([value, count]) => [(value - mean) ** 2, count] as const);
  // Nothing in the range has a greater variance than this.
  const bound = (high - low) ** 2 / 4;
  const more = battles / Math.max(1, battles - 1);
  const [least, greatest] = fixedInterval(sampleOfReals(squares, [0, most]));
  return [Math.sqrt(Math.min(bound, Math.max(0, least * more))), Math.sqrt(Math.min(bound, greatest * more))];
}
