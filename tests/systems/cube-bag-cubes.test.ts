/** Cubes from a bag: contents of the bag, and courage. */
import { describe, expect, it } from 'vitest';
import { army, prepared } from './cube-bag-fight.ts';

/** Two peasants, which are never active. */
const peasants = army({ peasant: 2 });

const cubes = (attacker: object, defender: object = peasants, options: object = {}) =>
  prepared({ attacker, defender, ...options });

describe('active units', () => {
  it.each([
    ['spearman', 1, 1, 0],
    ['spearman', 2, 0, 1],
    ['archer', 2, 1, 0],
    ['archer', 3, 0, 1],
    ['catapult', 0, 0, 1],
    ['trebuchet', 1, 0, 1],
    ['trebuchet', 3, 1, 0],
    ['galley', 2, 1, 0],
  ])('%s at distance %i gives %i cubes of its color and %i neutral', (unit, distance, own, neutral) => {
    const { bag, courage } = cubes(army({ [unit]: 1 }, { distance }));
    expect(bag).toEqual([own, 0, neutral + 2]);
    expect(courage).toEqual([own, 0]);
  });

  it('of the defender use the least distance of the attacking armies', () => {
    const attacker = {
      armies: [
        { units: { archer: 1 }, distance: 3 },
        { units: { archer: 1 }, distance: 2 },
      ],
    };
    expect(cubes(attacker, army({ archer: 1, spearman: 1 })).bag).toEqual([1, 1, 2]);
  });

  it('of the defender use the distance of their army if it is set', () => {
    expect(cubes(army({ archer: 1 }, { distance: 2 }), army({ spearman: 1 }, { distance: 1 })).bag).toEqual([1, 1, 0]);
  });

  it('never include peasants, even if the scenario declares them active', () => {
    expect(cubes(army({ peasant: 1, archer: 1 }, { active: { peasant: true } })).bag).toEqual([1, 0, 3]);
  });

  it('are set by field active, regardless of range and target', () => {
    const active = { spearman: true, archer: false };
    const { bag } = cubes(army({ spearman: 2, archer: 1 }, { distance: 9, active }), peasants, { target: 'water' });
    expect(bag).toEqual([2, 0, 3]);
  });

  it('exclude melee units of the attacker with target water', () => {
    const { bag, reported: shown } = cubes(army({ spearman: 1, archer: 1 }), army({ spearman: 1 }), {
      target: 'water',
    });
    expect(bag).toEqual([1, 1, 1]);
    expect(shown[0]).toBe('target.water');
  });
});

describe('the strength bonus', () => {
  it('is the greatest single bonus of an army, not the sum', () => {
    expect(cubes(army({ spearman: 2, swordsman: 1 }), army({ cavalryman: 1, peasant: 1 })).bag).toEqual([6, 3, 1]);
  });

  it('counts once for each army of a corps', () => {
    const attacker = { armies: [{ units: { spearman: 1 } }, { units: { spearman: 1 } }] };
    expect(cubes(attacker, army({ cavalryman: 1 })).bag).toEqual([2 + 3 + 3, 1 + 2, 0]);
  });

  it('has the color of the unit that gives it', () => {
    const { bag, reported: shown } = cubes(army({ spearman: 1, archer: 1 }, { distance: 2 }), army({ cavalryman: 1 }));
    expect(bag).toEqual([1, 0, 1 + 3 + 1 + 2]);
    expect(shown.filter((rule) => rule === 'bonus.inactive')).toHaveLength(2);
  });

  describe('of an army with several bonuses', () => {
    /** Returns the bag: an active swordsman has 1 against infantry, an inactive spearman 3 against cavalry. */
    const bag = (policy: object, side: object = {}): readonly number[] => {
      const attacker = army({ swordsman: 1, spearman: 1, archer: 1 }, { active: { spearman: false }, ...policy });
      return cubes({ ...attacker, ...side }, army({ cavalryman: 1, peasant: 1 })).bag;
    };

    it.each([
      [{}, 1, 0],
      [{ bonus: 'active-first' }, 1, 0],
      [{ bonus: 'greatest' }, 0, 3],
      [{ bonus: 'none' }, 0, 0],
      [{ bonus: 'spearman' }, 0, 3],
      [{ bonus: 'swordsman' }, 1, 0],
      [{ bonus: 'archer' }, 0, 0],
      [{ bonus: 'catapult' }, 0, 0],
    ])('with policy %o is %i of its color, %i neutral', (policy, own, neutral) => {
      expect(bag(policy)).toEqual([2 + own, 3, 1 + neutral + 1]);
    });

    it('is excluded by addDefense false if its unit is inactive', () => {
      const side = { addDefense: false };
      expect(bag({ bonus: 'greatest' }, side)).toEqual([2, 3, 1]);
      expect(bag({}, side)).toEqual([3, 3, 1]);
    });

    it('is the greatest of the inactive units if no active unit has any', () => {
      const attacker = army({ archer: 1, spearman: 1, swordsman: 1 }, { distance: 2 });
      expect(cubes(attacker, army({ cavalryman: 1, peasant: 1 }, { distance: 1 })).bag).toEqual([1, 3, 2 + 3 + 1]);
    });

    it('is the greatest of the named type', () => {
      const unitTypes = { swordsman: { bonus: { infantry: 1, cavalry: 2 } } };
      const attacker = army({ swordsman: 1, spearman: 1 }, { bonus: 'swordsman' });
      expect(cubes(attacker, army({ cavalryman: 1, peasant: 1 }), { unitTypes }).bag[0]).toBe(2 + 2);
    });

    it('is 0 with any policy if a siege or corpsBonus excludes it', () => {
      const attacker = army({ spearman: 1 }, { bonus: 'spearman' });
      expect(cubes(attacker, army({ cavalryman: 1 }), { fortification: 'wall' }).bag[0]).toBe(1);
      const corps = { armies: [...attacker.armies, ...attacker.armies], corpsBonus: 'none' };
      expect(cubes(corps, army({ cavalryman: 1 })).bag[0]).toBe(2);
    });
  });

  it('prefers an active unit among equals', () => {
    const unitTypes = { swordsman: { bonus: { cavalry: 3 } } };
    const attacker = army({ spearman: 1, swordsman: 1 }, { active: { spearman: false } });
    expect(cubes(attacker, army({ cavalryman: 1 }), { unitTypes }).bag).toEqual([1 + 3, 1 + 2, 1]);
  });

  it('counts against units that are present, not against types with 0 units', () => {
    expect(cubes(army({ spearman: 1 }), army({ cavalryman: 0, archer: 1 })).bag).toEqual([1, 1, 0]);
  });

  it('counts against structures only if the target has some', () => {
    const attacker = army({ trebuchet: 1 }, { distance: 2 });
    expect(cubes(attacker).bag).toEqual([1, 0, 2]);
    const defender = { ...peasants, structures: [{ type: 'wall' }] };
    expect(cubes(attacker, defender)).toMatchObject({ bag: [5, 0, 2], courage: [2, 0] });
  });

  it('of a catapult counts against vessels', () => {
    expect(cubes(army({ catapult: 1 }), army({ galley: 1 })).bag).toEqual([3, 1, 0]);
  });

  it('of cavalrymen in unitSet old is 1 against infantry, 2 against siege engines', () => {
    const old = { unitSet: 'old' };
    expect(cubes(army({ cavalryman: 1 }), peasants, old).bag).toEqual([2, 0, 2]);
    expect(cubes(army({ cavalryman: 1 }), army({ peasant: 1, trebuchet: 1 }), old).bag).toEqual([3, 0, 2]);
  });
});

describe('a siege', () => {
  const walled = { fortification: 'wall' };

  it('removes melee and ranged bonuses of the attacker, but no projectile bonuses', () => {
    const unitTypes = { archer: { bonus: { cavalry: 5 } } };
    const defender = { ...army({ cavalryman: 1 }), structures: [{ type: 'wall' }] };
    const attacker = { armies: [{ units: { spearman: 1, archer: 1 } }, { units: { catapult: 1, spearman: 1 } }] };
    const { bag, reported: shown } = cubes(attacker, defender, { ...walled, unitTypes });
    expect(bag).toEqual([2 + 2 + 2, 1 + 2, 0]);
    expect(shown).toContain('siege');
    expect(cubes(attacker, defender, { unitTypes }).bag).toEqual([2 + 5 + 2 + 3, 3, 0]);
  });

  it('keeps the bonus of units of kind none, in neutral cubes', () => {
    const unitTypes = { monk: { class: 'infantry', kind: 'none', bonus: { cavalry: 4 } } };
    expect(cubes(army({ monk: 1 }), army({ cavalryman: 1 }), { ...walled, unitTypes }).bag).toEqual([0, 3, 5]);
  });

  it('adds the cubes of garrisonBonus to the defender', () => {
    expect(cubes(army({ archer: 1 }), peasants, { ...walled, garrisonBonus: 2 }).bag).toEqual([1, 2, 2]);
    expect(cubes(army({ archer: 1 }), peasants, { garrisonBonus: 2 }).bag).toEqual([1, 0, 2]);
  });
});

describe('neutral cubes', () => {
  it('are excluded by addDefense false, with the bonus and modifier of inactive units', () => {
    const defender = { ...army({ swordsman: 2 }, { distance: 2, modifiers: { strength: 4 } }), addDefense: false };
    const { bag, reported: shown } = cubes(army({ archer: 1 }), defender);
    expect(bag).toEqual([1, 0, 0]);
    expect(shown).toContain('defense.left-out');
  });

  it('of the other side remain with addDefense false', () => {
    const attacker = { ...army({ archer: 1, peasant: 3 }), addDefense: false };
    expect(cubes(attacker).bag).toEqual([1, 0, 2]);
  });
});

describe('extras and modifiers', () => {
  it('extras have the color of their side, even without active units', () => {
    expect(cubes(army({ archer: 1 }), army({ peasant: 2 }, { extras: { action: 1, experience: 2 } })).bag).toEqual([
      1, 3, 2,
    ]);
  });

  it('strength has the color of the side if a unit is active, otherwise neutral', () => {
    const modifiers = { strength: 2 };
    expect(cubes(army({ archer: 1 }, { modifiers }), army({ peasant: 2 }, { modifiers })).bag).toEqual([3, 0, 4]);
  });

  it('negative strength removes cubes of that color, including extras, not below 0', () => {
    const modifiers = { strength: -3 };
    const attacker = army({ archer: 2, peasant: 2 }, { modifiers, extras: { action: 2 } });
    expect(cubes(attacker, army({ peasant: 5 }, { modifiers })).bag).toEqual([1, 0, 2 + 2]);
    expect(cubes(army({ archer: 1, peasant: 2 }, { modifiers })).bag).toEqual([0, 0, 2 + 2]);
  });

  it('negative strength of an inactive army does not remove its extras', () => {
    const attacker = army({ peasant: 2 }, { modifiers: { strength: -3 }, extras: { experience: 2 } });
    expect(cubes(attacker).bag).toEqual([2, 0, 2]);
  });

  it('courage modifiers apply to the sum over a corps, but not below 0', () => {
    const corps = (courage: number) => ({
      armies: [{ units: { archer: 2 }, modifiers: { courage } }, { units: { archer: 1 } }],
    });
    expect(cubes(corps(2)).courage).toEqual([5, 0]);
    expect(cubes(corps(-2)).courage).toEqual([1, 0]);
    expect(cubes(corps(-9)).courage).toEqual([0, 0]);
  });

  it('courage against structures requires an active unit and counts once per army', () => {
    const defender = { ...peasants, structures: [{ type: 'city' }] };
    const two = army({ catapult: 1, trebuchet: 1 }, { distance: 2 });
    expect(cubes(two, defender).courage).toEqual([3, 0]);
    expect(cubes(army({ trebuchet: 1, archer: 1 }), defender).courage).toEqual([1, 0]);
    expect(cubes(two).courage).toEqual([2, 0]);
  });

  it('a siege tower always adds 1 courage on either side', () => {
    const technologies = { siegeTower: true };
    expect(cubes({ ...army({ peasant: 1 }), technologies }, { ...peasants, technologies }).courage).toEqual([1, 1]);
  });
});

describe('the fabian tactic', () => {
  const strong = army({ archer: 3 }, { extras: { action: 1 } });

  it('discards cubes of both colors, but no neutral ones', () => {
    const attacker = { ...strong, technologies: { fabian: 2 } };
    const { bag, reported: shown } = cubes(attacker, army({ archer: 3, peasant: 1 }));
    expect(bag).toEqual([2, 1, 1]);
    expect(shown).toContain('fabian');
  });

  it('is limited to the cubes of the side with fewer', () => {
    const defender = { ...army({ archer: 1, peasant: 1 }), technologies: { fabian: 9 } };
    expect(cubes(strong, defender).bag).toEqual([3, 0, 1]);
  });

  it('of both sides adds up', () => {
    const technologies = { fabian: 1 };
    expect(cubes({ ...strong, technologies }, { ...army({ archer: 3 }), technologies }).bag).toEqual([2, 1, 0]);
  });

  it('does not change courage', () => {
    expect(cubes({ ...strong, technologies: { fabian: 9 } }, strong).courage).toEqual([3, 3]);
  });
});

describe('rules reported while the bag is filled', () => {
  it('include modifiers, extras, courage, bonuses and cubes', () => {
    const attacker = { ...army({ spearman: 1 }, { modifiers: { strength: 1 }, extras: { action: 1 } }) };
    const technologies = { siegeTower: true };
    const { reported: shown } = cubes(attacker, { ...army({ cavalryman: 1 }), technologies });
    expect(shown).toEqual(['modifier', 'extras', 'courage.tower', 'bonus', 'bonus', 'cubes', 'cubes']);
  });

  it('include a siege and the garrison bonus', () => {
    const { reported: shown } = cubes(army({ archer: 1 }), peasants, { fortification: 'palisade', garrisonBonus: 1 });
    expect(shown).toEqual(['siege', 'siege.garrison', 'cubes', 'cubes', 'cubes.neutral']);
  });

  it('exclude rules that do not apply', () => {
    expect(cubes(army({ archer: 1 }), peasants, { garrisonBonus: 1 }).reported).toEqual([
      'cubes',
      'cubes',
      'cubes.neutral',
    ]);
  });
});

describe('unitTypes', () => {
  it('change single fields, but replace the bonus completely', () => {
    const unitTypes = { spearman: { strength: 3, range: [2, 2] }, catapult: { bonus: { infantry: 4 } } };
    const options = { unitTypes };
    expect(cubes(army({ spearman: 2 }, { distance: 2 }), army({ galley: 1 }), options).bag).toEqual([6, 1, 0]);
    expect(cubes(army({ catapult: 1 }), army({ galley: 1 }), options).bag).toEqual([1, 1, 0]);
    expect(cubes(army({ catapult: 1 }), peasants, options).bag).toEqual([5, 0, 2]);
  });

  it('add types with class and kind', () => {
    const unitTypes = {
      elephant: { class: 'cavalry', kind: 'melee', range: [1, 1], hp: 2, strength: 2, bonus: { infantry: 1 } },
      mule: { class: 'cavalry', kind: 'none' },
    };
    const { bag, courage } = cubes(army({ elephant: 1, mule: 1 }), army({ spearman: 1 }), { unitTypes });
    expect(bag).toEqual([3, 1 + 3, 1]);
    expect(courage).toEqual([1, 1]);
  });
});
