/** A run that is to tell the mean of a metric. */
import { type Aim, allowed } from './aim.ts';
import { Bets } from './betting.ts';
import type { Interval } from './intervals.ts';
import { meanInterval } from './mean-interval.ts';
import { LEVEL, meanLooks, meanNarrow, Z } from './mean-looks.ts';
import { type Sample, sampleOf } from './sample.ts';
import { ALPHA } from './stopping.ts';
import { battlesIn, type Tally, valueCounts } from './tally.ts';

export class MeanGoal {
  /** Numbers of battles, ascending. */
  readonly looks: readonly number[];
  /** By how much the confidence of the interval at a look falls short of 1. */
  readonly level: number;
  readonly #aim: Aim;
  readonly #metric: number;
  readonly #range: Interval;
  readonly #bets: Bets | undefined;

  /**
   * @param aim    in steps of the metric's unit, as is the range
   * @param metric its place among the metrics
   * @param most   battles that may be played
   */
  constructor(aim: Aim, metric: number, range: Interval, most: number, bounded: boolean) {
    const width = range[1] - range[0];
    this.#aim = aim;
    this.#metric = metric;
    this.#range = range;
    this.#bets = bounded ? new Bets(Math.max(1 / most, allowed(aim, 0) / Math.max(1, width))) : undefined;
    this.looks = meanLooks(aim, range, most, bounded);
    this.level = bounded ? ALPHA : LEVEL;
  }

  get most(): number {
    return this.looks.at(-1) ?? 0;
  }

  /** Battles of the next look after those of a tally; undefined if they are enough. */
  next(tally: Tally): number | undefined {
    const battles = battlesIn(tally);
    if (battles > 0 && this.reached(tally)) return undefined;
    return this.looks.find((look) => look > battles);
  }

  /** True if the tally of a look is precise enough. */
  reached(tally: Tally): boolean {
    const sample = this.#sample(tally);
    return this.looks.includes(sample.battles) && meanNarrow(this.#interval(sample), sample.mean, this.#aim);
  }

  /** In steps of the metric's unit. */
  interval(tally: Tally): Interval {
    return this.#interval(this.#sample(tally));
  }

  #sample(tally: Tally): Sample {
    return sampleOf(valueCounts(tally, this.#metric), this.#range);
  }

  #interval(sample: Sample): Interval {
    return this.#bets?.interval(sample, ALPHA / 2) ?? meanInterval(sample, Z);
  }
}
