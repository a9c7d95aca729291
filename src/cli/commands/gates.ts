/** Commands about the balance of a game: what it must be, and how it is reached. */
import { type Command, Option } from 'commander';
import { MAX_BATTLES, parseSeed } from '../../core/chance/stream.ts';
import type { AssertOptions } from '../assert.ts';
import type { BalanceOptions } from '../balance.ts';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import { chanceOf, count, width } from '../options-number.ts';
import { examples, SCENARIO } from './words.ts';

const ASSERT_NOTES = `
An expectation holds, fails, or is undecided within its battles. Exact answers decide where they
are affordable; otherwise a verdict is wrong with at most the error that the file states (1 %).
docs/expectations.md tells what a file holds; "warpool schema expectations" is its JSON Schema.
What is to be "as in the snapshot" is compared with the file <expectations>.snapshot.json; only
--update writes it, in CI too, and it belongs beside the expectations under version control.
--seed and --battles do not replace those of a digest.
Exit code 1 if an expectation fails or is undecided.`;

const ownSeed = (): Option =>
  new Option('--seed <n>', 'seed in the place of the file’s own').argParser((value: string) =>
    parseSeed(value, '--seed'),
  );

const mostBattles = (about: string): Option => count('battles', about, 1, MAX_BATTLES);

function addAssert(to: Command): void {
  to.command('assert')
    .summary('check expectations on the balance of scenarios')
    .description('Decides whether named expectations on outcomes and metrics hold, for continuous integration.')
    .argument('<expectations>', 'file of expectations in YAML or JSON; - reads standard input')
    .addOption(ownSeed())
    .addOption(mostBattles('most battles for each, in the place of the file’s own'))
    .addOption(option.exact('exact answers in the place of playing, by default where they are affordable'))
    .addOption(option.besideBudget())
    .addOption(option.bounded())
    .addOption(option.workers())
    .option('--update', 'write the snapshot of what is found, for expectations that are "as in the snapshot"')
    .option('--allow-undecided', 'exit code 0 although some are undecided')
    .option('--junit <file>', 'also write the verdicts as JUnit XML')
    .addOption(option.json())
    .option('-q, --quiet', 'no progress bar')
    .addHelpText(
      'after',
      examples(
        'assert examples/balance.yaml',
        'assert examples/balance.yaml --junit report.xml --seed 2',
        'assert examples/balance.yaml --update',
      ),
    )
    .addHelpText('after', ASSERT_NOTES)
    .action(async (file: string, options: AssertOptions) => {
      const signals = catchSignals();
      const { assert } = await import('../assert.ts');
      await assert(file, options, signals);
    });
}

const BALANCE_NOTES = `
A target is name=value: an outcome and its probability (0.5 or 50%), or a metric and its mean.
Without a range a field is searched around its present value, farther and farther.
One field: all its values where that is affordable. Two: for each value of the first the second.
Three and more: from the present setting outwards. Exact answers are used where they are affordable.
Exit code 1 if no setting meets the target.`;

function addBalance(to: Command): void {
  to.command('balance')
    .summary('find the values of fields that balance a scenario')
    .description('Finds the values of one or more fields with which an outcome or a metric is as it should be.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(
      new Option('--vary <path=low..high...>', 'fields to change; the range may be left out').makeOptionMandatory(),
    )
    .addOption(new Option('--target <name=value>', 'what is to be reached: "attacker=0.5"').makeOptionMandatory())
    .addOption(
      width('tolerance', 'by how much it may be missed: 0.01 or 1pp (default: 0.01, or 1 % of it if more)', true),
    )
    .addOption(option.exact('exact answers in the place of playing, by default where they are affordable'))
    .addOption(option.besideBudget())
    .addOption(mostBattles('most battles for a setting that is not solved exactly').default(1_000_000, '1e6'))
    .addOption(chanceOf('error', 'with what probability what is told from playing may be wrong').default(0.01))
    .addOption(option.bounded())
    .addOption(option.seed())
    .addOption(option.workers())
    .addOption(option.page())
    .addOption(option.json())
    .option('-q, --quiet', 'no progress bar')
    .addHelpText(
      'after',
      examples(
        'balance scenarios/attrition-direct.yaml --vary defender.hp --target attacker=0.5',
        'balance scenarios/attrition-direct.yaml --vary attacker.hp=10..40 defender.hp=10..40 --target attacker=50% --tolerance 0.5pp',
      ),
    )
    .addHelpText('after', BALANCE_NOTES)
    .action(async (file: string, options: BalanceOptions) => {
      const signals = catchSignals();
      const { balanceFile } = await import('../balance.ts');
      await balanceFile(file, options, signals);
    });
}

/** Adds them to the program. */
export function addGates(to: Command): void {
  for (const add of [addAssert, addBalance]) add(to);
}
