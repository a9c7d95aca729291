/** Transitive and cyclic part of a symmetric game, and an order of its armies that shows both. */

import type { PayoffMatrix } from './payoff-matrix.ts';
import { computeRatings } from './ranking.ts';

/** Share of the squared payoffs that a part explains, with the range that the intervals of the cells allow. */
export interface PartShare {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** Orthogonal parts of the payoffs. The shares add up to 1; both are 0 if all payoffs are 0. */
export interface PayoffDecomposition {
  /** Differences of ratings. */
  readonly transitive: PartShare;
  /** The rest: each army has the mean 0. */
  readonly cyclic: PartShare;
}

/** Maximum number of steps of the power iteration, and the relative change at which it ends. */
const STEPS_MAX = 2000;
const CHANGE_MIN = 1e-14;

/** Angles, in radians, are rounded to multiples of this one. */
const SAME_ANGLE = 1e-9;

const FULL_TURN = 2 * Math.PI;

const getNorm = (values: ArrayLike<number>): number =>
  Math.sqrt(Array.from(values).reduce((sum, value) => sum + value * value, 0));

function createShare(own: number, other: number, radius: number): PartShare {
  const computeShare = (a: number, b: number): number => (a === 0 && b === 0 ? 0 : (a * a) / (a * a + b * b));
  return {
    value: computeShare(own, other),
    lower: computeShare(Math.max(0, own - radius), other + radius),
    upper: radius === 0 ? computeShare(own, other) : computeShare(own + radius, Math.max(0, other - radius)),
  };
}

/**
 * Splits the payoffs S of a symmetric game into r(i) - r(j) and the rest, with r the mean of a row. Both parts are projections, so
 * their norms change by at most the norm of a change of S.
 */
export function decomposePayoffs(game: PayoffMatrix): PayoffDecomposition {
  const { values, lower, upper } = game;
  const size = game.rows.length;
  const ratings = computeRatings(game).map(({ value }) => value);
  const transitive = Float64Array.from(
    values,
    (_, at) => (ratings[Math.floor(at / size)] ?? 0) - (ratings[at % size] ?? 0),
  );
  const cyclic = values.map((value, at) => value - (transitive[at] ?? 0));
  const radius = getNorm(values.map((value, at) => Math.max(value - (lower[at] ?? 0), (upper[at] ?? 0) - value)));
  const [ofRatings, ofRest] = [getNorm(transitive), getNorm(cyclic)];
  // A norm that is rounding is 0.
  const rest = ofRest <= Number.EPSILON * size * ofRatings ? 0 : ofRest;
  const rated = ofRatings <= Number.EPSILON * size * ofRest ? 0 : ofRatings;
  return { transitive: createShare(rated, rest, radius), cyclic: createShare(rest, rated, radius) };
}

function multiply(game: PayoffMatrix, vector: ArrayLike<number>): Float64Array {
  const size = game.rows.length;
  const product = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let column = 0; column < size; column++)
      sum += (game.values[row * size + column] ?? 0) * (vector[column] ?? 0);
    product[row] = sum;
  }
  return product;
}

/** Finds a unit vector in the plane of the greatest pair of singular values: by power iteration of S^T S. */
function findLeadingVector(game: PayoffMatrix): Float64Array | undefined {
  const size = game.rows.length;
  const norms = game.rows.map((_, row) => getNorm(game.values.subarray(row * size, (row + 1) * size)));
  const largest = Math.max(...norms);
  if (largest === 0) return undefined;
  const start = norms.indexOf(largest) * size;
  let vector = game.values.slice(start, start + size).map((value) => value / largest);
  let stretch = 0;
  for (let step = 0; step < STEPS_MAX; step++) {
    // S is antisymmetric: S^T S = -S S.
    const image = multiply(game, multiply(game, vector));
    const length = getNorm(image);
    vector = image.map((value) => (0 - value) / length);
    if (Math.abs(length - stretch) <= CHANGE_MIN * length) break;
    stretch = length;
  }
  return vector;
}

/**
 * Orders the armies of a symmetric game by their angle in the plane of its greatest singular values, in which the payoff of i
 * against j is, approximately, a multiple of the area between both vectors. So each army beats those that follow it within half a
 * turn; in a transitive game the order is that of the ratings. The order begins after the widest gap between angles, of equal gaps
 * after that before the army with the best rating.
 * @returns indices of the armies
 */
export function orderCyclically(game: PayoffMatrix): number[] {
  const ratings = computeRatings(game).map(({ value }) => value);
  const byRating = [...ratings.keys()].sort((a, b) => (ratings[b] ?? 0) - (ratings[a] ?? 0) || a - b);
  const first = findLeadingVector(game);
  if (first === undefined) return byRating;
  const second = multiply(game, first);
  const length = getNorm(second) || 1;
  // S first = -s second, S second = s first for the unit vectors: i beats j if j is counterclockwise of i.
  const angles = Array.from(first, (x, army) => Math.atan2((0 - (second[army] ?? 0)) / length, x));
  const turned = angles.map((angle) => SAME_ANGLE * Math.round((angle < 0 ? angle + FULL_TURN : angle) / SAME_ANGLE));
  const order = byRating.toSorted((a, b) => (turned[a] ?? 0) - (turned[b] ?? 0));
  let [widest, begin] = [Number.NEGATIVE_INFINITY, 0];
  for (const [at, army] of order.entries()) {
    const before = order.at(at - 1) ?? army;
    const gap = ((turned[army] ?? 0) - (turned[before] ?? 0) + FULL_TURN) % FULL_TURN;
    const isTie = Math.abs(gap - widest) < 2 * SAME_ANGLE;
    const isBetter = byRating.indexOf(army) < byRating.indexOf(order[begin] ?? 0);
    if (gap >= widest + 2 * SAME_ANGLE || (isTie && isBetter)) [widest, begin] = [Math.max(widest, gap), at];
  }
  return [...order.slice(begin), ...order.slice(0, begin)];
}
