/** The command line. What a command needs, its own options too, is loaded when it is called. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { limitCalls } from '#platform/pulse';
import { version } from '../core/index.ts';
import { TABLED } from '../tell/index.ts';
import { addOptions, type DeclaredCommand, declare, examples } from './command.ts';
import { wrappedProgram } from './help.ts';
import { long, ownRules } from './options.ts';
import { say } from './terminal.ts';

type Load = () => Promise<{ readonly command: DeclaredCommand }>;

/** How each command is called, what it is, and its file. */
const COMMANDS: readonly (readonly [call: string, summary: string, load: Load])[] = [
  ['run <scenario>', 'play many battles and count how they end (Monte Carlo)', () => import('./run.ts')],
  ['exact <scenario>', 'solve a scenario exactly', () => import('./exact.ts')],
  ['solve-cards <scenario>', 'find the best mixture of cards and air tokens', () => import('./solve-cards.ts')],
  ['replay <scenario>', 'tell one battle step by step', () => import('./replay.ts')],
  ['find <scenario>', 'find battles by how they ended', () => import('./find.ts')],
  ['diff-rules <scenario>', 'compare two readings of a scenario on the same dice', () => import('./diff-rules.ts')],
  ['compare <scenarios...>', 'compare and rank scenarios on the same dice', () => import('./compare.ts')],
  ['optimal <scenario>', 'find the best that a player can do', () => import('./optimal.ts')],
  ['sensitivity <scenario>', 'what an outcome or a metric reacts to, ranked', () => import('./sensitivity.ts')],
  ['sweep <sweep>', 'play or solve a scenario over a space of parameters', () => import('./sweep.ts')],
  ['merge <folder> [folders...]', 'complete a sweep that was played in shards', () => import('./merge.ts')],
  ['verify <folder>', 'check the results of a sweep or a kept run, somebody else’s too', () => import('./verify.ts')],
  ['export <folder> <file>', 'write the results of a sweep as CSV', () => import('./export.ts')],
  ['worker <url>', 'play for others: take jobs from a queue', () => import('./worker.ts')],
  ['queue <url> [action]', 'look at a queue, pause or cancel it', () => import('./queue.ts')],
  ['report <folder>', 'make pictures and a page of a sweep', () => import('./report.ts')],
  ['page [scenario]', 'open warpool as a page in a browser', () => import('./serve-page.ts')],
  ['assert <expectations...>', 'check expectations on the balance of scenarios', () => import('./assert.ts')],
  ['balance <scenario>', 'find the values of fields that balance a scenario', () => import('./balance.ts')],
  ['rollout <scenario...>', 'play episodes of environments by a policy', () => import('./rollout.ts')],
  ['manifest <scenario...>', 'write scenarios as an environment for other languages', () => import('./manifest.ts')],
  [
    'serve-rollouts <scenario...>',
    'serve environments to programs in other languages',
    () => import('./serve-rollouts.ts'),
  ],
  ['new <name>', 'begin a battle system of one’s own', () => import('./new.ts')],
  ['check <files...>', 'validate files without playing', () => import('./check.ts')],
  ['conform <files...>', 'test battle systems of your own', () => import('./conform.ts')],
  ['systems [system]', 'tell which battle systems there are', () => import('./systems.ts')],
  ['schema [kind]', 'print the JSON Schema of a kind of file', () => import('./schema.ts')],
  ['columns [command]', 'explain the columns of tables', () => import('./columns.ts')],
  ['completion <shell>', 'print a script for completion in a shell', () => import('./completion.ts')],
  ['bench', 'measure the kernels against a baseline, or another build', () => import('./bench.ts')],
];

/** Commands that are about shipped systems alone, or about none. */
const BOUND = ['bench', 'columns', 'new', 'queue'];

/** Commands that are soon done, go on until they are ended, or have a -q of their own. */
const SHORT = ['bench', 'check', 'columns', 'completion', 'manifest', 'new', 'page', 'queue', 'schema', 'systems'];
const ENDLESS = ['serve-rollouts', 'worker'];

/** The folder of the documentation: wherever the program is, its package has one. */
const documentation = (): string => dirname(createRequire(import.meta.url).resolve('#docs/README.md'));

/** Threads for each core beyond which it is said what they cost. */
const THREADS_A_CORE = 4;

/** Says what more threads than cores are worth. */
function warnOfThreads(workers = 0): void {
  const cores = availableParallelism();
  if (workers <= THREADS_A_CORE * cores) return;
  const here = `there ${cores === 1 ? 'is 1 core' : `are ${String(cores)} cores`}`;
  say(`warpool: --workers ${String(workers)}: ${here}; more threads are no faster, and each takes some 20 MB`);
}

function outermost(): Command {
  const warpool = wrappedProgram('warpool')
    .description(
      'Battle calculator for tabletop war games: dice combat played by the million, with exact odds beside it.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('"warpool --help" tells what there is')
    .exitOverride();
  warpool.hook('preAction', (_, command) => {
    const { ruleLimit: seconds, workers } = command.opts<{ readonly ruleLimit?: number; readonly workers?: number }>();
    if (seconds !== undefined) limitCalls(seconds);
    warnOfThreads(workers);
  });
  const lines = examples(
    'run scenarios/attrition-direct.yaml',
    'exact scenarios/attrition-direct.yaml',
    'replay scenarios/phased-dice-ground.yaml --battle 42',
    'check scenarios/*.yaml',
  );
  return warpool.addHelpText('after', () => `${lines}\n\nDocumentation is in ${documentation()}`);
}

/** Gives a command what its file declares, and what all have. */
function complete(command: Command, declared: DeclaredCommand): void {
  declare(command, declared);
  const name = command.name();
  if (!SHORT.includes(name) && !ENDLESS.includes(name)) addOptions(command, long);
  if (!BOUND.includes(name)) addOptions(command, ownRules);
  command.showHelpAfterError(`"warpool ${name} --help" tells what there is`);
  if (TABLED.includes(name))
    command.addHelpText('after', `\n"warpool columns ${name}" explains the columns of its tables.`);
}

/**
 * The command line. Errors are thrown, usage errors as CommanderError.
 * @param args of a call: the command that they name is loaded, others are names alone; all are unless there are any
 */
export async function program(args?: readonly string[]): Promise<Command> {
  const warpool = outermost();
  const called = args?.filter((arg) => !arg.startsWith('-')).slice(0, 2);
  let whole = args === undefined;
  const rest: [Command, Load][] = [];
  for (const [call, summary, load] of COMMANDS) {
    const command = warpool.command(call).summary(summary);
    if (called?.includes(command.name()) !== true) {
      rest.push([command, load]);
      continue;
    }
    const { command: declared } = await load();
    complete(command, declared);
    whole ||= declared.whole === true;
  }
  if (whole) for (const [command, load] of rest) complete(command, (await load()).command);
  return warpool;
}
