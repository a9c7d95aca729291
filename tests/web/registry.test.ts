/** Systems that the page knows by name: loaded when a text names one, the user's own before all others. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GAMES } from '../../src/rules/games.ts';
import { SHIPPED } from '../../src/rules/index.ts';
import { loadSystems } from '../../src/rules/load.ts';
import type { System } from '../../src/rules/system.ts';
import { catalogue } from '../../web/engine/catalogue.ts';
import { scenarioOf } from '../../web/engine/check.ts';
import {
  given,
  isNamed,
  listed,
  loadFor,
  loadNamed,
  type Named,
  nameSystems,
  registry,
  setRegistry,
} from '../../web/engine/registry.ts';
import { ownFolder } from '../own.ts';

/** Ids in the order in which they were asked for. */
let asked: string[] = [];

const game = (id: string, load: () => Promise<System>): Named => ({
  ...{ id, title: `title of ${id}`, about: '' },
  module: { url: `file:///${id}.mjs`, hash: `hash of ${id}` },
  load: () => {
    asked.push(id);
    return load();
  },
});

async function systemOf(id: string): Promise<System> {
  return (await loadSystems([`examples/games/${id}.mjs`])).system(id);
}

/** The registry forgets no game once it is loaded, so every test has others. */
let names: readonly string[] = [];

const SHIPPED_NAMED: readonly Named[] = SHIPPED.all.map((system) => ({
  ...{ id: system.id, title: system.title, about: system.about },
  load: () => Promise.resolve(system),
}));

function nameGames(...ids: readonly string[]): void {
  names = ids;
  nameSystems([...SHIPPED_NAMED, ...ids.map((id) => game(id, () => systemOf(id)))]);
}

beforeEach(() => {
  asked = [];
});

afterEach(() => {
  nameSystems([]);
  setRegistry(SHIPPED);
});

describe('a game', () => {
  test('is known by its name before it is loaded, and loaded once where a text names it', async () => {
    nameGames('conquest-dice', 'block-dice');
    expect(registry().names).toEqual([...SHIPPED.names, ...names]);
    expect(registry().find('conquest-dice')).toBeUndefined();
    expect(listed().map(({ id }) => id)).toEqual([...SHIPPED.names, ...names]);
    expect(catalogue.systemList().at(-2)).toMatchObject({ id: 'conquest-dice', title: 'title of conquest-dice' });
    const text = '{"system": "conquest-dice", "attacker": 3, "defender": 2}';
    await Promise.all([loadFor([text, 3]), loadFor([{ text, seed: '1' }])]);
    await loadFor([text]);
    expect(asked).toEqual(['conquest-dice']);
    const scenario = scenarioOf(text);
    expect(scenario).toMatchObject({ system: 'conquest-dice', attacker: 3 });
    expect(isNamed(scenario)).toBe(true);
    expect(registry().moduleOf('conquest-dice')?.hash).toBe('hash of conquest-dice');
    // It is no module of the user's: commands need no --systems.
    expect(given('a.yaml')).toEqual({ file: 'a.yaml' });
  });

  test('that a text can only mean by escapes is loaded too', async () => {
    nameGames('symbol-dice');
    await loadFor([String.raw`system: "symbol\x2ddice"`]);
    expect(asked).toEqual(['symbol-dice']);
    expect(scenarioOf(`${String.raw`system: "symbol\x2ddice"`}\nattacker: {}\ndefender: {}\n`).system).toBe(
      'symbol-dice',
    );
  });

  test('that cannot be loaded is asked for again', async () => {
    let times = 0;
    const failing = game('space-fleets', async () => {
      if (times++ === 0) throw new TypeError('no network');
      return systemOf('space-fleets');
    });
    nameSystems([failing]);
    await expect(loadFor(['system: space-fleets'])).rejects.toThrow('no network');
    expect(registry().find('space-fleets')).toBeUndefined();
    await loadFor(['system: space-fleets']);
    expect(registry().find('space-fleets')?.id).toBe('space-fleets');
    expect(asked).toHaveLength(2);
  });

  test('that is not named is not loaded, and all are where all are wanted', async () => {
    nameGames('combined-arms', 'hit-wound-save');
    await loadFor(['system: attrition', { file: 'risk.yaml' }, 7, undefined, null]);
    expect(asked).toEqual([]);
    await loadNamed();
    expect(asked).toEqual(['combined-arms', 'hit-wound-save']);
    await loadNamed();
    expect(asked).toHaveLength(2);
  });
});

describe('a module of the user', () => {
  test('goes before a game of its name, whenever it is opened', async () => {
    const { folder } = ownFolder({
      'mine.mjs': `import { defineSystem } from 'warpool/system';
export default defineSystem({
  id: 'conquest-dice', title: 'Mine', about: 'Nobody fights.', fields: {},
  battle: () => ({ outcomes: ['peace'], metrics: {}, start: () => ({}), step: () => undefined, end: () => 'peace' }),
});\n`,
    });
    nameGames('conquest-dice');
    await loadNamed();
    setRegistry(await loadSystems([`${folder}/mine.mjs`]));
    expect(registry().system('conquest-dice').title).toBe('Mine');
    expect(registry().moduleOf('conquest-dice')?.url).toMatch(/mine\.mjs$/);
    expect(registry().names.filter((id) => id === 'conquest-dice')).toHaveLength(1);
    expect(listed().filter(({ id }) => id === 'conquest-dice')).toMatchObject([{ title: 'Mine' }]);
    expect(given('a.yaml').systems).toHaveLength(1);
    asked = [];
    await loadFor(['system: conquest-dice']);
    expect(asked).toEqual([]);
    setRegistry(SHIPPED);
    expect(registry().system('conquest-dice').title).not.toBe('Mine');
  });
});

test('what no system is called is told with the names of all, and with the game that is meant', () => {
  nameGames('conquest-dice');
  expect(() => scenarioOf('system: risk\n')).toThrow('did you mean conquest-dice, as in Risk?');
  expect(() => scenarioOf('system: chess\n')).toThrow(/expected one of attrition, .*conquest-dice/);
});

test('games of the list have modules that export them', async () => {
  for (const { id, title } of GAMES) expect((await systemOf(id)).title, id).toBe(title);
});
