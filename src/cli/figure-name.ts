/** Names of files for pictures. */
import { extname } from 'node:path';
import { InputError } from '../core/errors.ts';

const FORMATS = ['.svg', '.png'];

/** @throws InputError if the file's name does not say what it is to be */
export function checkFigure(path: string | undefined): void {
  if (path !== undefined && !FORMATS.includes(extname(path).toLowerCase()))
    throw new InputError('--figure', 'a file that ends in .svg or .png', `"${path}"`);
}
