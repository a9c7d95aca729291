/** The text of a file, read with care: a scenario is a small regular file of UTF-8. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { InputError } from '../errors.ts';

/** The most bytes that a scenario file may have. */
export const SIZE_LIMIT = 1024 * 1024;

const TOO_LARGE = ['a file of at most 1 MiB', 'a larger one'] as const;

const FOUND: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'a folder',
  EACCES: 'one without permission to read it',
  EPERM: 'one without permission to read it',
  ELOOP: 'a circle of links',
  ENAMETOOLONG: 'a name that is too long',
  ERR_INVALID_ARG_VALUE: 'a name with a NUL in it',
};

function unreadable(place: string, error: unknown): InputError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
  return new InputError(place, 'a readable file', FOUND[code] ?? code);
}

async function bytesOf(stream: AsyncIterable<Uint8Array>, place: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > SIZE_LIMIT) throw new InputError(place, ...TOO_LARGE);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function standardInput(): AsyncIterable<Uint8Array> {
  return createReadStream('', { fd: 0, autoClose: false });
}

async function fileBytes(path: string, place: string): Promise<Uint8Array> {
  const file = await stat(path);
  if (file.isDirectory()) throw new InputError(place, 'a readable file', 'a folder');
  if (!file.isFile()) throw new InputError(place, 'a regular file, or - for the standard input', 'a device or a pipe');
  if (file.size > SIZE_LIMIT) throw new InputError(place, ...TOO_LARGE);
  return await bytesOf(createReadStream(path, { end: SIZE_LIMIT }), place);
}

function decode(bytes: Uint8Array, place: string): string {
  if (bytes.includes(0)) throw new InputError(place, 'a text file', 'a binary one (it has NUL bytes)');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(place, 'a text in UTF-8', 'other bytes');
  }
}

/** What a path is called in messages. */
export function placeOf(path: string): string {
  if (path === '-') return 'stdin';
  return path === '' ? '""' : path;
}

/**
 * The text of a file, or of the standard input for `-`.
 *
 * @throws InputError if it is missing, unreadable, not a regular file, larger than 1 MiB or not UTF-8
 */
export async function readText(path: string): Promise<string> {
  const place = placeOf(path);
  try {
    return decode(await (path === '-' ? bytesOf(standardInput(), place) : fileBytes(path, place)), place);
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(place, error);
  }
}
