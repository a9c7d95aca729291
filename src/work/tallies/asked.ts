/** What a run that is kept is asked for. */

import { Target } from '../../answers/precision.ts';
import { wishOf } from '../../answers/wish.ts';
import { opened } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';
import { type RunAsked, stretchOf } from '../../studies/asked.ts';

/** What a run is, and how it is cut. */
export interface PrepareRunOptions extends RunAsked {
  /** Battles of a range, 1 or more; follows from the run unless said otherwise. */
  readonly rangeSize?: number | undefined;
}

/** One past the last battle that a run can have. */
export function endOf(scenario: Scenario, { bounded = false, ...options }: PrepareRunOptions): number {
  const { shape } = opened(scenario);
  const { from, battles } = stretchOf(options);
  const wish = wishOf(shape, options);
  return from + (wish === undefined ? battles : Math.min(battles, new Target(shape, wish, battles, bounded).most));
}
