/** The sides of scenarios, and whose an outcome, a metric or a path is. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadScenario, loadSystems, validateScenario } from '../../src/index.ts';
import { opened } from '../../src/rules/opened.ts';
import { defineSystem } from '../../src/rules/own/define.ts';
import { sideIn, sidesOf } from '../../src/tell/sides.ts';

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

/** `attacker 0, defender 1` */
const told = (sides: ReturnType<typeof sidesOf>): string =>
  sides.map(({ id, tone }) => `${id} ${String(tone)}`).join(', ');

/** Scenarios whose sides are not attacker and defender. */
const OTHERS: Readonly<Record<string, string>> = {
  'attrition-brawl.yaml': 'watch 0, thieves 1, guild 2',
  'attrition-hunters.yaml': 'dragon 0, guild 1, village 2',
  'attrition-mass.yaml': 'red 0, blue 1, green 2',
  'feint-even.yaml': 'red 0, blue 1',
  'feint-reader.yaml': 'red 0, blue 1',
  'hand-even.yaml': 'red 0, blue 1',
  'hand-less.yaml': 'red 0, blue 1',
  'token-conflict-city.yaml': 'assyria 0, egypt 1',
  'token-conflict-garrison.yaml': 'persia 0, dorians 1',
  'token-conflict-open.yaml': 'egypt 0, assyria 1, barbarians 2',
  'token-conflict-pirates.yaml': 'rhodes 0, cyprus 1, barbarians 2',
  'token-conflict-short-stock.yaml': 'rome 0, gauls 1',
  'token-conflict-sieges.yaml': 'assyria 0, nubia 1, barbarians 2, egypt 3',
};

/** Outcomes that nobody wins. */
const NOBODYS = /^(mutual|stalemate|none|retreat|retreated|withdrawn|undecided|abandoned|held|standoff|coexist|empty)$/;

describe('of all scenarios that are shipped', () => {
  const paths = filesIn('.yaml').map((path) => [basename(path), path] as const);

  test.each(paths)('%s: its sides', async (name, path) => {
    expect(told(sidesOf(await load(path)))).toBe(OTHERS[name] ?? 'attacker 0, defender 1');
  });

  test.each(paths)('%s: outcomes are a side’s, nobody’s or of several areas', async (_, path) => {
    const scenario = await load(path);
    const sides = sidesOf(scenario);
    for (const outcome of opened(scenario).shape.outcomes) {
      const side = sideIn(outcome, sides);
      if (NOBODYS.test(outcome)) expect(side, outcome).toBeUndefined();
      else if (!/city-destroyed|repelled/.test(outcome)) expect(side?.id, outcome).toBe(outcome);
    }
  });

  test.each(paths)('%s: metrics that name a side are that side’s', async (_, path) => {
    const scenario = await load(path);
    const sides = sidesOf(scenario);
    for (const { name } of opened(scenario).shape.metrics) {
      const [, second] = name.split('.');
      const named = sides.find(({ id }) => id === second);
      if (second === undefined) expect(sideIn(name, sides), name).toBeUndefined();
      else if (named !== undefined && !name.startsWith('hp.')) expect(sideIn(name, sides), name).toBe(named);
    }
  });
});

test('a side has the name that the scenario gives it', () => {
  const text = { attack: 1, defense: 1, hp: 9 };
  const scenario = validateScenario({
    ...{ system: 'attrition', mode: 'direct' },
    attacker: { name: 'Swordsmen', ...text },
    defender: { name: 'Pike\u202Emen', ...text },
  });
  expect(sidesOf(scenario).map(({ name }) => name)).toEqual(['Swordsmen', 'Pike\uFFFDmen']);
});

test('combatants are their party’s, by name and by place', async () => {
  const sides = sidesOf(await shipped('attrition-hunters.yaml'));
  const idOf = (name: string) => sideIn(name, sides)?.id;
  expect(idOf('hp.Slayers')).toBe('guild');
  expect(idOf('hp.Dragon')).toBe('dragon');
  expect(idOf('combatants[0].hp')).toBe('dragon');
  expect(idOf('survivors.village')).toBe('village');
  expect(idOf('combatants[9].hp')).toBeUndefined();
});

test('hit points are counted by combatant, also of one that is called as another party', () => {
  const fighter = { attack: 1, defense: 1, hp: 9 };
  const scenario = validateScenario({
    ...{ system: 'attrition', mode: 'mass' },
    combatants: [
      { ...fighter, name: 'watch', party: 'thieves' },
      { ...fighter, name: 'St. George', party: 'watch' },
    ],
  });
  const idOf = (name: string) => sideIn(name, sidesOf(scenario))?.id;
  expect(idOf('hp.watch')).toBe('thieves');
  expect(idOf('survivors.watch')).toBe('watch');
  expect(idOf('hp.St. George')).toBe('watch');
  expect(idOf('watch')).toBe('watch');
});

test('paths of a scenario', async () => {
  const sides = sidesOf(await shipped('phased-dice-ground.yaml'));
  expect(sideIn('attacker.units.cannon', sides)?.tone).toBe(0);
  expect(sideIn('left.defender.cannon', sides)?.tone).toBe(1);
  expect(sideIn('unitTypes.tank.hits', sides)).toBeUndefined();
  expect(sideIn('rounds', sides)).toBeUndefined();
  const cities = sidesOf(await shipped('token-conflict-city.yaml'));
  expect(sideIn('players.egypt.stock', cities)?.id).toBe('egypt');
  expect(sideIn('areas[0].tokens.assyria', cities)?.id).toBe('assyria');
});

test('a city’s outcomes are those of who wishes them', async () => {
  const [city, several] = await Promise.all([
    shipped('token-conflict-garrison.yaml'),
    shipped('token-conflict-short-stock.yaml'),
  ]);
  expect(sideIn('city-destroyed', sidesOf(city))?.id).toBe('persia');
  expect(sideIn('repelled', sidesOf(city))?.id).toBe('dorians');
  const sides = sidesOf(several);
  expect(sideIn('rome + repelled + repelled + city-destroyed', sides)?.id).toBe('rome');
  expect(sideIn('rome + city-destroyed + repelled + city-destroyed', sides)).toBeUndefined();
});

describe('of systems of users', () => {
  const ends = { start: () => ({}), round: (state: object) => state };
  /** A system without fields of its own, whose battles can end so. */
  const sidesWith = (outcomes: readonly string[], metrics: readonly string[], players?: () => string[]) => {
    const duel = defineSystem({
      ...{ id: 'duel', title: 'A duel', about: 'For a test.', fields: {} },
      battle: () => ({
        ...{ ...ends, outcomes, outcome: () => outcomes[0] },
        metrics: Object.fromEntries(metrics.map((name) => [name, { min: 0, max: 1, of: () => 0 }])),
      }),
      ...(players !== undefined && { rollout: () => ({ players: players(), features: [] }) }),
    });
    return sidesOf(validateScenario({ system: 'duel' }, { systems: [duel] }));
  };

  test('by metrics that bear the names of outcomes', () => {
    expect(told(sidesWith(['north', 'south', 'draw'], ['hp.north', 'hp.south']))).toBe('north 0, south 1');
  });

  test('called by colours they have these, as far as they are free', () => {
    expect(told(sidesWith(['Blue', 'Red', 'Grey'], ['hp.Blue', 'hp.Red', 'hp.Grey']))).toBe('Blue 1, Red 0, Grey 2');
    expect(told(sidesWith(['pink', 'purple'], ['hp.pink', 'hp.purple']))).toBe('pink 3, purple 0');
  });

  test('the defender alone keeps the defender’s colour', () => {
    expect(told(sidesWith(['defender', 'lost'], []))).toBe('defender 1');
  });

  test('else by who plays; nobody where the rules of that fail', () => {
    const players = () => ['anna', 'bert'];
    expect(told(sidesWith(['yes', 'no'], [], players))).toBe('anna 0, bert 1');
    const fails = () => {
      throw new Error('no');
    };
    expect(sidesWith(['yes', 'no'], [], fails)).toEqual([]);
    expect(sidesWith(['yes', 'no'], [])).toEqual([]);
  });

  test('more than there are colours for begin again', () => {
    const ids = Array.from({ length: 8 }, (_, k) => `p${String(k)}`);
    const sides = sidesWith(
      ids,
      ids.map((id) => `hp.${id}`),
    );
    expect(sides.map(({ tone }) => tone)).toEqual([0, 1, 2, 3, 4, 5, 0, 1]);
  });
});
