/** Schema of cubes from a bag. */
import { describe, expect, it } from 'vitest';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';
import { applyChanges, updateScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { hashScenario } from '../../src/stats/digest.ts';
import { army, scenario } from './cube-bag-fight.ts';

const small = { attacker: army({ archer: 1 }), defender: army({ archer: 1 }) };

function rejection(change: object): string {
  try {
    validateScenario({ system: 'cube-bag', ...small, ...change });
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

const units = (counts: object, fields: object = {}) => ({ attacker: { ...army(counts), ...fields } });
/** Change to one archer, with further fields of the side. */
const archer = (fields: object) => units({ archer: 1 }, fields);
const within = (fields: object) => ({ attacker: army({ archer: 1 }, fields) });
const built = (structure: object) => ({ defender: { armies: [], structures: [structure] } });

const byCube = (fields: object) => ({ drawing: 'cube-by-cube', ...archer(fields) });
const type = (name: string, fields: object) => ({ unitTypes: { [name]: fields } });
const OX = { class: 'cavalry', kind: 'none' };

describe('rejected scenarios', () => {
  it.each<[string, object]>([
    ['attacker.armies[0].units.dragon', units({ dragon: 1 })],
    ['attacker.armies: expected at least one unit, found none', units({})],
    ['expected at least one unit', units({ archer: 0 })],
    ['attacker.armies', { attacker: { armies: [] } }],
    ['expected at least one unit or structure, found none', { defender: { armies: [] } }],
    ['expected at least one unit', units({}, { structures: [{ type: 'wall' }] })],
    ['attacker.armies[0].hex', within({ hex: ' ' })],
    ['attacker.corpsBonus', archer({ corpsBonus: 'all' })],
    ['attacker.convert[1]: expected the number of an enemy army, 1..1, found 2', archer({ convert: [1, 2] })],
    [
      'attacker.convert[0]: expected no army, because the enemy has none, found 1',
      { ...archer({ convert: [1] }), ...built({ type: 'wall' }) },
    ],
    ['attacker.convert[0]', archer({ convert: [0] })],
    ['attacker.convert', archer({ convert: 'hardest' })],
    [
      'attacker.armies[0].bonus: expected one of active-first, greatest, none, peasant, spearman, swordsman, archer, cavalryman, catapult, trebuchet, galley, found "dragon"',
      within({ bonus: 'dragon' }),
    ],
    ['attacker.armies[0].bonus: expected', within({ bonus: 3 })],
    [
      'attacker.draw.until: expected drawing: cube-by-cube, because number-first has no conditions, found number-first',
      archer({ draw: { until: { own: 1 } } }),
    ],
    [
      'defender.extraDraw.until: expected drawing: cube-by-cube',
      { defender: { ...army({ archer: 1 }), extraDraw: { until: { own: 1 } } } },
    ],
    ['attacker.draw', byCube({ draw: { until: {} } })],
    ['attacker.draw', byCube({ draw: { until: { own: 0 } } })],
    ['attacker.draw', byCube({ draw: { until: { drawn: 1.5 } } })],
    ['attacker.draw', byCube({ draw: { until: { neutral: 1 } } })],
    ['attacker.draw', archer({ draw: 0 })],
    ['defender.extraDraw', { ...byCube({}), defender: { ...army({ archer: 1 }), extraDraw: 2 } }],
    ['attacker.extraDraw', archer({ extraDraw: 'max' })],
    ['drawing', { drawing: 'by-hand' }],
    ['priority[1]: expected one of', { priority: ['wall', 'dragon'] }],
    ['priority[1][0]', { priority: [['wall'], ['dragon']] }],
    ['priority: expected', { priority: 'wall' }],
    ['attacker.removal[1]', archer({ removal: ['archer', 'dragon'] })],
    ['attacker.removal[0]', archer({ removal: ['military'] })],
    ['attacker.removal[0]', archer({ removal: ['added-structures'] })],
    ['active.dragon', within({ active: { dragon: true } })],
    ['expected an integer 0..400, found -1', units({ archer: -1 })],
    ['found 1.5', units({ archer: 1.5 })],
    ['expected sides that prepare at most 400 cubes in total, found 401', units({ archer: 400 })],
    [
      'attacker.structures[0].marks: expected an integer 0..3, because a city has 3 hp, found 4',
      archer({ structures: [{ type: 'city', marks: 4 }] }),
    ],
    ['an integer 0..2', built({ type: 'wall', marks: 3 })],
    ['marks: expected an integer 0..1, because a wall has 1 hp, found 2', built({ type: 'wall', hp: 1, marks: 2 })],
    ['structures[0].hp', built({ type: 'wall', hp: 1.5 })],
    ['structures[0].type', built({ type: 'moat' })],
    [
      'attacker.structures[0].hex: expected no hex, because no army of the side has one, found "hill"',
      archer({ structures: [{ type: 'wall', hex: 'hill' }] }),
    ],
    [
      'defender.structures[0].hex: expected a hex of an army of the side: hill, found "ford"',
      {
        ...within({ hex: 'ford' }),
        defender: { ...army({ archer: 1 }, { hex: 'hill' }), structures: [{ type: 'wall', hex: 'ford' }] },
      },
    ],
    ['structureTypes.tower.hp: expected an integer 1..100, found 0', { structureTypes: { tower: { hp: 0 } } }],
    ['structureTypes.tower.hp', { structureTypes: { tower: {} } }],
    ['structureTypes', { structureTypes: { archer: { hp: 1 } } }],
    [
      'structureTypes.ox: expected a name that no unit type has, found "ox"',
      { ...type('ox', OX), structureTypes: { ox: { hp: 1 } } },
    ],
    ...['infantry', 'military', 'structure', 'structures', 'added-structures', 'mutual'].map(
      (name): [string, object] => ['a name other than', { structureTypes: { [name]: { hp: 1 } } }],
    ),
    ['class and kind', type('ox', { kind: 'none' })],
    ['a range, which units of kind melee require', type('ox', { class: 'cavalry', kind: 'melee' })],
    ['a range', type('peasant', { kind: 'melee' })],
    ['the lesser distance first', type('archer', { range: [2, 1] })],
    ['unitTypes.archer.bonus.air', type('archer', { bonus: { air: 1 } })],
    ['unitTypes.greatest', type('greatest', OX)],
    ...['none', 'wall', 'infantry'].map((name): [string, object] => ['unitTypes', type(name, OX)]),
    ['weather', { weather: 'mud' }],
  ])('%s: %j', (message, change) => {
    expect(rejection(change)).toContain(message);
  });
});

describe('an invalid field has exactly one error', () => {
  it.each<[string, object]>([
    ['defender.structures[0].type: expected one of', built({ marks: 1 })],
    ['found "toString"', built({ type: 'toString' })],
    ['expected a mapping, found -1', within({ extras: -1 })],
    ['integer 0..400, found "500"', { fortification: 'wall', garrisonBonus: '500' }],
  ])('%s', (message, change) => {
    const reported = rejection(change);
    expect(reported).toContain(message);
    expect(reported.split('\n')).toHaveLength(1);
  });
});

describe('accepted scenarios', () => {
  it('a city without a defender', () => {
    expect(rejection({ defender: { armies: [], structures: [{ type: 'city' }] } })).toBe('accepted');
  });

  it('exactly 400 cubes, and more if addDefense is false', () => {
    expect(rejection(units({ archer: 399 }))).toBe('accepted');
    expect(rejection(units({ archer: 399, peasant: 50 }, { addDefense: false }))).toBe('accepted');
  });

  it('an added type in lists', () => {
    const unitTypes = { ox: { class: 'cavalry', kind: 'none' } };
    expect(rejection({ unitTypes, ...units({ ox: 1 }, { removal: ['ox'] }), priority: [['ox']] })).toBe('accepted');
  });

  it('a structure of an added type with full marks, and its type in lists', () => {
    const structures = [
      { type: 'tower', marks: 3 },
      { type: 'city', hp: 7, marks: 7, hex: 'hill' },
    ];
    const defender = { ...army({ archer: 1 }, { hex: 'hill' }), structures };
    const attacker = { ...army({ archer: 1 }), removal: ['tower'] };
    const types = { structureTypes: { tower: { hp: 3 } } };
    expect(rejection({ ...types, attacker, defender, priority: ['tower', 'added-structures'] })).toBe('accepted');
  });

  it('a type added by a change, next to the city in the default priority', () => {
    const changed = updateScenario(scenario(small), { 'structureTypes.tower.hp': 2 });
    expect(changed).toEqual(scenario({ ...small, structureTypes: { tower: { hp: 2 } } }));
  });

  it('a word in the priority, equal to a list of one word', () => {
    const words = { priority: ['military', ['wall', 'palisade'], 'peasant'] };
    const lists = { priority: [['military'], ['wall', 'palisade'], ['peasant']] };
    const [first, second] = [words, lists].map((priority) =>
      validateScenario({ system: 'cube-bag', ...small, ...priority }),
    );
    expect(first).toEqual(second);
    expect(hashScenario(first as Scenario)).toBe(hashScenario(second as Scenario));
    expect((first as CubeBag).priority).toEqual(lists.priority);
  });

  it('changes of the priority in either form', () => {
    const changed = (change: string) => (applyChanges(scenario(small), [change]) as CubeBag).priority;
    expect(changed('priority=[peasant]')).toEqual([['peasant']]);
    expect(changed('priority[1]=peasant')[1]).toEqual(['peasant']);
    expect(changed('priority[1]=[peasant, siege]')[1]).toEqual(['peasant', 'siege']);
    expect(changed('priority[0][1]=castle')[0]).toEqual(['wall', 'castle']);
    expect(() => changed('priority[1]=dragon')).toThrow('priority[1]: expected one of');
    expect(() => changed('priority[0][1]=dragon')).toThrow('priority[0][1]: expected one of');
  });

  it('default values of all fields', () => {
    const side = {
      technologies: { fabian: 0, trainedArmy: 0, siegeTower: false },
      structures: [],
      corpsBonus: 'sum',
      addDefense: true,
      conversions: 0,
      conversionFactors: 0,
      convert: 'easiest',
      recoveries: 0,
      recoveryFactors: 0,
      removal: [],
      redraw: 'always',
    };
    const armies = [
      {
        units: { archer: 1 },
        bonus: 'active-first',
        active: {},
        extras: { action: 0, experience: 0 },
        modifiers: { strength: 0, courage: 0 },
      },
    ];
    expect(scenario(small)).toEqual({
      system: 'cube-bag',
      target: 'land',
      fortification: 'none',
      garrisonBonus: 0,
      unitSet: 'seed',
      unitTypes: {},
      drawing: 'number-first',
      structureTypes: {},
      failedCheckCubes: 'return',
      priority: [['wall', 'palisade'], ['military'], ['peasant'], ['building'], ['city', 'castle', 'added-structures']],
      attacker: { ...side, armies, draw: 'max' },
      defender: { ...side, armies, extraDraw: 'none' },
    });
  });
});
