/** The odds of two scenarios beside each other: one that was pinned, and the one that is shown. */
import { armiesText } from '../../src/tell/odds/armies.ts';
import { type OddsPart, oddsOf } from '../../src/tell/odds/bar.ts';
import { sidesOf } from '../../src/tell/sides.ts';
import { outcomeText } from '../../src/tell/survey/outcomes.ts';
import { sentence } from '../../src/tell/text/sentence.ts';
import { knownAtOnce, MOST } from './at-once.ts';
import { solvable } from './solvable.ts';

export interface Odds {
  /** `4 infantry, 2 tanks against 5 infantry`, the names of the sides; empty if there are no sides. */
  readonly armies: string;
  readonly bar: readonly OddsPart[];
  readonly outcomes: readonly { readonly name: string; readonly phrase: string; readonly p: number }[];
  /** Half of the widest 95 % interval; 0 of exact odds. */
  readonly error: number;
}

/** Steps of an exact answer: a second at most. */
const STEPS = 1_000_000;

export const oddsBeside = {
  /** Exact where that comes at once, else of a million battles, of fewer where it was stopped. @throws InputError */
  async oddsOf({ text, seed }: { readonly text: string; readonly seed: string }, task: number): Promise<Odds> {
    const scenario = await solvable(text);
    const { exact, played } = await knownAtOnce(scenario, { seed, battles: MOST, steps: STEPS }, task);
    const found = (exact ?? played)?.summary;
    const { outcomes = [] } = found ?? {};
    const sides = sidesOf(scenario);
    const halves = exact === undefined ? outcomes.map(({ ci95: [low, high] = [0, 1] }) => (high - low) / 2) : [];
    return {
      armies: armiesText(scenario, sides) ?? sides.map(({ name }) => sentence(name)).join(' against '),
      bar: found === undefined ? [] : oddsOf(found, sides),
      outcomes: outcomes.map(({ name, p }) => ({ name, phrase: outcomeText(name), p })),
      error: Math.max(0, ...halves),
    };
  },
};
