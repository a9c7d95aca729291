/** Tables of a run's estimates, with the exact values beside them where there are some. */

import { Z95 } from '../answers/intervals.ts';
import type { MetricSummary, OutcomeSummary, Summary } from '../answers/summary.ts';
import { NEGLIGIBLE } from '../engines/kernel/layout.ts';
import { boundText, decimalsOf, type Figure, inPercent, meanText, PERCENT, percent, valueText } from './figure.ts';
import { boundAbove, decimalsFor, exactly, fixed, grouped, plain, shortBound } from './text/digits.ts';
import { onPoint } from './text/lines.ts';
import { knownEvent, knownMetric, shownZ } from './text/score.ts';
import { type Column, columns, type Look, said } from './text/table.ts';

function exactHeads(head: string): Column[] {
  return [
    { head, align: 'point' },
    { head: 'z', spare: 4 },
  ];
}

/** A share and its interval, as figures have them. */
const figureOf = ({ p, ci95 }: OutcomeSummary): Figure => ({ value: p, interval: ci95 });

const shareDecimals = ({ ci95 }: OutcomeSummary): number => decimalsOf(ci95, PERCENT, 0);

/** Intervals as `low .. high`, points below each other; a bound where nothing or everything was counted. */
function shareIntervals(outcomes: readonly OutcomeSummary[]): string[] {
  const bounds = outcomes.map((outcome) => boundText(PERCENT, figureOf(outcome)));
  const end = (side: 0 | 1, outcome: OutcomeSummary): string =>
    inPercent(fixed, outcome.ci95?.[side] ?? 0, shareDecimals(outcome));
  const ends = (side: 0 | 1): string[] =>
    onPoint(outcomes.map((outcome, o) => (bounds[o] === undefined ? end(side, outcome) : '')));
  const [lows, highs] = [ends(0), ends(1)];
  return bounds.map((bound, o) => bound ?? `${lows[o] ?? ''} .. ${highs[o] ?? ''}`);
}

/** More outcomes than this are too many for a glance: then those that never come are left out. */
const OUTCOMES = 8;

/** Outcomes that are shown: all if they are few, or those that can come or did. */
export function shownOutcomes<T>(outcomes: readonly T[], comes: (outcome: T) => boolean): readonly T[] {
  return outcomes.length > OUTCOMES ? outcomes.filter(comes) : outcomes;
}

/** Says how many outcomes are left out, and what is known of them. */
export function leftOut(count: number, known: string, look: Look): string[] {
  return count > 0 ? said(`(--json also has ${grouped(count)} outcome${count > 1 ? 's' : ''} ${known})`, look) : [];
}

/** Outcomes with count, share, interval and, where known, the exact share and how far the estimate is off. */
export function outcomeTable(summary: Summary, battles: number, exact: Summary | undefined, look: Look): string[] {
  const { paint } = look;
  const heads: Column[] = [
    { head: 'outcome', align: 'left' },
    { head: 'count', spare: 1 },
    { head: '%', align: 'point' },
    { head: '95 % interval', spare: 5 },
    ...(exact ? exactHeads('exact %') : []),
  ];
  const known = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  const shown = shownOutcomes(summary.outcomes, ({ name, count }) => count > 0 || (known.get(name) ?? 0) > 0);
  const intervals = shareIntervals(shown);
  const rows = shown.map((outcome, o) => {
    const row = [
      outcome.name,
      grouped(outcome.count),
      paint.bold(valueText(PERCENT, figureOf(outcome))),
      intervals[o] ?? '',
    ];
    const p = known.get(outcome.name);
    if (p === undefined) return row;
    const z = shownZ(outcome.p, knownEvent(p), battles, paint);
    return [...row, inPercent(exactly, p, shareDecimals(outcome) + 2), z];
  });
  const unseen = summary.outcomes.find(({ count }) => count === 0)?.ci95?.[1] ?? 1;
  const why = exact ? 'of probability 0' : `that never came, each < ${percent(boundAbove, unseen)}`;
  return [...columns(heads, rows, look), ...leftOut(summary.outcomes.length - shown.length, why, look)];
}

/** Half the 95 % interval of a standard deviation, from the fourth moment of what was seen. */
function spreadHalfWidth({ histogram, mean, variance }: MetricSummary): number {
  const total = histogram.reduce((sum, [, weight]) => sum + weight, 0);
  const fourth = histogram.reduce((sum, [value, weight]) => sum + weight * (value - mean) ** 4, 0) / total;
  return (Z95 * Math.sqrt(Math.max(0, fourth - variance ** 2) / total)) / (2 * Math.sqrt(variance));
}

function spread(metric: MetricSummary): string {
  if (metric.histogram.length === 1) return '0';
  const halfWidth = spreadHalfWidth(metric);
  const deviation = Math.sqrt(metric.variance);
  return fixed(deviation, halfWidth > 0 ? decimalsFor(halfWidth) : 2);
}

const QUANTILES = [0.05, 0.5, 0.95] as const;

function quantiles(metric: MetricSummary): string[] {
  return QUANTILES.map((q) => plain(metric.quantiles[q]));
}

const QUANTILE_HEADS = QUANTILES.map((q): Column => ({ head: percent(plain, q), spare: 2 }));

/** Metrics with mean, interval, standard deviation, quantiles and, where known, the exact mean. */
export function metricTable(summary: Summary, battles: number, exact: Summary | undefined, look: Look): string[] {
  const { paint } = look;
  const heads: Column[] = [
    { head: 'metric', align: 'left' },
    { head: 'mean', align: 'point' },
    { head: '± 95 %', align: 'point' },
    { head: 'unseen <', spare: 1 },
    { head: 'SD', align: 'point', spare: 3 },
    ...QUANTILE_HEADS,
    ...(exact ? exactHeads('exact mean') : []),
  ];
  const rows = summary.metrics.map((metric, m) => {
    const [low, high] = metric.histogram.length === 1 || metric.ci95 === undefined ? [0, 0] : metric.ci95;
    const [mean, halfWidth, decimals] = meanText(metric.mean, (high - low) / 2);
    const row = [
      metric.name,
      paint.bold(mean),
      halfWidth,
      shortBound(metric.unseen ?? 0),
      spread(metric),
      ...quantiles(metric),
    ];
    const known = exact?.metrics[m];
    if (known === undefined) return row;
    return [...row, exactly(known.mean, decimals + 2), shownZ(metric.mean, knownMetric(known), battles, paint)];
  });
  return columns(heads, rows, look);
}

/**
 * An exact probability in per cent. An outcome that has none may come where mass is lost: a stalemate at the limit of
 * rounds, or any outcome if the budget ended before what is left was next to nothing beside those that have come.
 */
function exactShare({ name, p }: OutcomeSummary, { outcomes }: Summary, lost: number): string {
  const least = Math.min(...outcomes.map((outcome) => (outcome.p > 0 ? outcome.p : 1)));
  const isOpen = p === 0 && lost > 0 && (name === 'stalemate' || lost > NEGLIGIBLE * least);
  return isOpen ? `< ${inPercent(shortBound, lost)}` : inPercent(exactly, p, 7);
}

/**
 * Exact probabilities, in per cent.
 * @param lost probability of battles that are not in the law
 */
export function exactOutcomeTable(law: Summary, lost: number, look: Look): string[] {
  const heads: Column[] = [
    { head: 'outcome', align: 'left' },
    { head: '%', align: 'point' },
  ];
  const shown = shownOutcomes(law.outcomes, ({ p }) => p > 0);
  const rows = shown.map((outcome) => [outcome.name, look.paint.bold(exactShare(outcome, law, lost))]);
  return [...columns(heads, rows, look), ...leftOut(law.outcomes.length - shown.length, 'of probability 0', look)];
}

/** Exact means, standard deviations and quantiles. */
export function exactMetricTable(law: Summary, look: Look): string[] {
  const heads: Column[] = [
    { head: 'metric', align: 'left' },
    { head: 'mean', align: 'point' },
    { head: 'SD', align: 'point' },
    { head: 'least', spare: 1 },
    ...QUANTILE_HEADS,
    { head: 'most', spare: 1 },
  ];
  const rows = law.metrics.map((metric) => [
    metric.name,
    look.paint.bold(exactly(metric.mean, 6)),
    exactly(Math.sqrt(metric.variance), 4),
    plain(metric.min),
    ...quantiles(metric),
    plain(metric.max),
  ]);
  return columns(heads, rows, look);
}
