/**
 * Schedule of the interim analyses of a run with a precision: numbers of battles and thresholds are fixed before it
 * begins.
 */

/** Maximum error rate of all intervals of a run together: 95 % confidence. */
export const ALPHA = 0.05;

/** Interim analyses are at multiples of this number of battles, whole calls of a kernel. */
const STEP = 2 ** 12;

/** Maximum number of interim analyses, so that a very large bound on battles costs nothing. */
const ANALYSES_MAX = 100;

export function roundUpToStep(battles: number): number {
  return Math.ceil(battles / STEP) * STEP;
}

/**
 * Returns ascending numbers of battles: `last`, and its quotients by powers of `ratio`, down to `first`; of these the
 * ones below `most`, and `most` if there are others.
 */
export function spaceAnalyses(first: number, last: number, ratio: number, most: number): number[] {
  const found = new Set([Math.min(most, roundUpToStep(last))]);
  const least = Math.max(1, first);
  for (let battles = last / ratio; battles >= least && found.size < ANALYSES_MAX; battles /= ratio) {
    found.add(Math.min(most, roundUpToStep(battles)));
  }
  return [...found].sort((a, b) => a - b);
}

/** Returns ascending numbers of battles from `first` to `last`, each at most `ratio` times the previous one. */
export function spaceAnalysesUp(first: number, ratio: number, last: number): number[] {
  const found: number[] = [];
  for (let battles = roundUpToStep(first); battles < last; ) {
    found.push(battles);
    battles = Math.max(battles + STEP, Math.floor((battles * ratio) / STEP) * STEP);
  }
  return [...found, last];
}
