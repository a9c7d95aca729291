/** Systems that the web app loads when a text names them; custom systems take precedence. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GAMES } from '../../src/rules/games.ts';
import { hashModule } from '../../src/rules/identity.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import type { System } from '../../src/rules/system.ts';
import { parseScenarioText } from '../../web/engine/editing/check.ts';
import { catalogue } from '../../web/engine/registry/catalogue.ts';
import {
  createScenarioOptions,
  getRegistry,
  isLoadable,
  type LoadableSystem,
  listSystems,
  loadReferencedSystems,
  loadSystemsById,
  setLoadableSystems,
  setRegistry,
} from '../../web/engine/registry/registry.ts';
import { ownFolder } from '../custom-system.ts';

/** Ids in the order of loading. */
let options: string[] = [];

const game = (id: string, load: () => Promise<System>): LoadableSystem => ({
  ...{ id, title: `title of ${id}`, about: '' },
  module: { url: `file:///${id}.mjs`, hash: `hash of ${id}` },
  load: () => {
    options.push(id);
    return load();
  },
});

async function systemOf(id: string): Promise<System> {
  return (await loadSystems([`examples/games/${id}.mjs`])).system(id);
}

/** The registry keeps loaded games, so every test uses other ones. */
let names: readonly string[] = [];

const SHIPPED_NAMED: readonly LoadableSystem[] = SHIPPED_REGISTRY.all.map((system) => ({
  ...{ id: system.id, title: system.title, about: system.about },
  load: () => Promise.resolve(system),
}));

function nameGames(...ids: readonly string[]): void {
  names = ids;
  setLoadableSystems([...SHIPPED_NAMED, ...ids.map((id) => game(id, () => systemOf(id)))]);
}

beforeEach(() => {
  options = [];
});

afterEach(() => {
  setLoadableSystems([]);
  setRegistry(SHIPPED_REGISTRY);
});

describe('a game', () => {
  test('is listed before it is loaded, and loaded once if a text names it', async () => {
    nameGames('conquest-dice', 'block-dice');
    expect(getRegistry().names).toEqual([...SHIPPED_REGISTRY.names, ...names]);
    expect(getRegistry().find('conquest-dice')).toBeUndefined();
    expect(listSystems().map(({ id }) => id)).toEqual([...SHIPPED_REGISTRY.names, ...names]);
    expect(catalogue.systemList().at(-2)).toMatchObject({ id: 'conquest-dice', title: 'title of conquest-dice' });
    const text = '{"system": "conquest-dice", "attacker": 3, "defender": 2}';
    await Promise.all([loadReferencedSystems([text, 3]), loadReferencedSystems([{ text, seed: '1' }])]);
    await loadReferencedSystems([text]);
    expect(options).toEqual(['conquest-dice']);
    const scenario = parseScenarioText(text);
    expect(scenario).toMatchObject({ system: 'conquest-dice', attacker: 3 });
    expect(isLoadable(scenario)).toBe(true);
    expect(getRegistry().moduleOf('conquest-dice')?.hash).toBe('hash of conquest-dice');
    // It is not a custom module: commands need no --systems.
    expect(createScenarioOptions('a.yaml')).toEqual({ file: 'a.yaml' });
  });

  test('is loaded if a text names it by escape sequences', async () => {
    nameGames('symbol-dice');
    await loadReferencedSystems([String.raw`system: "symbol\x2ddice"`]);
    expect(options).toEqual(['symbol-dice']);
    expect(parseScenarioText(`${String.raw`system: "symbol\x2ddice"`}\nattacker: {}\ndefender: {}\n`).system).toBe(
      'symbol-dice',
    );
  });

  test('is requested again after loading failed', async () => {
    let times = 0;
    const failing = game('space-fleets', async () => {
      if (times++ === 0) throw new TypeError('no network');
      return systemOf('space-fleets');
    });
    setLoadableSystems([failing]);
    await expect(loadReferencedSystems(['system: space-fleets'])).rejects.toThrow('no network');
    expect(getRegistry().find('space-fleets')).toBeUndefined();
    await loadReferencedSystems(['system: space-fleets']);
    expect(getRegistry().find('space-fleets')?.id).toBe('space-fleets');
    expect(options).toHaveLength(2);
  });

  test('is loaded only if a text names it or if all are requested', async () => {
    nameGames('combined-arms', 'hit-wound-save');
    await loadReferencedSystems(['system: attrition', { file: 'risk.yaml' }, 7, undefined, null]);
    expect(options).toEqual([]);
    await loadSystemsById();
    expect(options).toEqual(['combined-arms', 'hit-wound-save']);
    await loadSystemsById();
    expect(options).toHaveLength(2);
  });
});

describe('a custom module', () => {
  test('takes precedence over a game with the same name', async () => {
    const { folder } = ownFolder({
      'mine.mjs': `import { defineSystem } from 'warpool/system';
export default defineSystem({
  id: 'conquest-dice', title: 'Mine', about: 'Nobody fights.', fields: {},
  battle: () => ({ outcomes: ['peace'], start: () => ({}), round: () => ({}), outcome: () => 'peace' }),
});\n`,
    });
    nameGames('conquest-dice');
    await loadSystemsById();
    setRegistry(await loadSystems([`${folder}/mine.mjs`]));
    expect(getRegistry().system('conquest-dice').title).toBe('Mine');
    expect(getRegistry().moduleOf('conquest-dice')?.url).toMatch(/mine\.mjs$/);
    expect(getRegistry().names.filter((id) => id === 'conquest-dice')).toHaveLength(1);
    expect(listSystems().filter(({ id }) => id === 'conquest-dice')).toMatchObject([{ title: 'Mine' }]);
    expect(createScenarioOptions('a.yaml').systems).toHaveLength(1);
    options = [];
    await loadReferencedSystems(['system: conquest-dice']);
    expect(options).toEqual([]);
    setRegistry(SHIPPED_REGISTRY);
    expect(getRegistry().system('conquest-dice').title).not.toBe('Mine');
  });
});

test('an unknown system is rejected with all names, or with a suggestion', () => {
  nameGames('conquest-dice');
  expect(() => parseScenarioText('system: risk\n')).toThrow('did you mean conquest-dice, as in Risk?');
  expect(() => parseScenarioText('system: chess\n')).toThrow(/expected one of attrition, .*conquest-dice/);
});

test('every listed game has a module with the same title', async () => {
  for (const { id, title } of GAMES) expect((await systemOf(id)).title, id).toBe(title);
});

test('the built web app has the module hashes of the command line', async () => {
  const folder = 'dist/page/assets';
  const engine = readdirSync(folder).filter((name) => /^engine-[\w-]{8}\.js$/.test(name));
  const text = engine.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('');
  for (const { id } of GAMES) {
    const hash = await hashModule(pathToFileURL(resolve(`examples/games/${id}.mjs`)).href);
    expect(text.includes(hash), id).toBe(true);
  }
});
