/** Cubes from a bag: checks, conversion, draws, recovery and outcomes. */
import { describe, expect, it } from 'vitest';
import { army, decide, draw, fight } from './cube-bag-fight.ts';

const archers = (count: number, fields: object = {}) => ({ ...army({ archer: count }), ...fields });
const idle = (count: number, fields: object = {}) => ({ ...army({ peasant: count }), ...fields });

/** Returns a battle in which nothing is drawn after the checks: the attacker has no courage. */
const quiet = (attacker: object, defender: object, options: object = {}) => ({
  attacker: { armies: [{ units: { peasant: 3 }, extras: { action: 4 } }], ...attacker },
  defender: { armies: [{ units: { peasant: 3 }, extras: { action: 3 } }], ...defender },
  ...options,
});

describe('a check', () => {
  it('draws 2 cubes and passes with own cubes, which become experience', () => {
    const { bags, marked } = fight(quiet({}, { conversions: 2 }), [draw(0, 2, 0), draw(1, 1, 0)]);
    expect(bags).toEqual(['2 of 4 3 6', '2 of 4 1 6']);
    expect(marked).toEqual({ 'conversions.defender': 1, 'experience.defender': 2 });
  });

  it('passes with neutral cubes, which leave the bag without experience', () => {
    const { bags, marked } = fight(quiet({ conversions: 2 }, {}), [draw(0, 0, 2), draw(1, 0, 1)]);
    expect(bags).toEqual(['2 of 4 3 6', '2 of 4 3 4']);
    expect(marked).toEqual({ 'conversions.attacker': 2, 'experience.attacker': 1 });
  });

  it('fails with one cube of the opponent; cubes are returned or discarded', () => {
    const script = [draw(1, 1, 0), draw(1, 0, 1)];
    const returned = fight(quiet({ conversions: 2 }, {}), script);
    expect(returned.bags).toEqual(['2 of 4 3 6', '2 of 4 3 6']);
    const discarded = fight(quiet({ conversions: 2 }, {}, { failedCheckCubes: 'discard' }), script);
    expect(discarded.bags).toEqual(['2 of 4 3 6', '2 of 3 2 6']);
    expect(discarded.marked).toEqual({ 'conversions.attacker': 1, 'experience.attacker': 1 });
    expect(discarded.reported).toContain('check.discard');
  });

  it.each([
    [-1, 1],
    [-2, 1],
    [-9, 1],
    [1, 3],
    [50, 13],
  ])('with conversionFactors %i draws %i cubes of 13', (conversionFactors, cubes) => {
    const all: readonly [number, number, number] = cubes === 13 ? [4, 3, 6] : [0, cubes, 0];
    expect(fight(quiet({}, { conversions: 1, conversionFactors }), [draw(...all)]).bags).toEqual([
      `${String(cubes)} of 4 3 6`,
    ]);
  });

  it.each([1, 3])('with complexity %i draws at most the 2 cubes of the bag', (complexity) => {
    const defender = { ...idle(1), conversions: 1, conversionFactors: complexity - 2 };
    const { bags, marked } = fight({ attacker: idle(1), defender }, [draw(0, 0, Math.min(2, complexity))]);
    expect(bags).toEqual([`${String(Math.min(2, complexity))} of 0 0 2`]);
    expect(marked).toEqual({ 'conversions.defender': 1 });
  });

  it('fails on an empty bag', () => {
    const left = { addDefense: false, conversions: 2 };
    const { marked, reported: shown, outcome } = fight({ attacker: idle(1, left), defender: idle(1, left) }, []);
    expect(marked).toEqual({});
    expect(shown.filter((rule) => rule === 'check.empty')).toHaveLength(4);
    expect(outcome).toBe('none');
  });
});

describe('conversion', () => {
  it('is tried by the defender first, with a separate complexity for each side', () => {
    const sides = quiet({ conversions: 1, conversionFactors: 1 }, { conversions: 1 });
    expect(fight(sides, [draw(0, 2, 0), draw(3, 0, 0)]).bags).toEqual(['2 of 4 3 6', '3 of 4 1 6']);
  });

  it('takes the first enemy unit in the removal order, without structures and priority', () => {
    const defender = {
      armies: [{ units: { swordsman: 1, peasant: 1, spearman: 1 }, distance: 5 }],
      structures: [{ type: 'wall' }],
    };
    const attacker = archers(3, { conversions: 3, removal: ['wall', 'peasant', 'infantry'], draw: 1 });
    const { requested, marked } = fight({ attacker, defender }, [
      draw(2, 0, 0),
      draw(0, 0, 2),
      draw(0, 0, 2),
      draw(1, 0, 0),
    ]);
    expect(requested).toEqual([
      'attacker conversion [peasant spearman swordsman] peasant',
      'attacker conversion [spearman swordsman] spearman',
    ]);
    expect(marked).toMatchObject({ 'conversions.attacker': 3, marks: 1 });
  });

  it('can be decided by the player', () => {
    const attacker = { armies: [{ units: { spearman: 1, archer: 1 } }] };
    const script = [draw(0, 2, 0), decide('spearman'), draw(0, 2, 0)];
    const { metrics } = fight({ attacker, defender: archers(4, { conversions: 1 }) }, script);
    expect(metrics).toMatchObject({ 'losses.attacker.archer': 1, 'losses.attacker.spearman': 0 });
  });

  it('does not change bag and courage if it fails', () => {
    const script = [draw(1, 0, 1), draw(2, 0, 0), draw(2, 0, 0)];
    const { bags, requested } = fight({ attacker: archers(2), defender: idle(1, { conversions: 2 }) }, script);
    expect(bags).toEqual(['2 of 2 0 1', '2 of 2 0 1', '2 of 2 0 1']);
    expect(requested).toEqual(['attacker draw [1 2] 2']);
  });

  it('does not change the cubes and courage of the converted unit', () => {
    const { requested, outcome, marked } = fight({ attacker: archers(2), defender: archers(2, { conversions: 1 }) }, [
      draw(0, 2, 0),
      draw(2, 0, 0),
    ]);
    expect(requested).toEqual(['attacker draw [1 2] 2']);
    expect(outcome).toBe('attacker');
    expect(marked).toMatchObject({ 'conversions.defender': 1, 'losses.defender': 2 });
  });

  it('is not tried without enemy units, and the battle continues', () => {
    const script = [draw(0, 2, 0), draw(1, 0, 0)];
    const {
      bags,
      reported: shown,
      outcome,
    } = fight({ attacker: archers(1), defender: archers(3, { conversions: 3 }) }, script);
    expect(bags).toEqual(['2 of 1 3 0', '1 of 1 1 0']);
    expect(shown).toContain('conversion.none');
    expect(outcome).toBe('defender');
  });
});

describe('the draw', () => {
  it.each([
    ['max', 3],
    [2, 2],
    [9, 3],
  ])('with policy %s and courage 3 draws %i cubes', (policy, cubes) => {
    const { bags } = fight({ attacker: archers(3, { draw: policy }), defender: idle(4) }, [draw(0, 0, cubes)]);
    expect(bags).toEqual([`${String(cubes)} of 3 0 4`]);
  });

  it('is limited by the cubes in the bag', () => {
    const unitTypes = { archer: { strength: 0 } };
    const { bags, requested } = fight({ attacker: archers(5), defender: idle(2), unitTypes }, [draw(0, 0, 2)]);
    expect(bags).toEqual(['2 of 0 0 2']);
    expect(requested).toEqual(['attacker draw [1 2] 2']);
  });

  it('does not occur without courage or from an empty bag', () => {
    const { bags, reported: shown } = fight({ attacker: idle(1), defender: archers(1) }, []);
    expect(bags).toEqual([]);
    expect(shown).toContain('draw.none');
    const unitTypes = { archer: { strength: 0 } };
    expect(fight({ attacker: archers(5), defender: archers(2), unitTypes }, []).bags).toEqual([]);
  });

  it('of only neutral cubes causes no losses', () => {
    const unitTypes = { archer: { strength: 0 } };
    const { marked, outcome } = fight({ attacker: archers(2), defender: idle(3), unitTypes }, [draw(0, 0, 2)]);
    expect(marked).toEqual({ 'drawn.neutral': 2 });
    expect(outcome).toBe('none');
  });
});

describe('the extra draw of the defender', () => {
  const few = (extraDraw: string, defenders = 4) => ({
    attacker: archers(3, { draw: 2 }),
    defender: archers(defenders, { extraDraw }),
  });

  it('draws 0 cubes with policy none', () => {
    expect(fight(few('none'), [draw(1, 1, 0)]).requested.at(1)).toBe('defender extraDraw [0 1 2] 0');
  });

  it('draws up to the courage of the defender in total', () => {
    const { bags, marked } = fight(few('max'), [draw(1, 1, 0), draw(0, 2, 0)]);
    expect(bags).toEqual(['2 of 3 4 0', '2 of 2 3 0']);
    expect(marked).toMatchObject({ 'drawn.attacker': 1, 'drawn.defender': 3 });
  });

  it('is not offered if the first draw reaches the courage of the defender', () => {
    expect(fight(few('max', 2), [draw(1, 1, 0)]).requested.join()).not.toContain('extraDraw');
  });

  it('is limited by the cubes in the bag', () => {
    const unitTypes = { archer: { strength: 0 } };
    const armies = [{ units: { archer: 5 }, extras: { action: 3 } }];
    const sides = { attacker: archers(1), defender: { armies, extraDraw: 'max' } };
    const { requested } = fight({ ...sides, unitTypes }, [draw(0, 1, 0), draw(0, 2, 0)]);
    expect(requested).toEqual(['defender extraDraw [0 1 2] 2']);
  });

  it.each([
    ['behind', [2, 0, 0], true],
    ['even', [1, 1, 0], false],
    ['ahead', [0, 2, 0], false],
  ] as const)('if-behind draws only if the defender is behind: %s', (_, first, goes) => {
    const script = [draw(...first), ...(goes ? [draw(1, 1, 0)] : [])];
    expect(fight(few('if-behind'), script).bags).toHaveLength(goes ? 2 : 1);
  });

  it('can occur if the attacker has no courage', () => {
    const { bags, marked } = fight({ attacker: idle(3), defender: archers(2, { extraDraw: 'max' }) }, [draw(0, 1, 1)]);
    expect(bags).toEqual(['2 of 0 2 3']);
    expect(marked).toMatchObject({ 'losses.attacker': 1 });
  });

  it('can be decided by the player', () => {
    expect(fight(few('none'), [draw(1, 1, 0), decide(1), draw(0, 1, 0)]).bags).toHaveLength(2);
  });
});

describe('the redraw', () => {
  const trained = (trainedArmy: number, fields: object = {}) => ({ technologies: { trainedArmy }, ...fields });

  it('returns enemy cubes first, then neutral ones, but no own cubes', () => {
    const sides = { attacker: archers(4, trained(2)), defender: { armies: [{ units: { archer: 2, peasant: 3 } }] } };
    const { bags, marked } = fight(sides, [draw(1, 1, 2), draw(2, 0, 0)]);
    expect(bags).toEqual(['4 of 4 2 3', '2 of 3 2 2']);
    expect(marked).toMatchObject({ 'drawn.attacker': 3, 'drawn.neutral': 1 });
    expect(marked).not.toHaveProperty('drawn.defender');
  });

  it('returns at most the available cubes, and no own cubes', () => {
    const sides = { attacker: archers(3, trained(5)), defender: archers(2) };
    expect(fight(sides, [draw(2, 1, 0), draw(0, 1, 0)]).bags).toEqual(['3 of 3 2 0', '1 of 1 2 0']);
    expect(fight(sides, [draw(3, 0, 0)]).bags).toHaveLength(1);
  });

  it('follows the extra draw, attacker first', () => {
    const sides = {
      attacker: archers(2, trained(1, { draw: 1 })),
      defender: archers(2, trained(1, { extraDraw: 'max' })),
    };
    const { bags, requested } = fight(sides, [draw(1, 0, 0), draw(0, 1, 0), draw(0, 1, 0), draw(1, 0, 0)]);
    expect(bags).toEqual(['1 of 2 2 0', '1 of 1 2 0', '1 of 1 2 0', '1 of 2 1 0']);
    expect(requested.slice(-2)).toEqual(['attacker redraw [0 1] 1', 'defender redraw [0 1] 1']);
  });

  it.each([
    ['behind', [1, 2, 0], 2],
    ['even', [1, 1, 1], 1],
    ['ahead', [2, 1, 0], 1],
  ] as const)('if-behind is used only by a side that is behind: %s', (_, first, draws) => {
    const defender = { armies: [{ units: { archer: 3, peasant: 1 } }] };
    const sides = { attacker: archers(3, trained(1, { redraw: 'if-behind' })), defender };
    const script = [draw(...first), ...(draws === 2 ? [draw(1, 0, 0)] : [])];
    expect(fight(sides, script).bags).toHaveLength(draws);
  });

  it('can be skipped or used for fewer cubes', () => {
    const sides = { attacker: archers(3, trained(2)), defender: archers(3) };
    expect(fight(sides, [draw(1, 2, 0), decide(0)]).bags).toHaveLength(1);
    expect(fight(sides, [draw(1, 2, 0), decide(1), draw(1, 0, 0)]).marked).toMatchObject({
      'drawn.attacker': 2,
      'drawn.defender': 1,
    });
  });

  it('does not occur if nothing was drawn', () => {
    expect(fight({ attacker: idle(1, trained(2)), defender: archers(1) }, []).requested).toEqual([
      'defender extraDraw [0 1] 0',
    ]);
  });
});

describe('recovery', () => {
  it('is tried by the defender first, from the cubes still in the bag', () => {
    const sides = { attacker: archers(3, { recoveries: 1 }), defender: archers(3, { recoveries: 1 }) };
    const { bags, marked } = fight(sides, [draw(2, 1, 0), draw(0, 2, 0), draw(1, 0, 0)]);
    expect(bags).toEqual(['3 of 3 3 0', '2 of 1 2 0', '1 of 1 0 0']);
    expect(marked).toMatchObject({
      'recoveries.attacker': 1,
      'recoveries.defender': 1,
      'experience.attacker': 1,
      'experience.defender': 2,
      'losses.defender': 2,
    });
  });

  it('has a separate complexity of at least 1', () => {
    const sides = { attacker: archers(2), defender: archers(2, { recoveries: 1, recoveryFactors: -7 }) };
    expect(fight(sides, [draw(1, 1, 0), draw(0, 1, 0)]).bags).toEqual(['2 of 2 2 0', '1 of 1 1 0']);
  });

  it('is tried at most `recoveries` times, and only with lost units', () => {
    const defender = { ...archers(3, { recoveries: 9 }), structures: [{ type: 'palisade' }] };
    const script = [draw(2, 1, 0), draw(1, 1, 0), draw(0, 2, 0)];
    const { bags, reported: shown, marked } = fight({ attacker: archers(3), defender }, script);
    // One damage for the palisade, one for an archer.
    expect(bags).toEqual(['3 of 3 3 0', '2 of 1 2 0', '2 of 1 2 0']);
    expect(shown).toContain('recovery.none');
    expect(marked).toMatchObject({ 'recoveries.defender': 1, 'losses.defender': 2 });
  });

  it('restores peasants, but no structures or converted units', () => {
    const peasant = fight({ attacker: archers(1), defender: idle(1, { recoveries: 1 }) }, [
      draw(1, 0, 0),
      draw(0, 0, 1),
    ]);
    expect(peasant.marked).toMatchObject({ 'recoveries.defender': 1 });
    const attacker = archers(3, { conversions: 1 });
    const defender = { ...idle(1, { recoveries: 1 }), structures: [{ type: 'palisade' }] };
    const { bags, marked } = fight({ attacker, defender }, [draw(1, 0, 1), draw(2, 0, 0)]);
    expect(bags).toHaveLength(2);
    expect(marked).toMatchObject({ 'losses.defender.palisade': 1 });
    expect(marked).not.toHaveProperty('recoveries.defender');
  });

  it('does not change the outcome', () => {
    const { outcome } = fight({ attacker: archers(1), defender: idle(1, { recoveries: 1 }) }, [
      draw(1, 0, 0),
      draw(0, 0, 1),
    ]);
    expect(outcome).toBe('attacker');
  });
});

describe('the outcome', () => {
  it.each([
    ['attacker', [2, 0, 0]],
    ['defender', [0, 2, 0]],
    ['none', [1, 1, 0]],
  ] as const)('is %s', (outcome, cubes) => {
    expect(fight({ attacker: archers(2), defender: archers(2) }, [draw(...cubes)]).outcome).toBe(outcome);
  });

  it('is mutual if nothing is left of both sides', () => {
    const attacker = archers(1, { draw: 1 });
    const defender = archers(1, { technologies: { siegeTower: true }, extraDraw: 'max' });
    expect(fight({ attacker, defender }, [draw(1, 0, 0), draw(0, 1, 0)]).outcome).toBe('mutual');
  });

  it('counts converted units as lost, and structures as remaining', () => {
    const attacker = archers(2, { conversions: 1, draw: 1 });
    expect(fight({ attacker, defender: idle(1) }, [draw(1, 0, 1), draw(1, 0, 0)]).outcome).toBe('attacker');
    const defender = { ...idle(1), structures: [{ type: 'wall' }] };
    expect(fight({ attacker, defender }, [draw(1, 0, 1), draw(1, 0, 0)]).outcome).toBe('none');
  });
});

describe('rules reported in a battle', () => {
  const side = { recoveries: 1, conversions: 1 };
  const trained = { technologies: { trainedArmy: 1 } };

  it('follow its stages', () => {
    const attacker = archers(2, { ...trained, draw: 1, conversions: 1 });
    const defender = archers(3, { ...side, extraDraw: 'max' });
    const script = [draw(1, 1, 0), draw(2, 0, 0), draw(0, 1, 0), draw(0, 2, 0), draw(0, 1, 0)];
    const { reported: shown } = fight({ attacker, defender }, script);
    expect(shown.filter((rule) => rule !== 'cubes')).toEqual([
      'check.failed',
      'check.passed',
      'conversion',
      'draw',
      'draw.extra',
      'redraw',
      'damage',
      'losses',
      'damage.lost',
      'recovery.none',
      'end.defender',
    ]);
  });

  it.each([
    ['end.attacker', [2, 0, 0]],
    ['end.defender', [0, 2, 0]],
    ['end.none', [1, 1, 0]],
  ] as const)('end with %s', (end, cubes) => {
    const { reported: shown } = fight({ attacker: archers(2), defender: archers(2) }, [draw(...cubes)]);
    expect(shown.slice(-1)).toEqual([end]);
  });

  it('include an extra draw and mutual destruction', () => {
    const defender = archers(1, { technologies: { siegeTower: true }, extraDraw: 'max' });
    const { reported: shown } = fight({ attacker: archers(1), defender }, [draw(1, 0, 0), draw(0, 1, 0)]);
    expect(shown).toContain('draw.extra');
    expect(shown.at(-1)).toBe('end.mutual');
  });
});
