/** Cubes from a bag: corps, their bonuses, armies on other hexes, and shores. */
import { describe, expect, it } from 'vitest';
import { army, prepared } from './cube-bag-fight.ts';

const peasants = army({ peasant: 2 });

const corps = (...armies: readonly object[]) => ({ armies });

const cubes = (attacker: object, defender: object = peasants, options: object = {}) =>
  prepared({ attacker, defender, ...options });

describe('the bonus of a corps', () => {
  const two = corps({ units: { spearman: 1 } }, { units: { spearman: 1, swordsman: 1 } });
  const horsemen = army({ cavalryman: 2 });

  it('is the sum over its armies', () => {
    const { bag, reported: shown } = cubes(two, horsemen);
    expect(bag).toEqual([1 + 3 + 2 + 3, 2 + 2, 0]);
    expect(shown.filter((rule) => rule === 'bonus')).toHaveLength(3);
    expect(shown).not.toContain('bonus.corps');
  });

  it('is 0 with corpsBonus none', () => {
    const { bag, reported: shown } = cubes({ ...two, corpsBonus: 'none' }, horsemen);
    expect(bag).toEqual([3, 2 + 2, 0]);
    expect(shown.filter((rule) => rule.startsWith('bonus'))).toEqual(['bonus.corps', 'bonus']);
  });

  it('is set separately for each side', () => {
    expect(cubes(two, { ...two, corpsBonus: 'none' }).bag).toEqual([1 + 2 + 1, 3, 0]);
  });

  it('with corpsBonus none remains for a single army', () => {
    const { bag, reported: shown } = cubes({ ...army({ spearman: 2 }), corpsBonus: 'none' }, horsemen);
    expect(bag).toEqual([2 + 3, 2 + 2, 0]);
    expect(shown).not.toContain('bonus.corps');
  });

  it('with corpsBonus none excludes inactive units too', () => {
    const far = corps({ units: { spearman: 1 }, distance: 3 }, { units: { archer: 1 }, distance: 2 });
    const many = army({ cavalryman: 1 }, { distance: 9 });
    expect(cubes(far, many).bag).toEqual([1, 0, 1 + 3 + 1 + 2]);
    expect(cubes({ ...far, corpsBonus: 'none' }, many).bag).toEqual([1, 0, 1 + 1 + 2]);
  });

  it('with corpsBonus none does not change courage, extras and modifiers', () => {
    const engines = corps(
      { units: { catapult: 1 }, extras: { action: 2 } },
      { units: { catapult: 1 }, modifiers: { strength: 1, courage: 1 } },
    );
    const city = { ...peasants, structures: [{ type: 'city' }] };
    expect(cubes(engines, city)).toMatchObject({ bag: [2 + 2 + 2 + 3, 0, 2], courage: [5, 0] });
    const none = cubes({ ...engines, corpsBonus: 'none' }, city);
    expect(none).toMatchObject({ bag: [1 + 2 + 1 + 1, 0, 2], courage: [5, 0] });
    expect(none.reported).toEqual(expect.arrayContaining(['extras', 'modifier', 'courage.structures']));
  });
});

describe('an army on another hex', () => {
  const siege = { fortification: 'wall' };
  const garrison = { units: { peasant: 1 } };
  const riders = { units: { cavalryman: 1 }, hex: 'hill' };
  const mixed = { units: { spearman: 1, catapult: 1 } };

  it('is reported', () => {
    expect(cubes(army(mixed.units), corps(garrison, riders)).reported).toContain('elsewhere');
  });

  it('is a target of melee bonuses in a siege', () => {
    const spearmen = army({ spearman: 1 });
    expect(cubes(spearmen, corps(garrison, riders), siege).bag).toEqual([1 + 3, 1 + 2, 1]);
    expect(cubes(spearmen, corps(garrison, { units: { cavalryman: 1 } }), siege).bag).toEqual([1, 1 + 2, 1]);
  });

  it('does not make the garrison a target of melee bonuses', () => {
    const swordsmen = army({ swordsman: 1 });
    expect(cubes(swordsmen, corps(garrison, riders), siege).bag).toEqual([1, 1 + 2, 1]);
    expect(cubes(swordsmen, corps({ ...garrison, hex: 'ford' }, riders), siege).bag).toEqual([1 + 1, 1 + 2, 1]);
  });

  it('does not make structures a target of melee bonuses', () => {
    const unitTypes = { spearman: { bonus: { structures: 5, cavalry: 1 } } };
    const defender = { ...corps(garrison, riders), structures: [{ type: 'wall' }] };
    expect(cubes(army({ spearman: 1 }), defender, { ...siege, unitTypes }).bag).toEqual([1 + 1, 1 + 2, 1]);
    expect(cubes(army({ spearman: 1 }), defender, { unitTypes }).bag).toEqual([1 + 5, 1 + 2, 1]);
  });

  it('is ignored if it has no units', () => {
    const nobody = { units: { cavalryman: 0 }, hex: 'hill' };
    expect(cubes(army({ spearman: 1 }), corps({ units: { cavalryman: 1 } }, nobody), siege).bag[0]).toBe(1);
  });

  it('does not change bonuses of projectile units', () => {
    const engines = army({ catapult: 1 });
    const walled = { ...corps(garrison), structures: [{ type: 'wall' }] };
    expect(cubes(engines, walled, siege).bag).toEqual([1 + 2, 0, 1]);
    const [away] = walled.armies;
    expect(cubes(engines, { ...walled, armies: [{ ...away, hex: 'hill' }] }, siege).bag).toEqual([1 + 2, 0, 1]);
  });

  it('on the side of the attacker does not change bonuses of the defender', () => {
    const apart = { ...army({ archer: 1 }, { hex: 'hill' }) };
    expect(cubes(apart, army({ swordsman: 1 }), siege).bag).toEqual([1, 1 + 1, 0]);
  });
});

describe('a shore', () => {
  const galleys = army({ galley: 2 });
  const shore = army({ spearman: 1, archer: 1 });

  it('prevents melee units of the defender from reaching vessels', () => {
    const { bag, courage, reported: shown } = cubes(galleys, shore);
    expect(bag).toEqual([2, 1, 1]);
    expect(courage).toEqual([2, 1]);
    expect(shown[0]).toBe('target.vessels');
  });

  it('has no effect if a unit of the attacker is no vessel, even a peasant', () => {
    const { bag, reported: shown } = cubes(army({ galley: 2, peasant: 1 }), shore);
    expect(bag).toEqual([2, 2, 1]);
    expect(shown).not.toContain('target.vessels');
  });

  it('depends on units, not on structures or types without units', () => {
    const harbour = { ...army({ galley: 2, peasant: 0 }), structures: [{ type: 'wall' }] };
    expect(cubes(harbour, shore).bag).toEqual([2, 1, 1]);
  });

  it('depends on all armies of the attacker', () => {
    const both = corps({ units: { galley: 1 } }, { units: { archer: 1 } });
    expect(cubes(both, army({ spearman: 1 })).bag).toEqual([2, 1, 0]);
  });

  it('has no effect with target water', () => {
    expect(cubes(galleys, shore, { target: 'water' }).bag).toEqual([2, 2, 0]);
  });

  it('does not deactivate units that the scenario declares active', () => {
    expect(cubes(galleys, army({ spearman: 1 }, { active: { spearman: true } })).bag).toEqual([2, 1, 0]);
  });

  it('does not affect ranged and projectile units', () => {
    expect(cubes(galleys, army({ archer: 1, catapult: 1 })).bag).toEqual([2, 2 + 2, 0]);
  });

  it('is evaluated before conversions', () => {
    const mixed = army({ galley: 1, archer: 1 });
    expect(cubes({ ...mixed, conversions: 1 }, { ...shore, conversions: 1 }).bag).toEqual([2, 2, 0]);
  });
});

describe('structures of the attacker', () => {
  const camp = { ...army({ archer: 1 }), structures: [{ type: 'wall' }] };

  it('give bonuses and courage against structures to the defender', () => {
    const { bag, courage, reported: shown } = cubes(camp, army({ catapult: 1 }));
    expect(bag).toEqual([1, 1 + 2, 0]);
    expect(courage).toEqual([1, 1 + 1]);
    expect(shown).toContain('courage.structures');
  });

  it('give none of these to the attacker', () => {
    const attacker = { ...army({ trebuchet: 1 }, { distance: 2 }), structures: [{ type: 'wall' }] };
    expect(cubes(attacker)).toMatchObject({ bag: [1, 0, 2], courage: [1, 0] });
  });
});
