/** Commands about the balance of a game: what it must be, and how it is reached. */
import { type Command, Option } from 'commander';
import { parseCount, parseSeed } from '../../chance/seed.ts';
import { MAX_BATTLES } from '../../chance/stream.ts';
import type { AssertOptions } from '../assert.ts';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import { examples } from './words.ts';

const ASSERT_NOTES = `
An expectation holds, fails, or is undecided within its battles. Exact answers decide where they
are affordable; otherwise a verdict is wrong with at most the error that the file states (1 %).
docs/expectations.md tells what a file holds; "warpool schema expectations" is its JSON Schema.
Exit code 1 if an expectation fails or is undecided.`;

const ownSeed = (): Option =>
  new Option('--seed <n>', 'seed in the place of the file’s own').argParser((value: string) =>
    parseSeed(value, '--seed'),
  );

const ownBattles = (): Option =>
  new Option('--battles <n>', 'most battles for each, in the place of the file’s own').argParser((value: string) =>
    parseCount(value, '--battles', 1, MAX_BATTLES),
  );

function addAssert(to: Command): void {
  to.command('assert')
    .summary('check expectations on the balance of scenarios')
    .description('Decides whether named expectations on outcomes and metrics hold, for continuous integration.')
    .argument('<expectations>', 'file of expectations in YAML or JSON; - reads standard input')
    .addOption(ownSeed())
    .addOption(ownBattles())
    .addOption(option.exact('exact answers in the place of playing, by default where they are affordable'))
    .addOption(option.workers())
    .option('--allow-undecided', 'exit code 0 although some are undecided')
    .option('--junit <file>', 'also write the verdicts as JUnit XML')
    .addOption(option.json())
    .option('-q, --quiet', 'no progress bar')
    .addHelpText('after', examples('assert examples/balance.yaml', 'assert balance.yaml --junit report.xml --seed 2'))
    .addHelpText('after', ASSERT_NOTES)
    .action(async (file: string, options: AssertOptions) => {
      const signals = catchSignals();
      const { assert } = await import('../assert.ts');
      await assert(file, options, signals);
    });
}

/** Adds them to the program. */
export function addGates(to: Command): void {
  for (const add of [addAssert]) add(to);
}
