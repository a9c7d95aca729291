/** Results in the words of players: win probability, remaining units, other outcomes. */

import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import type { Counts, CountsShape, OutcomeSummary, Summary } from '../../stats/index.ts';
import { getSides, type ScenarioSide } from '../scenario/sides.ts';
import { formatBound, formatInterval, formatValue, SHARE } from '../sheet/estimated-value.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatFixed, formatGrouped } from '../text/number-format.ts';
import { createOddsParts, type OddsPart } from './odds-bar.ts';
import { createSubject, findWinner, formatOutcomeClause, isNamedAfterWinner } from './outcome-names.ts';
import {
  formatBattleShare,
  formatEstimatedPercent,
  formatPreciseShare,
  formatSharePercent,
  formatTimes,
} from './probability-text.ts';
import {
  findRemainingMetrics,
  formatRemainingClause,
  formatSideRemainder,
  type RemainingMetric,
} from './remaining-metrics.ts';

/** Distribution or counts of a scenario. */
export interface SummarizedCounts {
  readonly summary: Summary;
  /** Counts, or exact probabilities. */
  readonly counts: Counts;
}

/** Scenario with exact results, simulated results, or both. */
export interface AnsweredScenario {
  readonly scenario: Scenario;
  readonly exact?: SummarizedCounts | undefined;
  readonly simulated?: (SummarizedCounts & { readonly battles: number }) | undefined;
}

export interface AnswerHeadline {
  /** Sentences on the most frequent outcome and on the others. */
  readonly lines: readonly string[];
  /** Sentences on simulated results next to exact ones. */
  readonly finePrint: readonly string[];
  readonly odds: readonly OddsPart[];
  /** Metrics of remaining or lost units of the sides. */
  readonly remaining: readonly RemainingMetricTitle[];
}

/** Metric of remaining or lost units. */
export interface RemainingMetricTitle {
  readonly metric: string;
  /** `Swordsmen: hit points left`, `The defender: units lost` */
  readonly title: string;
  readonly tone: number;
}

/** Common data of all sentences. */
interface HeadlineContext {
  readonly shape: CountsShape;
  readonly sides: readonly ScenarioSide[];
  readonly lefts: readonly RemainingMetric[];
  readonly counts: Counts;
}

/** Maximum number of named outcomes. */
const MAX_NAMED_OUTCOMES = 3;

/** From this half-width, sentences show the interval instead of a fraction. */
const WIDE_HALF_WIDTH = 0.02;

const isWide = ({ ci95 }: OutcomeSummary): boolean => ci95 !== undefined && (ci95[1] - ci95[0]) / 2 > WIDE_HALF_WIDTH;

/** `57 to 100 of 100`, for few battles. */
const formatRangeOfHundred = ([low, high]: readonly [number, number]): string =>
  `${formatFixed(100 * low, 0)} to ${formatFixed(100 * high, 0)} of 100`;

/** `57.65 %`, or with its half-width: `57.67 ± 0.10 %`. */
function formatOutcomeShare({ p, ci95 }: OutcomeSummary): string {
  return formatPreciseShare({ value: p, interval: ci95 });
}

/** Formats the remaining units of the winner: ` and then keeps 4.1 tanks on average`. */
function formatWinnerRemainder(outcome: string, { shape, sides, lefts, counts }: HeadlineContext): string {
  const winner = findWinner(outcome, sides);
  const left = lefts.find(({ side }) => side === winner);
  if (!isNamedAfterWinner(outcome, winner) || left === undefined) return '';
  const text = formatRemainingClause(shape, counts, left, createSubject(winner), shape.outcomes.indexOf(outcome));
  return text === undefined ? '' : ` and then ${text}`;
}

function formatFirstOutcome(first: OutcomeSummary, context: HeadlineContext): string {
  const { name, p, ci95 } = first;
  const clause = formatOutcomeClause(name, context.sides);
  const then = formatWinnerRemainder(name, context);
  const isWin = isNamedAfterWinner(name, findWinner(name, context.sides));
  const figure = p >= 1 && ci95 === undefined ? '' : ` (${formatOutcomeShare(first)})`;
  if (isWide(first) && ci95 !== undefined && p < 1) {
    const range = `${formatRangeOfHundred(ci95)} ${isWin ? 'times' : 'battles'}`;
    return isWin ? `${capitalize(clause)} ${range}${then}.` : `In ${range} ${clause}.`;
  }
  if (p === 1 && ci95 !== undefined) {
    // Other outcomes remain possible, whatever the number of battles.
    const all = first.count === 1 ? 'the only simulated battle' : `all ${formatGrouped(first.count)} simulated battles`;
    return isWin ? `${capitalize(clause)} ${all}${figure}${then}.` : `In ${all} ${clause}${figure}.`;
  }
  if (isWin) return `${capitalize(clause)} ${formatTimes(p)}${figure}${then}.`;
  return `${capitalize(formatBattleShare(p))} ${clause}${figure}.`;
}

/** `Pikemen win in 36.21 % and then keep 9.8 hit points on average; both sides fall in 6.14 %.` */
function formatOtherOutcomes(others: readonly OutcomeSummary[], context: HeadlineContext): string[] {
  const named = others.slice(0, others.length === MAX_NAMED_OUTCOMES ? MAX_NAMED_OUTCOMES : MAX_NAMED_OUTCOMES - 1);
  const rest = others.slice(named.length);
  const p = rest.reduce((sum, each) => sum + each.p, 0);
  const parts = named.map((each) => {
    const share = formatEstimatedPercent({ value: each.p, interval: each.ci95 });
    return `${formatOutcomeClause(each.name, context.sides)} in ${share}${formatWinnerRemainder(each.name, context)}`;
  });
  const more =
    rest.length === 0 ? [] : [`${formatGrouped(rest.length)} other outcomes in ${formatSharePercent(p, 1)} together`];
  const all = [...parts, ...more];
  return all.length === 0 ? [] : [`${capitalize(all.join('; '))}.`];
}

/** Formats the remaining units of all sides, if the most frequent outcome has no winner. */
function formatRemaining({ shape, counts, lefts }: HeadlineContext): string[] {
  const parts = lefts.flatMap((left) => formatSideRemainder(shape, counts, left) ?? []);
  return parts.length === 0 ? [] : [`${capitalize(parts.join('; '))}.`];
}

/** `Simulated: 57.67 % of 1 000 000 battles (95 % interval 57.57 .. 57.77 %).` */
function formatSimulatedLine(
  { name }: OutcomeSummary,
  { summary, battles }: SummarizedCounts & { readonly battles: number },
): string[] {
  const outcome = summary.outcomes.find((each) => each.name === name);
  if (outcome === undefined) return [];
  const figure = { value: outcome.p, interval: outcome.ci95 };
  const bound = formatBound(SHARE, figure);
  const within = bound === undefined ? `95 % interval ${formatInterval(SHARE, figure)}` : `95 % bound ${bound}`;
  const count = `${formatGrouped(battles)} battle${battles === 1 ? '' : 's'}`;
  return [`Simulated: ${formatValue(SHARE, figure)} of ${count} (${within}).`];
}

const EMPTY_HEADLINE: AnswerHeadline = { lines: [], finePrint: [], odds: [], remaining: [] };

function createRemainingTitle({ side, name, noun, verb }: RemainingMetric): RemainingMetricTitle {
  const what = `${noun} ${verb === 'keeps' ? 'left' : 'lost'}`;
  return { metric: name, title: `${capitalize(createSubject(side).text)}: ${what}`, tone: side.tone };
}

/** Creates the sentences of a scenario. Exact results come first if they are known; simulated ones are fine print. */
export function createHeadline({ scenario, exact, simulated }: AnsweredScenario): AnswerHeadline {
  const result = exact ?? simulated;
  if (result === undefined) return EMPTY_HEADLINE;
  const { shape, system } = getBoundScenario(scenario);
  const sides = getSides(scenario);
  const lefts = findRemainingMetrics({ summary: result.summary, sides, counts: system.counts ?? {} });
  const context: HeadlineContext = { shape, sides, lefts, counts: result.counts };
  const observed = result.summary.outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const [first, ...others] = observed;
  if (first === undefined) return EMPTY_HEADLINE;
  const isWin = isNamedAfterWinner(first.name, findWinner(first.name, sides));
  return {
    lines: [
      formatFirstOutcome(first, context),
      ...formatOtherOutcomes(others, context),
      ...(isWin ? [] : formatRemaining(context)),
    ],
    finePrint: simulated === undefined ? [] : formatSimulatedLine(first, simulated),
    odds: createOddsParts(result.summary, sides),
    remaining: lefts.map(createRemainingTitle),
  };
}
