/** Search whose settings an optimizer chooses: it asks for a setting, evaluates it, and tells the result. */

import { checkList, describeFound, InputError } from '../../core/index.ts';
import { ErrorAllocation } from '../balance/setting-evaluator.ts';
import type { CellTable } from './cell-table.ts';
import { evaluateIndices, type ProblemSetting } from './evaluated-setting.ts';
import { type BalanceProblem, type FieldIndices, getFieldValue } from './problem.ts';
import { BoxSearch } from './search-boxes.ts';
import { SettingCollector } from './setting-collector.ts';
import { listRounds } from './simulated-search.ts';

/** Optimizer that chooses the settings of a search. */
export interface SettingOptimizer {
  /** Returns the values of the fields of the next setting, in their order; undefined ends the search. */
  ask(): Promise<readonly number[] | undefined> | readonly number[] | undefined;
  /**
   * Receives the evaluation of a setting, whose values are the closest ones on the grid.
   * @param setting undefined if a scenario does not allow the values
   */
  tell(setting: ProblemSetting | undefined): Promise<void> | void;
}

/** Finds the indices of the values that are closest to the requested ones. @throws InputError if they are out of range */
function findClosestIndices({ fields }: BalanceProblem, values: readonly number[]): number[] {
  checkList('ask', `a list of ${String(fields.length)} numbers`, values, 'number');
  if (values.length !== fields.length)
    throw new InputError('ask', `${String(fields.length)} numbers`, String(values.length));
  return fields.map((field, f) => {
    const value = values[f] ?? Number.NaN;
    const index = Math.round((value - field.low) / field.step);
    if (index >= 0 && index < field.count) return index + 0;
    const range = `${String(field.low)}..${String(getFieldValue(field, field.count - 1))}`;
    throw new InputError('ask', `${field.name} in ${range}`, describeFound(value));
  });
}

export class OptimizerSearch {
  readonly #problem: BalanceProblem;
  readonly #tables: readonly CellTable[];
  readonly #battles: number;
  readonly #shares: ErrorAllocation;

  /** @param error maximum probability that an interval of the search misses */
  constructor(
    problem: BalanceProblem,
    tables: readonly CellTable[],
    { battles, error }: { readonly battles: number; readonly error: number },
  ) {
    this.#problem = problem;
    this.#tables = tables;
    this.#battles = battles;
    this.#shares = new ErrorAllocation(error);
    for (const table of tables) if (!table.isExact) table.clear();
  }

  /** Evaluates settings until the optimizer ends the search. */
  async run(optimizer: SettingOptimizer): Promise<SettingCollector> {
    const collector = new SettingCollector(this.#problem, false);
    const search = new BoxSearch(this.#problem, this.#tables, collector);
    const added = new Set<string>();
    for (let values = await optimizer.ask(); values !== undefined; values = await optimizer.ask()) {
      const indices = findClosestIndices(this.#problem, values);
      const setting = await this.#evaluate(indices);
      const name = indices.join();
      if (setting !== undefined && !added.has(name)) search.addSetting(indices);
      added.add(name);
      await optimizer.tell(setting);
    }
    return collector;
  }

  /** Evaluates a setting: exactly, or by battles until its verdict is decided. */
  async #evaluate(indices: FieldIndices): Promise<ProblemSetting | undefined> {
    const known = evaluateIndices(this.#problem, this.#tables, indices);
    if (known !== undefined && known.verdict !== 'undecided') return known;
    const simulated = this.#tables.filter(({ isExact }) => !isExact);
    for (const table of this.#tables) if (table.isExact) await table.solve(indices);
    const rounds = simulated.length === 0 ? [] : listRounds(this.#battles);
    const terms = simulated.reduce((sum, table) => sum + table.terms.size, 0);
    const level = this.#shares.next() / Math.max(1, terms * rounds.length);
    for (const to of rounds) {
      for (const table of simulated) await table.simulate(indices, { from: 0, to, level });
      if (evaluateIndices(this.#problem, this.#tables, indices)?.verdict !== 'undecided') break;
    }
    return evaluateIndices(this.#problem, this.#tables, indices);
  }
}
