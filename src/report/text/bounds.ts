/** Bounds as text. */
import type { Bounds } from '../../stats/index.ts';
import { formatNumber } from './number-format.ts';

/** `0.45 .. 0.55`, `at least 0.45`, `at most 12`. */
export function formatBounds([low, high]: Bounds): string {
  if (low === Number.NEGATIVE_INFINITY) return `at most ${formatNumber(high)}`;
  return high === Number.POSITIVE_INFINITY
    ? `at least ${formatNumber(low)}`
    : `${formatNumber(low)} .. ${formatNumber(high)}`;
}
