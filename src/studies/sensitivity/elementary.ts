/** Elementary effects: what one step of one field did on one trajectory, and what a number of them say. */
import type { Interval } from '../../answers/intervals.ts';
import { studentUpper } from '../../answers/quantiles.ts';

/** One elementary effect, scaled to the field's whole range. */
export interface Elementary {
  readonly effect: number;
  /** The same from two independent halves of the battles; equal to it if it is exact. */
  readonly halves: readonly [number, number];
  /** The variance that luck gives to it; 0 if it is exact. */
  readonly noise: number;
}

export interface Screened {
  /** mu*: the mean of the effects' sizes (F. Campolongo, J. Cariboni, A. Saltelli 2007). */
  readonly muStar: number;
  readonly muStarCi95: Interval;
  /** mu: the mean of the effects. */
  readonly mu: number;
  readonly muCi95: Interval;
  /** sigma: how much the effects differ from place to place; the part that luck has in it is taken away. */
  readonly sigma: number;
  /** The standard deviation that luck gives to one effect. */
  readonly noise: number;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of the sample, over its size less one. */
function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** Student's interval of a mean. */
function interval(values: readonly number[]): Interval {
  const [mean, n] = [meanOf(values), values.length];
  const spread = studentUpper(0.025, n - 1) * Math.sqrt(varianceOf(values) / n);
  return [mean - spread, mean + spread];
}

/**
 * The size of an effect. Each half of the battles says the direction in which the other is measured, so where there is
 * no effect luck gives 0 in the mean; the plain size would be above 0. Exact effects have their plain size.
 */
function sizeOf({ halves: [one, other] }: Elementary): number {
  return (Math.sign(one) * other + Math.sign(other) * one) / 2;
}

/**
 * What the effects of one field on at least two trajectories say (M. D. Morris 1991). The intervals are Student's over
 * trajectories, which are independent.
 */
export function screened(effects: readonly Elementary[]): Screened {
  const [signed, sizes] = [effects.map(({ effect }) => effect), effects.map(sizeOf)];
  const noise = meanOf(effects.map((each) => each.noise));
  return {
    muStar: meanOf(sizes),
    muStarCi95: interval(sizes),
    mu: meanOf(signed),
    muCi95: interval(signed),
    sigma: Math.sqrt(Math.max(0, varianceOf(signed) - noise)),
    noise: Math.sqrt(noise),
  };
}
