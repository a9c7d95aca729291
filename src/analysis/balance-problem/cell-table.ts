/** Cells of a balance problem: settings of the fields of one scenario, each with intervals of the terms of all targets. */

import { pause } from '#platform/pause';
import { formatGrouped, InputError } from '../../core/index.ts';
import { runBattles } from '../../engines/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { ConfidenceSequence, type Counts, type Interval } from '../../stats/index.ts';
import { EvaluationStopped } from '../balance/setting-evaluator.ts';
import { findExactAnswerOffThread } from '../bounds-decision.ts';
import type { ExactMode } from '../shared-options.ts';
import {
  applyCurrentValues,
  applySetting,
  type BalanceProblem,
  type FieldIndices,
  listScenarioFields,
} from './problem.ts';
import type { TargetEstimand } from './target.ts';

/** Values of the terms of a scenario in a cell, in the order of `TermList`. */
export interface TermReadings {
  readonly values: readonly number[];
  /** Ends of the intervals; equal to the values if these are exact. */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Simulated battles; 0 if the values are exact. */
  readonly battles: number;
}

/** Reading of a cell; null if the scenario does not allow its values. */
export type CellTerms = TermReadings | null;

/** Storage of readings by name; lookups of other names return undefined. */
export interface ReadingCache {
  get(name: string): CellTerms | undefined;
  set(name: string, reading: CellTerms): void;
}

/** Options of the evaluation of cells. */
export interface CellTableOptions {
  readonly exact: ExactMode;
  readonly budget: number | undefined;
  readonly battles: number;
  readonly seed: bigint;
  readonly bounded: boolean;
  readonly workers?: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called after each cell. */
  readonly onCell?: () => void;
}

/** Battles from..to-1, and the error rate of each interval. */
export interface SimulationRequest {
  readonly from: number;
  readonly to: number;
  readonly level: number;
}

/** Maximum number of cells of a simulated scenario. */
const SIMULATED_CELLS_MAX = 20_000;

/** Signals that the exact answer of a cell exceeds the budget, so that its scenario is simulated. */
export class CellTooLarge extends Error {
  override readonly name = 'CellTooLarge';
}

/** Cells of one scenario. */
export class CellTable {
  readonly name: string;
  /** Fields of the scenario: indices into the fields of the problem. */
  readonly fields: readonly number[];
  /** Distinct terms of all targets that refer to the scenario, by key. */
  readonly terms: ReadonlyMap<string, TargetEstimand>;
  readonly #problem: BalanceProblem;
  readonly #scenario: number;
  readonly #options: CellTableOptions;
  readonly #cache: ReadingCache | undefined;
  readonly #termIndices: ReadonlyMap<string, number>;
  readonly #readings = new Map<string, CellTerms>();
  /** False once an exact answer exceeded the budget. */
  #isExact: boolean;

  constructor(problem: BalanceProblem, scenario: number, options: CellTableOptions, cache: ReadingCache | undefined) {
    this.#problem = problem;
    this.#scenario = scenario;
    this.#options = options;
    this.#cache = cache;
    this.#isExact = options.exact !== 'never';
    this.name = problem.scenarios[scenario]?.name ?? '';
    this.fields = listScenarioFields(problem, scenario);
    const terms = problem.targets.flatMap((target) => target.terms).filter((term) => term.scenario === scenario);
    this.terms = new Map(terms.map(({ key, estimand }) => [key, estimand]));
    this.#termIndices = new Map([...this.terms.keys()].map((key, t) => [key, t]));
  }

  /** False if battles are simulated. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Number of cells: combinations of the values of the fields. */
  get size(): number {
    return this.fields.reduce((product, f) => product * (this.#problem.fields[f]?.count ?? 1), 1);
  }

  /** Number of evaluated cells. */
  get evaluated(): number {
    return this.#readings.size;
  }

  /** Number of evaluated cells that the scenario does not allow. */
  get rejected(): number {
    return [...this.#readings.values()].filter((reading) => reading === null).length;
  }

  #nameCell(indices: FieldIndices): string {
    return this.fields.map((f) => indices[f]).join();
  }

  /** Returns the index of a term. */
  findTerm(key: string): number {
    return this.#termIndices.get(key) ?? 0;
  }

  /** Returns the reading of a cell, or undefined if it was not evaluated. */
  find(indices: FieldIndices): CellTerms | undefined {
    return this.#readings.get(this.#nameCell(indices));
  }

  /** Removes all readings. */
  clear(): void {
    this.#readings.clear();
  }

  /** Lists all cells as indices of the fields of the problem; other fields are 0. */
  *listCells(): Generator<number[]> {
    const counts = this.fields.map((f) => this.#problem.fields[f]?.count ?? 1);
    for (let cell = 0; cell < this.size; cell++) {
      const indices = this.#problem.fields.map(() => 0);
      let rest = cell;
      for (const [i, f] of this.fields.entries()) {
        const count = counts[i] ?? 1;
        indices[f] = rest % count;
        rest = Math.floor(rest / count);
      }
      yield indices;
    }
  }

  /**
   * Decides whether the scenario is solved exactly: if the current values and the corners of the ranges are affordable.
   * @returns maximum steps of these answers
   * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
   * @throws InputError if the scenario does not allow the current values
   */
  async probe(): Promise<number> {
    const { fields } = this.#problem;
    const corners = [fields.map(() => 0), fields.map(({ count }) => count - 1)];
    const scenarios = corners.map((indices) => applySetting(this.#problem, this.#scenario, indices));
    let most = 0;
    for (const scenario of [...scenarios, applyCurrentValues(this.#problem, this.#scenario)]) {
      if (scenario === undefined || !this.#isExact) continue;
      const answer = await this.#solve(scenario);
      if (answer === undefined) this.#isExact = false;
      most = Math.max(most, answer?.steps ?? 0);
    }
    return most;
  }

  /** @throws InputError if there are too many cells to simulate them all */
  checkSimulatedSize(): void {
    if (this.size <= SIMULATED_CELLS_MAX) return;
    throw new InputError(
      'fields',
      `at most ${formatGrouped(SIMULATED_CELLS_MAX)} combinations of the fields of ${this.name}, because its battles are simulated; larger steps or smaller ranges have less`,
      formatGrouped(this.size),
    );
  }

  async #solve(scenario: Scenario) {
    const { exact, battles, budget, signal } = this.#options;
    return await findExactAnswerOffThread(scenario, exact, battles, budget, signal).catch((error: unknown) => {
      throw signal?.aborted === true ? new EvaluationStopped() : error;
    });
  }

  /**
   * Solves a cell exactly; results are cached.
   * @throws EvaluationStopped if the signal comes first
   * @throws CellTooLarge if the answer exceeds the budget; the scenario is then simulated
   */
  async solve(indices: FieldIndices): Promise<CellTerms> {
    const name = this.#nameCell(indices);
    const known = this.#readings.get(name);
    if (known !== undefined) return known;
    const reading = await this.#recall(`${this.name} ${name}`, () => this.#solveCell(indices));
    this.#readings.set(name, reading);
    return reading;
  }

  async #recall(name: string, evaluate: () => Promise<CellTerms>): Promise<CellTerms> {
    const stored = this.#cache?.get(name);
    if (stored !== undefined) return stored;
    // Handles signals between two cells.
    await pause();
    if (this.#options.signal?.aborted === true) throw new EvaluationStopped();
    const reading = await evaluate();
    this.#cache?.set(name, reading);
    this.#options.onCell?.();
    return reading;
  }

  async #solveCell(indices: FieldIndices): Promise<CellTerms> {
    const scenario = applySetting(this.#problem, this.#scenario, indices);
    if (scenario === undefined) return null;
    const answer = await this.#solve(scenario);
    if (answer !== undefined) return this.#createExactReading(answer);
    this.#isExact = false;
    this.clear();
    throw new CellTooLarge();
  }

  #createExactReading({ distribution }: { readonly distribution: Counts }): TermReadings {
    const values = [...this.terms.values()].map((estimand) => estimand.computeValue(distribution));
    return { values, low: values, high: values, battles: 0 };
  }

  /** Simulates a cell; the reading replaces the former one. @throws EvaluationStopped if the signal comes first */
  async simulate(indices: FieldIndices, request: SimulationRequest): Promise<CellTerms> {
    const name = this.#nameCell(indices);
    const reading = await this.#readBattles(indices, name, request);
    this.#readings.set(name, reading);
    return reading;
  }

  /** Simulates a cell without a change of its reading. */
  async confirm(indices: FieldIndices, request: SimulationRequest): Promise<CellTerms> {
    return await this.#readBattles(indices, this.#nameCell(indices), request);
  }

  async #readBattles(indices: FieldIndices, name: string, request: SimulationRequest): Promise<CellTerms> {
    const { from, to, level } = request;
    return await this.#recall(`${this.name} ${name} ${String(from)}..${String(to)} ${String(level)}`, async () => {
      const scenario = applySetting(this.#problem, this.#scenario, indices);
      return scenario === undefined ? null : await this.#simulateScenario(scenario, request);
    });
  }

  async #simulateScenario(scenario: Scenario, { from, to, level }: SimulationRequest): Promise<TermReadings> {
    const { seed, workers, signal, bounded } = this.#options;
    const { counts, complete } = await runBattles(
      { engine: 'kernel', scenario, seed, from, to },
      { signal, ...(workers !== undefined && { workers }) },
    );
    if (!complete) throw new EvaluationStopped();
    const bets = bounded ? new ConfidenceSequence(1 / (to - from)) : undefined;
    const intervals = [...this.terms.values()].map((estimand) => computeTermInterval(estimand, counts, level, bets));
    return {
      values: [...this.terms.values()].map((estimand) => estimand.computeValue(counts)),
      low: intervals.map(([low]) => low),
      high: intervals.map(([, high]) => high),
      battles: to - from,
    };
  }

  /** Evaluates the scenario with the current values of the fields. @param level error rate of an interval */
  async evaluateCurrent(level: number): Promise<TermReadings | undefined> {
    const scenario = applyCurrentValues(this.#problem, this.#scenario);
    if (scenario === undefined) return undefined;
    const { battles } = this.#options;
    const request = { from: battles, to: 2 * battles, level };
    const reading = await this.#recall(`${this.name} current values`, async () => {
      const answer = this.#isExact ? await this.#solve(scenario) : undefined;
      return answer === undefined ? await this.#simulateScenario(scenario, request) : this.#createExactReading(answer);
    });
    return reading ?? undefined;
  }
}

/** Computes the interval of an estimand; it includes the estimate. */
function computeTermInterval(
  estimand: TargetEstimand,
  counts: Counts,
  level: number,
  bets: ConfidenceSequence | undefined,
): Interval {
  const value = estimand.computeValue(counts);
  const [low, high] = estimand.computeInterval(counts, level, estimand.kind === 'mean' ? bets : undefined);
  return [Math.min(low, value), Math.max(high, value)];
}
