/** `warpool equilibrium` */

import { findEquilibriumSync as solve } from '../analysis/index.ts';
import { InputError, PAYOFF_BUDGET, PAYOFF_BUDGET_MAX } from '../core/index.ts';
import { createEquilibriumJson, formatEquilibriumSheet } from '../report/index.ts';
import { PAYOFFS } from '../rules/index.ts';
import { choice, count, flag, type OptionSpecs, type ParsedOptions } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { runWithBudgetAdvice } from './failure.ts';
import { openScenarioFile } from './open-scenario.ts';
import { json, type LongRunningOptions, set } from './options.ts';
import { runWithProgress } from './progress.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const BUDGET_ADVICE = 'give the sides fewer cards or air tokens: each token doubles the sets of its side';

const OPTIONS = {
  set,
  payoff: choice('payoff of the attacker (victory, difference in hit points, capture of the area)', PAYOFFS),
  budget: count(
    1,
    PAYOFF_BUDGET_MAX,
    `maximum number of payoffs to compute (default: ${String(PAYOFF_BUDGET)})`,
    'payoffs',
  ),
  pairs: flag('show the air tokens of all pairs of cards'),
  json,
} as const satisfies OptionSpecs;

type EquilibriumCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

function solveFile(file: string, ...requested: Parameters<typeof solve>): ReturnType<typeof solve> {
  try {
    return solve(...requested);
  } catch (error) {
    if (!(error instanceof InputError) || error.place !== 'system') throw error;
    throw new InputError(`${file} system`, error.expected, error.found);
  }
}

export async function printEquilibrium(file: string, options: EquilibriumCommandOptions): Promise<void> {
  const { payoff, budget, pairs, json } = options;
  const { scenario, title, label } = await openScenarioFile(file, options);
  const solution = await runWithProgress(options, () =>
    runWithBudgetAdvice(() => solveFile(file, scenario, { payoff, budget }), BUDGET_ADVICE),
  );
  if (json === true) printJson(createEquilibriumJson(solution, label));
  else print(formatEquilibriumSheet(solution, title, readTextStyle(process.stdout), pairs));
}

const EQUILIBRIUM_NOTES = `
Both sides choose a card simultaneously, see both cards, and choose air tokens simultaneously.
A policy loses the difference between the value of the game and the value against an enemy that knows the policy and
chooses the best card and the best tokens. If several mixed strategies are optimal, one is shown.`;

export const command: CommandDeclaration = {
  description:
    'Solves the secret choice of cards, and of air tokens once both cards are known, as a game (strength-cards only).',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'equilibrium scenarios/strength-cards-bluff.yaml --payoff hp-difference',
      'equilibrium scenarios/strength-cards-island.yaml --payoff hp-difference --pairs',
    ),
    EQUILIBRIUM_NOTES,
  ],
  action: (file: string, options: EquilibriumCommandOptions) => printEquilibrium(file, options),
};
