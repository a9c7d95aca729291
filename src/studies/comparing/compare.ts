/** Plays several scenarios on the same streams until it is known which is the best. */

import {
  Bets,
  battlesIn,
  type Drop,
  Elimination,
  exactPairs,
  FigureTally,
  type Goals,
  type Pairing,
  type Reason,
  ranked,
  type Standing,
  type Summary,
  spreadOf,
  type Tally,
} from '../../answers/index.ts';
import { AbortError, checkList, InputError, optionsOf } from '../../core/index.ts';
import { checkStart, type ReadingPair } from '../../engines/index.ts';
import { difference, type Scenario } from '../../rules/index.ts';
import { type Asked, checkTexts, type Settings, word } from '../../rules/setting.ts';
import { PLACE, stretchOf } from '../asked.ts';
import { executionOf } from '../execution.ts';
import { BATTLES_TOGETHER, BOUNDED_DIFFERENCES, MANY, OF } from '../questions.ts';
import { differenceOf, type RulesDifference } from './diff-rules.ts';
import {
  type Comparable,
  comparable,
  exactAnswers,
  pairedGaps,
  pairedOf,
  type Subject,
  sharedSubject,
  spreadBy,
  subjectGaps,
  TOGETHER,
  Together,
  type TogetherCourse,
  type TogetherWatch,
} from './together.ts';

/** Which battles are played, and how they are told of. */
interface Asking extends TogetherCourse {
  /** Intervals of differences hold for every law in the declared ranges, at all looks together. */
  readonly bounded: boolean;
}

/** What is counted of a comparison. */
function tallyFor({ kind, unit, ranges }: Subject, { battles, bounded }: Asking): FigureTally {
  const bets = bounded ? new Bets(1 / battles) : undefined;
  return new FigureTally({ shares: kind === 'outcome', unit, ranges }, bets);
}

/** How the best of several scenarios was looked for: which are left, and why it ended. */
export interface Best extends Goals {
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

/** Plays some of the scenarios to a number of battles in all, or to the signal. @param more what is counted besides */
async function playTo(
  to: number,
  members: readonly number[],
  tally: FigureTally,
  together: Together,
  subject: Subject,
  more: readonly ReadingPair[] = [],
): Promise<Tally> {
  const gaps = subjectGaps(subject, members);
  const between = await together.playTo(to, members, [...more, ...gaps]);
  const own = members.map((s, p) => spreadBy(subject, between.parts?.[p] ?? between, s));
  const spreads = gaps.map((_, g) => spreadOf(between, more.length + g, 1));
  tally.add(battlesIn(between), members, own, spreads);
  return between;
}

/** How to play for the best: all that `compare` says but what was asked. */
function bestOf(wish: Goals) {
  return async (scenarios: readonly Scenario[], sides: readonly Comparable[], subject: Subject, course: Asking) => {
    const tally = tallyFor(subject, course);
    const race = new Elimination(tally, sides.length, course.battles, wish, course.bounded);
    const together = await Together.of(scenarios, course);
    let answers: readonly Summary[] | undefined;
    let values: readonly number[] | undefined;
    for (let look = race.next; look !== undefined; look = race.next) {
      await playTo(look, race.left, tally, together, subject);
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
    if (most === 0) throw new AbortError('stopped before the first look', course.signal);
    together.check(answers);
    const saved = played.reduce((sum, battles) => sum + course.battles - battles, 0);
    const pairs = values === undefined ? race.gaps : exactPairs(race.gaps, values);
    const stayed = (s: number): number => drops.find(({ scenario }) => scenario === s)?.look ?? looks.length + 1;
    const best: Best = { ...wish, left, ended, drops, looks, played, saved };
    const order = { wanted: wish.wanted, stayed };
    const complete = ended !== 'interrupted';
    return { battles: most, complete, pairs, ...ranked(race.figures, pairs, values, order), best };
  };
}

// Plays several scenarios of one system on the same streams and ranks them.

export type { Pairing, Standing };

/** All pairs are compared: more than this is a sweep. */
const SCENARIOS_MAX = 100;

/** What `compare` is asked with. */
export const COMPARE = {
  /** What is compared: an outcome or a metric that all have. The first scenario's first outcome but a stalemate. */
  of: OF,
  /**
   * Looks for the scenario with the highest, or the lowest, figure and drops those that are shown to be worse after
   * fixed numbers of battles; `battles` is then the most that each plays. All that it says is right with 95 %.
   */
  best: word('find the scenario with the best figure and drop those that are shown to be worse', ['highest', 'lowest']),
  /** With `best`: ends it as soon as those left differ by less, above 0: of shares 0..1, of means in their unit. */
  indifference: difference('with --best: end once those left differ by less; of probabilities 0.01 or 1pp', false),
  /** Intervals of differences hold for every law in the declared ranges, wherever the comparison ends. */
  bounded: BOUNDED_DIFFERENCES,
  /** How many battles each scenario plays; 200 000 unless said otherwise. */
  battles: { ...MANY, default: BATTLES_TOGETHER, shown: String(BATTLES_TOGETHER) },
  ...PLACE,
} as const satisfies Settings;

/** What `compare` plays, and what it compares. */
export interface CompareOptions extends Asked<typeof COMPARE>, TogetherWatch {
  /** What messages call the scenarios: `scenario 1`, `scenario 2` unless given. */
  readonly names?: readonly string[];
}

const checkOptions = optionsOf<CompareOptions>('compare', {
  ...COMPARE,
  ...TOGETHER,
  names: { check: checkTexts },
});

/** Scenarios compared: a figure of each, and the differences of pairs. Probabilities are 0..1. */
export interface Comparison {
  /** In decimal. */
  readonly seed: string;
  /** Battles from..from+battles-1 were played by every scenario; with `best`, by those that are left. */
  readonly from: number;
  readonly battles: number;
  /** False if a signal ended the comparison. */
  readonly complete: boolean;
  /** What is compared: the share of an outcome, 0..1, or the mean of a metric. */
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  /** By scenario, in the order given. */
  readonly standings: readonly Standing[];
  /** Every two scenarios, by their places in the order given. */
  readonly pairs: readonly Pairing[];
  /** Places of the scenarios, the highest figure first, or the best: by exact values where all are known. */
  readonly order: readonly number[];
  /** The largest groups in which no two can be told apart; they may overlap. */
  readonly groups: readonly (readonly number[])[];
  /** True if intervals of differences hold for every law in the declared ranges. */
  readonly bounded: boolean;
  /** For two scenarios: all outcomes and metrics. */
  readonly all?: RulesDifference;
  /** Where the best was looked for: what was found. Figures and pairs are then those of the last look that had them. */
  readonly best?: Best;
}

/** Two scenarios in pairs, and what is counted between them. */
function pairOf([one, two, ...others]: readonly Comparable[]) {
  if (one === undefined || two === undefined || others.length > 0) return undefined;
  const paired = pairedOf(one, two);
  return { paired, gaps: pairedGaps(paired, one, two) };
}

function checked(scenarios: readonly Scenario[]): void {
  checkList('scenarios', 'a list of scenarios', scenarios, 'object');
  const { length } = scenarios;
  if (length < 2 || length > SCENARIOS_MAX)
    throw new InputError('scenarios', `2..${String(SCENARIOS_MAX)} of them`, String(length));
  const system = scenarios[0]?.system ?? '';
  const stray = scenarios.find((scenario) => scenario.system !== system);
  if (stray !== undefined) throw new InputError('system', `${system}, as in the first scenario`, stray.system);
}

/** @throws InputError if what is wished makes no sense */
function wishOf({ best: wanted, indifference }: CompareOptions): Goals | undefined {
  if (indifference !== undefined && wanted === undefined)
    throw new InputError('best', 'highest or lowest, for there is an indifference', 'nothing');
  if (indifference !== undefined) COMPARE.indifference.check(indifference, 'indifference');
  return wanted && { wanted, ...(indifference !== undefined && { indifference }) };
}

/** Plays all battles in all scenarios. */
async function playAll(scenarios: readonly Scenario[], sides: readonly Comparable[], subject: Subject, course: Asking) {
  const { seed, battles: asked, bounded, signal } = course;
  const tally = tallyFor(subject, course);
  const { paired, gaps } = pairOf(sides) ?? {};
  const together = await Together.of(scenarios, course);
  const between = await playTo(asked, [...sides.keys()], tally, together, subject, gaps);
  paired?.add(between);
  const { battles } = tally;
  if (battles === 0) throw new AbortError('stopped before the first battle', signal);
  const answers = signal?.aborted === true ? undefined : exactAnswers(scenarios, asked);
  together.check(answers);
  const values = answers?.map(subject.exact);
  const pairs = values === undefined ? tally.gaps() : exactPairs(tally.gaps(), values);
  const bets = bounded ? new Bets(1 / asked) : undefined;
  const all = paired && { all: differenceOf(paired, seed, asked, answers, bets) };
  return { battles, complete: battles === asked, pairs, ...ranked(tally.figures(), pairs, values), ...all };
}

/**
 * Plays the same battles in every scenario: battle i of seed s has the same stream in all of them, and a draw has its
 * place in it, so what luck does to one it does to the others. Differences are paired, battle by battle.
 * @param scenarios 2..100 complete scenarios of one system; otherwise they may differ in anything
 * @throws InputError if the systems differ, one has no such outcome or metric, or an option is out of range
 * @throws RunError if the kernel is not built, or the signal came before the first battle, or first look
 * @throws RulesError if the rules fail, or battles contradict the exact answer of a scenario
 */
export async function compare(scenarios: readonly Scenario[], options: CompareOptions = {}): Promise<Comparison> {
  checkOptions(options);
  checked(scenarios);
  const { seed, from, battles } = stretchOf(options, BATTLES_TOGETHER);
  const wish = wishOf(options);
  const sides = scenarios.map(comparable);
  const names = options.names ?? scenarios.map((_, s) => `scenario ${String(s + 1)}`);
  const subject = sharedSubject(options.of, sides, names);
  const { bounded = false } = options;
  checkStart(options.signal);
  const course: Asking = { seed, from, battles, bounded, ...executionOf(options) };
  const play = wish === undefined ? playAll : bestOf(wish);
  return {
    seed: String(seed),
    from,
    of: subject.of,
    kind: subject.kind,
    bounded,
    ...(await play(scenarios, sides, subject, course)),
  };
}
