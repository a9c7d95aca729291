/** Reads files safely: a scenario is a small regular file. */
import { createReadStream, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { InputError } from '../../errors.ts';
import type { ByteChunks } from '../types.ts';
import { findExampleFile } from './files.ts';

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'a folder',
  EACCES: 'a file without read permission',
  EPERM: 'a file without read permission',
  ELOOP: 'a loop of links',
  ENAMETOOLONG: 'a name that is too long',
  ERR_INVALID_ARG_VALUE: 'a name that contains NUL',
};

/** Creates the error of a file that cannot be read. */
export function createReadError(place: string, error: unknown): InputError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
  const there = code === 'ENOENT' ? findExampleFile(place) : undefined;
  const instead = there === undefined ? '' : ` (the package has ${relative('.', there)})`;
  return new InputError(place, 'a readable file', `${READ_ERRORS[code] ?? code}${instead}`);
}

/**
 * Opens the bytes of a regular file, or of the standard input for `-`.
 * @param most maximum number of bytes to read
 * @param place name of the path in messages
 * @throws InputError if it is not a regular file; system errors if it cannot be read
 */
export async function openByteChunks(path: string, most: number, place: string): Promise<ByteChunks> {
  if (path === '-') return createReadStream('', { fd: 0, autoClose: false });
  const named = path.startsWith('file:') ? new URL(path) : path;
  const file = await stat(named);
  if (file.isDirectory()) throw new InputError(place, 'a readable file', 'a folder');
  if (!file.isFile()) throw new InputError(place, 'a regular file, or - for the standard input', 'a device or a pipe');
  return file.size > most ? createReadStream(named, { end: most }) : [readFileSync(named)];
}
