/**
 * What exploring scenarios has shown of others like them: the next cell of a sweep has about as many steps as the one before.
 * Who plays a run may follow from it, never what is played.
 */

import { BoundedCache } from '../../core/index.ts';
import type { BoundScenario, System } from '../../rules/index.ts';

/** What exploring took, or at least would take. */
export interface ExplorationCost {
  readonly steps: number;
  readonly seconds: number;
}

/** What was learnt from a scenario with these numbers. */
interface CostSample extends ExplorationCost {
  readonly numbers: readonly number[];
  /** False if exploring was left before its end. */
  readonly complete: boolean;
}

/** What was left is taken to be done by half. */
const UNFINISHED_FACTOR = 2;

/** Kinds of scenarios that are remembered, those that differ in nothing but their numbers being one; and lessons of each. */
const KINDS = 64;
const SAMPLES_PER_KIND = 8;

/** By system: two may have one name. */
let samplesBySystem = new WeakMap<System, BoundedCache<CostSample[]>>();

/** Nothing that was learnt counts any more. */
export function clearCostSamples(): void {
  samplesBySystem = new WeakMap();
}

/** The numbers of a scenario in their order, and the text that is left without them. */
function splitNumbers(scenario: unknown): { numbers: number[]; kind: string } {
  const numbers: number[] = [];
  const kind = JSON.stringify(scenario, (_, value: unknown) => {
    if (typeof value !== 'number') return value;
    numbers.push(value);
    return 0;
  });
  return { numbers, kind };
}

/** How far numbers are from others: by which parts of themselves they differ, in all. */
function computeDistance(some: readonly number[], others: readonly number[]): number {
  let sum = 0;
  for (const [k, one] of some.entries()) {
    const other = others[k] ?? 0;
    if (one !== other) sum += Math.abs(one - other) / Math.max(Math.abs(one), Math.abs(other));
  }
  return sum;
}

/** What is foreseen for one scenario. */
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
   * What exploring will take at least, by the scenario that is nearest: the less the farther that is, so that it is tried
   * again from time to time. Nothing if none was explored. What is foreseen of a scenario by itself is certain.
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

  /** Remembers what exploring has taken. */
  addSample({ steps, seconds }: ExplorationCost, whole: boolean): void {
    this.#lessons.unshift({ numbers: this.#numbers, steps, seconds, complete: whole });
    if (this.#lessons.length > SAMPLES_PER_KIND) this.#lessons.pop();
  }
}
