/** Attrition, one rule per test: direct and indirect combat. */
import { describe, expect, test } from 'vitest';
import { runScript } from '../../src/analysis/replay.ts';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { direct, indirect, unit, walk } from './attrition-fight.ts';

describe('direct combat', () => {
  test('equals the worked example: 18 against 12 and 15 against 8', () => {
    const scenario = direct({ hp: 30 }, { hp: 25 });
    // Rolls without their modifiers of +1: attack 18 against defense 12, attack 15 against defense 8.
    const state = walk(scenario, [{ excess: [17, 11] }, { excess: [14, 7] }], 2);
    expect(state).toMatchObject({ round: 1, attacker: 23, defender: 19 });
  });

  test('a destroyed side still attacks in its last round: outcome mutual', () => {
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

  test('adds the attack and defense modifiers', () => {
    const state = walk(
      direct({ attack: 4, defense: 3 }, { attack: -2, defense: 1 }),
      [{ excess: [12, 10] }, { excess: [20, 10] }],
      2,
    );
    expect(state).toMatchObject({ defender: 25 - (12 + 4 - 10 - 1), attacker: 25 - (20 - 2 - 10 - 3) });
  });

  test('adds 15 prey damage once, for any number of matching tags, to hits that hurt', () => {
    const hunter = { prey: ['a', 'b'] };
    const prey = { tags: ['a', 'b'], hp: 40 };
    expect(walk(direct(hunter, prey), [{ excess: [11, 10] }], 1)).toMatchObject({ defender: 40 - 1 - 15 });
    expect(walk(direct(hunter, prey), [{ excess: [10, 10] }], 1)).toMatchObject({ defender: 40 });
    expect(walk(direct(prey, hunter), [{ excess: [10, 10] }, { excess: [12, 10] }], 2)).toMatchObject({
      attacker: 40 - 2 - 15,
    });
  });

  test('adds the prey damage of option preyDamage', () => {
    const scenario = direct({ prey: ['a'] }, { tags: ['a'] }, { preyDamage: 4 });
    expect(walk(scenario, [{ excess: [11, 10] }], 1)).toMatchObject({ defender: 25 - 1 - 4 });
  });

  test('a side without attack deals no damage', () => {
    const state = walk(direct({}, { attack: null }), [{ excess: [12, 10] }], 2);
    expect(state).toMatchObject({ round: 1, attacker: 25, defender: 23 });
  });

  test.each([
    ['nobody can attack', { attack: null }, { attack: null }],
    ['armour that nothing gets through', { defense: 28 }, { defense: 28 }],
    ['one cannot attack, the other cannot get through', { attack: null }, { attack: 1, defense: 40 }],
  ])('ends in a stalemate at once: %s', (_name, attacker, defender) => {
    const ending = runScript(direct({ defense: 28, ...attacker }, defender), []);
    expect(ending).toEqual({ outcome: 'stalemate', metrics: { rounds: 0, 'hp.attacker': 25, 'hp.defender': 25 } });
  });

  test('continues if one point of damage is possible', () => {
    // Attack at most 30 + 1, defense at least 3 + 27: one point gets through.
    const scenario = direct({}, { defense: 27, attack: null }, { maxRounds: 1 });
    expect(runScript(scenario, [{ excess: [30, 3] }]).metrics).toMatchObject({ rounds: 1, 'hp.defender': 24 });
  });

  test('ends in a stalemate after maxRounds with the current hit points', () => {
    const script = [{ excess: [12, 10] }, { excess: [11, 10] }, { excess: [12, 10] }, { excess: [11, 10] }] as const;
    expect(runScript(direct({}, {}, { maxRounds: 2 }), script)).toEqual({
      outcome: 'stalemate',
      metrics: { rounds: 2, 'hp.attacker': 23, 'hp.defender': 21 },
    });
  });

  test('ends with a victory in the last allowed round', () => {
    const script = [{ excess: [30, 3] }, { excess: [3, 30] }] as const;
    expect(runScript(direct({}, {}, { maxRounds: 1 }), script).outcome).toBe('attacker');
  });

  test('rolls the dice of option dice', () => {
    const scenario = direct({}, {}, { dice: '2d6' });
    expect(() => walk(scenario, [{ excess: [13, 2] }], 1)).toThrow(/2d6/);
    expect(walk(scenario, [{ excess: [12, 2] }], 1)).toMatchObject({ defender: 15 });
  });
});

describe('indirect combat', () => {
  test('equals the worked example: 22 against 12, without return fire', () => {
    expect(runScript(indirect({}, { ranged: null }), [{ excess: [21, 11] }])).toEqual({
      outcome: 'none',
      metrics: { rounds: 1, 'hp.attacker': 25, 'hp.defender': 15 },
    });
  });

  test('a defender who can shoot returns fire at the same time, even if destroyed', () => {
    const scenario = indirect({ hp: 9 }, { ranged: 5, hp: 9 });
    expect(runScript(scenario, [{ excess: [20, 10] }, { excess: [20, 10] }]).outcome).toBe('mutual');
  });

  test('adds indirectDefense to defense and ignores attack', () => {
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

  test.each(['forest', 'stronghold', 'capital'])('cover %s stops the first shot but not the return fire', (cover) => {
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

  test('ignores bypassesCover of the defender, and cover against the return fire', () => {
    const scenario = indirect({}, { ranged: 1, bypassesCover: ['forest'] }, { cover: 'forest' });
    const { metrics } = runScript(scenario, [{ excess: [12, 10] }]);
    expect(metrics).toMatchObject({ 'hp.defender': 25, 'hp.attacker': 23 });
  });

  test('has no return fire with option returnFire false', () => {
    const scenario = indirect({}, { ranged: 1 }, { returnFire: false });
    expect(runScript(scenario, [{ excess: [12, 10] }]).metrics['hp.attacker']).toBe(25);
  });

  test('adds prey damage to the shot and to the return fire', () => {
    const scenario = indirect({ prey: ['x'], tags: ['y'] }, { ranged: 1, prey: ['y'], tags: ['x'] });
    const { metrics } = runScript(scenario, [{ excess: [11, 10] }, { excess: [12, 10] }]);
    expect(metrics).toMatchObject({ 'hp.defender': 25 - 1 - 15, 'hp.attacker': 25 - 2 - 15 });
  });

  test('never ends in a stalemate, even with a high defense', () => {
    expect(runScript(indirect({}, { defense: 100 }), [{ excess: [30, 3] }])).toMatchObject({ outcome: 'none' });
  });

  test('an attacker who cannot shoot is rejected', () => {
    expect(() => indirect({ ranged: null }, {})).toThrow(/must shoot/);
  });
});

describe('mass combat scenarios', () => {
  const message = (input: object): string =>
    attrition.schema
      .safeParse(input)
      .error?.issues.map(({ message: text }) => text)
      .join('; ') ?? 'accepted';

  test('are rejected with duplicate names, one party, or a party named like an outcome', () => {
    const fighter = { ...unit(), name: 'A', party: 'red' };
    const base = { system: 'attrition', mode: 'mass' };
    expect(message({ ...base, combatants: [fighter, { ...fighter, party: 'blue' }] })).toMatch(/no other combatant/);
    expect(message({ ...base, combatants: [fighter, { ...fighter, name: 'B' }] })).toMatch(/two or more parties/);
    for (const party of ['mutual', 'none', 'stalemate', 'coexist', 'empty']) {
      expect(message({ ...base, combatants: [fighter, { ...fighter, name: 'B', party }] })).toMatch(/outcomes/);
    }
  });
});
