/** Designs: sets of points in the unit cube, each point a pure function of its index, so that none need be kept. */

export interface Design {
  /** Coordinates of a point. */
  readonly dimensions: number;
  /** Points 0..points-1. */
  readonly points: number;
  /**
   * A point: `dimensions` coordinates, each 0 <= x < 1.
   * @param k 0..points-1
   */
  point(k: number): Float64Array;
}
