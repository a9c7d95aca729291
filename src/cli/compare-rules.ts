/** `warpool compare-rules` */

import { COMPARE_RULES, compareRules as compare, THREADS } from '../analysis/index.ts';
import { createRulesComparisonJson, createRulesComparisonSheet, formatGrouped, formatSheet } from '../report/index.ts';
import { applyChangesOfFiles } from '../rules/index.ts';
import { type OptionSpecs, type ParsedOptions, pickOptions, several } from '../rules/option-spec.ts';
import { hashScenario } from '../stats/index.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { endIfStopped, toStopError } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { openScenarioFile } from './open-scenario.ts';
import { json, type LongRunningOptions } from './options.ts';
import { createProgressBar, watched } from './progress.ts';
import { type RegistryOptions, selectRegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const OPTIONS = {
  set: { ...several('path=value', 'fields to change, with their new values'), required: true },
  ...COMPARE_RULES,
  ...THREADS,
  json,
} as const satisfies OptionSpecs;

type CompareRulesCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

export async function printRulesComparison(
  file: string,
  options: CompareRulesCommandOptions,
  signals: Signals,
): Promise<void> {
  const { set, json } = options;
  const { scenario, name } = await openScenarioFile(file, selectRegistryOptions(options));
  const changed = await applyChangesOfFiles(scenario, set);
  const requested = { ...pickOptions(COMPARE_RULES, options), ...pickOptions(THREADS, options) };
  const difference = await watched(createProgressBar(options), signals, (watch) =>
    compare(scenario, changed, { ...requested, ...watch }),
  ).catch((error: unknown) => {
    toStopError(error, signals);
  });
  const hashes = [hashScenario(scenario), hashScenario(changed)] as const;
  if (json === true) printJson(createRulesComparisonJson(difference, { name }, scenario, hashes, set));
  else print(formatSheet(createRulesComparisonSheet(difference, name, set), readTextStyle(process.stdout)));
  endIfStopped(signals, `interrupted after ${formatGrouped(difference.battles)} battles`);
}

export const command: CommandDeclaration = {
  description:
    'Simulates a scenario with and without changed fields on the same dice (common random numbers), and compares the results.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [formatExamples('compare-rules scenarios/attrition-hunters.yaml --set massDivisor=n-1')],
  action: (file: string, options: CompareRulesCommandOptions) => printRulesComparison(file, options, catchSignals()),
};
