/** Distributions in one cell: counts and exact probabilities. */
import { normalUpper } from '../../stats/index.ts';
import type { HistogramRow } from '../../storage/index.ts';
import type { SweepQuantity } from './quantity.ts';

/** Bin of the values of a metric, or an outcome. */
export interface DistributionBin {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** Share of the battles; absent if there are no battles. */
  readonly share?: number;
  readonly exact?: number;
}

/** Test of counts against a distribution: Pearson's statistic, its degrees of freedom, and its 95 % limit. */
export interface GoodnessOfFit {
  readonly statistic: number;
  readonly degrees: number;
  readonly limit: number;
}

export interface CellDistribution {
  readonly quantity: SweepQuantity;
  readonly battles: number;
  readonly bins: readonly DistributionBin[];
  /** Number of values of a metric in a bin; 1 for outcomes. */
  readonly width: number;
  readonly fit?: GoodnessOfFit;
}

/** Weights by value, or by index of the outcome. */
interface CellWeights {
  readonly counts: Map<number, number>;
  readonly distribution: Map<number, number>;
}

const MAX_BINS = 48;

function addWeight(to: Map<number, number>, at: number, weight: number): void {
  to.set(at, (to.get(at) ?? 0) + weight);
}

function collectWeights(rows: readonly HistogramRow[], place: (row: HistogramRow) => number): CellWeights {
  const weights: CellWeights = { counts: new Map(), distribution: new Map() };
  for (const row of rows) {
    if (row.count !== null) addWeight(weights.counts, place(row), row.count);
    if (row.probability !== null) addWeight(weights.distribution, place(row), row.probability);
  }
  return weights;
}

const sumWeights = (weights: Map<number, number>): number =>
  [...weights.values()].reduce((sum, weight) => sum + weight, 0);

/** Minimum expected count of a class, so that Pearson's statistic is approximately chi-square distributed. */
const MIN_EXPECTED = 5;

/** Probability of a false alarm of a test. */
const FALSE_ALARM_RATE = 0.05;

/** 95 % quantile of chi-square; above two degrees after E. B. Wilson and M. M. Hilferty (1931), accurate to 0.6 %. */
function computeChiSquare95(degrees: number): number {
  if (degrees === 1) return normalUpper(FALSE_ALARM_RATE / 2) ** 2;
  if (degrees === 2) return -2 * Math.log(FALSE_ALARM_RATE);
  const part = 2 / (9 * degrees);
  return degrees * (1 - part + normalUpper(FALSE_ALARM_RATE) * Math.sqrt(part)) ** 3;
}

/**
 * Runs Pearson's test (1900). Neighboring values are combined until each class has an expected count of five battles.
 */
export function computeGoodnessOfFit(
  counts: ReadonlyMap<number, number>,
  distribution: ReadonlyMap<number, number>,
  battles: number,
): GoodnessOfFit | undefined {
  const values = [...new Set([...counts.keys(), ...distribution.keys()])].sort((a, b) => a - b);
  const classes: { count: number; expected: number }[] = [];
  let open = { count: 0, expected: 0 };
  for (const value of values) {
    open.count += counts.get(value) ?? 0;
    open.expected += battles * (distribution.get(value) ?? 0);
    if (open.expected < MIN_EXPECTED) continue;
    classes.push(open);
    open = { count: 0, expected: 0 };
  }
  const last = classes.at(-1);
  if (last === undefined || classes.length < 2) return undefined;
  last.count += open.count;
  last.expected += open.expected;
  const statistic = classes.reduce((sum, { count, expected }) => sum + (count - expected) ** 2 / expected, 0);
  const degrees = classes.length - 1;
  return { statistic, degrees, limit: computeChiSquare95(degrees) };
}

/** Smallest gap between two values: the step of the metric. */
function computeUnit(values: readonly number[]): number {
  const gaps = values.slice(1).map((value, v) => value - (values[v] ?? value));
  return Math.min(...gaps.filter((gap) => gap > 1e-9), Number.POSITIVE_INFINITY);
}

/** Smallest bin width of 1, 2, 5, 10, 20 ... steps with at most `MAX_BINS` bins. */
function chooseStepsPerBin(range: number, unit: number): number {
  for (let decade = 1; ; decade *= 10)
    for (const step of [1, 2, 5]) if (range / (step * decade * unit) < MAX_BINS) return step * decade;
}

const formatBinValue = (value: number): string => String(Number(value.toFixed(9)));

/** Unobserved values below this probability, or below half a battle, are not shown. */
const MIN_SHOWN_PROBABILITY = 1e-4;

function createMetricBins({ counts, distribution }: CellWeights): { bins: DistributionBin[]; width: number } {
  const battles = sumWeights(counts);
  const least = Math.max(MIN_SHOWN_PROBABILITY, battles === 0 ? 0 : 0.5 / battles);
  const values = [...new Set([...counts.keys(), ...distribution.keys()])].sort((a, b) => a - b);
  const unit = values.length > 1 ? computeUnit(values) : 1;
  const seen = values.filter((value) => (counts.get(value) ?? 0) > 0 || (distribution.get(value) ?? 0) >= least);
  const [low = 0] = seen;
  const high = seen.at(-1) ?? low;
  const width = chooseStepsPerBin(high - low, unit);
  const size = width * unit;
  const start = Math.floor(low / size + 1e-9) * size;
  const sumFrom = (weights: Map<number, number>, from: number): number =>
    [...weights].reduce(
      (sum, [value, weight]) => (value >= from - unit / 2 && value < from + size - unit / 2 ? sum + weight : sum),
      0,
    );
  const count = Math.floor((high - start) / size + 1e-9) + 1;
  const bins = Array.from({ length: count }, (_, b): DistributionBin => {
    const from = start + b * size;
    const to = from + size - unit;
    return {
      label: width === 1 ? formatBinValue(from) : `${formatBinValue(from)}..${formatBinValue(to)}`,
      from,
      to,
      ...(battles > 0 && { share: sumFrom(counts, from) / battles }),
      ...(distribution.size > 0 && { exact: sumFrom(distribution, from) }),
    };
  });
  return { bins, width };
}

function createOutcomeBins({ counts, distribution }: CellWeights, names: readonly string[]): DistributionBin[] {
  const battles = sumWeights(counts);
  return names.map((label, n) => ({
    label,
    from: n,
    to: n,
    ...(battles > 0 && { share: (counts.get(n) ?? 0) / battles }),
    ...(distribution.size > 0 && { exact: distribution.get(n) ?? 0 }),
  }));
}

/**
 * Creates the distribution of a metric over all outcomes, or of the outcomes if the quantity is one.
 * @param rows rows of one cell
 * @returns undefined if the rows do not contain it
 */
export function createCellDistribution(
  rows: readonly HistogramRow[],
  quantity: SweepQuantity,
): CellDistribution | undefined {
  const metric = quantity.kind === 'metric';
  const own = rows.filter(({ kind, name }) => kind === quantity.kind && (!metric || name === quantity.name));
  if (own.length === 0) return undefined;
  const names = [...new Set(own.map(({ outcome }) => outcome))];
  const weights = collectWeights(own, ({ value, outcome }) => (metric ? (value ?? 0) : names.indexOf(outcome)));
  const battles = sumWeights(weights.counts);
  const { bins, width } = metric ? createMetricBins(weights) : { bins: createOutcomeBins(weights, names), width: 1 };
  const fit =
    battles > 0 && weights.distribution.size > 0
      ? computeGoodnessOfFit(weights.counts, weights.distribution, battles)
      : undefined;
  return { quantity, battles, bins, width, ...(fit && { fit }) };
}

/** Count of an outcome after some of the battles of a cell. */
export interface ConvergencePoint {
  readonly battles: number;
  readonly count: number;
}

/** Computes cumulative counts of an outcome. Empty unless the rows of a cell have at least three parts. */
export function createConvergencePoints(rows: readonly HistogramRow[], outcome: string): ConvergencePoint[] {
  const counted = rows.filter(({ kind, count }) => kind === 'outcome' && count !== null);
  const ends = [...new Set(counted.map(({ to }) => to))].sort((a, b) => a - b);
  if (ends.length < 3) return [];
  const first = Math.min(...counted.map(({ from }) => from));
  return ends.map((end) => ({
    battles: end - first,
    count: counted.reduce((sum, row) => (row.to <= end && row.outcome === outcome ? sum + (row.count ?? 0) : sum), 0),
  }));
}
