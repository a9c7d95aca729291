/** `warpool new` */

import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { InputError } from '../core/errors.ts';
import { version } from '../core/version.ts';
import { SHIPPED } from '../rules/index.ts';
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

/** As `defineSystem` wants it; with letters and digits alone it is the name of a folder and of a package too. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const LETTERS_MAX = 60;

function checkName(name: string): void {
  if (!NAME.test(name) || name.length > LETTERS_MAX)
    throw new InputError('name', `up to ${String(LETTERS_MAX)} lower-case letters, digits and hyphens`, `"${name}"`);
  const taken = [...SHIPPED.names, 'warpool'];
  if (taken.includes(name)) throw new InputError('name', `a name other than ${taken.join(', ')}`, `"${name}"`);
}

/** `my-duel` as a title: My duel. */
const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

function packageOf(name: string): string {
  const scripts = {
    check: 'warpool check scenarios/*.yaml',
    conform: `warpool conform ./${name}.js`,
    start: 'warpool run scenarios/even.yaml',
    test: 'node --test',
  };
  const dependencies = { warpool: `^${version()}` };
  const manifest = { name, version: '0.0.0', private: true, type: 'module', scripts, dependencies };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** The files of a new system: their paths in its folder, and their texts. */
async function filesOf(name: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  const renamed = (text: string): string =>
    text.replaceAll(TEMPLATE, name).replaceAll(titleOf(TEMPLATE), titleOf(name));
  const written = entries
    .filter((entry) => entry.isFile())
    .map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      return [renamed(relative(FOLDER, path)), renamed(await readFile(path, 'utf8'))];
    });
  return [...(await Promise.all(written)), ['package.json', packageOf(name)], ['.gitignore', 'node_modules/\n']];
}

/**
 * Writes a folder with a system of one's own, two scenarios and a test.
 * @throws InputError if the name is none, or the folder is not empty
 * @throws RunError if it cannot be written
 */
export async function newSystem(name: string, { dir = name }: NewOptions): Promise<void> {
  checkName(name);
  await checkFolder(dir);
  const files = await filesOf(name);
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
The folder has the rules (JavaScript), two scenarios, a test, package.json and warpool.config.js.
node_modules/warpool/docs/your-own-rules.md explains how rules are written.`;

export const command: DeclaredCommand = {
  description: 'Writes a folder with a battle system of one’s own that runs as it is: a duel, to be changed.',
  takes: ['of the system: lower-case letters, digits and hyphens'],
  asked: ASKED,
  after: [examples('new my-duel', 'new sea-battle --dir games/sea'), NEW_NOTES],
  action: (name: string, options: NewOptions) => newSystem(name, options),
};
