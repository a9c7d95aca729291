/** Cubes from a bag: corps, their bonuses, armies on hexes of their own, and shores. */
import { describe, expect, it } from 'vitest';
import { army, prepared } from './cube-bag-fight.ts';

const peasants = army({ peasant: 2 });

const corps = (...armies: readonly object[]) => ({ armies });

const cubes = (attacker: object, defender: object = peasants, options: object = {}) =>
  prepared({ attacker, defender, ...options });

describe('the bonus of a corps', () => {
  const two = corps({ units: { spearman: 1 } }, { units: { spearman: 1, swordsman: 1 } });
  const horsemen = army({ cavalryman: 2 });

  it('is the sum of its armies', () => {
    const { bag, told } = cubes(two, horsemen);
    expect(bag).toEqual([1 + 3 + 2 + 3, 2 + 2, 0]);
    expect(told.filter((rule) => rule === 'bonus')).toHaveLength(3);
    expect(told).not.toContain('bonus.corps');
  });

  it('is none if its technologies do not allow it', () => {
    const { bag, told } = cubes({ ...two, corpsBonus: 'none' }, horsemen);
    expect(bag).toEqual([3, 2 + 2, 0]);
    expect(told.filter((rule) => rule.startsWith('bonus'))).toEqual(['bonus.corps', 'bonus']);
  });

  it('is for each side to say', () => {
    expect(cubes(two, { ...two, corpsBonus: 'none' }).bag).toEqual([1 + 2 + 1, 3, 0]);
  });

  it('none leaves a single army its own', () => {
    const { bag, told } = cubes({ ...army({ spearman: 2 }), corpsBonus: 'none' }, horsemen);
    expect(bag).toEqual([2 + 3, 2 + 2, 0]);
    expect(told).not.toContain('bonus.corps');
  });

  it('none takes away bonuses of inactive units too', () => {
    const far = corps({ units: { spearman: 1 }, distance: 3 }, { units: { archer: 1 }, distance: 2 });
    const many = army({ cavalryman: 1 }, { distance: 9 });
    expect(cubes(far, many).bag).toEqual([1, 0, 1 + 3 + 1 + 2]);
    expect(cubes({ ...far, corpsBonus: 'none' }, many).bag).toEqual([1, 0, 1 + 1 + 2]);
  });

  it('none leaves courage, extras and modifiers', () => {
    const engines = corps(
      { units: { catapult: 1 }, extras: { action: 2 } },
      { units: { catapult: 1 }, modifiers: { strength: 1, courage: 1 } },
    );
    const city = { ...peasants, structures: [{ type: 'city' }] };
    expect(cubes(engines, city)).toMatchObject({ bag: [2 + 2 + 2 + 3, 0, 2], courage: [5, 0] });
    const none = cubes({ ...engines, corpsBonus: 'none' }, city);
    expect(none).toMatchObject({ bag: [1 + 2 + 1 + 1, 0, 2], courage: [5, 0] });
    expect(none.told).toEqual(expect.arrayContaining(['extras', 'modifier', 'courage.structures']));
  });
});

describe('an army on another hex', () => {
  const siege = { fortification: 'wall' };
  const garrison = { units: { peasant: 1 } };
  const riders = { units: { cavalryman: 1 }, hex: 'hill' };
  const mixed = { units: { spearman: 1, catapult: 1 } };

  it('is told of', () => {
    expect(cubes(army(mixed.units), corps(garrison, riders)).told).toContain('elsewhere');
  });

  it('can be counted against by melee and ranged bonuses in a siege', () => {
    const spearmen = army({ spearman: 1 });
    expect(cubes(spearmen, corps(garrison, riders), siege).bag).toEqual([1 + 3, 1 + 2, 1]);
    expect(cubes(spearmen, corps(garrison, { units: { cavalryman: 1 } }), siege).bag).toEqual([1, 1 + 2, 1]);
  });

  it('is counted against by no class of the garrison', () => {
    const swordsmen = army({ swordsman: 1 });
    expect(cubes(swordsmen, corps(garrison, riders), siege).bag).toEqual([1, 1 + 2, 1]);
    expect(cubes(swordsmen, corps({ ...garrison, hex: 'ford' }, riders), siege).bag).toEqual([1 + 1, 1 + 2, 1]);
  });

  it('has no structures, against which melee units would have a bonus', () => {
    const unitTypes = { spearman: { bonus: { structures: 5, cavalry: 1 } } };
    const defender = { ...corps(garrison, riders), structures: [{ type: 'wall' }] };
    expect(cubes(army({ spearman: 1 }), defender, { ...siege, unitTypes }).bag).toEqual([1 + 1, 1 + 2, 1]);
    expect(cubes(army({ spearman: 1 }), defender, { unitTypes }).bag).toEqual([1 + 5, 1 + 2, 1]);
  });

  it('that is empty is not there', () => {
    const nobody = { units: { cavalryman: 0 }, hex: 'hill' };
    expect(cubes(army({ spearman: 1 }), corps({ units: { cavalryman: 1 } }, nobody), siege).bag[0]).toBe(1);
  });

  it('leaves bonuses of projectiles as they are', () => {
    const engines = army({ catapult: 1 });
    const walled = { ...corps(garrison), structures: [{ type: 'wall' }] };
    expect(cubes(engines, walled, siege).bag).toEqual([1 + 2, 0, 1]);
    const [away] = walled.armies;
    expect(cubes(engines, { ...walled, armies: [{ ...away, hex: 'hill' }] }, siege).bag).toEqual([1 + 2, 0, 1]);
  });

  it('of the attacker changes nothing for the defender’s bonuses', () => {
    const apart = { ...army({ archer: 1 }, { hex: 'hill' }) };
    expect(cubes(apart, army({ swordsman: 1 }), siege).bag).toEqual([1, 1 + 1, 0]);
  });
});

describe('a shore', () => {
  const galleys = army({ galley: 2 });
  const shore = army({ spearman: 1, archer: 1 });

  it('keeps melee units of the defender from vessels', () => {
    const { bag, courage, told } = cubes(galleys, shore);
    expect(bag).toEqual([2, 1, 1]);
    expect(courage).toEqual([2, 1]);
    expect(told[0]).toBe('target.vessels');
  });

  it('does not if one of the attackers is no vessel, peasants included', () => {
    const { bag, told } = cubes(army({ galley: 2, peasant: 1 }), shore);
    expect(bag).toEqual([2, 2, 1]);
    expect(told).not.toContain('target.vessels');
  });

  it('looks at units, not at structures or at types without a unit', () => {
    const harbour = { ...army({ galley: 2, peasant: 0 }), structures: [{ type: 'wall' }] };
    expect(cubes(harbour, shore).bag).toEqual([2, 1, 1]);
  });

  it('looks at all armies of the attacker', () => {
    const both = corps({ units: { galley: 1 } }, { units: { archer: 1 } });
    expect(cubes(both, army({ spearman: 1 })).bag).toEqual([2, 1, 0]);
  });

  it('does not keep the defender’s melee units on the water from anybody', () => {
    expect(cubes(galleys, shore, { target: 'water' }).bag).toEqual([2, 2, 0]);
  });

  it('does not keep units of which the file says that they are active', () => {
    expect(cubes(galleys, army({ spearman: 1 }, { active: { spearman: true } })).bag).toEqual([2, 1, 0]);
  });

  it('is no matter for ranged units and projectiles', () => {
    expect(cubes(galleys, army({ archer: 1, catapult: 1 })).bag).toEqual([2, 2 + 2, 0]);
  });

  it('stays what it was when the bag was filled, whoever is converted', () => {
    const mixed = army({ galley: 1, archer: 1 });
    expect(cubes({ ...mixed, conversions: 1 }, { ...shore, conversions: 1 }).bag).toEqual([2, 2, 0]);
  });
});

describe('structures of the attacker', () => {
  const camp = { ...army({ archer: 1 }), structures: [{ type: 'wall' }] };

  it('give bonuses and courage against structures to the defender', () => {
    const { bag, courage, told } = cubes(camp, army({ catapult: 1 }));
    expect(bag).toEqual([1, 1 + 2, 0]);
    expect(courage).toEqual([1, 1 + 1]);
    expect(told).toContain('courage.structures');
  });

  it('give none to the attacker', () => {
    const attacker = { ...army({ trebuchet: 1 }, { distance: 2 }), structures: [{ type: 'wall' }] };
    expect(cubes(attacker)).toMatchObject({ bag: [1, 0, 2], courage: [1, 0] });
  });
});
