/** The odds of two scenarios beside each other: one that was pinned, and the one that is shown. */
import { outcomeText } from '../../src/tell/survey/outcomes.ts';
import { knownAtOnce, MOST } from './at-once.ts';
import { solvable } from './solvable.ts';

export interface Odds {
  readonly outcomes: readonly { readonly name: string; readonly phrase: string; readonly p: number }[];
  /** Half of the widest 95 % interval; 0 of exact odds. */
  readonly error: number;
}

/** Steps of an exact answer: a second at most. */
const STEPS = 1_000_000;

export const oddsBeside = {
  /** Exact where that comes at once, else of a million battles, of fewer where it was stopped. @throws InputError */
  async oddsOf({ text, seed }: { readonly text: string; readonly seed: string }, task: number): Promise<Odds> {
    const { exact, played } = await knownAtOnce(await solvable(text), { seed, battles: MOST, steps: STEPS }, task);
    const { outcomes = [] } = (exact ?? played)?.summary ?? {};
    const halves = exact === undefined ? outcomes.map(({ ci95: [low, high] = [0, 1] }) => (high - low) / 2) : [];
    return {
      outcomes: outcomes.map(({ name, p }) => ({ name, phrase: outcomeText(name), p })),
      error: Math.max(0, ...halves),
    };
  },
};
