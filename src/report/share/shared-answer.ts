/** Result for sharing: win probabilities and remaining units. */

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
  /** Name of the scenario, or the armies: `Axis & Allies: 4 infantry against 3 infantry, 1 tank`. */
  readonly title: string;
  /** Title of the system; for a scenario with a name, the game and the armies. */
  readonly system: string;
  readonly sides: readonly ScenarioSide[];
  /** Title of the distribution in `parts`, such as `Defender: models lost`; empty if `parts` are outcomes. */
  readonly of: string;
  /** Parts in the order of the bar: one side, no side, the other side. */
  readonly parts: readonly BarPart[];
  /** Result as sentences. */
  readonly lines: readonly string[];
  /** Sentences on remaining units of winners, or on the mean of the distribution. */
  readonly left: readonly string[];
  /** `exact odds`, or `from 1 000 000 battles`. */
  readonly how: string;
}

/** `57.6 %` */
export const formatOdds = (p: number): string => formatSharePercent(p, 1);

/** Formats a side for headings. */
const formatSideTitle = ({ name }: ScenarioSide): string => capitalize(sanitizeXmlText(name));

interface SharedAnswerContext extends SummarizedCounts {
  readonly answered: AnsweredScenario;
  readonly sides: readonly ScenarioSide[];
  readonly lefts: readonly RemainingMetric[];
}

/** `On winning, Swordsmen keep 13.6 hit points on average.` */
function formatRemaining({ answered, sides, lefts, counts }: SharedAnswerContext): string[] {
  const { shape } = getBoundScenario(answered.scenario);
  return shape.outcomes.flatMap((outcome, o) => {
    const winner = findWinner(outcome, sides);
    const left = lefts.find(({ side }) => side === winner);
    if (winner === undefined || left === undefined || (counts.outcomes[o] ?? 0) === 0) return [];
    const subject = createSubject(winner);
    const keeps = formatRemainingClause(shape, counts, left, subject, o);
    return keeps === undefined ? [] : [`On winning, ${subject.text} ${keeps}.`];
  });
}

/** Maximum number of single values of a distribution. */
const MAX_VALUES = 4;

/** Creates the parts of a distribution: `0`, `1`, `2`, `3 or more`. */
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

/** If an outcome without a winner has at least this probability, the answer is the distribution of losses. */
const UNDECIDED_SHARE = 0.995;

/** Creates the distribution of losses, such as the kills of a volley. */
function createLossAnswer({
  answered,
  sides,
  lefts,
  summary,
  counts,
}: SharedAnswerContext): Pick<SharedAnswer, 'of' | 'parts' | 'left'> | undefined {
  const isOpen = summary.outcomes.some(({ name, p }) => p >= UNDECIDED_SHARE && findWinner(name, sides) === undefined);
  const lost = isOpen ? lefts.findLast(({ verb }) => verb === 'loses') : undefined;
  const metric = lost && summary.metrics[lost.metric];
  if (lost === undefined || metric === undefined || metric.min === metric.max) return undefined;
  const subject = createSubject(lost.side);
  const loses = formatRemainingClause(getBoundScenario(answered.scenario).shape, counts, lost, subject) ?? '';
  return {
    of: `${formatSideTitle(lost.side)}: ${lost.noun} lost`,
    // In the color of the opponent.
    parts: createDistributionParts(metric, lost.side.tone === 0 ? 1 : 0),
    left: [`${capitalize(subject.text)} ${loses}.`],
  };
}

/** Creates the titles: name of the scenario, game and armies. */
function createAnswerTitle(scenario: Scenario, sides: readonly ScenarioSide[]): Pick<SharedAnswer, 'title' | 'system'> {
  const { title: system } = getBoundScenario(scenario).system;
  const game = GAMES.find(({ id }) => id === scenario.system)?.played[0] ?? system;
  const armies = formatArmies(scenario, sides);
  const battle = armies && `${game}: ${armies}`;
  const name = sanitizeXmlText(scenario.name ?? '').trim();
  if (name !== '') return { title: capitalize(name), system: battle ?? game };
  return { title: battle ?? (sides.slice(0, 2).map(formatSideTitle).join(' against ') || scenario.system), system };
}

/** Creates the shared result of a scenario with exact or simulated results. */
export function createSharedAnswer(requested: AnsweredScenario): SharedAnswer {
  const found = requested.exact ?? requested.simulated;
  const { counts = {} } = getBoundScenario(requested.scenario).system;
  const sides = getSides(requested.scenario);
  const head = { ...createAnswerTitle(requested.scenario, sides), sides };
  const battles = requested.simulated?.battles ?? 0;
  const how = requested.exact === undefined ? `from ${formatGrouped(battles)} battles` : 'exact odds';
  if (found === undefined) return { ...head, of: '', parts: [], lines: [], left: [], how };
  const context: SharedAnswerContext = {
    ...found,
    answered: requested,
    sides,
    lefts: findRemainingMetrics({ summary: found.summary, sides, counts }),
  };
  const { lines } = createHeadline(requested);
  const parts = createOddsParts(found.summary, sides);
  return { ...head, lines, ...(createLossAnswer(context) ?? { of: '', parts, left: formatRemaining(context) }), how };
}

/** Text alternative of the image: `Swordsmen 57.6 %, Both sides fall 6.1 %`. */
export function formatSharedAnswer({ of, parts }: SharedAnswer): string {
  const formatReported = (join: string): string => parts.map(({ name, p }) => name + join + formatOdds(p)).join(', ');
  return of === '' ? formatReported(' ') : `${of} ${formatReported(': ')}`;
}

/**
 * Selects the parts in large letters above the bar: both sides; of several sides, the two with the most wins; the most
 * frequent outcome if no side ever wins. Empty for a distribution.
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
