/** Computes first-order and total indices from the rows of Saltelli's scheme, without the noise within cells. */

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { AbortError, createOptionsCheck, type Stream } from '../../core/index.ts';
import { checkStart } from '../../engines/index.ts';
import type { Scenario } from '../../rules/index.ts';
import {
  count,
  type OptionSpecs,
  type RequestedOptions,
  resolveOptions,
  withFallback,
} from '../../rules/option-spec.ts';
import { computeVariance, type Interval } from '../../stats/index.ts';
import { createStudyStream } from '../designs/design.ts';
import { countRows, createSaltelliDesign } from '../designs/sobol-design.ts';
import {
  type CellRequest,
  computeHalfMeans,
  createCellEvaluator,
  createStudy,
  evaluateBatches,
  resolveStudySettings,
  STUDY_OPTIONS,
  type Study,
  type StudyCell,
  type StudyOptions,
} from './cell-evaluator.ts';
import { computeRangeValue, createScenarioAt, type FieldRange, parseSpace, SPACE } from './step.ts';

/** Values of a cell in two independent halves of its battles; equal if the cell is exact. */
export type HalfValues = readonly [one: number, other: number];

/** Rows A, B, and A with one coordinate of B each. */
export type BasePoint = readonly HalfValues[];

interface SobolIndex {
  /** Share of the variance that the field alone explains. */
  readonly first: number;
  readonly firstCi95: Interval;
  /** Share of the variance that remains if all other fields are known, including all interactions of the field. */
  readonly total: number;
  readonly totalCi95: Interval;
}

export interface SobolIndices {
  /** Variance over the space, without the sampling variance within cells. */
  readonly variance: number;
  /** Share of the sampling variance in the variance between simulated cells, 0..1. */
  readonly noise: number;
  /** By dimension; undefined if the value has no significant variance. */
  readonly indices: readonly SobolIndex[] | undefined;
}

/** Number of bootstrap resamples. */
const RESAMPLES = 1000;

/** A variance below this, in units of the squared mean, is rounding error. */
const ROUNDING = 1e-20;

/** Terms of one dimension, a number for each base point. */
interface SobolTerms {
  readonly first: Float64Array;
  readonly total: Float64Array;
  /** Differences between A and A with one coordinate of B, by half. */
  readonly steps: readonly [Float64Array, Float64Array];
}

interface SobolSample {
  readonly size: number;
  /** Values of A and B together, by half, and their products. */
  readonly values: readonly [Float64Array, Float64Array];
  readonly products: Float64Array;
  readonly terms: readonly SobolTerms[];
}

const extractColumn = (points: readonly BasePoint[], read: (point: BasePoint) => number): Float64Array =>
  Float64Array.from(points, read);

const getHalf = (point: BasePoint, row: number, which: 0 | 1): number => point[row]?.[which] ?? 0;

function createSample(points: readonly BasePoint[]): SobolSample {
  const rows = points[0]?.length ?? 2;
  const step = (point: BasePoint, row: number, which: 0 | 1): number =>
    getHalf(point, row, which) - getHalf(point, 0, which);
  const terms = Array.from({ length: rows - 2 }, (_, i): SobolTerms => {
    const row = i + 2;
    const evaluateBoth = (point: BasePoint): HalfValues => [step(point, row, 0), step(point, row, 1)];
    return {
      first: extractColumn(
        points,
        (point) => (getHalf(point, 1, 0) * evaluateBoth(point)[1] + getHalf(point, 1, 1) * evaluateBoth(point)[0]) / 2,
      ),
      total: extractColumn(points, (point) => (evaluateBoth(point)[0] * evaluateBoth(point)[1]) / 2),
      steps: [
        extractColumn(points, (point) => evaluateBoth(point)[0]),
        extractColumn(points, (point) => evaluateBoth(point)[1]),
      ],
    };
  });
  const sum = (which: 0 | 1) => extractColumn(points, (point) => getHalf(point, 0, which) + getHalf(point, 1, which));
  const products = extractColumn(points, ([a = [0, 0], b = [0, 0]]) => a[0] * a[1] + b[0] * b[1]);
  return { size: points.length, values: [sum(0), sum(1)], products, terms };
}

/** Sums over the base points, with their multiplicity in the resample. */
type ResampleSum = (values: Float64Array) => number;

interface SobolEstimate {
  readonly variance: number;
  readonly indices: readonly { readonly first: number; readonly total: number }[];
}

/**
 * Computes the estimators of A. Saltelli et al. (2010, table 2 b: first order) and M. J. W. Jansen (1999: total). Every
 * product takes one value from each half of the battles, which are independent, so that sampling noise adds nothing in
 * expectation. Values of B are centered at their mean, which reduces the spread of the first-order index.
 */
function estimateIndices({ size, values, products, terms }: SobolSample, sum: ResampleSum): SobolEstimate {
  const means = [sum(values[0]) / (2 * size), sum(values[1]) / (2 * size)] as const;
  const variance = (sum(products) - 2 * size * means[0] * means[1]) / (2 * size - 1);
  const indices = terms.map(({ first, total, steps }) => {
    const centre = (means[0] * sum(steps[1]) + means[1] * sum(steps[0])) / 2;
    return { first: (sum(first) - centre) / size / variance, total: sum(total) / size / variance };
  });
  return { variance, indices };
}

/** Creates the function that sums over a resample: base points drawn with replacement (B. Efron 1979). */
function createResampleSum(size: number, stream: Stream): ResampleSum {
  const times = new Uint32Array(size);
  for (let draw = 0; draw < size; draw++) {
    const point = uniformInt(stream, 0, size - 1);
    times[point] = (times[point] ?? 0) + 1;
  }
  return (values) => {
    let sum = 0;
    for (let j = 0; j < size; j++) sum += (times[j] ?? 0) * (values[j] ?? 0);
    return sum;
  };
}

/** Computes the interval between the 2.5th and the 97.5th percentile. */
function computePercentileInterval(values: readonly number[]): Interval {
  const sorted = Float64Array.from(values).sort();
  const getShareAt = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return [getShareAt(0.025), getShareAt(0.975)];
}

/** Computes the variance of simulated values, including sampling noise. */
function computeSimulatedVariance(points: readonly BasePoint[]): number {
  const played = points.flatMap((point) => [0, 1].map((row) => (getHalf(point, row, 0) + getHalf(point, row, 1)) / 2));
  return computeVariance(played);
}

/** Centers the values at their common mean: indices stay the same, and sums of squares lose no digits. */
function centerPoints(points: readonly BasePoint[]): BasePoint[] {
  const centre = points.reduce((sum, point) => sum + getHalf(point, 0, 0), 0) / points.length;
  return points.map((point) => point.map(([one, other]) => [one - centre, other - centre] as const));
}

/**
 * Computes the indices of all dimensions with bootstrap intervals over base points.
 * @param points at least 8, preferably a power of two
 * @param seed of the resamples
 */
export function computeSobolIndices(points: readonly BasePoint[], seed: bigint): SobolIndices {
  const about = centerPoints(points);
  const sample = createSample(about);
  const { size } = sample;
  const found = estimateIndices(sample, (values) => values.reduce((sum, value) => sum + value, 0));
  const played = computeSimulatedVariance(about);
  const nothing = ROUNDING * Math.max(...points.map((point) => getHalf(point, 0, 0) ** 2));
  if (played <= nothing) return { variance: 0, noise: 0, indices: undefined };
  const noise = Math.min(1, Math.max(0, 1 - found.variance / played));
  if (found.variance <= nothing) return { variance: 0, noise, indices: undefined };
  const resamples = Array.from({ length: RESAMPLES }, (_, r) =>
    estimateIndices(sample, createResampleSum(size, createStudyStream('resample', seed, r))),
  );
  const spread = (read: (estimate: SobolEstimate) => number | undefined): Interval =>
    computePercentileInterval(resamples.map((resample) => read(resample) ?? 0));
  const indices = found.indices.map(({ first, total }, i) => ({
    first,
    firstCi95: spread((resample) => resample.indices[i]?.first),
    total,
    totalCi95: spread((resample) => resample.indices[i]?.total),
  }));
  return { variance: found.variance, noise: noise < 1e-9 ? 0 : noise, indices };
}

// Sobol's indices over a space: the share of the variance that each field explains.

/** Minimum number of base points. */
const POINTS_MIN = 8;

/** Options of `sobolSensitivity`, in addition to those of studies. */
export const SOBOL = {
  space: SPACE,
  /** Base points, preferably a power of two; default 256. */
  points: withFallback(count(POINTS_MIN, 2 ** 20, 'sobol: number of base points, preferably a power of two'), 256),
} as const satisfies OptionSpecs;

/** Options of `sobolSensitivity`, with the ranges. */
export interface SobolOptions extends StudyOptions, RequestedOptions<typeof SOBOL> {
  /** Ranges of the fields: `attacker.hp=10..40`. At most 128. */
  readonly space: readonly string[];
}

const checkOptions = createOptionsCheck<SobolOptions>('sobolSensitivity', {
  ...STUDY_OPTIONS,
  ...SOBOL,
  space: { required: true, ...SPACE },
});

/** A field with its Sobol indices, each 0..1. */
export interface SobolField extends SobolIndex, FieldRange {
  /** The total index, with its interval. */
  readonly effect: number;
  readonly ci95: Interval;
}

/** Fields ranked by their share in the variance (I. Sobol 1993). */
export interface SobolSensitivity extends Study {
  readonly method: 'sobol';
  /** Number of complete base points. */
  readonly points: number;
  /** Variance over the space; 0 if it is not significant, in which case `fields` is empty. */
  readonly variance: number;
  /** Share of the sampling variance in the variance between simulated cells; not included in the indices. */
  readonly noise: number;
  /** By total index, in descending order. */
  readonly fields: readonly SobolField[];
}

/** Default number of battles of a cell. */
const BATTLES = 2000;

/**
 * Computes Sobol's first-order and total indices by Saltelli's scheme over a scrambled Sobol sequence: (fields + 2) x
 * points cells. The cells of a base point simulate the same battles, in two independent halves.
 * @throws InputError if an option or a range is invalid, or a point of the space is not a valid scenario
 * @throws RunError if the kernel is not built, or the signal came before 8 base points were complete
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 */
export async function sobolSensitivity(scenario: Scenario, options: SobolOptions): Promise<SobolSensitivity> {
  checkOptions(options);
  const setting = resolveStudySettings(options, BATTLES);
  const { points } = resolveOptions(SOBOL, options);
  const axes = parseSpace(scenario, options.space);
  const design = createSaltelliDesign(axes.length, points, setting.seed);
  const rows = countRows(axes.length);
  const base = createScenarioAt(
    scenario,
    axes,
    axes.map((axis) => computeRangeValue(axis, 0)),
  );
  checkStart(options.signal);
  const lab = await createCellEvaluator(base, setting);
  const taken: BasePoint[] = [];
  const listRequests = (j: number): CellRequest[] =>
    Array.from({ length: rows }, (_, row) => {
      const at = design.point(j * rows + row);
      const values = axes.map((axis, a) => computeRangeValue(axis, at[a] ?? 0));
      return { scenario: createScenarioAt(scenario, axes, values), from: j * setting.battles, key: values.join() };
    });
  const take = (cells: readonly StudyCell[]): void => {
    taken.push(cells.map((cell) => computeHalfMeans(cell, lab.subject.unit)));
  };
  const batches = { batches: points, unit: 'base points', createRequests: listRequests, onBatch: take };
  const done = await evaluateBatches(lab, batches, options);
  if (done < POINTS_MIN)
    throw new AbortError(`stopped before ${String(POINTS_MIN)} base points were complete`, options.signal);
  const { variance, noise, indices } = computeSobolIndices(taken, setting.seed);
  const fields = (indices ?? []).flatMap((index, a): SobolField[] => {
    const axis = axes[a];
    return axis === undefined ? [] : [{ ...axis, ...index, effect: index.total, ci95: index.totalCi95 }];
  });
  return {
    method: 'sobol',
    ...createStudy(scenario, lab, setting, done === points),
    points: done,
    variance,
    noise,
    fields: fields.sort((a, b) => b.total - a.total),
  };
}
