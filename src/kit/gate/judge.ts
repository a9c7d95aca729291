/** Compares what was measured with a baseline. */
import type { Baseline, KnownBenchmark } from './baseline.ts';
import type { Counters } from './counters.ts';
import type { Layer } from './layers.ts';
import { decide, estimate, type MedianEstimate } from './sequential.ts';

/** `better` is as good as `ok`, and a reason to renew the baseline; `new` has nothing to be compared with. */
export type Status = 'ok' | 'better' | 'broken' | 'new';

export interface GateFinding {
  readonly layer: Layer;
  readonly benchmark: string;
  readonly what: string;
  readonly unit: string;
  readonly value: number | string;
  /** Half the width of the interval of a value that is measured. */
  readonly range?: number;
  readonly baseline?: number | string;
  /** What the value must not exceed. */
  readonly limit?: number;
  readonly status: Status;
}

/** Budgets that hold here, as parts of the baseline. */
export interface Budgets {
  readonly ratio: number;
  /** What is allowed beyond the absolute budget of a ratio. */
  readonly beyond: number;
  readonly instructions: number;
  readonly bytes: number;
}

/**
 * @param here  the machine is that of the baseline
 * @param asked the budget of ratios that the caller wants
 */
export function budgetsOf({ budgets }: Baseline, here: boolean, asked: number | undefined): Budgets {
  const { elsewhere, bytes } = budgets;
  const wide = asked ?? (here ? undefined : elsewhere.ratio);
  return {
    ratio: wide ?? budgets.ratio,
    beyond: wide ?? 0,
    instructions: here ? budgets.instructions : elsewhere.instructions,
    bytes,
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

/** Counters that say what was played: they must be the same, not merely no more. */
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

type KnownRatio = Pick<KnownBenchmark, 'ratio' | 'ratioMost'>;
type RatioBudgets = Pick<Budgets, 'ratio' | 'beyond'>;

/** What a ratio must not exceed: neither the baseline with its budget nor the absolute budget. */
export function ratioLimit({ ratio, ratioMost }: KnownRatio, budgets: RatioBudgets): number {
  return Math.min(ratio * (1 + budgets.ratio), ratioMost * (1 + budgets.beyond));
}

/** @param than what the ratio is to */
export function judgeRatio(
  benchmark: string,
  than: string,
  rounds: readonly number[],
  known: KnownRatio | undefined,
  budgets: RatioBudgets,
): GateFinding {
  const { value, range }: MedianEstimate = estimate(rounds);
  const unit = `${than}, ${String(rounds.length)} rounds`;
  const finding = { layer: 'ratio', benchmark, what: 'time', unit, value, range } as const;
  if (known === undefined) return { ...finding, status: 'new' };
  const limit = ratioLimit(known, budgets);
  const better = value + range < known.ratio * (1 - budgets.ratio);
  const status = decide(rounds, limit) === 'beyond' ? 'broken' : better ? 'better' : 'ok';
  return { ...finding, baseline: known.ratio, limit, status };
}
