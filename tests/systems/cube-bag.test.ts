/** The three worked examples of the rule text with scripted draws, and related checks. */
import { describe, expect, it } from 'vitest';
import { enumerateBranches } from '../../src/core/chance/enumerated-chance.ts';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { army, decide, draw, fight, prepared, scenario } from './cube-bag-fight.ts';

const field = { attacker: army({ spearman: 3 }), defender: army({ cavalryman: 2 }) };

const outOfRange = {
  attacker: army({ archer: 3 }, { distance: 2, extras: { action: 2 } }),
  defender: { ...army({ swordsman: 3 }, { extras: { experience: 1 } }), recoveries: 1 },
};

const siege = {
  fortification: 'city',
  attacker: {
    armies: [
      { units: { spearman: 3 } },
      { units: { trebuchet: 1, swordsman: 1 }, distance: 2, active: { swordsman: true } },
      { units: { catapult: 1, archer: 1 }, distance: 2 },
    ],
    technologies: { fabian: 4, trainedArmy: 2, siegeTower: true },
    removal: ['cavalryman', 'swordsman', 'peasant', 'building', 'city', 'wall'],
  },
  defender: {
    ...army({ cavalryman: 1, swordsman: 1, peasant: 1 }, { extras: { action: 3, experience: 2 } }),
    structures: [{ type: 'wall' }, { type: 'building', marks: 1 }, { type: 'building' }, { type: 'city', marks: 1 }],
    conversions: 1,
    conversionFactors: -1,
  },
};

describe('three spearmen against two cavalrymen', () => {
  it('put 10 cubes into the bag, 6 and 4, with courage 3', () => {
    expect(prepared(field)).toMatchObject({ bag: [6, 4, 0], courage: [3, 2] });
  });

  it('draw 2 and 1 cubes with probability 1/2', () => {
    const all = [...enumerateBranches((chance) => chance.draw([6, 4, 0], 3).join(' '))];
    expect(all.find(({ value }) => value === '2 1 0')?.probability).toBe(0.5);
  });

  it('win and lose one spearman', () => {
    const { outcome, marked, counted, requested, bags } = fight(field, [draw(2, 1, 0)]);
    expect(counted).toEqual(['attacker bonus [3 none] 3', 'defender bonus [2 none] 2']);
    expect(outcome).toBe('attacker');
    expect(bags).toEqual(['3 of 6 4 0']);
    expect(requested).toEqual(['attacker draw [1 2 3] 3']);
    expect(marked).toEqual({
      'drawn.attacker': 2,
      'drawn.defender': 1,
      'losses.attacker': 1,
      'losses.defender': 2,
      'losses.attacker.spearman': 1,
      'losses.defender.cavalryman': 2,
    });
  });

  it('win with probability 80/120 and are beaten with probability 4/120', () => {
    const { distribution: exactDistribution } = solveModel(cubeBag.model(scenario(field)));
    // Two or three own cubes of three: (60 + 20) / 120; no own cube: 4 / 120.
    expect([...exactDistribution.outcomes].map((p) => Math.round(p * 120))).toEqual([80, 4, 0, 36]);
  });
});

describe('three archers against three swordsmen out of range', () => {
  it('prepare 10 cubes, 4 of them neutral', () => {
    expect(prepared(outOfRange)).toMatchObject({ bag: [5, 1, 4], courage: [3, 0] });
  });

  it('remove two swordsmen, of whom one recovers with 1 own and 1 neutral cube', () => {
    const { outcome, marked, bags } = fight(outOfRange, [draw(2, 0, 1), draw(0, 1, 1)]);
    expect(outcome).toBe('none');
    expect(bags).toEqual(['3 of 5 1 4', '2 of 3 1 3']);
    expect(marked).toEqual({
      'drawn.attacker': 2,
      'drawn.neutral': 1,
      'losses.defender': 2,
      'losses.defender.swordsman': 2,
      'recoveries.defender': 1,
      'experience.defender': 1,
    });
  });
});

/** The same battle with all armies of the example: A, B and C against D in the city and E in the field. */
const counterattack = {
  ...siege,
  attacker: {
    ...siege.attacker,
    armies: siege.attacker.armies.map((each, index) => ({
      ...each,
      ...[{ conversionFactors: -1 }, { conversionFactors: 1 }][index],
    })),
  },
  defender: {
    armies: [
      { units: { swordsman: 1, peasant: 1 }, extras: { action: 1, experience: 1 } },
      { units: { cavalryman: 3 }, hex: 'field' },
    ],
    structures: siege.defender.structures,
    conversions: 1,
  },
};

/** Metrics other than 0 at the end of the example. */
const stormed = {
  ...{ 'drawn.attacker': 7, 'drawn.defender': 2, 'drawn.neutral': 1, 'losses.attacker': 2, 'losses.defender': 6 },
  ...{ 'losses.attacker.trebuchet': 1, 'losses.attacker.catapult': 1, 'losses.defender.cavalryman': 1 },
  ...{ 'losses.defender.swordsman': 1, 'losses.defender.peasant': 1, 'losses.defender.building': 2 },
  ...{ 'losses.defender.city': 1, 'conversions.defender': 1, 'experience.defender': 1, marks: 1 },
};

describe('a corps attacks a city', () => {
  it('has courage 7 + 1 + 1 + 1, and both sides discard 4 cubes', () => {
    const { bag, courage, reported } = prepared(siege);
    expect(courage).toEqual([10, 2]);
    expect(bag).toEqual([13 - 4, 9 - 4, 1]);
    expect(reported.filter((rule) => rule === 'courage.structures')).toHaveLength(2);
  });

  it('ends like the example with its draws and decisions', () => {
    const { outcome, marked, bags, requested, reported } = fight(siege, [
      draw(0, 1, 0),
      decide('spearman'),
      draw(6, 3, 1),
      draw(1, 1, 0),
    ]);
    expect(outcome).toBe('none');
    expect(bags).toEqual(['1 of 9 5 1', '10 of 9 4 1', '2 of 3 3 0']);
    expect(requested.slice(0, 3)).toEqual([
      'defender conversion [spearman swordsman archer catapult trebuchet] spearman',
      'attacker draw [1 2 3 4 5 6 7 8 9 10] 10',
      'attacker redraw [0 1 2] 2',
    ]);
    expect(marked).toEqual(stormed);
    expect(reported).toContain('structure.free');
    expect(reported).toContain('priority.tower');
  });

  it('does not reach the city without the siege tower', () => {
    const { technologies } = siege.attacker;
    const without = { ...siege.attacker, technologies: { ...technologies, siegeTower: false } };
    // Wall 2, soldiers 2, peasant 1, buildings 0 and 1: one damage is left, and one mark is there already.
    const { marked } = fight({ ...siege, attacker: without }, [draw(0, 1, 0), draw(6, 2, 1), draw(1, 1, 0)]);
    expect(marked).toMatchObject({ 'drawn.attacker': 7, 'losses.defender.wall': 1, 'losses.defender.building': 2 });
    expect(marked).not.toHaveProperty('losses.defender.city');
    expect(marked['marks']).toBe(2);
  });
});

/** Bonuses of the armies of both sides. */
const bonuses = ['3', '4', '2', '1', '2'];

describe('a corps is counterattacked before a city', () => {
  it('has 7 active units and courage 10 against 5 units, 4 of them active', () => {
    const { bag, courage, reported } = prepared(counterattack);
    expect(courage).toEqual([10, 4]);
    // Spearmen have a bonus against cavalry in the open: 7 + 3 + 4 + 2; the defender has 5 - 1 + 1 + 2 + 2, and a
    // peasant.
    expect(bag).toEqual([16 - 4, 9 - 4, 1]);
    expect(reported.filter((rule) => rule === 'bonus')).toHaveLength(5);
    expect(reported).toEqual(
      expect.arrayContaining(['siege', 'elsewhere', 'extras', 'courage.tower', 'fabian', 'cubes']),
    );
  });

  it('ends like the example: one conversion, six destroyed objects, two lost engines', () => {
    const taken = ['cavalryman', 'swordsman', 'peasant', 'building', 'city', 'wall'];
    const { outcome, marked, bags, requested, reported } = fight(counterattack, [
      draw(0, 1, 0),
      draw(6, 3, 1),
      draw(1, 1, 0),
      ...taken.map(decide),
    ]);
    expect(outcome).toBe('none');
    expect(bags).toEqual(['1 of 12 5 1', '10 of 12 4 1', '2 of 6 3 0']);
    expect(requested.slice(0, 4)).toEqual([
      'defender army [1 2 3] 1',
      'attacker draw [1 2 3 4 5 6 7 8 9 10] 10',
      'attacker redraw [0 1 2] 2',
      'attacker removal [cavalryman swordsman peasant building city wall] cavalryman',
    ]);
    expect(marked).toEqual(stormed);
    expect(reported).toEqual(
      expect.arrayContaining(['conversion.army', 'check.passed', 'redraw', 'structure.free', 'structure', 'losses']),
    );
  });

  it('does not reach the city without the siege tower, which also adds courage', () => {
    const technologies = { ...siege.attacker.technologies, siegeTower: false };
    const taken = ['wall', 'swordsman', 'peasant', 'building', 'building', 'city'];
    const { marked, requested } = fight({ ...counterattack, attacker: { ...counterattack.attacker, technologies } }, [
      draw(0, 1, 0),
      draw(5, 3, 1),
      draw(1, 1, 0),
      ...taken.map(decide),
    ]);
    expect(requested[1]).toBe('attacker draw [1 2 3 4 5 6 7 8 9] 9');
    // 2 + 1 + 1 + 0 + 1, and one mark more on the city; the cavalry in the open is spared.
    expect(marked).toMatchObject({ 'drawn.attacker': 6, 'losses.defender': 5, marks: 2 });
    expect(marked).not.toHaveProperty('losses.defender.city');
  });

  it('can decide against each of its bonuses', () => {
    const { counted } = fight(counterattack, [...bonuses.map(decide), draw(0, 1, 0), draw(6, 3, 1), draw(1, 1, 0)]);
    expect(counted).toEqual([
      'attacker bonus [3 none] 3',
      'attacker bonus [4 none] 4',
      'attacker bonus [2 none] 2',
      'defender bonus [1 none] 1',
      'defender bonus [2 none] 2',
    ]);
  });

  it('has a check of 3 if the defender selects army B, which has a relic', () => {
    const { bags } = fight(counterattack, [
      ...bonuses.map(decide),
      decide(2),
      draw(3, 0, 0),
      draw(9, 1, 0),
      draw(0, 1, 0),
    ]);
    expect(bags[0]).toBe('3 of 12 5 1');
  });

  it('equals the shipped scenario', async () => {
    const shipped = await loadScenario('scenarios/cube-bag-counterattack.yaml');
    const { removal } = (shipped as CubeBag).attacker;
    const attacker = { ...counterattack.attacker, removal };
    expect(shipped).toEqual(scenario({ ...counterattack, name: shipped.name, attacker }));
  });
});
