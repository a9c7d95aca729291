/** Simulated runs of known distributions, with checks of their intervals. */

import { ComparisonCounts, type ScenarioDifference } from '../../src/stats/comparison-counts.ts';
import { ConfidenceSequence } from '../../src/stats/confidence-sequence.ts';
import { Elimination, type SelectionGoal } from '../../src/stats/elimination.ts';
import type { HalfWidthTarget } from '../../src/stats/half-width-target.ts';
import type { Interval } from '../../src/stats/intervals.ts';
import { computeMeanInterval } from '../../src/stats/mean-interval.ts';
import { isMeanNarrow, scheduleMeanAnalyses, Z } from '../../src/stats/mean-schedule.ts';
import { OutcomeCriterion } from '../../src/stats/outcome-criterion.ts';
import { computeSampleMoments, type SampleMoments } from '../../src/stats/sample-moments.ts';
import { drawInto, type Law, meanOf, type Uniform } from './draws.ts';

export const covers = ([low, high]: Interval, value: number): boolean => low <= value && value <= high;

/** Returns the share of `runs` runs for which `good` returns true. */
export function share(runs: number, good: (run: number) => boolean): number {
  let count = 0;
  for (let run = 0; run < runs; run++) if (good(run)) count++;
  return count / runs;
}

/** Simulates a run that stops at the first sufficient interim analysis or at the last; returns counts of values. */
export function stopped<L extends { readonly battles: number }>(
  exactDistribution: Law,
  looks: readonly L[],
  enough: (counts: readonly number[], look: L) => boolean,
  uniform: Uniform,
): { counts: readonly number[]; look: L } {
  const counts = exactDistribution.map(() => 0);
  let simulated = 0;
  for (const look of looks) {
    drawInto(counts, exactDistribution, look.battles - simulated, uniform);
    simulated = look.battles;
    if (look === looks.at(-1) || enough(counts, look)) return { counts, look };
  }
  throw new Error('no looks');
}

/** Simulates a run with a precision target for the probabilities of all values; returns intervals and battles. */
export function outcomesRun(exactDistribution: Law, aim: HalfWidthTarget, most: number, uniform: Uniform) {
  const goal = goalFor(aim, exactDistribution.length, most);
  const drawn = exactDistribution.map(() => 0);
  const counts = { outcomes: new Float64Array(exactDistribution.length), metrics: [] };
  let battles = 0;
  for (let look = goal.nextAnalysis(counts); look !== undefined; look = goal.nextAnalysis(counts)) {
    drawInto(drawn, exactDistribution, look - battles, uniform);
    battles = look;
    counts.outcomes.set(drawn);
  }
  return { intervals: goal.intervals(counts), battles, reached: goal.isReached(counts), most: goal.most };
}

const goals = new Map<string, OutcomeCriterion>();

/** Returns the stopping criterion for a target. It is cached, because its schedule takes long to compute. */
function goalFor(aim: HalfWidthTarget, outcomes: number, most: number): OutcomeCriterion {
  const name = JSON.stringify([aim, outcomes, most]);
  const goal = goals.get(name) ?? new OutcomeCriterion(aim, outcomes, most);
  goals.set(name, goal);
  return goal;
}

/** Computes the moments of a sample from the counts of the values of a distribution. */
export const sampleIn = (exactDistribution: Law, counts: readonly number[], range: Interval): SampleMoments =>
  computeSampleMoments(
    exactDistribution.map(([value], k) => [value, counts[k] ?? 0] as const).filter(([, count]) => count > 0),
    range,
  );

/** Simulates a run with a precision target for the mean; returns its interval and battles. */
export function meanRun(exactDistribution: Law, halfWidth: number, range: Interval, uniform: Uniform) {
  const looks = scheduleMeanAnalyses({ halfWidth }, range, 2 ** 45).map((battles) => ({ battles }));
  const intervalOf = (counts: readonly number[]): Interval =>
    computeMeanInterval(sampleIn(exactDistribution, counts, range), Z);
  const narrow = (counts: readonly number[]): boolean => isMeanNarrow(intervalOf(counts), 0, { halfWidth });
  const { counts, look } = stopped(exactDistribution, looks, narrow, uniform);
  return { interval: intervalOf(counts), battles: look.battles };
}

/**
 * Creates the joint distribution of several scenarios in one battle: bit s of a value is set if scenario s succeeds.
 * Each scenario uses the common random number with probability `shared`, otherwise an independent one.
 */
export function together(shares: readonly number[], shared: number): Law {
  const edges = [...new Set([0, ...shares, 1])].sort((a, b) => a - b);
  return Array.from({ length: 2 ** shares.length }, (_, pattern): [number, number] => {
    let probability = 0;
    for (const [e, low] of edges.slice(0, -1).entries()) {
      const width = (edges[e + 1] ?? 1) - low;
      probability += shares.reduce((product, p, s) => {
        const succeeds = ((pattern >> s) & 1) === 1;
        const common = low < p === succeeds ? 1 : 0;
        return product * (shared * common + (1 - shared) * (succeeds ? p : 1 - p));
      }, width);
    }
    return [pattern, probability];
  });
}

/** Creates empty counts of `size` scenarios with values in the same range. */
export const countsIn = (size: number, shares: boolean, range: Interval, bets?: ConfidenceSequence): ComparisonCounts =>
  new ComparisonCounts({ shares, unit: 1, ranges: Array.from({ length: size }, () => range) }, bets);

/** Simulates a comparison of `size` scenarios with the joint distribution from `together`. */
export function compared(
  exactDistribution: Law,
  size: number,
  kind: 'shares' | 'means',
  battles: number,
  uniform: Uniform,
) {
  const counts = countsIn(size, kind === 'shares', [0, 1]);
  const drawn = exactDistribution.map(() => 0);
  drawInto(drawn, exactDistribution, battles, uniform);
  for (const [pattern, count] of drawn.entries()) {
    if (count === 0) continue;
    counts.count(
      Array.from({ length: size }, (_, s) => (pattern >> s) & 1),
      count,
    );
  }
  return counts;
}

/** Returns a function that returns true if the interval of a pair covers the true difference. */
export const gapHolds =
  (truth: readonly number[]) =>
  ({ first, second, ci95 }: ScenarioDifference): boolean =>
    covers(ci95, (truth[second] ?? 0) - (truth[first] ?? 0));

/** A search for the best of several scenarios. */
export interface Search {
  /** Joint distribution of one battle; its value is an index of `values`. */
  readonly law: Law;
  /** Values of all scenarios, indexed by the value of the joint distribution. */
  readonly values: readonly (readonly number[])[];
  readonly shares: boolean;
  /** Range of values; 0..1 by default. */
  readonly range?: Interval;
  /** Maximum number of battles per scenario. */
  readonly battles: number;
  readonly goal: SelectionGoal;
  readonly bounded?: boolean;
}

/** Computes the true means of all scenarios. */
export function truthOf({ law: exactDistribution, values }: Search): number[] {
  return (values[0] ?? []).map((_, s) => meanOf(exactDistribution.map(([k, p]) => [values[k]?.[s] ?? 0, p])));
}

/** Creates a search among scenarios that succeed with these probabilities and share 70 % of random numbers. */
export function searchFor(
  shares: readonly number[],
  battles: number,
  request: SelectionGoal = { goal: 'highest' },
): Search {
  const exactDistribution = together(shares, 0.7);
  return {
    law: exactDistribution,
    values: exactDistribution.map(([pattern]) => shares.map((_, s) => (pattern >> s) & 1)),
    shares: true,
    battles,
    goal: request,
  };
}

/** Runs a search; `holds` is true if the intervals of every interim analysis cover the true differences. */
export function search(study: Search, uniform: Uniform): { race: Elimination; holds: boolean } {
  const { law: exactDistribution, values, shares, range = [0, 1], battles, goal: request, bounded = false } = study;
  const truth = truthOf(study);
  const counts = countsIn(truth.length, shares, range, bounded ? new ConfidenceSequence(1 / battles) : undefined);
  const race = new Elimination(counts, truth.length, battles, request, bounded);
  let holds = true;
  for (let look = race.nextAnalysis; look !== undefined; look = race.nextAnalysis) {
    const drawn = exactDistribution.map(() => 0);
    drawInto(drawn, exactDistribution, look - counts.battles, uniform);
    for (const [k, count] of drawn.entries()) if (count > 0) counts.count(values[k] ?? [], count);
    race.dropWorse();
    const atThis = ({ first, second }: ScenarioDifference): boolean =>
      race.battles[first] === look && race.battles[second] === look;
    holds &&= race.differences.filter(atThis).every(gapHolds(truth));
  }
  return { race, holds };
}
