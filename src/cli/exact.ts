/** `warpool exact` */
import { budgetOf, FULL_BUDGET } from '../exact/budget.ts';
import { exactJson } from '../report/json.ts';
import { exactSheet, type HistogramChoice } from '../report/sheet.ts';
import { solve } from '../solve.ts';
import { version } from '../version.ts';
import { within } from './failure.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface ExactOptions {
  readonly histograms: HistogramChoice;
  /** Steps that it may take. */
  readonly budget?: number;
  readonly json?: boolean;
}

export async function exact(file: string, { json, histograms, budget }: ExactOptions): Promise<void> {
  const { scenario, name } = await open(file);
  const result = within(
    () => solve(scenario, budget === undefined ? FULL_BUDGET : budgetOf(budget)),
    'an estimate needs no budget: "warpool run"',
  );
  if (json === true) printJson(exactJson(result, { version: version(), name }));
  else print(exactSheet(result, name, { ...look(process.stdout), histograms }));
}
