/** Main effects: how much of the variance between cells each axis explains by itself. */
import type { Classes } from './classes.ts';
import { Moments } from './moments.ts';
import type { Reading } from './quantity.ts';

/** The mean over all cells of one class of an axis. */
export interface ClassMean {
  readonly label: string;
  readonly cells: number;
  readonly mean: number;
}

export interface Effect {
  readonly axis: string;
  /** Share of the variance between cells, 0..1; absent if the cells do not vary. */
  readonly share?: number;
  readonly classes: readonly ClassMean[];
}

/** How the variance between cells is parted. */
export interface Effects {
  readonly axes: readonly Effect[];
  /** The mean squared standard error over the variance, at most 1: what would be left if nothing had an effect. */
  readonly noise?: number;
  /** What neither an axis by itself nor noise explains: axes acting together. Of complete grids alone. */
  readonly rest?: number;
}

/** Within this part of its square a variance is the rounding of equal numbers. */
const ROUNDING = 1e-24;

const bounded = (share: number): number => Math.min(1, Math.max(0, share));

export class EffectCounts {
  readonly #axes: readonly { readonly classes: Classes; readonly means: readonly Moments[] }[];
  readonly #noise = new Moments();
  readonly all = new Moments();

  constructor(axes: readonly Classes[]) {
    this.#axes = axes.map((classes) => ({ classes, means: classes.labels.map(() => new Moments()) }));
  }

  add({ axes, value }: Reading, standardError: number): void {
    this.all.add(value);
    this.#noise.add(standardError ** 2);
    for (const { classes, means } of this.#axes) {
      const at = classes.of(axes[classes.axis]);
      if (at !== undefined) means[at]?.add(value);
    }
  }

  /**
   * The share of the variance that lies between classes. With `drawn` less what chance alone puts there (epsilon
   * squared, T. L. Kelley 1935), for classes of drawn points differ by their other coordinates as well.
   */
  #shareOf(means: readonly Moments[], drawn: boolean): number {
    const { mean, squares, count } = this.all;
    const between = means.reduce((sum, each) => sum + each.count * (each.mean - mean) ** 2, 0);
    const classes = means.filter((each) => each.count > 0).length;
    if (!drawn || count <= classes) return bounded(between / squares);
    return bounded(1 - ((1 - between / squares) * (count - 1)) / (count - classes));
  }

  /** @param balanced true for a complete grid: then the shares of the axes add up, and a rest can be told */
  effects(balanced: boolean): Effects {
    const { variance, mean } = this.all;
    const varies = variance > ROUNDING * mean ** 2;
    const axes = this.#axes.map(({ classes, means }): Effect => {
      const shown = means.map(({ count, mean: of }, c) => ({ label: classes.labels[c] ?? '', cells: count, mean: of }));
      const filled = shown.filter(({ cells }) => cells > 0);
      return { axis: classes.axis, classes: filled, ...(varies && { share: this.#shareOf(means, !balanced) }) };
    });
    if (!varies) return { axes };
    const noise = bounded(this.#noise.mean / variance);
    const explained = axes.reduce((sum, { share = 0 }) => sum + share, noise);
    return { axes, noise, ...(balanced && { rest: bounded(1 - explained) }) };
  }
}
