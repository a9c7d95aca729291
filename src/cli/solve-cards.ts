/** `warpool solve-cards` */
import { cardsSheet } from '../report/cards.ts';
import { cardsJson } from '../report/json.ts';
import { type Payoff, solveCards as solve } from '../solve-cards.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';
import { version } from './version.ts';

export interface SolveCardsOptions {
  readonly payoff: Payoff;
  readonly json?: boolean;
}

export async function solveCards(file: string, { payoff, json }: SolveCardsOptions): Promise<void> {
  const { scenario, name } = await open(file);
  const solution = solve(scenario, payoff);
  if (json === true) printJson(cardsJson(solution, { version: version(), name }));
  else print(cardsSheet(solution, name, look(process.stdout)));
}
