/** `warpool solve-cards` */
import { cardsSheet } from '../report/cards.ts';
import { cardsJson } from '../report/json.ts';
import { type Payoff, solveCards as solve } from '../solve-cards.ts';
import { version } from '../version.ts';
import { within } from './failure.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

const FEWER = 'give the sides fewer cards or air tokens: each token doubles the sets of its side';

export interface SolveCardsOptions {
  readonly payoff: Payoff;
  readonly budget?: number;
  readonly pairs?: boolean;
  readonly json?: boolean;
}

export async function solveCards(file: string, { payoff, budget, pairs, json }: SolveCardsOptions): Promise<void> {
  const { scenario, name } = await open(file);
  const solution = within(() => solve(scenario, payoff, {}, budget), FEWER);
  if (json === true) printJson(cardsJson(solution, { version: version(), name }));
  else print(cardsSheet(solution, name, look(process.stdout), pairs));
}
