/** `warpool exact` */
import { budgetOf, type ExactBudget, FULL_BUDGET } from '../engines/exact/budget.ts';
import { graphOf } from '../engines/exact/chain.ts';
import { toldRules } from '../rules/guard.ts';
import { opened } from '../rules/opened.ts';
import type { Scenario } from '../rules/system.ts';
import { solve } from '../studies/solve.ts';
import { exactJson } from '../tell/json.ts';
import { prismFiles, prismLines } from '../tell/prism.ts';
import { exactSheet, type HistogramChoice } from '../tell/sheet.ts';
import { grouped } from '../tell/text/digits.ts';
import { within } from './failure.ts';
import { checkFolder, writeNew } from './new-folder.ts';
import { open, type Setting } from './source.ts';
import { look, print, printJson, say } from './terminal.ts';

export interface ExactOptions extends Setting {
  readonly histograms: HistogramChoice;
  /** Steps that it may take. */
  readonly budget?: number;
  /** A folder for the chain in the formats of model checkers. */
  readonly prism?: string;
  readonly json?: boolean;
}

/** Writes the chain of a scenario, and says how it is read. */
async function writeChain(scenario: Scenario, folder: string, budget: ExactBudget): Promise<void> {
  await checkFolder(folder);
  const play = opened(scenario);
  const graph = within(() => {
    try {
      return graphOf(play.model, budget);
    } catch (error) {
      throw toldRules(error, play);
    }
  }, 'the answer without files may take less: leave out "--prism"');
  await writeNew(folder, prismFiles(graph, play.model));
  const size = `${grouped(graph.nodes.length)} states, ${grouped(graph.transitions)} transitions`;
  say([`${folder}: ${size}`, ...prismLines(folder, play.model)].join('\n'));
}

export async function exact(file: string, options: ExactOptions): Promise<void> {
  const { json, histograms, budget, prism } = options;
  const { scenario, title, label } = await open(file, options);
  const affordable = budget === undefined ? FULL_BUDGET : budgetOf(budget);
  if (prism !== undefined) await writeChain(scenario, prism, affordable);
  const result = within(() => solve(scenario, affordable), 'an estimate needs no budget: "warpool run"');
  if (json === true) printJson(exactJson(result, label));
  else print(exactSheet(result, title, { ...look(process.stdout), histograms }));
}
