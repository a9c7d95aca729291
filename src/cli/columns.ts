/** `warpool columns` */
import { InputError } from '../core/errors.ts';
import { columnsSheet } from '../tell/columns-sheet.ts';
import { TABLED } from '../tell/topics.ts';
import { look, print } from './terminal.ts';

/** Tells what the columns of tables mean. */
export function tellColumns(command: string | undefined): void {
  if (command !== undefined && !TABLED.includes(command))
    throw new InputError('command', `one of ${TABLED.join(', ')}`, `"${command}"`);
  print(columnsSheet(command, look(process.stdout)));
}
