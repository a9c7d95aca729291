/** The text of a file, read with care: it is small, and UTF-8. */
import { openText, unreadable } from '#platform/text';
import { InputError } from '../../core/errors.ts';
import type { Bytes } from '../../core/platform/types.ts';

/** The most bytes that a scenario file may have. */
export const SIZE_LIMIT = 1024 * 1024;

async function bytesOf(stream: Bytes, place: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(SIZE_LIMIT);
  let size = 0;
  for await (const part of stream) {
    if (size + part.length > SIZE_LIMIT) throw new InputError(place, 'a file of at most 1 MiB', 'a larger one');
    bytes.set(part, size);
    size += part.length;
  }
  return bytes.subarray(0, size);
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
 * The text of a file, or of the standard input for `-`; in browsers, of what a URL leads to.
 *
 * @throws InputError if it is missing, unreadable, not a regular file, larger than 1 MiB or not UTF-8
 */
export async function readText(path: string): Promise<string> {
  const place = placeOf(path);
  try {
    return decode(await bytesOf(await openText(path, SIZE_LIMIT, place), place), place);
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(place, error);
  }
}
