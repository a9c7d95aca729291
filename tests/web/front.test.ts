/** Army form of a scenario: counters of its sides, and edits of whole sides. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadSystems } from '../../src/index.ts';
import { getSides } from '../../src/report/scenario/sides.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { getValueAt } from '../../src/rules/scenario/problem.ts';
import { defineSystem, integer } from '../../src/system.ts';
import { type ArmyCounter, type ArmyForm, type ArmySide, createArmyForm } from '../../web/engine/editing/army-form.ts';
import {
  clearUnits,
  createTonedArmyForm,
  exchangeSides,
  listAbsentTypes,
  listEmptySides,
} from '../../web/engine/editing/army-form-edits.ts';
import { applyEdit } from '../../web/engine/editing/edit.ts';
import { getRegistry, setRegistry } from '../../web/engine/registry/registry.ts';
import { some } from '../depth.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const filesOf = (ending: string): string[] =>
  ['examples/games', 'examples/systems', 'scenarios'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith(ending) ? [`${folder}/${name}`] : [])),
  );

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

beforeAll(async () => {
  setRegistry(await loadSystems(filesOf('.mjs').map((file) => join(ROOT, file))));
});

afterAll(() => {
  setRegistry(SHIPPED_REGISTRY);
});

const front = (file: string): ArmyForm => createArmyForm(read(`${file}.yaml`));

/** Returns the labels of the tiles of a side: `Corps: hit points 2`. */
const shown = ({ counters }: ArmySide): string[] =>
  counters
    .filter(({ kind, value }) => kind !== 'type' || value > 0)
    .map(({ of, name, value }) => `${of === '' ? '' : `${of}: `}${name} ${String(value)}`);

const offered = ({ counters }: ArmySide): string[] =>
  counters.filter(({ kind, value }) => kind === 'type' && value === 0).map(({ name }) => name);

/** Returns the sides of a scenario with two sides. */
function two(file: string): [ArmySide, ArmySide] {
  const [one, other, ...more] = front(file).sides;
  if (one === undefined || other === undefined || more.length > 0) throw new Error(`${file} has not two sides`);
  return [one, other];
}

describe('the army form of a scenario', () => {
  test('has one counter per side if each side is a number', () => {
    const { sides, rules } = front('examples/games/conquest-dice-osborne');
    expect(sides.map(({ id, name, tone }) => [id, name, tone])).toEqual([
      ['attacker', 'Attacker', 0],
      ['defender', 'Defender', 1],
    ]);
    expect(sides.map(shown)).toEqual([['armies 10'], ['armies 10']]);
    expect(sides[0]?.counters[0]).toMatchObject({ path: ['attacker'], low: 1, high: 1000, kind: 'count' });
    expect(rules.map(({ name }) => name)).toContain('attackDice');
  });

  test.each([
    ['examples/systems/hand-less', [['lives 2'], ['lives 3']]],
    ['examples/systems/feint-even', [['lives 3'], ['lives 3']]],
    ['examples/systems/volley-even', [['models 10'], ['models 10']]],
    ['examples/games/symbol-dice-hill', [['figures 3'], ['figures 4']]],
  ])('is created from the schema of the system: %s', (file, expected) => {
    expect(two(file).map(shown)).toEqual(expected);
  });

  test('counts the units of present types, and offers the other types', () => {
    const [attacker, defender] = two('examples/games/combined-arms-land');
    expect(shown(attacker)).toEqual(['infantry 4', 'artillery 2', 'tank 2', 'fighter 2']);
    expect(shown(defender)).toEqual(['infantry 4', 'gun 1', 'tank 2', 'fighter 2']);
    expect(offered(defender)).toContain('submarine');
    expect(attacker.more.map(({ name }) => name)).toEqual(['losses']);
  });

  test('treats integers with another range as unit types, but not modifiers', () => {
    const [attacker] = two('examples/games/space-fleets-invasion');
    expect(offered(attacker)).toEqual(expect.arrayContaining(['pds', 'damaged war sun']));
    expect(attacker.more.map(({ name }) => name)).toEqual(['upgraded', 'bonus', 'losses']);
  });

  test.each([
    ['scenarios/phased-dice-fleet', ['biplane 2', 'frigate 2'], ['monoplane', 'jet', 'stealth', 'galley']],
    ['scenarios/cube-bag-field', ['spearman 3'], ['peasant', 'swordsman', 'archer', 'cavalryman']],
  ])('counts units within a group or an army: %s', (file, there, others) => {
    const [attacker] = two(file);
    expect(shown(attacker)).toEqual(there);
    expect(offered(attacker)).toEqual(expect.arrayContaining(others));
  });

  test('labels units with their army if a side has several', () => {
    const [attacker] = two('scenarios/cube-bag-battering');
    expect(shown(attacker)).toEqual(['army 1: trebuchet 3', 'army 2: spearman 2', 'army 2: catapult 2']);
    expect(attacker.items.map(({ name }) => name)).toEqual(['army 1', 'army 2']);
  });

  test('lists the units of a list by name, with their values', () => {
    const [attacker, defender] = two('scenarios/strength-cards-land');
    expect(shown(attacker).slice(0, 3)).toEqual([
      'Armoured corps: attack 5',
      'Armoured corps: defense 4',
      'Armoured corps: hit points 3',
    ]);
    expect(offered(defender)).toEqual(['port fleets']);
    expect(two('scenarios/strength-cards-fortress')[0].items.length).toBeGreaterThan(0);
    expect(two('examples/games/block-dice-raid').map(shown)).toEqual([
      ['A2: steps 3', 'B4: steps 4'],
      ['B3: steps 3', 'C2: steps 4'],
    ]);
  });

  test('uses the side names of the scenario', () => {
    const [attacker] = two('scenarios/attrition-direct');
    expect([attacker.id, attacker.name]).toEqual(['attacker', 'Swordsmen']);
    expect(shown(attacker)).toEqual(['attack 1', 'defense 1', 'hit points 30']);
  });

  test('has one side per party of the combatants', () => {
    const { sides, rules } = front('scenarios/attrition-mass');
    expect(sides.map(({ id, tone }) => [id, tone])).toEqual([
      ['red', 0],
      ['blue', 1],
      ['green', 2],
    ]);
    expect(sides[0]?.items.map(({ name }) => name)).toEqual(['Swordsmen', 'Skirmishers']);
    expect(sides[0]?.grows).toMatchObject([{ path: ['combatants'], value: { name: 'Skirmishers 2', party: 'red' } }]);
    expect(rules.map(({ name }) => name)).not.toContain('combatants');
  });

  test('has one side per player that has anything in an area', () => {
    const { sides } = front('scenarios/token-conflict-open');
    expect(sides.map(({ id }) => id)).toEqual(['egypt', 'assyria', 'barbarians']);
    expect(sides.map(shown)).toEqual([[], ['tokens, Delta 3', 'ships, Delta 1'], ['tokens, Delta 2']]);
    // A value that is drawn in each battle is not a number.
    expect(sides[0]?.more.map(({ place }) => place)).toContain('areas[0].tokens.egypt');
  });

  test('reports why it cannot be created', () => {
    expect(createArmyForm('system: [').reason).toContain('syntax errors');
    expect(createArmyForm('system: nothing').sides).toEqual([]);
    expect(createArmyForm('')).toMatchObject({ sides: [], reason: undefined });
  });

  test.each(filesOf('.yaml'))('has the values of the text: %s', (file) => {
    const text = read(file);
    const { sides } = createArmyForm(text);
    expect(sides.length).toBeGreaterThan(1);
    const raw: unknown = parse(text);
    const counters: readonly ArmyCounter[] = sides.flatMap((side) => side.counters);
    for (const { path, value, low, high, present, place } of counters) {
      const written = getValueAt(raw, path);
      if (present) expect(value, place).toBe(written);
      else expect(written, place).toBeUndefined();
      expect(value >= low && value <= high, place).toBe(true);
    }
    expect(new Set(counters.map(({ place }) => place)).size).toBe(counters.length);
  });

  test.each(some(filesOf('.yaml')))('can increase each counter below its limit by 1: %s', (file) => {
    for (const counter of createArmyForm(read(file)).sides.flatMap(({ counters }) => counters)) {
      // Other rules may reject it, such as units in the wrong place; its range does not.
      const outOfRange = /expected an integer -?\d+\.\.\d+/;
      if (counter.value < counter.high)
        expect(listProblems(file, counter).filter((line) => outOfRange.test(line))).toEqual([]);
    }
  });

  test.each([
    'scenarios/attrition-mass',
    'examples/games/block-dice-knight',
    'scenarios/cube-bag-battering',
    'scenarios/strength-cards-land',
  ])('offers new list elements that the rules accept: %s', (file) => {
    const text = read(`${file}.yaml`);
    const grows = createArmyForm(text).sides.flatMap((side) => side.grows);
    expect(grows.length).toBeGreaterThan(1);
    for (const { path, value } of grows) {
      const more = applyEdit(text, { kind: 'append', path, value });
      expect(() => parseScenario(more, { source: file, systems: getRegistry() })).not.toThrow();
    }
  });
});

const problems = new Map<string, readonly string[]>();

/** Returns the problems of a scenario after a counter is increased by 1. Cached for several tests. */
function listProblems(file: string, { path, value }: ArmyCounter): readonly string[] {
  const key = JSON.stringify([file, path, value]);
  let found = problems.get(key);
  if (found === undefined) {
    const text = applyEdit(read(file), { kind: 'set', path, value: value + 1 });
    try {
      parseScenario(text, { source: file, systems: getRegistry() });
      found = [];
    } catch (error) {
      found = String(error).split('\n');
    }
    problems.set(key, found);
  }
  return found;
}

describe('the army form of a custom system', () => {
  const unit = z.strictObject({
    name: z.string().optional(),
    hp: integer(0, 9, 'Hits that it takes.'),
    speed: integer(0, 9, 'How fast it is.').default(3),
    stepsBack: integer(-3, 3, 'Where it stands.').default(0),
  });
  const side = z.strictObject({ units: z.array(unit).max(5).default([]), luck: integer(0, 3, 'Luck.').default(0) });
  const brawl = defineSystem({
    ...{ id: 'brawl', title: 'A brawl', about: 'For a test.', fields: { attacker: side, defender: side } },
    battle: () => ({
      outcomes: ['attacker', 'defender'],
      ...{ start: () => ({}), round: (state: object) => state, outcome: () => 'attacker', metrics: {} },
    }),
  });
  const frontWith = (text: string): ArmyForm => {
    const before = getRegistry();
    setRegistry(before.with([brawl]));
    try {
      return createArmyForm(`system: brawl\n${text}`);
    } finally {
      setRegistry(before);
    }
  };

  test('lists the units of an optional list, with the values that are written', () => {
    const { sides } = frontWith('attacker: { units: [{ hp: 4 }, { name: Guard, hp: 2, speed: 5 }] }\ndefender: {}\n');
    expect(sides.map(shown)).toEqual([['unit 1: hit points 4', 'Guard: hit points 2', 'Guard: speed 5'], []]);
    expect(sides[0]?.counters.map(({ kind }) => kind)).toEqual(['count', 'count', 'figure']);
    expect(sides.map(({ items }) => items.map(({ name }) => name))).toEqual([['unit 1', 'Guard'], []]);
    // A few integers of one range are not unit types, and neither is a number that can be negative.
    expect(sides.map(({ more }) => more.map(({ name }) => name))).toEqual([
      ['units', 'luck'],
      ['units', 'luck'],
    ]);
  });
});

describe('the colors of the army form', () => {
  test.each(filesOf('.yaml'))('match the sides of reports, in the same order: %s', (file) => {
    const text = read(file);
    const known = getSides(parseScenario(text, { source: file, systems: getRegistry() })).map(({ id, tone }) => [
      id,
      tone,
    ]);
    const { sides } = createTonedArmyForm(text);
    const ids = new Set(sides.map(({ id }) => id));
    expect(sides.map(({ id, tone }) => [id, tone])).toEqual(known.filter(([id]) => ids.has(String(id))));
  });

  test('are assigned in an invalid scenario, but not in text with syntax errors', () => {
    const wrong = 'system: attrition\nmode: direct\nattacker: { hp: -1 }\ndefender: { hp: 3 }\n';
    expect(createTonedArmyForm(wrong).sides.map(({ id, tone }) => [id, tone])).toEqual([
      ['attacker', 0],
      ['defender', 1],
    ]);
    expect(createTonedArmyForm('system: [').reason).toContain('syntax errors');
  });
});

describe('the offered unit types', () => {
  const offers = (text: string): string[][] => createTonedArmyForm(text).sides.map(offered);
  const written = (place: string, more = '') =>
    `system: combined-arms\nplace: ${place}\nattacker: { fighter: 1${more} }\ndefender: { fighter: 1 }\n`;

  test.each([
    [
      'land',
      ['battleship', 'infantry', 'artillery', 'tank', 'bomber', 'cruiser', 'damaged'],
      ['infantry', 'artillery', 'gun', 'tank', 'bomber'],
    ],
    [
      'sea',
      ['battleship', 'submarine', 'destroyer', 'bomber', 'cruiser', 'carrier', 'damaged'],
      ['battleship', 'submarine', 'destroyer', 'bomber', 'cruiser', 'carrier', 'damaged'],
    ],
  ])('can take part in a combined-arms battle on %s', (place, attacker, defender) => {
    const found = offers(written(place));
    expect(found.map((each) => each.toSorted())).toEqual([attacker.toSorted(), defender.toSorted()]);
  });

  test('are restricted in an invalid scenario too, and present units stay', () => {
    const text = written('land', ', submarine: 2');
    const [attacker] = createTonedArmyForm(text).sides;
    if (attacker === undefined) throw new Error('a side');
    expect(shown(attacker)).toEqual(['submarine 2', 'fighter 1']);
    expect(offered(attacker)).not.toContain('destroyer');
    expect(offered(attacker)).toContain('tank');
    expect(offers(text)[1]).not.toContain('submarine');
  });

  test.each([
    ['scenarios/phased-dice-ground', 'spearman', 'frigate'],
    ['scenarios/phased-dice-fleet', 'galley', 'spearman'],
  ])('belong to the mode: %s', (file, type, other) => {
    const text = read(`${file}.yaml`);
    const absent = listAbsentTypes(text, createArmyForm(text).sides);
    const there = createArmyForm(text).sides.flatMap(({ counters }) => counters.filter(({ present }) => present));
    expect(absent.length).toBeGreaterThan(8);
    expect(absent.filter((place) => !place.includes('.units.'))).toEqual([]);
    expect(there.filter(({ place }) => absent.includes(place))).toEqual([]);
    for (const side of offers(text)) {
      expect(side).toContain(type);
      expect(side).not.toContain(other);
    }
  });

  test.each(some(filesOf('.yaml')))('are accepted by the rules: %s', (file) => {
    for (const counter of createTonedArmyForm(read(file)).sides.flatMap(({ counters }) => counters)) {
      const { kind, place, value, high } = counter;
      if (kind !== 'type' || value > 0 || high === 0) continue;
      const rejected = listProblems(file, { ...counter, value: 0 }).filter((line) => line.includes(` ${place}: `));
      expect(rejected).toEqual([]);
    }
  });
});

describe('whole sides', () => {
  test('are exchanged, and comments stay in place', () => {
    const text =
      'system: combined-arms # the rules\nattacker: { infantry: 4, tank: 2 } # ours\ndefender: { infantry: 5, fighter: 1 }\n';
    const swapped = exchangeSides(text).text;
    expect(parse(swapped)).toEqual({
      system: 'combined-arms',
      attacker: { infantry: 5, fighter: 1 },
      defender: { infantry: 4, tank: 2 },
    });
    expect(swapped).toContain('# ours');
    expect(parse(exchangeSides(swapped).text)).toEqual(parse(text));
  });

  test('are exchanged if they are numbers, and without fields of only one side', () => {
    expect(parse(exchangeSides('system: conquest-dice\nattacker: 3\ndefender: 2\n').text)).toMatchObject({
      attacker: 2,
      defender: 3,
    });
    const ground = exchangeSides(read('scenarios/phased-dice-ground.yaml')).text;
    expect(parse(ground)).toMatchObject({
      attacker: { units: { trebuchet: 2 }, retreat: 'never' },
      defender: { units: { knight: 2 } },
    });
    expect(() => parseScenario(ground, { source: 'ground' })).not.toThrow();
  });

  test('are exchanged except for types that the other side cannot have, which are reported', () => {
    const text = read('examples/games/combined-arms-land.yaml');
    const { text: after, unchanged: stay } = exchangeSides(text);
    expect(stay).toEqual(['gun']);
    expect(parse(after)).toMatchObject({ attacker: { infantry: 4 }, defender: { gun: 1, artillery: 2 } });
    expect((parse(after) as { attacker: object }).attacker).not.toHaveProperty('gun');
  });

  test('are reported as empty if they have no units of any type', () => {
    const text = read('examples/games/combined-arms-land.yaml');
    expect(listEmptySides(text)).toEqual([]);
    expect(listEmptySides(clearUnits(text, 'attacker'))).toEqual(['Attacker']);
    expect(parse(clearUnits(text))).toMatchObject({ attacker: {}, defender: {} });
    expect(clearUnits(text)).not.toContain('losses');
    expect(listEmptySides(read('scenarios/attrition-direct.yaml'))).toEqual([]);
  });

  test('are cleared of their units, one or both', () => {
    const text = read('examples/games/combined-arms-land.yaml');
    const one = parse(clearUnits(text, 'attacker')) as Record<string, unknown>;
    expect(one['attacker']).toEqual({});
    expect(one['defender']).toMatchObject({ infantry: 4, losses: ['gun'] });
    expect(parse(clearUnits(read('scenarios/attrition-direct.yaml')))).toEqual(
      parse(read('scenarios/attrition-direct.yaml')),
    );
    // Counters that are not unit types stay, and absent types are not added.
    const block = read('examples/games/block-dice-knight.yaml');
    expect(clearUnits(block)).toBe(block);
    const both = createArmyForm(clearUnits(text)).sides;
    expect(both.map(shown)).toEqual([[], []]);
    expect(clearUnits(text)).toContain('# The attacker takes the land');
  });
});
