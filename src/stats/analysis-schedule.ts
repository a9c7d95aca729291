/** When a run that is to be so precise may end: looks at fixed places, thresholds known before it begins. */

/** What all intervals of a run may miss together: 95 %. */
export const ALPHA = 0.05;

/** Looks are at multiples of this many battles, whole calls into a kernel. */
const STEP = 2 ** 12;

/** The most looks, so that a bound on battles far too large for the precision costs nothing. */
const ANALYSES_MAX = 100;

export function roundUpToStep(battles: number): number {
  return Math.ceil(battles / STEP) * STEP;
}

/**
 * Ascending numbers of battles: `last`, and below it one for each time that it is divided by `ratio`, down to `first`;
 * of these the ones below `most`, and `most` if there are others.
 */
export function spaceAnalyses(first: number, last: number, ratio: number, most: number): number[] {
  const found = new Set([Math.min(most, roundUpToStep(last))]);
  const least = Math.max(1, first);
  for (let battles = last / ratio; battles >= least && found.size < ANALYSES_MAX; battles /= ratio) {
    found.add(Math.min(most, roundUpToStep(battles)));
  }
  return [...found].sort((a, b) => a - b);
}

/** Ascending numbers of battles from `first` on, each at most `ratio` times the one before, up to `last` and with it. */
export function spaceAnalysesUp(first: number, ratio: number, last: number): number[] {
  const found: number[] = [];
  for (let battles = roundUpToStep(first); battles < last; ) {
    found.push(battles);
    battles = Math.max(battles + STEP, Math.floor((battles * ratio) / STEP) * STEP);
  }
  return [...found, last];
}
