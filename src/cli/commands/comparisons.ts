/** Commands that play scenarios on the same dice. */
import type { Command } from 'commander';
import type { CompareOptions } from '../compare.ts';
import type { DiffOptions } from '../diff-rules.ts';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import { examples, SCENARIO } from './words.ts';

const COMPARE_NOTES = `
Battle i of a seed rolls the same dice in every scenario (common random numbers),
so differences are paired. An interval that contains 0 shows no difference at this size.
Exact answers stand beside the estimates, and decide, where all are affordable.
With --best the scenarios are looked at after fixed numbers of battles; those that are
shown to be worse than another play no more. All intervals hold together with 95 %
confidence, wherever it ends (docs/comparing.md); --battles is then the most that each plays.
An outcome or a metric that one scenario does not have cannot be compared: see --of.`;

function addDiffRules(to: Command): void {
  to.command('diff-rules')
    .summary('compare two readings of a scenario on the same dice')
    .description(
      'Plays a scenario as it is and with some fields changed, on the same dice (common random numbers), and compares.',
    )
    .argument('<scenario>', SCENARIO)
    .addOption(option.changes())
    .addOption(option.boundedDifferences())
    .addOption(option.battles())
    .addOption(option.seed())
    .addOption(option.json())
    .addHelpText('after', examples('diff-rules scenarios/attrition-hunters.yaml --set massDivisor=n-1'))
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
    .addOption(option.set())
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
        'compare scenarios/phased-dice-ground.yaml scenarios/phased-dice-last-stand.yaml',
        'compare scenarios/attrition-direct.yaml scenarios/attrition-elite.yaml --page difference.html',
        'compare scenarios/phased-dice-*.yaml --of defender --battles 1M',
        'compare scenarios/phased-dice-*.yaml --best highest --indifference 0.5pp --battles 10M',
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
