/** `warpool replay` */

import { REPLAY, replay } from '../analysis/index.ts';
import { createReplayJson, formatReplay } from '../report/index.ts';
import { getBoundScenario } from '../rules/index.ts';
import type { OptionSpecs, ParsedOptions } from '../rules/option-spec.ts';
import { hashScenario } from '../stats/index.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { openScenarioFile } from './open-scenario.ts';
import { json, set } from './options.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const OPTIONS = {
  set,
  ...REPLAY,
  json,
} as const satisfies OptionSpecs;

type ReplayCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions;

export async function printReplay(file: string, options: ReplayCommandOptions): Promise<void> {
  const { seed, battle, json } = options;
  const { scenario, title, label } = await openScenarioFile(file, options);
  const result = replay(scenario, { seed, battle });
  if (json === true) printJson(createReplayJson(result, label, scenario, hashScenario(scenario)));
  else print(formatReplay(result, title, getBoundScenario(scenario).system, readTextStyle(process.stdout)));
}

export const command: CommandDeclaration = {
  description: 'Simulates one battle of a run again and prints every roll, decision and loss.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [formatExamples('replay scenarios/phased-dice-ground.yaml --seed 1 --battle 42')],
  action: (file: string, options: ReplayCommandOptions) => printReplay(file, options),
};
