/** Exact answers against estimates: the z-scores of a sweep, counted. */
import { type Contradiction, isContradictoryShare, normalUpper } from '../../stats/index.ts';
import type { ResultRow } from '../../storage/index.ts';
import { Moments } from './moments.ts';

/** Scores -BOUND..BOUND are counted in bins; what lies beyond joins the outermost. */
const MAX_BINNED_SCORE = 5;
const BIN_WIDTH = 0.5;

export interface ZScoreBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface ZScoreSummary {
  /** Scores of laws for which the normal law holds well enough. */
  readonly count: number;
  /** Those of events too rare for it, which are left out. */
  readonly rare: number;
  readonly mean: number;
  readonly deviation: number;
  /** The score farthest from 0, and where it was found. */
  readonly greatest?: { readonly z: number; readonly cell: number; readonly name: string };
  /** What the farthest of so many passes with 5 % at most, however they depend on each other (Bonferroni). */
  readonly expected: number;
  readonly bins: readonly ZScoreBin[];
  /** The first outcome of a cell that battles and exact answer contradict each other in: no sweep writes such a cell. */
  readonly contradiction?: Contradiction & { readonly cell: number; readonly battles: number };
}

/** The most skewness that a mean may have for the normal law to hold: five expected cases of a rare event. */
const SKEWNESS_MAX = 0.45;

/** Chance of a false alarm by the farthest score. */
const FALSE_ALARM_RATE = 0.05;

/**
 * Whether the normal law holds for the mean of a row's battles. A law's skewness is at most its greatest distance from
 * the mean over its standard deviation, and that of a mean of n less by the square root of n.
 */
function isNormal({ kind, exact, min, max, standard_deviation: deviation, battles }: ResultRow): boolean {
  const mean = exact ?? 0;
  const [low, high] = kind === 'outcome' ? [0, 1] : [min ?? mean, max ?? mean];
  const spread = kind === 'outcome' ? Math.sqrt(mean * (1 - mean)) : deviation;
  const farthest = Math.max(high - mean, mean - low);
  return spread > 0 && farthest <= SKEWNESS_MAX * Math.sqrt(battles) * spread;
}

/** Of outcomes alone: what metrics may miss by shows in their histograms, which "verify" reads. */
function findContradiction({ kind, name, cell, battles, estimate, exact }: ResultRow): ZScoreSummary['contradiction'] {
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

  add(row: ResultRow): void {
    const { z, cell, name } = row;
    this.#contradiction ??= findContradiction(row);
    if (z === null) return;
    if (!isNormal(row) && Number.isFinite(z)) {
      // An estimate that cannot miss has a score of 0 and no spread: it is nothing to look at.
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
