/** Stopping criterion of a run that estimates the mean of a metric. */

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
  /** Error rate of the interval at an interim analysis. */
  readonly level: number;
  readonly #aim: HalfWidthTarget;
  readonly #metric: number;
  readonly #range: Interval;
  readonly #bets: ConfidenceSequence | undefined;

  /**
   * @param aim in steps of the unit of the metric, like the range
   * @param metric index of the metric
   * @param most maximum number of battles
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

  /** Returns the battles of the next interim analysis; undefined if the present counts suffice. */
  nextAnalysis(counts: Counts): number | undefined {
    const battles = getBattleCount(counts);
    if (battles > 0 && this.isReached(counts)) return undefined;
    return this.analyses.find((analysis) => analysis > battles);
  }

  /** Returns true if the counts of an interim analysis are precise enough. */
  isReached(counts: Counts): boolean {
    const sample = this.#sample(counts);
    return (
      this.analyses.includes(sample.battles) && isMeanNarrow(this.#computeInterval(sample), sample.mean, this.#aim)
    );
  }

  /** Computes the interval in steps of the unit of the metric. */
  interval(counts: Counts): Interval {
    return this.#computeInterval(this.#sample(counts));
  }

  #sample(counts: Counts): SampleMoments {
    return computeSampleMoments(listValueCounts(counts, this.#metric), this.#range);
  }

  #computeInterval(sample: SampleMoments): Interval {
    return this.#bets?.interval(sample, ALPHA / 2) ?? computeMeanInterval(sample, Z);
  }
}
