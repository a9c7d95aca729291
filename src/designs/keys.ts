/** The streams that designs take their random words from: one for each dimension and purpose. */
import { parseCount } from '../chance/seed.ts';
import { Stream, studyKey, wordAt } from '../chance/stream.ts';

/** The numbers of designs among all studies. */
const STUDIES = { random: 0, strata: 1, jitter: 2, scramble: 3, trajectories: 4, resample: 5 } as const;

/** The most points of a design: as many as a stream has words. */
const POINTS_MAX: number = 2 ** 32;

/** A stream that no battle of run `seed` has, nor another purpose or index. */
export function streamFor(purpose: keyof typeof STUDIES, seed: bigint, index: number): Stream {
  return Stream.keyed(studyKey(seed, STUDIES[purpose], index));
}

/** The words of a stream by their place, 0..2^32-1. */
export type Words = (place: number) => number;

/** The words of such a stream. */
export function wordsFor(purpose: keyof typeof STUDIES, seed: bigint, index: number): Words {
  const [low = 0, high = 0] = streamFor(purpose, seed, index).getState();
  return (place) => wordAt(low, high, place);
}

/** The words of each dimension. */
export function wordsByDimension(purpose: keyof typeof STUDIES, seed: bigint, dimensions: number): Words[] {
  return Array.from({ length: dimensions }, (_, d) => wordsFor(purpose, seed, d));
}

/** @throws InputError unless both are whole numbers in range */
export function checkSize(dimensions: number, points: number, dimensionsMax = 65_536): void {
  parseCount(dimensions, 'dimensions', 1, dimensionsMax);
  parseCount(points, 'points', 1, POINTS_MAX);
}
