/** Attrition, one rule a test: direct and indirect combat. */
import { describe, expect, test } from 'vitest';
import { runScript } from '../../src/analysis/replay.ts';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { direct, indirect, unit, walk } from './attrition-fight.ts';

describe('direct combat', () => {
  test('the worked example: 18 against 12 and 15 against 8', () => {
    const scenario = direct({ hp: 30 }, { hp: 25 });
    // The rolls without their modifiers of +1: attack 18 v defence 12, attack 15 v defence 8.
    const state = walk(scenario, [{ excess: [17, 11] }, { excess: [14, 7] }], 2);
    expect(state).toMatchObject({ round: 1, attacker: 23, defender: 19 });
  });

  test('the fallen still strike in their last round: mutual', () => {
    const script = [{ excess: [20, 10] }, { excess: [20, 10] }] as const;
    expect(runScript(direct({ hp: 5 }, { hp: 5 }), script)).toEqual({
      outcome: 'mutual',
      metrics: { rounds: 1, 'hp.attacker': 0, 'hp.defender': 0 },
    });
  });

  test('damage is never negative and hit points never below 0', () => {
    const script = [{ excess: [3, 30] }, { excess: [30, 3] }] as const;
    expect(runScript(direct({ hp: 5 }, { hp: 5 }), script)).toEqual({
      outcome: 'defender',
      metrics: { rounds: 1, 'hp.attacker': 0, 'hp.defender': 5 },
    });
  });

  test('both modifiers count', () => {
    const state = walk(
      direct({ attack: 4, defense: 3 }, { attack: -2, defense: 1 }),
      [{ excess: [12, 10] }, { excess: [20, 10] }],
      2,
    );
    expect(state).toMatchObject({ defender: 25 - (12 + 4 - 10 - 1), attacker: 25 - (20 - 2 - 10 - 3) });
  });

  test('prey: 15 more, once however many tags match, and only when the hit hurts', () => {
    const hunter = { prey: ['a', 'b'] };
    const prey = { tags: ['a', 'b'], hp: 40 };
    expect(walk(direct(hunter, prey), [{ excess: [11, 10] }], 1)).toMatchObject({ defender: 40 - 1 - 15 });
    expect(walk(direct(hunter, prey), [{ excess: [10, 10] }], 1)).toMatchObject({ defender: 40 });
    expect(walk(direct(prey, hunter), [{ excess: [10, 10] }, { excess: [12, 10] }], 2)).toMatchObject({
      attacker: 40 - 2 - 15,
    });
  });

  test('option preyDamage', () => {
    const scenario = direct({ prey: ['a'] }, { tags: ['a'] }, { preyDamage: 4 });
    expect(walk(scenario, [{ excess: [11, 10] }], 1)).toMatchObject({ defender: 25 - 1 - 4 });
  });

  test('a side without attack does not strike', () => {
    const state = walk(direct({}, { attack: null }), [{ excess: [12, 10] }], 2);
    expect(state).toMatchObject({ round: 1, attacker: 25, defender: 23 });
  });

  test.each([
    ['nobody can attack', { attack: null }, { attack: null }],
    ['armour that nothing gets through', { defense: 28 }, { defense: 28 }],
    ['one cannot attack, the other cannot get through', { attack: null }, { attack: 1, defense: 40 }],
  ])('stalemate at once: %s', (_name, attacker, defender) => {
    const ending = runScript(direct({ defense: 28, ...attacker }, defender), []);
    expect(ending).toEqual({ outcome: 'stalemate', metrics: { rounds: 0, 'hp.attacker': 25, 'hp.defender': 25 } });
  });

  test('one point of reach is enough to go on', () => {
    // Attack at most 30 + 1, defence at least 3 + 27: one point gets through.
    const scenario = direct({}, { defense: 27, attack: null }, { maxRounds: 1 });
    expect(runScript(scenario, [{ excess: [30, 3] }]).metrics).toMatchObject({ rounds: 1, 'hp.defender': 24 });
  });

  test('maxRounds: stalemate with everything as it stands', () => {
    const script = [{ excess: [12, 10] }, { excess: [11, 10] }, { excess: [12, 10] }, { excess: [11, 10] }] as const;
    expect(runScript(direct({}, {}, { maxRounds: 2 }), script)).toEqual({
      outcome: 'stalemate',
      metrics: { rounds: 2, 'hp.attacker': 23, 'hp.defender': 21 },
    });
  });

  test('a victory in the last round allowed is a victory', () => {
    const script = [{ excess: [30, 3] }, { excess: [3, 30] }] as const;
    expect(runScript(direct({}, {}, { maxRounds: 1 }), script).outcome).toBe('attacker');
  });

  test('option dice', () => {
    const scenario = direct({}, {}, { dice: '2d6' });
    expect(() => walk(scenario, [{ excess: [13, 2] }], 1)).toThrow(/2d6/);
    expect(walk(scenario, [{ excess: [12, 2] }], 1)).toMatchObject({ defender: 15 });
  });
});

describe('indirect combat', () => {
  test('the worked example: 22 against 12, and no answer', () => {
    expect(runScript(indirect({}, { ranged: null }), [{ excess: [21, 11] }])).toEqual({
      outcome: 'none',
      metrics: { rounds: 1, 'hp.attacker': 25, 'hp.defender': 15 },
    });
  });

  test('a defender who can shoot fires back at the same time, even if he falls', () => {
    const scenario = indirect({ hp: 9 }, { ranged: 5, hp: 9 });
    expect(runScript(scenario, [{ excess: [20, 10] }, { excess: [20, 10] }]).outcome).toBe('mutual');
  });

  test('indirectDefense and defense protect both; attack does not matter at range', () => {
    const scenario = indirect(
      { attack: 90, defense: 2, indirectDefense: 3, ranged: 4 },
      { ranged: 6, defense: 1, indirectDefense: 5 },
    );
    const { metrics } = runScript(scenario, [{ excess: [15, 10] }, { excess: [20, 10] }]);
    expect(metrics).toMatchObject({
      'hp.defender': 25 - (15 + 4 - 10 - 1 - 5),
      'hp.attacker': 25 - (20 + 6 - 10 - 2 - 3),
    });
  });

  test.each(['forest', 'stronghold', 'capital'])('cover %s stops the first shot but not the answer', (cover) => {
    const { outcome, metrics } = runScript(indirect({}, { ranged: 1 }, { cover }), [{ excess: [12, 10] }]);
    expect([outcome, metrics['hp.defender'], metrics['hp.attacker']]).toEqual(['none', 25, 23]);
  });

  test.each([
    [true, ['stronghold', 'capital']],
    [false, []],
    [[], []],
    [['forest'], ['forest']],
    [
      ['capital', 'forest', 'capital'],
      ['forest', 'capital'],
    ],
    [
      ['capital', 'stronghold', 'forest'],
      ['forest', 'stronghold', 'capital'],
    ],
  ])('bypassesCover: %j bypasses %j', (bypassesCover, covers) => {
    for (const cover of ['none', 'forest', 'stronghold', 'capital']) {
      const scenario = indirect({ bypassesCover }, { ranged: null }, { cover });
      expect(scenario.mode === 'indirect' && scenario.attacker.bypassesCover).toEqual(covers);
      const reaches = cover === 'none' || covers.includes(cover);
      const script: ScriptEntry[] = reaches ? [{ excess: [12, 10] }] : [];
      expect(runScript(scenario, script).metrics['hp.defender']).toBe(reaches ? 23 : 25);
    }
  });

  test('what the defender bypasses does not matter, nor does cover to the answer', () => {
    const scenario = indirect({}, { ranged: 1, bypassesCover: ['forest'] }, { cover: 'forest' });
    const { metrics } = runScript(scenario, [{ excess: [12, 10] }]);
    expect(metrics).toMatchObject({ 'hp.defender': 25, 'hp.attacker': 23 });
  });

  test('option returnFire: false', () => {
    const scenario = indirect({}, { ranged: 1 }, { returnFire: false });
    expect(runScript(scenario, [{ excess: [12, 10] }]).metrics['hp.attacker']).toBe(25);
  });

  test('prey counts in the shot and in return fire', () => {
    const scenario = indirect({ prey: ['x'], tags: ['y'] }, { ranged: 1, prey: ['y'], tags: ['x'] });
    const { metrics } = runScript(scenario, [{ excess: [11, 10] }, { excess: [12, 10] }]);
    expect(metrics).toMatchObject({ 'hp.defender': 25 - 1 - 15, 'hp.attacker': 25 - 2 - 15 });
  });

  test('never a stalemate, however thick the armour', () => {
    expect(runScript(indirect({}, { defense: 100 }), [{ excess: [30, 3] }])).toMatchObject({ outcome: 'none' });
  });

  test('an attacker who cannot shoot is refused', () => {
    expect(() => indirect({ ranged: null }, {})).toThrow(/must shoot/);
  });
});

describe('refused', () => {
  const message = (input: object): string =>
    attrition.schema
      .safeParse(input)
      .error?.issues.map(({ message: text }) => text)
      .join('; ') ?? 'accepted';

  test('two combatants of one name, one party alone, names of outcomes', () => {
    const fighter = { ...unit(), name: 'A', party: 'red' };
    const base = { system: 'attrition', mode: 'mass' };
    expect(message({ ...base, combatants: [fighter, { ...fighter, party: 'blue' }] })).toMatch(/no other combatant/);
    expect(message({ ...base, combatants: [fighter, { ...fighter, name: 'B' }] })).toMatch(/two or more parties/);
    for (const party of ['mutual', 'none', 'stalemate', 'coexist', 'empty']) {
      expect(message({ ...base, combatants: [fighter, { ...fighter, name: 'B', party }] })).toMatch(/outcomes/);
    }
  });
});
