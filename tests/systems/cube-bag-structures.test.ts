/** Cubes from a bag: custom structure types and hit points, and structures on several hexes. */
import { describe, expect, it } from 'vitest';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import { Twins } from './alike.ts';
import { army, decide, draw, type Fight, fight, prepared, scenario } from './cube-bag-fight.ts';

interface Case {
  readonly attacker?: object;
  /** Objects that the attacker removes, by name, in the order of decisions. */
  readonly decisions?: readonly string[];
  /** Fields of the scenario. */
  readonly fields?: object;
}

/** Runs a battle in which archers of the attacker draw `damage` own cubes. */
function destroyed(damage: number, defender: object, { attacker = {}, decisions = [], fields = {} }: Case = {}): Fight {
  const extras = { modifiers: { courage: damage - 1 }, extras: { action: 20 } };
  const archers = { ...army({ archer: 1 }, extras), ...attacker };
  const draws = damage > 0 ? [draw(damage, 0, 0)] : [];
  return fight({ attacker: archers, defender, ...fields }, [...draws, ...decisions.map(decide)]);
}

const fallen = ({ marked }: Fight): string =>
  Object.entries(marked)
    .filter(([name]) => name.startsWith('losses.defender.'))
    .map(([name, count]) => `${String(count)} ${name.split('.')[2] ?? ''}`)
    .join(', ');

const built = (...structures: readonly object[]) => ({ armies: [], structures });
const on = (hex: string, units: object) => ({ units, distance: 9, hex });
const structureTypes = { tower: { hp: 2 }, gate: { hp: 1 } };

describe('structureTypes', () => {
  const fields = { structureTypes };

  it('set hit points and add metrics', () => {
    const { metrics, reported } = destroyed(3, built({ type: 'gate' }, { type: 'tower' }, { type: 'tower' }), {
      fields,
    });
    expect(metrics).toMatchObject({ 'losses.defender.tower': 1, 'losses.defender.gate': 0, marks: 1 });
    expect(reported).toContain('structures.hp');
    expect(destroyed(1, built({ type: 'tower' }), { fields }).metrics).toMatchObject({ marks: 1 });
  });

  it('change the hit points of built-in types', () => {
    const wall = { structureTypes: { wall: { hp: 1 } } };
    expect(fallen(destroyed(1, built({ type: 'wall' }), { fields: wall }))).toBe('1 wall');
    const castle = { structureTypes: { castle: { hp: 6 } } };
    expect(destroyed(5, built({ type: 'castle' }), { fields: castle }).metrics['marks']).toBe(5);
  });

  it('are overridden by the hit points of a structure', () => {
    const own = built({ type: 'tower', hp: 5, marks: 1 });
    expect(destroyed(3, own, { fields }).metrics).toMatchObject({ 'losses.defender.tower': 0, marks: 4 });
    expect(fallen(destroyed(4, own, { fields }))).toBe('1 tower');
  });

  it('are last in the order of removal, in the order of the file', () => {
    const tower = { technologies: { siegeTower: true } };
    const all = built({ type: 'gate' }, { type: 'palisade' }, { type: 'tower' });
    const towered = (courage: number) => ({
      ...tower,
      ...army({ archer: 1 }, { extras: { action: 20 }, modifiers: { courage } }),
    });
    expect(fallen(destroyed(2, all, { attacker: towered(0), fields }))).toBe('1 palisade');
    expect(fallen(destroyed(3, all, { attacker: towered(1), fields }))).toBe('1 palisade, 1 tower');
    expect(fallen(destroyed(2, all, { attacker: { ...towered(0), removal: ['structures'] }, fields }))).toBe(
      '1 palisade',
    );
    expect(fallen(destroyed(2, all, { attacker: { ...towered(0), removal: ['tower'] }, fields }))).toBe('1 tower');
  });

  it('are next to city and castle in the default priority', () => {
    const city = built({ type: 'tower' }, { type: 'city' }, { type: 'building' });
    const attacker = { removal: ['tower', 'city'] };
    expect(fallen(destroyed(3, city, { attacker, fields }))).toBe('1 building, 1 tower');
    expect(fallen(destroyed(4, city, { fields }))).toBe('1 building, 1 city');
  });

  it('are last in a priority that does not name them', () => {
    const attacker = { removal: ['tower', 'city', 'wall'] };
    const city = built({ type: 'tower' }, { type: 'city' }, { type: 'wall' });
    const first = (...priority: readonly unknown[]) =>
      fallen(destroyed(2, city, { attacker, fields: { ...fields, priority } }));
    expect(first('wall', 'city')).toBe('1 wall');
    // Only the default priority has them next to the city.
    expect(
      destroyed(5, city, { attacker, fields: { ...fields, priority: ['wall', ['city', 'castle']] } }).metrics,
    ).toMatchObject({ 'losses.defender.wall': 1, 'losses.defender.city': 1, 'losses.defender.tower': 0, marks: 0 });
    expect(first('tower', 'wall')).toBe('1 tower');
    expect(first('added-structures', 'wall')).toBe('1 tower');
    expect(first('structures')).toBe('1 tower');
  });

  it('are options of the removal decision', () => {
    const { requested } = destroyed(2, built({ type: 'tower' }, { type: 'city' }), {
      fields,
      decisions: ['tower'],
    });
    expect(requested.at(-1)).toBe('attacker removal [city tower] tower');
  });
});

describe('structures of one type', () => {
  it('fall in the order of most marks, at any hit points', () => {
    const walls = (...marks: readonly (readonly [marks: number, hp: number])[]) =>
      built(...marks.map(([m, hp]) => ({ type: 'wall', marks: m, hp })));
    // The wall that lacks 3 is first: it takes the damage as marks, and the wall that lacks nothing falls after it.
    expect(destroyed(2, walls([1, 1], [2, 5])).metrics).toMatchObject({ 'losses.defender.wall': 1, marks: 4 });
    expect(destroyed(2, walls([0, 1], [0, 2])).metrics).toMatchObject({ 'losses.defender.wall': 1, marks: 1 });
    expect(destroyed(2, walls([0, 2], [0, 1])).metrics).toMatchObject({ 'losses.defender.wall': 1, marks: 0 });
  });

  it('with equal marks fall in the order of the file, on any hex', () => {
    const hill = { type: 'wall', hex: 'hill' };
    const defender = (...structures: readonly object[]) => ({ armies: [on('hill', { archer: 1 })], structures });
    const removal = ['archer', 'wall'];
    const archer = (...structures: readonly object[]) =>
      fallen(destroyed(3, defender(...structures), { attacker: { removal } }));
    expect(archer(hill, { type: 'wall' })).toBe('1 archer, 1 wall');
    expect(archer({ type: 'wall' }, hill)).toBe('1 wall');
    expect(archer({ type: 'wall' }, { ...hill, marks: 1 })).toBe('1 archer, 1 wall');
  });
});

describe('each hex with structures', () => {
  const two = {
    armies: [{ units: { swordsman: 1 }, distance: 9 }, on('hill', { archer: 1 })],
    structures: [
      { type: 'wall' },
      { type: 'city' },
      { type: 'palisade', hex: 'hill' },
      { type: 'building', hex: 'hill' },
    ],
  };

  it.each([
    [1, ['building', 'archer', 'palisade'], '1 palisade'],
    [2, ['building', 'archer', 'palisade'], '1 archer, 1 palisade'],
    [3, ['building', 'archer', 'palisade'], '1 archer, 1 building, 1 palisade'],
    [3, ['city', 'swordsman', 'wall'], '1 swordsman, 1 wall'],
    [6, ['city', 'swordsman', 'wall'], '1 swordsman, 1 city, 1 wall'],
    [3, ['building', 'wall', 'palisade'], '1 wall, 1 palisade'],
  ])('has a separate priority: %i damage by %j destroys %s', (damage, removal, losses) => {
    const battle = destroyed(damage, two, { attacker: { removal } });
    expect(fallen(battle)).toBe(losses);
    expect(battle.reported).toContain('priority.hexes');
    expect(battle.reported).toContain('structures.hex');
  });

  it('offers the objects of its first priority group', () => {
    const { requested } = destroyed(2, two, { decisions: ['palisade', 'archer'] });
    expect(requested.slice(-2)).toEqual([
      'attacker removal [wall palisade] palisade',
      'attacker removal [archer wall] archer',
    ]);
  });

  it('keeps its priority after the last structure has fallen', () => {
    const camp = {
      armies: [{ units: { swordsman: 1 }, distance: 9 }, on('hill', { archer: 1, peasant: 1 })],
      structures: [{ type: 'palisade', hex: 'hill' }],
    };
    const removal = ['palisade', 'peasant', 'archer', 'swordsman'];
    expect(fallen(destroyed(2, camp, { attacker: { removal } }))).toBe('1 archer, 1 palisade');
  });

  it('does not restrict other hexes, including the target hex', () => {
    const camp = {
      armies: [
        { units: { swordsman: 1, peasant: 1 }, distance: 9 },
        on('hill', { archer: 1 }),
        on('ford', { galley: 1 }),
      ],
      structures: [{ type: 'palisade', hex: 'hill' }],
    };
    const by = (damage: number, ...removal: readonly string[]) =>
      fallen(destroyed(damage, camp, { attacker: { removal } }));
    expect(by(1, 'peasant')).toBe('1 peasant');
    expect(by(2, 'archer', 'galley')).toBe('1 galley');
    expect(by(2, 'archer', 'palisade')).toBe('1 archer, 1 palisade');
    expect(destroyed(1, camp).reported).toContain('priority');
  });

  it('has no priority against a siege tower', () => {
    const attacker = {
      ...army({ archer: 1 }, { extras: { action: 20 } }),
      technologies: { siegeTower: true },
      removal: ['building', 'swordsman'],
    };
    const { reported, ...battle } = destroyed(2, two, { attacker });
    expect(fallen({ reported, ...battle })).toBe('1 swordsman, 1 building');
    expect(reported).toContain('priority.tower');
  });

  it('lets a structure with full marks fall in its turn', () => {
    const free = {
      armies: [{ units: { swordsman: 1 }, distance: 9 }, on('hill', { archer: 1 })],
      structures: [
        { type: 'wall', marks: 2 },
        { type: 'city', hex: 'hill' },
      ],
    };
    const by = (...removal: readonly string[]) => destroyed(1, free, { attacker: { removal } });
    expect(fallen(by('swordsman', 'archer', 'wall'))).toBe('1 archer, 1 wall');
    expect(by('swordsman', 'archer', 'wall').requested.at(-1)).toBe('attacker removal [archer wall] archer');
    expect(fallen(by('swordsman', 'wall', 'archer'))).toBe('1 swordsman, 1 wall');
  });

  it('can belong to the attacker', () => {
    const attacker = {
      armies: [{ units: { swordsman: 1 } }, { units: { archer: 1, peasant: 1 }, hex: 'hill' }],
      structures: [{ type: 'palisade', hex: 'hill' }],
      draw: 1,
    };
    const hit = (...removal: readonly string[]) => {
      const defender = { ...army({ archer: 2 }), extraDraw: 'none', removal };
      return fight({ attacker, defender }, [draw(0, 1, 0)]).marked;
    };
    expect(hit('peasant', 'archer')).toMatchObject({ 'losses.attacker.swordsman': 1 });
    expect(hit('peasant', 'archer', 'palisade')).toMatchObject({ 'losses.attacker.palisade': 1 });
  });
});

describe('bonuses in a siege', () => {
  const unitTypes = { swordsman: { bonus: { structures: 5, cavalry: 3 } } };
  const own = (structures: readonly object[], units: object = { archer: 1 }, fortification = 'wall') =>
    prepared({
      fortification,
      unitTypes,
      attacker: army({ swordsman: 1 }),
      defender: { armies: [{ units: { archer: 1 } }, on('hill', units)], structures },
    }).bag[0];

  it('of melee units count on other hexes, but not against the garrison', () => {
    expect(own([{ type: 'wall' }])).toBe(1);
    expect(own([{ type: 'wall' }], { cavalryman: 1 })).toBe(4);
    expect(own([{ type: 'wall', hex: 'hill' }])).toBe(6);
    expect(own([{ type: 'wall' }], { archer: 1 }, 'none')).toBe(6);
  });

  it('and courage count against structures on any hex', () => {
    const catapult = (structures: readonly object[]) =>
      prepared({
        fortification: 'wall',
        attacker: army({ catapult: 1 }),
        defender: { armies: [on('hill', { archer: 1 })], structures },
      });
    expect(catapult([{ type: 'wall', hex: 'hill' }])).toMatchObject({ bag: [3, 0, 1], courage: [2, 0] });
    expect(catapult([])).toMatchObject({ bag: [1, 0, 1], courage: [1, 0] });
  });
});

describe('the environment', () => {
  it('shows structures by hex and by hit points', async () => {
    const structures = [
      { type: 'wall', hex: 'hill' },
      { type: 'wall', hex: 'hill', marks: 1 },
      { type: 'wall' },
      { type: 'city', hp: 4, marks: 1 },
      { type: 'tower' },
    ];
    const given = scenario({
      structureTypes,
      attacker: army({ archer: 3 }),
      defender: { armies: [on('hill', { archer: 1 })], structures, addDefense: false },
    });
    const env = await VectorEnv.create(given, { numEnvs: 1, agents: ['attacker'], autoreset: 'disabled', debug: true });
    const { features } = env.observationSpace;
    const shown = () =>
      features.flatMap(({ name }, f) =>
        name.startsWith('structures.') ? [`${name.slice(20)} ${String(env.buffers.obs[f])}`] : [],
      );
    expect(shown()).toEqual(['city.1of4 1', 'hill.wall.0 1', 'hill.wall.1 1', 'wall.0 1', 'tower.0 1']);
    const { names } = env.actionSpace;
    // Three walls are of one type: the two on the hill fall without a decision, one with a mark and one without.
    env.step([names.indexOf('cubes:3')]);
    expect(shown()).toEqual(['city.1of4 1', 'hill.wall.0 0', 'hill.wall.1 0', 'wall.0 1', 'tower.0 1']);
    expect(names).toContain('take:tower');
  });
});

describe('the kernel equals the reference', () => {
  const counterparts = new Twins({ system: cubeBag, seed: 5n });

  it('on nine hexes with structures and armies, with 50 priority groups', () => {
    const hexes = Array.from({ length: 8 }, (_, index) => `hex ${String(index)}`);
    const types = Object.fromEntries(hexes.map((_, index) => [`keep${String(index)}`, { hp: 1 + (index % 3) }]));
    const names = Object.keys(types);
    const given = scenario({
      structureTypes: types,
      priority: [...Array.from({ length: 42 }, () => 'castle'), ...names.toReversed()],
      attacker: { ...army({ archer: 30 }), removal: ['archer', 'keep3', 'keep6', 'peasant'] },
      defender: {
        armies: hexes.map((hex) => ({ units: { archer: 1, peasant: 1 }, hex })),
        structures: [undefined, ...hexes].flatMap((hex, index) => [
          { type: names[index % 8], ...(hex && { hex }) },
          { type: names[(index + 3) % 8], ...(hex && { hex }), marks: 1, hp: 1 + (index % 2) },
        ]),
      },
    });
    counterparts.expectSame(given, 300);
  });

  it('if a structure with full marks falls in its turn', () => {
    const given = scenario({
      attacker: { ...army({ archer: 3 }), draw: 1, removal: ['swordsman', 'archer', 'wall'] },
      defender: {
        armies: [{ units: { swordsman: 1 } }, on('hill', { archer: 1 })],
        structures: [
          { type: 'wall', marks: 2 },
          { type: 'city', hex: 'hill' },
        ],
      },
    });
    counterparts.expectSame(given, 300);
  });
});
