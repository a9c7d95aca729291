/**
 * A run that is to tell the probabilities of all outcomes. Outcomes that did not come cost nothing: at a look only as
 * many intervals share the 5 % as outcomes came, and the looks are those of a run of so many outcomes. What did not come
 * is bounded by a small part of the 5 % that is set aside for it, together for all of them.
 *
 * Until outcomes that came are as many as there can come, there are looks of fewer, so a run may pass from the looks of
 * k outcomes to those of more. Given when rare outcomes came first, the others are as in a run of k outcomes before, and
 * of more after. What a passage adds to the error where it comes between the last looks of k is not bounded here; that
 * 95 % hold there too is computed in tests/stats/precision.test.ts.
 */
import { type Aim, allowed } from './aim.ts';
import { clopperPearson } from './binomial.ts';
import type { Interval } from './intervals.ts';
import { enough, outcomesNarrow } from './narrow.ts';
import { type OutcomeSchedule, outcomeLooks } from './outcome-looks.ts';
import { ALPHA, roundUp } from './stopping.ts';
import { battlesIn, type Tally } from './tally.ts';

/** What is set aside for outcomes that did not come. */
const UNSEEN = 0.0005;

/** No schedule has more than so many times the battles that suffice for a quarter of 5 %, shared evenly. */
const RESERVE = 1.25;

/** So many outcomes or fewer have looks of their own; each further number is that before the last, doubled. */
const SIZES: readonly number[] = [1, 2, 3, 4];

/** The number of outcomes whose looks are used where so many came. */
function sizeOf(came: number, outcomes: number): number {
  const sizes = [...SIZES];
  while ((sizes.at(-1) ?? 0) < came) sizes.push(2 * (sizes.at(-2) ?? 1));
  return Math.max(Math.min(2, outcomes), Math.min(outcomes, sizes.find((size) => size >= came) ?? outcomes));
}

const cameIn = ({ outcomes }: Tally): number => outcomes.reduce((sum, count) => sum + Number(count > 0), 0);

/** What is known of the looks of a run. */
export interface OutcomeEnd {
  readonly schedule: OutcomeSchedule;
  /** The place of the look among those of the schedule; -1: it is none. */
  readonly look: number;
}

export class OutcomeGoal {
  readonly #aim: Aim;
  readonly #outcomes: number;
  readonly #most: number;
  readonly #schedules = new Map<number, OutcomeSchedule>();

  /** @param most battles that may be played */
  constructor(aim: Aim, outcomes: number, most: number) {
    this.#aim = aim;
    this.#outcomes = outcomes;
    this.#most = most;
  }

  /** Battles after which the run has ended for certain: no schedule is longer. */
  get most(): number {
    return Math.min(this.#most, roundUp(RESERVE * enough(this.#aim, ALPHA / (4 * this.#outcomes))));
  }

  /** Battles of the next look after those of a tally; undefined if they are enough. */
  next(tally: Tally): number | undefined {
    const battles = battlesIn(tally);
    if (battles > 0 && (battles >= this.#most || this.reached(tally))) return undefined;
    return this.end(tally).schedule.looks.find((look) => look.battles > battles)?.battles;
  }

  /** The looks that a tally is for, and which of them it is. */
  end(tally: Tally): OutcomeEnd {
    const schedule = this.#schedule(sizeOf(cameIn(tally), this.#outcomes));
    const battles = battlesIn(tally);
    return { schedule, look: schedule.looks.findIndex((look) => look.battles === battles) };
  }

  /** True if the tally of a look is precise enough. */
  reached(tally: Tally): boolean {
    const { schedule, look } = this.end(tally);
    const here = schedule.looks[look];
    if (here === undefined) return false;
    const battles = battlesIn(tally);
    const varying = tally.outcomes.filter((count) => count > 0 && count < battles);
    const [low, high] = this.#fixed(0, battles);
    return outcomesNarrow(varying, here) && (high - low) / 2 <= allowed(this.#aim, 0);
  }

  /** The intervals of all outcomes, which hold together. */
  intervals(tally: Tally): Interval[] {
    const battles = battlesIn(tally);
    const { level } = this.end(tally).schedule;
    return Array.from(tally.outcomes, (count) =>
      count > 0 && count < battles ? clopperPearson(count, battles, level) : this.#fixed(count, battles),
    );
  }

  /** Of an outcome that never came, or of one beside which none came. */
  #fixed(count: number, battles: number): Interval {
    return clopperPearson(count, battles, (2 * UNSEEN) / this.#outcomes);
  }

  #schedule(size: number): OutcomeSchedule {
    let schedule = this.#schedules.get(size);
    if (schedule === undefined) {
      schedule = outcomeLooks(this.#aim, size, this.#most, ALPHA - UNSEEN);
      this.#schedules.set(size, schedule);
    }
    return schedule;
  }
}
