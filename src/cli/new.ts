/** `warpool new` */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { InputError, version } from '../core/index.ts';
import { GAME_IDS, SHIPPED } from '../rules/index.ts';
import { type Given, type Settings, text } from '../rules/setting.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { checkFolder, writeNew } from './new-folder.ts';
import { print } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  dir: text('folder', 'the folder, new or empty (default: the name)'),
} as const satisfies Settings;

type NewOptions = Given<typeof ASKED>;

/** The name that the template has, in its texts and in the names of its files. */
const TEMPLATE = 'my-duel';

const FOLDER = dirname(createRequire(import.meta.url).resolve(`#templates/system/${TEMPLATE}.js`));

/** The folder of the package that this program belongs to. */
const PACKAGE = resolve(FOLDER, '../../..');

/** As `defineSystem` wants it; with letters and digits alone it is the name of a folder and of a package too. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const LETTERS_MAX = 60;

function checkName(name: string): void {
  if (!NAME.test(name) || name.length > LETTERS_MAX)
    throw new InputError('name', `up to ${String(LETTERS_MAX)} lower-case letters, digits and hyphens`, `"${name}"`);
  const taken = [...SHIPPED.names, ...GAME_IDS, 'warpool'];
  if (taken.includes(name)) throw new InputError('name', `a name other than ${taken.join(', ')}`, `"${name}"`);
}

/** `my-duel` as a title: My duel. */
const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

/** Where npm got the package from, by the list that it keeps of a `node_modules`; undefined of other installations. */
async function resolvedFrom(installed: string): Promise<string | undefined> {
  const kept = await readFile(join(installed, '../.package-lock.json'), 'utf8').catch(() => '{}');
  const { packages } = JSON.parse(kept) as { packages?: Record<string, { readonly resolved?: string } | undefined> };
  return packages?.['node_modules/warpool']?.resolved;
}

/**
 * What a package.json asks for to get this package again: the version from a registry; otherwise the tarball, the
 * repository or the folder that it came from.
 * @param dir       of the package.json
 * @param installed the folder of this package
 */
export async function dependencyFor(dir: string, installed: string = PACKAGE): Promise<string> {
  const from = await resolvedFrom(installed);
  const isRegistry = from === undefined ? basename(dirname(installed)) === 'node_modules' : from.includes('/-/');
  if (isRegistry) return `^${version()}`;
  if (from !== undefined && !from.startsWith('file:')) return from;
  const tarball = from === undefined ? '' : resolve(installed, '../..', from.slice('file:'.length));
  return `file:${relative(dir, existsSync(tarball) ? tarball : installed).replaceAll('\\', '/')}`;
}

function packageOf(name: string, warpool: string): string {
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

/** The files of a new system: their paths in its folder, and their texts. */
async function filesOf(name: string, dir: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  const renamed = (text: string): string =>
    text.replaceAll(TEMPLATE, name).replaceAll(titleOf(TEMPLATE), titleOf(name));
  const written = entries
    .filter((entry) => entry.isFile())
    .map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      return [renamed(relative(FOLDER, path)), renamed(await readFile(path, 'utf8'))];
    });
  const manifest = packageOf(name, await dependencyFor(resolve(dir)));
  return [...(await Promise.all(written)), ['package.json', manifest], ['.gitignore', 'node_modules/\n']];
}

/**
 * Writes a folder with a system of one's own, two scenarios and a test.
 * @throws InputError if the name is none, or the folder is not empty
 * @throws RunError if it cannot be written
 */
export async function newSystem(name: string, { dir = name }: NewOptions): Promise<void> {
  checkName(name);
  await checkFolder(dir);
  const files = await filesOf(name, dir);
  await writeNew(dir, files);
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
The folder has the rules (JavaScript), two scenarios, a test, package.json and warpool.config.js. It asks for this package: by
its version if it came from a registry, otherwise by the tarball or folder that it came from.
node_modules/warpool/docs/tutorials/custom-rules.md explains how rules are written.`;

export const command: DeclaredCommand = {
  description: 'Writes a folder with a battle system of one’s own that runs as it is: a duel, to be changed.',
  takes: ['of the system: lower-case letters, digits and hyphens'],
  asked: ASKED,
  after: [examples('new my-duel', 'new sea-battle --dir games/sea'), NEW_NOTES],
  action: (name: string, options: NewOptions) => newSystem(name, options),
};
