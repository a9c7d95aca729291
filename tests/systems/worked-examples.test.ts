/** Exact values in the specification of the rules, and scenarios that it accepts or rejects. */
import { describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { InputError } from '../../src/core/errors.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';

const scenario = (fields: object): Scenario => validateScenario(fields);

const shares = (fields: object): Record<string, number> =>
  Object.fromEntries(solveSync(scenario(fields)).summary.outcomes.map(({ name, p }) => [name, p]));

const means = (fields: object): Record<string, number> =>
  Object.fromEntries(solveSync(scenario(fields)).summary.metrics.map(({ name, mean }) => [name, mean]));

/** Returns the errors of a scenario, or an empty string if it is accepted. */
function faults(fields: object): string {
  try {
    scenario(fields);
    return '';
  } catch (error) {
    return error instanceof InputError ? error.errors.map(({ message }) => message).join('\n') : String(error);
  }
}

describe('attrition', () => {
  const unit = (hp: number) => ({ attack: 1, defense: 1, hp });

  test('gives the exact outcome probabilities of 30 against 25 hp, all else 1', () => {
    const duel = { system: 'attrition', mode: 'direct', attacker: unit(30), defender: unit(25) };
    const { attacker, defender, mutual } = shares(duel);
    expect([attacker, defender, mutual].map((p) => p?.toFixed(9))).toEqual([
      '0.576475948',
      '0.362154046',
      '0.061370006',
    ]);
    expect(means(duel)['rounds']).toBeCloseTo(8.393088, 6);
  });
});

describe('phased-dice', () => {
  test('places a hit of the air phase on the spearman one phase later', () => {
    const { attacker, defender, stalemate } = shares({
      ...{ system: 'phased-dice', mode: 'ground', unitTypes: { stealth: { dice: 0 } } },
      attacker: { units: { biplane: 1, spearman: 1 } },
      defender: { units: { stealth: 1, spearman: 1 } },
    });
    for (const [p, expected] of [
      [attacker, 5 / 9],
      [defender, 2 / 9],
      [stalemate, 2 / 9],
    ] as const)
      expect(p).toBeCloseTo(expected, 12);
  });

  test('two jets retreat or lose after the round in which only aircraft remain', () => {
    const raid = (retreat: object) => ({
      ...{ system: 'phased-dice', mode: 'ground' },
      attacker: { units: { jet: 2 }, ...retreat },
      defender: { units: { spearman: 3, catapult: 1 } },
    });
    const leaving = raid({ retreat: { afterRounds: 2 } });
    expect(shares(leaving)['attacker']).toBeCloseTo(0.680384088, 9);
    expect(shares(leaving)['retreat']).toBeCloseTo(0.319615912, 9);
    expect(means(leaving)).toMatchObject({ rounds: 1, 'left.attacker.jet': 2 });
    expect(shares(raid({}))['defender']).toBeCloseTo(0.319615912, 9);
  });

  test('`literal` raises the four built-in types of aircraft by name, in any class', () => {
    const walking = (units: object, types: object) => ({
      ...{ system: 'phased-dice', mode: 'ground', airStrength: 'literal', unitTypes: types },
      attacker: { units: { rifleman: 1 } },
      defender: { units },
    });
    const biplane = shares(walking({ biplane: 1 }, { biplane: { class: 'infantry' } }));
    expect(biplane).toEqual(shares(walking({ guard: 1 }, { guard: { class: 'infantry', era: 2 } })));
    expect(shares(walking({ biplane: 1 }, { biplane: { class: 'infantry', era: 1 } }))).not.toEqual(biplane);
  });
});

describe('cube-bag', () => {
  const bag = (fields: object) => ({ system: 'cube-bag', ...fields });
  const army = (units: object, fields: object = {}) => ({ armies: [{ units, ...fields }] });
  const battle = (fields: object) => bag({ attacker: army({ archer: 1 }), defender: army({ peasant: 1 }), ...fields });

  test('gives the mean losses of a peasant, a cavalryman and a building', () => {
    const shelling = (bonus: string) =>
      bag({
        attacker: { ...army({ catapult: 1, spearman: 3 }, { distance: 2, bonus }), addDefense: false },
        defender: { ...army({ peasant: 1, cavalryman: 1 }), structures: [{ type: 'building' }] },
      });
    // Two of the cubes are drawn from a bag with 4 neutral ones; by the greatest bonus there is one own cube.
    expect(means(shelling('active-first'))['losses.defender']).toBeCloseTo(6 / 7, 12);
    expect(means(shelling('greatest'))['losses.defender']).toBeCloseTo(2 / 5, 12);
  });

  test.each([
    [1, [1 / 2, 1 / 2, 0]],
    ['max', [0, 0, 1]],
    [{ until: { own: 1 } }, [1 / 2, 0, 1 / 2]],
  ])('gives the probabilities of one swordsman with courage 3 against another, draw %j', (drawn, expected) => {
    const { attacker, defender, mutual } = shares(
      bag({
        drawing: 'cube-by-cube',
        attacker: { ...army({ swordsman: 1 }, { modifiers: { courage: 2 } }), draw: drawn },
        defender: army({ swordsman: 1 }),
      }),
    );
    for (const [o, p] of [attacker, defender, mutual].entries()) expect(p).toBeCloseTo(expected[o] ?? Number.NaN, 12);
  });

  test('makes soldiers fall before peasants with a fortification without structures', () => {
    const siege = bag({
      fortification: 'wall',
      attacker: { ...army({ catapult: 3 }), removal: ['peasant'] },
      defender: army({ peasant: 1, swordsman: 1 }),
    });
    const found = means(siege);
    expect(found['losses.defender.swordsman']).toBe(1);
    expect(found['losses.defender.peasant']).toBeCloseTo(0.7, 12);
  });

  test.each([
    [0, 4],
    [-2, 2],
    [-9, 0],
  ])('strength %i with 1 cube, a bonus of 1 and 2 extras leaves %i', (strength, left) => {
    const attacker = army({ swordsman: 1 }, { extras: { action: 2 }, modifiers: { strength, courage: 9 } });
    expect(means(battle({ attacker }))['drawn.attacker']).toBe(left);
  });

  test('ignores a number that `convert` lists twice', () => {
    const pick = (convert: readonly number[]) =>
      bag({
        attacker: { ...army({ archer: 2 }), conversions: 2, convert },
        defender: { armies: [{ units: { peasant: 1 }, conversionFactors: 1 }, { units: { spearman: 2 } }] },
      });
    expect(means(pick([2, 2]))).toEqual(means(pick([2])));
  });

  test.each([
    ['a defender of structures alone', { defender: { armies: [], structures: [{ type: 'wall' }] } }, ''],
    ['a defender of nothing', { defender: { armies: [] } }, 'at least one unit or structure'],
    [
      'an attacker of structures alone',
      { attacker: { armies: [], structures: [{ type: 'wall' }] } },
      'attacker.armies',
    ],
    ['words of both lists', { priority: ['military', 'added-structures', 'siege', ['structures', 'peasant']] }, ''],
    ['military in removal', { attacker: { ...army({ archer: 1 }), removal: ['military'] } }, 'removal'],
    ['added-structures in removal', { attacker: { ...army({ archer: 1 }), removal: ['added-structures'] } }, 'removal'],
    ['structures in removal', { attacker: { ...army({ archer: 1 }), removal: ['structures', 'infantry'] } }, ''],
    ...['archer', 'siege', 'military', 'structure', 'structures', 'added-structures'].map(
      (name) => [`a structure called ${name}`, { structureTypes: { [name]: { hp: 1 } } }, 'structureTypes'] as const,
    ),
    [
      'a structure on a hex without an army',
      { defender: { ...army({ peasant: 1 }), structures: [{ type: 'wall', hex: 'x' }] } },
      'hex',
    ],
    [
      'more marks than hp',
      { defender: { ...army({ peasant: 1 }), structures: [{ type: 'wall', marks: 3 }] } },
      'marks',
    ],
    ['a bonus of no type', { attacker: army({ archer: 1 }, { bonus: 'infantry' }) }, 'bonus'],
    ['a number as extraDraw', { defender: { ...army({ peasant: 1 }), extraDraw: 1 } }, 'extraDraw'],
    ['until with number-first', { attacker: { ...army({ archer: 1 }), draw: { until: { own: 1 } } } }, 'until'],
    ['an empty until', { drawing: 'cube-by-cube', attacker: { ...army({ archer: 1 }), draw: { until: {} } } }, 'until'],
    ['an army that there is not in convert', { attacker: { ...army({ archer: 1 }), convert: [2] } }, 'convert'],
  ] as const)('%s', (_, fields, fault) => {
    expect(faults(battle(fields))).toContain(fault);
    if (fault === '') expect(faults(battle(fields))).toBe('');
  });
});

describe('strength-cards', () => {
  const unit = { attack: 2, defense: 2, hp: 2, die: 'sample-1' };
  const absorbing = (absorb: unknown) => ({
    system: 'strength-cards',
    attacker: { units: [unit] },
    defender: { units: [unit], fortification: 1, absorb },
  });

  test.each([
    ['any order', ['units', 'fortification', 'symbols'], true],
    ['a word twice, with a limit', ['symbols', { fortification: 1 }, 'units', 'fortification'], true],
    ['a limit of units, and units without one', ['symbols', 'fortification', { units: 2 }, 'units'], true],
    ['units with limits only', ['symbols', 'fortification', { units: 2 }], false],
    ['a word missing', ['symbols', 'units'], false],
    ['a limit of 0', ['symbols', { fortification: 0 }, 'units', 'fortification'], false],
    ['two words in a place', ['symbols', { fortification: 1, units: 1 }, 'units', 'fortification'], false],
  ])('absorb: %s', (_, absorb, isAccepted) => {
    expect(faults(absorbing(absorb)) === '').toBe(isAccepted);
  });

  test('gives the defender the initiative by default', () => {
    const tie = { system: 'strength-cards', attacker: { units: [unit] }, defender: { units: [unit] } };
    expect(shares(tie)['defender']).toBe(1);
    expect(shares({ ...tie, initiative: 'attacker' })['attacker']).toBe(1);
  });
});

describe('token-conflict', () => {
  const area = (limit: number, tokens: object, fields: object = {}) => ({ name: 'Ur', limit, tokens, ...fields });
  const left = (fields: object): number[] => {
    const found = means(fields);
    return Object.keys(found)
      .filter((name) => name.startsWith('left.'))
      .map((name) => found[name] ?? Number.NaN);
  };
  const conflict = (limit: number, ...counts: readonly number[]) => ({
    system: 'token-conflict',
    areas: [area(limit, Object.fromEntries(counts.map((count, k) => [`p${String(k)}`, count])))],
  });

  test.each([
    [0, 2, 0],
    [1, 2, 0],
    [2, 2, 0],
    [3, 2, 1],
    [4, 3, 1],
    [5, 3, 2],
  ])('limit %i: 7 tokens against the 6 of a fallen city leave %i and %i', (limit, attacker, defender) => {
    const city = {
      system: 'token-conflict',
      areas: [area(limit, { red: 7 }, { city: 'blue' })],
      players: { red: {}, blue: { stock: 9 } },
    };
    const found = means(city);
    expect([found['left.red'], found['left.blue']]).toEqual([attacker, defender]);
  });

  test.each([
    [0, [4, 3, 2], [2, 0, 0]],
    [2, [4, 3, 2], [2, 0, 0]],
    [0, [3, 3, 2], [0, 0, 0]],
    [1, [3, 3, 2], [0, 0, 0]],
    [1, [3, 3], [0, 0]],
  ])('limit %i: %j leave %j', (limit, counts, expected) => {
    expect(left(conflict(limit, ...counts))).toEqual(expected);
  });

  test.each([
    ['a city twice', ['Ur', 'Ur']],
    ['a city of another owner', ['Sais']],
  ])('cityOrder with %s is rejected', (_, cityOrder) => {
    const areas = [area(1, { red: 2 }, { city: 'blue' }), area(1, {}, { name: 'Sais', city: 'red' })];
    expect(faults({ system: 'token-conflict', areas, players: { blue: { cityOrder } } })).toContain('cityOrder');
  });
});
