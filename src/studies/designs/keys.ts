/** The streams of studies: one for each purpose and index, which is a dimension, a point or a trajectory. */
import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { parseCount, Stream, studyKey } from '../../core/chance/stream.ts';

/** Their numbers; no two purposes share one. */
const STUDIES = { random: 0, strata: 1, jitter: 2, scramble: 3, trajectories: 4, resample: 5, verify: 6 } as const;

/** The most points of a design: as many as a stream has words. */
const POINTS_MAX: number = 2 ** 32;

/** A stream that no battle of run `seed` has, nor another purpose or index. */
export function streamFor(purpose: keyof typeof STUDIES, seed: bigint, index: number): Stream {
  return Stream.keyed(studyKey(seed, STUDIES[purpose], index));
}

/** A stream for each dimension. */
export function streamsByDimension(purpose: keyof typeof STUDIES, seed: bigint, dimensions: number): Stream[] {
  return Array.from({ length: dimensions }, (_, d) => streamFor(purpose, seed, d));
}

/**
 * A number 0..below-1 at a place of a stream, from one word: so every place can have a draw of its own, found without
 * those before it. `uniformInt` takes one word in such ranges as well, but a Latin hypercube of its draws costs half as
 * much again; in other ranges it may reject words, so no place of one word would do.
 * @param place 0..2^32-1
 * @param below a power of two up to 2^24, for `uniformFloat32` has 24 bits
 */
export function drawAt(stream: Stream, place: number, below: number): number {
  stream.seek(place);
  return Math.floor(uniformFloat32(stream) * below);
}

/** @throws InputError unless both are whole numbers in range */
export function checkSize(dimensions: number, points: number, dimensionsMax = 65_536): void {
  parseCount(dimensions, 'dimensions', 1, dimensionsMax);
  parseCount(points, 'points', 1, POINTS_MAX);
}
