/** Commands that tell about scenarios, systems and this machine. */
import { Argument, type Command } from 'commander';
import { COMMANDS } from '../../tell/schemas/commands.ts';
import type { BenchOptions } from '../bench.ts';
import type { CheckOptions } from '../check.ts';
import type { ConformOptions } from '../conform.ts';
import * as option from '../options.ts';
import { parseWord, SHELLS, type Shell } from '../options-words.ts';
import type { Known } from '../registry.ts';
import { KINDS, ofSystem } from '../schema-kinds.ts';
import type { SystemsOptions } from '../systems.ts';
import { examples } from './words.ts';

const BENCH_NOTES = `
Layers: counters (digests and amounts of work, the same everywhere), instructions (per battle, where valgrind is
installed), ratio (time over that of a frozen yardstick, measured on where undecided).
Exit code 1 if a budget is broken and --gate is given.

--against compares with another build of warpool on this machine, without a baseline: both play the same battles in
turns. Exit code 1 if this build is slower (by more than --budget, 1 % unless given) or plays other battles. What cannot
differ is not measured.`;

const CHECK_NOTES = `
A file with axes is a sweep, one with expectations a file of these, all others are scenarios. Of a
sweep the scenarios of the first 1000 points are checked. Exit code 2 if a file is refused.`;

function addCheck(to: Command): void {
  to.command('check')
    .summary('validate files without playing')
    .description('Reads scenarios, sweep files and files of expectations and tells what is wrong with them.')
    .argument('<files...>', 'files in YAML or JSON; - reads standard input')
    .addOption(option.set())
    .addOption(option.json())
    .addHelpText(
      'after',
      examples(
        'check scenarios/*.yaml examples/*.yaml',
        'check scenarios/attrition-direct.yaml --set attacker.hp=20',
        'check scenarios/*.yaml --json',
      ),
    )
    .addHelpText('after', CHECK_NOTES)
    .action(async (files: string[], options: CheckOptions) => (await import('../check.ts')).check(files, options));
}

const CONFORM_NOTES = `
Played are the examples of each system, the scenarios given, and some made from its schema. docs/conform.md tells what
the checks mean. A module is code: it can do all that this program can. Exit code 1 if something is wrong, 2 if a file
cannot be loaded.`;

function addConform(to: Command): void {
  to.command('conform')
    .summary('test battle systems of your own')
    .description(
      'Tests battle systems of your own: rules, dice, keys, metrics, policies, replays, examples; and exact answers, ' +
        'automata and simulation against each other.',
    )
    .argument('<files...>', 'modules that export systems, such as ./my-duel.js, and scenario files in YAML or JSON')
    .addOption(option.seed())
    .option('--quick', 'less of everything: a second or two for a system')
    .option('-v, --verbose', 'also what could not be checked, and why')
    .addOption(option.json())
    .addHelpText(
      'after',
      examples('conform ./my-duel.js', 'conform ./my-duel.js scenarios/*.yaml --quick', 'conform ./my-duel.js --json'),
    )
    .addHelpText('after', CONFORM_NOTES)
    .action(async (files: string[], options: ConformOptions) =>
      (await import('../conform.ts')).conform(files, options),
    );
}

function addSystems(to: Command): void {
  to.command('systems')
    .summary('tell which battle systems there are')
    .description('Tells which battle systems there are, or all about one: outcomes, metrics, fields, policies.')
    .argument('[system]', 'one of them')
    .option('--rules', 'also its rules and where they come from')
    .addOption(option.json())
    .addHelpText('after', examples('systems', 'systems phased-dice', 'systems attrition --rules'))
    .action(async (id: string | undefined, options: SystemsOptions) => {
      const { tellSystems } = await import('../systems.ts');
      await tellSystems(id, options);
    });
}

const SCHEMA_NOTES = `
Kinds:
${[...KINDS, { name: '<system>', also: [], about: `${ofSystem('one system')}; "warpool systems" lists them` }]
  .map(
    ({ name, also, about }) => `${name.padEnd(12)}  ${[about, ...also.map((other) => `also "${other}"`)].join('; ')}`,
  )
  .join('\n')}
What commands print with --json: ${Object.keys(COMMANDS).join(', ')}.`;

function addSchema(to: Command): void {
  to.command('schema')
    .summary('print the JSON Schema of a kind of file')
    .description(
      'Prints the JSON Schema of a kind of file, with which editors complete and check such files; without a kind, ' +
        'lists the kinds.',
    )
    .argument('[kind]', 'one of the kinds below')
    .addHelpText('after', SCHEMA_NOTES)
    .addHelpText(
      'after',
      examples('schema', 'schema scenario', 'schema attrition > attrition.schema.json', 'schema sweep'),
    )
    .action(async (kind: string | undefined, options: Known) => {
      const { schema } = await import('../schema.ts');
      await schema(kind, options);
    });
}

const COMPLETION_NOTES = `
For one shell: eval "$(warpool completion bash)", eval "$(warpool completion zsh)", or
warpool completion fish | source. For all: the same line in ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.`;

function addCompletion(to: Command): void {
  to.command('completion')
    .summary('print a script for completion in a shell')
    .description('Prints a script by which a shell completes commands, options, their words, and files.')
    .addArgument(
      new Argument('<shell>', SHELLS.join(', ')).argParser((value: string) => parseWord(value, SHELLS, 'shell')),
    )
    .addHelpText('after', COMPLETION_NOTES)
    .addHelpText('after', examples('completion bash', 'completion fish > ~/.config/fish/completions/warpool.fish'))
    .action(async (shell: Shell, options: Known) => {
      const { completion } = await import('../completion.ts');
      await completion(shell, to, options);
    });
}

function addBench(to: Command): void {
  to.command('bench')
    .summary('measure the kernels against a baseline, or another build')
    .description('Measures the kernels and compares them with a baseline; with --gate, fails where a budget is broken.')
    .option('--gate', 'fail if a budget is broken')
    .addOption(option.against())
    .addOption(option.layers())
    .option('--baseline <file>', 'what to compare with (default: the one of the package)')
    .addOption(option.budget())
    .option('--kernels <folder>', 'compiled kernels in the place of the package’s')
    .option('--out <folder>', 'write benchmarks.json (github-action-benchmark), junit.xml, summary.md')
    .option('--update', 'measure a new baseline and write it to the file')
    .option('--history <folder>', 'with --update, keep a record of it')
    .addOption(option.json())
    .addHelpText(
      'after',
      examples(
        'bench',
        'bench --gate --layers counters',
        'bench --update --baseline mine.json',
        'bench --against ../base',
      ),
    )
    .addHelpText('after', BENCH_NOTES)
    .action(async (options: BenchOptions) => (await import('../bench.ts')).bench(options));
}

function addColumns(to: Command): void {
  to.command('columns')
    .summary('explain the columns of tables')
    .description('Tells what the columns of printed tables mean: all, or those of one command.')
    .argument('[command]', 'one of the commands that print tables')
    .addHelpText('after', examples('columns', 'columns run'))
    .action(async (command: string | undefined) => {
      const { tellColumns } = await import('../columns.ts');
      tellColumns(command);
    });
}

/** Adds them to the program. */
export function addAbout(to: Command): void {
  for (const add of [addCheck, addConform, addSystems, addSchema, addColumns, addCompletion, addBench]) add(to);
}
