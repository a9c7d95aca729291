/** The exact answer to a scenario. */

import { scenarioHash } from '../answers/digest.ts';
import { asJson, headOf, lawJson } from '../answers/json.ts';
import { type Summary, summariseLaw } from '../answers/summary.ts';
import type { Tally, TallyShape } from '../answers/tally.ts';
import { BudgetError, InputError } from '../core/errors.ts';
import { optionsOf } from '../core/names.ts';
import { budgetOf, type ExactBudget, FULL_BUDGET, sideBudget } from '../engines/exact/budget.ts';
import { type ExactLaw, solveModel } from '../engines/kernel/chain.ts';
import { solveInKernel } from '../engines/kernel/solver.ts';
import { checkLaw, proveLaw } from '../engines/pool/proof.ts';
import { toldRules } from '../rules/guard.ts';
import { type Opened, opened } from '../rules/opened.ts';
import { describeFound } from '../rules/scenario/problem.ts';
import type { Scenario } from '../rules/system.ts';
import type { Exactness } from './questions.ts';

const checkNames = optionsOf<ExactBudget>('solve', { steps: true, moves: true, brief: true });

/** Without one of its numbers every comparison with a budget fails, and a kernel that solves nothing reports nothing. */
function checkBudget(budget: ExactBudget): void {
  checkNames(budget);
  for (const name of ['steps', 'moves'] as const) {
    const amount: unknown = budget[name];
    if (typeof amount === 'number' && amount >= 1) continue;
    throw new InputError(`solve.${name}`, 'a number of 1 or more, as of budgetOf(steps)', describeFound(amount));
  }
}

/** The law of a scenario. */
export interface Solved {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly shape: TallyShape;
  /** Probabilities in the place of counts. */
  readonly law: Tally;
  readonly summary: Summary;
  /** At most so many battles last longer than what was followed; below 1e-15 of the least likely outcome if the budget allows. */
  readonly lost: number;
  /** States of the chain, and transitions before merging. */
  readonly states: number;
  readonly steps: number;
  readonly elapsedSeconds: number;
}

/** An exact answer as JSON: what `warpool exact --json` prints. */
export function exactJson(exact: Solved) {
  const { elapsedSeconds, states, steps, lost } = exact;
  return {
    ...headOf(exact.scenario, exact.scenarioHash),
    ...{ engine: 'exact' as const, elapsedSeconds, states, steps, lost },
    ...lawJson(exact.summary, exact.shape, exact.law),
  };
}

/** What `warpool exact --json` prints. */
export type ExactJson = ReturnType<typeof exactJson>;

/** The exact answer of `solve`. */
export interface ExactResult extends Solved {
  /** For `JSON.stringify`: outcomes and metrics by their names, without the tables. See docs/json.md. */
  toJSON(): ExactJson;
}

function solveRules(open: Opened, budget: ExactBudget): ExactLaw {
  try {
    return solveModel(open.model, budget);
  } catch (error) {
    throw toldRules(error, open);
  }
}

/**
 * Solves a scenario exactly, in double precision: outcome probabilities and the law of every metric. It works in the
 * calling thread: nothing can interrupt rules of one's own that do not end.
 * @param budget how much work is affordable: `budgetOf(steps)`; some seconds unless said otherwise
 * @throws InputError unless the budget has both its numbers
 * @throws RulesError if the rules of the system fail, or what they come to is no law or contradicts battles: a hundred are
 *                    played by the rules of a system of one's own, as far as that takes little beside the answer
 * @throws BudgetError if the scenario is larger; the message names its size, `suggested` the steps of a budget that may
 *                     be enough
 */
export function solve(scenario: Scenario, budget: ExactBudget = FULL_BUDGET): ExactResult {
  checkBudget(budget);
  const began = performance.now();
  const open = opened(scenario);
  const { shape } = open;
  const known = solveInKernel(open, budget);
  const { law, lost, states, steps } = known ?? solveRules(open, budget);
  checkLaw(open, law.outcomes, lost);
  const summary = summariseLaw(shape, law, lost);
  proveLaw(open, summary, steps);
  const elapsedSeconds = (performance.now() - began) / 1000;
  const hash = scenarioHash(scenario);
  const exact: Solved = { scenario, scenarioHash: hash, shape, law, summary, lost, states, steps, elapsedSeconds };
  return asJson(exact, () => exactJson(exact));
}

/** What an exact answer beside so many battles may cost. */
export function affordable(exact: Exactness, battles: number, steps: number | undefined): ExactBudget {
  if (steps !== undefined) return budgetOf(steps);
  return exact === 'always' ? FULL_BUDGET : sideBudget(battles);
}

/**
 * The exact answer to a scenario beside so many battles; undefined if it is not asked for or not affordable.
 * @param steps of the budget, in the place of the one that fits the battles
 * @throws BudgetError if it is always asked for and too large
 */
export function answerTo(
  scenario: Scenario,
  exact: Exactness,
  battles: number,
  steps?: number,
): ExactResult | undefined {
  if (exact === 'never') return undefined;
  try {
    // Nobody reads why it is not affordable.
    return solve(scenario, { ...affordable(exact, battles, steps), ...(exact === 'auto' && { brief: true }) });
  } catch (error) {
    if (error instanceof BudgetError && exact === 'auto') return undefined;
    throw error;
  }
}
