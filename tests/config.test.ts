/** Systems from files and from configuration files. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replay } from '../src/analysis/replay.ts';
import { simulate } from '../src/analysis/simulate.ts';
import { solveSync } from '../src/analysis/solve.ts';
import { findConfig } from '../src/cli/find-config.ts';
import { getBoundScenario, toPortable } from '../src/rules/bound-scenario.ts';
import { defineConfig, readConfig } from '../src/rules/custom/config.ts';
import { hashModule } from '../src/rules/identity.ts';
import { loadSystems, receiveScenario } from '../src/rules/load-systems.ts';
import { validateScenario } from '../src/rules/scenario/index.ts';
import { createRecord } from '../src/stats/records.ts';
import { change, ownFolder } from './custom-system.ts';

const CONFIG = 'warpool.config.mjs';

/** Loads a file as a configuration or a module. @returns the message of the InputError, with paths from its folder */
async function rejection(name: string, text: string): Promise<string> {
  const { folder } = ownFolder({ [name]: text });
  const path = join(folder, name);
  const given = name.startsWith('warpool') ? readConfig(path) : loadSystems([path]);
  const error = await given.then(
    () => undefined,
    (found: unknown) => found,
  );
  expect(error).toMatchObject({ name: 'InputError' });
  return (error as Error).message.replaceAll(`${folder}/`, '');
}

test('findConfig returns the nearest configuration file in a folder or its parents', () => {
  const { folder } = ownFolder({ 'warpool.config.js': '', [CONFIG]: '' });
  const [middle, inner] = [join(folder, 'a'), join(folder, 'a/b')];
  mkdirSync(inner, { recursive: true });
  expect(findConfig(inner)).toBe(join(folder, 'warpool.config.js'));
  expect(findConfig(middle)).toBe(join(folder, 'warpool.config.js'));
  expect(findConfig('/')).toBeUndefined();
});

test('paths are relative to the configuration file, and a module named twice is loaded once', async () => {
  const { folder, path } = ownFolder({ [CONFIG]: `export default { systems: ['./my-duel.js', 'my-duel.js'] };` });
  const registry = await readConfig(join(folder, CONFIG));
  expect(registry.names.at(-1)).toBe('my-duel');
  const again = await loadSystems([path], { systems: registry });
  expect(again.modules.map(({ url }) => url)).toEqual([`file://${path}`]);
});

test('defineConfig returns its argument', () => {
  const config = { systems: ['./my-duel.js'] };
  expect(defineConfig(config)).toBe(config);
});

test('threads load a system from the configuration file that contains it', async () => {
  const text = `import { myDuel } from './my-duel.js';\nexport default { systems: [myDuel] };`;
  const { folder } = ownFolder({ [CONFIG]: text });
  const systems = await readConfig(join(folder, CONFIG));
  const scenario = validateScenario({ system: 'my-duel' }, { systems });
  const sent = structuredClone(toPortable(scenario));
  expect(sent?.module?.url).toBe(`file://${join(folder, CONFIG)}`);
  expect(sent && getBoundScenario(await receiveScenario(sent)).system.title).toBe('Duel of a user');
});

test.each([
  [
    CONFIG,
    'export const systems = [];',
    `${CONFIG}: expected a default export such as { systems: ['./my-duel.js'] }, found none`,
  ],
  [
    CONFIG,
    'export default { sytems: [] };',
    `${CONFIG}: expected options among systems, found "sytems" (did you mean systems?)`,
  ],
  [CONFIG, 'export default 7;', `${CONFIG}: expected an object with options, found 7`],
  [CONFIG, 'export default { systems: {} };', `${CONFIG} systems: expected a list, found an empty mapping`],
  [
    CONFIG,
    'export default { systems: [7] };',
    `${CONFIG} systems[0]: expected the path of a file, the name of a package, or a system, found 7`,
  ],
  [
    CONFIG,
    `export default { systems: ['./none.js'] };`,
    `${CONFIG} systems[0] ./none.js: expected a file with a system, found no such file`,
  ],
  [
    CONFIG,
    '\nnull.length;',
    /^warpool\.config\.mjs: expected a module that can be loaded, found TypeError: .* \(warpool\.config\.mjs:2:\d+\)$/,
  ],
  [CONFIG, `import './none.js';`, /^warpool\.config\.mjs: expected a module that can be loaded, found .*none\.js/s],
  ['plain.js', 'export const a = 1, b = 2;', 'systems plain.js: expected a module that exports a system, found a, b'],
  ['empty.js', '', 'systems empty.js: expected a module that exports a system, found no exports'],
  [
    'part.js',
    `import { myDuel } from './my-duel.js';\nconst { model, about, ...rest } = myDuel;\nexport { rest };`,
    'systems part.js: expected a module that exports a system, found rest without about, model',
  ],
  [
    'raw.js',
    `export default { id: 'raw', title: 'Raw', fields: {}, battle: () => ({}) };`,
    'systems raw.js: expected a module that exports a system, found default, which is not the result of defineSystem({ ... })',
  ],
  [
    'twin.js',
    `import { myDuel } from './my-duel.js';\nexport const twin = { ...myDuel, id: 'attrition' };`,
    'systems twin.js: expected a system with a unique name, found "attrition", which is already loaded',
  ],
  [
    'throws.js',
    '\n\nthrow new Error("no dice");',
    /^systems throws\.js: expected a module that can be loaded, found Error: no dice \(throws\.js:3:\d+\)$/,
  ],
] as const)('%s with the text %j is rejected', async (name, text, message) => {
  const reported = await rejection(name, text);
  if (typeof message === 'string') expect(reported).toBe(message);
  else expect(reported).toMatch(message);
});

test('a second system of the same name is rejected with the path of the first', async () => {
  const [one, other] = [ownFolder(), ownFolder()];
  await expect(loadSystems([one.path, other.path])).rejects.toThrow(
    `systems ${other.path}: expected a system with a unique name, found "my-duel", which ${one.path} exports too`,
  );
});

test('TypeScript modules load if Node strips types, and are rejected otherwise', async () => {
  const { folder } = ownFolder({
    'typed.ts': `import { myDuel } from './my-duel.js';\nexport const it: object = myDuel;`,
  });
  const loaded = loadSystems([join(folder, 'typed.ts')]).then(({ names }) => names.at(-1), String);
  const strips = 'typescript' in process.features && process.features.typescript !== false;
  const rejection = `InputError: systems ${join(folder, 'typed.ts')}: expected JavaScript, or Node 22.18 or later, which runs TypeScript, found TypeScript on Node ${process.versions.node}`;
  expect(await loaded).toBe(strips ? 'my-duel' : rejection);
});

test('hashModule covers a module and its relative imports, but not their location', async () => {
  const [one, other] = [ownFolder(), ownFolder()];
  const hash = (path: string): Promise<string> => hashModule(`file://${path}`);
  const before = await hash(one.path);
  expect(await hash(other.path)).toBe(before);
  change(join(other.folder, 'blow.js'), '[0, 0, 0', '[0, 0, 1');
  expect(await hash(other.path)).not.toBe(before);
});

test('a module that changed after this process loaded it is rejected', async () => {
  const { path } = ownFolder();
  const [module] = (await loadSystems([path])).modules;
  change(path, 'Duel of a user', 'Duel of another');
  await expect(loadSystems([path])).rejects.toThrow(`that this process has loaded, with hash ${String(module?.hash)}`);
});

test('hashModule covers required files, even without their extension', async () => {
  const { folder } = ownFolder({
    'more.js': "require('./tables');",
    'tables.js': 'module.exports = [2];',
  });
  const hash = (): Promise<string> => hashModule(`file://${folder}/more.js`);
  const before = await hash();
  change(join(folder, 'tables.js'), '[2]', '[3]');
  expect(await hash()).not.toBe(before);
});

test('a misspelled name of a system gets a suggestion', async () => {
  const systems = await loadSystems([ownFolder().path]);
  expect(() => systems.system('my-dul')).toThrow('found "my-dul" (did you mean my-duel?)');
});

test('records of metrics are plain objects, even with a key __proto__', () => {
  const side = { attack: 1, defense: 1, hp: 1 };
  const fields = { system: 'attrition', mode: 'direct', attacker: side, defender: side };
  const { metrics } = replay(validateScenario(fields));
  expect(Object.getPrototypeOf(metrics)).toBe(Object.prototype);
  expect(Object.entries(createRecord([['__proto__', 1]]))).toEqual([['__proto__', 1]]);
});

test('results contain the hash of rules from a file, but digests do not depend on it', async () => {
  const own = ownFolder();
  const systems = await loadSystems([own.path]);
  const play = (known: typeof systems | readonly (typeof systems.all)[number][]) =>
    simulate(validateScenario({ system: 'my-duel' }, { systems: known }), { battles: 500, workers: 1 });
  const [loaded, value] = [await play(systems), await play(systems.all.filter(({ id }) => id === 'my-duel'))];
  expect(loaded.summary).toEqual(value.summary);
  // The digest covers only results, so it does not depend on the text of the rules.
  expect(loaded.digest).toBe(value.digest);
  expect(loaded.toJSON()).toMatchObject({ system: 'my-duel', systemHash: systems.modules[0]?.hash });
  expect(value.toJSON()).not.toHaveProperty('systemHash');
});

test('simulate, solveSync and replay reject incomplete scenarios; simulate accepts a clone', async () => {
  const fields = {
    system: 'attrition',
    mode: 'direct',
    attacker: { attack: 1, defense: 1, hp: 9 },
    defender: { attack: 1, defense: 1, hp: 8 },
  };
  const checked = validateScenario(fields);
  const due = await simulate(checked, { battles: 100 });
  expect((await simulate(structuredClone(checked), { battles: 100 })).digest).toBe(due.digest);
  const reported = 'a scenario: expected a scenario from loadScenario, parseScenario or validateScenario, found ';
  const rejection: [unknown, string][] = [
    [fields, 'an object whose field dice is missing or wrong'],
    [{ system: 'attrition' }, 'an object whose field mode is missing or wrong'],
    [
      { ...checked, attacker: { ...fields.attacker, hp: '9' } },
      'an object whose field attacker.hp is missing or wrong',
    ],
    [{ ...checked, morale: 3 }, 'an object whose fields are missing or wrong'],
    [null, 'null'],
    ['duel.yaml', 'duel.yaml'],
  ];
  for (const [scenario, found] of rejection) {
    const given = scenario as typeof checked;
    await expect(simulate(given, { battles: 10 })).rejects.toThrow(reported + found);
    expect(() => solveSync(given)).toThrow(reported + found);
    expect(() => replay(given)).toThrow(reported + found);
  }
});
