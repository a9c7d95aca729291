/** `warpool columns` */

import { InputError } from '../core/index.ts';
import { COMMANDS_WITH_TABLES, formatColumnsSheet } from '../report/index.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { print, readTextStyle } from './terminal.ts';

/** Prints the meaning of table columns. */
export function printColumns(command: string | undefined): void {
  if (command !== undefined && !COMMANDS_WITH_TABLES.includes(command))
    throw new InputError('command', `one of ${COMMANDS_WITH_TABLES.join(', ')}`, `"${command}"`);
  print(formatColumnsSheet(command, readTextStyle(process.stdout)));
}

export const command: CommandDeclaration = {
  description: 'Explains the columns of printed tables: all, or the tables of one command.',
  parameters: ['command that prints tables'],
  settings: {},
  notes: [formatExamples('columns', 'columns run')],
  action: (command: string | undefined) => {
    printColumns(command);
  },
};
