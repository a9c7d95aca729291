/** Reads the text of a file safely: it must be small and in UTF-8. */
import { createReadError, openByteChunks } from '#platform/byte-chunks';
import { checkText, InputError } from '../../core/index.ts';
import type { ByteChunks } from '../../core/platform/types.ts';

/** Maximum number of bytes of a scenario file. */
export const SIZE_LIMIT = 2 ** 20;

async function readBytes(stream: ByteChunks, most: number, place: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > most) throw new InputError(place, `a file of at most ${String(most / SIZE_LIMIT)} MiB`, 'a larger one');
    parts.push(Uint8Array.from(part));
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function decodeUtf8(bytes: Uint8Array, place: string): string {
  if (bytes.includes(0)) throw new InputError(place, 'a text file', 'a binary one (it has NUL bytes)');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(place, 'a text in UTF-8', 'other bytes');
  }
}

/** Returns the name of a path in messages. */
export function getSourceName(path: string): string {
  if (path === '-') return 'stdin';
  return path === '' ? '""' : path;
}

/**
 * Reads the text of a file, or of the standard input for `-`; in browsers, from a URL.
 *
 * @param most maximum number of bytes, a multiple of 1 MiB
 * @throws InputError if it is missing, unreadable, not a regular file, larger or not UTF-8
 */
export async function readText(path: string, most: number = SIZE_LIMIT): Promise<string> {
  const place = getSourceName(checkText('path', path, 'a path'));
  try {
    return decodeUtf8(await readBytes(await openByteChunks(path, most, place), most, place), place);
  } catch (error) {
    const { expected, found } = error instanceof InputError ? error : createReadError(place, error);
    throw new InputError(place, expected, found, { file: place, code: 'unreadable-file' });
  }
}
