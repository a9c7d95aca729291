/**
 * What is asked of a run. Each setting is declared here once: what functions of the library take, what `run.json` and sweep
 * files hold, and what the command line hands on follow from it. Defaults are in limits.ts.
 */
import { z } from 'zod';
import type { PrecisionOptions } from '../answers/wish.ts';
import type { SeedLike } from '../core/chance/stream.ts';
import type { Names } from '../core/names.ts';
import type { Engine } from '../engines/pool/run.ts';

/** When a run ends, and what kind its intervals are: what cells of sweeps are asked for as well. */
export interface Length extends PrecisionOptions {
  /**
   * How many; 1 000 000 unless said otherwise. With `precision`: how many at most; unless said otherwise as many as it
   * can need.
   */
  readonly battles?: number | undefined;
  /** Means have intervals that hold for every law in the declared range of their metric, wherever the run ends. */
  readonly bounded?: boolean | undefined;
}

/** What a run is: all that its result depends on beside the scenario, and the engine. */
export interface RunAsked extends Length {
  /** 0..2^64-1; 1 unless said otherwise. */
  readonly seed?: SeedLike | undefined;
  /** Index of the first battle; 0 unless said otherwise. */
  readonly from?: number | undefined;
  /**
   * Who is to play; `kernel` unless said otherwise: the fastest, which for rules without a kernel is found out by exploring
   * them for as long as they would take to play. `why` of the result tells what it came to. Changes no result.
   */
  readonly engine?: Engine | undefined;
}

const LENGTH: Names<Length> = {
  battles: true,
  precision: true,
  precisionOf: true,
  precisionFloor: true,
  bounded: true,
};

/** The names of all that is asked of a run. */
export const ASKED: Names<RunAsked> = { ...LENGTH, seed: true, from: true, engine: true };

function picked<T extends object>(names: Names<T>, options: T): T {
  const entries = Object.keys(names).map((name) => [name, options[name as keyof T]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
}

/** The settings among these that say when a run ends; those that are not given are not there. */
export const lengthOf = (options: Length): Length => picked(LENGTH, options);

/** The settings among these that say what a run is; those that are not given are not there. */
export const askedOf = (options: RunAsked): RunAsked => picked(ASKED, options);

/** A precision that is no plain number. */
const PRECISION = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)? *(%|pp)$/i;

const about = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

/** The same as fields of files, but for `battles`, whose range is the file's own. */
export const LENGTH_FIELDS = {
  precision: about(
    z
      .union([z.number().gt(0).max(1e9), z.string().regex(PRECISION, 'a number above 0, or text like 10% or 0.1pp')])
      .optional(),
    'Each cell is played until its intervals have this half-width (0.1pp: in percentage points of probabilities), ' +
      'or this part of their values (10%); battles is then the most.',
  ),
  precisionOf: about(z.string().optional(), 'outcomes (default), or the metric whose mean is meant.'),
  precisionFloor: about(
    z.number().gt(0).max(1e9).optional(),
    'With a precision in %: values below this need only be known to that part of this; 0.001 unless given.',
  ),
  bounded: about(
    z.boolean().optional(),
    'Whether means have intervals that hold for every law in the declared range of their metric.',
  ),
};
