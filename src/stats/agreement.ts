/**
 * Tests whether simulated battles are consistent with an exact distribution. The probability of a false alarm is at
 * most `alarm` for an outcome, also for rare events: shares are tested by the tails of the binomial distribution,
 * means by Bernstein's inequality (S. Boucheron, G. Lugosi, P. Massart, Concentration Inequalities, 2013, 2.8) with the
 * variance and the range of the distribution. No normal approximation is used.
 */

import { ln } from '../core/index.ts';
import { computeLogTail } from './binomial.ts';
import type { MetricSummary, OutcomeSummary, Summary } from './summary.ts';

/** Two-sided tail probability of six standard errors of a normal distribution. */
const SIX_SIGMA = 1.97e-9;

/** Rounding error of exact probabilities; a thousand times the observed one. */
const ROUNDING = 1e-12;

/** Each probability of a draw is accurate within 2^-32: the sum for sixteen draws. */
const SAMPLING_ERROR = 2 ** -28;

/** Observed share of an event. */
interface ObservedShare {
  readonly what: string;
  readonly count: number;
  readonly probability: number;
}

/** A count or mean, and its deviation from the exact distribution. */
export interface Contradiction {
  readonly what: string;
  readonly simulated: number;
  readonly exact: number;
  readonly kind: 'share' | 'mean';
}

/** Lists the cumulative shares at each observed or possible value. */
function listCumulativeShares(played: MetricSummary, exact: MetricSummary): ObservedShare[] {
  const [counts, masses] = [new Map(played.histogram), new Map(exact.histogram)];
  const values = [...new Set([...counts.keys(), ...masses.keys()])].sort((a, b) => a - b);
  let [count, probability] = [0, 0];
  return values.map((value) => {
    count += counts.get(value) ?? 0;
    probability += masses.get(value) ?? 0;
    return { what: `${played.name} of ${String(value)} or less`, count, probability };
  });
}

/** Lists observed values that are impossible. */
function listImpossibleShares(played: MetricSummary, exact: MetricSummary): ObservedShare[] {
  const possible = new Set(exact.histogram.map(([value]) => value));
  return played.histogram
    .filter(([value]) => !possible.has(value))
    .map(([value, count]) => ({ what: `${played.name} of ${String(value)}`, count, probability: 0 }));
}

/**
 * Computes the logarithm of the probability of a count at least as extreme, on the side of the smaller tail.
 * @param lost additional mass that the distribution may have
 */
function computeLogTailProbability(
  { count, probability }: Omit<ObservedShare, 'what'>,
  battles: number,
  lost: number,
): number {
  const around = probability > 0 ? lost + ROUNDING + SAMPLING_ERROR : lost;
  const [most, others] = [probability + around, 1 - probability + lost + ROUNDING + SAMPLING_ERROR];
  const tail = (came: number, share: number): number => {
    // Altered counts may sum to more than the battles.
    if (came > battles) return Number.NEGATIVE_INFINITY;
    if (came <= 0 || share >= 1) return 0;
    return share <= 0 ? Number.NEGATIVE_INFINITY : computeLogTail(came, battles, share);
  };
  return Math.min(tail(count, most), tail(battles - count, others));
}

/** Returns true if the deviation of a mean exceeds the bound of Bernstein's inequality. */
function isFar(played: MetricSummary, exact: MetricSummary, battles: number, lost: number): boolean {
  const [low, high] = [Math.min(played.min, exact.min), Math.max(played.max, exact.max)];
  const range = Math.max(high - exact.mean, exact.mean - low);
  const around = (high - low) * (lost + ROUNDING + SAMPLING_ERROR) + (exact.error?.mean ?? 0);
  const miss = Math.abs(played.mean - exact.mean) - around;
  if (miss <= 0) return false;
  const exponent = (battles * miss ** 2) / (2 * (exact.variance + (range * miss) / 3 + ROUNDING));
  return -exponent < ln(SIX_SIGMA / 2);
}

const findByName = <T extends { readonly name: string }>(list: readonly T[], name: string): T | undefined =>
  list.find((each) => each.name === name);

/** Generates all shares that can deviate, each with the logarithm of its tail probability. */
function* generateSuspectShares(
  outcomes: readonly (readonly [OutcomeSummary, OutcomeSummary])[],
  metrics: readonly (readonly [MetricSummary, MetricSummary])[],
  alarm: number,
): Generator<readonly [ObservedShare, limit: number]> {
  for (const [played, exact] of outcomes)
    yield [{ what: played.name, count: played.count, probability: exact.p }, ln(alarm / 2)];
  for (const [played, exact] of metrics) {
    const shares = [...listImpossibleShares(played, exact), ...listCumulativeShares(played, exact)];
    for (const share of shares) yield [share, ln(alarm / (2 * shares.length))];
  }
}

/**
 * Finds the contradiction between battles and the exact distribution of their scenario; undefined if there is none.
 * @param played outcomes and metrics of the battles; those that the distribution lacks are skipped
 * @param battles number of counted battles, 1 or more
 * @param alarm maximum probability of a false alarm for each outcome, and twice that for each metric
 */
export function findContradiction(
  played: Summary,
  exact: Summary,
  battles: number,
  alarm: number = SIX_SIGMA,
): Contradiction | undefined {
  const lost = Math.max(0, 1 - exact.outcomes.reduce((sum, { p }) => sum + p, 0));
  const listPairs = <T extends { readonly name: string }>(mine: readonly T[], theirs: readonly T[]) =>
    mine.flatMap((each) => {
      const other = findByName(theirs, each.name);
      return other === undefined ? [] : [[each, other] as const];
    });
  const [outcomes, metrics] = [listPairs(played.outcomes, exact.outcomes), listPairs(played.metrics, exact.metrics)];
  for (const [share, limit] of generateSuspectShares(outcomes, metrics, alarm))
    if (computeLogTailProbability(share, battles, lost) < limit)
      return { what: share.what, simulated: share.count / battles, exact: share.probability, kind: 'share' };
  const mean = metrics.find(([mine, theirs]) => isFar(mine, theirs, battles, lost));
  return mean && { what: mean[0].name, simulated: mean[0].mean, exact: mean[1].mean, kind: 'mean' };
}

/** Returns true if the count of one outcome contradicts its exact probability. */
export function isContradictoryShare(count: number, battles: number, probability: number): boolean {
  return computeLogTailProbability({ count, probability }, battles, 0) < ln(SIX_SIGMA / 2);
}

/** Formats a compared value. */
function formatFigure(kind: Contradiction['kind'], value: number): string {
  return kind === 'share' ? `${String(Number((100 * value).toPrecision(6)))} %` : String(Number(value.toPrecision(6)));
}

/** Describes a contradiction, without its consequences. */
export function describeContradiction({ what, simulated, exact, kind }: Contradiction, battles: number): string {
  const mean = kind === 'mean' ? 'the mean of ' : '';
  return `${mean}${what} is ${formatFigure(kind, simulated)} in ${String(battles)} battles, but exactly ${formatFigure(kind, exact)}`;
}
