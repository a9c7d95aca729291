/** Settings that can be among the best: those that meet all targets, or else those that no other setting dominates. */

import {
  type BalanceProblem,
  computeSettingCosts,
  countFieldSteps,
  type FieldIndices,
  getFieldValue,
  type ProblemField,
  type SettingCosts,
} from './problem.ts';

/** Ranges of field indices, inclusive. */
export interface SettingBox {
  readonly low: FieldIndices;
  readonly high: FieldIndices;
}

/** Least and greatest misses of all targets. */
export interface MissBounds {
  readonly least: readonly number[];
  readonly greatest: readonly number[];
}

/** Setting with the bounds of its misses; both are equal if the values are exact. */
export interface CollectedSetting extends MissBounds, SettingCosts {
  readonly indices: FieldIndices;
}

/** Maximum number of collected settings; beyond it, only settings with a lower cost or a smaller change are. */
const SETTINGS_MAX = 100_000;

/** Returns true if no miss is larger, and one is smaller. */
function dominates(misses: readonly number[], others: readonly number[]): boolean {
  let isSmaller = false;
  for (const [t, miss] of misses.entries()) {
    const other = others[t] ?? 0;
    if (miss > other) return false;
    if (miss < other) isSmaller = true;
  }
  return isSmaller;
}

const isAtMost = (misses: readonly number[], others: readonly number[]): boolean =>
  misses.every((miss, t) => miss <= (others[t] ?? 0));

/** Returns the index of the value closest to the current one. */
function findClosestIndex({ low, step, current }: ProblemField, from: number, to: number): number {
  if (current === undefined) return from;
  return Math.min(to, Math.max(from, Math.round((current - low) / step)));
}

export class SettingCollector {
  readonly #problem: BalanceProblem;
  readonly #isComplete: boolean;
  /** Greatest misses of settings, none of which dominates another. */
  #front: (readonly number[])[] = [];
  #settings: CollectedSetting[] = [];
  #least: SettingCosts = {
    cost: Number.POSITIVE_INFINITY,
    steps: Number.POSITIVE_INFINITY,
    greatestStep: Number.POSITIVE_INFINITY,
  };
  #truncated = false;

  /** @param isComplete true to examine all settings */
  constructor(problem: BalanceProblem, isComplete: boolean) {
    this.#problem = problem;
    this.#isComplete = isComplete;
  }

  /** True if settings were omitted because there are too many. */
  get isTruncated(): boolean {
    return this.#truncated;
  }

  /** Returns true if a setting of the box can be among the best. @param least least misses of all settings in it */
  accepts(box: SettingBox, least: readonly number[]): boolean {
    if (this.#isComplete) return true;
    if (this.#front.some((misses) => dominates(misses, least))) return false;
    return this.#settings.length < SETTINGS_MAX || this.#canImprove(box);
  }

  /** Returns true if a setting of the box can have a lower cost or a smaller change than all collected ones. */
  #canImprove({ low, high }: SettingBox): boolean {
    this.#truncated = true;
    let [cost, steps, greatestStep] = [0, 0, 0];
    for (const [f, field] of this.#problem.fields.entries()) {
      const [from, to] = [low[f] ?? 0, high[f] ?? 0];
      const change = countFieldSteps(field, findClosestIndex(field, from, to));
      cost += field.cost * getFieldValue(field, from);
      steps += change;
      greatestStep = Math.max(greatestStep, change);
    }
    const least = this.#least;
    return cost < least.cost || steps < least.steps || greatestStep < least.greatestStep;
  }

  add(indices: FieldIndices, { least, greatest }: MissBounds): void {
    if (this.#front.some((misses) => dominates(misses, least))) return;
    const costs = computeSettingCosts(this.#problem, indices);
    this.#settings.push({ indices, least, greatest, ...costs });
    if (this.#settings.length > 2 * SETTINGS_MAX) this.#settings = this.settings;
    this.#least = {
      cost: Math.min(this.#least.cost, costs.cost),
      steps: Math.min(this.#least.steps, costs.steps),
      greatestStep: Math.min(this.#least.greatestStep, costs.greatestStep),
    };
    if (this.#front.some((misses) => isAtMost(misses, greatest))) return;
    this.#front = [...this.#front.filter((misses) => !dominates(greatest, misses)), greatest];
  }

  /** Collected settings that no setting dominates. */
  get settings(): CollectedSetting[] {
    return this.#settings.filter(({ least }) => !this.#front.some((misses) => dominates(misses, least)));
  }

  /** Least greatest miss that a setting certainly has; infinite if none was added. */
  get bestMiss(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#front.map((misses) => Math.max(...misses)));
  }
}
