/** What is told of an answer to somebody who was not there: who wins how often, and what is left. */
import type { MetricSummary } from '../../answers/index.ts';
import { GAMES, opened, type Scenario } from '../../rules/index.ts';
import { armiesText } from '../odds/armies.ts';
import { type BarPart, oddsOf } from '../odds/bar.ts';
import { sharePercent } from '../odds/chances.ts';
import { type Counted, type Leading, leadOf } from '../odds/lead.ts';
import { keepsText, type LeftMetric, leftMetrics } from '../odds/left.ts';
import { labelOf, subjectOf, winnerOf } from '../odds/names.ts';
import { type ShownSide, sidesOf } from '../sides.ts';
import { cleanText } from '../text/clean.ts';
import { grouped, plain } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';

export interface Told {
  /** What the scenario is called, or who fights whom: `Axis & Allies: 4 infantry against 3 infantry, 1 tank`. */
  readonly title: string;
  /** The title of the system; of a scenario with a name the game and who fights whom. */
  readonly system: string;
  readonly sides: readonly ShownSide[];
  /** What `parts` are the law of: nothing if they say how battles end, else `Defender: models lost`. */
  readonly of: string;
  /** In the order of a bar: one side, nobody, the other side. */
  readonly parts: readonly BarPart[];
  /** The answer in sentences. */
  readonly lines: readonly string[];
  /** What winners keep, a sentence for each; of a law its mean. */
  readonly left: readonly string[];
  /** `exact odds`, or `from 1 000 000 battles`. */
  readonly how: string;
}

/** `57.6 %`: as finely as people talk about it. */
export const odds = (p: number): string => sharePercent(p, 1);

/** A side as a heading calls it. */
const headed = ({ name }: ShownSide): string => sentence(cleanText(name));

interface Telling extends Counted {
  readonly asked: Leading;
  readonly sides: readonly ShownSide[];
  readonly lefts: readonly LeftMetric[];
}

/** `On winning, Swordsmen keep 13.6 hit points on average.` */
function leftOf({ asked, sides, lefts, tally }: Telling): string[] {
  const { shape } = opened(asked.scenario);
  return shape.outcomes.flatMap((outcome, o) => {
    const winner = winnerOf(outcome, sides);
    const left = lefts.find(({ side }) => side === winner);
    if (winner === undefined || left === undefined || (tally.outcomes[o] ?? 0) === 0) return [];
    const subject = subjectOf(winner);
    const keeps = keepsText(shape, tally, left, subject, o);
    return keeps === undefined ? [] : [`On winning, ${subject.text} ${keeps}.`];
  });
}

/** Values of a law that are told one by one. */
const VALUES = 4;

/** A law as parts of a bar: `0`, `1`, `2`, `3 or more`. */
function lawOf({ histogram }: MetricSummary, tone: number): BarPart[] {
  const total = histogram.reduce((sum, [, weight]) => sum + weight, 0);
  const few = histogram.length <= VALUES ? histogram.length : VALUES - 1;
  const parts = histogram.slice(0, few).map(([value, weight]) => ({ name: plain(value), p: weight / total, tone }));
  const rest = histogram.slice(few);
  if (rest.length === 0) return parts;
  const p = rest.reduce((sum, [, weight]) => sum + weight, 0) / total;
  return [...parts, { name: `${plain(rest[0]?.[0] ?? 0)} or more`, p, tone }];
}

/** Nearly all battles end in one way that nobody has won: then what was lost is the answer. */
const UNDECIDED = 0.995;

/** What is lost, as a law: of a volley one asks how many it kills. */
function lostOf({ asked, sides, lefts, summary, tally }: Telling): Pick<Told, 'of' | 'parts' | 'left'> | undefined {
  const isOpen = summary.outcomes.some(({ name, p }) => p >= UNDECIDED && winnerOf(name, sides) === undefined);
  const lost = isOpen ? lefts.findLast(({ verb }) => verb === 'loses') : undefined;
  const metric = lost && summary.metrics[lost.metric];
  if (lost === undefined || metric === undefined || metric.min === metric.max) return undefined;
  const subject = subjectOf(lost.side);
  const loses = keepsText(opened(asked.scenario).shape, tally, lost, subject) ?? '';
  return {
    of: `${headed(lost.side)}: ${lost.noun} lost`,
    // In the colour of whoever does it.
    parts: lawOf(metric, lost.side.tone === 0 ? 1 : 0),
    left: [`${sentence(subject.text)} ${loses}.`],
  };
}

/** Returns what names the battle: the game, the units, the scenario if it has a name. */
function headOf(scenario: Scenario, sides: readonly ShownSide[]): Pick<Told, 'title' | 'system'> {
  const { title: system } = opened(scenario).system;
  const game = GAMES.find(({ id }) => id === scenario.system)?.played[0] ?? system;
  const armies = armiesText(scenario, sides);
  const battle = armies && `${game}: ${armies}`;
  const name = cleanText(scenario.name ?? '').trim();
  if (name !== '') return { title: sentence(name), system: battle ?? game };
  return { title: battle ?? (sides.slice(0, 2).map(headed).join(' against ') || scenario.system), system };
}

/** What is told of a scenario, of which the exact answer or what was played is known. */
export function toldOf(asked: Leading): Told {
  const found = asked.exact ?? asked.played;
  const { counts = {} } = opened(asked.scenario).system;
  const sides = sidesOf(asked.scenario);
  const head = { ...headOf(asked.scenario, sides), sides };
  const battles = asked.played?.battles ?? 0;
  const how = asked.exact === undefined ? `from ${grouped(battles)} battles` : 'exact odds';
  if (found === undefined) return { ...head, of: '', parts: [], lines: [], left: [], how };
  const telling: Telling = { ...found, asked, sides, lefts: leftMetrics({ summary: found.summary, sides, counts }) };
  const { lines } = leadOf(asked);
  const parts = oddsOf(found.summary, sides);
  return { ...head, lines, ...(lostOf(telling) ?? { of: '', parts, left: leftOf(telling) }), how };
}

/** All of it in one sentence, for those who do not see the picture: `Swordsmen 57.6 %, Both sides fall 6.1 %`. */
export function toldText({ of, parts }: Told): string {
  const told = (join: string): string => parts.map(({ name, p }) => name + join + odds(p)).join(', ');
  return of === '' ? told(' ') : `${of} ${told(': ')}`;
}

/**
 * What stands above the bar in large letters: both sides, of several those that win most often, and what happens most
 * often where no side ever wins. Nothing above a law.
 */
export function headsOf({ of, sides, parts }: Told): BarPart[] {
  if (of !== '') return [];
  const won = sides.map((side) => {
    const p = parts.filter(({ tone }) => tone === side.tone).reduce((sum, part) => sum + part.p, 0);
    return { name: labelOf(side.id, sides), p, tone: side.tone };
  });
  const first = won.toSorted((a, b) => b.p - a.p).slice(0, 2);
  if ((first[0]?.p ?? 0) > 0) return first.toSorted((a, b) => a.tone - b.tone);
  return parts.toSorted((a, b) => b.p - a.p).slice(0, 1);
}
