/** What is told of an answer to somebody who was not there: who wins how often, and what is left. */

import { GAMES, getBoundScenario, type Scenario } from '../../rules/index.ts';
import type { MetricSummary } from '../../stats/index.ts';
import { formatArmies } from '../odds/armies.ts';
import { type AnsweredScenario, createHeadline, type SummarizedCounts } from '../odds/headline.ts';
import { type BarPart, createOddsParts } from '../odds/odds-bar.ts';
import { createSubject, findWinner, formatOutcomeLabel } from '../odds/outcome-names.ts';
import { formatSharePercent } from '../odds/probability-text.ts';
import { findRemainingMetrics, formatRemainingClause, type RemainingMetric } from '../odds/remaining-metrics.ts';
import { getSides, type ScenarioSide } from '../scenario/sides.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatGrouped, formatNumber } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';

export interface SharedAnswer {
  /** What the scenario is called, or who fights whom: `Axis & Allies: 4 infantry against 3 infantry, 1 tank`. */
  readonly title: string;
  /** The title of the system; of a scenario with a name the game and who fights whom. */
  readonly system: string;
  readonly sides: readonly ScenarioSide[];
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
export const formatOdds = (p: number): string => formatSharePercent(p, 1);

/** A side as a heading calls it. */
const formatSideTitle = ({ name }: ScenarioSide): string => capitalize(sanitizeXmlText(name));

interface SharedAnswerContext extends SummarizedCounts {
  readonly answered: AnsweredScenario;
  readonly sides: readonly ScenarioSide[];
  readonly lefts: readonly RemainingMetric[];
}

/** `On winning, Swordsmen keep 13.6 hit points on average.` */
function formatRemaining({ answered, sides, lefts, tally }: SharedAnswerContext): string[] {
  const { shape } = getBoundScenario(answered.scenario);
  return shape.outcomes.flatMap((outcome, o) => {
    const winner = findWinner(outcome, sides);
    const left = lefts.find(({ side }) => side === winner);
    if (winner === undefined || left === undefined || (tally.outcomes[o] ?? 0) === 0) return [];
    const subject = createSubject(winner);
    const keeps = formatRemainingClause(shape, tally, left, subject, o);
    return keeps === undefined ? [] : [`On winning, ${subject.text} ${keeps}.`];
  });
}

/** Values of a law that are told one by one. */
const MAX_VALUES = 4;

/** A law as parts of a bar: `0`, `1`, `2`, `3 or more`. */
function createDistributionParts({ histogram }: MetricSummary, tone: number): BarPart[] {
  const total = histogram.reduce((sum, [, weight]) => sum + weight, 0);
  const few = histogram.length <= MAX_VALUES ? histogram.length : MAX_VALUES - 1;
  const parts = histogram
    .slice(0, few)
    .map(([value, weight]) => ({ name: formatNumber(value), p: weight / total, tone }));
  const rest = histogram.slice(few);
  if (rest.length === 0) return parts;
  const p = rest.reduce((sum, [, weight]) => sum + weight, 0) / total;
  return [...parts, { name: `${formatNumber(rest[0]?.[0] ?? 0)} or more`, p, tone }];
}

/** Nearly all battles end in one way that nobody has won: then what was lost is the answer. */
const UNDECIDED_SHARE = 0.995;

/** What is lost, as a law: of a volley one asks how many it kills. */
function createLossAnswer({
  answered,
  sides,
  lefts,
  summary,
  tally,
}: SharedAnswerContext): Pick<SharedAnswer, 'of' | 'parts' | 'left'> | undefined {
  const isOpen = summary.outcomes.some(({ name, p }) => p >= UNDECIDED_SHARE && findWinner(name, sides) === undefined);
  const lost = isOpen ? lefts.findLast(({ verb }) => verb === 'loses') : undefined;
  const metric = lost && summary.metrics[lost.metric];
  if (lost === undefined || metric === undefined || metric.min === metric.max) return undefined;
  const subject = createSubject(lost.side);
  const loses = formatRemainingClause(getBoundScenario(answered.scenario).shape, tally, lost, subject) ?? '';
  return {
    of: `${formatSideTitle(lost.side)}: ${lost.noun} lost`,
    // In the colour of whoever does it.
    parts: createDistributionParts(metric, lost.side.tone === 0 ? 1 : 0),
    left: [`${capitalize(subject.text)} ${loses}.`],
  };
}

/** Returns what names the battle: the game, the units, the scenario if it has a name. */
function createAnswerTitle(scenario: Scenario, sides: readonly ScenarioSide[]): Pick<SharedAnswer, 'title' | 'system'> {
  const { title: system } = getBoundScenario(scenario).system;
  const game = GAMES.find(({ id }) => id === scenario.system)?.played[0] ?? system;
  const armies = formatArmies(scenario, sides);
  const battle = armies && `${game}: ${armies}`;
  const name = sanitizeXmlText(scenario.name ?? '').trim();
  if (name !== '') return { title: capitalize(name), system: battle ?? game };
  return { title: battle ?? (sides.slice(0, 2).map(formatSideTitle).join(' against ') || scenario.system), system };
}

/** What is told of a scenario, of which the exact answer or what was played is known. */
export function createSharedAnswer(asked: AnsweredScenario): SharedAnswer {
  const found = asked.exact ?? asked.simulated;
  const { counts = {} } = getBoundScenario(asked.scenario).system;
  const sides = getSides(asked.scenario);
  const head = { ...createAnswerTitle(asked.scenario, sides), sides };
  const battles = asked.simulated?.battles ?? 0;
  const how = asked.exact === undefined ? `from ${formatGrouped(battles)} battles` : 'exact odds';
  if (found === undefined) return { ...head, of: '', parts: [], lines: [], left: [], how };
  const telling: SharedAnswerContext = {
    ...found,
    answered: asked,
    sides,
    lefts: findRemainingMetrics({ summary: found.summary, sides, counts }),
  };
  const { lines } = createHeadline(asked);
  const parts = createOddsParts(found.summary, sides);
  return { ...head, lines, ...(createLossAnswer(telling) ?? { of: '', parts, left: formatRemaining(telling) }), how };
}

/** All of it in one sentence, for those who do not see the picture: `Swordsmen 57.6 %, Both sides fall 6.1 %`. */
export function formatSharedAnswer({ of, parts }: SharedAnswer): string {
  const told = (join: string): string => parts.map(({ name, p }) => name + join + formatOdds(p)).join(', ');
  return of === '' ? told(' ') : `${of} ${told(': ')}`;
}

/**
 * What stands above the bar in large letters: both sides, of several those that win most often, and what happens most
 * often where no side ever wins. Nothing above a law.
 */
export function selectHeadlineParts({ of, sides, parts }: SharedAnswer): BarPart[] {
  if (of !== '') return [];
  const won = sides.map((side) => {
    const p = parts.filter(({ tone }) => tone === side.tone).reduce((sum, part) => sum + part.p, 0);
    return { name: formatOutcomeLabel(side.id, sides), p, tone: side.tone };
  });
  const first = won.toSorted((a, b) => b.p - a.p).slice(0, 2);
  if ((first[0]?.p ?? 0) > 0) return first.toSorted((a, b) => a.tone - b.tone);
  return parts.toSorted((a, b) => b.p - a.p).slice(0, 1);
}
