/**
 * Where the chunks of a cut begin. The first ones grow: some of one battle each, as many of two, of four, and so on, so that
 * a thread knows how long battles take before it claims many of them.
 */

/** The sizes of chunks. */
export interface Sizes {
  /** Battles of a chunk, once they have grown. */
  readonly chunk: number;
  /** How many chunks there are of each smaller size; 0 or none: all are of the same size. */
  readonly ramp?: number | undefined;
}

/** Sizes below the full one: 1, 2, 4 ... */
function tiersOf({ chunk, ramp = 0 }: Sizes): number {
  return ramp === 0 ? 0 : Math.ceil(Math.log2(chunk));
}

/** Battles before a chunk. */
export function beginOf(sizes: Sizes, index: number): number {
  const { chunk, ramp = 0 } = sizes;
  const tiers = tiersOf(sizes);
  if (index >= ramp * tiers) return ramp * (2 ** tiers - 1) + (index - ramp * tiers) * chunk;
  const tier = Math.floor(index / ramp);
  return ramp * (2 ** tier - 1) + (index - ramp * tier) * 2 ** tier;
}

/** Chunks that so many battles make; the last may be shorter. */
export function chunksIn(sizes: Sizes, battles: number): number {
  const { chunk, ramp = 0 } = sizes;
  const tiers = tiersOf(sizes);
  const grown = ramp * (2 ** tiers - 1);
  if (battles >= grown) return ramp * tiers + Math.ceil((battles - grown) / chunk);
  const tier = Math.floor(Math.log2(battles / ramp + 1));
  return ramp * tier + Math.ceil((battles - ramp * (2 ** tier - 1)) / 2 ** tier);
}
