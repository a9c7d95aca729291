/** `warpool columns` */

import { InputError } from '../core/index.ts';
import { columnsSheet, TABLED } from '../tell/index.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { look, print } from './terminal.ts';

/** Tells what the columns of tables mean. */
export function tellColumns(command: string | undefined): void {
  if (command !== undefined && !TABLED.includes(command))
    throw new InputError('command', `one of ${TABLED.join(', ')}`, `"${command}"`);
  print(columnsSheet(command, look(process.stdout)));
}

export const command: DeclaredCommand = {
  description: 'Tells what the columns of printed tables mean: all, or those of one command.',
  takes: ['one of the commands that print tables'],
  asked: {},
  after: [examples('columns', 'columns run')],
  action: (command: string | undefined) => {
    tellColumns(command);
  },
};
