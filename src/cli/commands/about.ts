/** Commands that tell about scenarios, systems and this machine. */
import type { Command } from 'commander';
import type { BenchOptions } from '../bench.ts';
import type { CheckOptions } from '../check.ts';
import * as option from '../options.ts';
import type { SystemsOptions } from '../systems.ts';
import { examples } from './words.ts';

const BENCH_NOTES = `
Layers: counters (digests and amounts of work, the same everywhere), instructions (per battle, where valgrind is
installed), ratio (time over that of a frozen yardstick, measured on where undecided).
Exit code 1 if a budget is broken.`;

const CHECK_NOTES = `
A file with axes is a sweep, one with expectations a file of these, all others are scenarios. Of a
sweep the scenarios of the first 1000 points are checked. Exit code 2 if a file is refused.`;

function addCheck(to: Command): void {
  to.command('check')
    .summary('validate files without playing')
    .description('Reads scenarios, sweep files and files of expectations and tells what is wrong with them.')
    .argument('<files...>', 'files in YAML or JSON; - reads standard input')
    .addOption(option.json())
    .addHelpText('after', examples('check scenarios/*.yaml examples/*.yaml', 'check army.yaml --json'))
    .addHelpText('after', CHECK_NOTES)
    .action(async (files: string[], options: CheckOptions) => (await import('../check.ts')).check(files, options));
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
      tellSystems(id, options);
    });
}

function addSchema(to: Command): void {
  to.command('schema')
    .summary('print the JSON Schema of a kind of file')
    .description('Prints the JSON Schema of a kind of file, with which editors complete and check such files.')
    .argument('<kind>', 'a system, all for scenarios of any, or expectations')
    .addHelpText('after', examples('schema attrition > attrition.schema.json', 'schema all', 'schema expectations'))
    .action(async (id: string) => {
      const { schema } = await import('../schema.ts');
      schema(id);
    });
}

function addBench(to: Command): void {
  to.command('bench')
    .summary('measure the kernels against a baseline')
    .description('Measures the kernels and compares them with a baseline; with --gate, fails where a budget is broken.')
    .option('--gate', 'fail if a budget is broken')
    .addOption(option.layers())
    .option('--baseline <file>', 'what to compare with (default: the one of the package)')
    .addOption(option.budget())
    .option('--kernels <folder>', 'compiled kernels in the place of the package’s')
    .option('--out <folder>', 'write benchmarks.json (github-action-benchmark), junit.xml, summary.md')
    .option('--update', 'measure a new baseline and write it to the file')
    .option('--history <folder>', 'with --update, keep a record of it')
    .addOption(option.json())
    .addHelpText('after', examples('bench', 'bench --gate --layers counters', 'bench --update --baseline mine.json'))
    .addHelpText('after', BENCH_NOTES)
    .action(async (options: BenchOptions) => (await import('../bench.ts')).bench(options));
}

/** Adds them to the program. */
export function addAbout(to: Command): void {
  for (const add of [addCheck, addSystems, addSchema, addBench]) add(to);
}
