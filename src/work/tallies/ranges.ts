/** How a run is cut into ranges of battles, one for each file of tallies: it follows from the run alone. */
import { opened } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';

/** The most ranges of a run whose number of battles is known beforehand. */
export const RANGES_MAX = 10_000;

/**
 * The fewest battles of a range: with a kernel some seconds of two cores, up to a minute where battles are long; by rules
 * in TypeScript alone the same. To write its tally takes some milliseconds.
 */
const LEAST = { kernel: 2 ** 28, rules: 2 ** 22 };

/** Battles from..to-1. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A run that is cut. */
export interface Cuttable extends Range {
  /** Battles of a range; the last one may have fewer. */
  readonly rangeSize: number;
}

/**
 * Battles of a range: the least power of two that gives no more ranges than there may be.
 * @param battles of the run; 0 if only playing tells how many there will be
 */
export function rangeSizeOf(scenario: Scenario, battles: number): number {
  let size = opened(scenario).words() === undefined ? LEAST.rules : LEAST.kernel;
  while (battles / size > RANGES_MAX) size *= 2;
  return size;
}

/** How many ranges a run has. */
export const rangesIn = ({ from, to, rangeSize }: Cuttable): number => Math.ceil((to - from) / rangeSize);

/** The range that a battle of a run is in. */
export const rangeAt = ({ from, rangeSize }: Cuttable, battle: number): number =>
  Math.floor((battle - from) / rangeSize);

/** Battles from..to-1 of a run, cut where its ranges end. */
export function* cutAt(run: Cuttable, { from, to }: Range): Generator<Range> {
  for (let at = from; at < to; ) {
    const end = Math.min(to, run.from + (rangeAt(run, at) + 1) * run.rangeSize);
    yield { from: at, to: end };
    at = end;
  }
}
