/** Balances several fields, targets and scenarios at once. */

import { readdir } from 'node:fs/promises';
import {
  BALANCE_SCENARIOS,
  type BalanceProblem,
  type BalanceSolution,
  SEARCH_PROBLEM_OPTIONS,
  type SearchProblemOptions,
  searchProblem,
} from '../../analysis/index.ts';
import { createOptionsCheck, createRequirementError, describeFound, InputError } from '../../core/index.ts';
import { flag, pickOptions, resolveOptions } from '../../rules/option-spec.ts';
import { lockFolder, makeFolder, OUT } from '../folder/begin-folder.ts';
import { LOCK_NAME } from '../folder/lock.ts';
import { openReadings, READING_FILES } from './reading-file.ts';

/** Options of `balanceScenarios`. */
export interface BalanceScenariosOptions extends SearchProblemOptions {
  /** Folder of the evaluated cells: new, empty or, with `resume`, one with the same problem and options. */
  readonly out?: string | undefined;
  /** Evaluates only the missing cells of the folder; false by default. */
  readonly resume?: boolean | undefined;
}

const checkOptions = createOptionsCheck<BalanceScenariosOptions>('balanceScenarios', {
  ...SEARCH_PROBLEM_OPTIONS,
  out: OUT,
  resume: flag('continue an unfinished search'),
});

/** @throws InputError if the folder has other files */
async function checkFolder(folder: string): Promise<void> {
  const other = (await readdir(folder)).find((name) => name !== LOCK_NAME && !READING_FILES.includes(name));
  if (other !== undefined) throw new InputError(folder, 'a new or an empty folder', `${other} in it`);
}

/**
 * Finds values of the fields of a balance problem for which its scenarios meet all targets; if there are none, the settings with
 * the smallest misses.
 *
 * Settings are evaluated exactly where that is affordable. Otherwise battles of the same streams are simulated in all settings,
 * until the intervals exclude all but the best ones; these are confirmed by other battles.
 * With `out`, the evaluated cells are stored in a folder: a process that is killed loses at most the current cell, and `resume`
 * continues.
 * @param problem from `loadBalanceProblem` or `validateBalanceProblem`
 * @throws InputError if an option is invalid, the folder does not fit or is in use, or a simulated scenario has too many cells
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 * @throws AbortError if the signal aborts
 */
export async function balanceScenarios(
  problem: BalanceProblem,
  options: BalanceScenariosOptions = {},
): Promise<BalanceSolution> {
  checkOptions(options);
  if ((problem as Partial<BalanceProblem> | undefined)?.targets === undefined)
    throw new InputError('problem', 'a balance problem from loadBalanceProblem', describeFound(problem));
  const { out, resume = false, ...search } = options;
  if (out === undefined) {
    if (resume) throw createRequirementError('resume', 'out');
    return await searchProblem(problem, search);
  }
  await makeFolder(out);
  await checkFolder(out);
  await using lock = await lockFolder({ folders: [] }, out);
  const {
    workers: _,
    search: _search,
    ...evaluation
  } = resolveOptions(BALANCE_SCENARIOS, pickOptions(BALANCE_SCENARIOS, search));
  const request = { ...evaluation, seed: String(evaluation.seed) };
  const cache = await openReadings(out, problem, request, resume);
  return await searchProblem(problem, { ...search, signal: lock.withLoss(search.signal) }, cache);
}
