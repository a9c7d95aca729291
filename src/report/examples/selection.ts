/** Selection of example battles: a typical one, the closest, the rarest. */

import type { BattleEnd } from '../../rules/index.ts';
import { type Counts, type CountsShape, listValueCounts } from '../../stats/index.ts';

/** Examined battle. */
export interface ExaminedBattle extends BattleEnd {
  /** Index in the run. */
  readonly battle: number;
}

/** Finds the first battle with the smallest figure. Battles without a figure are skipped. */
export function findLeast(
  battles: readonly ExaminedBattle[],
  figureOf: (seen: ExaminedBattle) => number | undefined,
): ExaminedBattle | undefined {
  let [found, least] = [undefined as ExaminedBattle | undefined, Number.POSITIVE_INFINITY];
  for (const seen of battles) {
    const figure = figureOf(seen);
    if (figure === undefined || figure >= least) continue;
    [found, least] = [seen, figure];
  }
  return found;
}

/** Median of a metric, and mean distance of its values from it. */
export interface MedianSpread {
  /** Smallest value that half of the battles do not exceed. */
  readonly median: number;
  readonly spread: number;
}

type ValueCount = readonly (readonly [value: number, count: number])[];

const sumCounts = (counts: ValueCount): number => counts.reduce((sum, [, count]) => sum + count, 0);

/** Smallest value that a share of the battles does not exceed; undefined without battles. */
export function computeQuantile(counts: ValueCount, part: number): number | undefined {
  const most = part * sumCounts(counts) * (1 - 1e-12);
  let below = 0;
  return counts.find(([, count]) => {
    below += count;
    return below >= most;
  })?.[0];
}

function computeMedianSpread(counts: ValueCount): MedianSpread {
  const median = computeQuantile(counts, 0.5) ?? 0;
  const off = counts.reduce((sum, [value, count]) => sum + Math.abs(value - median) * count, 0);
  return { median, spread: off / Math.max(1, sumCounts(counts)) };
}

/** Most frequent outcome of a run, the first declared one of equals. */
export function findMostFrequentOutcome({ outcomes }: Counts): number {
  return outcomes.reduce((most, count, o) => (count > (outcomes[most] ?? 0) ? o : most), 0);
}

/** Computes the medians of all metrics over the battles with an outcome. */
export function computeMedianSpreads(shape: CountsShape, counts: Counts, outcome: number): MedianSpread[] {
  return shape.metrics.map((_, m) => computeMedianSpread(listValueCounts(counts, m, outcome)));
}

/** Distance of metrics from their medians: the sum of distances, each divided by its mean. Constant metrics add 0. */
function computeDistance(metrics: readonly number[], middles: readonly MedianSpread[]): number {
  return middles.reduce(
    (sum, { median, spread }, m) => (spread === 0 ? sum : sum + Math.abs((metrics[m] ?? 0) - median) / spread),
    0,
  );
}

/**
 * Finds the battle with the most frequent outcome whose metrics are nearest to their medians given this outcome.
 * @param counts counts of the whole run
 * @returns undefined if no examined battle has this outcome
 */
export function findTypicalBattle(
  battles: readonly ExaminedBattle[],
  shape: CountsShape,
  counts: Counts,
): ExaminedBattle | undefined {
  const outcome = findMostFrequentOutcome(counts);
  const middles = computeMedianSpreads(shape, counts, outcome);
  return findLeast(battles, (seen) => (seen.outcome === outcome ? computeDistance(seen.metrics, middles) : undefined));
}

/** Rarity of a battle: its outcome together with an extreme metric, or only its outcome. */
export interface Rarity {
  readonly metric?: { readonly index: number; readonly value: number; readonly end: 'least' | 'most' };
  /** Share of battles with this outcome and a metric at least as extreme, 0..1. */
  readonly share: number;
}

/** Computes the rarer tail of each value of a metric, given an outcome. */
function computeRarities(counts: ValueCount, index: number, total: number): Map<number, Rarity> {
  const all = sumCounts(counts);
  const found = new Map<number, Rarity>();
  let below = 0;
  for (const [value, count] of counts) {
    const [upTo, from] = [below + count, all - below];
    below = upTo;
    const end = upTo < from ? 'least' : 'most';
    found.set(value, { metric: { index, value, end }, share: Math.min(upTo, from) / total });
  }
  return found;
}

/**
 * Creates a function that computes the rarity of a battle: the smallest share of battles with the same outcome and one
 * metric at least as extreme.
 * @param counts counts of the whole run, or the exact distribution
 */
export function createRarityMeasure(shape: CountsShape, counts: Counts): (result: BattleEnd) => Rarity {
  const total = counts.outcomes.reduce((sum, weight) => sum + weight, 0);
  const known = new Map<number, readonly Map<number, Rarity>[]>();
  const listRarities = (outcome: number): readonly Map<number, Rarity>[] => {
    const found =
      known.get(outcome) ?? shape.metrics.map((_, m) => computeRarities(listValueCounts(counts, m, outcome), m, total));
    known.set(outcome, found);
    return found;
  };
  return ({ outcome, metrics }) => {
    let rarest: Rarity = { share: (counts.outcomes[outcome] ?? 0) / total };
    for (const [m, values] of listRarities(outcome).entries()) {
      const rarity = values.get(metrics[m] ?? 0);
      // Rounding errors must not make a metric rarer than the outcome.
      if (rarity !== undefined && rarity.share < rarest.share * (1 - 1e-9)) rarest = rarity;
    }
    return rarest;
  };
}

/** Finds the battle with the smallest rarity. */
export function findRarestBattle(
  battles: readonly ExaminedBattle[],
  rarityOf: (result: BattleEnd) => Rarity,
): ExaminedBattle | undefined {
  return findLeast(battles, (seen) => rarityOf(seen).share);
}
