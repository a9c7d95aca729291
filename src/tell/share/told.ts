/** What is told of an answer to somebody who was not there: who wins how often, and what is left. */
import type { MetricSummary, OutcomeSummary, Summary } from '../../answers/summary.ts';
import { opened } from '../../rules/opened.ts';
import type { Counts, Scenario } from '../../rules/system.ts';
import { type ShownSide, sideIn, sidesOf } from '../sides.ts';
import { isClause, isWon, outcomeText } from '../survey/outcomes.ts';
import { clean } from '../text/clean.ts';
import { fixed, grouped } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';

/** A way in which battles end, or a number that they end with. */
export interface ToldPart {
  /** `Swordsmen`, `both sides fall`, `3 or more` */
  readonly name: string;
  /** 0..1 */
  readonly p: number;
  /** The colour of a side; undefined if it is nobody's. */
  readonly tone: number | undefined;
}

export interface Told {
  /** `Thirty against twenty`, or who fights whom. */
  readonly title: string;
  /** The title of the system. */
  readonly system: string;
  /** Those with the first two tones are named beside the odds. */
  readonly sides: readonly ShownSide[];
  /** What `parts` are the law of: nothing if they say how battles end, else `Defender: models killed`. */
  readonly of: string;
  /** In the order of a bar: one side, nobody, the other side. */
  readonly parts: readonly ToldPart[];
  /** Sentences about what is left. */
  readonly left: readonly string[];
  /** `exact odds`, or `from 1 000 000 battles`. */
  readonly how: string;
}

/** Digits behind the point of a probability that people talk about. */
const DIGITS = 1;

/** `57.6 %`; what is neither never nor always is not told as such. */
export function odds(p: number): string {
  if (p > 0 && p < 0.001) return '< 0.1 %';
  if (p < 1 && p > 0.999) return '> 99.9 %';
  return `${p === 0 || p === 1 ? String(100 * p) : fixed(100 * p, DIGITS)} %`;
}

/** A side as a heading calls it. */
export const headed = ({ name }: ShownSide): string => sentence(clean(name));

/** A side as a sentence calls it. */
const called = (side: ShownSide): string =>
  /^(?:attacker|defender)$/.test(side.name) ? `the ${side.name}` : headed(side);

/** Ways to end beside which others are told together. */
const PARTS = 6;

function endingOf({ name, p }: OutcomeSummary, sides: readonly ShownSide[]): ToldPart {
  if (!isClause(name)) return { name: sentence(outcomeText(name)), p, tone: undefined };
  const side = sideIn(name, sides);
  // What nobody wins may have a name of the system's own, such as `held`.
  const words = isWon(name) ? clean(name) : outcomeText(name);
  return { name: side === undefined ? sentence(words) : headed(side), p, tone: side?.tone };
}

/** The first side at the left, the second at the right, all others between. */
const placeOf = ({ tone }: ToldPart): number => [0, 3][tone ?? 9] ?? (tone === undefined ? 2 : 1);

function endingsOf({ outcomes }: Summary, sides: readonly ShownSide[]): ToldPart[] {
  const came = outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const told = came.slice(0, PARTS).map((outcome) => endingOf(outcome, sides));
  const rest = came.slice(PARTS).reduce((sum, { p }) => sum + p, 0);
  const all: ToldPart[] = rest > 0 ? [...told, { name: 'Otherwise', p: rest, tone: undefined }] : told;
  return all.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** First parts of names of metrics that count what a side still has; the first one that a system has is told. */
const LEFT = ['armies', 'units', 'figures', 'steps', 'ships', 'survivors', 'left', 'hp'];

/** Those that count what a side has lost. */
const LOST = ['killed', 'lost', 'losses', 'damage'];

interface Counted {
  readonly side: ShownSide;
  readonly what: string;
  readonly metric: MetricSummary;
}

/** The first metric of each side that counts one of these: `units.attacker`. */
function countedOf({ metrics }: Summary, sides: readonly ShownSide[], whats: readonly string[]): Counted[] {
  return sides.flatMap((side) =>
    whats
      .flatMap((what) =>
        metrics.filter(({ name }) => name === `${what}.${side.id}`).map((metric) => ({ what, metric })),
      )
      .slice(0, 1)
      .map((found) => ({ side, ...found })),
  );
}

/** `11.0 armies`, `1 hit point`; what is `left` is units. */
function countText(value: number, what: string, counts: Counts): string {
  const noun = counts[what] ?? { left: 'units', survivors: 'units', hp: 'hit points' }[what] ?? what;
  return `${mean(value)} ${value === 1 ? noun.replace(/s$/, '') : noun}`;
}

/** `1.7`, and whole numbers as they are. */
const mean = (value: number): string => (Number.isInteger(value) ? String(value) : fixed(value, value < 0.1 ? 2 : 1));

/** What winners have left, a sentence for each. */
function leftOf(summary: Summary, sides: readonly ShownSide[], counts: Counts): string[] {
  return countedOf(summary, sides, LEFT).flatMap(({ side, what, metric }) => {
    const left = metric.meanGiven[side.id];
    if (left === undefined) return [];
    return [`A victory of ${called(side)} leaves ${countText(left, what, counts)} on average.`];
  });
}

/** Values of a law that are told one by one. */
const VALUES = 4;

/** A law as parts of a bar: `0`, `1`, `2`, `3 or more`. */
function lawOf({ histogram }: MetricSummary, tone: number): ToldPart[] {
  const total = histogram.reduce((sum, [, weight]) => sum + weight, 0);
  const firsts = histogram
    .slice(0, VALUES - 1)
    .map(([value, weight]) => ({ name: mean(value), p: weight / total, tone }));
  const rest = histogram.slice(VALUES - 1);
  const p = rest.reduce((sum, [, weight]) => sum + weight, 0) / total;
  const [from] = rest[0] ?? [0];
  if (p === 0) return firsts;
  return [...firsts, { name: `${mean(from)}${rest.length > 1 ? ' or more' : ''}`, p, tone }];
}

/** Nearly all battles end in one way that nobody has won: then what was lost is the answer. */
const DECIDED = 0.995;

/** What is lost, as a law: of a volley one asks how many it kills. */
function lostOf(
  summary: Summary,
  sides: readonly ShownSide[],
  counts: Counts,
): Pick<Told, 'of' | 'parts' | 'left'> | undefined {
  const open = summary.outcomes.some(({ name, p }) => p >= DECIDED && sideIn(name, sides) === undefined);
  const [lost] = open ? countedOf(summary, sides.toReversed(), LOST) : [];
  if (lost === undefined || lost.metric.max === lost.metric.min) return undefined;
  const { side, what, metric } = lost;
  const counted = [...(counts[what] === undefined ? [] : [counts[what]]), what].join(' ');
  return {
    of: `${headed(side)}: ${counted}`,
    parts: lawOf(metric, side.tone === 0 ? 1 : 0),
    left: [`On average ${mean(metric.mean)} ${counted} of ${called(side)}.`],
  };
}

/** How an exact answer is known, and one that was played. */
export const EXACT = 'exact odds';
export const playedText = (battles: number): string => `from ${grouped(battles)} battles`;

/** @param how `EXACT`, or how many battles were played */
export function toldOf(scenario: Scenario, summary: Summary, how: string): Told {
  const { title, counts = {} } = opened(scenario).system;
  const sides = sidesOf(scenario);
  const name = clean(scenario.name ?? '').trim();
  const own = name === '' ? sides.slice(0, 2).map(headed).join(' against ') : sentence(name);
  const parts = endingsOf(summary, sides);
  const left = leftOf(summary, sides, counts);
  return { title: own, system: title, sides, ...(lostOf(summary, sides, counts) ?? { of: '', parts, left }), how };
}

/** All of it in one sentence, for those who do not see the picture: `Swordsmen 57.6 %, both sides fall 6.1 %`. */
export function toldText({ of, parts }: Told): string {
  const told = (join: string): string => parts.map(({ name, p }) => name + join + odds(p)).join(', ');
  return of === '' ? told(' ') : `${of} ${told(': ')}`;
}

/**
 * What stands above the bar in large letters: both sides, of several those that win most often, and what happens most
 * often where no side ever wins. Nothing above a law.
 */
export function headsOf({ of, sides, parts }: Told): ToldPart[] {
  if (of !== '') return [];
  const won = sides.map((side) => {
    const p = parts.filter(({ tone }) => tone === side.tone).reduce((sum, part) => sum + part.p, 0);
    return { name: headed(side), p, tone: side.tone };
  });
  const first = won.toSorted((a, b) => b.p - a.p).slice(0, 2);
  if ((first[0]?.p ?? 0) > 0) return first.toSorted((a, b) => a.tone - b.tone);
  return parts.toSorted((a, b) => b.p - a.p).slice(0, 1);
}
