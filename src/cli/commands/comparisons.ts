/** Commands that play scenarios on the same dice. */
import type { Command } from 'commander';
import type { CompareOptions } from '../compare.ts';
import type { DiffOptions } from '../diff-rules.ts';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import { examples, SCENARIO } from './words.ts';

const COMPARE_NOTES = `
Battle i of a seed rolls the same dice in every scenario, so differences are
paired. Where an interval holds 0, no difference was found at this size.
Exact answers stand beside the estimates, and decide, where all are affordable.
With --best the scenarios are looked at after fixed numbers of battles; those that are
shown to be worse than another play no more. All that is said is right with 95 %,
wherever it ends (docs/comparing.md); --battles is then the most that each plays.`;

function addDiffRules(to: Command): void {
  to.command('diff-rules')
    .summary('compare two readings of a scenario on the same dice')
    .description('Plays a scenario as it is and with some fields changed, on the same streams, and compares them.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(option.boundedDifferences())
    .addOption(option.battles())
    .addOption(option.seed())
    .addOption(option.json())
    .addHelpText('after', examples('diff-rules scenarios/attrition-hunters.yaml --set massDivisor=n'))
    .action(async (file: string, options: DiffOptions) => {
      const signals = catchSignals();
      const { diffRules } = await import('../diff-rules.ts');
      await diffRules(file, options, signals);
    });
}

function addCompare(to: Command): void {
  to.command('compare')
    .summary('compare and rank scenarios on the same dice')
    .description('Plays two or more scenarios of one system on the same streams, compares and ranks them.')
    .argument('<scenarios...>', SCENARIO)
    .addOption(option.of())
    .addOption(option.best())
    .addOption(option.indifference())
    .addOption(option.boundedDifferences())
    .addOption(option.battlesTogether())
    .addOption(option.seed())
    .addOption(option.from())
    .addOption(option.page())
    .addOption(option.json())
    .addHelpText('after', COMPARE_NOTES)
    .addHelpText(
      'after',
      examples(
        'compare a.yaml b.yaml',
        'compare a.yaml b.yaml --page difference.html',
        'compare armies/*.yaml --of defender --battles 1e6',
        'compare armies/*.yaml --best highest --indifference 0.005 --battles 1e7',
      ),
    )
    .action(async (files: string[], options: CompareOptions) => {
      const signals = catchSignals();
      const { compareFiles } = await import('../compare.ts');
      await compareFiles(files, options, signals);
    });
}

/** Adds them to the program. */
export function addComparisons(to: Command): void {
  for (const add of [addDiffRules, addCompare]) add(to);
}
