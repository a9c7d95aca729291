/** `warpool exact` */

import { BUDGET, solveSync } from '../analysis/index.ts';
import {
  buildGraph,
  createBudget,
  type ExactBudget,
  FULL_BUDGET,
  type Graph,
  solveModel,
  unrollRounds,
} from '../engines/index.ts';
import {
  createExactJson,
  createExactSheet,
  createPrismFiles,
  formatExact,
  formatGrouped,
  formatPercentNumber,
  formatPrismCommands,
  formatSheet,
} from '../report/index.ts';
import { type BoundScenario, describeRulesError, getBoundScenario, type Scenario } from '../rules/index.ts';
import { type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { runWithBudgetAdvice } from './failure.ts';
import { checkNewFolder, writeNewFolder } from './new-folder.ts';
import { openScenarioFile } from './open-scenario.ts';
import { histograms, json, type LongRunningOptions, set } from './options.ts';
import { runWithProgress } from './progress.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, printStatus, readTextStyle } from './terminal.ts';

const OPTIONS = {
  set,
  budget: BUDGET,
  histograms,
  prism: text('folder', 'write the chain for the model checkers PRISM and Storm into a new folder'),
  json,
} as const satisfies OptionSpecs;

type ExactCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Minimum probability of the round limit above which a chain counts rounds. */
const LIMIT_PROBABILITY_MIN = 1e-12;

/** Builds the chain of a scenario, with a round counter if battles reach the round limit. */
function buildChain({ model }: BoundScenario, budget: ExactBudget): Graph {
  const graph = buildGraph(model, budget);
  const { limited } = solveModel(model, budget);
  if (limited <= LIMIT_PROBABILITY_MIN) return graph;
  const share = formatPercentNumber(formatExact, limited, 4);
  return unrollRounds(
    graph,
    model,
    `, because battles reach the round limit (${share} %) and each round has its own states`,
  );
}

/** Writes the chain of a scenario and prints how to read it. */
async function writeChain(
  scenario: Scenario,
  folder: string,
  budget: ExactBudget,
  options: LongRunningOptions,
): Promise<void> {
  await checkNewFolder(folder);
  const play = getBoundScenario(scenario);
  const buildGraph = (): Graph => {
    try {
      return buildChain(play, budget);
    } catch (error) {
      throw describeRulesError(error, play);
    }
  };
  const instead = 'without "--prism", the exact answer may need less';
  const graph = await runWithProgress(options, () => runWithBudgetAdvice(buildGraph, instead));
  const files = createPrismFiles(graph, play.model);
  await writeNewFolder(folder, files);
  const size = `${formatGrouped(graph.nodes.length)} states, ${formatGrouped(graph.transitions)} transitions`;
  printStatus([`${folder}: ${size}`, ...formatPrismCommands(folder, play.model, files)].join('\n'));
}

export async function printExact(file: string, options: ExactCommandOptions): Promise<void> {
  const { json, histograms, budget, prism } = options;
  const { scenario, title, label } = await openScenarioFile(file, options);
  const affordable = budget === undefined ? FULL_BUDGET : createBudget(budget);
  if (prism !== undefined) await writeChain(scenario, prism, affordable, options);
  const instead = '"warpool run" estimates without a budget';
  const result = await runWithProgress(options, () =>
    runWithBudgetAdvice(() => solveSync(scenario, { budget }), instead),
  );
  if (json === true) printJson(createExactJson(result, label));
  else print(formatSheet(createExactSheet(result, title, histograms), readTextStyle(process.stdout)));
}

export const command: CommandDeclaration = {
  description: 'Computes the probability of every outcome and the distribution of every metric without simulation.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'exact scenarios/attrition-direct.yaml',
      'exact scenarios/attrition-hunters.yaml --set combatants.0.hp=30 --budget 1e7',
      'exact scenarios/attrition-direct.yaml --set attacker.hp=20 --json',
      'exact scenarios/phased-dice-broadside.yaml --prism broadside',
    ),
  ],
  action: (file: string, options: ExactCommandOptions) => printExact(file, options),
};
