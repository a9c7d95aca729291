/**
 * Options of runs. Each option is declared once: parameters of the library, fields of manifests and sweep files, and
 * options of the command line are derived from it.
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

/** Default number of battles of a run, of a search and of an expectation. */
export const BATTLES = 1_000_000;

/** Options of the end and the intervals of a run, also of cells of sweeps. */
export const RUN_LENGTH = {
  /**
   * Number of battles; default 1 000 000. With `precision`: the maximum number; default: the number that it can need.
   */
  battles: count(
    1,
    MAX_BATTLES,
    'number of battles (default: 1e6); with --precision: the maximum (default: as needed)',
  ),
  ...PRECISION,
  /**
   * Intervals of means are valid for every distribution in the declared range of the metric, at any number of battles.
   */
  bounded: {
    ...flag('use intervals of means that are valid for every distribution in the declared range of the metric'),
    fieldAbout: 'True if intervals of means are valid for every distribution in the declared range of the metric.',
  },
} as const satisfies OptionSpecs;

/** Seed and first battle of a run. */
export const RUN_POSITION = {
  /** 0..2^64-1; default 1. */
  seed: {
    ...seedOption('seed of the run, 0..2^64-1; the same seed gives the same battles'),
    default: 1n,
    shown: '1',
  },
  /** Index of the first battle; default 0. */
  from: { ...count(0, MAX_BATTLES - 1, 'index of the first battle'), default: 0 },
} as const satisfies OptionSpecs;

/**
 * All options that determine the result of a run together with the scenario, and the engine. Stored with the result.
 */
export const RUN = {
  ...RUN_LENGTH,
  ...RUN_POSITION,
  /**
   * Engine; default `kernel`: the fastest one. For rules without a kernel it is found by exploring them for at most the
   * time of the simulation. Does not change results.
   */
  engine: choice(
    'engine (fastest available, compiled rules, rules as written, draws from the exact distribution)',
    ENGINES,
  ),
} as const satisfies OptionSpecs;

export type RunLength = RequestedOptions<typeof RUN_LENGTH>;
export type RunSpec = RequestedOptions<typeof RUN>;

/** Picks the options that determine the end of a run; omitted ones stay absent. */
export const pickRunLength = (options: RunLength): RunLength => pickOptions(RUN_LENGTH, options);

/** Picks the options that define a run; omitted ones stay absent. */
export const pickRunSpec = (options: RunSpec): RunSpec => pickOptions(RUN, options);

/** Battles from..from+battles-1 of the run of a seed. */
export interface BattleSpan {
  readonly seed: bigint;
  readonly from: number;
  readonly battles: number;
}

/**
 * Resolves the range of requested battles.
 * @param unasked default number; with a precision the maximum
 * @throws InputError if an option is out of range
 */
export function resolveBattleSpan(
  { battles, precision, ...where }: RequestedOptions<typeof RUN_POSITION> & RunLength,
  unasked = BATTLES,
): BattleSpan {
  const place = resolveOptions(RUN_POSITION, where);
  const room = MAX_BATTLES - place.from;
  return { ...place, battles: parseCount(battles ?? (precision === undefined ? unasked : room), 'battles', 1, room) };
}
