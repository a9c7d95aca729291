/** The odds of two scenarios beside each other: one that was pinned, and the one that is shown. */
import { BudgetError } from '../../src/core/errors.ts';
import { sideBudget } from '../../src/engines/exact/budget.ts';
import { simulate } from '../../src/studies/simulate.ts';
import { solve } from '../../src/studies/solve.ts';
import { outcomeText } from '../../src/tell/survey/outcomes.ts';
import { solvable } from './solvable.ts';
import { signalOf } from './task.ts';
import { Watched } from './watched.ts';

export interface Odds {
  readonly outcomes: readonly { readonly name: string; readonly phrase: string; readonly p: number }[];
  /** Half of the widest 95 % interval; 0 of exact odds. */
  readonly error: number;
}

/** Battles where there is no exact answer at once: half-widths of 0.1 points. */
const BATTLES = 1_000_000;

const NOBODY = (): void => undefined;

export const oddsBeside = {
  /** Exact where that comes at once, else of a million battles, of fewer where it was stopped. @throws InputError, InputErrors */
  async oddsOf({ text, seed }: { readonly text: string; readonly seed: string }, task: number): Promise<Odds> {
    const scenario = await solvable(text);
    const told = (outcomes: readonly { readonly name: string; readonly p: number }[]) =>
      outcomes.map(({ name, p }) => ({ name, phrase: outcomeText(name), p }));
    try {
      return { outcomes: told(solve(scenario, sideBudget(BATTLES)).summary.outcomes), error: 0 };
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
    }
    const asked = { battles: BATTLES, seed, pool: new Watched(NOBODY), signal: signalOf(task) };
    const { outcomes } = (await simulate(scenario, asked)).summary;
    const halves = outcomes.map(({ ci95: [low, high] = [0, 1] }) => (high - low) / 2);
    return { outcomes: told(outcomes), error: Math.max(...halves) };
  },
};
