/** A run that is to tell the mean of a metric. */

import { ALPHA } from './analysis-schedule.ts';
import { ConfidenceSequence } from './confidence-sequence.ts';
import { type Counts, getBattleCount, listValueCounts } from './counts.ts';
import { computeMaxHalfWidth, type HalfWidthTarget } from './half-width-target.ts';
import type { Interval } from './intervals.ts';
import { computeMeanInterval } from './mean-interval.ts';
import { isMeanNarrow, LEVEL, scheduleMeanAnalyses, Z } from './mean-schedule.ts';
import { computeSampleMoments, type SampleMoments } from './sample-moments.ts';

export class MeanCriterion {
  /** Numbers of battles, ascending. */
  readonly analyses: readonly number[];
  /** By how much the confidence of the interval at a look falls short of 1. */
  readonly level: number;
  readonly #aim: HalfWidthTarget;
  readonly #metric: number;
  readonly #range: Interval;
  readonly #bets: ConfidenceSequence | undefined;

  /**
   * @param aim    in steps of the metric's unit, as is the range
   * @param metric its place among the metrics
   * @param most   battles that may be played
   */
  constructor(aim: HalfWidthTarget, metric: number, range: Interval, most: number, bounded: boolean) {
    const width = range[1] - range[0];
    this.#aim = aim;
    this.#metric = metric;
    this.#range = range;
    this.#bets = bounded
      ? new ConfidenceSequence(Math.max(1 / most, computeMaxHalfWidth(aim, 0) / Math.max(1, width)))
      : undefined;
    this.analyses = scheduleMeanAnalyses(aim, range, most, bounded);
    this.level = bounded ? ALPHA : LEVEL;
  }

  get most(): number {
    return this.analyses.at(-1) ?? 0;
  }

  /** Battles of the next look after those of a tally; undefined if they are enough. */
  nextAnalysis(tally: Counts): number | undefined {
    const battles = getBattleCount(tally);
    if (battles > 0 && this.isReached(tally)) return undefined;
    return this.analyses.find((look) => look > battles);
  }

  /** True if the tally of a look is precise enough. */
  isReached(tally: Counts): boolean {
    const sample = this.#sample(tally);
    return this.analyses.includes(sample.battles) && isMeanNarrow(this.#interval(sample), sample.mean, this.#aim);
  }

  /** In steps of the metric's unit. */
  interval(tally: Counts): Interval {
    return this.#interval(this.#sample(tally));
  }

  #sample(tally: Counts): SampleMoments {
    return computeSampleMoments(listValueCounts(tally, this.#metric), this.#range);
  }

  #interval(sample: SampleMoments): Interval {
    return this.#bets?.interval(sample, ALPHA / 2) ?? computeMeanInterval(sample, Z);
  }
}
