/** Main effects: how much of the variance between cells each axis explains by itself. */
import type { AxisClasses } from './axis-classes.ts';
import { Moments } from './moments.ts';
import type { CellReading } from './quantity.ts';

/** The mean over all cells of one class of an axis. */
export interface ClassMean {
  readonly label: string;
  readonly cells: number;
  readonly mean: number;
  /** A bound of the standard error of the mean. */
  readonly error: number;
}

export interface AxisEffect {
  readonly axis: string;
  /** Share of the variance between cells, 0..1; absent if the cells do not vary. */
  readonly share?: number;
  /** True if the classes are numbers, ascending. */
  readonly ordered: boolean;
  readonly classes: readonly ClassMean[];
}

/** How the variance between cells is parted. */
export interface MainEffects {
  readonly axes: readonly AxisEffect[];
  /** The mean squared standard error over the variance, at most 1: what would be left if nothing had an effect. */
  readonly noise?: number;
  /** What neither an axis by itself nor noise explains: axes acting together. Of complete grids alone. */
  readonly rest?: number;
}

/** Within this part of its square a variance is the rounding of equal numbers. */
const ROUNDING = 1e-24;

const clampShare = (share: number): number => Math.min(1, Math.max(0, share));

/** What is counted of one class. */
class ClassCounts {
  readonly values = new Moments();
  /** Of the cells' standard errors, and of their squares. */
  readonly errors = new Moments();
  readonly squares = new Moments();

  add(value: number, standardError: number): void {
    this.values.add(value);
    this.errors.add(standardError);
    this.squares.add(standardError ** 2);
  }

  /**
   * In a complete grid all classes have the same cells but for their axis, so only the battles make their means err: as
   * the root of the sum of squares where each cell has dice of its own, by the mean of the errors at most where all
   * share them. Elsewhere cells of a class also differ from those of another, and their spread is what counts.
   */
  errorOf(balanced: boolean, common: boolean): number {
    const { count, variance } = this.values;
    if (!balanced) return count < 2 ? Number.POSITIVE_INFINITY : Math.sqrt(variance / (count - 1));
    return common ? this.errors.mean : Math.sqrt(this.squares.mean / count);
  }
}

export class EffectCounts {
  readonly #axes: readonly { readonly classes: AxisClasses; readonly counts: readonly ClassCounts[] }[];
  readonly #noise = new Moments();
  readonly all = new Moments();

  constructor(axes: readonly AxisClasses[]) {
    this.#axes = axes.map((classes) => ({ classes, counts: classes.labels.map(() => new ClassCounts()) }));
  }

  add({ axes, value }: CellReading, standardError: number): void {
    this.all.add(value);
    this.#noise.add(standardError ** 2);
    for (const { classes, counts } of this.#axes) {
      const at = classes.of(axes[classes.axis]);
      if (at !== undefined) counts[at]?.add(value, standardError);
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
    if (!drawn || count <= classes) return clampShare(between / squares);
    return clampShare(1 - ((1 - between / squares) * (count - 1)) / (count - classes));
  }

  /**
   * @param balanced true for a complete grid: then the shares of the axes add up, and a rest can be told
   * @param common   true if all cells play the same dice, so that their errors move together
   */
  effects(balanced: boolean, common: boolean): MainEffects {
    const { variance, mean } = this.all;
    const varies = variance > ROUNDING * mean ** 2;
    const axes = this.#axes.map(({ classes, counts }): AxisEffect => {
      const means = counts.map(({ values }) => values);
      const shown = counts.map((each, c) => ({
        label: classes.labels[c] ?? '',
        cells: each.values.count,
        mean: each.values.mean,
        error: each.errorOf(balanced, common),
      }));
      const filled = shown.filter(({ cells }) => cells > 0);
      const ordered = classes.middles !== undefined;
      return {
        axis: classes.axis,
        ordered,
        classes: filled,
        ...(varies && { share: this.#shareOf(means, !balanced) }),
      };
    });
    if (!varies) return { axes };
    const noise = clampShare(this.#noise.mean / variance);
    const explained = axes.reduce((sum, { share = 0 }) => sum + share, noise);
    return { axes, noise, ...(balanced && { rest: clampShare(1 - explained) }) };
  }
}
