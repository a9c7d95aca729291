/** What a run that is kept is asked for. */

import { Target } from '../../answers/precision.ts';
import { wishOf } from '../../answers/wish.ts';
import { MAX_BATTLES, parseCount } from '../../core/chance/stream.ts';
import { BATTLES } from '../../core/limits.ts';
import { opened } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';
import type { RunAsked } from '../../studies/simulate.ts';

/** What a run is, and how it is cut. */
export interface PrepareRunOptions extends RunAsked {
  /** Battles of a range, 1 or more; follows from the run unless said otherwise. */
  readonly rangeSize?: number | undefined;
}

/** One past the last battle that a run can have. */
export function endOf(
  scenario: Scenario,
  { from = 0, battles: asked, bounded = false, ...options }: PrepareRunOptions,
): number {
  const { shape } = opened(scenario);
  const room = MAX_BATTLES - from;
  const battles = parseCount(asked ?? (options.precision === undefined ? BATTLES : room), 'battles', 1, room);
  const wish = wishOf(shape, options);
  return from + (wish === undefined ? battles : Math.min(battles, new Target(shape, wish, battles, bounded).most));
}
