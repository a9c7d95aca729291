/** Command line. Each command and its dependencies are loaded when it is called. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { setCallLimit } from '#platform/heartbeat';
import { version } from '../core/index.ts';
import { COMMANDS_WITH_TABLES } from '../report/index.ts';
import { addOptions, type CommandDeclaration, declareCommand, formatExamples } from './command.ts';
import { createWrappedProgram } from './help.ts';
import { customRules, longRunning } from './options.ts';
import { printStatus } from './terminal.ts';

type CommandLoader = () => Promise<{ readonly command: CommandDeclaration }>;

/** Usage, summary and file of each command. */
const COMMANDS: readonly (readonly [call: string, summary: string, load: CommandLoader])[] = [
  ['run <scenario>', 'simulate many battles and estimate outcome probabilities', () => import('./run.ts')],
  ['exact <scenario>', 'compute exact probabilities without simulation', () => import('./exact.ts')],
  ['equilibrium <scenario>', 'find the value under optimal play of both players', () => import('./equilibrium.ts')],
  [
    'exploitability <scenario>',
    'compute the gain of a best response to each policy',
    () => import('./exploitability.ts'),
  ],
  ['grade [task] [policy]', 'grade a policy in a task with known optimum', () => import('./grade.ts')],
  ['replay <scenario>', 'show one battle step by step', () => import('./replay.ts')],
  ['find <scenario>', 'find battles by outcome or metrics', () => import('./find.ts')],
  [
    'compare-rules <scenario>',
    'compare two readings of the rules on common random numbers',
    () => import('./compare-rules.ts'),
  ],
  ['compare <scenarios...>', 'compare and rank scenarios on common random numbers', () => import('./compare.ts')],
  ['best-response <scenario>', 'find the best policy of one player', () => import('./best-response.ts')],
  ['sensitivity <scenario>', 'rank fields by their effect on an outcome or a metric', () => import('./sensitivity.ts')],
  ['sweep <sweep>', 'simulate or solve a scenario over a parameter space', () => import('./sweep.ts')],
  ['matchup <roster>', 'compute the payoff of every army against every other', () => import('./matchup.ts')],
  ['merge <folder> [folders...]', 'merge the shards of a sweep', () => import('./merge.ts')],
  ['verify <folder>', 'check the results of a sweep or a resumable run', () => import('./verify.ts')],
  ['export <folder> <file>', 'write the results of a sweep as CSV', () => import('./export.ts')],
  ['worker <url>', 'run jobs from a queue', () => import('./worker.ts')],
  ['queue <url> [action]', 'show, pause, resume or cancel a queue', () => import('./queue.ts')],
  ['report <folder>', 'write a report with figures of a sweep', () => import('./report.ts')],
  ['app [scenario]', 'open the web app in a browser', () => import('./app.ts')],
  ['assert <expectations...>', 'check expectations of scenarios', () => import('./assert.ts')],
  ['balance <scenario>', 'find field values that balance a scenario', () => import('./balance.ts')],
  ['fit <scenario> <observations>', 'estimate fields from observed battles', () => import('./fit.ts')],
  ['rollout <scenario...>', 'simulate episodes of environments with a policy', () => import('./rollout.ts')],
  ['manifest <scenario...>', 'write an environment manifest for other languages', () => import('./manifest.ts')],
  ['new <name>', 'create a custom battle system', () => import('./new.ts')],
  ['check <files...>', 'validate files', () => import('./check.ts')],
  ['conform <files...>', 'test custom battle systems', () => import('./conform.ts')],
  ['systems [system]', 'list battle systems', () => import('./systems.ts')],
  ['schema [kind]', 'print the JSON Schema of a kind of file', () => import('./schema.ts')],
  ['columns [command]', 'explain the columns of tables', () => import('./columns.ts')],
  ['completion <shell>', 'print a completion script for a shell', () => import('./completion.ts')],
  ['bench', 'compare kernel speed with a baseline or another build', () => import('./bench.ts')],
];

/** Commands without custom systems. */
const COMMANDS_WITHOUT_SYSTEMS = [
  'bench',
  'compare kernel speed with a baseline or another build',
  'grade',
  'new',
  'queue',
];

/** Commands that are short, endless, or have another option -q. */
const SHORT_COMMANDS = [
  'app',
  'bench',
  'check',
  'columns',
  'completion',
  'manifest',
  'new',
  'queue',
  'schema',
  'systems',
];
const ENDLESS_COMMANDS = ['worker'];

/** Finds the documentation folder of the program's package. */
const findDocumentation = (): string => dirname(createRequire(import.meta.url).resolve('#docs/README.md'));

/** Threads per core beyond which a warning is printed. */
const THREADS_PER_CORE = 4;

/** Warns of more threads than cores. */
function warnOfThreads(workers = 0): void {
  const cores = availableParallelism();
  if (workers <= THREADS_PER_CORE * cores) return;
  const here = `this machine has ${cores === 1 ? '1 core' : `${String(cores)} cores`}`;
  printStatus(`warpool: --workers ${String(workers)}: ${here}; more threads are not faster, and each uses about 20 MB`);
}

function createOutermost(): Command {
  const warpool = createWrappedProgram('warpool')
    .description(
      'Battle calculator for tabletop war games: fast simulation of dice combat, and exact odds where feasible.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('Run "warpool --help" to list commands.')
    .exitOverride();
  warpool.hook('preAction', (_, command) => {
    const { ruleLimit: seconds, workers } = command.opts<{ readonly ruleLimit?: number; readonly workers?: number }>();
    if (seconds !== undefined) setCallLimit(seconds);
    warnOfThreads(workers);
  });
  const lines = formatExamples(
    'run scenarios/attrition-direct.yaml',
    'exact scenarios/attrition-direct.yaml',
    'replay scenarios/phased-dice-ground.yaml --battle 42',
    'check scenarios/*.yaml',
  );
  return warpool.addHelpText('after', () => `${lines}\n\nDocumentation is in ${findDocumentation()}`);
}

/** Adds the declared and the common options to a command. */
function completeCommand(command: Command, declared: CommandDeclaration): void {
  declareCommand(command, declared);
  const name = command.name();
  if (!SHORT_COMMANDS.includes(name) && !ENDLESS_COMMANDS.includes(name)) addOptions(command, longRunning);
  if (!COMMANDS_WITHOUT_SYSTEMS.includes(name)) addOptions(command, customRules);
  command.showHelpAfterError(`Run "warpool ${name} --help" to list options.`);
  if (COMMANDS_WITH_TABLES.includes(name))
    command.addHelpText('after', `\n"warpool columns ${name}" explains the columns of its tables.`);
}

/**
 * Creates the command line. Errors are thrown, usage errors as CommanderError.
 * @param args of a call: only the command that they name is loaded; without arguments, all commands are
 */
export async function createProgram(args?: readonly string[]): Promise<Command> {
  const warpool = createOutermost();
  const called = args?.filter((arg) => !arg.startsWith('-')).slice(0, 2);
  let whole = args === undefined;
  const rest: [Command, CommandLoader][] = [];
  for (const [call, summary, load] of COMMANDS) {
    const command = warpool.command(call).summary(summary);
    if (called?.includes(command.name()) !== true) {
      rest.push([command, load]);
      continue;
    }
    const { command: declared } = await load();
    completeCommand(command, declared);
    whole ||= declared.readsAllCommands === true;
  }
  if (whole) for (const [command, load] of rest) completeCommand(command, (await load()).command);
  return warpool;
}
