/** `warpool solve-cards` */

import { type Payoff, solveCards as solve } from '../studies/solve-cards.ts';
import { cardsSheet } from '../tell/cards.ts';
import { cardsJson } from '../tell/json.ts';
import { asOption, within } from './failure.ts';
import { open, type Setting } from './source.ts';
import { look, print, printJson } from './terminal.ts';

const FEWER = 'give the sides fewer cards or air tokens: each token doubles the sets of its side';

export interface SolveCardsOptions extends Setting {
  readonly payoff: Payoff;
  readonly budget?: number;
  readonly pairs?: boolean;
  readonly json?: boolean;
}

function solved(file: string, ...asked: Parameters<typeof solve>): ReturnType<typeof solve> {
  try {
    return solve(...asked);
  } catch (error) {
    throw asOption(error, { system: `${file} system` });
  }
}

export async function solveCards(file: string, options: SolveCardsOptions): Promise<void> {
  const { payoff, budget, pairs, json } = options;
  const { scenario, title, label } = await open(file, options);
  const solution = within(() => solved(file, scenario, payoff, {}, budget), FEWER);
  if (json === true) printJson(cardsJson(solution, label));
  else print(cardsSheet(solution, title, look(process.stdout), pairs));
}
