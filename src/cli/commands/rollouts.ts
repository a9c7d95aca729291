/** Commands about what players decide. */
import type { Command } from 'commander';
import type { OptimalOptions } from '../optimal.ts';
import { json, optimalBudget, page, set } from '../options.ts';
import { examples, SCENARIO } from './words.ts';

const OPTIMAL_NOTES = `
The optimum knows the policies of all others, but not what they choose in secret; no policy
of the player is worth more. Visits times losses of all states sum to what its policy
gives away (docs/optimal.md).`;

function addOptimal(to: Command): void {
  to.command('optimal')
    .summary('find the best that a player can do')
    .description(
      'Computes what a battle is worth to a player by the best play, and where its policy falls short of that.',
    )
    .argument('<scenario>', SCENARIO)
    .addOption(set())
    .option('--agent <player>', 'the player; the first one unless given')
    .option('--reward <name>', 'what the player wants: win (1, -1 or 0), or a reward that the system has', 'win')
    .option(
      '--points <names>',
      'decision points that are free, joined by commas; elsewhere its policy decides (default: all)',
    )
    .addOption(optimalBudget())
    .addOption(page())
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'optimal scenarios/phased-dice-last-stand.yaml',
        'optimal scenarios/phased-dice-great-wall.yaml --points retreat',
        'optimal scenarios/phased-dice-last-stand.yaml --agent defender --json',
      ),
    )
    .addHelpText('after', OPTIMAL_NOTES)
    .action(async (file: string, options: OptimalOptions) => (await import('../optimal.ts')).optimal(file, options));
}

/** Adds them to the program. */
export function addRollouts(to: Command): void {
  addOptimal(to);
}
