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
  nextAnalysis(counts: Counts): number | undefined;
  /** Returns true if the counts of an interim analysis are precise enough. */
  isReached(counts: Counts): boolean;
  /** Describes the end of the run. */
  describeEnd(counts: Counts): Pick<StoppingResult, 'analysis' | 'analyses' | 'maxBattles' | 'errorRate'>;
  /** Computes the interval of every outcome, or of the mean. */
  intervals(counts: Counts): Interval[];
  /** Returns the summary with these intervals. */
  withIntervals(summary: Summary, intervals: readonly Interval[]): Summary;
  /** Returns the value of every outcome, or the mean. */
  values(summary: Summary): number[];
}

function createOutcomeCriterion(
  { outcomes: names }: CountsShape,
  target: PrecisionSpec,
  battles: number,
): StoppingCriterion {
  const goal = new OutcomeCriterion(createHalfWidthTarget(target), names.length, battles);
  return {
    intervalMethod: 'clopper-pearson',
    maxBattles: goal.most,
    nextAnalysis: (counts) => goal.nextAnalysis(counts),
    isReached: (counts) => goal.isReached(counts),
    describeEnd(counts) {
      const { schedule, index } = goal.locate(counts);
      const { analyses, level } = schedule;
      return {
        analysis: index + 1,
        analyses: analyses.length,
        maxBattles: analyses.at(-1)?.battles ?? 0,
        errorRate: level,
      };
    },
    intervals: (counts) => goal.intervals(counts),
    withIntervals: ({ outcomes, metrics }, intervals) => ({
      outcomes: outcomes.map((outcome, o) => ({ ...outcome, ci95: intervals[o] ?? [0, 1] })),
      metrics,
    }),
    values: ({ outcomes }) => outcomes.map(({ p }) => p),
  };
}

function createMeanCriterion(
  { metrics: shapes }: CountsShape,
  target: PrecisionSpec,
  m: number,
  battles: number,
  bounded: boolean,
): StoppingCriterion {
  const { min = 0, max = 0, unit = 1 } = shapes[m] ?? {};
  const goal = new MeanCriterion(createHalfWidthTarget(target, unit), m, [min, max], battles, bounded);
  const { analyses, level, most } = goal;
  return {
    intervalMethod: bounded ? 'betting' : 'chow-robbins',
    maxBattles: most,
    nextAnalysis: (counts) => goal.nextAnalysis(counts),
    isReached: (counts) => goal.isReached(counts),
    describeEnd: (counts) => ({
      analysis: analyses.indexOf(getBattleCount(counts)) + 1,
      analyses: analyses.length,
      maxBattles: most,
      errorRate: level,
    }),
    intervals(counts) {
      const [low, high] = goal.interval(counts);
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
  readonly #target: PrecisionSpec;
  readonly #goal: StoppingCriterion;
  readonly #shape: CountsShape;

  /**
   * @param most maximum number of battles, at least 1
   * @param bounded true if the interval of a mean must be valid for every distribution in its declared range
   */
  constructor(shape: CountsShape, target: PrecisionSpec, most: number, bounded = false) {
    const { metric } = target;
    this.#target = target;
    this.#shape = shape;
    this.#goal =
      metric === undefined
        ? createOutcomeCriterion(shape, target, most)
        : createMeanCriterion(shape, target, metric, most, bounded);
  }

  /** Maximum number of battles of the run. */
  get most(): number {
    return this.#goal.maxBattles;
  }

  /** Returns the battles of the next interim analysis; undefined if the present counts suffice. */
  nextAnalysis(counts: Counts): number | undefined {
    return this.#goal.nextAnalysis(counts);
  }

  /** Returns the summary with the intervals that are valid wherever the run ends. */
  withIntervals(summary: Summary, counts: Counts): Summary {
    return this.#goal.withIntervals(summary, this.#goal.intervals(counts));
  }

  /** Describes the end of a run with the counts of an interim analysis. */
  describeStopping(counts: Counts): StoppingResult {
    const { metric: _, ...requested } = this.#target;
    const { precision, floor } = requested;
    const goal = this.#goal;
    const values = goal.values(summarizeBattles(this.#shape, counts));
    const halfWidths = goal.intervals(counts).map(([low, high]) => (high - low) / 2);
    const parts = halfWidths.map(
      (half, i) => (half / computeMaxHalfWidth(createHalfWidthTarget(requested), values[i] ?? 0)) * precision,
    );
    return {
      ...requested,
      halfWidth: Math.max(...halfWidths),
      ...(floor !== undefined && { relativeHalfWidth: Math.max(...parts) }),
      reached: goal.isReached(counts),
      ...goal.describeEnd(counts),
      intervalMethod: goal.intervalMethod,
    };
  }
}
