/** Modules with systems, as files. */
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { InputError } from '../../errors.ts';

const TYPESCRIPT = ['.ts', '.mts', '.cts'];

/** Whether Node runs TypeScript as it is: from 22.18 on it takes the types away. */
const stripsTypes = (): boolean => 'typescript' in process.features && process.features.typescript !== false;

/** The text of a file; undefined if it cannot be read, or has more bytes. */
export async function moduleText(url: URL, most: number): Promise<string | undefined> {
  try {
    const { size } = await stat(url);
    return size > most ? undefined : await readFile(url, 'utf8');
  } catch {
    return undefined;
  }
}

/** What `require` finds, which looks for extensions too. */
export function requiredUrl(path: string, from: URL): URL {
  try {
    return pathToFileURL(createRequire(from).resolve(path));
  } catch {
    return new URL(path, from);
  }
}

/**
 * The URL of a file with a system.
 * @throws InputError if there is no such file
 */
export async function moduleUrl(path: string, place: string): Promise<string> {
  if (path.startsWith('file:')) return path;
  const full = isAbsolute(path) ? path : resolve(path);
  const found = await stat(full).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new InputError(place, 'a file with a system', found === undefined ? 'no such file' : 'no regular file');
  return pathToFileURL(full).href;
}

/** @throws InputError if this Node does not run such a file */
export function checkRuns(url: string, place: string): void {
  if (!TYPESCRIPT.includes(extname(fileURLToPath(url))) || stripsTypes()) return;
  const expected = 'JavaScript, or Node 22.18 or later, which runs TypeScript';
  throw new InputError(place, expected, `TypeScript on Node ${process.versions.node}`);
}

/** What messages call a module. */
export const moduleName = (url: string): string => fileURLToPath(url);
