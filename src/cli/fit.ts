/** `warpool fit` */

import { FIT, fitFields } from '../analysis/index.ts';
import { readObservations } from '../analysis/node.ts';
import { createFitJson, createFitSheet, formatSheet } from '../report/index.ts';
import { getBoundScenario } from '../rules/index.ts';
import { type OptionSpecs, type ParsedOptions, pickOptions, several } from '../rules/option-spec.ts';
import { parseVariedField } from './balance.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { addBudgetAdvice } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { openScenarioFile } from './open-scenario.ts';
import { json, type LongRunningOptions, set } from './options.ts';
import { createProgressBar, watched } from './progress.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const OPTIONS = {
  set,
  vary: {
    ...several('path=low..high', 'fields to estimate; the range is optional'),
    required: true,
  },
  ...FIT,
  json,
} as const satisfies OptionSpecs;

type FitCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

async function printFit(file: string, data: string, options: FitCommandOptions, signals: Signals): Promise<void> {
  const { scenario, title, label } = await openScenarioFile(file, options);
  const observations = await readObservations(data, getBoundScenario(scenario).shape);
  const requested = { ...pickOptions(FIT, options), vary: options.vary.map(parseVariedField) };
  const result = await watched(createProgressBar(options), signals, (watch) =>
    fitFields(scenario, observations, { ...requested, ...watch }),
  ).catch((error: unknown) => {
    throw addBudgetAdvice(error, '"--exact never" simulates battles instead');
  });
  if (options.json === true) printJson(createFitJson(result, label));
  else print(formatSheet(createFitSheet(result, title), readTextStyle(process.stdout)));
}

const FIT_NOTES = `
The file of observations is a CSV file with a column "outcome", columns of metrics such as "rounds", and optionally a
column "count" with numbers of battles. All combinations of the field values are examined.`;

export const command: CommandDeclaration = {
  description: 'Estimates fields of a scenario from observed battles, with 95 % intervals and a test of the model.',
  parameters: [SCENARIO, 'CSV file of observed battles; - reads standard input'],
  settings: OPTIONS,
  notes: [
    formatExamples('fit scenarios/attrition-direct.yaml examples/observed-battles.csv --vary attacker.hp=10..40'),
    FIT_NOTES,
  ],
  action: (file: string, data: string, options: FitCommandOptions) => printFit(file, data, options, catchSignals()),
};
