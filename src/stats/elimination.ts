/**
 * Finds the best of several scenarios with the same battles, and drops those that are shown to be worse, as O. Maron
 * and A. Moore (Hoeffding races, NIPS 1994), with paired intervals instead of Hoeffding's.
 *
 * At each interim analysis every two remaining scenarios have an interval of their paired difference. k scenarios and
 * analyses at n battles share 5 %: either side of an interval misses with 5 % / (k (k - 1)) times sqrt(n) over the sum
 * of the roots of all analyses (Bonferroni, C. E. 1936). So all intervals of all analyses hold together with 95 %
 * confidence, and so do all conclusions: the dropped scenarios, and those that differ by less than the indifference.
 * Late analyses have larger shares, because a difference then costs most battles. Betting intervals hold at all
 * analyses together: their analyses share nothing.
 */

import { ALPHA } from './analysis-schedule.ts';
import type { ComparisonCounts, RankedValue, ScenarioDifference } from './comparison-counts.ts';
import { isEqual } from './ranked-scenarios.ts';

/** Ratio of the battles of successive interim analyses. */
const RATIO = 1.5;

/** Minimum battles of the first interim analysis. */
const FIRST_ANALYSIS = 1000;

/** Goal of the search, and the size of negligible differences. */
export interface SelectionGoal {
  readonly goal: 'highest' | 'lowest';
  /** Above 0, in the unit of the value; default: no difference is negligible. */
  readonly indifference?: number;
}

/** A dropped scenario, which was shown to be worse than another. */
export interface DroppedScenario {
  readonly scenario: number;
  /** Interim analysis at which it was dropped, from 1, and its battles. */
  readonly analysis: number;
  readonly battles: number;
  /** Index of the better scenario. */
  readonly against: number;
}

/**
 * Reason for stopping: one scenario is left; the remaining ones differ by less than the indifference; all battles were
 * simulated; the exact answers were known; the signal came.
 */
export type EliminationStopReason = 'one' | 'indifference' | 'battles' | 'exact' | 'interrupted';

/** Schedules numbers of battles in ascending order; the last is all of them. */
export function scheduleElimination(battles: number): number[] {
  const analyses = [battles];
  for (let next = battles / RATIO; next >= FIRST_ANALYSIS; next /= RATIO) analyses.unshift(Math.floor(next));
  return analyses;
}

export class Elimination {
  readonly analyses: readonly number[];
  readonly drops: DroppedScenario[] = [];
  /** Remaining scenarios. */
  remaining: readonly number[];
  /** By scenario, at its last interim analysis. */
  readonly rankedValues: RankedValue[] = [];
  readonly battles: number[] = [];
  stopReason: EliminationStopReason | undefined;
  readonly #goal: SelectionGoal;
  readonly #counts: ComparisonCounts;
  readonly #size: number;
  readonly #bounded: boolean;
  /** By first x size + second, at the last interim analysis of both. */
  readonly #gaps = new Map<number, ScenarioDifference>();
  #look = 0;

  /**
   * @param counts counts of no battles
   * @param size number of scenarios, at least 2
   * @param battles maximum battles of each
   * @param bounded true if intervals hold at all interim analyses together
   */
  constructor(counts: ComparisonCounts, size: number, battles: number, target: SelectionGoal, bounded = false) {
    this.#bounded = bounded;
    this.#counts = counts;
    this.#size = size;
    this.#goal = target;
    this.analyses = scheduleElimination(battles);
    this.remaining = Array.from({ length: size }, (_, s) => s);
  }

  /** All pairs of scenarios, at the last interim analysis of both. */
  get differences(): ScenarioDifference[] {
    return [...this.#gaps.values()];
  }

  /** Battles of the next interim analysis, before the next call of `dropWorse`; undefined at the end. */
  get nextAnalysis(): number | undefined {
    return this.stopReason === undefined ? this.analyses[this.#look] : undefined;
  }

  /** Drops scenarios that are worse by the battles of this interim analysis; ends the search if that decides it. */
  dropWorse(): void {
    const battles = this.analyses[this.#look++] ?? 0;
    const gaps = this.#counts.computeDifferencesAt(this.remaining, this.#tail(battles));
    const figures = this.#counts.computeValues();
    for (const gap of gaps) this.#gaps.set(gap.first * this.#size + gap.second, gap);
    for (const s of this.remaining) {
      this.battles[s] = battles;
      const figure = figures[s];
      if (figure !== undefined) this.rankedValues[s] = figure;
    }
    for (const scenario of this.remaining) {
      const against = this.#findBetter(scenario, gaps);
      if (against !== undefined) this.drops.push({ scenario, analysis: this.#look, battles, against });
    }
    this.remaining = this.remaining.filter((s) => !this.drops.some(({ scenario }) => scenario === s));
    this.stopReason = this.#getStopReason();
  }

  /** Ends the search by the exact values of all scenarios, after an interim analysis. */
  finishExactly(values: readonly number[]): void {
    const sign = this.#goal.goal === 'highest' ? 1 : -1;
    const getAt = (s: number): number => sign * (values[s] ?? 0);
    const best = values.reduce((top, _, s) => (getAt(s) > getAt(top) ? s : top), 0);
    const areTied = (s: number): boolean =>
      isEqual(getAt(s), getAt(best)) || getAt(best) - getAt(s) <= (this.#goal.indifference ?? 0);
    const all = values.map((_, s) => s);
    this.remaining = all.filter(areTied);
    this.drops.length = 0;
    for (const scenario of all) {
      if (areTied(scenario)) continue;
      this.drops.push({ scenario, analysis: this.#look, battles: this.battles[scenario] ?? 0, against: best });
    }
    this.stopReason = 'exact';
  }

  /** Returns the error rate of either side of an interval at an interim analysis. */
  #tail(battles: number): number {
    if (this.#bounded) return ALPHA / (this.#size * (this.#size - 1));
    const roots = this.analyses.reduce((sum, analysis) => sum + Math.sqrt(analysis), 0);
    return (ALPHA * Math.sqrt(battles)) / roots / (this.#size * (this.#size - 1));
  }

  /** Finds the scenario that is shown to be better than this one by most; undefined if there is none. */
  #findBetter(scenario: number, gaps: readonly ScenarioDifference[]): number | undefined {
    let [found, most] = [undefined as number | undefined, 0];
    for (const {
      first,
      second,
      ci95: [low, high],
    } of gaps) {
      if (first !== scenario && second !== scenario) continue;
      const lead = (first === scenario) === (this.#goal.goal === 'highest') ? low : -high;
      if (lead <= most) continue;
      [found, most] = [first === scenario ? second : first, lead];
    }
    return found;
  }

  #getStopReason(): EliminationStopReason | undefined {
    if (this.remaining.length === 1) return 'one';
    const { indifference = 0 } = this.#goal;
    const isRemaining = ({ first, second }: ScenarioDifference): boolean =>
      this.remaining.includes(first) && this.remaining.includes(second);
    const close = ({ ci95 }: ScenarioDifference): boolean => ci95[0] > -indifference && ci95[1] < indifference;
    if (indifference > 0 && this.differences.filter(isRemaining).every(close)) return 'indifference';
    return this.#look < this.analyses.length ? undefined : 'battles';
  }
}
