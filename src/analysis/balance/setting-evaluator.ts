/** Values of a varied field: a lattice within a range. */

import { pause } from '#platform/pause';
import { createOptionsCheck, InputError } from '../../core/index.ts';
import { getNumericField, type Scenario, scenarioCosts, setFields } from '../../rules/index.ts';
import {
  type Bounds,
  type BoundsVerdict,
  type Estimand,
  type Interval,
  judgeInterval,
  judgeValue,
} from '../../stats/index.ts';
import {
  decideBySimulation,
  findExactAnswerOffThread,
  type MeasuredValue,
  measureUntil,
  type SequentialTestOptions,
} from '../bounds-decision.ts';
import type { ExactMode } from '../shared-options.ts';

/** A field to vary, and its search range; default: around its present value. */
export interface VariedField {
  /** Path, such as `attacker.hp`. */
  readonly path: string;
  /** Search range, inclusive; default: around the present value. */
  readonly range?: readonly [low: number, high: number] | undefined;
}

const checkVary = createOptionsCheck<VariedField>('vary', { path: true, range: true });

/** Lattice of the values k x step for whole numbers k. */
export interface BalanceAxis {
  readonly path: string;
  /** True if only whole numbers are allowed; the step is 1. */
  readonly integer: boolean;
  readonly step: number;
  /** Least and greatest k of the requested range, or else of the declared one. */
  readonly low: number;
  readonly high: number;
  /** The k of the present value, or the closest one. */
  readonly present: number;
  /** Number of values k around `present` that are searched first; the whole range if it was requested or is small. */
  readonly reach: number;
  /** True if the range was requested. */
  readonly isUserRange: boolean;
}

/** A range of at most this size is searched completely without a request. */
const SMALL_RANGE = 200;

/** The first reach is half the present value, and at least this number of steps. */
const LEAST_REACH = 8;

/** Minimum number of values of a decimal field within its first range. */
const FINENESS = 100;

/** Chooses the power of ten that divides a width into 100 to 1000 steps. */
function chooseStep(width: number): number {
  return Number(`1e${String(Math.floor(Math.log10(width / FINENESS)))}`);
}

/** Computes the value at k, rounded to the digits of the step. */
export function computeAxisValue({ step }: BalanceAxis, k: number): number {
  if (step >= 1) return k * step;
  return Number((k * step).toFixed(Math.round(-Math.log10(step))));
}

/** Counts the values from one k to another. */
export function countValues(low: number, high: number): number {
  return Math.max(0, high - low + 1);
}

function createAxis(
  path: string,
  integer: boolean,
  bounds: readonly [number, number],
  present: number,
  width: number,
  given: boolean,
): BalanceAxis {
  const step = integer ? 1 : chooseStep(width);
  const [low, high] = [Math.ceil(bounds[0] / step - 1e-9) + 0, Math.floor(bounds[1] / step + 1e-9)];
  const within = Math.min(high, Math.max(low, Math.round(present / step)));
  return { path, integer, step, low, high, present: within, reach: high - low, isUserRange: given };
}

/**
 * @param place name of the field in error messages
 * @throws InputError if the field is not a number, or the range is empty or exceeds the declared one
 */
export function resolveAxis(scenario: Scenario, vary: VariedField, place: string): BalanceAxis {
  checkVary(vary);
  const { path, range } = vary;
  const { value, integer, min, max } = getNumericField(scenario, path, place);
  if (range !== undefined) {
    const [low, high] = range;
    const whole = !integer || (Number.isInteger(low) && Number.isInteger(high));
    if (!(low < high) || low < min || high > max || !whole) {
      const kind = integer ? 'integers' : 'numbers';
      throw new InputError(
        place,
        `a range of ${kind} within ${String(min)}..${String(max)}`,
        `${path}=${String(low)}..${String(high)}`,
      );
    }
    return createAxis(path, integer, range, value ?? low, high - low, true);
  }
  if (value === undefined)
    throw new InputError(place, `a range ${path}=low..high, because the scenario has no value for it`, `"${path}"`);
  const reach = Math.max(integer ? LEAST_REACH : 1, Math.abs(value) / 2);
  const small = integer ? max - min < SMALL_RANGE : max - min <= 1;
  const axis = createAxis(path, integer, [min, max], value, small ? max - min : 2 * reach, false);
  return small ? axis : { ...axis, reach: Math.ceil(reach / axis.step) };
}

/** Divides the step of an axis by ten. */
export function refineAxis(axis: BalanceAxis): BalanceAxis {
  const { step, low, high, present, reach } = axis;
  return {
    ...axis,
    step: Number(`1e${String(Math.round(Math.log10(step)) - 1)}`),
    low: 10 * low,
    high: 10 * high,
    present: 10 * present,
    reach: 10 * reach,
  };
}

// Evaluates settings of a scenario against a target.

/** Target of a search. */
export interface EstimandTarget {
  readonly quantity: Estimand;
  readonly value: number;
  /** Allowed deviation. */
  readonly tolerance: number;
}

/** Options of simulations; the error rate covers all results from simulation. */
export interface SettingEvaluatorOptions extends Omit<SequentialTestOptions, 'from' | 'error'> {
  /** Maximum probability that any result from simulation is wrong. */
  readonly errorRate: number;
  readonly exact: ExactMode;
  /** Maximum steps of an exact answer. */
  readonly budget?: number | undefined;
}

/** Evaluation of a setting during the search. */
export interface SettingEvaluation {
  /** Values of the varied fields, in their order. */
  readonly values: readonly number[];
  readonly value: number;
  /**
   * Side of the target: below, above, or 0 if it cannot be distinguished; exact, or up to its share of the error rate.
   */
  readonly side: -1 | 0 | 1;
  /** True if the setting meets the target, exactly or up to its share of the error rate; `undecided`: it may. */
  readonly verdict: BoundsVerdict;
  /** False if battles were simulated. */
  readonly exact: boolean;
  /** Transitions of the exact answer. */
  readonly steps: number;
}

/** A setting of the varied fields with its verified value. */
export interface BalanceSetting extends MeasuredValue {
  /** Values of the varied fields, in their order. */
  readonly values: readonly number[];
  /** Result of the comparison with the target. */
  readonly verdict: BoundsVerdict;
  /** Costs by side; empty without prices. */
  readonly points: ReadonlyMap<string, number>;
}

/** Signals that an evaluation was aborted. */
export class EvaluationStopped extends Error {
  override readonly name = 'Stopped';
}

/** Locates an interval relative to a number: 0 if it contains the number. */
function locateInterval([low, high]: Interval, wanted: number): SettingEvaluation['side'] {
  if (low > wanted) return 1;
  return high < wanted ? -1 : 0;
}

/**
 * Allocates the error rate to decisions by simulation: one half to announced decisions, evenly, each time half of the
 * rest; the other half to all others, of any number: the j-th, from 1, has 1 / (j (j + 1)) of it.
 */
export class ErrorAllocation {
  readonly #others: number;
  #left: number;
  #each = 0;
  #announced = 0;
  /** True until the first announced decision. */
  #fresh = false;
  #count = 0;

  /** @param error error rate of all decisions */
  constructor(error: number) {
    this.#others = error / 2;
    this.#left = error / 2;
  }

  /** Announces the maximum number of the next decisions. */
  announce(count: number): void {
    this.#announced = count;
    this.#fresh = true;
  }

  /** Returns the share of the next decision. */
  next(): number {
    if (this.#announced > 0) {
      if (this.#fresh) {
        this.#left /= 2;
        this.#each = this.#left / this.#announced;
        this.#fresh = false;
      }
      this.#announced--;
      return this.#each;
    }
    this.#count++;
    return this.#others / (this.#count * (this.#count + 1));
  }
}

export class SettingEvaluator {
  readonly #scenario: Scenario;
  readonly #paths: readonly string[];
  readonly #target: EstimandTarget;
  readonly #options: SettingEvaluatorOptions;
  /** By setting; undefined if the scenario does not allow it. */
  readonly #seen = new Map<string, SettingEvaluation | undefined>();
  readonly #shares: ErrorAllocation;
  #firstRefused: InputError | undefined;

  constructor(scenario: Scenario, paths: readonly string[], target: EstimandTarget, options: SettingEvaluatorOptions) {
    this.#scenario = scenario;
    this.#paths = paths;
    this.#target = target;
    this.#options = options;
    // The other half is for verification.
    this.#shares = new ErrorAllocation(options.errorRate / 2);
  }

  /** Announces the maximum number of the next settings; simulated ones share an error rate evenly. */
  readonly announce = (count: number): void => {
    this.#shares.announce(count);
  };

  /** All examined settings that are allowed, in order of examination. */
  get evaluations(): readonly SettingEvaluation[] {
    return [...this.#seen.values()].filter((reading) => reading !== undefined);
  }

  /** Number of examined settings that the scenario does not allow. */
  get rejectedCount(): number {
    return this.#seen.size - this.evaluations.length;
  }

  /** Error of the first setting that was not allowed. */
  get firstRejected(): InputError | undefined {
    return this.#firstRefused;
  }

  /** Bounds of the target: value minus and plus tolerance. */
  get bounds(): Bounds {
    const { value, tolerance } = this.#target;
    return [value - tolerance, value + tolerance];
  }

  /** Returns true if a setting meets the target, exactly or by its estimate. */
  isMatch({ value, verdict }: SettingEvaluation): boolean {
    return verdict === 'holds' || (verdict === 'undecided' && judgeValue(value, this.bounds) === 'holds');
  }

  /**
   * Evaluates a setting; results are cached.
   * @returns undefined if the scenario does not allow it
   * @throws EvaluationStopped if the signal comes first
   */
  async evaluate(values: readonly number[]): Promise<SettingEvaluation | undefined> {
    const name = values.join();
    if (this.#seen.has(name)) return this.#seen.get(name);
    // Handles signals between two settings.
    await pause();
    if (this.#options.signal?.aborted === true) throw new EvaluationStopped();
    const scenario = this.#applyValues(values);
    const reading =
      scenario && ((await this.#solveSetting(scenario, values)) ?? (await this.#simulateSetting(scenario, values)));
    this.#seen.set(name, reading);
    return reading;
  }

  #applyValues(values: readonly number[]): Scenario | undefined {
    try {
      return setFields(
        this.#scenario,
        this.#paths.map((path, p) => [path, values[p]] as const),
        'vary',
      );
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#firstRefused ??= error;
      return undefined;
    }
  }

  async #solveSetting(scenario: Scenario, values: readonly number[]): Promise<SettingEvaluation | undefined> {
    const { exact, battles, budget, signal } = this.#options;
    const answer = await findExactAnswerOffThread(scenario, exact, battles, budget, signal).catch((error: unknown) => {
      throw signal?.aborted === true ? new EvaluationStopped() : error;
    });
    if (answer === undefined) return undefined;
    const { quantity, value: wanted } = this.#target;
    const value = quantity.computeValue(answer.distribution);
    const side = judgeValue(value, [wanted, wanted]) === 'holds' ? 0 : value > wanted ? 1 : -1;
    return { values, value, side, verdict: judgeValue(value, this.bounds), exact: true, steps: answer.steps };
  }

  /** Simulates until it is certain on which side of the target the setting is, and whether it meets the target. */
  async #simulateSetting(scenario: Scenario, values: readonly number[]): Promise<SettingEvaluation> {
    const { quantity, value: wanted } = this.#target;
    const compareWithBounds = (interval: Interval): BoundsVerdict => judgeInterval(interval, this.bounds);
    const isDecided = (so: Interval): boolean =>
      locateInterval(so, wanted) !== 0 && compareWithBounds(so) !== 'undecided';
    const play = { ...this.#options, error: this.#shares.next() };
    const { value, interval, complete } = await measureUntil(scenario, quantity, isDecided, play);
    if (!complete || value === undefined || interval === undefined) throw new EvaluationStopped();
    return {
      values,
      value,
      side: locateInterval(interval, wanted),
      verdict: compareWithBounds(interval),
      exact: false,
      steps: 0,
    };
  }

  /**
   * Verifies examined settings. For simulated ones, other battles are simulated than in the search; all verdicts and
   * intervals together are wrong with at most half the error rate. After a signal nothing is simulated: such settings
   * are undecided, with all numbers as their interval.
   */
  async verify(readings: readonly SettingEvaluation[]): Promise<BalanceSetting[]> {
    const open = readings.filter(({ exact }) => !exact).length;
    const settings: BalanceSetting[] = [];
    for (const reading of readings) settings.push(await this.#verifySetting(reading, open));
    return settings;
  }

  async #verifySetting({ values, value, exact }: SettingEvaluation, open: number): Promise<BalanceSetting> {
    const scenario = this.#applyValues(values) ?? this.#scenario;
    const points = scenarioCosts(scenario);
    if (exact) return { values, value, battles: 0, verdict: judgeValue(value, this.bounds), points };
    const { battles, errorRate } = this.#options;
    const play = { ...this.#options, from: battles, error: errorRate / 2 / open };
    const { quantity } = this.#target;
    const found = await decideBySimulation(scenario, quantity, this.bounds, play);
    const { verdict, interval = quantity.range, unobserved } = found;
    return {
      values,
      value: found.value ?? value,
      interval,
      ...(unobserved !== undefined && { unobserved }),
      battles: found.battles,
      points,
      verdict: verdict === 'interrupted' ? 'undecided' : verdict,
    };
  }
}

// Three or more fields: searches the settings closest to the present one, by steps of all fields together.

/** Maximum numbers of examined settings: with exact answers, and with simulations. */
const SETTINGS = { exact: 2000, played: 200 };

/** Maximum transitions of exact answers together. */
const STEPS = 1_000_000;

/** Searched neighborhood of the present setting. */
export interface SearchReport {
  /** All settings within this distance in steps, summed over the fields, were examined. */
  readonly radius: number;
  /** True if some of them meet the target; none at smaller distances does. */
  readonly meets: boolean;
}

/** Generates all settings at a distance from the present one, as offsets of the fields. */
function* generateShell(fields: number, radius: number): Generator<number[]> {
  if (fields === 1) {
    yield [radius];
    if (radius > 0) yield [-radius];
    return;
  }
  for (let here = -radius; here <= radius; here++)
    for (const rest of generateShell(fields - 1, radius - Math.abs(here))) yield [here, ...rest];
}

/** Counts the settings of a shell, including those out of range. */
function countShell(fields: number, radius: number): number {
  if (fields === 1) return radius === 0 ? 1 : 2;
  let size = 0;
  for (let here = -radius; here <= radius; here++) size += countShell(fields - 1, radius - Math.abs(here));
  return size;
}

const isInside = ({ low, high }: BalanceAxis, k: number): boolean => k >= low && k <= high;

/** Returns true if the shell exceeds the limit. */
function isTooLarge({ evaluations }: SettingEvaluator, size: number): boolean {
  const steps = evaluations.reduce((most, reading) => Math.max(most, reading.steps), 0);
  const most = evaluations.every(({ exact }) => exact) ? SETTINGS.exact : SETTINGS.played;
  const settings = evaluations.length + size;
  return settings > most || settings * steps > STEPS;
}

/**
 * Examines all settings at distances 0, 1, 2, ... from the present one, until some meet the target or the next shell
 * exceeds the limit.
 */
export async function searchNear(axes: readonly BalanceAxis[], gauge: SettingEvaluator): Promise<SearchReport> {
  for (let radius = 0; ; radius++) {
    if (radius > 0 && isTooLarge(gauge, countShell(axes.length, radius))) return { radius: radius - 1, meets: false };
    const settings = [...generateShell(axes.length, radius)]
      .map((offsets) => axes.map((axis, a) => axis.present + (offsets[a] ?? 0)))
      .filter((ks) => axes.every((axis, a) => isInside(axis, ks[a] ?? 0)));
    gauge.announce(settings.length);
    for (const ks of settings) await gauge.evaluate(axes.map((axis, a) => computeAxisValue(axis, ks[a] ?? 0)));
    const meets = gauge.evaluations.some((reading) => gauge.isMatch(reading));
    if (settings.length === 0 || meets) return { radius, meets };
  }
}
