/** Finds the values of some fields with which a scenario meets a target. */

import type { Quantity } from '../../answers/quantity.ts';
import { MAX_BATTLES, parseCount, parseSeed, type SeedLike } from '../../core/chance/stream.ts';
import { InputError, RunError } from '../../core/errors.ts';
import { optionsOf } from '../../core/names.ts';
import type { Progress } from '../../engines/pool/run.ts';
import { opened } from '../../rules/opened.ts';
import { numericField } from '../../rules/scenario/change.ts';
import type { Scenario } from '../../rules/system.ts';
import type { ExactChoice } from '../solve.ts';
import { axisOf, type Vary } from './axis.ts';
import { Gauge } from './gauge.ts';
import { type Findings, findingsOf } from './result.ts';
import { search } from './search.ts';
import { readTarget } from './target.ts';

/** The most fields that are varied at once. */
const FIELDS_MAX = 6;

/** The greatest probability of a wrong word. */
const ERROR_MAX = 0.25;

const BATTLES = 1_000_000;
const ERROR = 0.01;

/** What `balance` looks for, and how. */
export interface BalanceOptions {
  /** The fields that may be changed, 1..6, each with the range that is searched: around its present value if none is given. */
  readonly vary: readonly Vary[];
  /** `attacker=0.5`: an outcome and its probability, or a metric and its mean. */
  readonly target: string;
  /** By how much it may be missed; 0.01, or 1 % of it where that is more, unless said otherwise. */
  readonly tolerance?: number | undefined;
  /** `auto` unless said otherwise. */
  readonly exact?: ExactChoice | undefined;
  /** Steps that the exact answer to a setting may take, 1..10^10; by default what is affordable beside the battles. */
  readonly budget?: number | undefined;
  /** Battles that may be played for a setting that is not solved exactly; 1 000 000 unless said otherwise. */
  readonly battles?: number | undefined;
  /** 1 unless said otherwise. */
  readonly seed?: SeedLike | undefined;
  /** With what probability anything that is told from playing is wrong, 0..0.25; 0.01 unless said otherwise. */
  readonly error?: number | undefined;
  /** Intervals of means hold for every law in the declared range of their metric. */
  readonly bounded?: boolean | undefined;
  /** Threads; they change no result. */
  readonly workers?: number | undefined;
  /** Ends the search early; what is known by then is returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second while battles are played for a setting. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = optionsOf<BalanceOptions>('balance', {
  vary: true,
  target: true,
  tolerance: true,
  exact: true,
  budget: true,
  battles: true,
  seed: true,
  error: true,
  bounded: true,
  workers: true,
  signal: true,
  onProgress: true,
});

/** What `balance` found: settings that meet the target, and those that come nearest. */
export interface Balance extends Findings {
  /** The outcome whose probability, or the metric whose mean is to be reached. */
  readonly of: string;
  readonly kind: Quantity['kind'];
  readonly target: number;
  readonly tolerance: number;
  /** True if a setting meets the target: for certain, or with the error. */
  readonly met: boolean;
  /** In decimal. */
  readonly seed: string;
  /** That may be played for a setting. */
  readonly battles: number;
  readonly error: number;
  readonly bounded: boolean;
  /** False if a signal came first. */
  readonly finished: boolean;
}

function refuse(expected: string, place: string, found: string): never {
  throw new InputError(place, expected, found);
}

function checked({ vary, tolerance = 0, error = ERROR, battles = BATTLES }: BalanceOptions): void {
  if (vary.length < 1 || vary.length > FIELDS_MAX)
    refuse(`1..${String(FIELDS_MAX)} fields`, '--vary', String(vary.length));
  const twice = vary.find(({ path }, v) => vary.findIndex((other) => other.path === path) < v);
  if (twice !== undefined) refuse('each field once', '--vary', `"${twice.path}" again`);
  if (!(tolerance >= 0 && Number.isFinite(tolerance)))
    refuse('a number of 0 or more', '--tolerance', String(tolerance));
  if (!(error > 0 && error <= ERROR_MAX))
    refuse(`a number above 0, at most ${String(ERROR_MAX)}`, '--error', String(error));
  // What is told is verified by as many battles behind those of the search.
  parseCount(battles, '--battles', 1, MAX_BATTLES / 2);
}

/**
 * Finds the values of some fields with which an outcome has a probability, or a metric a mean.
 *
 * Settings are solved exactly where that is affordable. Where it is not, battles 0, 1, ... of the seed are played, the
 * same streams in each setting, until its side of the target is certain; what is told is verified by other battles.
 * @param scenario from `loadScenario`, `parseScenario` or `checkScenario`
 * @throws InputError if a field or the target is none of the scenario's, or an option is out of range
 * @throws BudgetError if exact answers are always asked for, and one is too large
 * @throws RunError if a signal came before anything was known
 */
export async function balance(scenario: Scenario, options: BalanceOptions): Promise<Balance> {
  checkOptions(options);
  checked(options);
  const { vary, exact = 'auto', budget, battles = BATTLES, error = ERROR, bounded = false, ...watch } = options;
  const { workers, signal, onProgress } = watch;
  const seed = parseSeed(options.seed ?? 1n);
  const shape = opened(scenario).shape;
  const target = readTarget(options.target, options.tolerance, shape, '--target');
  const axes = vary.map((field) => axisOf(scenario, field, '--vary'));
  const paths = axes.map(({ path }) => path);
  const play = { seed, battles, error, exact, budget, bounded, workers, signal, onProgress };
  const gauge = new Gauge(scenario, paths, target, play);
  const present = paths.map((path) => numericField(scenario, path, '--vary').value);
  const whole = present.every((value) => value !== undefined) ? present : undefined;
  const { value, tolerance, quantity } = target;
  const haul = await search(axes, gauge, whole, value);
  const findings = await findingsOf(axes, gauge, haul, present, value);
  if (findings === undefined) throw gauge.firstRefused ?? new RunError('stopped before anything was known');
  const { of, kind } = quantity;
  const met = findings.meeting.length > 0;
  return {
    ...findings,
    of,
    kind,
    target: value,
    tolerance,
    met,
    seed: String(seed),
    battles,
    error,
    bounded,
    finished: haul.finished,
  };
}
