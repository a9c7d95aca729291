/**
 * What exploring scenarios has shown of others like them: the next cell of a sweep has about as many steps as the one before.
 * Who plays a run may follow from it, never what is played.
 */

import { Bounded } from '../../core/index.ts';
import type { Opened, System } from '../../rules/index.ts';

/** What exploring took, or at least would take. */
export interface Work {
  readonly steps: number;
  readonly seconds: number;
}

/** What was learnt from a scenario with these numbers. */
interface Lesson extends Work {
  readonly numbers: readonly number[];
  /** False if exploring was left before its end. */
  readonly whole: boolean;
}

/** What was left is taken to be done by half. */
const LEFT = 2;

/** Kinds of scenarios that are remembered, those that differ in nothing but their numbers being one; and lessons of each. */
const KINDS = 64;
const LESSONS = 8;

/** By system: two may have one name. */
let learnt = new WeakMap<System, Bounded<Lesson[]>>();

/** Nothing that was learnt counts any more. */
export function forget(): void {
  learnt = new WeakMap();
}

/** The numbers of a scenario in their order, and the text that is left without them. */
function apart(scenario: unknown): { numbers: number[]; kind: string } {
  const numbers: number[] = [];
  const kind = JSON.stringify(scenario, (_, value: unknown) => {
    if (typeof value !== 'number') return value;
    numbers.push(value);
    return 0;
  });
  return { numbers, kind };
}

/** How far numbers are from others: by which parts of themselves they differ, in all. */
function distance(some: readonly number[], others: readonly number[]): number {
  let sum = 0;
  for (const [k, one] of some.entries()) {
    const other = others[k] ?? 0;
    if (one !== other) sum += Math.abs(one - other) / Math.max(Math.abs(one), Math.abs(other));
  }
  return sum;
}

/** What is foreseen for one scenario. */
export class Outlook {
  readonly #lessons: Lesson[];
  readonly #numbers: readonly number[];

  constructor({ system, scenario }: Pick<Opened, 'system' | 'scenario'>) {
    const { numbers, kind } = apart(scenario);
    const kinds = learnt.get(system) ?? new Bounded<Lesson[]>(KINDS);
    learnt.set(system, kinds);
    const lessons = kinds.get(kind) ?? [];
    if (lessons.length === 0) kinds.set(kind, lessons, 1);
    this.#lessons = lessons;
    this.#numbers = numbers;
  }

  /**
   * What exploring will take at least, by the scenario that is nearest: the less the farther that is, so that it is tried
   * again from time to time. Nothing if none was explored. What is foreseen of a scenario by itself is certain.
   */
  get expected(): Work {
    let [nearest, least]: [Lesson | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const lesson of this.#lessons) {
      const far = distance(lesson.numbers, this.#numbers);
      if (far < least) [nearest, least] = [lesson, far];
    }
    const part = (least === 0 || nearest?.whole === true ? 1 : LEFT) * Math.exp(-least);
    return { steps: part * (nearest?.steps ?? 0), seconds: part * (nearest?.seconds ?? 0) };
  }

  /** Remembers what exploring has taken. */
  learn({ steps, seconds }: Work, whole: boolean): void {
    this.#lessons.unshift({ numbers: this.#numbers, steps, seconds, whole });
    if (this.#lessons.length > LESSONS) this.#lessons.pop();
  }
}
