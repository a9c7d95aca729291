/**
 * Ranges of a resumable run, which is a sweep of one cell: each range is simulated, stored and lost as a unit. The
 * division depends only on the run.
 */

import { pickRunLength, type RunSpec, resolveBattleSpan } from '../../analysis/index.ts';
import { parseCount } from '../../core/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { createPrecisionSpec, StoppingRule } from '../../stats/index.ts';
import type { SweepSpec } from './sweep-file.ts';

/** Maximum number of ranges of a run with a known number of battles. */
export const RANGES_MAX = 10_000;

/**
 * Minimum battles of a range: with a kernel several seconds of two cores, up to a minute for long battles; similar for
 * rules in TypeScript. Writing its counts takes milliseconds.
 */
const LEAST = { kernel: 2 ** 28, rules: 2 ** 22 };

/** Battles from..to-1. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Battles of a run (with a precision, the maximum) and the size of its ranges. */
export interface Cuttable extends Range {
  /** Battles of a range; the last one may have fewer. */
  readonly rangeSize: number;
}

/** Options of a resumable run. */
export interface PrepareRunOptions extends RunSpec {
  /** Battles of a range, 1 or more; by default derived from the run. */
  readonly rangeSize?: number | undefined;
}

/**
 * Returns the battles of a range: the least power of two that needs at most `RANGES_MAX` ranges.
 * @param battles of the run; 0 if their number is unknown in advance
 */
export function rangeSizeOf(scenario: Scenario, battles: number): number {
  let size = getBoundScenario(scenario).encodeWords() === undefined ? LEAST.rules : LEAST.kernel;
  while (battles / size > RANGES_MAX) size *= 2;
  return size;
}

/** Returns the number of ranges of a run. */
export const countRanges = ({ from, to, rangeSize }: Cuttable): number => Math.ceil((to - from) / rangeSize);

/** Returns the range of a battle. */
export const getRangeIndex = ({ from, rangeSize }: Cuttable, battle: number): number =>
  Math.floor((battle - from) / rangeSize);

/** Divides battles from..to-1 at the ends of the ranges of a run. */
export function* cutAt(run: Cuttable, { from, to }: Range): Generator<Range> {
  for (let at = from; at < to; ) {
    const end = Math.min(to, run.from + (getRangeIndex(run, at) + 1) * run.rangeSize);
    yield { from: at, to: end };
    at = end;
  }
}

/** True if a part can have these battles: one range, or, with a precision, a piece of one. */
export function isCut(run: Cuttable, { from, to }: Range): boolean {
  return from >= run.from && from < to && to <= run.to && getRangeIndex(run, from) === getRangeIndex(run, to - 1);
}

/** Returns the end of a run: one past its last possible battle. */
function endOf(scenario: Scenario, { bounded = false, ...options }: RunSpec): number {
  const { shape } = getBoundScenario(scenario);
  const { from, battles } = resolveBattleSpan(options);
  const target = createPrecisionSpec(shape, options);
  return (
    from + (target === undefined ? battles : Math.min(battles, new StoppingRule(shape, target, battles, bounded).most))
  );
}

/** Returns the run of a sweep; undefined for a sweep from a file. */
export function runOf({ rangeSize, ...spec }: SweepSpec): Cuttable | undefined {
  if (rangeSize === undefined) return undefined;
  return { from: spec.from ?? 0, to: endOf(spec.scenario, spec), rangeSize };
}

/**
 * Creates the sweep of a run.
 * @throws InputError if an option is out of range
 */
export function runSpec(scenario: Scenario, options: PrepareRunOptions): SweepSpec {
  const { precision, engine = 'kernel' } = options;
  const { seed, from, battles } = resolveBattleSpan(options);
  const known = precision === undefined ? battles : 0;
  const least = Math.max(1, Math.ceil(known / RANGES_MAX));
  endOf(scenario, options);
  return {
    scenario,
    ...{ axes: [], design: 'grid', exact: 'never', streams: 'common', keep: { histograms: true } },
    ...pickRunLength(options),
    battles: precision === undefined || options.battles !== undefined ? battles : undefined,
    ...{ seed: String(seed), from, engine },
    rangeSize: parseCount(options.rangeSize ?? rangeSizeOf(scenario, known), 'rangeSize', least),
  };
}
