/** `warpool solve-cards` */

import { InputError, PAYOFF_BUDGET, PAYOFF_BUDGET_MAX } from '../core/index.ts';
import { PAYOFFS } from '../rules/index.ts';
import { choice, count, flag, type Given, type Settings } from '../rules/setting.ts';
import { solveCardsSync as solve } from '../studies/index.ts';
import { cardsJson, cardsSheet } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { within } from './failure.ts';
import { json, type Long, set } from './options.ts';
import { whileTold } from './progress.ts';
import type { Known } from './registry.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

const FEWER = 'give the sides fewer cards or air tokens: each token doubles the sets of its side';

/** What it is asked with. */
const ASKED = {
  set,
  payoff: choice('what the attacker wants: victory, hit points over the enemy’s, the area', PAYOFFS),
  budget: count(1, PAYOFF_BUDGET_MAX, `payoffs that may be worked out (default: ${String(PAYOFF_BUDGET)})`, 'payoffs'),
  pairs: flag('show the air tokens of all pairs of cards'),
  json,
} as const satisfies Settings;

type SolveCardsOptions = Given<typeof ASKED> & Known & Long;

function solved(file: string, ...asked: Parameters<typeof solve>): ReturnType<typeof solve> {
  try {
    return solve(...asked);
  } catch (error) {
    if (!(error instanceof InputError) || error.place !== 'system') throw error;
    throw new InputError(`${file} system`, error.expected, error.found);
  }
}

export async function solveCards(file: string, options: SolveCardsOptions): Promise<void> {
  const { payoff, budget, pairs, json } = options;
  const { scenario, title, label } = await open(file, options);
  const solution = await whileTold(options, () => within(() => solved(file, scenario, { payoff, budget }), FEWER));
  if (json === true) printJson(cardsJson(solution, label));
  else print(cardsSheet(solution, title, look(process.stdout), pairs));
}

const CARDS_NOTES = `
Both sides choose a card at once, see both cards, and choose air tokens at once.
A policy gives away what an enemy that knows it wins over the value of the game, by its
best card and its best tokens. Where several mixtures are equally good, one is shown.`;

export const command: DeclaredCommand = {
  description:
    'Solves the secret choice of a card, and of air tokens when both cards are seen, as a game; for scenarios of ' +
    'strength-cards.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [
    examples(
      'solve-cards scenarios/strength-cards-bluff.yaml --payoff hp-difference',
      'solve-cards scenarios/strength-cards-island.yaml --payoff hp-difference --pairs',
    ),
    CARDS_NOTES,
  ],
  action: (file: string, options: SolveCardsOptions) => solveCards(file, options),
};
