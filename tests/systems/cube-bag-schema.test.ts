/** What a file for cubes from a bag may say. */
import { describe, expect, it } from 'vitest';
import { scenarioHash } from '../../src/answers/digest.ts';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';
import { changeScenario, checkScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { army, scenario } from './cube-bag-fight.ts';

const small = { attacker: army({ archer: 1 }), defender: army({ archer: 1 }) };

function refusal(change: object): string {
  try {
    checkScenario({ system: 'cube-bag', ...small, ...change });
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

const units = (counts: object, fields: object = {}) => ({ attacker: { ...army(counts), ...fields } });

const byCube = (fields: object) => ({ drawing: 'cube-by-cube', ...units({ archer: 1 }, fields) });

describe('refused', () => {
  it.each<[string, object, string]>([
    ['an unknown unit', units({ dragon: 1 }), 'attacker.armies[0].units.dragon'],
    ['nobody at all', units({}), 'attacker.armies: expected at least one unit, found none'],
    ['units of count 0', units({ archer: 0 }), 'expected at least one unit'],
    ['no army', { attacker: { armies: [] } }, 'attacker.armies'],
    [
      'a defender without anything',
      { defender: { armies: [] } },
      'expected at least one unit or structure, found none',
    ],
    [
      'marks beyond hp of the attacker',
      units({ archer: 1 }, { structures: [{ type: 'city', marks: 4 }] }),
      'attacker.structures[0].marks: expected an integer 0..3, for a city has 3 hp, found 4',
    ],
    ['an attacker of structures alone', units({}, { structures: [{ type: 'wall' }] }), 'expected at least one unit'],
    ['a hex without a name', { attacker: army({ archer: 1 }, { hex: ' ' }) }, 'attacker.armies[0].hex'],
    ['a bonus of a corps that is nothing known', units({ archer: 1 }, { corpsBonus: 'all' }), 'attacker.corpsBonus'],
    [
      'an army to convert that the enemy does not have',
      units({ archer: 1 }, { convert: [1, 2] }),
      'attacker.convert[1]: expected the number of an enemy army, 1..1, found 2',
    ],
    [
      'an army to convert of an enemy without armies',
      { ...units({ archer: 1 }, { convert: [1] }), defender: { armies: [], structures: [{ type: 'wall' }] } },
      'attacker.convert[0]: expected no army, for the enemy has none, found 1',
    ],
    [
      'a bonus that is no type',
      { attacker: army({ archer: 1 }, { bonus: 'dragon' }) },
      'attacker.armies[0].bonus: expected one of active-first, greatest, none, peasant, spearman, swordsman, archer, cavalryman, catapult, trebuchet, galley, found "dragon"',
    ],
    ['a bonus that is no word', { attacker: army({ archer: 1 }, { bonus: 3 }) }, 'attacker.armies[0].bonus: expected'],
    [
      'a type that is called as a policy',
      { unitTypes: { greatest: { class: 'infantry', kind: 'none' } } },
      'unitTypes.greatest',
    ],
    [
      'a condition for a number that is named first',
      units({ archer: 1 }, { draw: { until: { own: 1 } } }),
      'attacker.draw.until: expected drawing: cube-by-cube, for a number that is named first knows no conditions, found number-first',
    ],
    [
      'a condition of the defender for a number that is named first',
      { defender: { ...army({ archer: 1 }), extraDraw: { until: { own: 1 } } } },
      'defender.extraDraw.until: expected drawing: cube-by-cube',
    ],
    ['a condition without a number', byCube({ draw: { until: {} } }), 'attacker.draw'],
    ['a condition of no cube', byCube({ draw: { until: { own: 0 } } }), 'attacker.draw'],
    ['a condition of half a cube', byCube({ draw: { until: { drawn: 1.5 } } }), 'attacker.draw'],
    ['an unknown condition', byCube({ draw: { until: { neutral: 1 } } }), 'attacker.draw'],
    [
      'a number of further cubes',
      { ...byCube({}), defender: { ...army({ archer: 1 }), extraDraw: 2 } },
      'defender.extraDraw',
    ],
    ['an unknown way to draw', { drawing: 'by-hand' }, 'drawing'],
    ['an army number 0', units({ archer: 1 }, { convert: [0] }), 'attacker.convert[0]'],
    ['a way to convert that is unknown', units({ archer: 1 }, { convert: 'hardest' }), 'attacker.convert'],
    ['an unknown word in priority by itself', { priority: ['wall', 'dragon'] }, 'priority[1]: expected one of'],
    ['a priority that is no list', { priority: 'wall' }, 'priority: expected'],
    ['an unknown word in removal', units({ archer: 1 }, { removal: ['archer', 'dragon'] }), 'attacker.removal[1]'],
    ['military in removal', units({ archer: 1 }, { removal: ['military'] }), 'attacker.removal[0]'],
    ['an unknown word in priority', { priority: [['wall'], ['dragon']] }, 'priority[1][0]'],
    ['an unknown type in active', { attacker: army({ archer: 1 }, { active: { dragon: true } }) }, 'active.dragon'],
    ['a count below 0', units({ archer: -1 }), 'expected an integer 0..400, found -1'],
    ['a fraction', units({ archer: 1.5 }), 'found 1.5'],
    ['a draw of 0', units({ archer: 1 }, { draw: 0 }), 'attacker.draw'],
    ['an extra draw of the attacker', units({ archer: 1 }, { extraDraw: 'max' }), 'attacker.extraDraw'],
    ['too many cubes', units({ archer: 400 }), 'expected sides that prepare at most 400 cubes in all, found 401'],
    ['marks beyond hp', { defender: { armies: [], structures: [{ type: 'wall', marks: 3 }] } }, 'an integer 0..2'],
    [
      'marks beyond hp of a structure of its own',
      { defender: { armies: [], structures: [{ type: 'wall', hp: 1, marks: 2 }] } },
      'marks: expected an integer 0..1, for a wall has 1 hp, found 2',
    ],
    [
      'hit points of 0',
      { structureTypes: { tower: { hp: 0 } } },
      'structureTypes.tower.hp: expected an integer 1..100, found 0',
    ],
    ['half a hit point', { defender: { armies: [], structures: [{ type: 'wall', hp: 1.5 }] } }, 'structures[0].hp'],
    ['a structure type without hit points', { structureTypes: { tower: {} } }, 'structureTypes.tower.hp'],
    ['a structure type called as a printed unit', { structureTypes: { archer: { hp: 1 } } }, 'structureTypes'],
    [
      'a structure type called as an added unit',
      { unitTypes: { ox: { class: 'cavalry', kind: 'none' } }, structureTypes: { ox: { hp: 1 } } },
      'structureTypes.ox: expected a name that no unit type has, found "ox"',
    ],
    ...['infantry', 'military', 'structure', 'structures', 'added-structures', 'mutual'].map(
      (name): [string, object, string] => [
        `a structure type called ${name}`,
        { structureTypes: { [name]: { hp: 1 } } },
        'a name other than',
      ],
    ),
    [
      'structures on a hex without an army',
      units({ archer: 1 }, { structures: [{ type: 'wall', hex: 'hill' }] }),
      'attacker.structures[0].hex: expected no hex, for no army of the side has one, found "hill"',
    ],
    [
      'structures on a hex of the enemy',
      {
        attacker: army({ archer: 1 }, { hex: 'ford' }),
        defender: { ...army({ archer: 1 }, { hex: 'hill' }), structures: [{ type: 'wall', hex: 'ford' }] },
      },
      'defender.structures[0].hex: expected a hex of an army of the side: hill, found "ford"',
    ],
    ['added structures in removal', units({ archer: 1 }, { removal: ['added-structures'] }), 'attacker.removal[0]'],
    ['an unknown structure', { defender: { armies: [], structures: [{ type: 'moat' }] } }, 'structures[0].type'],
    ['an added type without class', { unitTypes: { ox: { kind: 'none' } } }, 'class and kind'],
    [
      'an added type without a range',
      { unitTypes: { ox: { class: 'cavalry', kind: 'melee' } } },
      'a range, for units of kind melee',
    ],
    ['a peasant with arms but no range', { unitTypes: { peasant: { kind: 'melee' } } }, 'a range'],
    ['a range upside down', { unitTypes: { archer: { range: [2, 1] } } }, 'the lesser distance first'],
    ['a bonus against nothing known', { unitTypes: { archer: { bonus: { air: 1 } } } }, 'unitTypes.archer.bonus.air'],
    ['a type called as an outcome', { unitTypes: { none: { class: 'siege', kind: 'none' } } }, 'unitTypes'],
    ['a type called as a structure', { unitTypes: { wall: { class: 'siege', kind: 'none' } } }, 'unitTypes'],
    ['a type called as a class', { unitTypes: { infantry: { class: 'siege', kind: 'none' } } }, 'unitTypes'],
    ['an unknown field', { weather: 'mud' }, 'weather'],
  ])('%s', (_, change, message) => {
    expect(refusal(change)).toContain(message);
  });
});

describe('of a field that is wrong nothing else is told', () => {
  const built = (structure: object) => ({ defender: { armies: [], structures: [structure] } });

  it.each<[string, object, string]>([
    ['a structure without a type', built({ marks: 1 }), 'defender.structures[0].type: expected one of'],
    ['a structure of an unknown type', built({ type: 'toString' }), 'found "toString"'],
    ['extras that are no mapping', { attacker: army({ archer: 1 }, { extras: -1 }) }, 'expected a mapping, found -1'],
    ['a number that is text', { fortification: 'wall', garrisonBonus: '500' }, 'integer 0..400, found "500"'],
  ])('%s', (_, change, message) => {
    const told = refusal(change);
    expect(told).toContain(message);
    expect(told.split('\n')).toHaveLength(1);
  });
});

describe('accepted', () => {
  it('a city without a defender', () => {
    expect(refusal({ defender: { armies: [], structures: [{ type: 'city' }] } })).toBe('accepted');
  });

  it('exactly 400 cubes, and more if the neutral ones are left out', () => {
    expect(refusal(units({ archer: 399 }))).toBe('accepted');
    expect(refusal(units({ archer: 399, peasant: 50 }, { addDefense: false }))).toBe('accepted');
  });

  it('an added type in lists', () => {
    const unitTypes = { ox: { class: 'cavalry', kind: 'none' } };
    expect(refusal({ unitTypes, ...units({ ox: 1 }, { removal: ['ox'] }), priority: [['ox']] })).toBe('accepted');
  });

  it('a structure of an added type, with all marks, and in lists', () => {
    const structures = [
      { type: 'tower', marks: 3 },
      { type: 'city', hp: 7, marks: 7, hex: 'hill' },
    ];
    const defender = { ...army({ archer: 1 }, { hex: 'hill' }), structures };
    const attacker = { ...army({ archer: 1 }), removal: ['tower'] };
    const types = { structureTypes: { tower: { hp: 3 } } };
    expect(refusal({ ...types, attacker, defender, priority: ['tower', 'added-structures'] })).toBe('accepted');
  });

  it('a type added by a change, beside the city in the default priority', () => {
    const changed = changeScenario(scenario(small), ['structureTypes.tower.hp=2']);
    expect(changed).toEqual(scenario({ ...small, structureTypes: { tower: { hp: 2 } } }));
  });

  it('a word of the priority as a list of one: the scenario is the same', () => {
    const words = { priority: ['military', ['wall', 'palisade'], 'peasant'] };
    const lists = { priority: [['military'], ['wall', 'palisade'], ['peasant']] };
    const [first, second] = [words, lists].map((priority) =>
      checkScenario({ system: 'cube-bag', ...small, ...priority }),
    );
    expect(first).toEqual(second);
    expect(scenarioHash(first as Scenario)).toBe(scenarioHash(second as Scenario));
    expect((first as CubeBag).priority).toEqual(lists.priority);
  });

  it('changes of the priority in either form', () => {
    const changed = (change: string) => (changeScenario(scenario(small), [change]) as CubeBag).priority;
    expect(changed('priority=[peasant]')).toEqual([['peasant']]);
    expect(changed('priority[1]=peasant')[1]).toEqual(['peasant']);
    expect(changed('priority[1]=[peasant, siege]')[1]).toEqual(['peasant', 'siege']);
    expect(changed('priority[0][1]=castle')[0]).toEqual(['wall', 'castle']);
    expect(() => changed('priority[1]=dragon')).toThrow('priority[1]: expected one of');
    expect(() => changed('priority[0][1]=dragon')).toThrow('priority[0][1]: expected one of');
  });

  it('everything by default', () => {
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
