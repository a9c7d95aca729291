/** Commands that tell what others have stored. */
import type { Command } from 'commander';
import * as option from '../options-report.ts';
import type { ReportOptions } from '../report.ts';
import { examples } from './words.ts';

const NOTES = `
Of a grid, maps show the two axes with most values, a panel for each value of a third one
that has few, and the others at their middle values; --x, --y and --fix choose otherwise.
A sweep that is not complete can be reported too; the report says what is missing.`;

/** Adds them to the program. */
export function addReports(to: Command): void {
  to.command('report')
    .summary('make pictures and a page of a sweep')
    .description('Tells what a sweep found: an HTML page that needs nothing else, pictures for a paper, tables.')
    .argument('<folder>', 'the store of a sweep')
    .addOption(option.out())
    .addOption(option.figures())
    .addOption(option.format())
    .addOption(option.axis('x'))
    .addOption(option.axis('y'))
    .addOption(option.fix())
    .addOption(option.shown())
    .addOption(option.cell())
    .option('--text', 'tables on standard output')
    .option('--json', 'what was found, as one JSON object on standard output')
    .addHelpText('after', NOTES)
    .addHelpText(
      'after',
      examples(
        'report duels',
        'report duels --text',
        'report duels --json',
        'report duels --figures figures/ --format svg,png --of attacker',
        'report duels --x attacker.hp --y defender.hp --fix skill=2 --out slice.html',
      ),
    )
    .action(async (folder: string, options: ReportOptions) =>
      (await import('../report.ts')).tellStore(folder, options),
    );
}
