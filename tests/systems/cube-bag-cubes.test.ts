/** Cubes from a bag: what is put into it, and how brave it makes. */
import { describe, expect, it } from 'vitest';
import { army, prepared } from './cube-bag-fight.ts';

/** Two peasants, of whom nothing is active. */
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
  ])('%s at distance %i gives %i of its colour and %i neutral', (unit, distance, own, neutral) => {
    const { bag, courage } = cubes(army({ [unit]: 1 }, { distance }));
    expect(bag).toEqual([own, 0, neutral + 2]);
    expect(courage).toEqual([own, 0]);
  });

  it('defend at the least distance of the attacking armies', () => {
    const attacker = {
      armies: [
        { units: { archer: 1 }, distance: 3 },
        { units: { archer: 1 }, distance: 2 },
      ],
    };
    expect(cubes(attacker, army({ archer: 1, spearman: 1 })).bag).toEqual([1, 1, 2]);
  });

  it('defend at a distance of their own if one is given', () => {
    expect(cubes(army({ archer: 1 }, { distance: 2 }), army({ spearman: 1 }, { distance: 1 })).bag).toEqual([1, 1, 0]);
  });

  it('are never peasants, whatever the file says', () => {
    expect(cubes(army({ peasant: 1, archer: 1 }, { active: { peasant: true } })).bag).toEqual([1, 0, 3]);
  });

  it('are those that the file says, whatever range and water say', () => {
    const active = { spearman: true, archer: false };
    const { bag } = cubes(army({ spearman: 2, archer: 1 }, { distance: 9, active }), peasants, { target: 'water' });
    expect(bag).toEqual([2, 0, 3]);
  });

  it('are not the attacker’s melee units if the target is on the water', () => {
    const { bag, told } = cubes(army({ spearman: 1, archer: 1 }), army({ spearman: 1 }), { target: 'water' });
    expect(bag).toEqual([1, 1, 1]);
    expect(told[0]).toBe('target.water');
  });
});

describe('the strength bonus', () => {
  it('is the greatest single one of an army, not the sum', () => {
    expect(cubes(army({ spearman: 2, swordsman: 1 }), army({ cavalryman: 1, peasant: 1 })).bag).toEqual([6, 3, 1]);
  });

  it('counts once for each army of a corps', () => {
    const attacker = { armies: [{ units: { spearman: 1 } }, { units: { spearman: 1 } }] };
    expect(cubes(attacker, army({ cavalryman: 1 })).bag).toEqual([2 + 3 + 3, 1 + 2, 0]);
  });

  it('has the colour of the unit that gives it', () => {
    const { bag, told } = cubes(army({ spearman: 1, archer: 1 }, { distance: 2 }), army({ cavalryman: 1 }));
    expect(bag).toEqual([1, 0, 1 + 3 + 1 + 2]);
    expect(told.filter((rule) => rule === 'bonus.inactive')).toHaveLength(2);
  });

  describe('of an army whose units have several', () => {
    /** An active swordsman with 1 against infantry, an inactive spearman with 3 against cavalry. */
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
    ])('is by %o %i of its colour, %i neutral', (policy, own, neutral) => {
      expect(bag(policy)).toEqual([2 + own, 3, 1 + neutral + 1]);
    });

    it('is left out with the cubes of an inactive unit', () => {
      const side = { addDefense: false };
      expect(bag({ bonus: 'greatest' }, side)).toEqual([2, 3, 1]);
      expect(bag({}, side)).toEqual([3, 3, 1]);
    });

    it('is the greatest of an inactive unit if no active one has any', () => {
      const attacker = army({ archer: 1, spearman: 1, swordsman: 1 }, { distance: 2 });
      expect(cubes(attacker, army({ cavalryman: 1, peasant: 1 }, { distance: 1 })).bag).toEqual([1, 3, 2 + 3 + 1]);
    });

    it('is the greatest of the type that is named', () => {
      const unitTypes = { swordsman: { bonus: { infantry: 1, cavalry: 2 } } };
      const attacker = army({ swordsman: 1, spearman: 1 }, { bonus: 'swordsman' });
      expect(cubes(attacker, army({ cavalryman: 1, peasant: 1 }), { unitTypes }).bag[0]).toBe(2 + 2);
    });

    it('is none that hexes, sieges and corpsBonus do not let apply, whatever the policy', () => {
      const attacker = army({ spearman: 1 }, { bonus: 'spearman' });
      expect(cubes(attacker, army({ cavalryman: 1 }), { fortification: 'wall' }).bag[0]).toBe(1);
      const corps = { armies: [...attacker.armies, ...attacker.armies], corpsBonus: 'none' };
      expect(cubes(corps, army({ cavalryman: 1 })).bag[0]).toBe(2);
    });
  });

  it('is an active unit’s of equals', () => {
    const unitTypes = { swordsman: { bonus: { cavalry: 3 } } };
    const attacker = army({ spearman: 1, swordsman: 1 }, { active: { spearman: false } });
    expect(cubes(attacker, army({ cavalryman: 1 }), { unitTypes }).bag).toEqual([1 + 3, 1 + 2, 1]);
  });

  it('counts against what is there, not what is named', () => {
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

  it('of cavalrymen against infantry is 1 in the old set, and 2 against siege engines still', () => {
    const old = { unitSet: 'old' };
    expect(cubes(army({ cavalryman: 1 }), peasants, old).bag).toEqual([2, 0, 2]);
    expect(cubes(army({ cavalryman: 1 }), army({ peasant: 1, trebuchet: 1 }), old).bag).toEqual([3, 0, 2]);
  });
});

describe('a siege', () => {
  const walled = { fortification: 'wall' };

  it('takes away melee and ranged bonuses of the attacker, not those of projectiles', () => {
    const unitTypes = { archer: { bonus: { cavalry: 5 } } };
    const defender = { ...army({ cavalryman: 1 }), structures: [{ type: 'wall' }] };
    const attacker = { armies: [{ units: { spearman: 1, archer: 1 } }, { units: { catapult: 1, spearman: 1 } }] };
    const { bag, told } = cubes(attacker, defender, { ...walled, unitTypes });
    expect(bag).toEqual([2 + 2 + 2, 1 + 2, 0]);
    expect(told).toContain('siege');
    expect(cubes(attacker, defender, { unitTypes }).bag).toEqual([2 + 5 + 2 + 3, 3, 0]);
  });

  it('leaves the bonus of units that do not fight, in neutral cubes', () => {
    const unitTypes = { monk: { class: 'infantry', kind: 'none', bonus: { cavalry: 4 } } };
    expect(cubes(army({ monk: 1 }), army({ cavalryman: 1 }), { ...walled, unitTypes }).bag).toEqual([0, 3, 5]);
  });

  it('adds the garrison’s cubes to the defender', () => {
    expect(cubes(army({ archer: 1 }), peasants, { ...walled, garrisonBonus: 2 }).bag).toEqual([1, 2, 2]);
    expect(cubes(army({ archer: 1 }), peasants, { garrisonBonus: 2 }).bag).toEqual([1, 0, 2]);
  });
});

describe('neutral cubes', () => {
  it('can be left out, the bonus of inactive units and their modifier with them', () => {
    const defender = { ...army({ swordsman: 2 }, { distance: 2, modifiers: { strength: 4 } }), addDefense: false };
    const { bag, told } = cubes(army({ archer: 1 }), defender);
    expect(bag).toEqual([1, 0, 0]);
    expect(told).toContain('defense.left-out');
  });

  it('of the other side stay', () => {
    const attacker = { ...army({ archer: 1, peasant: 3 }), addDefense: false };
    expect(cubes(attacker).bag).toEqual([1, 0, 2]);
  });
});

describe('extras and modifiers', () => {
  it('extras are of the side’s colour, even if nobody is active', () => {
    expect(cubes(army({ archer: 1 }), army({ peasant: 2 }, { extras: { action: 1, experience: 2 } })).bag).toEqual([
      1, 3, 2,
    ]);
  });

  it('strength is of the side’s colour if a unit of the army is active, else neutral', () => {
    const modifiers = { strength: 2 };
    expect(cubes(army({ archer: 1 }, { modifiers }), army({ peasant: 2 }, { modifiers })).bag).toEqual([3, 0, 4]);
  });

  it('negative strength takes away cubes of that colour, extras among them, not below 0', () => {
    const modifiers = { strength: -3 };
    const attacker = army({ archer: 2, peasant: 2 }, { modifiers, extras: { action: 2 } });
    expect(cubes(attacker, army({ peasant: 5 }, { modifiers })).bag).toEqual([1, 0, 2 + 2]);
    expect(cubes(army({ archer: 1, peasant: 2 }, { modifiers })).bag).toEqual([0, 0, 2 + 2]);
  });

  it('negative strength of a wholly inactive army leaves its extras alone', () => {
    const attacker = army({ peasant: 2 }, { modifiers: { strength: -3 }, extras: { experience: 2 } });
    expect(cubes(attacker).bag).toEqual([2, 0, 2]);
  });

  it('courage is changed, but never below 0; armies of a corps are added first', () => {
    const corps = (courage: number) => ({
      armies: [{ units: { archer: 2 }, modifiers: { courage } }, { units: { archer: 1 } }],
    });
    expect(cubes(corps(2)).courage).toEqual([5, 0]);
    expect(cubes(corps(-2)).courage).toEqual([1, 0]);
    expect(cubes(corps(-9)).courage).toEqual([0, 0]);
  });

  it('courage against structures takes an active unit, and counts once for each army', () => {
    const defender = { ...peasants, structures: [{ type: 'city' }] };
    const two = army({ catapult: 1, trebuchet: 1 }, { distance: 2 });
    expect(cubes(two, defender).courage).toEqual([3, 0]);
    expect(cubes(army({ trebuchet: 1, archer: 1 }), defender).courage).toEqual([1, 0]);
    expect(cubes(two).courage).toEqual([2, 0]);
  });

  it('a siege tower gives courage 1 to either side, always', () => {
    const technologies = { siegeTower: true };
    expect(cubes({ ...army({ peasant: 1 }), technologies }, { ...peasants, technologies }).courage).toEqual([1, 1]);
  });
});

describe('the fabian tactic', () => {
  const strong = army({ archer: 3 }, { extras: { action: 1 } });

  it('discards cubes of both colours, neutral ones never', () => {
    const attacker = { ...strong, technologies: { fabian: 2 } };
    const { bag, told } = cubes(attacker, army({ archer: 3, peasant: 1 }));
    expect(bag).toEqual([2, 1, 1]);
    expect(told).toContain('fabian');
  });

  it('is cut to the cubes of the side that has fewer', () => {
    const defender = { ...army({ archer: 1, peasant: 1 }), technologies: { fabian: 9 } };
    expect(cubes(strong, defender).bag).toEqual([3, 0, 1]);
  });

  it('of both sides adds up', () => {
    const technologies = { fabian: 1 };
    expect(cubes({ ...strong, technologies }, { ...army({ archer: 3 }), technologies }).bag).toEqual([2, 1, 0]);
  });

  it('leaves courage as it is', () => {
    expect(cubes({ ...strong, technologies: { fabian: 9 } }, strong).courage).toEqual([3, 3]);
  });
});

describe('what is told while the bag is filled', () => {
  it('is what each side gets, and what it prepares', () => {
    const attacker = { ...army({ spearman: 1 }, { modifiers: { strength: 1 }, extras: { action: 1 } }) };
    const technologies = { siegeTower: true };
    const { told } = cubes(attacker, { ...army({ cavalryman: 1 }), technologies });
    expect(told).toEqual(['modifier', 'extras', 'courage.tower', 'bonus', 'bonus', 'cubes', 'cubes']);
  });

  it('is a siege, and what the garrison adds', () => {
    const { told } = cubes(army({ archer: 1 }), peasants, { fortification: 'palisade', garrisonBonus: 1 });
    expect(told).toEqual(['siege', 'siege.garrison', 'cubes', 'cubes', 'cubes.neutral']);
  });

  it('is nothing of what does not apply', () => {
    expect(cubes(army({ archer: 1 }), peasants, { garrisonBonus: 1 }).told).toEqual([
      'cubes',
      'cubes',
      'cubes.neutral',
    ]);
  });
});

describe('unit types', () => {
  it('are changed field by field, and the bonus as a whole', () => {
    const unitTypes = { spearman: { strength: 3, range: [2, 2] }, catapult: { bonus: { infantry: 4 } } };
    const options = { unitTypes };
    expect(cubes(army({ spearman: 2 }, { distance: 2 }), army({ galley: 1 }), options).bag).toEqual([6, 1, 0]);
    expect(cubes(army({ catapult: 1 }), army({ galley: 1 }), options).bag).toEqual([1, 1, 0]);
    expect(cubes(army({ catapult: 1 }), peasants, options).bag).toEqual([5, 0, 2]);
  });

  it('are added with class and kind', () => {
    const unitTypes = {
      elephant: { class: 'cavalry', kind: 'melee', range: [1, 1], hp: 2, strength: 2, bonus: { infantry: 1 } },
      mule: { class: 'cavalry', kind: 'none' },
    };
    const { bag, courage } = cubes(army({ elephant: 1, mule: 1 }), army({ spearman: 1 }), { unitTypes });
    expect(bag).toEqual([3, 1 + 3, 1]);
    expect(courage).toEqual([1, 1]);
  });
});
