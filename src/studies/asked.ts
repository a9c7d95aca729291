/**
 * What is asked of a run and of those who play parts of one. Each setting is declared here once: what functions of the
 * library take, what manifests and sweep files hold, and the options of the command line follow from it.
 */
import { PRECISION } from '../answers/index.ts';
import { MAX_BATTLES, parseCount } from '../core/index.ts';
import { ENGINES } from '../engines/index.ts';
import { type Asked, choice, count, flag, picked, type Settings, seedOf, settled } from '../rules/setting.ts';

/** Battles of a run, of a search and of an expectation unless said otherwise. */
export const BATTLES = 1_000_000;

/** When a run ends, and what kind its intervals are: what cells of sweeps are asked for as well. */
export const LENGTH = {
  /**
   * How many; 1 000 000 unless said otherwise. With `precision`: how many at most; unless said otherwise as many as it
   * can need.
   */
  battles: count(
    1,
    MAX_BATTLES,
    'how many battles to play (default: 1e6); with --precision the most (default: what it can need)',
  ),
  ...PRECISION,
  /** Means have intervals that hold for every law in the declared range of their metric, wherever the run ends. */
  bounded: {
    ...flag('intervals of means that hold for every law in the declared range of the metric'),
    told: 'Whether means have intervals that hold for every law in the declared range of their metric.',
  },
} as const satisfies Settings;

/** Which battles of which run. */
export const PLACE = {
  /** 0..2^64-1; 1 unless said otherwise. */
  seed: {
    ...seedOf('seed of the run, 0..2^64-1; the same seed gives the same battles'),
    default: 1n,
    shown: '1',
  },
  /** Index of the first battle; 0 unless said otherwise. */
  from: { ...count(0, MAX_BATTLES - 1, 'index of the first battle'), default: 0 },
} as const satisfies Settings;

/** What a run is: all that its result depends on beside the scenario, and the engine. It is kept with its result. */
export const RUN = {
  ...LENGTH,
  ...PLACE,
  /**
   * Who is to play; `kernel` unless said otherwise: the fastest, which for rules without a kernel is found out by exploring
   * them for as long as they would take to play. `why` of the result tells what it came to. Changes no result.
   */
  engine: choice(
    'whoever is fastest (kernel); the rules, compiled; the rules as written; draws from the exact law',
    ENGINES,
  ),
} as const satisfies Settings;

export type Length = Asked<typeof LENGTH>;
export type RunAsked = Asked<typeof RUN>;

/** The settings among these that say when a run ends; those that are not given are not there. */
export const lengthOf = (options: Length): Length => picked(LENGTH, options);

/** The settings among these that say what a run is; those that are not given are not there. */
export const askedOf = (options: RunAsked): RunAsked => picked(RUN, options);

/** Battles from..from+battles-1 of the run of a seed. */
export interface Stretch {
  readonly seed: bigint;
  readonly from: number;
  readonly battles: number;
}

/**
 * The battles that are asked for.
 * @param unasked how many unless said otherwise; with a precision as many as there are
 * @throws InputError if one of the settings is out of range
 */
export function stretchOf({ battles, precision, ...where }: Asked<typeof PLACE> & Length, unasked = BATTLES): Stretch {
  const place = settled(PLACE, where);
  const room = MAX_BATTLES - place.from;
  return { ...place, battles: parseCount(battles ?? (precision === undefined ? unasked : room), 'battles', 1, room) };
}
