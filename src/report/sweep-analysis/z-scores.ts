/** Histogram of the z-scores of a sweep: deviations of estimates from exact values. */
import { type Contradiction, isContradictoryShare, normalUpper } from '../../stats/index.ts';
import { Moments } from './moments.ts';
import type { ReportRow } from './quantity.ts';

/** Bins cover scores from -BOUND to BOUND; scores beyond are in the outermost bins. */
const MAX_BINNED_SCORE = 5;
const BIN_WIDTH = 0.5;

export interface ZScoreBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface ZScoreSummary {
  /** Number of scores for which the normal approximation is good enough. */
  readonly count: number;
  /** Number of omitted scores of events that are too rare for it. */
  readonly rare: number;
  readonly mean: number;
  readonly deviation: number;
  /** Score farthest from 0, with its cell. */
  readonly greatest?: { readonly z: number; readonly cell: number; readonly name: string };
  /** Limit that the largest score exceeds with a probability of at most 5 %, for any dependence (Bonferroni). */
  readonly expected: number;
  readonly bins: readonly ZScoreBin[];
  /** First outcome with contradictory simulated and exact results. Sweeps never write such cells. */
  readonly contradiction?: Contradiction & { readonly cell: number; readonly battles: number };
}

/** Maximum skewness of a mean for the normal approximation: five expected cases of a rare event. */
const SKEWNESS_MAX = 0.45;

/** Probability of a false alarm by the largest score. */
const FALSE_ALARM_RATE = 0.05;

/**
 * True if the normal approximation is good enough for the mean of a row. The skewness of a distribution is at most its
 * largest distance from the mean divided by its standard deviation; the mean of n values divides it by the root of n.
 */
function isNormal({ kind, exact, min, max, standard_deviation: deviation, battles }: ReportRow): boolean {
  const mean = exact ?? 0;
  const [low, high] = kind === 'outcome' ? [0, 1] : [min ?? mean, max ?? mean];
  const spread = kind === 'outcome' ? Math.sqrt(mean * (1 - mean)) : deviation;
  const farthest = Math.max(high - mean, mean - low);
  return spread > 0 && farthest <= SKEWNESS_MAX * Math.sqrt(battles) * spread;
}

/** Checks only outcomes, because "verify" checks the histograms of metrics. */
function findContradiction({ kind, name, cell, battles, estimate, exact }: ReportRow): ZScoreSummary['contradiction'] {
  if (kind !== 'outcome' || estimate === null || exact === null) return undefined;
  if (!isContradictoryShare(Math.round(estimate * battles), battles, exact)) return undefined;
  return { cell, battles, what: name, simulated: estimate, exact, kind: 'share' };
}

export class ZScoreCollector {
  readonly #moments = new Moments();
  readonly #bins = new Array<number>((2 * MAX_BINNED_SCORE) / BIN_WIDTH).fill(0);
  #rare = 0;
  #greatest: { z: number; cell: number; name: string } | undefined;
  #contradiction: ZScoreSummary['contradiction'];

  add(row: ReportRow): void {
    const { z, cell, name } = row;
    this.#contradiction ??= findContradiction(row);
    if (z === null) return;
    if (!isNormal(row) && Number.isFinite(z)) {
      // Scores of certain outcomes are always 0, so they are not informative.
      if (z !== 0) this.#rare += 1;
      return;
    }
    if (Number.isFinite(z)) this.#moments.add(z);
    const last = this.#bins.length - 1;
    const at = Math.min(last, Math.max(0, Math.floor((z + MAX_BINNED_SCORE) / BIN_WIDTH)));
    this.#bins[at] = (this.#bins[at] ?? 0) + 1;
    if (Math.abs(z) > Math.abs(this.#greatest?.z ?? 0)) this.#greatest = { z, cell, name };
  }

  summarize(): ZScoreSummary {
    const { count, mean, variance } = this.#moments;
    const bins = this.#bins.map((found, b) => ({
      from: b * BIN_WIDTH - MAX_BINNED_SCORE,
      to: (b + 1) * BIN_WIDTH - MAX_BINNED_SCORE,
      count: found,
    }));
    return {
      count,
      rare: this.#rare,
      mean,
      deviation: Math.sqrt(variance),
      ...(this.#greatest && { greatest: this.#greatest }),
      expected: count === 0 ? 0 : normalUpper(FALSE_ALARM_RATE / (2 * count)),
      bins,
      ...(this.#contradiction && { contradiction: this.#contradiction }),
    };
  }
}
