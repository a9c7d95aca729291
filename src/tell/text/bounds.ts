/** Bounds as text. */
import type { Bounds } from '../../answers/index.ts';
import { plain } from './digits.ts';

/** `0.45 .. 0.55`, `at least 0.45`, `at most 12`. */
export function boundsText([low, high]: Bounds): string {
  if (low === Number.NEGATIVE_INFINITY) return `at most ${plain(high)}`;
  return high === Number.POSITIVE_INFINITY ? `at least ${plain(low)}` : `${plain(low)} .. ${plain(high)}`;
}
