/** Fetches files: a path is a URL, relative to the page. */
import { InputError } from '../../errors.ts';
import type { ByteChunks } from '../types.ts';

/** Creates the error of a file that cannot be fetched. */
export function createReadError(place: string, error: unknown): InputError {
  return new InputError(place, 'a URL that can be fetched', error instanceof Error ? error.message : String(error));
}

async function* readChunks(body: ReadableStream<Uint8Array>): ByteChunks {
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

/**
 * Opens the bytes at a URL.
 * @throws InputError if the request fails
 */
export async function openByteChunks(url: string, _most: number, place: string): Promise<ByteChunks> {
  const { ok, status, body } = await fetch(url);
  if (!ok || body === null) throw new InputError(place, 'a URL that leads to a file', `status ${String(status)}`);
  return readChunks(body);
}
