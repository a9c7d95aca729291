/** A run that is to be so precise: what is asked, when it is enough, and what holds at the end. */
import { InputError } from '../errors.ts';
import { clopperPearson } from './binomial.ts';
import type { Interval } from './intervals.ts';
import { chowRobbins, meanLooks, meanNarrow, sumsOf } from './mean-looks.ts';
import { outcomeLooks, outcomesNarrow } from './outcome-looks.ts';
import type { Look, Schedule } from './stopping.ts';
import { type Summary, summarise } from './summary.ts';
import { battlesIn, type Tally, type TallyShape, valueCounts } from './tally.ts';

/** What `of` calls the probabilities of all outcomes. */
export const OUTCOMES = 'outcomes';

/** Half-widths of probabilities that can be asked for. */
const LEAST = 0.00001;
const GREATEST = 0.25;

export interface Precision {
  /** The half-width: 0.00001..0.25 of probabilities, above 0 of a mean, in the unit of the metric. */
  readonly precision: number;
  /** `outcomes`, or the metric whose mean is meant. */
  readonly of: string;
}

/** How a run with a precision ended. */
export interface Stopping extends Precision {
  /** The greatest half-width at the end. */
  readonly halfWidth: number;
  /** False if the bound on battles came first. */
  readonly reached: boolean;
  /** The look at which the run ended, from 1. */
  readonly look: number;
  /** How many looks there could have been, and the battles of the last. */
  readonly looks: number;
  readonly most: number;
  /**
   * `clopper-pearson`: of the probabilities of all outcomes, which hold together, whatever they are; `chow-robbins`: of
   * the one mean, and asymptotic. They hold with 95 % wherever the run ends. All other intervals are those of a run of
   * fixed length.
   */
  readonly interval: 'clopper-pearson' | 'chow-robbins';
  /** By how much the confidence of a single interval at a single look falls short of 1, so that all make 95 %. */
  readonly level: number;
}

/** What differs between probabilities and means. */
interface Goal {
  readonly interval: Stopping['interval'];
  readonly schedule: Schedule;
  /** True if the tally of a look is precise enough. */
  reached(tally: Tally, look: Look): boolean;
  /** Of every outcome, or of the one mean. */
  intervals(tally: Tally): Interval[];
  /** The summary with these intervals in their places. */
  mended(summary: Summary, intervals: readonly Interval[]): Summary;
}

function outcomeGoal({ outcomes: names }: TallyShape, precision: number, most: number): Goal {
  const schedule = outcomeLooks(precision, names.length, most);
  return {
    interval: 'clopper-pearson',
    schedule,
    reached: ({ outcomes }, look) => outcomesNarrow(outcomes, look),
    intervals: (tally) => {
      const battles = battlesIn(tally);
      return Array.from(tally.outcomes, (count) => clopperPearson(count, battles, schedule.level));
    },
    mended: ({ outcomes, metrics }, intervals) => ({
      outcomes: outcomes.map((outcome, o) => ({ ...outcome, ci95: intervals[o] ?? [0, 1] })),
      metrics,
    }),
  };
}

function meanGoal({ metrics: shapes }: TallyShape, m: number, precision: number, most: number): Goal {
  const { min = 0, max = 0, unit = 1 } = shapes[m] ?? {};
  const schedule = meanLooks(precision / unit, max - min, most);
  return {
    interval: 'chow-robbins',
    schedule,
    reached: (tally, look) => meanNarrow(sumsOf(valueCounts(tally, m)), look),
    intervals: (tally) => {
      const sums = sumsOf(valueCounts(tally, m));
      const [low, high] = chowRobbins(sums, battlesIn(tally));
      return [[Math.max(min, low) * unit, Math.min(max, high) * unit]];
    },
    mended: ({ outcomes, metrics }, [ci95 = [min, max]]) => ({
      outcomes,
      metrics: metrics.map((metric, at) => (at === m ? { ...metric, ci95 } : metric)),
    }),
  };
}

/** What messages call the two options. */
interface Places {
  readonly precision: string;
  readonly of: string;
}

/**
 * @throws InputError if the precision is out of range, or no metric has the name
 * @returns the place of the metric; undefined for outcomes
 */
export function checkPrecision(shape: TallyShape, { precision, of }: Precision, places: Places): number | undefined {
  const refuse = (expected: string): InputError => new InputError(places.precision, expected, String(precision));
  if (of === OUTCOMES) {
    if (precision >= LEAST && precision <= GREATEST) return undefined;
    throw refuse(`a half-width of probabilities, 0.00001..${String(GREATEST)}`);
  }
  const m = shape.metrics.findIndex(({ name }) => name === of);
  if (m < 0) {
    const known = [OUTCOMES, ...shape.metrics.map(({ name }) => name)];
    throw new InputError(places.of, `one of ${known.join(', ')}`, `"${of}"`);
  }
  if (precision > 0 && Number.isFinite(precision)) return m;
  throw refuse(`a half-width above 0, in the unit of ${of}`);
}

/** A precision that is asked for, ready to be looked for. */
export class Target {
  readonly #wish: Precision;
  readonly #goal: Goal;
  readonly #shape: TallyShape;

  /**
   * @param most battles that may be played, at least 1
   * @throws InputError if the precision is out of range, or no metric has the name
   */
  constructor(shape: TallyShape, wish: Precision, most: number) {
    const m = checkPrecision(shape, wish, { precision: 'precision', of: 'precisionOf' });
    const { precision } = wish;
    this.#wish = wish;
    this.#shape = shape;
    this.#goal = m === undefined ? outcomeGoal(shape, precision, most) : meanGoal(shape, m, precision, most);
  }

  get looks(): readonly Look[] {
    return this.#goal.schedule.looks;
  }

  /** True if a tally of as many battles as a look has is precise enough. */
  reached(tally: Tally): boolean {
    const look = this.looks[this.#lookAt(tally)];
    return look !== undefined && this.#goal.reached(tally, look);
  }

  /** Summarises the tally of a look; the intervals that hold wherever the run ends stand in their places. */
  summarise(tally: Tally): Summary {
    return this.#goal.mended(summarise(this.#shape, tally), this.#goal.intervals(tally));
  }

  /** How a run ended with the tally of a look. */
  stopping(tally: Tally): Stopping {
    const { interval, schedule } = this.#goal;
    return {
      ...this.#wish,
      halfWidth: Math.max(...this.#goal.intervals(tally).map(([low, high]) => (high - low) / 2)),
      reached: this.reached(tally),
      look: this.#lookAt(tally) + 1,
      looks: this.looks.length,
      most: this.looks.at(-1)?.battles ?? 0,
      interval,
      level: schedule.level,
    };
  }

  #lookAt(tally: Tally): number {
    const battles = battlesIn(tally);
    return this.looks.findIndex((look) => look.battles === battles);
  }
}
