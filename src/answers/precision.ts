/** A run that is to be so precise: when it is enough, and what holds at the end. */
import { allowed } from './aim.ts';
import type { Interval } from './intervals.ts';
import { MeanGoal } from './mean-goal.ts';
import { OutcomeGoal } from './outcome-goal.ts';
import { type Summary, summarise } from './summary.ts';
import { battlesIn, type Tally, type TallyShape } from './tally.ts';
import { aimOf, type Precision, type Wish } from './wish.ts';

/** How a run with a precision ended. */
export interface Stopping extends Precision {
  /** The greatest half-width at the end. */
  readonly halfWidth: number;
  /** Of a part: the greatest half-width over its value, or over the floor. */
  readonly part?: number;
  /** False if the bound on battles came first. */
  readonly reached: boolean;
  /** The look at which the run ended, from 1. */
  readonly look: number;
  /** How many looks there could have been, and the battles of the last. */
  readonly looks: number;
  readonly most: number;
  /**
   * `clopper-pearson`: of the probabilities of all outcomes, which hold together, whatever they are; `chow-robbins`: of
   * the one mean, and asymptotic; `betting`: of the one mean, and for every law in the declared range. They hold with
   * 95 % wherever the run ends. All other intervals are those of a run of fixed length, unless means are bounded.
   */
  readonly interval: 'clopper-pearson' | 'chow-robbins' | 'betting';
  /** By how much the confidence of a single interval at a single look falls short of 1, so that all make 95 %. */
  readonly level: number;
}

/** What differs between probabilities and means. */
interface Goal {
  readonly interval: Stopping['interval'];
  /** Battles after which the run has ended for certain. */
  readonly most: number;
  next(tally: Tally): number | undefined;
  /** True if the tally of a look is precise enough. */
  reached(tally: Tally): boolean;
  /** How the run ended. */
  end(tally: Tally): Pick<Stopping, 'look' | 'looks' | 'most' | 'level'>;
  /** Of every outcome, or of the one mean. */
  intervals(tally: Tally): Interval[];
  /** The summary with these intervals in their places. */
  mended(summary: Summary, intervals: readonly Interval[]): Summary;
  /** Of every outcome, or of the one mean. */
  values(summary: Summary): number[];
}

function outcomeGoal({ outcomes: names }: TallyShape, wish: Wish, battles: number): Goal {
  const goal = new OutcomeGoal(aimOf(wish), names.length, battles);
  return {
    interval: 'clopper-pearson',
    most: goal.most,
    next: (tally) => goal.next(tally),
    reached: (tally) => goal.reached(tally),
    end(tally) {
      const { schedule, look } = goal.end(tally);
      const { looks, level } = schedule;
      return { look: look + 1, looks: looks.length, most: looks.at(-1)?.battles ?? 0, level };
    },
    intervals: (tally) => goal.intervals(tally),
    mended: ({ outcomes, metrics }, intervals) => ({
      outcomes: outcomes.map((outcome, o) => ({ ...outcome, ci95: intervals[o] ?? [0, 1] })),
      metrics,
    }),
    values: ({ outcomes }) => outcomes.map(({ p }) => p),
  };
}

function meanGoal({ metrics: shapes }: TallyShape, wish: Wish, m: number, battles: number, bounded: boolean): Goal {
  const { min = 0, max = 0, unit = 1 } = shapes[m] ?? {};
  const goal = new MeanGoal(aimOf(wish, unit), m, [min, max], battles, bounded);
  const { looks, level, most } = goal;
  return {
    interval: bounded ? 'betting' : 'chow-robbins',
    most,
    next: (tally) => goal.next(tally),
    reached: (tally) => goal.reached(tally),
    end: (tally) => ({ look: looks.indexOf(battlesIn(tally)) + 1, looks: looks.length, most, level }),
    intervals(tally) {
      const [low, high] = goal.interval(tally);
      return [[low * unit, high * unit]];
    },
    mended: ({ outcomes, metrics }, [ci95 = [min, max]]) => ({
      outcomes,
      metrics: metrics.map((metric, at) => (at === m ? { ...metric, ci95 } : metric)),
    }),
    values: ({ metrics }) => [metrics[m]?.mean ?? 0],
  };
}

/** A precision that is asked for, ready to be looked for. */
export class Target {
  readonly #wish: Wish;
  readonly #goal: Goal;
  readonly #shape: TallyShape;

  /**
   * @param most    battles that may be played, at least 1
   * @param bounded the interval of a mean holds for every law in its declared range
   */
  constructor(shape: TallyShape, wish: Wish, most: number, bounded = false) {
    const { metric } = wish;
    this.#wish = wish;
    this.#shape = shape;
    this.#goal = metric === undefined ? outcomeGoal(shape, wish, most) : meanGoal(shape, wish, metric, most, bounded);
  }

  /** Battles after which the run has ended for certain. */
  get most(): number {
    return this.#goal.most;
  }

  /** Battles of the next look after those of a tally; undefined if they are enough. */
  next(tally: Tally): number | undefined {
    return this.#goal.next(tally);
  }

  /** The summary of a look; the intervals that hold wherever the run ends stand in their places. */
  mended(summary: Summary, tally: Tally): Summary {
    return this.#goal.mended(summary, this.#goal.intervals(tally));
  }

  /** How a run ended with the tally of a look. */
  stopping(tally: Tally): Stopping {
    const { metric: _, ...asked } = this.#wish;
    const { precision, floor } = asked;
    const goal = this.#goal;
    const values = goal.values(summarise(this.#shape, tally));
    const halfWidths = goal.intervals(tally).map(([low, high]) => (high - low) / 2);
    const parts = halfWidths.map((half, i) => (half / allowed(aimOf(asked), values[i] ?? 0)) * precision);
    return {
      ...asked,
      halfWidth: Math.max(...halfWidths),
      ...(floor !== undefined && { part: Math.max(...parts) }),
      reached: goal.reached(tally),
      ...goal.end(tally),
      interval: goal.interval,
    };
  }
}
