/** The command line. What a command needs is loaded when it is called. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { limitCalls } from '#platform/pulse';
import { version } from '../core/version.ts';
import { TABLED } from '../tell/topics.ts';
import { addAbout } from './commands/about.ts';
import { addBattles } from './commands/battles.ts';
import { addCluster } from './commands/cluster.ts';
import { addComparisons } from './commands/comparisons.ts';
import { addEnvironments } from './commands/environments.ts';
import { addGates } from './commands/gates.ts';
import { addOwn } from './commands/own.ts';
import { addPage } from './commands/page.ts';
import { addReports } from './commands/reports.ts';
import { addRollouts } from './commands/rollouts.ts';
import { addSensitivity } from './commands/sensitivity.ts';
import { addStudies } from './commands/studies.ts';
import { examples } from './commands/words.ts';
import { wrappedProgram } from './help.ts';
import { noConfig, ruleLimit, systems } from './options.ts';
import { refuseTwice } from './options-words.ts';

/** Commands that are about shipped systems alone, or about none. */
const BOUND = ['bench', 'columns', 'new', 'queue'];

/** The folder of the documentation: wherever the program is, its package has one. */
const documentation = (): string => dirname(createRequire(import.meta.url).resolve('#docs/tables.md'));

/** The whole command line. Errors are thrown, usage errors as CommanderError. */
export function program(): Command {
  const warpool = wrappedProgram('warpool')
    .description('Simulates battles of tabletop war games by the million, with exact answers beside them.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('"warpool --help" tells what there is')
    .exitOverride();
  const commands = [
    addBattles,
    addComparisons,
    addRollouts,
    addSensitivity,
    addStudies,
    addCluster,
    addReports,
    addPage,
    addGates,
    addEnvironments,
    addOwn,
    addAbout,
  ];
  for (const add of commands) add(warpool);
  for (const command of warpool.commands) {
    if (!BOUND.includes(command.name())) command.addOption(systems()).addOption(noConfig()).addOption(ruleLimit());
    refuseTwice(command);
    command.showHelpAfterError(`"warpool ${command.name()} --help" tells what there is`);
    if (TABLED.includes(command.name()))
      command.addHelpText('after', `\n"warpool columns ${command.name()}" explains the columns of its tables.`);
  }
  warpool.hook('preAction', (_, command) => {
    const { ruleLimit: seconds } = command.opts<{ readonly ruleLimit?: number }>();
    if (seconds !== undefined) limitCalls(seconds);
  });
  const lines = examples(
    'run scenarios/attrition-direct.yaml',
    'exact scenarios/attrition-direct.yaml',
    'replay scenarios/phased-dice-ground.yaml --battle 42',
    'check scenarios/*.yaml',
  );
  return warpool.addHelpText('after', () => `${lines}\n\nDocumentation is in ${documentation()}`);
}
