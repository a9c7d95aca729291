/** Cubes from a bag: losses by damage, and their order. */
import { describe, expect, it } from 'vitest';
import { army, decide, draw, fight } from './cube-bag-fight.ts';

const unitTypes = { galley: { hp: 2 } };

/** Runs a battle in which six archers of the attacker deal `damage`. */
function destroyed(damage: number, defender: object, attacker: object = {}, options: object = {}) {
  const cubes = [...(damage > 0 ? [draw(damage, 0, 0)] : [])];
  const archers = {
    armies: [{ units: { archer: 6 }, extras: { action: 20 } }],
    draw: Math.max(1, damage),
    ...attacker,
  };
  const courage = { strength: 0, courage: damage - 6 };
  const armies =
    damage === 0 || damage > 6 ? [{ units: { archer: 6 }, extras: { action: 20 }, modifiers: courage }] : undefined;
  const fought = fight({ attacker: { ...archers, ...(armies && { armies }) }, defender, unitTypes, ...options }, cubes);
  const fallen = Object.entries(fought.marked)
    .filter(([name]) => name.startsWith('losses.defender.'))
    .map(([name, count]) => `${String(count)} ${name.slice(16)}`);
  return { ...fought, fallen: fallen.join(', '), marks: fought.metrics['marks'] };
}

const wall = { type: 'wall' };
const tower = { technologies: { siegeTower: true } };

describe('losses without structures', () => {
  const mixed = army({ peasant: 1, spearman: 1, swordsman: 1, archer: 1, cavalryman: 1, catapult: 1, trebuchet: 1 });

  it.each([
    [1, '1 trebuchet'],
    [2, '1 catapult, 1 trebuchet'],
    [3, '1 cavalryman, 1 catapult, 1 trebuchet'],
    [4, '1 archer, 1 cavalryman, 1 catapult, 1 trebuchet'],
    [5, '1 swordsman, 1 archer, 1 cavalryman, 1 catapult, 1 trebuchet'],
    [6, '1 spearman, 1 swordsman, 1 archer, 1 cavalryman, 1 catapult, 1 trebuchet'],
  ])('by default, %i damage destroys %s', (damage, fallen) => {
    expect(destroyed(damage, mixed).fallen).toBe(fallen);
  });

  it('follow the removal list of the enemy, then the default order', () => {
    const { fallen, requested } = destroyed(3, mixed, { removal: ['peasant', 'spearman'] });
    expect(fallen).toBe('1 peasant, 1 spearman, 1 trebuchet');
    expect(requested.filter((question) => question.includes('removal'))).toHaveLength(3);
  });

  it('follow the unit table for a class in the removal list', () => {
    expect(destroyed(3, mixed, { removal: ['infantry'] }).fallen).toBe('1 peasant, 1 spearman, 1 swordsman');
    expect(destroyed(1, mixed, { removal: ['siege'] }).fallen).toBe('1 catapult');
  });

  it('have added types after the table, and in their class', () => {
    const added = { unitTypes: { mule: { class: 'cavalry', kind: 'none' } } };
    const defender = army({ mule: 1, peasant: 1 });
    expect(destroyed(1, defender, {}, added).fallen).toBe('1 peasant');
    expect(destroyed(1, defender, { removal: ['cavalry'] }, added).fallen).toBe('1 mule');
  });

  it('can be decided by the players', () => {
    const script = [draw(2, 0, 0), decide('peasant'), decide('swordsman')];
    const defender = army({ peasant: 1, spearman: 1, swordsman: 1 }, { distance: 2 });
    const { marked } = fight({ attacker: army({ archer: 2 }), defender }, script);
    expect(marked).toMatchObject({ 'losses.defender.peasant': 1, 'losses.defender.swordsman': 1 });
  });

  it('skip a galley at 1 damage, which destroys the next unit', () => {
    expect(destroyed(1, army({ galley: 1 })).fallen).toBe('');
    expect(destroyed(1, army({ galley: 1 })).reported).toContain('damage.ignored');
    expect(destroyed(1, army({ galley: 1, archer: 1 })).fallen).toBe('1 archer');
    expect(destroyed(2, army({ galley: 1, archer: 1 })).fallen).toBe('1 galley');
    expect(destroyed(3, army({ galley: 2, peasant: 1 })).fallen).toBe('1 peasant, 1 galley');
  });

  it('end with the last unit, and further damage is lost', () => {
    const { fallen, reported: shown } = destroyed(3, army({ peasant: 1 }));
    expect(fallen).toBe('1 peasant');
    expect(shown).toContain('damage.lost');
  });

  it('occur on both sides at the same time', () => {
    const { marked } = fight({ attacker: army({ archer: 2 }), defender: army({ archer: 2 }) }, [draw(1, 1, 0)]);
    expect(marked).toMatchObject({ 'losses.attacker': 1, 'losses.defender': 1 });
  });
});

describe('the destruction priority', () => {
  const city = (fields: object = {}) => ({
    ...army({ swordsman: 1, peasant: 1 }),
    structures: [{ type: 'castle' }, { type: 'city' }, { type: 'building' }, { type: 'palisade' }, wall],
    ...fields,
  });

  it.each([
    [1, '', 1],
    [2, '1 wall', 0],
    [3, '1 wall, 1 palisade', 0],
    [4, '1 swordsman, 1 wall, 1 palisade', 0],
    [5, '1 peasant, 1 swordsman, 1 wall, 1 palisade', 0],
    [6, '1 peasant, 1 swordsman, 1 building, 1 wall, 1 palisade', 0],
    [8, '1 peasant, 1 swordsman, 1 building, 1 wall, 1 palisade', 2],
    [9, '1 peasant, 1 swordsman, 1 building, 1 city, 1 wall, 1 palisade', 0],
    [13, '1 peasant, 1 swordsman, 1 building, 1 city, 1 castle, 1 wall, 1 palisade', 0],
  ])('gives at %i damage: %s, and %i marks', (damage, fallen, marks) => {
    expect(destroyed(damage, city())).toMatchObject({ fallen, marks });
  });

  it('leaves the order within a group to the removal list', () => {
    const removal = ['city', 'peasant', 'palisade', 'wall', 'castle'];
    expect(destroyed(1, city(), { removal }).fallen).toBe('1 palisade');
    expect(destroyed(10, city(), { removal: ['castle'] }).fallen).toContain('1 castle');
  });

  it('is set by field priority, with unlisted types last', () => {
    const priority = [['building'], ['peasant', 'infantry']];
    expect(destroyed(1, city(), {}, { priority }).fallen).toBe('1 building');
    expect(destroyed(2, city(), {}, { priority }).fallen).toBe('1 swordsman, 1 building');
    expect(destroyed(3, city(), {}, { priority }).fallen).toBe('1 peasant, 1 swordsman, 1 building');
    expect(destroyed(6, city(), {}, { priority }).fallen).toBe('1 peasant, 1 swordsman, 1 building, 1 city');
  });

  it('has no effect without groups', () => {
    expect(destroyed(1, city(), {}, { priority: [] }).fallen).toBe('1 swordsman');
  });

  it('is ignored with a siege tower', () => {
    const { fallen, reported: shown } = destroyed(3, city(), {
      ...tower,
      removal: ['city'],
      armies: [{ units: { archer: 2 }, extras: { action: 9 } }],
    });
    expect(fallen).toBe('1 city');
    expect(shown).toContain('priority.tower');
  });

  it('applies to structures of a defender with a siege tower', () => {
    expect(destroyed(2, city(tower)).fallen).toBe('1 wall');
  });

  it('skips units that the damage cannot destroy only within their group', () => {
    const harbour = (units: object) => ({ ...army(units), structures: [{ type: 'building' }] });
    expect(destroyed(1, harbour({ galley: 1, archer: 1 })).fallen).toBe('1 archer');
    const { fallen, reported: shown } = destroyed(1, harbour({ galley: 1, peasant: 1 }));
    expect(fallen).toBe('');
    expect(shown).toContain('damage.ignored');
    expect(destroyed(3, harbour({ galley: 1, peasant: 1 })).fallen).toBe('1 peasant, 1 galley');
  });

  it('includes all units except peasants in military, also added ones', () => {
    const added = { unitTypes: { mule: { class: 'cavalry', kind: 'none' } } };
    const defender = { ...army({ mule: 1, peasant: 1 }), structures: [{ type: 'city' }] };
    expect(destroyed(1, defender, { removal: ['peasant'] }, added).fallen).toBe('1 mule');
  });
});

describe('a fortification without structures', () => {
  const siege = { fortification: 'wall' };
  const garrison = army({ peasant: 1, swordsman: 1 });
  const removal = ['peasant'];

  it('applies the destruction priority to the target hex', () => {
    const { fallen, reported: shown } = destroyed(1, garrison, { removal }, siege);
    expect(fallen).toBe('1 swordsman');
    expect(shown).toContain('priority');
    expect(destroyed(1, garrison, { removal }).fallen).toBe('1 peasant');
    expect(destroyed(2, garrison, { removal }, siege).fallen).toBe('1 peasant, 1 swordsman');
  });

  it('does not apply it to other hexes, the attacker, or against a siege tower', () => {
    const away = { armies: [{ units: { peasant: 1, swordsman: 1 }, hex: 'hill' }] };
    const elsewhere = destroyed(1, away, { removal }, siege);
    expect(elsewhere.fallen).toBe('1 peasant');
    expect(elsewhere.reported).not.toContain('priority');
    const stormed = destroyed(1, garrison, { removal, ...tower }, siege);
    expect(stormed.fallen).toBe('1 peasant');
    expect(stormed.reported).toContain('priority.tower');
    const archers = { ...army({ archer: 1 }), removal };
    const { marked } = fight({ ...siege, attacker: garrison, defender: archers }, [draw(0, 1, 0)]);
    expect(marked).toMatchObject({ 'losses.attacker.peasant': 1 });
  });

  it('applies it together with structures on other hexes', () => {
    const corps = {
      armies: [{ units: { peasant: 1, swordsman: 1 } }, { units: { archer: 1 }, hex: 'hill' }],
      structures: [{ ...wall, hex: 'hill' }],
    };
    const { fallen, reported: shown } = destroyed(1, corps, { removal: ['archer', 'peasant'] }, siege);
    expect(fallen).toBe('1 swordsman');
    expect(shown).toContain('priority.hexes');
  });
});

describe('structures', () => {
  const alone = (...structures: object[]) => ({ armies: [], structures });

  it.each([
    ['building', 1],
    ['palisade', 1],
    ['wall', 2],
    ['city', 3],
    ['castle', 4],
  ])('a %s falls to %i damage and keeps less damage as marks', (type, hp) => {
    const { fallen, outcome } = destroyed(hp, alone({ type }));
    expect([fallen, outcome]).toEqual([`1 ${type}`, 'attacker']);
    if (hp > 1)
      expect(destroyed(hp - 1, alone({ type }))).toMatchObject({ fallen: '', marks: hp - 1, outcome: 'none' });
  });

  it('keep earlier marks, which are reported', () => {
    expect(destroyed(1, alone({ type: 'castle', marks: 2 }))).toMatchObject({ fallen: '', marks: 3 });
    expect(destroyed(2, alone({ type: 'castle', marks: 2 }))).toMatchObject({ fallen: '1 castle', marks: 0 });
  });

  it('of one type fall in the order of most marks', () => {
    const walls = alone(wall, { type: 'wall', marks: 1 });
    expect(destroyed(1, walls)).toMatchObject({ fallen: '1 wall', marks: 0 });
    expect(destroyed(2, walls)).toMatchObject({ fallen: '1 wall', marks: 1 });
    expect(destroyed(3, walls)).toMatchObject({ fallen: '2 wall', marks: 0 });
  });

  it('with marks equal to hp fall even without damage', () => {
    const { fallen, marks, reported: shown, outcome } = destroyed(0, alone({ type: 'wall', marks: 2 }));
    expect([fallen, marks, outcome]).toEqual(['1 wall', 0, 'attacker']);
    expect(shown).toContain('structure.free');
  });

  it('with full marks fall as soon as the priority allows it', () => {
    const defender = { ...army({ swordsman: 1 }), structures: [{ type: 'city', marks: 3 }] };
    expect(destroyed(0, defender)).toMatchObject({ fallen: '', marks: 3 });
    expect(destroyed(1, defender)).toMatchObject({ fallen: '1 swordsman, 1 city', marks: 0, outcome: 'attacker' });
  });

  it('with full marks fall at once with a siege tower', () => {
    const defender = { ...army({ swordsman: 2 }), structures: [{ type: 'city', marks: 3 }] };
    const attacker = { ...tower, armies: [{ units: { archer: 1 }, extras: { action: 5 } }], draw: 1 };
    expect(destroyed(1, defender, attacker)).toMatchObject({ fallen: '1 swordsman, 1 city', marks: 0 });
  });

  it('with full marks fall after one that keeps the last damage as marks', () => {
    const defender = alone({ type: 'castle' }, { type: 'city', marks: 3 });
    expect(destroyed(2, defender, { removal: ['castle', 'city'] })).toMatchObject({ fallen: '1 city', marks: 2 });
  });

  it('take the damage that the previous structure leaves', () => {
    expect(destroyed(4, alone(wall, { type: 'city' }))).toMatchObject({ fallen: '1 wall', marks: 2 });
  });

  it('are all included in the word structures', () => {
    const defender = { ...army({ swordsman: 1 }), structures: [{ type: 'city', marks: 2 }] };
    const attacker = {
      ...tower,
      armies: [{ units: { archer: 1 }, extras: { action: 5 } }],
      draw: 1,
      removal: ['structures'],
    };
    expect(destroyed(1, defender, attacker).fallen).toBe('1 city');
  });
});
