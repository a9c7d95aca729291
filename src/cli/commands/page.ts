/** The command that opens warpool in a browser. */
import type { Command } from 'commander';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import type { PageOptions } from '../serve-page.ts';
import { examples, SCENARIO } from './words.ts';

const NOTES = `
The page computes in the browser and sends nothing anywhere. It is served at 127.0.0.1, which no other machine reaches,
and its address is the first line of standard output. docs/page.md tells more, also how other web servers can hold it.`;

/** Adds it to the program. */
export function addPage(to: Command): void {
  to.command('page')
    .summary('open warpool as a page in a browser')
    .description('Serves the page, in which scenarios are edited and answered, to browsers of this machine.')
    .argument('[scenario]', `${SCENARIO}: the address opens it`)
    .addOption(option.port())
    .option('--open', 'also open it in your browser')
    .addHelpText('after', examples('page', 'page scenarios/phased-dice-ground.yaml --open', 'page --port 8080'))
    .addHelpText('after', NOTES)
    .action(async (file: string | undefined, options: PageOptions) => {
      const signals = catchSignals();
      const { servePage } = await import('../serve-page.ts');
      await servePage(file, options, signals);
    });
}
