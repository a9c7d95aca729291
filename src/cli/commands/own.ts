/** Commands for those who write systems of their own. */
import type { Command } from 'commander';
import type { NewOptions } from '../new.ts';
import { examples } from './words.ts';

const NEW_NOTES = `
The folder has the rules (JavaScript), two scenarios, a test, package.json and warpool.config.js.
node_modules/warpool/docs/your-own-rules.md explains how rules are written.`;

/** Adds them to the program. */
export function addOwn(to: Command): void {
  to.command('new')
    .summary('begin a battle system of one’s own')
    .description('Writes a folder with a battle system of one’s own that runs as it is: a duel, to be changed.')
    .argument('<name>', 'of the system: lower-case letters, digits and hyphens')
    .option('--dir <folder>', 'the folder, new or empty (default: the name)')
    .addHelpText('after', examples('new my-duel', 'new sea-battle --dir games/sea'))
    .addHelpText('after', NEW_NOTES)
    .action(async (name: string, options: NewOptions) => (await import('../new.ts')).newSystem(name, options));
}
