/** Battles of a run that are worth telling: a typical one, the closest, the strangest. */

import type { BattleEnd } from '../../rules/index.ts';
import { type Counts, type CountsShape, listValueCounts } from '../../stats/index.ts';

/** A battle that was looked at. */
export interface ExaminedBattle extends BattleEnd {
  /** Its index in the run. */
  readonly battle: number;
}

/** The first battle with the least figure; those without a figure are passed over. */
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

/** The middle of the values of a metric, and their mean distance from it. */
export interface MedianSpread {
  /** The least value that half of the battles do not exceed. */
  readonly median: number;
  readonly spread: number;
}

type ValueCount = readonly (readonly [value: number, count: number])[];

const sumCounts = (counts: ValueCount): number => counts.reduce((sum, [, count]) => sum + count, 0);

/** The least value that such a part of the battles does not exceed; undefined if there is none. */
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

/** The outcome of most battles of a run, the first declared of several. */
export function findMostFrequentOutcome({ outcomes }: Counts): number {
  return outcomes.reduce((most, count, o) => (count > (outcomes[most] ?? 0) ? o : most), 0);
}

/** Middles of all metrics over the battles of a run that ended in an outcome. */
export function computeMedianSpreads(shape: CountsShape, tally: Counts, outcome: number): MedianSpread[] {
  return shape.metrics.map((_, m) => computeMedianSpread(listValueCounts(tally, m, outcome)));
}

/** How far metrics are from their middles: the sum of the distances, each over its mean. Metrics that do not vary add 0. */
function computeDistance(metrics: readonly number[], middles: readonly MedianSpread[]): number {
  return middles.reduce(
    (sum, { median, spread }, m) => (spread === 0 ? sum : sum + Math.abs((metrics[m] ?? 0) - median) / spread),
    0,
  );
}

/**
 * The battle with the commonest outcome whose metrics are nearest to their medians given that outcome.
 * @param tally of the whole run
 * @returns undefined if none of these battles ended so
 */
export function findTypicalBattle(
  battles: readonly ExaminedBattle[],
  shape: CountsShape,
  tally: Counts,
): ExaminedBattle | undefined {
  const outcome = findMostFrequentOutcome(tally);
  const middles = computeMedianSpreads(shape, tally, outcome);
  return findLeast(battles, (seen) => (seen.outcome === outcome ? computeDistance(seen.metrics, middles) : undefined));
}

/** What is rare about a battle: its outcome together with a metric so great, or so small; or its outcome alone. */
export interface Rarity {
  readonly metric?: { readonly index: number; readonly value: number; readonly end: 'least' | 'most' };
  /** How many battles end so or farther out, 0..1. */
  readonly share: number;
}

/** For each value of a metric given an outcome, its rarer end. */
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
 * Tells how rare battles are: the least share of battles that have the same outcome and one metric at least as far out.
 * @param tally of the whole run, or the exact law
 */
export function createRarityMeasure(shape: CountsShape, tally: Counts): (result: BattleEnd) => Rarity {
  const total = tally.outcomes.reduce((sum, weight) => sum + weight, 0);
  const known = new Map<number, readonly Map<number, Rarity>[]>();
  const given = (outcome: number): readonly Map<number, Rarity>[] => {
    const found =
      known.get(outcome) ?? shape.metrics.map((_, m) => computeRarities(listValueCounts(tally, m, outcome), m, total));
    known.set(outcome, found);
    return found;
  };
  return ({ outcome, metrics }) => {
    let rarest: Rarity = { share: (tally.outcomes[outcome] ?? 0) / total };
    for (const [m, values] of given(outcome).entries()) {
      const rarity = values.get(metrics[m] ?? 0);
      // Rounding alone makes no metric rarer than the outcome.
      if (rarity !== undefined && rarity.share < rarest.share * (1 - 1e-9)) rarest = rarity;
    }
    return rarest;
  };
}

/** The battle whose ending is least probable. */
export function findRarestBattle(
  battles: readonly ExaminedBattle[],
  rarityOf: (result: BattleEnd) => Rarity,
): ExaminedBattle | undefined {
  return findLeast(battles, (seen) => rarityOf(seen).share);
}
