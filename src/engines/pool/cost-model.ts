/**
 * Predicts the cost of exploring a scenario from similar ones: adjacent cells of a sweep have about the same number of
 * steps. It can influence the choice of the engine, never the results.
 */

import { BoundedCache } from '../../core/index.ts';
import type { BoundScenario, System } from '../../rules/index.ts';

/** Cost of an exploration, or its lower bound. */
export interface ExplorationCost {
  readonly steps: number;
  readonly seconds: number;
}

/** Cost of a scenario with these numbers. */
interface CostSample extends ExplorationCost {
  readonly numbers: readonly number[];
  /** False if the exploration was abandoned. */
  readonly complete: boolean;
}

/** An unfinished exploration counts as half of the total. */
const UNFINISHED_FACTOR = 2;

/** Maximum number of kinds of scenarios, which differ only in numbers, and of samples of each. */
const KINDS = 64;
const SAMPLES_PER_KIND = 8;

/** By system: two may have the same name. */
let samplesBySystem = new WeakMap<System, BoundedCache<CostSample[]>>();

/** Deletes all samples. */
export function clearCostSamples(): void {
  samplesBySystem = new WeakMap();
}

/** Splits a scenario into its numbers, in order, and the text without them. */
function splitNumbers(scenario: unknown): { numbers: number[]; kind: string } {
  const numbers: number[] = [];
  const kind = JSON.stringify(scenario, (_, value: unknown) => {
    if (typeof value !== 'number') return value;
    numbers.push(value);
    return 0;
  });
  return { numbers, kind };
}

/** Computes the distance of two lists of numbers: the sum of relative differences. */
function computeDistance(some: readonly number[], others: readonly number[]): number {
  let sum = 0;
  for (const [k, one] of some.entries()) {
    const other = others[k] ?? 0;
    if (one !== other) sum += Math.abs(one - other) / Math.max(Math.abs(one), Math.abs(other));
  }
  return sum;
}

/** Prediction for one scenario. */
export class CostModel {
  readonly #lessons: CostSample[];
  readonly #numbers: readonly number[];

  constructor({ system, scenario }: Pick<BoundScenario, 'system' | 'scenario'>) {
    const { numbers, kind } = splitNumbers(scenario);
    const kinds = samplesBySystem.get(system) ?? new BoundedCache<CostSample[]>(KINDS);
    samplesBySystem.set(system, kinds);
    const lessons = kinds.get(kind) ?? [];
    if (lessons.length === 0) kinds.set(kind, lessons, 1);
    this.#lessons = lessons;
    this.#numbers = numbers;
  }

  /**
   * Lower bound of the cost, by the most similar scenario: it decreases with the distance, so that an exploration is
   * tried again from time to time. Undefined without samples. For an identical scenario it is certain.
   */
  get expected(): ExplorationCost {
    let [nearest, least]: [CostSample | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const lesson of this.#lessons) {
      const far = computeDistance(lesson.numbers, this.#numbers);
      if (far < least) [nearest, least] = [lesson, far];
    }
    const part = (least === 0 || nearest?.complete === true ? 1 : UNFINISHED_FACTOR) * Math.exp(-least);
    return { steps: part * (nearest?.steps ?? 0), seconds: part * (nearest?.seconds ?? 0) };
  }

  /** Records the cost of an exploration. */
  addSample({ steps, seconds }: ExplorationCost, whole: boolean): void {
    this.#lessons.unshift({ numbers: this.#numbers, steps, seconds, complete: whole });
    if (this.#lessons.length > SAMPLES_PER_KIND) this.#lessons.pop();
  }
}
