/** Trajectories through a grid that move one coordinate at a time (M. D. Morris, Technometrics 33, 1991). */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { parseCount, type Stream } from '../../core/chance/stream.ts';
import { checkSize, streamFor } from './keys.ts';

/** A walk through the grid. */
export interface Trajectory {
  /** Dimensions in the order in which they move. */
  readonly order: readonly number[];
  /** By dimension: levels up (positive) or down (negative). */
  readonly steps: readonly number[];
  /** dimensions + 1 points, each a level by dimension; point i + 1 is point i with dimension order[i] moved. */
  readonly points: readonly (readonly number[])[];
}

export interface Trajectories {
  readonly dimensions: number;
  readonly trajectories: number;
  /** @param t 0..trajectories-1 */
  trajectory(t: number): Trajectory;
}

/** A random order of 0..size-1 (R. Durstenfeld 1964). */
function shuffle(stream: Stream, size: number): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = uniformInt(stream, 0, i);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

/**
 * Random trajectories over a grid with levels 0..levels[d]-1 in dimension d. Each moves every coordinate once, in random
 * order, by half the levels, levels[d] / 2 rounded down, up or down with equal odds; with an even number of levels all of them
 * are visited equally often, as Morris shows. A trajectory is a pure function of its number.
 * @param levels       at least 2 in every dimension
 * @param trajectories 1..2^32
 * @throws InputError if one of them is out of range
 */
export function morrisTrajectories(levels: readonly number[], trajectories: number, seed: bigint): Trajectories {
  checkSize(levels.length, trajectories);
  for (const count of levels) parseCount(count, 'levels', 2, 2 ** 32);
  const trajectory = (t: number): Trajectory => {
    const stream = streamFor('trajectories', seed, t);
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
  return { dimensions: levels.length, trajectories, trajectory };
}
