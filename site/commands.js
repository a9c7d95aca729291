/** The reference of the command line: a page per command, from the declarations that also print its help. */
import { writePage } from './gather.js';
import { fenced } from './markdown.js';

const { createProgram } = await import(new URL('../dist/src/cli/program.js', import.meta.url).href);

/** The help of a command. @param {import('commander').Command} command */
function helpOf(command) {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100 }).outputHelp();
  return text;
}

/** Writes the pages of all commands, and their index. */
export async function commandPages() {
  const rows = [];
  for (const command of (await createProgram()).commands) {
    const name = command.name();
    rows.push(`| [${name}](${name}.md) | ${command.summary()} |\n`);
    writePage(`commands/${name}.md`, `# warpool ${name}\n\n${fenced(helpOf(command), 'txt')}`);
  }
  const about = 'The options of each command, as `warpool help <command>` prints them.';
  writePage('commands/index.md', `# Commands\n\n${about}\n\n| command | purpose |\n| --- | --- |\n${rows.join('')}`);
}
