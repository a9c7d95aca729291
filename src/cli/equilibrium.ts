/** `warpool equilibrium` */

import { extname, join } from 'node:path';
import { BEST_RESPONSE_BUDGET, GAME_STEPS_MAX, InputError } from '../core/index.ts';
import { checkOutput, checkOutputFolder, writeText } from '../core/node.ts';
import {
  type ExportedGame,
  exportGame,
  findEquilibriumSync as find,
  GAME_FORMATS,
  type GameFormat,
  type Reward,
} from '../environments/index.ts';
import { createEquilibriumJson, createEquilibriumSheet, formatGrouped, formatSheet } from '../report/index.ts';
import { count, list, type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { addFileToErrors, runWithBudgetAdvice } from './failure.ts';
import { openScenarioFile } from './open-scenario.ts';
import { json, type LongRunningOptions, set } from './options.ts';
import { runWithProgress } from './progress.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, printStatus, readTextStyle } from './terminal.ts';
import { quoteShellWord } from './write-html.ts';
import { writePolicy } from './write-policy.ts';

export const EQUILIBRIUM_ADVICE = 'fewer decision points (--decisions) or fewer units make it smaller';

/** Reads the name of a reward, or a table. */
function readReward(given: string, place: string): Reward {
  if (!given.trimStart().startsWith('{')) return given;
  try {
    return JSON.parse(given) as Reward;
  } catch {
    throw new InputError(place, 'a name, or JSON such as {"attacker": {"metrics": {"rounds": 1}}}', given);
  }
}

/** Options of the game. */
export const EQUILIBRIUM = {
  reward: {
    ...{
      about: 'reward of the first player: win (1, -1 or 0), another reward of the system, or a table by player as JSON',
      value: '<name>',
      read: readReward,
    },
    default: 'win',
  },
  decisions: list(
    'decision points of the game, joined by commas; the policies make the other decisions (default: all)',
  ),
  budget: count(
    1,
    GAME_STEPS_MAX,
    `maximum number of steps (default: ${String(BEST_RESPONSE_BUDGET)}, about 2 minutes and 1 GB of memory)`,
    'steps',
  ),
} as const satisfies OptionSpecs;

/** Selects the options of the library. */
export const parseEquilibriumOptions = ({ reward, decisions, budget }: ParsedOptions<typeof EQUILIBRIUM>) => ({
  ...{ reward, decisions, budget },
});

const OPTIONS = {
  set,
  ...EQUILIBRIUM,
  out: text('folder', 'write the policies of the equilibrium to <player>.json in this folder'),
  export: text('file', 'also write the game for other solvers: .efg (Gambit, OpenSpiel) or .prism (PRISM-games)'),
  json,
} as const satisfies OptionSpecs;

type EquilibriumCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Returns the format of a file by its extension. */
function getGameFormat(path: string): GameFormat {
  const format = GAME_FORMATS.find((each) => extname(path).toLowerCase() === `.${each}`);
  if (format !== undefined) return format;
  throw new InputError('--export', 'a file that ends in .efg or .prism', `"${path}"`);
}

/** Formats a command that computes the value of the game. */
function formatSolverCommand(path: string, { format, property = '', offset }: ExportedGame): string {
  const quoted = quoteShellWord(path);
  if (format === 'efg') return `gambit-lp ${quoted}`;
  const note = offset === 0 ? '' : `; subtract ${String(-offset)} from the result`;
  return `prism ${quoted} -pf '${property}'${note}`;
}

export async function printEquilibrium(file: string, options: EquilibriumCommandOptions): Promise<void> {
  const { out, json, export: path } = options;
  const format = path === undefined ? undefined : getGameFormat(path);
  if (path !== undefined) await checkOutput(path, '--export', [file]);
  if (out !== undefined) await checkOutputFolder(out, '--out');
  const { scenario, title, label } = await openScenarioFile(file, options);
  const game = parseEquilibriumOptions(options);
  if (path !== undefined) {
    const instead = 'without "--export", the equilibrium may need less';
    const exported = await runWithProgress(options, () =>
      runWithBudgetAdvice(() => exportGame(scenario, { format, ...game }), instead),
    );
    await writeText(path, exported.text);
    const unit = format === 'efg' ? 'nodes' : 'positions';
    printStatus(`${path}: ${formatGrouped(exported.size)} ${unit}\n${formatSolverCommand(path, exported)}`);
  }
  const requested = { ...game, policyTable: out !== undefined };
  const solution = await runWithProgress(options, () =>
    addFileToErrors(file, () => runWithBudgetAdvice(() => find(scenario, requested), EQUILIBRIUM_ADVICE)),
  );
  if (json === true) printJson(createEquilibriumJson(solution, label));
  else print(formatSheet(createEquilibriumSheet(solution, title), readTextStyle(process.stdout)));
  if (out === undefined) return;
  for (const { player, policyTable } of solution.players)
    if (policyTable !== undefined) await writePolicy(join(out, `${player}.json`), policyTable);
}

const EQUILIBRIUM_NOTES = `
Both players know the rules and the state, and play optimally. Choices that the other player does not see before its
own next choice are simultaneous. The exploitability of a policy is the value of the game minus the value of the policy
against the best response to it (docs/explanation/equilibrium.md).`;

export const command: CommandDeclaration = {
  description:
    'Computes the value of a battle under optimal play of both players, and the exploitability of their policies.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'equilibrium scenarios/strength-cards-bluff.yaml --reward hp',
      'equilibrium scenarios/strength-cards-island.yaml --reward hp --decisions card,air',
      'equilibrium scenarios/phased-dice-fleet.yaml --out policies',
      'equilibrium scenarios/phased-dice-fleet.yaml --json',
      'equilibrium scenarios/strength-cards-bluff.yaml --reward hp --export bluff.efg',
    ),
    EQUILIBRIUM_NOTES,
  ],
  action: (file: string, options: EquilibriumCommandOptions) => printEquilibrium(file, options),
};
