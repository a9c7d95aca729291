/** Designs: sets of points in the unit cube. Each point is a pure function of its index, so that none is stored. */

import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { computeStudyKey, parseCount, Stream } from '../../core/index.ts';

export interface Design {
  /** Coordinates of a point. */
  readonly dimensions: number;
  /** Points 0..points-1. */
  readonly points: number;
  /**
   * Computes a point: `dimensions` coordinates, each 0 <= x < 1.
   * @param k 0..points-1
   */
  point(k: number): Float64Array;
}

// Streams of studies: one for each purpose and index, which is a dimension, a point or a trajectory.

/** Numbers of the purposes, all different. */
const STREAM_PURPOSES = {
  random: 0,
  strata: 1,
  jitter: 2,
  scramble: 3,
  trajectories: 4,
  resample: 5,
  verify: 6,
  rarePilot: 7,
  rareOutcome: 8,
} as const;

/** Maximum number of points of a design: the number of words of a stream. */
const POINTS_MAX: number = 2 ** 32;

/** Creates a stream that differs from those of battles of run `seed`, and of other purposes and indices. */
export function createStudyStream(purpose: keyof typeof STREAM_PURPOSES, seed: bigint, index: number): Stream {
  return Stream.fromKey(computeStudyKey(seed, STREAM_PURPOSES[purpose], index));
}

/** Creates a stream for each dimension. */
export function createDimensionStreams(
  purpose: keyof typeof STREAM_PURPOSES,
  seed: bigint,
  dimensions: number,
): Stream[] {
  return Array.from({ length: dimensions }, (_, d) => createStudyStream(purpose, seed, d));
}

/**
 * Draws a number 0..below-1 at a position of a stream, from one word, so that every position has an independent draw.
 * `uniformInt` takes one word in such ranges as well, but a Latin hypercube of its draws costs 1.5 times as much; in
 * other ranges it may reject words.
 * @param place 0..2^32-1
 * @param below a power of two up to 2^24, because `uniformFloat32` has 24 bits
 */
export function drawAt(stream: Stream, place: number, below: number): number {
  stream.seek(place);
  return Math.floor(uniformFloat32(stream) * below);
}

/** @throws InputError if one of them is not a whole number in range */
export function checkSize(dimensions: number, points: number, dimensionsMax = 65_536): void {
  parseCount(dimensions, 'dimensions', 1, dimensionsMax);
  parseCount(points, 'points', 1, POINTS_MAX);
}

// Keyed permutations of 0..n-1 without a table.

/**
 * Rounds of the Feistel network. Four are indistinguishable from chance with few queries (M. Luby, C. Rackoff 1988).
 */
const ROUNDS = 8;

/** Minimum bits of a half: permutations of fewer than 2^12 elements are parts of a larger one. */
const HALF_MIN = 6;

/**
 * Creates a permutation of 0..size-1 by a Feistel network over the next power of four, walked along its cycle until it
 * is in range (J. Black, P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002). An index costs at most four
 * walks of eight words on average, and no memory. Below 2^12 a walk can be long, but all indices together take 2^12 of
 * them.
 *
 * pure-rand has no such network: a shuffle with it would need a table of all indices. The round functions are drawn at
 * position `round * 2^16 + half` of a stream.
 * @param size 1..2^32
 */
export function createPermutation(size: number, stream: Stream): (place: number) => number {
  const bits = Math.max(HALF_MIN, Math.ceil(Math.log2(size) / 2));
  const half = 2 ** bits;
  const getShuffled = (value: number): number => {
    let [left, right] = [Math.floor(value / half), value % half];
    for (let round = 0; round < ROUNDS; round++) {
      const drawn = drawAt(stream, round * 2 ** 16 + right, half);
      [left, right] = [right, (left ^ drawn) >>> 0];
    }
    return left * half + right;
  };
  return (place) => {
    let value = getShuffled(place);
    while (value >= size) value = getShuffled(value);
    return value;
  };
}

// Latin hypercubes: in each dimension each of n equal strata contains one of n points.

/** Positions within a stratum: their sum with a stratum below 2^32 is never rounded. */
const STRATUM_POSITIONS = 2 ** 20;

/**
 * Draws the position within a stratum, 0 < x < 1. The floats of pure-rand have more bits and would be rounded up to 1.
 */
const drawInStratum = (stream: Stream, k: number): number =>
  (drawAt(stream, k, STRATUM_POSITIONS) + 0.5) / STRATUM_POSITIONS;

/**
 * Creates the sample of M. D. McKay, R. J. Beckman and W. J. Conover (Technometrics 21, 1979): a random order of the
 * strata in each dimension, a random position within the stratum. No table is stored; a coordinate costs about ten
 * words.
 * @param dimensions 1..65536
 * @param points 1..2^32
 * @throws InputError if one of them is out of range
 */
export function createLatinHypercube(dimensions: number, points: number, seed: bigint): Design {
  checkSize(dimensions, points);
  const strata = createDimensionStreams('strata', seed, dimensions).map((stream) => createPermutation(points, stream));
  const jitter = createDimensionStreams('jitter', seed, dimensions);
  const point = (k: number): Float64Array =>
    Float64Array.from(jitter, (stream, d) => ((strata[d]?.(k) ?? 0) + drawInStratum(stream, k)) / points);
  return { dimensions, points, point };
}

// Designs of independent random points.

/**
 * Creates a design of random points. Each point has its own stream and takes its coordinates from it in sequence:
 * multiples of 2^-53. A design with more points or dimensions has the same leading coordinates.
 * @param dimensions 1..65536
 * @param points 1..2^32
 * @throws InputError if one of them is out of range
 */
export function createRandomDesign(dimensions: number, points: number, seed: bigint): Design {
  checkSize(dimensions, points);
  const point = (k: number): Float64Array => {
    const stream = createStudyStream('random', seed, k);
    return Float64Array.from({ length: dimensions }, () => uniformFloat64(stream));
  };
  return { dimensions, points, point };
}

// Trajectories through a grid that move one coordinate at a time (M. D. Morris, Technometrics 33, 1991).

/** A walk through the grid. */
export interface Trajectory {
  /** Dimensions in the order in which they move. */
  readonly order: readonly number[];
  /** By dimension: levels up (positive) or down (negative). */
  readonly steps: readonly number[];
  /** dimensions + 1 points, each a level by dimension; point i + 1 is point i with dimension order[i] moved. */
  readonly points: readonly (readonly number[])[];
}

export interface TrajectoryDesign {
  readonly dimensions: number;
  readonly trajectories: number;
  /** @param t 0..trajectories-1 */
  trajectory(t: number): Trajectory;
}

/** Shuffles 0..size-1 (R. Durstenfeld 1964). */
function shuffle(stream: Stream, size: number): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = uniformInt(stream, 0, i);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

/**
 * Creates random trajectories over a grid with levels 0..levels[d]-1 in dimension d. Each moves every coordinate once,
 * in random order, by half the levels, levels[d] / 2 rounded down, up or down with equal probability; for an even
 * number of levels all of them are visited equally often (Morris). A trajectory is a pure function of its number.
 * @param levels at least 2 in every dimension
 * @param trajectories 1..2^32
 * @throws InputError if one of them is out of range
 */
export function createMorrisTrajectories(
  levels: readonly number[],
  trajectories: number,
  seed: bigint,
): TrajectoryDesign {
  checkSize(levels.length, trajectories);
  for (const count of levels) parseCount(count, 'levels', 2, 2 ** 32);
  const createTrajectory = (t: number): Trajectory => {
    const stream = createStudyStream('trajectories', seed, t);
    const order = shuffle(stream, levels.length);
    const starts: number[] = [];
    const steps = levels.map((count, d) => {
      const step = Math.floor(count / 2);
      const low = uniformInt(stream, 0, count - step - 1);
      const up = uniformInt(stream, 0, 1) === 1;
      starts[d] = up ? low : low + step;
      return up ? step : -step;
    });
    const points = [starts];
    for (const moving of order) {
      const last = points.at(-1) ?? [];
      points.push(last.map((level, d) => (d === moving ? level + (steps[d] ?? 0) : level)));
    }
    return { order, steps, points };
  };
  return { dimensions: levels.length, trajectories, trajectory: createTrajectory };
}
