/** `warpool exact` */

import {
  budgetOf,
  type ExactBudget,
  FULL_BUDGET,
  type Graph,
  graphOf,
  solveModel,
  unrolled,
} from '../engines/index.ts';
import { type Opened, opened, type Scenario, toldRules } from '../rules/index.ts';
import { type Given, type Settings, text } from '../rules/setting.ts';
import { BUDGET, solveSync } from '../studies/index.ts';
import {
  exactJson,
  exactly,
  exactSheet,
  grouped,
  inPercent,
  printSheet,
  prismFiles,
  prismLines,
} from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { within } from './failure.ts';
import { checkFolder, writeNew } from './new-folder.ts';
import { histograms, json, type Long, set } from './options.ts';
import { whileTold } from './progress.ts';
import type { Known } from './registry.ts';
import { open } from './source.ts';
import { look, print, printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  set,
  budget: BUDGET,
  histograms,
  prism: text('folder', 'write the chain for the model checkers PRISM and Storm into a new folder'),
  json,
} as const satisfies Settings;

type ExactOptions = Given<typeof ASKED> & Known & Long;

/** The least probability of the round limit with which a chain counts rounds. */
const LIMIT_LEAST = 1e-12;

/** Builds the chain of a scenario, with the round counter where battles reach the round limit. */
function chainOf({ model }: Opened, budget: ExactBudget): Graph {
  const graph = graphOf(model, budget);
  const { limited } = solveModel(model, budget);
  if (limited <= LIMIT_LEAST) return graph;
  const share = inPercent(exactly, limited, 4);
  return unrolled(
    graph,
    model,
    `, because battles reach the round limit (${share} %) and each round has its own states`,
  );
}

/** Writes the chain of a scenario, and says how it is read. */
async function writeChain(scenario: Scenario, folder: string, budget: ExactBudget, options: Long): Promise<void> {
  await checkFolder(folder);
  const play = opened(scenario);
  const made = (): Graph => {
    try {
      return chainOf(play, budget);
    } catch (error) {
      throw toldRules(error, play);
    }
  };
  const instead = 'the answer without files may take less: leave out "--prism"';
  const graph = await whileTold(options, () => within(made, instead));
  const files = prismFiles(graph, play.model);
  await writeNew(folder, files);
  const size = `${grouped(graph.nodes.length)} states, ${grouped(graph.transitions)} transitions`;
  say([`${folder}: ${size}`, ...prismLines(folder, play.model, files)].join('\n'));
}

export async function exact(file: string, options: ExactOptions): Promise<void> {
  const { json, histograms, budget, prism } = options;
  const { scenario, title, label } = await open(file, options);
  const affordable = budget === undefined ? FULL_BUDGET : budgetOf(budget);
  if (prism !== undefined) await writeChain(scenario, prism, affordable, options);
  const instead = 'an estimate needs no budget: "warpool run"';
  const result = await whileTold(options, () => within(() => solveSync(scenario, { budget }), instead));
  if (json === true) printJson(exactJson(result, label));
  else print(printSheet(exactSheet(result, title, histograms), look(process.stdout)));
}

export const command: DeclaredCommand = {
  description: 'Computes the probability of every outcome and the law of every metric, without playing.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [
    examples(
      'exact scenarios/attrition-direct.yaml',
      'exact scenarios/attrition-hunters.yaml --set combatants.0.hp=30 --budget 1e7',
      'exact scenarios/attrition-direct.yaml --set attacker.hp=20 --json',
      'exact scenarios/phased-dice-broadside.yaml --prism broadside',
    ),
  ],
  action: (file: string, options: ExactOptions) => exact(file, options),
};
