/** Exact answers that may take minutes: worked out in a thread that a signal ends. */
import { BudgetError, RunError } from '../core/errors.ts';
import { type ExactBudget, sideBudget } from '../engines/exact/budget.ts';
import { Lease } from '../engines/pool/pool.ts';
import { received } from '../rules/load.ts';
import { type Portable, portable } from '../rules/opened.ts';
import type { Scenario } from '../rules/system.ts';
import { affordable, answerTo, type ExactChoice, type ExactResult, solve } from './solve.ts';

/** What is sent to the thread. */
export interface AnswerJob extends Portable {
  readonly budget: ExactBudget;
}

/** How it ended; an Error would lose its class on the way to another thread. */
export type AnswerResult =
  | { readonly ok: true; readonly result: ExactResult }
  | { readonly ok: false; readonly message: string; readonly suggested: number | undefined; readonly beyond: boolean };

/** Solves in the thread that was sent a job. */
export async function solveJob({ budget, ...sent }: AnswerJob): Promise<AnswerResult> {
  try {
    return { ok: true, result: solve(await received(sent), budget) };
  } catch (error) {
    const beyond = error instanceof BudgetError;
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message, suggested: beyond ? error.suggested : undefined, beyond };
  }
}

/** What any command can wait for before it hears a signal: about a second. */
const BRIEF = sideBudget(Number.POSITIVE_INFINITY);

const isBrief = ({ steps, moves }: ExactBudget): boolean => steps <= BRIEF.steps && moves <= BRIEF.moves;

async function solveApart(sent: Portable, budget: ExactBudget, signal: AbortSignal): Promise<ExactResult> {
  const stopped = (): RunError => new RunError('stopped before the exact answer was known');
  const isStopped = (): boolean => signal.aborted;
  if (isStopped()) throw stopped();
  await using thread = new Lease(1);
  const end = (): void => void thread.end();
  signal.addEventListener('abort', end);
  try {
    const said = await thread.call<AnswerResult>('answer', { ...sent, budget });
    if (said.ok) return said.result;
    throw said.beyond ? new BudgetError(said.message, { suggested: said.suggested }) : new RunError(said.message);
  } catch (error) {
    throw isStopped() ? stopped() : error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Solves here if that is brief, else in a thread. */
async function solvePatiently(scenario: Scenario, budget: ExactBudget, signal: AbortSignal): Promise<ExactResult> {
  try {
    return solve(scenario, BRIEF);
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    const sent = portable(scenario);
    return sent === undefined ? solve(scenario, budget) : await solveApart(sent, budget, signal);
  }
}

/**
 * The exact answer of `answerTo`; what would take longer than about a second is worked out in a thread, so
 * that the caller hears signals meanwhile.
 * @param signal ends it; without one the answer is worked out in the calling thread
 * @throws BudgetError if it is always asked for and too large
 * @throws RunError if the signal comes first
 */
export async function answerPatiently(
  scenario: Scenario,
  exact: ExactChoice,
  battles: number,
  steps: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ExactResult | undefined> {
  const budget = affordable(exact, battles, steps);
  if (signal === undefined || exact === 'never' || isBrief(budget)) return answerTo(scenario, exact, battles, steps);
  try {
    return await solvePatiently(scenario, budget, signal);
  } catch (error) {
    if (error instanceof BudgetError && exact === 'auto') return undefined;
    throw error;
  }
}
