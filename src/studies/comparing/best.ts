/** Plays several scenarios on the same streams until it is known which is the best. */

import { Bets } from '../../answers/betting.ts';
import { type Drop, Elimination, type Reason, type Wish } from '../../answers/elimination.ts';
import { FigureTally } from '../../answers/ranking.ts';
import { exactPairs, ranked } from '../../answers/standings.ts';
import type { Summary } from '../../answers/summary.ts';
import { RunError } from '../../core/errors.ts';
import type { Scenario } from '../../rules/system.ts';
import { lookAt } from '../look.ts';
import type { Subject } from './subject.ts';
import { exactAnswers, type Playable, Witnesses } from './together.ts';

/** Which battles are played. */
export interface Course {
  readonly seed: bigint;
  readonly from: number;
  /** How many, or how many at most. */
  readonly battles: number;
  /** Intervals of differences hold for every law in the declared ranges, at all looks together. */
  readonly bounded: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly asked: number }) => void) | undefined;
}

/** What is counted of a comparison. */
export function tallyFor({ kind, unit, ranges }: Subject, { battles, bounded }: Course): FigureTally {
  const bets = bounded ? new Bets(1 / battles) : undefined;
  return new FigureTally({ shares: kind === 'outcome', unit, ranges }, bets);
}

/** How the best of several scenarios was looked for: which are left, and why it ended. */
export interface Best extends Wish {
  /** Places of the scenarios that are left: the best, or those that tie. */
  readonly left: readonly number[];
  readonly ended: Reason;
  /** In the order in which they were dropped. */
  readonly drops: readonly Drop[];
  /** Battles of all looks that there could have been. */
  readonly looks: readonly number[];
  /** Battles that each scenario played, in the order given. */
  readonly played: readonly number[];
  /** Battles that all together did not play of those that were asked for. */
  readonly saved: number;
}

/** Plays to a look, or to the signal; the dropped count as 0. */
async function playTo(
  look: number,
  tally: FigureTally,
  race: Elimination,
  witnesses: Witnesses,
  { read, ranges }: Subject,
  course: Course,
) {
  const { seed, from, signal } = course;
  const inPlay = ranges.map((_, s) => race.left.includes(s));
  await lookAt(from + tally.battles, look - tally.battles, signal, (battle) => {
    tally.count(inPlay.map((plays, s) => (plays ? read(witnesses.play(s, seed, battle), s) : 0)));
    return true;
  });
}

/** How to play for the best: all that `compare` says but what was asked. */
export function bestOf(wish: Wish) {
  return async (scenarios: readonly Scenario[], sides: readonly Playable[], subject: Subject, course: Course) => {
    const tally = tallyFor(subject, course);
    const race = new Elimination(tally, sides.length, course.battles, wish, course.bounded);
    const witnesses = new Witnesses(scenarios, sides);
    let answers: readonly Summary[] | undefined;
    let values: readonly number[] | undefined;
    for (let look = race.next; look !== undefined; look = race.next) {
      await playTo(look, tally, race, witnesses, subject, course);
      if (tally.battles < look) break;
      race.judge();
      if (look === race.looks[0]) {
        answers = exactAnswers(scenarios, course.battles);
        values = answers?.map(subject.exact);
      }
      if (values !== undefined) race.settle(values);
    }
    const { left, drops, looks, battles: played, ended = 'interrupted' } = race;
    const most = Math.max(0, ...played);
    if (most === 0) throw new RunError('stopped before the first look');
    witnesses.check(answers);
    const saved = played.reduce((sum, battles) => sum + course.battles - battles, 0);
    const pairs = values === undefined ? race.gaps : exactPairs(race.gaps, values);
    const stayed = (s: number): number => drops.find(({ scenario }) => scenario === s)?.look ?? looks.length + 1;
    const best: Best = { ...wish, left, ended, drops, looks, played, saved };
    const order = { wanted: wish.wanted, stayed };
    return { battles: most, pairs, ...ranked(race.figures, pairs, values, order), best };
  };
}
