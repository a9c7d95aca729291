/**
 * Intervals of a mean that are valid for every distribution in the declared range, at all numbers of battles together,
 * wherever a run ends: by the wealth of a gambler who bets on each battle against a hypothetical mean m (G. Shafer and
 * V. Vovk 2001; I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting, Journal of the
 * Royal Statistical Society B 2024).
 *
 * To show that the mean is less than m the gambler stakes the fraction b of the wealth on each battle: it is multiplied
 * by 1 + b (m - x) / (max - m), which is at least 1 - b, and 1 on average if m is the mean. So it ever exceeds 1 / a
 * with probability a at most (J. Ville 1939), and every m for which it did is excluded. The product does not depend on
 * the order of battles, and grows with m, so the excluded values are a half-line. Instead of the product, a lower bound
 * is used that needs only two sums: ln(1 + b y) >= b y - c(b) y^2 for y >= -1, c(b) = -ln(1 - b) - b (X. Fan, I. Grama,
 * Q. Liu, Electronic Journal of Probability 2015). It reaches -ln a at the root of a quadratic equation. Several stakes
 * share a; the best of them counts.
 */
import { ln } from '../core/index.ts';
import type { Interval } from './intervals.ts';
import type { SampleMoments } from './sample-moments.ts';

/** The greatest stake. */
const STAKE_MAX = 0.9;

/** Maximum number of stakes: the least is then MOST / 2^39. */
const STAKES_MAX = 40;

/** A stake and its loss by rare values. */
interface Stake {
  readonly part: number;
  /** -ln(1 - part) - part */
  readonly cost: number;
}

/** Computes -ln(1 - b) - b for a stake b: by a series, because the difference would lose digits. */
function computeStakeCost(part: number): number {
  let [sum, power] = [0, part];
  for (let k = 2; ; k++) {
    power *= part;
    const next = sum + power / k;
    if (next === sum) return sum;
    sum = next;
  }
}

function listStakes(least: number): Stake[] {
  const stakes: Stake[] = [];
  for (let part = STAKE_MAX; stakes.length < STAKES_MAX; part /= 2) {
    stakes.push({ part, cost: computeStakeCost(part) });
    if (part <= least) break;
  }
  return stakes;
}

/**
 * Computes the distance from the mean to the end of the interval by one stake. @param reached logarithm of the wealth
 * that is required
 */
function computeReach(
  { battles, variance }: SampleMoments,
  room: number,
  { part, cost }: Stake,
  reached: number,
): number {
  const a = battles * (part + cost) + reached;
  const b = room * (battles * part + 2 * reached);
  const c = reached * room * room + cost * battles * variance;
  const discriminant = b * b - 4 * a * c;
  if (!(discriminant >= 0) || b === 0) return room;
  return Math.min(room, (2 * c) / (b + Math.sqrt(discriminant)));
}

/** Intervals of one run. Their parameters are fixed before it begins. */
export class ConfidenceSequence {
  readonly #stakes: readonly Stake[];

  /**
   * @param least the least useful stake: the target half-width divided by the range, or one divided by the maximum
   *   number of battles
   */
  constructor(least: number) {
    this.#stakes = listStakes(least);
  }

  /** @param tail probability that a side ever misses */
  interval(sample: SampleMoments, tail: number): Interval {
    const { mean, range } = sample;
    const reached = ln(this.#stakes.length / tail);
    const findLeast = (room: number): number =>
      this.#stakes.reduce((found, stake) => Math.min(found, computeReach(sample, room, stake, reached)), room);
    return [mean - findLeast(mean - range[0]), mean + findLeast(range[1] - mean)];
  }
}
