/** Coverage of the hash of rules, and systems that are named by a package instead of a file. */
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { simulate } from '../src/analysis/simulate.ts';
import { solveSync } from '../src/analysis/solve.ts';
import { getBoundScenario, toPortable } from '../src/rules/bound-scenario.ts';
import { readConfig } from '../src/rules/custom/config.ts';
import { hashModule, listImports } from '../src/rules/identity.ts';
import { loadSystems, receiveScenario } from '../src/rules/load-systems.ts';
import type { SystemRegistry } from '../src/rules/registry.ts';
import { validateScenario } from '../src/rules/scenario/index.ts';
import { change, ownFolder } from './custom-system.ts';
import { DEPTH, some } from './depth.ts';

const OWN = fileURLToPath(new URL('custom-system', import.meta.url));
const text = (name: string): string => readFileSync(join(OWN, name), 'utf8');

const NAME = 'node_modules/skirmish-game';

/** A package with the rules of tests/custom-system, an entry point only for `import`, and an unused file. */
const GAME = {
  [`${NAME}/package.json`]: JSON.stringify({
    name: 'skirmish-game',
    version: '1.2.0',
    type: 'module',
    exports: { '.': { require: './none.cjs', import: './lib/index.js' }, './more': './lib/more.js' },
  }),
  [`${NAME}/lib/index.js`]: `export { myDuel as default } from './my-duel.js';\n`,
  [`${NAME}/lib/more.js`]: `export * from './my-duel.js';\n`,
  [`${NAME}/lib/my-duel.js`]: text('my-duel.js'),
  [`${NAME}/lib/blow.js`]: text('blow.js'),
  [`${NAME}/lib/unused.js`]: 'export const a = 1;\n',
};

const hashOf = (folder: string, file: string): Promise<string> => hashModule(pathToFileURL(join(folder, file)).href);

/** Loads systems by their names from a folder. */
const known = (folder: string, ...names: string[]): Promise<SystemRegistry> => loadSystems(names, { folder });

describe('loadSystems with the name of a package', () => {
  test('resolves the name from the folder like Node, and returns its version', async () => {
    const { folder } = ownFolder(GAME);
    const [module] = (await known(folder, 'skirmish-game')).modules;
    expect(module?.package).toBe('skirmish-game@1.2.0');
    expect(module?.url).toBe(pathToFileURL(join(folder, NAME, 'lib/index.js')).href);
    const inner = join(folder, 'a/b');
    mkdirSync(inner, { recursive: true });
    expect((await known(inner, 'skirmish-game')).modules).toEqual([module]);
    expect((await known(folder, `./${NAME}/lib/index.js`)).modules).toEqual([module]);
  });

  test('accepts exported subpaths and scoped names', async () => {
    const { folder } = ownFolder({
      ...GAME,
      'node_modules/@me/games/package.json': JSON.stringify({ name: '@me/games', version: '0.1.0', main: 'it.mjs' }),
      'node_modules/@me/games/it.mjs': `export { default } from 'skirmish-game';\n`,
    });
    expect((await known(folder, 'skirmish-game/more')).names).toContain('my-duel');
    expect((await known(folder, '@me/games')).modules[0]?.package).toBe('@me/games@0.1.0');
  });

  test('resolves names in a configuration file from its folder', async () => {
    const { folder } = ownFolder({ ...GAME, 'warpool.config.mjs': `export default { systems: ['skirmish-game'] };` });
    const [module] = (await readConfig(join(folder, 'warpool.config.mjs'))).modules;
    expect(module).toEqual((await known(folder, 'skirmish-game')).modules[0]);
  });

  test('adds the package to results, and threads load the same module', async () => {
    const { folder } = ownFolder(GAME);
    const systems = await known(folder, 'skirmish-game');
    const scenario = validateScenario({ system: 'my-duel' }, { systems });
    const [module] = systems.modules;
    expect(solveSync(scenario).toJSON()).toMatchObject({
      systemHash: module?.hash,
      systemPackage: 'skirmish-game@1.2.0',
    });
    const sent = structuredClone(toPortable(scenario));
    expect(sent && getBoundScenario(await receiveScenario(sent)).module).toEqual(module);
  });

  test.each([
    ['none-such', 'a file or an installed package with a system, found no such file, and no such package for FOLDER'],
    ['@me/none', 'a file or an installed package with a system, found no such file, and no such package for FOLDER'],
    ['node:fs', 'a file with a system, found no such file'],
    ['fs', 'a file or an installed package with a system, found no such file, and no such package for FOLDER'],
    ['./skirmish-game', 'a file with a system, found no such file'],
    ['my-dual.js', 'a file with a system, found no such file'],
    [
      'skirmish-game/lib/index.js',
      `a file or an installed package with a system, found Package subpath './lib/index.js' is not defined by "exports" in FOLDER/${NAME}/package.json`,
    ],
  ])('rejects %s, which names neither a file nor an exported path of a package', async (name, message) => {
    const { folder } = ownFolder(GAME);
    const reported = `systems ${name}: expected ${message.replace('FOLDER', folder)}`;
    await expect(known(folder, name)).rejects.toMatchObject({ name: 'InputError', message: reported });
  });
});

describe('the hash of rules that import packages', () => {
  const CONFIG = { ...GAME, 'rules.js': `import duel from 'skirmish-game';\nexport default [duel];\n` };

  /** Returns the hash of a module in two folders, of which the second was changed. */
  async function both(act: (folder: string) => void, file = 'rules.js'): Promise<[string, string]> {
    const [one, other] = [ownFolder(CONFIG), ownFolder(CONFIG)];
    act(other.folder);
    return [await hashOf(one.folder, file), await hashOf(other.folder, file)];
  }

  test.each(some(['rules.js', `${NAME}/lib/index.js`]))(
    'covers content, name and version of the package, from %s',
    async (file) => {
      const differ = async (act: (folder: string) => void): Promise<void> => {
        const [one, other] = await both(act, file);
        expect(other).not.toBe(one);
      };
      await differ((folder) => {
        change(join(folder, NAME, 'lib/blow.js'), '[0, 0, 0', '[0, 0, 1');
      });
      await differ((folder) => {
        change(join(folder, NAME, 'package.json'), '1.2.0', '1.2.1');
      });
      await differ((folder) => {
        change(join(folder, NAME, 'package.json'), '"skirmish-game"', '"skirmish"');
      });
    },
  );

  test('ignores files that are not imported, the location, and symbolic links', async () => {
    const same = async (act: (folder: string) => void): Promise<void> => {
      const [one, other] = await both(act);
      expect(other).toBe(one);
    };
    await same(() => undefined);
    await same((folder) => {
      change(join(folder, NAME, 'lib/unused.js'), '1', '2');
    });
    await same((folder) => {
      renameSync(join(folder, NAME), join(folder, 'linked'));
      symlinkSync(join(folder, 'linked'), join(folder, NAME));
    });
    await same((folder) => {
      mkdirSync(join(folder, 'node_modules/.store/node_modules'), { recursive: true });
      cpSync(join(folder, NAME), join(folder, 'node_modules/.store', NAME), { recursive: true });
    });
  });

  test('covers packages that the package requires', async () => {
    const files = {
      'rules.mjs': `import { three } from 'outer';\n`,
      'node_modules/outer/package.json': '{ "name": "outer", "version": "1.0.0" }',
      'node_modules/outer/index.js': `exports.three = require('inner');\n`,
      'node_modules/inner/package.json': '{ "name": "inner", "version": "1.0.0" }',
      'node_modules/inner/index.js': `module.exports = require('./three');\n`,
      'node_modules/inner/three.js': 'module.exports = 3;\n',
    };
    const { folder } = ownFolder(files);
    const before = await hashOf(folder, 'rules.mjs');
    change(join(folder, 'node_modules/inner/three.js'), '3', '4');
    expect(await hashOf(folder, 'rules.mjs')).not.toBe(before);
  });

  test.runIf(DEPTH > 1)('changes with the rules of a package that a configuration imports', async () => {
    const config = `import duel from 'skirmish-game';\nexport default { systems: [duel] };\n`;
    const load = async (changed: boolean): Promise<string | undefined> => {
      const { folder } = ownFolder({ ...GAME, 'warpool.config.mjs': config });
      if (changed) change(join(folder, NAME, 'lib/blow.js'), '[0, 0, 0', '[0, 0, 1');
      return (await readConfig(join(folder, 'warpool.config.mjs'))).moduleOf('my-duel')?.hash;
    };
    expect(await load(false)).toBe(await load(false));
    expect(await load(true)).not.toBe(await load(false));
  });
});

describe('the hash of rules that read files', () => {
  test.each([
    `import table from './table.json' with { type: 'json' };`,
    `const table = JSON.parse(readFileSync(new URL('./table.json', import.meta.url), 'utf8'));\nexport {};`,
    `import { createRequire } from 'node:module';\nconst table = createRequire(import.meta.url)('./table.json');`,
    `const { default: table } = await import('./table.json', { with: { type: 'json' } });\nexport {};`,
    'const table = require("./table.json");',
    'const table = require("./table");',
  ])('covers the table of: %s', async (rules) => {
    const required = rules.replace(
      'createRequire(import.meta.url)(',
      'const require = createRequire(import.meta.url);require(',
    );
    const { folder } = ownFolder({ 'rules.js': `${required}\n`, 'table.json': '[1]' });
    const before = await hashOf(folder, 'rules.js');
    change(join(folder, 'table.json'), '1', '2');
    expect(await hashOf(folder, 'rules.js')).not.toBe(before);
  });

  test('ignores a byte order mark', async () => {
    const { folder } = ownFolder({ 'one.js': 'export {};\n', 'other.js': '\ufeffexport {};\n' });
    expect(await hashOf(folder, 'other.js')).toBe(await hashOf(folder, 'one.js'));
  });

  test('is rejected for modules of more than 64 MiB', async () => {
    const { folder } = ownFolder({ 'rules.js': `import './big.js';\n`, 'big.js': '' });
    truncateSync(join(folder, 'big.js'), 2 ** 26 + 1);
    await expect(hashOf(folder, 'rules.js')).rejects.toThrow(
      'expected a system whose modules have at most 67108864 bytes, found more: the last ones of ',
    );
  });

  test.runIf(DEPTH > 1)('is rejected for more than 5 000 files', async () => {
    const names = Array.from({ length: 5000 }, (_, n) => `./many/${String(n)}.js`);
    const { folder } = ownFolder({ 'rules.js': names.map((name) => `import '${name}';\n`).join(''), 'many/0.js': '' });
    for (const name of names) writeFileSync(join(folder, name), '');
    await expect(hashOf(folder, 'rules.js')).rejects.toThrow(
      'expected a system whose modules have at most 5000 files, found more: the last ones of ',
    );
  });
});

describe('listImports', () => {
  test.each([
    [`import a from 'a'; export * from "./b.js"; export { c } from 'c'; import 'd'`, ['a', './b.js', 'c', 'd']],
    [`import{a}from"a";import*as b from"b"`, ['a', 'b']],
    [`// import 'a'\n/* import 'b' */ export default "import 'c'"`, []],
    [`export default await import('a'); import(b); import('c' + d)`, ['a']],
    ['export default await import(`a`)', []],
    [`import './\\u0061.js'`, ['./a.js']],
    [`import a from './a.json' with { type: 'json' }`, ['./a.json']],
    [`const a = require('a'), b = require("./b");`, ['a', './b']],
    [`import 'a'; const b = require('b')`, ['a']],
    [`import { createRequire } from 'node:module'; const b = require('b')`, ['node:module', 'b']],
    [`import a from 'a'; export default new URL('./b.json', import.meta.url)`, ['a', './b.json']],
    [`import type { A } from './a.ts';\nexport const b: A<string> = c as unknown as A<string>;`, ['./a.ts']],
    [`import a from 'a'; }{`, ['a']],
  ])('reads the imports of: %s', async (code, expected) => {
    expect((await listImports(code)).map(({ specifier }) => specifier)).toEqual(expected);
  });
});

test('a comment changes the hash of the rules, but not the digest of results', async () => {
  const [one, other] = [ownFolder(), ownFolder()];
  writeFileSync(other.path, `// A word on the rules.\n${readFileSync(other.path, 'utf8')}`);
  const play = async (path: string) => {
    const systems = await loadSystems([path]);
    const scenario = validateScenario({ system: 'my-duel' }, { systems });
    const { digest } = await simulate(scenario, { battles: 300, workers: 1 });
    return { digest, hash: systems.modules[0]?.hash };
  };
  const [plain, commented] = [await play(one.path), await play(other.path)];
  expect(commented.digest).toBe(plain.digest);
  expect(commented.hash).not.toBe(plain.hash);
});
