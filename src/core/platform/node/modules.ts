/** Modules with systems, as files. */
import { readFile, stat } from 'node:fs/promises';
import { extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { InputError } from '../../errors.ts';
import { findExampleFile, getGameFile } from './files.ts';

const TYPESCRIPT = ['.ts', '.mts', '.cts'];

/** Returns true if Node runs TypeScript: from 22.18 on it strips types. */
const canStripTypes = (): boolean => 'typescript' in process.features && process.features.typescript !== false;

/** Loads the bytes of a file; undefined if it cannot be read. */
export async function loadModuleBytes(url: URL, most: number): Promise<Uint8Array | 'larger' | undefined> {
  try {
    const { size } = await stat(url);
    return size > most ? 'larger' : await readFile(url);
  } catch {
    return undefined;
  }
}

/** Returns the URL of the module of a game. @throws RunError if the package does not have it */
export const getGameUrl = (id: string): string => pathToFileURL(getGameFile(id)).href;

/** Resolves a name of a package that is not a file. */
async function resolvePackageModule(name: string, place: string, folder: string): Promise<string> {
  // Examples of warpool, also if the package is installed elsewhere: for all users of a machine, or next to the
  // program.
  const ours = findExampleFile(name.replace(/^warpool\//, ''));
  if (name.startsWith('warpool/') && ours !== undefined) return pathToFileURL(ours).href;
  const game = findExampleFile(`examples/games/${name}.mjs`);
  const { resolvePackageFile } = await import('./packages.ts');
  try {
    return resolvePackageFile(name, folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = code === 'ERR_MODULE_NOT_FOUND' || code === undefined;
    // An installed package takes precedence over a game of its name.
    if (missing && game !== undefined) return pathToFileURL(game).href;
    const found = missing
      ? `no such file, and no such package for ${folder}`
      : message.replace(/ imported from .*/s, '');
    throw new InputError(place, 'a file or an installed package with a system', found);
  }
}

/** Matches names of packages and of modules in them, but not names of files. */
const PACKAGE_SPECIFIER = /^(?![.]|\w:)(?![^/@]*\.[cm]?[jt]s$)[^\\:]+$/;

/**
 * Returns the URL of a file with a system.
 * @param path path of the file, or name of an installed package
 * @param folder base of relative paths and of the search for packages
 * @throws InputError if neither exists
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

/** Returns the name of a module in messages. */
export const getModuleName = (url: string): string => fileURLToPath(url);
