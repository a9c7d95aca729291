/**
 * Sequential decisions: a benchmark is measured until its median is clearly above or below its limit, or the maximum
 * number of rounds is reached.
 */
import type { Baseline, KnownBenchmark, Layer } from './baseline.ts';
import type { Counters } from './counters.ts';

export type LimitDecision = 'within' | 'beyond' | 'undecided';

/**
 * Minimum numbers of rounds to pass and to fail, and maximum. Failing needs more, because disturbances only slow down.
 */
export const ROUNDS = { pass: 7, fail: 11, most: 21 };

/** Half-width of the interval of the median, in standard errors. */
const WIDTH = 2;

/** Minimum relative standard deviation of a round, because few rounds can agree by chance. */
const LEAST_SPREAD = 0.004;

interface MedianEstimate {
  /** Median. */
  readonly value: number;
  /** Half-width of its interval. */
  readonly range: number;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** Estimates the standard deviation from the median of distances, which is robust against outliers. */
export function estimate(rounds: readonly number[]): MedianEstimate {
  const value = median(rounds);
  const spread = 1.4826 * median(rounds.map((round) => Math.abs(round - value)));
  // For a normal distribution, the variance of a median is pi/2 times the variance of a mean.
  const error = Math.max(spread, LEAST_SPREAD * value) * Math.sqrt(Math.PI / 2 / rounds.length);
  return { value, range: WIDTH * error };
}

/** Decides whether values of some rounds are within a limit. */
export function decide(rounds: readonly number[], limit: number): LimitDecision {
  if (rounds.length < ROUNDS.pass) return 'undecided';
  const { value, range } = estimate(rounds);
  if (value + range < limit) return 'within';
  if (rounds.length >= ROUNDS.most) return value > limit ? 'beyond' : 'within';
  return rounds.length >= ROUNDS.fail && value - range > limit ? 'beyond' : 'undecided';
}

// Comparison of measurements with a baseline.

/** `better` passes, and is a reason to renew the baseline; `new` has no baseline. */
export type Status = 'ok' | 'better' | 'broken' | 'new';

export interface GateFinding {
  readonly layer: Layer;
  readonly benchmark: string;
  readonly what: string;
  readonly unit: string;
  readonly value: number | string;
  /** Half-width of the interval of a measured value. */
  readonly range?: number;
  readonly baseline?: number | string;
  /** Upper limit of the value. */
  readonly limit?: number;
  readonly status: Status;
}

/** Limits on this machine, relative to the baseline. */
export interface Budgets {
  readonly ratio: number;
  /** Allowed excess over the absolute limit of a ratio. */
  readonly beyond: number;
  readonly instructions: number;
  readonly bytes: number;
  readonly cells: number;
}

/**
 * @param here  true on the kind of machine of the baseline
 * @param requested limit of ratios from the command line
 */
export function budgetsOf({ budgets }: Baseline, here: boolean, requested: number | undefined): Budgets {
  const { elsewhere, bytes } = budgets;
  const wide = requested ?? (here ? undefined : elsewhere.ratio);
  return {
    ratio: wide ?? budgets.ratio,
    beyond: wide ?? 0,
    instructions: here ? budgets.instructions : elsewhere.instructions,
    bytes,
    cells: wide ?? budgets.cells,
  };
}

const UNITS: Readonly<Record<keyof Counters, string>> = {
  digest: '',
  battles: 'battles',
  rounds: 'rounds',
  draws: 'draws',
  rules: 'rules',
  chunks: 'chunks',
  moduleBytes: 'bytes',
  scenarioBytes: 'bytes',
};

/** Counters of results, which must be equal. */
const SAME: readonly (keyof Counters)[] = ['digest', 'battles', 'rounds'];

export function judgeCounters(
  benchmark: string,
  counters: Counters,
  known: KnownBenchmark | undefined,
  { bytes }: Budgets,
): GateFinding[] {
  return (Object.keys(UNITS) as (keyof Counters)[]).map((what): GateFinding => {
    const value = counters[what];
    const finding = { layer: 'counters', benchmark, what, unit: UNITS[what], value } as const;
    if (known === undefined) return { ...finding, status: 'new' };
    const baseline = known.counters[what];
    if (typeof baseline === 'string' || typeof value === 'string' || SAME.includes(what)) {
      return { ...finding, baseline, status: value === baseline ? 'ok' : 'broken' };
    }
    const limit = UNITS[what] === 'bytes' ? Math.floor(baseline * (1 + bytes)) : baseline;
    const status = value > limit ? 'broken' : value < baseline ? 'better' : 'ok';
    return { ...finding, baseline, limit, status };
  });
}

export function judgeInstructions(
  benchmark: string,
  value: number,
  known: KnownBenchmark | undefined,
  { instructions }: Budgets,
): GateFinding {
  const finding = { layer: 'instructions', benchmark, what: 'instructions', unit: 'per battle', value } as const;
  const baseline = known?.instructions;
  if (baseline === undefined) return { ...finding, status: 'new' };
  const limit = baseline * (1 + instructions);
  const status = value > limit ? 'broken' : value < baseline * (1 - instructions) ? 'better' : 'ok';
  return { ...finding, baseline, limit, status };
}

export type KnownRatio = Pick<KnownBenchmark, 'ratio' | 'ratioMost'>;
export type RatioBudgets = Pick<Budgets, 'ratio' | 'beyond'>;

/** Computes the limit of a ratio: the smaller of the relative and the absolute limit. */
export function ratioLimit({ ratio, ratioMost }: KnownRatio, budgets: RatioBudgets): number {
  return Math.min(ratio * (1 + budgets.ratio), ratioMost * (1 + budgets.beyond));
}

/** @param than denominator of the ratio @param layer layer of the ratio */
export function judgeRatio(
  benchmark: string,
  than: string,
  rounds: readonly number[],
  known: KnownRatio | undefined,
  budgets: RatioBudgets,
  layer: 'ratio' | 'cells' = 'ratio',
): GateFinding {
  const { value, range }: MedianEstimate = estimate(rounds);
  const unit = `${than}, ${String(rounds.length)} rounds`;
  const finding = { layer, benchmark, what: 'time', unit, value, range } as const;
  if (known === undefined) return { ...finding, status: 'new' };
  const limit = ratioLimit(known, budgets);
  const better = value + range < known.ratio * (1 - budgets.ratio);
  const status = decide(rounds, limit) === 'beyond' ? 'broken' : better ? 'better' : 'ok';
  return { ...finding, baseline: known.ratio, limit, status };
}
