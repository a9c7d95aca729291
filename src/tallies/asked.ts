/** What a run that is kept is asked for. */
import { parseCount } from '../chance/seed.ts';
import { MAX_BATTLES } from '../chance/stream.ts';
import { BATTLES } from '../limits.ts';
import type { RunAsked } from '../running/asked.ts';
import { Target } from '../stats/precision.ts';
import { wishOf } from '../stats/wish.ts';
import { opened } from '../systems/opened.ts';
import type { Scenario } from '../systems/system.ts';

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
