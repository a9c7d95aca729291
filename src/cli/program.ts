/** The commands, their options and their help. What a command needs is loaded when it is called. */
import { Command } from 'commander';
import type { BenchOptions } from './bench.ts';
import type { CompareOptions } from './compare.ts';
import type { DiffOptions } from './diff-rules.ts';
import type { ExactOptions } from './exact.ts';
import type { FindOptions } from './find.ts';
import { catchSignals } from './interrupt.ts';
import * as option from './options.ts';
import type { TellOptions } from './replay.ts';
import type { RunOptions } from './run.ts';
import type { SolveCardsOptions } from './solve-cards.ts';
import type { SystemsOptions } from './systems.ts';
import { version } from './version.ts';

const SCENARIO = 'scenario file in YAML or JSON; - reads standard input';

const RUN_NOTES = `
z is how many standard errors an estimate is off the exact value: beyond 4 it is
marked with !; in brackets it means little, for what is counted is too rare.
With --precision the run is looked at after fixed numbers of battles, and its last intervals
hold although it ended where they were narrow (docs/statistics.md). If --battles comes first,
the table is followed by "precision not reached", on standard error too, and the exit code is
still 0: in scripts read "reached" under "stopping" of --json.
Ctrl-C ends the run and shows what was played; a second Ctrl-C quits at once.`;

const FIND_NOTES = `
A condition compares outcome (or winner) and metrics with values: = != < <= > >=,
combined by && || ! and parentheses; names with blanks stand in quotes.
Exit code 1 if no battle was found.`;
const COMPARE_NOTES = `
Battle i of a seed rolls the same dice in every scenario, so differences are
paired. Where an interval holds 0, no difference was found at this size.
Exact answers stand beside the estimates, and decide, where all are affordable.`;
const CARDS_NOTES = `
A policy gives away what an enemy who knows it can win over the value of the game.
Where several mixtures are equally good, one of them is shown.`;

const BENCH_NOTES = `
Layers: counters (digests and amounts of work, the same everywhere), instructions (per battle, where valgrind is
installed), ratio (time over that of a frozen yardstick, measured on where undecided).
Exit code 1 if a budget is broken.`;

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ warpool ${line}`).join('\n')}`;
}

function addRun(to: Command): void {
  to.command('run')
    .summary('play many battles and count how they end')
    .description('Plays many battles of a scenario and tells how they end, with intervals.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.battlesOrMost())
    .addOption(option.precision())
    .addOption(option.precisionOf())
    .addOption(option.seed())
    .addOption(option.from())
    .addOption(option.workers())
    .addOption(option.engine())
    .addOption(option.exact())
    .addOption(option.histograms())
    .addOption(option.coverage())
    .addOption(option.json())
    .option('-q, --quiet', 'no progress bar')
    .addHelpText(
      'after',
      examples(
        'run scenarios/attrition-direct.yaml',
        'run scenarios/attrition-mass.yaml --battles 1e8 --seed 7 --workers 4',
        'run scenarios/phased-dice-ground.yaml --precision 0.001',
        'run scenarios/attrition-direct.yaml --precision 0.01 --precision-of rounds --battles 1e8',
        'run army.yaml --json > result.json',
      ),
    )
    .addHelpText('after', RUN_NOTES)
    .action(async (file: string, options: RunOptions) => {
      const signals = catchSignals();
      const { run } = await import('./run.ts');
      await run(file, options, signals);
    });
}

function addExact(to: Command): void {
  to.command('exact')
    .summary('solve a scenario exactly')
    .description('Computes the probability of every outcome and the law of every metric, without playing.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.histograms())
    .addOption(option.json())
    .addHelpText('after', examples('exact scenarios/attrition-direct.yaml', 'exact army.yaml --json'))
    .action(async (file: string, options: ExactOptions) => (await import('./exact.ts')).exact(file, options));
}

function addSolveCards(to: Command): void {
  to.command('solve-cards')
    .summary('find the best mixture of cards and air tokens')
    .description('Solves the secret choice of a card and air tokens as a game; for scenarios of strength-cards.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.payoff())
    .addOption(option.json())
    .addHelpText('after', examples('solve-cards scenarios/strength-cards-bluff.yaml --payoff hp-difference'))
    .addHelpText('after', CARDS_NOTES)
    .action(async (file: string, options: SolveCardsOptions) => {
      const { solveCards } = await import('./solve-cards.ts');
      await solveCards(file, options);
    });
}

function addCheck(to: Command): void {
  to.command('check')
    .summary('validate scenario files without playing')
    .description('Reads scenario files and tells what is wrong with them, if anything is.')
    .argument('<scenarios...>', SCENARIO)
    .addHelpText('after', examples('check scenarios/*.yaml'))
    .action(async (files: string[]) => (await import('./check.ts')).check(files));
}

function addReplay(to: Command): void {
  to.command('replay')
    .summary('tell one battle step by step')
    .description('Plays one battle of a run again and tells it: every roll, decision and loss.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.seed())
    .addOption(option.battle())
    .addOption(option.json())
    .addHelpText('after', examples('replay scenarios/phased-dice-ground.yaml --seed 1 --battle 42'))
    .action(async (file: string, options: TellOptions) => (await import('./replay.ts')).tell(file, options));
}

function addFind(to: Command): void {
  to.command('find')
    .summary('find battles by how they ended')
    .description('Looks through the battles of a run for those that ended in a certain way, and tells their indices.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.where())
    .addOption(option.limit())
    .addOption(option.battles())
    .addOption(option.seed())
    .addOption(option.from())
    .addOption(option.json())
    .addHelpText('after', FIND_NOTES)
    .addHelpText('after', examples('find scenarios/attrition-direct.yaml --where "winner=defender && rounds>12"'))
    .action(async (file: string, options: FindOptions) => {
      const signals = catchSignals();
      const { find } = await import('./find.ts');
      await find(file, options, signals);
    });
}

function addDiffRules(to: Command): void {
  to.command('diff-rules')
    .summary('compare two readings of a scenario on the same dice')
    .description('Plays a scenario as it is and with some fields changed, on the same streams, and compares them.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(option.battles())
    .addOption(option.seed())
    .addOption(option.json())
    .addHelpText('after', examples('diff-rules scenarios/attrition-hunters.yaml --set massDivisor=n'))
    .action(async (file: string, options: DiffOptions) => {
      const signals = catchSignals();
      const { diffRules } = await import('./diff-rules.ts');
      await diffRules(file, options, signals);
    });
}

function addCompare(to: Command): void {
  to.command('compare')
    .summary('compare and rank scenarios on the same dice')
    .description('Plays two or more scenarios of one system on the same streams, compares and ranks them.')
    .argument('<scenarios...>', SCENARIO)
    .addOption(option.of())
    .addOption(option.battlesTogether())
    .addOption(option.seed())
    .addOption(option.from())
    .addOption(option.json())
    .addHelpText('after', COMPARE_NOTES)
    .addHelpText('after', examples('compare a.yaml b.yaml', 'compare armies/*.yaml --of defender --battles 1e6'))
    .action(async (files: string[], options: CompareOptions) => {
      const signals = catchSignals();
      const { compareFiles } = await import('./compare.ts');
      await compareFiles(files, options, signals);
    });
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
      const { tellSystems } = await import('./systems.ts');
      tellSystems(id, options);
    });
}

function addSchema(to: Command): void {
  to.command('schema')
    .summary('print the JSON Schema of a system')
    .description('Prints the JSON Schema of a system’s scenario files, with which editors complete and check them.')
    .argument('<system>', 'a system, or all')
    .addHelpText('after', examples('schema attrition > attrition.schema.json', 'schema all'))
    .action(async (id: string) => {
      const { schema } = await import('./schema.ts');
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
    .action(async (options: BenchOptions) => (await import('./bench.ts')).bench(options));
}

/** The whole command line. Errors are thrown, usage errors as CommanderError. */
export function program(): Command {
  const warpool = new Command('warpool')
    .description('Simulates battles of tabletop war games by the million, with exact answers beside them.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('"warpool --help" tells what there is')
    .exitOverride();
  for (const add of [
    addRun,
    addExact,
    addSolveCards,
    addCheck,
    addReplay,
    addFind,
    addDiffRules,
    addCompare,
    addSystems,
    addSchema,
    addBench,
  ])
    add(warpool);
  for (const command of warpool.commands) {
    command.showHelpAfterError(`"warpool ${command.name()} --help" tells what there is`);
  }
  return warpool.addHelpText(
    'after',
    examples(
      'run scenarios/attrition-direct.yaml',
      'exact scenarios/attrition-direct.yaml',
      'replay scenarios/phased-dice-ground.yaml --battle 42',
      'check scenarios/*.yaml',
    ),
  );
}
