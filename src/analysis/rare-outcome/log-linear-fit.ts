/**
 * Poisson regression with a logarithmic link and a ridge penalty, by Newton's method (P. McCullagh and J. A. Nelder,
 * Generalized Linear Models, 1989, chapter 6). Uses only operations with equal results on all machines.
 */
import { exp, ln } from '../../core/index.ts';

/** Row of a regression: the expected response is exp(intercept + weights * features + offset). */
export interface RegressionRow {
  readonly features: Float64Array;
  readonly response: number;
  readonly offset: number;
}

const ITERATIONS_MAX = 30;
const HALVINGS_MAX = 12;

/** Relative decrease of the loss below which the iteration ends. */
const TOLERANCE = 1e-6;

/** Ridge penalty per row, of the weights and of the intercept. */
const PENALTY = { weight: 1e-3, intercept: 1e-9 };

/** Added to a response for the mean that the first step assumes. */
const START_MEAN = 0.1;

/** Maximum absolute exponent of a fitted response. */
const EXPONENT_MAX = 30;

/** A symmetric positive definite matrix: the lower triangle by row. */
type LowerTriangle = readonly Float64Array[];

/** Computes sum a[k] * b[k], 0 <= k < length. */
export function computeDotProduct(a: Float64Array, b: Float64Array, length: number): number {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += (a[k] ?? 0) * (b[k] ?? 0);
  return sum;
}

/** Solves `matrix` * x = `vector` by Cholesky's method, in place. */
function solveInPlace(matrix: LowerTriangle, vector: Float64Array): Float64Array {
  for (const [j, row] of matrix.entries()) {
    for (const [k, other] of matrix.slice(0, j).entries())
      row[k] = ((row[k] ?? 0) - computeDotProduct(row, other, k)) / (other[k] ?? 1);
    row[j] = Math.sqrt(Math.max(Number.MIN_VALUE, (row[j] ?? 0) - computeDotProduct(row, row, j)));
    vector[j] = ((vector[j] ?? 0) - computeDotProduct(row, vector, j)) / row[j];
  }
  for (let j = matrix.length - 1; j >= 0; j--) {
    let sum = vector[j] ?? 0;
    for (let m = j + 1; m < matrix.length; m++) sum -= (matrix[m]?.[j] ?? 0) * (vector[m] ?? 0);
    vector[j] = sum / (matrix[j]?.[j] ?? 1);
  }
  return vector;
}

function computeExponent(weights: Float64Array, { features, offset }: RegressionRow): number {
  const count = features.length;
  const exponent = computeDotProduct(weights, features, count) + (weights[count] ?? 0) + offset;
  return Math.max(-EXPONENT_MAX, Math.min(EXPONENT_MAX, exponent));
}

/** Computes the negative log-likelihood with the penalty, up to a constant. */
function computeLoss(weights: Float64Array, rows: readonly RegressionRow[], count: number): number {
  const likelihood = rows.reduce((sum, row) => {
    const exponent = computeExponent(weights, row);
    return sum + exp(exponent) - row.response * exponent;
  }, 0);
  return likelihood + (PENALTY.weight * rows.length * computeDotProduct(weights, weights, count)) / 2;
}

function addRow(hessian: LowerTriangle, gradient: Float64Array, values: Float64Array, mean: number, residual: number) {
  for (const [i, line] of hessian.entries()) {
    const value = values[i] ?? 0;
    gradient[i] = (gradient[i] ?? 0) + residual * value;
    for (let j = 0; j <= i; j++) line[j] = (line[j] ?? 0) + mean * value * (values[j] ?? 0);
  }
}

/** Computes the weights after a full step of Newton's method. @param exponents logarithms of the expected responses */
function solveWeights(rows: readonly RegressionRow[], exponents: readonly number[], count: number): Float64Array {
  const hessian = Array.from({ length: count + 1 }, (_, i) => new Float64Array(i + 1));
  const gradient = new Float64Array(count + 1);
  const values = new Float64Array(count + 1).fill(1);
  for (const [r, { features, response, offset }] of rows.entries()) {
    values.set(features);
    const exponent = exponents[r] ?? 0;
    const mean = exp(exponent);
    addRow(hessian, gradient, values, mean, response - mean + mean * (exponent - offset));
  }
  for (const [i, line] of hessian.entries())
    line[i] = (line[i] ?? 0) + rows.length * (i === count ? PENALTY.intercept : PENALTY.weight);
  return solveInPlace(hessian, gradient);
}

/** Fits a regression. @param count number of features @returns the weights of the features, then the intercept */
export function fitLogLinear(rows: readonly RegressionRow[], count: number): Float64Array {
  const first = rows.map(({ response }) => ln(response + START_MEAN));
  let weights = solveWeights(rows, first, count);
  let loss = computeLoss(weights, rows, count);
  for (let turn = 0; turn < ITERATIONS_MAX; turn++) {
    const now = weights;
    const full = solveWeights(
      rows,
      rows.map((row) => computeExponent(now, row)),
      count,
    );
    let [scale, next, nextLoss] = [1, weights, Number.POSITIVE_INFINITY];
    for (let halving = 0; halving < HALVINGS_MAX && !(nextLoss < loss); halving++, scale /= 2) {
      next = now.map((weight, f) => weight + scale * ((full[f] ?? 0) - weight));
      nextLoss = computeLoss(next, rows, count);
    }
    if (!(nextLoss < loss)) break;
    const isDone = loss - nextLoss <= TOLERANCE * Math.abs(loss);
    [weights, loss] = [next, nextLoss];
    if (isDone) break;
  }
  return weights;
}
