/** `warpool find` */

import { FIND, findBattles } from '../analysis/index.ts';
import { createFindJson, formatFindSheet, formatGrouped } from '../report/index.ts';
import { type OptionSpecs, type ParsedOptions, pickOptions, repeated } from '../rules/option-spec.ts';
import { hashScenario } from '../stats/index.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { CommandExit, endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { openScenarioFile } from './open-scenario.ts';
import { json, type LongRunningOptions, set } from './options.ts';
import { createProgressBar, watched } from './progress.ts';
import { type RegistryOptions, selectRegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const OPTIONS = {
  set,
  where: {
    ...repeated('condition', 'condition: "winner=defender && rounds>12"; repeatable: all must hold'),
    required: true,
  },
  ...FIND,
  json,
} as const satisfies OptionSpecs;

type FindCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Prints indices of matching battles; none is a failure, as for grep. */
export async function printMatches(file: string, options: FindCommandOptions, signals: Signals): Promise<void> {
  const { where, seed, json } = options;
  const { scenario, label } = await openScenarioFile(file, options);
  const requested = { where, ...pickOptions(FIND, options) };
  const search = await watched(createProgressBar(options), signals, (watch) =>
    findBattles(scenario, { ...requested, ...watch }),
  );
  if (json === true) printJson(createFindJson(search, label, scenario, hashScenario(scenario), seed));
  else
    print(
      formatFindSheet(
        search,
        { file, seed, set: options.set, ...selectRegistryOptions(options) },
        readTextStyle(process.stdout),
      ),
    );
  endIfStopped(signals, `interrupted after ${formatGrouped(search.examined)} battles`);
  if (search.matches.length === 0) throw new CommandExit(1, `none of ${formatGrouped(search.examined)} battles`);
}

const FIND_NOTES = `
A condition compares outcome (or winner) and metrics with values: = != < <= > >=,
combined by && || ! and parentheses. Quote names that contain spaces.
Exit code 1 if no battle was found.`;

export const command: CommandDeclaration = {
  description: 'Finds battles of a run by outcome and metrics, and prints their indices.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [FIND_NOTES, formatExamples('find scenarios/attrition-direct.yaml --where "winner=defender && rounds>12"')],
  action: (file: string, options: FindCommandOptions) => printMatches(file, options, catchSignals()),
};
