/** `warpool new` */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { InputError, version } from '../core/index.ts';
import { GAME_IDS, SHIPPED_REGISTRY } from '../rules/index.ts';
import { type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { checkNewFolder, writeNewFolder } from './new-folder.ts';
import { print } from './terminal.ts';

const OPTIONS = {
  dir: text('folder', 'new or empty folder (default: the name)'),
} as const satisfies OptionSpecs;

type NewCommandOptions = ParsedOptions<typeof OPTIONS>;

/** Name in the texts and file names of the template. */
const TEMPLATE = 'my-duel';

const FOLDER = dirname(createRequire(import.meta.url).resolve(`#templates/system/${TEMPLATE}.js`));

/** Folder of this program's package. */
const PACKAGE = resolve(FOLDER, '../../..');

/** Names that `defineSystem` accepts; also valid for folders and packages. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const LETTERS_MAX = 60;

function checkName(name: string): void {
  if (!NAME.test(name) || name.length > LETTERS_MAX)
    throw new InputError('name', `up to ${String(LETTERS_MAX)} lower-case letters, digits and hyphens`, `"${name}"`);
  const taken = [...SHIPPED_REGISTRY.names, ...GAME_IDS, 'warpool'];
  if (taken.includes(name)) throw new InputError('name', `a name other than ${taken.join(', ')}`, `"${name}"`);
}

/** Formats `my-duel` as a title: My duel. */
const toTitle = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

/** Finds the source of the installed package in npm's list in `node_modules`; undefined for other installations. */
async function findInstallSource(installed: string): Promise<string | undefined> {
  const kept = await readFile(join(installed, '../.package-lock.json'), 'utf8').catch(() => '{}');
  const { packages } = JSON.parse(kept) as { packages?: Record<string, { readonly resolved?: string } | undefined> };
  return packages?.['node_modules/warpool']?.resolved;
}

/**
 * Creates the dependency on this package: its version from a registry, or else its tarball, repository or folder.
 * @param dir of the package.json
 * @param installed the folder of this package
 */
export async function createDependency(dir: string, installed: string = PACKAGE): Promise<string> {
  const from = await findInstallSource(installed);
  const isRegistry = from === undefined ? basename(dirname(installed)) === 'node_modules' : from.includes('/-/');
  if (isRegistry) return `^${version()}`;
  if (from !== undefined && !from.startsWith('file:')) return from;
  const tarball = from === undefined ? '' : resolve(installed, '../..', from.slice('file:'.length));
  return `file:${relative(dir, existsSync(tarball) ? tarball : installed).replaceAll('\\', '/')}`;
}

function createPackageJson(name: string, warpool: string): string {
  const scripts = {
    check: 'warpool check scenarios/*.yaml',
    conform: `warpool conform ./${name}.js`,
    start: 'warpool run scenarios/even.yaml',
    test: 'node --test',
  };
  const dependencies = { warpool };
  const manifest = { name, version: '0.0.0', private: true, type: 'module', scripts, dependencies };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Creates the files of a new system, by their paths in its folder. */
async function createFiles(name: string, dir: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  const renameSystem = (text: string): string =>
    text.replaceAll(TEMPLATE, name).replaceAll(toTitle(TEMPLATE), toTitle(name));
  const written = entries
    .filter((entry) => entry.isFile())
    .map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      return [renameSystem(relative(FOLDER, path)), renameSystem(await readFile(path, 'utf8'))];
    });
  const manifest = createPackageJson(name, await createDependency(resolve(dir)));
  return [...(await Promise.all(written)), ['package.json', manifest], ['.gitignore', 'node_modules/\n']];
}

/**
 * Creates a folder with a custom system, two scenarios and a test.
 * @throws InputError if the name is invalid, or the folder is not empty
 * @throws RunError if it cannot be written
 */
export async function createSystem(name: string, { dir = name }: NewCommandOptions): Promise<void> {
  checkName(name);
  await checkNewFolder(dir);
  const files = await createFiles(name, dir);
  await writeNewFolder(dir, files);
  print(
    [
      ...files.map(([path]) => join(dir, path)).sort(),
      '',
      `Next: cd ${dir} && npm install && npx warpool exact scenarios/even.yaml`,
      '',
    ].join('\n'),
  );
}

const NEW_NOTES = `
The folder contains the rules (JavaScript), two scenarios, a test, package.json and warpool.config.js. It depends on
this package by version if the package came from a registry, otherwise by its tarball or folder.
node_modules/warpool/docs/tutorials/custom-rules.md explains how to write rules.`;

export const command: CommandDeclaration = {
  description: 'Creates a folder with a custom battle system: a duel that runs, and that you can change.',
  parameters: ['name of the system: lower-case letters, digits and hyphens'],
  settings: OPTIONS,
  notes: [formatExamples('new my-duel', 'new sea-battle --dir games/sea'), NEW_NOTES],
  action: (name: string, options: NewCommandOptions) => createSystem(name, options),
};
