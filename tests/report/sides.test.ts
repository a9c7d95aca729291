/** The sides of scenarios, and whose an outcome, a metric or a path is. */
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

/** `attacker 0, defender 1` */
const told = (sides: ReturnType<typeof getSides>): string =>
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

/** Outcomes that nobody wins. */
const NOBODYS = /^(mutual|stalemate|none|retreat|retreated|withdrawn|undecided|abandoned|held|standoff|coexist|empty)$/;

describe('of all scenarios that are shipped', () => {
  const paths = filesIn('.yaml').map((path) => [basename(path), path] as const);

  test.each(paths)('%s: its sides', async (name, path) => {
    expect(told(getSides(await load(path)))).toBe(OTHERS[name] ?? 'attacker 0, defender 1');
  });

  test.each(paths)('%s: outcomes are a side’s, nobody’s or of several areas', async (_, path) => {
    const scenario = await load(path);
    const sides = getSides(scenario);
    for (const outcome of getBoundScenario(scenario).shape.outcomes) {
      const side = findSide(outcome, sides);
      if (NOBODYS.test(outcome)) expect(side, outcome).toBeUndefined();
      else if (!/city-destroyed|repelled/.test(outcome)) expect(side?.id, outcome).toBe(outcome);
    }
  });

  test.each(paths)('%s: metrics that name a side are that side’s', async (_, path) => {
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

test('a side has the name that the scenario gives it', () => {
  const text = { attack: 1, defense: 1, hp: 9 };
  const scenario = validateScenario({
    ...{ system: 'attrition', mode: 'direct' },
    attacker: { name: 'Swordsmen', ...text },
    defender: { name: 'Pike\u202Emen', ...text },
  });
  expect(getSides(scenario).map(({ name }) => name)).toEqual(['Swordsmen', 'Pike\uFFFDmen']);
});

test('combatants are their party’s, by name and by place', async () => {
  const sides = getSides(await shipped('attrition-hunters.yaml'));
  const idOf = (name: string) => findSide(name, sides)?.id;
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
  const idOf = (name: string) => findSide(name, getSides(scenario))?.id;
  expect(idOf('hp.watch')).toBe('thieves');
  expect(idOf('survivors.watch')).toBe('watch');
  expect(idOf('hp.St. George')).toBe('watch');
  expect(idOf('watch')).toBe('watch');
});

test('paths of a scenario', async () => {
  const sides = getSides(await shipped('phased-dice-ground.yaml'));
  expect(findSide('attacker.units.cannon', sides)?.tone).toBe(0);
  expect(findSide('left.defender.cannon', sides)?.tone).toBe(1);
  expect(findSide('unitTypes.tank.hits', sides)).toBeUndefined();
  expect(findSide('rounds', sides)).toBeUndefined();
  const cities = getSides(await shipped('token-conflict-city.yaml'));
  expect(findSide('players.egypt.stock', cities)?.id).toBe('egypt');
  expect(findSide('areas[0].tokens.assyria', cities)?.id).toBe('assyria');
});

test('a city’s outcomes are those of who wishes them', async () => {
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
      ...(players !== undefined && { environment: () => ({ players: players(), features: [] }) }),
    });
    return getSides(validateScenario({ system: 'duel' }, { systems: [duel] }));
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
