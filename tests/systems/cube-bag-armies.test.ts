/** Cubes from a bag: selection of the army whose unit is converted. */
import { describe, expect, it } from 'vitest';
import { army, decide, draw, type Fight, fight } from './cube-bag-fight.ts';

/** Runs conversions by the defender of peasants in several armies, after which nobody draws cubes. */
function converted(
  armies: readonly object[],
  converter: object,
  script: Parameters<typeof fight>[1],
  options: object = {},
): Fight {
  const attacker = { armies: armies.map((each) => ({ units: { peasant: 1 }, ...each })) };
  const defender = { ...army({ peasant: 1 }, { extras: { action: 15 } }), conversions: 1, ...converter };
  return fight({ attacker, defender, ...options }, script);
}

/** Returns the number of cubes of each check. */
const checks = ({ bags }: Fight): number[] => bags.map((bag) => Number.parseInt(bag, 10));

const neutral = (cubes: number) => draw(0, cubes, 0);

describe('conversionFactors of an army', () => {
  it('replace the factors of the converter', () => {
    const battle = converted([{ conversionFactors: 2 }], { conversionFactors: -1 }, [neutral(4)]);
    expect(checks(battle)).toEqual([4]);
    expect(battle.reported).toEqual(expect.arrayContaining(['conversion.army', 'check.passed', 'conversion']));
    expect(battle.requested).toEqual([]);
  });

  it('replace the factors of the converter even if 0', () => {
    expect(checks(converted([{ conversionFactors: 0 }], { conversionFactors: 3 }, [neutral(2)]))).toEqual([2]);
  });

  it('give a check of at least 1 cube', () => {
    expect(checks(converted([{ conversionFactors: -7 }], {}, [neutral(1)]))).toEqual([1]);
  });

  it('default to the factors of the converter if no army has any', () => {
    const battle = converted([{}, {}], { conversionFactors: 1, convert: [2] }, [neutral(3)]);
    expect(checks(battle)).toEqual([3]);
    expect(battle.reported).not.toContain('conversion.army');
  });

  it('default to the factors of the converter for each army without any', () => {
    const battle = converted([{ conversionFactors: 5 }, {}], { conversionFactors: 1 }, [neutral(3)]);
    expect(checks(battle)).toEqual([3]);
    expect(battle.requested).toEqual(['defender army [1 2] 2']);
  });
});

describe('convert: easiest', () => {
  it('selects the army of lowest complexity', () => {
    const battle = converted([{ conversionFactors: 1 }, { conversionFactors: -1 }, {}], {}, [neutral(1)]);
    expect(battle.requested).toEqual(['defender army [1 2 3] 2']);
    expect(checks(battle)).toEqual([1]);
  });

  it('selects the first army among equals; complexity is at least 1', () => {
    const battle = converted([{ conversionFactors: -1 }, { conversionFactors: -4 }], {}, [neutral(1)]);
    expect(battle.requested).toEqual(['defender army [1 2] 1']);
  });

  it('selects again at every try and skips armies without units', () => {
    const armies = [{ conversionFactors: 1 }, { conversionFactors: -1 }, {}];
    const battle = converted(armies, { conversions: 4 }, [neutral(1), neutral(2), neutral(3)]);
    expect(battle.requested).toEqual(['defender army [1 2 3] 2', 'defender army [1 3] 3']);
    expect(checks(battle)).toEqual([1, 2, 3]);
    expect(battle.reported).toContain('conversion.none');
  });

  it('selects the same army again after a failed check', () => {
    const armies = [{}, { conversionFactors: -1, extras: { action: 1 } }];
    const battle = converted(armies, { conversions: 2 }, [draw(1, 0, 0), neutral(1)]);
    expect(checks(battle)).toEqual([1, 1]);
    expect(battle.reported).toContain('check.failed');
  });

  it('skips armies without units from the start', () => {
    const armies = [{ units: { peasant: 0 }, conversionFactors: -1 }, {}, { conversionFactors: 1 }];
    expect(converted(armies, {}, [neutral(2)]).requested).toEqual(['defender army [2 3] 2']);
  });
});

describe('convert: a list', () => {
  const armies = [{ conversionFactors: -1 }, { conversionFactors: 1 }, { conversionFactors: 2 }];

  it('selects the first listed army at any complexity', () => {
    const battle = converted(armies, { convert: [3, 1] }, [neutral(4)]);
    expect(battle.requested).toEqual(['defender army [1 2 3] 3']);
    expect(checks(battle)).toEqual([4]);
  });

  it('continues with the other armies by complexity after the listed armies', () => {
    const four = [...armies, { conversionFactors: 0 }];
    const tries = { conversions: 4, convert: [3] };
    const battle = converted(four, tries, [neutral(4), neutral(1), neutral(2), draw(0, 3, 0)]);
    expect(checks(battle)).toEqual([4, 1, 2, 3]);
  });

  it('accepts an army twice', () => {
    expect(checks(converted(armies, { convert: [2, 2, 1] }, [neutral(3)]))).toEqual([3]);
  });
});

describe('the converted unit', () => {
  const corps = [
    { units: { peasant: 1, archer: 1 }, active: { archer: false }, conversionFactors: 1 },
    { units: { swordsman: 1, peasant: 1 }, active: { swordsman: false } },
  ];

  it('is taken from the selected army, in the order of removal', () => {
    const battle = converted(corps, { removal: ['archer', 'peasant'] }, [neutral(2)]);
    expect(battle.requested).toEqual(['defender army [1 2] 2', 'defender conversion [peasant swordsman] peasant']);
  });

  it('is taken from another army if the player selects it', () => {
    const battle = converted(corps, { removal: ['archer'] }, [
      decide('1-neutral'),
      decide(1),
      neutral(3),
      decide('peasant'),
    ]);
    expect(battle.requested).toEqual(['defender army [1 2] 1', 'defender conversion [peasant archer] peasant']);
    expect(checks(battle)).toEqual([3]);
  });

  it('is a decision only if the army has several types', () => {
    const battle = converted([{ conversionFactors: 0 }, ...corps], {}, [neutral(2)]);
    expect(battle.requested).toEqual(['defender army [1 2 3] 1']);
  });

  it('is removed from its own army and type', () => {
    const tries = { conversions: 3, convert: [1], removal: ['peasant'] };
    const { requested, metrics } = converted(corps, tries, [neutral(3), neutral(3), neutral(2)]);
    expect(requested).toEqual([
      'defender army [1 2] 1',
      'defender conversion [peasant archer] peasant',
      'defender army [1 2] 1',
      'defender conversion [peasant swordsman] peasant',
    ]);
    expect(metrics['conversions.defender']).toBe(3);
  });
});

it('the attacker converts units of several armies of the defender', () => {
  const attacker = { ...army({ archer: 1 }, { extras: { action: 4 } }), conversions: 1, convert: [2] };
  const defender = { armies: [{ units: { peasant: 1 } }, { units: { peasant: 1 }, conversionFactors: -1 }] };
  const { requested, bags } = fight({ attacker, defender }, [draw(1, 0, 0), draw(1, 0, 0)]);
  expect(requested).toEqual(['attacker army [1 2] 2']);
  expect(bags[0]).toBe('1 of 5 0 2');
});
