/** Cubes from a bag: losses on the target hex and on other hexes, and structures of the attacker. */
import { describe, expect, it } from 'vitest';
import { army, decide, draw, type Fight, fight } from './cube-bag-fight.ts';

/** Runs a battle in which archers of the attacker draw `damage` own cubes. */
function destroyed(damage: number, defender: object, attacker: object = {}, decisions: readonly string[] = []): Fight {
  const archers = {
    ...army({ archer: 1 }, { modifiers: { courage: damage - 1 }, extras: { action: 20 } }),
    ...attacker,
  };
  const draws = damage > 0 ? [draw(damage, 0, 0)] : [];
  return fight({ attacker: archers, defender }, [...draws, ...decisions.map(decide)]);
}

const fallen = ({ marked }: Fight, side = 'defender'): string =>
  Object.entries(marked)
    .filter(([name]) => name.startsWith(`losses.${side}.`))
    .map(([name, count]) => `${String(count)} ${name.split('.')[2] ?? ''}`)
    .join(', ');

const wall = { type: 'wall' };
const away = (units: object) => ({ units, hex: 'hill' });

describe('units on other hexes', () => {
  const city = {
    armies: [{ units: { swordsman: 1, peasant: 1 } }, away({ archer: 1, cavalryman: 1 })],
    structures: [wall, { type: 'city' }],
  };

  it.each([
    [1, '1 cavalryman'],
    [2, '1 archer, 1 cavalryman'],
    [4, '1 archer, 1 cavalryman, 1 wall'],
    [5, '1 swordsman, 1 archer, 1 cavalryman, 1 wall'],
    [6, '1 peasant, 1 swordsman, 1 archer, 1 cavalryman, 1 wall'],
    [9, '1 peasant, 1 swordsman, 1 archer, 1 cavalryman, 1 city, 1 wall'],
  ])('can be removed at any time: %i damage destroys %s', (damage, losses) => {
    const battle = destroyed(damage, city);
    expect(fallen(battle)).toBe(losses);
    expect(battle.reported).toContain('priority');
  });

  it('follow the order of removal among the objects that the priority allows', () => {
    expect(fallen(destroyed(2, city, { removal: ['wall', 'archer'] }))).toBe('1 wall');
    expect(fallen(destroyed(3, city, { removal: ['wall', 'archer'] }))).toBe('1 archer, 1 wall');
    expect(fallen(destroyed(3, city, { removal: ['swordsman', 'wall', 'archer'] }))).toBe('1 swordsman, 1 wall');
    expect(fallen(destroyed(3, city, { removal: ['peasant', 'wall', 'archer'] }))).toBe('1 archer, 1 wall');
  });

  it('can be removed like all others with a siege tower', () => {
    const tower = { technologies: { siegeTower: true }, removal: ['swordsman', 'cavalryman', 'city'] };
    const attacker = { ...army({ archer: 1 }, { extras: { action: 20 } }), ...tower };
    const { marked, reported: shown } = fight({ attacker, defender: city }, [draw(2, 0, 0)]);
    expect(marked).toMatchObject({ 'losses.defender.swordsman': 1, 'losses.defender.cavalryman': 1 });
    expect(shown).toContain('priority.tower');
  });

  it('can be removed while a unit that survives the damage shields the rest', () => {
    const harbour = {
      armies: [{ units: { galley: 1, peasant: 1 } }, away({ archer: 1 })],
      structures: [{ type: 'city' }],
    };
    const removal = ['peasant', 'galley', 'archer'];
    expect(fallen(destroyed(1, harbour, { removal }))).toBe('1 archer');
    expect(fallen(destroyed(2, harbour, { removal }))).toBe('1 galley');
    expect(fallen(destroyed(3, harbour, { removal }))).toBe('1 peasant, 1 galley');
  });

  it('are skipped if the damage cannot destroy them', () => {
    const fleet = { armies: [{ units: { swordsman: 1 } }, away({ galley: 1 })], structures: [{ type: 'palisade' }] };
    expect(fallen(destroyed(1, fleet, { removal: ['galley'] }))).toBe('1 palisade');
    expect(fallen(destroyed(2, fleet, { removal: ['galley'] }))).toBe('1 galley');
    expect(fallen(destroyed(3, fleet, { removal: ['galley'] }))).toBe('1 galley, 1 palisade');
  });

  it('can be a whole side with structures on the target hex', () => {
    const alone = { ...army({ archer: 1 }, { hex: 'hill' }), structures: [wall] };
    expect(fallen(destroyed(1, alone))).toBe('1 archer');
    expect(destroyed(2, alone, { removal: ['wall'] }).metrics).toMatchObject({ 'losses.defender.wall': 1, marks: 0 });
    expect(destroyed(2, alone).metrics).toMatchObject({ 'losses.defender.archer': 1, marks: 1 });
  });

  it('have no priority over the garrison without structures', () => {
    const corps = { armies: [{ units: { peasant: 1 } }, away({ swordsman: 1 })] };
    expect(fallen(destroyed(1, corps, { removal: ['peasant'] }))).toBe('1 peasant');
  });
});

describe('units of one type in the garrison and on another hex', () => {
  const home = { units: { spearman: 1, peasant: 1 } };
  const removal = ['peasant', 'spearman'];
  const city = (...armies: readonly object[]) => ({ armies, structures: [{ type: 'city' }] });

  it('are lost by the army listed first', () => {
    // A spearman on the target hex shields the peasant, which is first in the order of removal.
    expect(fallen(destroyed(2, city(home, away({ spearman: 1 })), { removal }))).toBe('1 peasant, 1 spearman');
    expect(fallen(destroyed(2, city(away({ spearman: 1 }), home), { removal }))).toBe('2 spearman');
    expect(fallen(destroyed(3, city(away({ spearman: 2 }), home), { removal }))).toBe('3 spearman');
  });

  it('are converted from the army listed first', () => {
    const attacker = { ...army({ archer: 1 }, { extras: { action: 9 } }), removal: ['spearman'], conversions: 1 };
    const requested = (...armies: readonly object[]) => {
      const defender = city(...armies.map((each) => ({ ...each, distance: 9 })));
      return fight({ attacker, defender }, [draw(2, 0, 0), draw(1, 0, 0)]).requested.slice(1);
    };
    // Nothing shields the peasant without the spearman on the target hex.
    expect(requested(home, away({ spearman: 1 }))).toEqual(['attacker removal [spearman peasant] spearman']);
    expect(requested(away({ spearman: 1 }), home)).toEqual([]);
  });

  it('are reported and counted by type', () => {
    const { marked, reported: shown } = destroyed(2, city({ units: { spearman: 1 } }, away({ spearman: 2 })));
    expect(marked).toMatchObject({ 'losses.defender': 2, 'losses.defender.spearman': 2 });
    expect(shown).toContain('losses');
  });
});

describe('a structure with full marks', () => {
  const free = { type: 'wall', marks: 2 };
  const idle = { distance: 9 };
  const city = {
    armies: [
      { units: { swordsman: 1 }, ...idle },
      { ...away({ archer: 1 }), ...idle },
    ],
    structures: [free],
  };
  const removal = ['swordsman', 'archer', 'wall'];

  it('has its place in the order of removal among removable units', () => {
    const { marked, requested } = destroyed(1, city, { removal });
    expect(marked).toMatchObject({ 'losses.defender.archer': 1, 'losses.defender.wall': 1 });
    expect(requested.at(-1)).toBe('attacker removal [archer wall] archer');
    expect(fallen(destroyed(1, city, { removal: ['swordsman', 'wall'] }))).toBe('1 swordsman, 1 wall');
  });

  it('can be removed first', () => {
    const { requested, marked } = destroyed(1, city, { removal }, ['wall', 'swordsman']);
    expect(requested.slice(-2)).toEqual([
      'attacker removal [archer wall] wall',
      'attacker removal [swordsman archer] swordsman',
    ]);
    expect(marked).toMatchObject({ 'losses.defender.swordsman': 1, 'losses.defender.wall': 1 });
  });

  it('falls without damage, and if no unit can be removed', () => {
    expect(fallen(destroyed(0, city, { removal }))).toBe('1 wall');
    const fleet = { armies: [{ units: { swordsman: 1 } }, away({ galley: 1 })], structures: [free] };
    const { requested, reported: shown } = destroyed(1, fleet, { removal: ['galley', 'swordsman', 'wall'] });
    expect(requested.join()).not.toContain('removal');
    expect(shown).toContain('structure.free');
  });
});

describe('structures of the attacker', () => {
  const archers = (fields: object = {}) => ({ ...army({ archer: 4 }), extraDraw: 'max', ...fields });
  const camp = (fields: object = {}) => ({
    ...army({ swordsman: 1, peasant: 1 }),
    structures: [{ type: 'palisade' }, { type: 'city', marks: 1 }],
    draw: 1,
    ...fields,
  });
  const hit = (damage: number, attacker: object = camp(), defender: object = archers()) =>
    fight({ attacker, defender }, [draw(0, 1, 0), ...(damage > 1 ? [draw(0, damage - 1, 4 - damage)] : [])]);

  it.each([
    [1, '1 palisade', 1],
    [2, '1 swordsman, 1 palisade', 1],
    [3, '1 peasant, 1 swordsman, 1 palisade', 1],
    [4, '1 peasant, 1 swordsman, 1 palisade', 2],
  ])('follow the destruction priority: %i damage destroys %s', (damage, losses, marks) => {
    const defender = archers({
      armies: [{ units: { archer: 4, peasant: 2 } }],
      ...(damage === 1 && { extraDraw: 'none' }),
    });
    const battle = hit(damage, camp(), defender);
    expect(fallen(battle, 'attacker')).toBe(losses);
    expect(battle.metrics['marks']).toBe(marks);
    expect(battle.reported).toContain('priority');
  });

  it('do not follow the priority if the defender has a siege tower', () => {
    const defender = archers({ technologies: { siegeTower: true }, removal: ['city'], extraDraw: 'none' });
    const { metrics, reported: shown } = hit(1, camp(), defender);
    expect(metrics).toMatchObject({ 'losses.attacker.palisade': 0, marks: 2 });
    expect(shown).toContain('priority.tower');
    const own = hit(1, camp({ technologies: { siegeTower: true } }), archers({ removal: ['city'], extraDraw: 'none' }));
    expect(fallen(own, 'attacker')).toBe('1 palisade');
  });

  it('must fall before the defender wins', () => {
    const attacker = (structures: readonly object[]) => ({ ...army({ swordsman: 1 }), structures, draw: 1 });
    const won = fight({ attacker: attacker([]), defender: archers({ extraDraw: 'none' }) }, [draw(0, 1, 0)]);
    expect(won.outcome).toBe('defender');
    expect(won.reported).toContain('end.defender');
    const held = fight({ attacker: attacker([{ type: 'building' }]), defender: archers({ extraDraw: 'none' }) }, [
      draw(0, 1, 0),
    ]);
    expect(held.outcome).toBe('none');
    const script = [draw(0, 1, 0), draw(0, 1, 0)];
    const razed = fight(
      { attacker: attacker([{ type: 'building' }]), defender: archers({ ...army({ archer: 2 }) }) },
      script,
    );
    expect(razed.outcome).toBe('defender');
    expect(razed.metrics['losses.attacker']).toBe(2);
  });

  it('add their marks to the marks of the defender', () => {
    const defender = { ...army({ archer: 1 }), structures: [{ type: 'castle', marks: 3 }] };
    const { metrics } = fight({ attacker: { ...camp(), draw: 1 }, defender }, [draw(1, 0, 0)]);
    expect(metrics).toMatchObject({ marks: 1 + 3, 'losses.defender.archer': 1 });
  });

  it('belong to the armies without a hex', () => {
    const attacker = {
      armies: [{ units: { swordsman: 1 } }, { units: { archer: 1 }, hex: 'ford' }],
      structures: [wall],
      draw: 1,
    };
    const defender = archers({ extraDraw: 'none', removal: ['swordsman', 'archer'] });
    expect(fallen(fight({ attacker, defender }, [draw(0, 1, 0)]), 'attacker')).toBe('1 archer');
  });
});

describe('a word in field priority', () => {
  const city = { ...army({ swordsman: 1, peasant: 1 }), structures: [wall, { type: 'building' }] };
  const first = (priority: readonly unknown[]) =>
    fallen(fight({ attacker: army({ archer: 1 }), defender: city, priority }, [draw(1, 0, 0)]));

  it('equals a list of that word', () => {
    expect(first(['building', 'peasant'])).toBe('1 building');
    expect(first([['building'], 'peasant'])).toBe('1 building');
    expect(first(['peasant', ['building', 'wall']])).toBe('1 peasant');
    expect(first(['military', 'wall'])).toBe('1 swordsman');
    expect(first([['peasant', 'military'], 'wall'])).toBe('1 swordsman');
  });
});
