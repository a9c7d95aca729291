/** Cubes from a bag: what damage destroys on the target hex and elsewhere, and of an attacker with structures. */
import { describe, expect, it } from 'vitest';
import { army, decide, draw, type Fight, fight } from './cube-bag-fight.ts';

/** What archers with so many cubes in hand destroy. */
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

describe('units elsewhere', () => {
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
  ])('are open at any time: %i damage takes %s', (damage, losses) => {
    const battle = destroyed(damage, city);
    expect(fallen(battle)).toBe(losses);
    expect(battle.told).toContain('priority');
  });

  it('stand among what the priority allows in the order of removal', () => {
    expect(fallen(destroyed(2, city, { removal: ['wall', 'archer'] }))).toBe('1 wall');
    expect(fallen(destroyed(3, city, { removal: ['wall', 'archer'] }))).toBe('1 archer, 1 wall');
    expect(fallen(destroyed(3, city, { removal: ['swordsman', 'wall', 'archer'] }))).toBe('1 swordsman, 1 wall');
    expect(fallen(destroyed(3, city, { removal: ['peasant', 'wall', 'archer'] }))).toBe('1 archer, 1 wall');
  });

  it('are as open as all others with a siege tower', () => {
    const tower = { technologies: { siegeTower: true }, removal: ['swordsman', 'cavalryman', 'city'] };
    const attacker = { ...army({ archer: 1 }, { extras: { action: 20 } }), ...tower };
    const { marked, told } = fight({ attacker, defender: city }, [draw(2, 0, 0)]);
    expect(marked).toMatchObject({ 'losses.defender.swordsman': 1, 'losses.defender.cavalryman': 1 });
    expect(told).toContain('priority.tower');
  });

  it('are open while a unit that the damage cannot fell shields the rest', () => {
    const harbour = {
      armies: [{ units: { galley: 1, peasant: 1 } }, away({ archer: 1 })],
      structures: [{ type: 'city' }],
    };
    const removal = ['peasant', 'galley', 'archer'];
    expect(fallen(destroyed(1, harbour, { removal }))).toBe('1 archer');
    expect(fallen(destroyed(2, harbour, { removal }))).toBe('1 galley');
    expect(fallen(destroyed(3, harbour, { removal }))).toBe('1 peasant, 1 galley');
  });

  it('are passed over if the damage cannot fell them', () => {
    const fleet = { armies: [{ units: { swordsman: 1 } }, away({ galley: 1 })], structures: [{ type: 'palisade' }] };
    expect(fallen(destroyed(1, fleet, { removal: ['galley'] }))).toBe('1 palisade');
    expect(fallen(destroyed(2, fleet, { removal: ['galley'] }))).toBe('1 galley');
    expect(fallen(destroyed(3, fleet, { removal: ['galley'] }))).toBe('1 galley, 1 palisade');
  });

  it('may be a whole side, whose structures stand alone', () => {
    const alone = { ...army({ archer: 1 }, { hex: 'hill' }), structures: [wall] };
    expect(fallen(destroyed(1, alone))).toBe('1 archer');
    expect(destroyed(2, alone, { removal: ['wall'] }).metrics).toMatchObject({ 'losses.defender.wall': 1, marks: 0 });
    expect(destroyed(2, alone).metrics).toMatchObject({ 'losses.defender.archer': 1, marks: 1 });
  });

  it('are not shielded by anything where there are no structures', () => {
    const corps = { armies: [{ units: { peasant: 1 } }, away({ swordsman: 1 })] };
    expect(fallen(destroyed(1, corps, { removal: ['peasant'] }))).toBe('1 peasant');
  });
});

describe('of one type in the garrison and elsewhere', () => {
  const home = { units: { spearman: 1, peasant: 1 } };
  const removal = ['peasant', 'spearman'];
  const city = (...armies: readonly object[]) => ({ armies, structures: [{ type: 'city' }] });

  it('the army listed first loses first', () => {
    // A spearman at home shields the peasant, which is wanted first.
    expect(fallen(destroyed(2, city(home, away({ spearman: 1 })), { removal }))).toBe('1 peasant, 1 spearman');
    expect(fallen(destroyed(2, city(away({ spearman: 1 }), home), { removal }))).toBe('2 spearman');
    expect(fallen(destroyed(3, city(away({ spearman: 2 }), home), { removal }))).toBe('3 spearman');
  });

  it('the army listed first has a unit converted first', () => {
    const attacker = { ...army({ archer: 1 }, { extras: { action: 9 } }), removal: ['spearman'], conversions: 1 };
    const asked = (...armies: readonly object[]) => {
      const defender = city(...armies.map((each) => ({ ...each, distance: 9 })));
      return fight({ attacker, defender }, [draw(2, 0, 0), draw(1, 0, 0)]).asked.slice(1);
    };
    // Without the spearman at home nothing shields the peasant.
    expect(asked(home, away({ spearman: 1 }))).toEqual(['attacker removal [spearman peasant] spearman']);
    expect(asked(away({ spearman: 1 }), home)).toEqual([]);
  });

  it('losses are told and counted by type', () => {
    const { marked, told } = destroyed(2, city({ units: { spearman: 1 } }, away({ spearman: 2 })));
    expect(marked).toMatchObject({ 'losses.defender': 2, 'losses.defender.spearman': 2 });
    expect(told).toContain('losses');
  });
});

describe('a structure that falls for nothing', () => {
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

  it('has its place in the order of removal among open units', () => {
    const { marked, asked } = destroyed(1, city, { removal });
    expect(marked).toMatchObject({ 'losses.defender.archer': 1, 'losses.defender.wall': 1 });
    expect(asked.at(-1)).toBe('attacker removal [archer wall] archer');
    expect(fallen(destroyed(1, city, { removal: ['swordsman', 'wall'] }))).toBe('1 swordsman, 1 wall');
  });

  it('can be taken first', () => {
    const { asked, marked } = destroyed(1, city, { removal }, ['wall', 'swordsman']);
    expect(asked.slice(-2)).toEqual([
      'attacker removal [archer wall] wall',
      'attacker removal [swordsman archer] swordsman',
    ]);
    expect(marked).toMatchObject({ 'losses.defender.swordsman': 1, 'losses.defender.wall': 1 });
  });

  it('falls without damage, and when no open unit can fall', () => {
    expect(fallen(destroyed(0, city, { removal }))).toBe('1 wall');
    const fleet = { armies: [{ units: { swordsman: 1 } }, away({ galley: 1 })], structures: [free] };
    const { asked, told } = destroyed(1, fleet, { removal: ['galley', 'swordsman', 'wall'] });
    expect(asked.join()).not.toContain('removal');
    expect(told).toContain('structure.free');
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
  ])('are bound by the destruction priority: %i damage takes %s', (damage, losses, marks) => {
    const defender = archers({
      armies: [{ units: { archer: 4, peasant: 2 } }],
      ...(damage === 1 && { extraDraw: 'none' }),
    });
    const battle = hit(damage, camp(), defender);
    expect(fallen(battle, 'attacker')).toBe(losses);
    expect(battle.metrics['marks']).toBe(marks);
    expect(battle.told).toContain('priority');
  });

  it('are not, if the defender has a siege tower', () => {
    const defender = archers({ technologies: { siegeTower: true }, removal: ['city'], extraDraw: 'none' });
    const { metrics, told } = hit(1, camp(), defender);
    expect(metrics).toMatchObject({ 'losses.attacker.palisade': 0, marks: 2 });
    expect(told).toContain('priority.tower');
    const own = hit(1, camp({ technologies: { siegeTower: true } }), archers({ removal: ['city'], extraDraw: 'none' }));
    expect(fallen(own, 'attacker')).toBe('1 palisade');
  });

  it('must fall for the defender to win', () => {
    const attacker = (structures: readonly object[]) => ({ ...army({ swordsman: 1 }), structures, draw: 1 });
    const won = fight({ attacker: attacker([]), defender: archers({ extraDraw: 'none' }) }, [draw(0, 1, 0)]);
    expect(won.outcome).toBe('defender');
    expect(won.told).toContain('end.defender');
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

  it('count their marks with those of the defender', () => {
    const defender = { ...army({ archer: 1 }), structures: [{ type: 'castle', marks: 3 }] };
    const { metrics } = fight({ attacker: { ...camp(), draw: 1 }, defender }, [draw(1, 0, 0)]);
    expect(metrics).toMatchObject({ marks: 1 + 3, 'losses.defender.archer': 1 });
  });

  it('stand with the armies that have no hex', () => {
    const attacker = {
      armies: [{ units: { swordsman: 1 } }, { units: { archer: 1 }, hex: 'ford' }],
      structures: [wall],
      draw: 1,
    };
    const defender = archers({ extraDraw: 'none', removal: ['swordsman', 'archer'] });
    expect(fallen(fight({ attacker, defender }, [draw(0, 1, 0)]), 'attacker')).toBe('1 archer');
  });
});

describe('a word of the priority', () => {
  const city = { ...army({ swordsman: 1, peasant: 1 }), structures: [wall, { type: 'building' }] };
  const first = (priority: readonly unknown[]) =>
    fallen(fight({ attacker: army({ archer: 1 }), defender: city, priority }, [draw(1, 0, 0)]));

  it('is a group of one, as a list of one is', () => {
    expect(first(['building', 'peasant'])).toBe('1 building');
    expect(first([['building'], 'peasant'])).toBe('1 building');
    expect(first(['peasant', ['building', 'wall']])).toBe('1 peasant');
    expect(first(['military', 'wall'])).toBe('1 swordsman');
    expect(first([['peasant', 'military'], 'wall'])).toBe('1 swordsman');
  });
});
