/** Modules with systems, as files. */
import { readFile, stat } from 'node:fs/promises';
import { extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { InputError } from '../../errors.ts';
import { findExampleFile, getGameFile } from './files.ts';

const TYPESCRIPT = ['.ts', '.mts', '.cts'];

/** Whether Node runs TypeScript as it is: from 22.18 on it takes the types away. */
const canStripTypes = (): boolean => 'typescript' in process.features && process.features.typescript !== false;

/** The bytes of a file; undefined if it cannot be read. */
export async function loadModuleBytes(url: URL, most: number): Promise<Uint8Array | 'larger' | undefined> {
  try {
    const { size } = await stat(url);
    return size > most ? 'larger' : await readFile(url);
  } catch {
    return undefined;
  }
}

/** The URL of the module of a game. @throws RunError if the package does not have it */
export const getGameUrl = (id: string): string => pathToFileURL(getGameFile(id)).href;

/** What is no file, and named like a package. */
async function resolvePackageModule(name: string, place: string, folder: string): Promise<string> {
  // Our own examples, also where the package is installed elsewhere: for all users of a machine, or beside the program.
  const ours = findExampleFile(name.replace(/^warpool\//, ''));
  if (name.startsWith('warpool/') && ours !== undefined) return pathToFileURL(ours).href;
  const game = findExampleFile(`examples/games/${name}.mjs`);
  const { resolvePackageFile } = await import('./packages.ts');
  try {
    return resolvePackageFile(name, folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = code === 'ERR_MODULE_NOT_FOUND' || code === undefined;
    // A package that somebody has installed goes before a game of its name.
    if (missing && game !== undefined) return pathToFileURL(game).href;
    const found = missing
      ? `no such file, and no such package for ${folder}`
      : message.replace(/ imported from .*/s, '');
    throw new InputError(place, 'a file or an installed package with a system', found);
  }
}

/** What can be the name of a package, or of something in it, and is no name of a file alone. */
const PACKAGE_SPECIFIER = /^(?![.]|\w:)(?![^/@]*\.[cm]?[jt]s$)[^\\:]+$/;

/**
 * The URL of a file with a system.
 * @param path   of the file, or the name of an installed package
 * @param folder in which paths begin, and from which packages are looked for
 * @throws InputError if there is neither
 */
export async function resolveModuleUrl(path: string, place: string, folder = process.cwd()): Promise<string> {
  if (path.startsWith('file:')) return path;
  const full = resolve(folder, path);
  const found = await stat(full).catch(() => undefined);
  if (found?.isFile() === true) return pathToFileURL(full).href;
  if (!isAbsolute(path) && PACKAGE_SPECIFIER.test(path)) return await resolvePackageModule(path, place, folder);
  throw new InputError(place, 'a file with a system', found === undefined ? 'no such file' : 'no regular file');
}

/** @throws InputError if this Node does not run such a file */
export function checkRunnable(url: string, place: string): void {
  if (!TYPESCRIPT.includes(extname(fileURLToPath(url))) || canStripTypes()) return;
  const expected = 'JavaScript, or Node 22.18 or later, which runs TypeScript';
  throw new InputError(place, expected, `TypeScript on Node ${process.versions.node}`);
}

/** What messages call a module. */
export const getModuleName = (url: string): string => fileURLToPath(url);
