/** `warpool best-response` */

import { BEST_RESPONSE_BUDGET, GAME_STEPS_MAX, InputError } from '../core/index.ts';
import { checkOutput } from '../core/node.ts';
import { findBestResponseSync as find } from '../environments/index.ts';
import { createBestResponseJson, createBestResponseSheet, formatSheet } from '../report/index.ts';
import { getBoundScenario } from '../rules/index.ts';
import { count, list, type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { EQUILIBRIUM } from './equilibrium.ts';
import { addFileToErrors, runWithBudgetAdvice } from './failure.ts';
import { openScenarioFile } from './open-scenario.ts';
import { html, json, type LongRunningOptions, set } from './options.ts';
import { runWithProgress } from './progress.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';
import { checkHtmlPath, createPageSubject, writeHtml } from './write-html.ts';
import { writePolicy } from './write-policy.ts';

const BUDGET_ADVICE = 'fewer decision points (--decisions) or fewer units make it smaller';

const NO_DECISIONS = 'these rules have no decisions; use "warpool exact" or "warpool run" for the value of a battle';

const OPTIONS = {
  set,
  agent: text('player', 'player to optimize (default: the first player)'),
  reward: {
    ...EQUILIBRIUM.reward,
    about: 'reward to maximize: win (1, -1 or 0), another reward of the system, or a table by player as JSON',
  },
  decisions: list('decision points to optimize, joined by commas; its policy makes the other decisions (default: all)'),
  budget: count(
    1,
    GAME_STEPS_MAX,
    `maximum number of steps (default: ${String(BEST_RESPONSE_BUDGET)}, about 2 minutes and 1 GB of memory)`,
    'steps',
  ),
  out: text('file', 'write the optimal policy to this file in JSON'),
  html,
  json,
} as const satisfies OptionSpecs;

type BestResponseCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

export async function printBestResponse(file: string, options: BestResponseCommandOptions): Promise<void> {
  const { agent, reward, decisions, budget, out, html, json } = options;
  await checkHtmlPath(html);
  if (out !== undefined) {
    if (!out.endsWith('.json')) throw new InputError('--out', 'a file that ends in .json', `"${out}"`);
    await checkOutput(out, '--out', [file]);
  }
  const { scenario, title, label } = await openScenarioFile(file, options);
  const instead = getBoundScenario(scenario).system.decisions.length === 0 ? NO_DECISIONS : BUDGET_ADVICE;
  const seek = () =>
    addFileToErrors(file, () =>
      runWithBudgetAdvice(
        () => find(scenario, { agent, reward, decisions, budget, policyTable: out !== undefined }),
        instead,
      ),
    );
  const found = await runWithProgress(options, seek);
  if (json === true) printJson(createBestResponseJson(found, label));
  else print(formatSheet(createBestResponseSheet(found, title), readTextStyle(process.stdout)));
  if (out !== undefined && found.policyTable !== undefined) await writePolicy(out, found.policyTable);
  if (html === undefined) return;
  const { renderBestResponsePage } = await import('../report/html/commands/best-response.ts');
  await writeHtml(
    html,
    await renderBestResponsePage(found, createPageSubject(title, 'best-response', [file], options)),
  );
}

const BEST_RESPONSE_NOTES = `
The optimal policy knows the policies of all other players, but not their secret choices. No policy of the player has a
higher value. The sum of visits times losses over all states is the value that the policy of the player loses
(docs/explanation/best-response.md).`;

export const command: CommandDeclaration = {
  description:
    'Computes the value of a battle for one player under optimal play, and the states in which its policy loses value.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  libraryNames: { agents: 'agent' },
  notes: [
    formatExamples(
      'best-response scenarios/phased-dice-last-stand.yaml',
      'best-response scenarios/phased-dice-great-wall.yaml --decisions retreat --out policy.json',
      'best-response scenarios/phased-dice-last-stand.yaml --agent defender --json',
    ),
    BEST_RESPONSE_NOTES,
  ],
  action: (file: string, options: BestResponseCommandOptions) => printBestResponse(file, options),
};
