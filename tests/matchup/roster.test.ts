/** Tests of rosters: files, price lists, terrains and payoffs. The payoffs of all pairs must equal single answers. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  loadRoster,
  loadSystems,
  type MatchupResult,
  matchup,
  runSweep,
  solveSync,
  updateScenario,
  validateRoster,
  validateScenario,
  verifyStore,
} from '../../src/index.ts';
import { removeUnitType } from '../../src/storage/index.ts';
import { checkRoster } from '../../src/storage/node.ts';
import { DEPTH } from '../depth.ts';

const DUEL = {
  system: 'attrition',
  mode: 'direct',
  attacker: { name: 'Swordsmen', attack: 1, defense: 1, hp: 30 },
  defender: { name: 'Pikemen', attack: 1, defense: 1, hp: 25 },
};

const base = (): ReturnType<typeof validateScenario> => validateScenario(DUEL as never);

const FIGHTERS = [
  { name: 'plain', set: { hp: 30 } },
  { name: 'strong', set: { attack: 5, defense: -2, hp: 17 } },
  { name: 'hunter', set: { prey: ['big'], hp: 12 } },
  { name: 'big', set: { tags: ['big'], hp: 60, attack: -3 } },
  { name: 'unarmed', set: { attack: null, hp: 9 } },
];

/** Returns the value of the outcomes of one pair, solved separately. */
function solvePair(
  attacker: object,
  defender: object,
  factors: Readonly<Record<string, number>>,
  changes = {},
): number {
  const prefixed = (side: string, fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${side}.${field}`, value]));
  const scenario = updateScenario(base(), {
    ...changes,
    ...prefixed('attacker', attacker),
    ...prefixed('defender', defender),
  });
  return solveSync(scenario).summary.outcomes.reduce((sum, { name, p }) => sum + p * (factors[name] ?? 0), 0);
}

const valuesOf = ({ matrix }: MatchupResult): number[] => Array.from(matrix.values);

describe('duels that share a table', () => {
  test.each([
    ['difference', { attacker: 1, defender: -1 }, 0],
    ['win', { attacker: 2 }, -1],
    ['attacker - 0.5 * mutual + stalemate', { attacker: 1, mutual: -0.5, stalemate: 1 }, 0],
  ])('%s equals the answers of single battles', async (payoff, factors, constant) => {
    const roster = await validateRoster({ scenario: base(), armies: FIGHTERS, payoff });
    const result = await matchup(roster);
    expect(result).toMatchObject({ solved: 25, simulated: 0, battles: 0 });
    const due = FIGHTERS.flatMap((a) => FIGHTERS.map((d) => constant + solvePair(a.set, d.set, factors)));
    for (const [cell, value] of valuesOf(result).entries()) expect(value).toBeCloseTo(due[cell] ?? Number.NaN, 10);
    expect(result.matrix.lower).toEqual(result.matrix.values);
  });

  test('are solved separately if the round limit matters', async () => {
    const changes = { maxRounds: 6 };
    const roster = await validateRoster({ scenario: updateScenario(base(), changes), armies: FIGHTERS });
    const due = FIGHTERS.flatMap((a) =>
      FIGHTERS.map((d) => solvePair(a.set, d.set, { attacker: 1, defender: -1 }, changes)),
    );
    const found = valuesOf(await matchup(roster));
    for (const [cell, value] of found.entries()) expect(value).toBeCloseTo(due[cell] ?? Number.NaN, 10);
  });

  test('equal the weighted means of terrains', async () => {
    const terrains = [
      { name: '7', weight: 3, set: { dice: '2d6' } },
      { name: '2', set: { dice: '1d20' } },
    ];
    const roster = await validateRoster({ scenario: base(), armies: FIGHTERS.slice(0, 2), terrains });
    const factors = { attacker: 1, defender: -1 };
    const [a, d] = [FIGHTERS[0]?.set ?? {}, FIGHTERS[1]?.set ?? {}];
    const due = 0.75 * solvePair(a, d, factors, { dice: '2d6' }) + 0.25 * solvePair(a, d, factors, { dice: '1d20' });
    expect(valuesOf(await matchup(roster))[1]).toBeCloseTo(due, 10);
  });
});

test('simulated payoffs have simultaneous intervals that contain the exact ones', async () => {
  const given = { scenario: base(), armies: FIGHTERS.slice(0, 3) };
  const exact = valuesOf(await matchup(await validateRoster(given)));
  for (const payoff of ['difference', 'win', 'attacker - rounds']) {
    const roster = await validateRoster({ ...given, payoff, exact: 'never', battles: 4000 });
    const { matrix, simulated, battles } = await matchup(roster);
    expect([simulated, battles]).toEqual([9, 36_000]);
    const due = payoff === 'difference' ? exact : valuesOf(await matchup(await validateRoster({ ...given, payoff })));
    for (const [cell, value] of due.entries()) {
      expect(matrix.lower[cell]).toBeLessThan(value);
      expect(matrix.upper[cell]).toBeGreaterThan(value);
    }
    // Nine simultaneous intervals are wider than one: 2.77 instead of 1.96 standard errors.
    if (payoff === 'difference')
      expect((matrix.upper[0] ?? 0) - (matrix.lower[0] ?? 0)).toBeGreaterThan((2 * 2.7 * 0.97) / Math.sqrt(4000));
  }
});

test('a store of solved and simulated cells can be resumed and verified', async () => {
  const armies = [3, 30, 300].map((hp) => ({ name: `hp ${String(hp)}`, set: { hp } }));
  const defenders = [{ name: 'wall', set: { hp: 300, attack: -20 } }, ...armies];
  const given = { scenario: base(), attackers: armies, defenders, battles: 500, budget: 2000, payoff: 'rounds' };
  const roster = await validateRoster(given);
  const folder = mkdtempSync(join(tmpdir(), 'warpool-matchup-'));
  const whole = await matchup(roster, { out: folder });
  expect(whole.solved).toBeGreaterThan(0);
  expect(whole.simulated).toBeGreaterThan(0);
  expect((await verifyStore(folder, { cells: 12 })).faults).toEqual([]);
  const again = await matchup(roster, { out: folder, resume: true });
  expect(again.matrix).toEqual(whole.matrix);
  expect((await matchup(roster)).matrix).toEqual(whole.matrix);
  await expect(runSweep(roster.sweep, { out: folder, extend: true })).rejects.toThrow('exact: instead');
});

test.runIf(DEPTH > 1)('the budget game has its published saddle point', async () => {
  const roster = await loadRoster('examples/rosters/budget-game.yaml');
  expect(roster.attackers.map(({ name }) => name)).toHaveLength(9);
  const { matrix } = await matchup(roster);
  const row = matrix.rows.indexOf('4 infantry + 3 artillery');
  const column = matrix.columns.indexOf('8 infantry');
  const at = (r: number, c: number): number => matrix.values[r * 9 + c] ?? Number.NaN;
  expect(at(row, column)).toBeCloseTo(-0.483_205_138_807_54, 13);
  for (let k = 0; k < 9; k++) {
    expect(at(k, column)).toBeLessThanOrEqual(at(row, column));
    expect(at(row, k)).toBeGreaterThanOrEqual(at(row, column));
  }
  const rest = removeUnitType(roster, matrix, 'tank');
  expect(rest.rows).toEqual(['8 infantry', '4 infantry + 3 artillery', '6 artillery']);
  expect(rest.values[3]).toBe(at(row, column));
  expect(() => removeUnitType(roster, matrix, 'tanc')).toThrow('found "tanc" (did you mean tank?)');
});

describe('terrains that change a side', () => {
  const scenario = updateScenario(base(), { 'attacker.hp': 20, 'defender.hp': 20 });
  const hill = join(mkdtempSync(join(tmpdir(), 'warpool-hill-')), 'hill.json');
  writeFileSync(hill, JSON.stringify(updateScenario(scenario, { 'defender.defense': 6 })));
  const attackers = [{ name: 'X', set: { hp: 20 } }];
  const [set, value] = [
    { name: 'S', set: { hp: 20 } },
    { name: 'V', value: { attack: 1, defense: 1, hp: 10 } },
  ];
  const fight = async (defenders: readonly object[], terrain: object, options = {}) =>
    await matchup(
      await validateRoster({ scenario, attackers, defenders, terrains: [{ name: 'hill', ...terrain }] }),
      options,
    );

  test('are the start of armies with set, also next to armies with value', async () => {
    const alone = [set, value].map(async (army) => valuesOf(await fight([army], { scenario: hill })));
    const due = (await Promise.all(alone)).flat();
    expect(due[0]).toBeCloseTo(-0.822, 3);
    expect(due[1]).toBeCloseTo(valuesOf(await fight([value], {}))[0] ?? 9, 12);
    const folder = mkdtempSync(join(tmpdir(), 'warpool-hill-'));
    for (const options of [{}, { out: folder }])
      for (const [cell, payoff] of valuesOf(await fight([set, value], { scenario: hill }, options)).entries())
        expect(payoff).toBeCloseTo(due[cell] ?? 9, 10);
    expect((await verifyStore(folder, { cells: 2 })).faults).toEqual([]);
  });

  test.each([
    [{ 'defender.defense': 6 }, [set, value], 'terrains[0].set["defender.defense"]: ', '"defender.defense"', 'V'],
    [{ 'defender.hp': 6 }, [set], 'terrains[0].set["defender.hp"]: ', '"defender.hp"', 'S'],
    [{ 'attacker["hp"]': 6 }, [set], '', '"attacker["hp"]"', 'X'],
  ])('cannot set %j for %j', async (fields, defenders, place, field, army) => {
    await expect(fight(defenders, { set: fields })).rejects.toThrow(
      `${place}expected a field that no army replaces, found ${field}, which army "${army}" replaces`,
    );
  });
});

describe('unit types', () => {
  const units = { rifleman: 8 };
  const scenario = { system: 'phased-dice', mode: 'ground', attacker: { units }, defender: { units } };
  const armies = [
    { name: 'era', set: { losses: 'highest-era' } },
    { name: 'mixed', set: { 'units.knight': 2 } },
    { name: 'knights', set: { units: { knight: 2 } } },
    { name: 'cannons', value: { units: { cannon: 1, rifleman: 0 } } },
  ];

  test('include those that an army inherits from the scenario', async () => {
    const roster = await validateRoster({ scenario, armies, exact: 'never', battles: 10 });
    const { matrix } = await matchup(roster);
    expect(removeUnitType(roster, matrix, 'rifleman').rows).toEqual(['knights', 'cannons']);
    expect(removeUnitType(roster, matrix, 'knight').columns).toEqual(['era', 'cannons']);
    expect(() => removeUnitType(roster, matrix, 'tank')).toThrow('armies: rifleman, knight, cannon, found "tank"');
  });

  test('include those of each terrain', async () => {
    const terrains = [{ name: 'plain' }, { name: 'fort', set: { 'defender.units.trebuchet': 1 } }];
    const roster = await validateRoster({
      scenario,
      armies: armies.slice(0, 2),
      terrains,
      exact: 'never',
      battles: 10,
    });
    const { matrix } = await matchup(roster);
    expect(() => removeUnitType(roster, matrix, 'trebuchet')).toThrow('that some armies of both sides do not have');
  });

  test('of the scenario that no army of the equilibrium has violate the sentence about unit types', async () => {
    const side = { units: { trebuchet: 1 } };
    const roster = await validateRoster({
      scenario: { ...scenario, attacker: side, defender: side },
      armies: [
        { name: 'weak', set: { losses: 'highest-era' } },
        { name: 'strong', set: { units } },
      ],
      expect: ['every unit type is in the support of the equilibrium'],
    });
    expect(await checkRoster(roster)).toMatchObject([{ verdict: 'fails', value: 1 }]);
  });
});

describe('armies of other systems', () => {
  test.each([
    [
      'scenarios/attrition-mass.yaml',
      { attacker: 'combatants[0]', defender: 'combatants[2]' },
      { hp: 4 },
      'red - blue',
    ],
    ['scenarios/phased-dice-ground.yaml', undefined, { 'units.cannon': 1 }, 'difference'],
    ['scenarios/cube-bag-field.yaml', undefined, { 'armies[0].units': { archer: 1 } }, 'difference'],
    ['scenarios/strength-cards-land.yaml', undefined, { orderBonus: 2 }, 'win'],
  ])('have payoffs within -1..1: %s', async (scenario, sides, set, payoff) => {
    const armies = [{ name: 'a', set }];
    const roster = await validateRoster({ scenario, sides, armies, payoff, battles: 100, exact: 'never' });
    const { matrix } = await matchup(roster);
    expect(Math.abs(matrix.values[0] ?? 9)).toBeLessThanOrEqual(1);
  });

  test('can be numbers, as in conquest-dice', async () => {
    const systems = await loadSystems(['conquest-dice']);
    const armies = [8, 10].map((value) => ({ name: String(value), value }));
    const roster = await validateRoster(
      { scenario: { system: 'conquest-dice', attacker: 1, defender: 1 }, armies },
      { systems },
    );
    // Osborne 2003, table 3: 8 against 10, and 10 against 10.
    const [, lesser, , equal] = valuesOf(await matchup(roster));
    expect(lesser).toBeCloseTo(2 * 0.38 - 1, 2);
    expect(equal).toBeCloseTo(2 * 0.568 - 1, 2);
  });

  test('can be tokens in an area, as in token-conflict', async () => {
    const sides = { attacker: 'areas[0].tokens.assyria', defender: 'players.egypt.stock' };
    const armies = {
      attackers: [6, 8].map((value) => ({ name: String(value), value })),
      defenders: [{ name: 's', value: 9 }],
    };
    const roster = await validateRoster({
      scenario: 'scenarios/token-conflict-city.yaml',
      sides,
      ...armies,
      payoff: 'repelled',
    });
    expect(valuesOf(await matchup(roster))).toEqual([1, 0]);
  });
});

describe('price lists', () => {
  const scenario = {
    system: 'phased-dice',
    mode: 'ground',
    attacker: { units: { rifleman: 1 } },
    defender: { units: { rifleman: 1 } },
  };
  const create = (armies: object, costs: object = { 'units.rifleman': 3, 'units.tank': 5 }) =>
    validateRoster({ scenario, costs, armies });

  test('list all armies that the points allow', async () => {
    const units = { 'units.rifleman': { min: 1, max: 3 }, 'units.tank': {} };
    const { attackers, defenders } = await create({ points: 16, units });
    const due: string[] = [];
    for (let r = 3; r >= 1; r--)
      for (let t = 3; t >= 0; t--)
        if (3 * r + 5 * t <= 16)
          due.push(t === 0 ? `${String(r)} rifleman` : `${String(r)} rifleman + ${String(t)} tank`);
    expect(attackers.map(({ name }) => name)).toEqual(due);
    expect(defenders).toEqual(attackers);
    const exactly = await create({ points: 13, spend: 'exactly', units });
    expect(exactly.attackers).toEqual([
      { name: '1 rifleman + 2 tank', values: { 'units.rifleman': 1, 'units.tank': 2 } },
    ]);
  });

  test.each([
    ['3 for the attacker, 1 for the defender', { 'attacker.units.rifleman': 3, 'defender.units.rifleman': 1 }],
    ['3 for the attacker, none for the defender', { 'attacker.units.rifleman': 3 }],
    ['none for the attacker, 1 for the defender', { 'defender.units.rifleman': 1 }],
  ])('of both sides must have equal prices: %s', async (found, costs) => {
    const list = { points: 9, units: { 'units.rifleman': {} } };
    const expected = 'armies: expected equal prices on both sides, or attackers and defenders, found "units.rifleman":';
    await expect(create(list, costs)).rejects.toThrow(`${expected} ${found}`);
    await expect(create(list, { ...costs, 'units.rifleman': 2, 'attacker.units.tank': 4 })).resolves.toBeDefined();
    const attackers = { ...list, points: 3 };
    const defenders = [{ name: 'd', set: {} }];
    const both = { 'attacker.units.rifleman': 3, 'defender.units.rifleman': 1 };
    const roster = await validateRoster({ scenario, costs: both, attackers, defenders: attackers });
    expect([roster.attackers.length, roster.defenders.length]).toEqual([1, 3]);
    await expect(validateRoster({ scenario, costs: both, attackers, defenders })).resolves.toBeDefined();
  });

  test.each([
    ['armies', 'armies.units.infantry: expected an integer 0..40, found 200'],
    ['defenders', 'defenders.units.infantry: expected an integer 0..40, found 200'],
  ])('%s that the scenario rejects are found before cells are computed', async (field, message) => {
    const list = { points: 600, spend: 'exactly', units: { infantry: {} } };
    const own = { system: 'combined-arms', attacker: { infantry: 8 }, defender: { infantry: 8 } };
    const attackers = [{ name: 'a', set: { infantry: 1 } }];
    const roster = { scenario: own, ...(field === 'defenders' && { attackers }), [field]: list };
    await expect(validateRoster(roster)).rejects.toThrow(message);
  });

  test.each([
    [{ points: 2, units: { 'units.rifleman': {} } }, 'armies: expected points that allow an army, found 2'],
    [
      { points: 9, units: { 'units.rifleman': { min: 2, max: 1 } } },
      'armies.units.units.rifleman: expected a max of at least the min, 2, found 1',
    ],
    [
      { points: 1e9, units: { 'units.rifleman': {}, 'units.tank': {} } },
      'armies: expected at most 2000 armies, found more than',
    ],
    [{ points: 9000, units: { 'units.rifleman': {} } }, 'armies: expected at most 2000 armies, found 3000'],
    [
      { points: 9, units: { 'units.cannon': {} } },
      'expected unit types with costs, found "units.cannon" without costs',
    ],
  ])('reject %j', async (armies, message) => {
    await expect(create(armies)).rejects.toThrow(message);
  });
});

describe('errors of a roster', () => {
  const armies = [{ name: 'a', set: { hp: 3 } }];
  test.each([
    [{}, 'expected armies, or attackers and defenders, found nothing'],
    [{ attackers: armies }, 'expected armies, or attackers and defenders, found attackers'],
    [{ armies: [...armies, ...armies] }, 'armies[1].name: expected unique names, found "a" again'],
    [{ armies: [{ name: 'a' }] }, 'armies[0]: expected either set or value, found neither'],
    [{ armies, payoff: 'atacker' }, 'payoff:1: expected one of attacker, defender, mutual, stalemate, rounds'],
    [{ armies, payoff: 'attacker * defender' }, 'a sum of outcomes and metrics with constant factors'],
    [{ armies, sides: { attacker: 'red', defender: 'defender' } }, 'sides.attacker: expected the path of a side'],
    [{ armies, exact: 'always', battles: 5 }, 'battles: expected nothing, because exact: always simulates no battles'],
    [{ armies, terrain: [] }, 'did you mean terrains?'],
  ])('report %j', async (fields, message) => {
    await expect(validateRoster({ scenario: DUEL, ...fields })).rejects.toThrow(message);
  });

  test.each([
    [{ system: 'nope' }, /^scenario system: expected one of attrition, .*, found "nope"$/],
    [{ ...DUEL, mode: 'sideways' }, /^scenario mode: expected one of direct, indirect, mass, found "sideways"$/],
    [undefined, /^scenario: expected .*, found nothing$/],
    ['missing.yaml', /^scenario: expected a readable file, found no such file: missing\.yaml$/],
  ])('name the field of the scenario %j', async (scenario, message) => {
    const found = await validateRoster({ scenario, armies }).catch((error: unknown) => (error as Error).message);
    expect(found).toMatch(message);
  });

  test('do not occur if the scenario names a game', async () => {
    const scenario = { system: 'conquest-dice', attacker: 5, defender: 3 };
    const roster = await validateRoster({ scenario, armies: [{ name: 'four', value: 4 }] });
    expect((await matchup(roster)).matrix.values).toHaveLength(1);
  });

  test.each([
    [{ armies: [...armies, { name: 'dead', set: { hp: 0 } }] }, 'armies[1].set.hp: expected an integer 1..10000'],
    [{ armies: [...armies, { name: 'odd', set: { hp: 3, hits: 1 } }] }, 'armies[1].set.hits: expected one of name'],
    [
      {
        attackers: armies,
        defenders: [
          { name: '2', set: { hp: 3 } },
          { name: '1', set: { hp: 0 } },
        ],
      },
      'defenders[1].set.hp',
    ],
    [{ armies: [...armies, { name: 'none', value: { attack: 1, hp: 3 } }] }, 'armies[1].value.defense: expected'],
    [{ armies: [...armies, { name: 'none', value: 7 }] }, 'cell 2 (attacker=none, defender=a) attacker: expected'],
    [{ armies: [{ name: 'a', set: { hp: Number.NaN } }] }, 'armies[0].set.hp: expected a JSON value, found NaN'],
  ])('name the field of an army before cells are computed: %j', async (fields, message) => {
    await expect(validateRoster({ scenario: DUEL, ...fields })).rejects.toThrow(message);
  });
});
