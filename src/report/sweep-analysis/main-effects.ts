/** Main effects: shares of the variance between cells that each axis explains by itself. */
import type { AxisClasses } from './axis-classes.ts';
import { Moments } from './moments.ts';
import type { CellReading } from './quantity.ts';

/** Mean over all cells of one class of an axis. */
export interface ClassMean {
  readonly label: string;
  readonly cells: number;
  readonly mean: number;
  /** Upper bound of the standard error of the mean. */
  readonly error: number;
}

export interface AxisEffect {
  readonly axis: string;
  /** Share of the variance between cells, 0..1; absent if the cells do not vary. */
  readonly share?: number;
  /** True if the classes are ascending numbers. */
  readonly ordered: boolean;
  readonly classes: readonly ClassMean[];
}

/** Decomposition of the variance between cells. */
export interface MainEffects {
  readonly axes: readonly AxisEffect[];
  /** Mean squared standard error divided by the variance, at most 1: the share of sampling noise. */
  readonly noise?: number;
  /** Share of interactions, which neither single axes nor noise explain. Only for complete grids. */
  readonly rest?: number;
}

/** Variances below this fraction of the squared mean are rounding errors. */
const ROUNDING = 1e-24;

const clampShare = (share: number): number => Math.min(1, Math.max(0, share));

/** Sums of one class. */
class ClassCounts {
  readonly values = new Moments();
  /** Sums of the standard errors of the cells, and of their squares. */
  readonly errors = new Moments();
  readonly squares = new Moments();

  add(value: number, standardError: number): void {
    this.values.add(value);
    this.errors.add(standardError);
    this.squares.add(standardError ** 2);
  }

  /**
   * Computes the standard error of the mean. In a complete grid, classes differ only by their axis, so the error is due
   * to sampling: the root of the sum of squares with independent dice, at most the mean of the errors with common dice.
   * Otherwise, cells of different classes also differ in other axes, so the spread of the cells is used.
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
   * Computes the share of the variance between classes. With `drawn`, the expected share of random classes is
   * subtracted (epsilon squared, T. L. Kelley 1935), because random points also differ in their other coordinates.
   */
  #shareOf(means: readonly Moments[], drawn: boolean): number {
    const { mean, squares, count } = this.all;
    const between = means.reduce((sum, each) => sum + each.count * (each.mean - mean) ** 2, 0);
    const classes = means.filter((each) => each.count > 0).length;
    if (!drawn || count <= classes) return clampShare(between / squares);
    return clampShare(1 - ((1 - between / squares) * (count - 1)) / (count - classes));
  }

  /**
   * @param balanced true for a complete grid, in which shares of axes add up, so that the rest is the share of
   *   interactions
   * @param common   true if all cells use common random numbers, so that their errors are correlated
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
