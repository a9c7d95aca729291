/** Stopping rule of a run with a precision, and the intervals at its end. */

import { type Counts, type CountsShape, getBattleCount } from './counts.ts';
import { computeMaxHalfWidth } from './half-width-target.ts';
import type { Interval } from './intervals.ts';
import { MeanCriterion } from './mean-criterion.ts';
import { OutcomeCriterion } from './outcome-criterion.ts';
import { createHalfWidthTarget, type Precision, type PrecisionSpec } from './precision-spec.ts';
import { type Summary, summarizeBattles } from './summary.ts';

/** Result of a run with a precision. */
export interface StoppingResult extends Precision {
  /** The greatest half-width at the end. */
  readonly halfWidth: number;
  /** For a relative precision: the greatest half-width divided by its value, or by the floor. */
  readonly relativeHalfWidth?: number;
  /** False if the maximum number of battles was reached first. */
  readonly reached: boolean;
  /** Interim analysis at which the run ended, from 1. */
  readonly analysis: number;
  /** Maximum number of interim analyses. */
  readonly analyses: number;
  /** Maximum number of battles. */
  readonly maxBattles: number;
  /**
   * `clopper-pearson`: simultaneous, of the probabilities of all outcomes, exact; `chow-robbins`: of the mean,
   * asymptotic; `betting`: of the mean, for every distribution in the declared range. They have 95 % confidence
   * wherever the run ends. All other intervals are those of a run of fixed length, unless means are bounded.
   */
  readonly intervalMethod: 'clopper-pearson' | 'chow-robbins' | 'betting';
  /** Error rate of a single interval at a single interim analysis, for 95 % in total. */
  readonly errorRate: number;
}

/** Differences between probabilities and means. */
interface StoppingCriterion {
  readonly intervalMethod: StoppingResult['intervalMethod'];
  /** Maximum number of battles of the run. */
  readonly maxBattles: number;
  nextAnalysis(tally: Counts): number | undefined;
  /** Returns true if the counts of an interim analysis are precise enough. */
  isReached(tally: Counts): boolean;
  /** Describes the end of the run. */
  describeEnd(tally: Counts): Pick<StoppingResult, 'analysis' | 'analyses' | 'maxBattles' | 'errorRate'>;
  /** Computes the interval of every outcome, or of the mean. */
  intervals(tally: Counts): Interval[];
  /** Returns the summary with these intervals. */
  withIntervals(summary: Summary, intervals: readonly Interval[]): Summary;
  /** Returns the value of every outcome, or the mean. */
  values(summary: Summary): number[];
}

function createOutcomeCriterion(
  { outcomes: names }: CountsShape,
  wish: PrecisionSpec,
  battles: number,
): StoppingCriterion {
  const goal = new OutcomeCriterion(createHalfWidthTarget(wish), names.length, battles);
  return {
    intervalMethod: 'clopper-pearson',
    maxBattles: goal.most,
    nextAnalysis: (tally) => goal.nextAnalysis(tally),
    isReached: (tally) => goal.isReached(tally),
    describeEnd(tally) {
      const { schedule, index } = goal.locate(tally);
      const { analyses, level } = schedule;
      return {
        analysis: index + 1,
        analyses: analyses.length,
        maxBattles: analyses.at(-1)?.battles ?? 0,
        errorRate: level,
      };
    },
    intervals: (tally) => goal.intervals(tally),
    withIntervals: ({ outcomes, metrics }, intervals) => ({
      outcomes: outcomes.map((outcome, o) => ({ ...outcome, ci95: intervals[o] ?? [0, 1] })),
      metrics,
    }),
    values: ({ outcomes }) => outcomes.map(({ p }) => p),
  };
}

function createMeanCriterion(
  { metrics: shapes }: CountsShape,
  wish: PrecisionSpec,
  m: number,
  battles: number,
  bounded: boolean,
): StoppingCriterion {
  const { min = 0, max = 0, unit = 1 } = shapes[m] ?? {};
  const goal = new MeanCriterion(createHalfWidthTarget(wish, unit), m, [min, max], battles, bounded);
  const { analyses, level, most } = goal;
  return {
    intervalMethod: bounded ? 'betting' : 'chow-robbins',
    maxBattles: most,
    nextAnalysis: (tally) => goal.nextAnalysis(tally),
    isReached: (tally) => goal.isReached(tally),
    describeEnd: (tally) => ({
      analysis: analyses.indexOf(getBattleCount(tally)) + 1,
      analyses: analyses.length,
      maxBattles: most,
      errorRate: level,
    }),
    intervals(tally) {
      const [low, high] = goal.interval(tally);
      return [[low * unit, high * unit]];
    },
    withIntervals: ({ outcomes, metrics }, [ci95 = [min, max]]) => ({
      outcomes,
      metrics: metrics.map((metric, at) => (at === m ? { ...metric, ci95 } : metric)),
    }),
    values: ({ metrics }) => [metrics[m]?.mean ?? 0],
  };
}

/** Stopping rule for a precision. */
export class StoppingRule {
  readonly #wish: PrecisionSpec;
  readonly #goal: StoppingCriterion;
  readonly #shape: CountsShape;

  /**
   * @param most maximum number of battles, at least 1
   * @param bounded true if the interval of a mean must be valid for every distribution in its declared range
   */
  constructor(shape: CountsShape, wish: PrecisionSpec, most: number, bounded = false) {
    const { metric } = wish;
    this.#wish = wish;
    this.#shape = shape;
    this.#goal =
      metric === undefined
        ? createOutcomeCriterion(shape, wish, most)
        : createMeanCriterion(shape, wish, metric, most, bounded);
  }

  /** Maximum number of battles of the run. */
  get most(): number {
    return this.#goal.maxBattles;
  }

  /** Returns the battles of the next interim analysis; undefined if the present counts suffice. */
  nextAnalysis(tally: Counts): number | undefined {
    return this.#goal.nextAnalysis(tally);
  }

  /** Returns the summary with the intervals that are valid wherever the run ends. */
  withIntervals(summary: Summary, tally: Counts): Summary {
    return this.#goal.withIntervals(summary, this.#goal.intervals(tally));
  }

  /** Describes the end of a run with the counts of an interim analysis. */
  describeStopping(tally: Counts): StoppingResult {
    const { metric: _, ...asked } = this.#wish;
    const { precision, floor } = asked;
    const goal = this.#goal;
    const values = goal.values(summarizeBattles(this.#shape, tally));
    const halfWidths = goal.intervals(tally).map(([low, high]) => (high - low) / 2);
    const parts = halfWidths.map(
      (half, i) => (half / computeMaxHalfWidth(createHalfWidthTarget(asked), values[i] ?? 0)) * precision,
    );
    return {
      ...asked,
      halfWidth: Math.max(...halfWidths),
      ...(floor !== undefined && { relativeHalfWidth: Math.max(...parts) }),
      reached: goal.isReached(tally),
      ...goal.describeEnd(tally),
      intervalMethod: goal.intervalMethod,
    };
  }
}
