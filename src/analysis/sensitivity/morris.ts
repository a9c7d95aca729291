/** Elementary effects: the effect of a step of one field on one trajectory, and statistics of several. */

import { AbortError, createOptionsCheck, InputError } from '../../core/index.ts';
import { checkStart } from '../../engines/index.ts';
import type { Scenario } from '../../rules/index.ts';
import {
  count,
  type OptionSpecs,
  type RequestedOptions,
  resolveOptions,
  withFallback,
} from '../../rules/option-spec.ts';
import { computeMean, computeVariance, type Interval, studentUpper } from '../../stats/index.ts';
import { createMorrisTrajectories, type Trajectory } from '../designs/design.ts';
import {
  type CellRequest,
  computeExactDifference,
  computeHalfMeans,
  computeNoise,
  createCellEvaluator,
  createStudy,
  evaluateBatches,
  resolveStudySettings,
  STUDY_OPTIONS,
  type Study,
  type StudyCell,
  type StudyOptions,
} from './cell-evaluator.ts';
import { countRangeValues, createScenarioAt, type FieldRange, parseSpace, roundDecimals, SPACE } from './step.ts';

/** Elementary effect, scaled to the whole range of the field. */
export interface ElementaryEffect {
  readonly effect: number;
  /** The effect in two independent halves of the battles; equal to it if it is exact. */
  readonly halves: readonly [number, number];
  /** Sampling variance; 0 if it is exact. */
  readonly noise: number;
}

interface ScreeningResult {
  /** mu*: the mean of the effects' sizes (F. Campolongo, J. Cariboni, A. Saltelli 2007). */
  readonly muStar: number;
  readonly muStarCi95: Interval;
  /** mu: the mean of the effects. */
  readonly mu: number;
  readonly muCi95: Interval;
  /** sigma: standard deviation of the effect over the space, without the sampling variance. */
  readonly sigma: number;
  /** Standard deviation of one effect by sampling. */
  readonly noise: number;
}

/** Computes Student's interval of a mean. */
function computeInterval(values: readonly number[]): Interval {
  const [mean, n] = [computeMean(values), values.length];
  const spread = studentUpper(0.025, n - 1) * Math.sqrt(computeVariance(values) / n);
  return [mean - spread, mean + spread];
}

/**
 * Computes the size of an effect. Each half of the battles provides the sign for the other, so that without an effect
 * the expected size is 0; the absolute value would have a positive expectation. Exact effects have their absolute
 * value.
 */
function computeEffectSize({ halves: [one, other] }: ElementaryEffect): number {
  return (Math.sign(one) * other + Math.sign(other) * one) / 2;
}

/**
 * Summarizes the effects of one field on at least two trajectories (M. D. Morris 1991). Intervals are Student's t over
 * the independent trajectories.
 */
export function screenEffects(effects: readonly ElementaryEffect[]): ScreeningResult {
  const [signed, sizes] = [effects.map(({ effect }) => effect), effects.map(computeEffectSize)];
  const noise = computeMean(effects.map((each) => each.noise));
  return {
    muStar: computeMean(sizes),
    muStarCi95: computeInterval(sizes),
    mu: computeMean(signed),
    muCi95: computeInterval(signed),
    sigma: Math.sqrt(Math.max(0, computeVariance(signed) - noise)),
    noise: Math.sqrt(noise),
  };
}

// Screens by elementary effects: finds the fields of a space that matter, and those with a constant effect.

/** Options of `morrisSensitivity`, in addition to those of studies. */
export const MORRIS = {
  space: SPACE,
  /** Default: 20. */
  trajectories: withFallback(count(2, 1_000_000, 'morris: number of trajectories through the space'), 20),
  /** Levels of fields that are not whole numbers, even; default 4. For whole numbers each value is a level. */
  levels: withFallback(
    count(2, 1_000_000, 'morris: number of levels of fields that are not whole numbers; must be even'),
    4,
  ),
} as const satisfies OptionSpecs;

/** Options of `morrisSensitivity`, with the ranges. */
export interface MorrisOptions extends StudyOptions, RequestedOptions<typeof MORRIS> {
  /** Ranges of the fields: `attacker.hp=10..40`. */
  readonly space: readonly string[];
}

const checkOptions = createOptionsCheck<MorrisOptions>('morrisSensitivity', {
  ...STUDY_OPTIONS,
  ...MORRIS,
  space: { required: true, ...SPACE },
});

/** A field, screened by elementary effects. */
export interface MorrisField extends ScreeningResult, FieldRange {
  /** mu*, with its interval. */
  readonly effect: number;
  /** 95 % interval of mu*. */
  readonly ci95: Interval;
}

/** Fields ranked by their mean elementary effects (M. Morris 1991). */
export interface MorrisSensitivity extends Study {
  readonly method: 'morris';
  /** Number of complete trajectories. */
  readonly trajectories: number;
  /** By mu*, in descending order. Effects are scaled to the whole range. */
  readonly fields: readonly MorrisField[];
}

/** Default number of battles of a cell. */
const BATTLES = 2000;

/** Computes the value of a level; level 0 is the least. */
function computeLevelValue({ min, max, integer }: FieldRange, level: number, levels: number): number {
  return integer ? min + level : roundDecimals(min + ((max - min) * level) / (levels - 1));
}

/** Computes the effect of one step, scaled to the whole range. */
function computeElementaryEffect(before: StudyCell, after: StudyCell, unit: number, scale: number): ElementaryEffect {
  const [first, second] = [computeHalfMeans(before, unit), computeHalfMeans(after, unit)];
  const exact = before.battles === undefined && after.battles === undefined;
  const gap = exact ? computeExactDifference(before.value, after.value) : after.value - before.value;
  const halves = exact ? ([gap, gap] as const) : ([second[0] - first[0], second[1] - first[1]] as const);
  return {
    effect: gap * scale,
    halves: [halves[0] * scale, halves[1] * scale],
    noise: computeNoise(before, after, unit) * scale * scale,
  };
}

function createRequests(
  base: Scenario,
  axes: readonly FieldRange[],
  levels: readonly number[],
  walk: Trajectory,
  from: number,
) {
  return walk.points.map((point): CellRequest => {
    const values = axes.map((axis, a) => computeLevelValue(axis, point[a] ?? 0, levels[a] ?? 2));
    return { scenario: createScenarioAt(base, axes, values), from, key: values.join() };
  });
}

/**
 * Screens the fields of a space by Morris's method. Cells of a trajectory simulate the same battles, those of different
 * trajectories other ones; (fields + 1) x trajectories cells in total.
 * @throws InputError if an option or a range is invalid, or a point of the space is not a valid scenario
 * @throws RunError if the kernel is not built, or the signal came before two trajectories were complete
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 */
export async function morrisSensitivity(scenario: Scenario, options: MorrisOptions): Promise<MorrisSensitivity> {
  checkOptions(options);
  const setting = resolveStudySettings(options, BATTLES);
  const { trajectories, levels: real } = resolveOptions(MORRIS, options);
  if (real % 2 === 1) throw new InputError('levels', 'an even number', String(real));
  const axes = parseSpace(scenario, options.space);
  const levels = axes.map((axis) => countRangeValues(axis) ?? real);
  const walks = createMorrisTrajectories(levels, trajectories, setting.seed);
  const base = createScenarioAt(
    scenario,
    axes,
    axes.map(({ min }) => min),
  );
  checkStart(options.signal);
  const lab = await createCellEvaluator(base, setting);
  const effects = axes.map((): ElementaryEffect[] => []);
  const take = (cells: readonly StudyCell[], t: number): void => {
    const { order, steps } = walks.trajectory(t);
    for (const [i, a] of order.entries()) {
      const [before, after] = [cells[i], cells[i + 1]];
      const scale = ((levels[a] ?? 2) - 1) / (steps[a] ?? 1);
      if (before && after) effects[a]?.push(computeElementaryEffect(before, after, lab.subject.unit, scale));
    }
  };
  const listRequests = (t: number): CellRequest[] =>
    createRequests(scenario, axes, levels, walks.trajectory(t), t * setting.battles);
  const done = await evaluateBatches(
    lab,
    { batches: trajectories, unit: 'trajectories', createRequests: listRequests, onBatch: take },
    options,
  );
  if (done < 2) throw new AbortError('stopped before two trajectories were complete', options.signal);
  const fields = axes.map((axis, a): MorrisField => {
    const found = screenEffects(effects[a] ?? []);
    return { ...axis, ...found, effect: found.muStar, ci95: found.muStarCi95 };
  });
  return {
    method: 'morris',
    ...createStudy(scenario, lab, setting, done === trajectories),
    trajectories: done,
    fields: fields.sort((a, b) => b.muStar - a.muStar),
  };
}
