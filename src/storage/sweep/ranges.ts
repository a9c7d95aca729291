/**
 * A resumable run is a sweep of one cell, whose battles are cut into ranges: each is played, stored and lost as one. How
 * they are cut follows from the run alone.
 */

import { pickRunLength, type RunSpec, resolveBattleSpan } from '../../analysis/index.ts';
import { parseCount } from '../../core/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { createPrecisionSpec, StoppingRule } from '../../stats/index.ts';
import type { SweepSpec } from './sweep-file.ts';

/** The most ranges of a run whose number of battles is known beforehand. */
export const RANGES_MAX = 10_000;

/**
 * The fewest battles of a range: with a kernel some seconds of two cores, up to a minute where battles are long; by rules
 * in TypeScript alone the same. To write its counts takes some milliseconds.
 */
const LEAST = { kernel: 2 ** 28, rules: 2 ** 22 };

/** Battles from..to-1. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The battles of a run, with a precision at most, and how they are cut. */
export interface Cuttable extends Range {
  /** Battles of a range; the last one may have fewer. */
  readonly rangeSize: number;
}

/** What a run is, and how it is cut. */
export interface PrepareRunOptions extends RunSpec {
  /** Battles of a range, 1 or more; follows from the run unless said otherwise. */
  readonly rangeSize?: number | undefined;
}

/**
 * Battles of a range: the least power of two that gives no more ranges than there may be.
 * @param battles of the run; 0 if only playing tells how many there will be
 */
export function rangeSizeOf(scenario: Scenario, battles: number): number {
  let size = getBoundScenario(scenario).encodeWords() === undefined ? LEAST.rules : LEAST.kernel;
  while (battles / size > RANGES_MAX) size *= 2;
  return size;
}

/** How many ranges a run has. */
export const rangesIn = ({ from, to, rangeSize }: Cuttable): number => Math.ceil((to - from) / rangeSize);

/** The range that a battle of a run is in. */
export const rangeAt = ({ from, rangeSize }: Cuttable, battle: number): number =>
  Math.floor((battle - from) / rangeSize);

/** Battles from..to-1 of a run, cut where its ranges end. */
export function* cutAt(run: Cuttable, { from, to }: Range): Generator<Range> {
  for (let at = from; at < to; ) {
    const end = Math.min(to, run.from + (rangeAt(run, at) + 1) * run.rangeSize);
    yield { from: at, to: end };
    at = end;
  }
}

/** True of battles that a part of a run can count: those of one range, or, with a precision, of a piece of one. */
export function isCut(run: Cuttable, { from, to }: Range): boolean {
  return from >= run.from && from < to && to <= run.to && rangeAt(run, from) === rangeAt(run, to - 1);
}

/** One past the last battle that a run can have. */
function endOf(scenario: Scenario, { bounded = false, ...options }: RunSpec): number {
  const { shape } = getBoundScenario(scenario);
  const { from, battles } = resolveBattleSpan(options);
  const wish = createPrecisionSpec(shape, options);
  return (
    from + (wish === undefined ? battles : Math.min(battles, new StoppingRule(shape, wish, battles, bounded).most))
  );
}

/** The run that a sweep is; undefined for one from a file. */
export function runOf({ rangeSize, ...spec }: SweepSpec): Cuttable | undefined {
  if (rangeSize === undefined) return undefined;
  return { from: spec.from ?? 0, to: endOf(spec.scenario, spec), rangeSize };
}

/**
 * The sweep that a run is.
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
