/** `warpool exact` */
import { budgetOf, FULL_BUDGET } from '../exact/budget.ts';
import { exactJson } from '../report/json.ts';
import { exactSheet, type HistogramChoice } from '../report/sheet.ts';
import { solve } from '../running/solve.ts';
import { within } from './failure.ts';
import { open, type Setting } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface ExactOptions extends Setting {
  readonly histograms: HistogramChoice;
  /** Steps that it may take. */
  readonly budget?: number;
  readonly json?: boolean;
}

export async function exact(file: string, options: ExactOptions): Promise<void> {
  const { json, histograms, budget } = options;
  const { scenario, title, label } = await open(file, options);
  const result = within(
    () => solve(scenario, budget === undefined ? FULL_BUDGET : budgetOf(budget)),
    'an estimate needs no budget: "warpool run"',
  );
  if (json === true) printJson(exactJson(result, label));
  else print(exactSheet(result, title, { ...look(process.stdout), histograms }));
}
