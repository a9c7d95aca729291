/** Sides of scenarios, and the side to which an outcome, a metric or a path belongs. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadScenario, loadSystems, validateScenario } from '../../src/index.ts';
import { findSide, getSides } from '../../src/report/scenario/sides.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const filesIn = (ending: string): string[] =>
  ['scenarios', 'examples/games', 'examples/systems'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => join(ROOT, folder, name)),
  );

const systems = await loadSystems(filesIn('.mjs'));

const load = (path: string) => loadScenario(path, { systems });

const shipped = (name: string) => load(join(ROOT, 'scenarios', name));

/** Returns the sides as text, such as `attacker 0, defender 1`. */
const reported = (sides: ReturnType<typeof getSides>): string =>
  sides.map(({ id, tone }) => `${id} ${String(tone)}`).join(', ');

/** Scenarios whose sides are not attacker and defender. */
const OTHERS: Readonly<Record<string, string>> = {
  'attrition-brawl.yaml': 'watch 0, thieves 1, guild 2',
  'attrition-hunters.yaml': 'dragon 0, guild 1, village 2',
  'attrition-mass.yaml': 'red 0, blue 1, green 2',
  'backoff-deadline.yaml': 'red 0, blue 1',
  'backoff-noise.yaml': 'red 0, blue 1',
  'feint-even.yaml': 'red 0, blue 1',
  'feint-reader.yaml': 'red 0, blue 1',
  'first-win-paper.yaml': 'red 0, blue 1',
  'first-win-two.yaml': 'red 0, blue 1',
  'goofspiel-equal.yaml': 'red 0, blue 1',
  'goofspiel-three.yaml': 'red 0, blue 1',
  'hand-even.yaml': 'red 0, blue 1',
  'hand-less.yaml': 'red 0, blue 1',
  'robots-five.yaml': 'red 0, blue 1',
  'robots-wet.yaml': 'red 0, blue 1',
  'token-conflict-city.yaml': 'assyria 0, egypt 1',
  'token-conflict-garrison.yaml': 'persia 0, dorians 1',
  'token-conflict-open.yaml': 'egypt 0, assyria 1, barbarians 2',
  'token-conflict-pirates.yaml': 'rhodes 0, cyprus 1, barbarians 2',
  'token-conflict-short-stock.yaml': 'rome 0, gauls 1',
  'token-conflict-sieges.yaml': 'assyria 0, nubia 1, barbarians 2, egypt 3',
};

/** Outcomes without a winner. */
const NOBODYS = /^(mutual|stalemate|none|retreat|retreated|withdrawn|undecided|abandoned|held|standoff|coexist|empty)$/;

describe('sides of all shipped scenarios', () => {
  const paths = filesIn('.yaml').map((path) => [basename(path), path] as const);

  test.each(paths)('%s: sides are as expected', async (name, path) => {
    expect(reported(getSides(await load(path)))).toBe(OTHERS[name] ?? 'attacker 0, defender 1');
  });

  test.each(paths)('%s: each outcome belongs to a side, to no side, or to several areas', async (_, path) => {
    const scenario = await load(path);
    const sides = getSides(scenario);
    for (const outcome of getBoundScenario(scenario).shape.outcomes) {
      const side = findSide(outcome, sides);
      if (NOBODYS.test(outcome)) expect(side, outcome).toBeUndefined();
      else if (!/city-destroyed|repelled/.test(outcome)) expect(side?.id, outcome).toBe(outcome);
    }
  });

  test.each(paths)('%s: metrics with the name of a side belong to it', async (_, path) => {
    const scenario = await load(path);
    const sides = getSides(scenario);
    for (const { name } of getBoundScenario(scenario).shape.metrics) {
      const [, second] = name.split('.');
      const named = sides.find(({ id }) => id === second);
      if (second === undefined) expect(findSide(name, sides), name).toBeUndefined();
      else if (named !== undefined && !name.startsWith('hp.')) expect(findSide(name, sides), name).toBe(named);
    }
  });
});

test('a side has its name in the scenario', () => {
  const text = { attack: 1, defense: 1, hp: 9 };
  const scenario = validateScenario({
    ...{ system: 'attrition', mode: 'direct' },
    attacker: { name: 'Swordsmen', ...text },
    defender: { name: 'Pike\u202Emen', ...text },
  });
  expect(getSides(scenario).map(({ name }) => name)).toEqual(['Swordsmen', 'Pike\uFFFDmen']);
});

test('combatants belong to their party, by name and by index', async () => {
  const sides = getSides(await shipped('attrition-hunters.yaml'));
  const idOf = (name: string) => findSide(name, sides)?.id;
  expect(idOf('hp.Slayers')).toBe('guild');
  expect(idOf('hp.Dragon')).toBe('dragon');
  expect(idOf('combatants[0].hp')).toBe('dragon');
  expect(idOf('survivors.village')).toBe('village');
  expect(idOf('combatants[9].hp')).toBeUndefined();
});

test('hit points belong to a combatant, even if its name is the name of another party', () => {
  const fighter = { attack: 1, defense: 1, hp: 9 };
  const scenario = validateScenario({
    ...{ system: 'attrition', mode: 'mass' },
    combatants: [
      { ...fighter, name: 'watch', party: 'thieves' },
      { ...fighter, name: 'St. George', party: 'watch' },
    ],
  });
  const idOf = (name: string) => findSide(name, getSides(scenario))?.id;
  expect(idOf('hp.watch')).toBe('thieves');
  expect(idOf('survivors.watch')).toBe('watch');
  expect(idOf('hp.St. George')).toBe('watch');
  expect(idOf('watch')).toBe('watch');
});

test('paths of a scenario belong to the side in them', async () => {
  const sides = getSides(await shipped('phased-dice-ground.yaml'));
  expect(findSide('attacker.units.cannon', sides)?.tone).toBe(0);
  expect(findSide('left.defender.cannon', sides)?.tone).toBe(1);
  expect(findSide('unitTypes.tank.hits', sides)).toBeUndefined();
  expect(findSide('rounds', sides)).toBeUndefined();
  const cities = getSides(await shipped('token-conflict-city.yaml'));
  expect(findSide('players.egypt.stock', cities)?.id).toBe('egypt');
  expect(findSide('areas[0].tokens.assyria', cities)?.id).toBe('assyria');
});

test('an outcome of a city belongs to the player with this goal', async () => {
  const [city, several] = await Promise.all([
    shipped('token-conflict-garrison.yaml'),
    shipped('token-conflict-short-stock.yaml'),
  ]);
  expect(findSide('city-destroyed', getSides(city))?.id).toBe('persia');
  expect(findSide('repelled', getSides(city))?.id).toBe('dorians');
  const sides = getSides(several);
  expect(findSide('rome + repelled + repelled + city-destroyed', sides)?.id).toBe('rome');
  expect(findSide('rome + city-destroyed + repelled + city-destroyed', sides)).toBeUndefined();
});

describe('sides of custom systems', () => {
  const ends = { start: () => ({}), round: (state: object) => state };
  /** Returns the sides of a system without fields that has these outcomes, metrics and players. */
  const sidesWith = (outcomes: readonly string[], metrics: readonly string[], players?: () => string[]) => {
    const duel = defineSystem({
      ...{ id: 'duel', title: 'A duel', about: 'For a test.', fields: {} },
      battle: () => ({
        ...{ ...ends, outcomes, outcome: () => outcomes[0] },
        metrics: Object.fromEntries(metrics.map((name) => [name, { min: 0, max: 1, of: () => 0 }])),
      }),
      ...(players !== undefined && { environment: () => ({ players: players(), features: [] }) }),
    });
    return getSides(validateScenario({ system: 'duel' }, { systems: [duel] }));
  };

  test('come from metrics with the names of outcomes', () => {
    expect(reported(sidesWith(['north', 'south', 'draw'], ['hp.north', 'hp.south']))).toBe('north 0, south 1');
  });

  test('with the names of colors have these colors, if available', () => {
    expect(reported(sidesWith(['Blue', 'Red', 'Grey'], ['hp.Blue', 'hp.Red', 'hp.Grey']))).toBe(
      'Blue 1, Red 0, Grey 2',
    );
    expect(reported(sidesWith(['pink', 'purple'], ['hp.pink', 'hp.purple']))).toBe('pink 3, purple 0');
  });

  test('that have only a defender keep the color of the defender', () => {
    expect(reported(sidesWith(['defender', 'lost'], []))).toBe('defender 1');
  });

  test('come from players otherwise, and are empty if the rules for players throw an error', () => {
    const players = () => ['anna', 'bert'];
    expect(reported(sidesWith(['yes', 'no'], [], players))).toBe('anna 0, bert 1');
    const fails = () => {
      throw new Error('no');
    };
    expect(sidesWith(['yes', 'no'], [], fails)).toEqual([]);
    expect(sidesWith(['yes', 'no'], [])).toEqual([]);
  });

  test('repeat the colors if there are more than six', () => {
    const ids = Array.from({ length: 8 }, (_, k) => `p${String(k)}`);
    const sides = sidesWith(
      ids,
      ids.map((id) => `hp.${id}`),
    );
    expect(sides.map(({ tone }) => tone)).toEqual([0, 1, 2, 3, 4, 5, 0, 1]);
  });
});
