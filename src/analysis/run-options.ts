/**
 * What is asked of a run and of those who play parts of one. Each setting is declared here once: what functions of the
 * library take, what manifests and sweep files hold, and the options of the command line follow from it.
 */

import { MAX_BATTLES, parseCount } from '../core/index.ts';
import { ENGINES } from '../engines/index.ts';
import {
  choice,
  count,
  flag,
  type OptionSpecs,
  pickOptions,
  type RequestedOptions,
  resolveOptions,
  seedOption,
} from '../rules/option-spec.ts';
import { PRECISION } from '../stats/index.ts';

/** Battles of a run, of a search and of an expectation unless said otherwise. */
export const BATTLES = 1_000_000;

/** When a run ends, and what kind its intervals are: what cells of sweeps are asked for as well. */
export const RUN_LENGTH = {
  /**
   * How many; 1 000 000 unless said otherwise. With `precision`: how many at most; unless said otherwise as many as it
   * can need.
   */
  battles: count(
    1,
    MAX_BATTLES,
    'number of battles (default: 1e6); with --precision: the maximum (default: as needed)',
  ),
  ...PRECISION,
  /** Means have intervals that hold for every law in the declared range of their metric, wherever the run ends. */
  bounded: {
    ...flag('use intervals of means that are valid for every distribution in the declared range of the metric'),
    told: 'True if intervals of means are valid for every distribution in the declared range of the metric.',
  },
} as const satisfies OptionSpecs;

/** Which battles of which run. */
export const RUN_POSITION = {
  /** 0..2^64-1; 1 unless said otherwise. */
  seed: {
    ...seedOption('seed of the run, 0..2^64-1; the same seed gives the same battles'),
    default: 1n,
    shown: '1',
  },
  /** Index of the first battle; 0 unless said otherwise. */
  from: { ...count(0, MAX_BATTLES - 1, 'index of the first battle'), default: 0 },
} as const satisfies OptionSpecs;

/** What a run is: all that its result depends on beside the scenario, and the engine. It is kept with its result. */
export const RUN = {
  ...RUN_LENGTH,
  ...RUN_POSITION,
  /**
   * Who is to play; `kernel` unless said otherwise: the fastest, which for rules without a kernel is found out by exploring
   * them for as long as they would take to play. `why` of the result tells what it came to. Changes no result.
   */
  engine: choice(
    'engine (fastest available, compiled rules, rules as written, draws from the exact distribution)',
    ENGINES,
  ),
} as const satisfies OptionSpecs;

export type RunLength = RequestedOptions<typeof RUN_LENGTH>;
export type RunSpec = RequestedOptions<typeof RUN>;

/** The settings among these that say when a run ends; those that are not given are not there. */
export const pickRunLength = (options: RunLength): RunLength => pickOptions(RUN_LENGTH, options);

/** The settings among these that say what a run is; those that are not given are not there. */
export const pickRunSpec = (options: RunSpec): RunSpec => pickOptions(RUN, options);

/** Battles from..from+battles-1 of the run of a seed. */
export interface BattleSpan {
  readonly seed: bigint;
  readonly from: number;
  readonly battles: number;
}

/**
 * The battles that are asked for.
 * @param unasked how many unless said otherwise; with a precision as many as there are
 * @throws InputError if one of the settings is out of range
 */
export function resolveBattleSpan(
  { battles, precision, ...where }: RequestedOptions<typeof RUN_POSITION> & RunLength,
  unasked = BATTLES,
): BattleSpan {
  const place = resolveOptions(RUN_POSITION, where);
  const room = MAX_BATTLES - place.from;
  return { ...place, battles: parseCount(battles ?? (precision === undefined ? unasked : room), 'battles', 1, room) };
}
