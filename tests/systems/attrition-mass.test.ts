/** Attrition, one rule per test: mass combat of everyone against everyone. */
import { describe, expect, test } from 'vitest';
import { runScript } from '../../src/analysis/replay.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { mass, walk } from './attrition-fight.ts';

describe('mass combat', () => {
  /** Returns the script of a round: all defense rolls come before all attack rolls. */
  const rolls = (defences: number[], attacks: number[]): ScriptEntry[] =>
    [...defences, ...attacks].map((sum) => ({ sum }));

  test('divides damage by n - 1 and rounds down, with one attack roll against all', () => {
    const scenario = mass([{}, {}, {}]);
    const state = walk(scenario, rolls([10, 11, 12], [25, 10, 10]), 6);
    // 25 + 1 against 11 + 1 and 12 + 1: 14 / 2 = 7, 13 / 2 = 6.
    expect(state).toMatchObject({ round: 1, hp: [25, 18, 19] });
  });

  test.each([
    // Three alive, divided by 2: excesses of 3 and 4, of 1 and 2, of 0 and 1.
    ['floor', [14, 10, 10], [25, 25 - 1, 25 - 2], 2],
    ['nearest', [14, 10, 10], [25, 25 - 2, 25 - 2], 2],
    ['floor', [12, 10, 10], [25, 25, 25 - 1], 2],
    ['nearest', [12, 10, 10], [25, 25 - 1, 25 - 1], 2],
    ['nearest', [11, 10, 10], [25, 25, 25 - 1], 2],
  ])('rounds damage by massRounding %s (nearest rounds halves up)', (massRounding, attacks, hp) => {
    const state = walk(mass([{}, {}, {}], { massRounding }), rolls([10, 11, 10], attacks), 6);
    expect(state).toMatchObject({ hp });
  });

  test('rounds thirds to the nearest point with massRounding nearest', () => {
    const scenario = mass([{}, {}, {}], { massRounding: 'nearest', massDivisor: 'n' });
    // Excesses of 4 and 5: 1.33 and 1.67.
    expect(walk(scenario, rolls([10, 11, 10], [15, 10, 10]), 6)).toMatchObject({ hp: [25, 24, 23] });
    expect(walk(scenario, rolls([10, 11, 10], [12, 10, 10]), 6)).toMatchObject({ hp: [25, 25, 24] });
  });

  test('adds prey damage to a hit that massRounding nearest rounds up to 1', () => {
    const scenario = mass([{ prey: ['x'] }, { tags: ['x'] }, {}], { massRounding: 'nearest' });
    expect(walk(scenario, rolls([10, 10, 20], [11, 10, 10]), 6)).toMatchObject({ hp: [25, 25 - 1 - 15, 25] });
    expect(walk(scenario, rolls([10, 10, 20], [10, 10, 10]), 6)).toMatchObject({ hp: [25, 25, 25] });
  });

  test('has no stalemate with massRounding nearest while half a point of damage is possible', () => {
    // 27 + 1 - 27 = 1 point before the division by two, which leaves half a point.
    const armour = [{ defense: 27 }, { defense: 27 }, { defense: 27 }];
    expect(runScript(mass(armour), []).outcome).toBe('stalemate');
    const nearest = mass(armour, { massRounding: 'nearest', maxRounds: 1 });
    const { metrics } = runScript(nearest, rolls([3, 3, 3], [30, 3, 3]));
    expect(metrics).toMatchObject({ rounds: 1, 'hp.u0': 25, 'hp.u1': 24, 'hp.u2': 24 });
    expect(runScript(mass(armour, { massRounding: 'nearest', massDivisor: 'n' }), []).outcome).toBe('stalemate');
  });

  test('divides damage by n with option massDivisor n', () => {
    const state = walk(mass([{}, {}, {}], { massDivisor: 'n' }), rolls([10, 11, 12], [25, 10, 10]), 6);
    expect(state).toMatchObject({ hp: [25, 25 - 4, 25 - 4] });
  });

  test('equals direct combat for two combatants with divisor n - 1', () => {
    const state = walk(mass([{ hp: 30 }, {}]), rolls([7, 11], [17, 14]), 4);
    expect(state).toMatchObject({ hp: [23, 19] });
  });

  test('members of one party do not attack each other but count as combatants', () => {
    const scenario = mass([{ party: 'red' }, { party: 'red' }, { party: 'blue' }]);
    const state = walk(scenario, rolls([10, 10, 10], [20, 22, 10]), 6);
    expect(state).toMatchObject({ hp: [25, 25, 25 - 5 - 6] });
  });

  test('adds undivided prey damage if the divided damage is at least 1', () => {
    const scenario = mass([{ prey: ['x'] }, { tags: ['x'] }, { tags: ['x'] }]);
    const state = walk(scenario, rolls([10, 10, 11], [12, 10, 10]), 6);
    // 12 against 10: 1 + 15; 12 against 11: floor(1 / 2) = 0 and no prey.
    expect(state).toMatchObject({ hp: [25, 25 - 16, 25] });
  });

  test('applies all damage of a round at once: destroyed combatants still attack', () => {
    const scenario = mass([{ hp: 1 }, { hp: 1 }, { hp: 1 }]);
    const ending = runScript(scenario, rolls([10, 10, 10], [20, 20, 20]));
    expect(ending).toMatchObject({ outcome: 'mutual', metrics: { rounds: 1, 'hp.u0': 0, 'survivors.p1': 0 } });
  });

  test('reduces the divisor with destroyed combatants, who neither roll nor are hit', () => {
    const scenario = mass([{}, { hp: 1 }, {}]);
    const script = [...rolls([10, 10, 10], [20, 10, 10]), ...rolls([10, 10], [20, 10])];
    const state = walk(scenario, script, 12);
    // Round 1 divides by 2: 5 each. Round 2 divides by 1: 10.
    expect(state).toMatchObject({ hp: [25, 0, 25 - 5 - 10] });
  });

  test('ends with the last surviving party as the outcome', () => {
    const scenario = mass([{ party: 'red', hp: 1 }, { party: 'red' }, { party: 'blue', hp: 1 }]);
    const ending = runScript(scenario, rolls([10, 10, 10], [20, 20, 20]));
    expect(ending).toEqual({
      outcome: 'red',
      metrics: { rounds: 1, 'hp.u0': 0, 'hp.u1': 20, 'hp.u2': 0, 'survivors.red': 1, 'survivors.blue': 0 },
    });
  });

  test('a combatant without attack only defends', () => {
    const state = walk(mass([{ attack: null }, {}, {}]), rolls([10, 10, 10], [20, 10]), 6);
    expect(state).toMatchObject({ hp: [20, 25, 20] });
  });

  test('ends in a stalemate at once if no divided damage can reach 1', () => {
    // 27 + 1 - 1 - 26 = 1 point gets through undivided, but not after the division by two.
    expect(runScript(mass([{ defense: 27 }, { defense: 27 }, { defense: 27 }]), []).outcome).toBe('stalemate');
    const two = mass([{ defense: 27 }, { defense: 27 }], { maxRounds: 1 });
    expect(runScript(two, rolls([3, 3], [30, 3])).metrics).toMatchObject({ rounds: 1, 'hp.u0': 25, 'hp.u1': 24 });
  });

  test('ends in a stalemate later if the survivors cannot hurt each other', () => {
    const scenario = mass([{ attack: null }, { attack: null }, { hp: 1 }, { hp: 1 }]);
    const ending = runScript(scenario, rolls([10, 10, 10, 10], [13, 13]));
    expect(ending.metrics).toMatchObject({ rounds: 1, 'hp.u0': 23, 'hp.u1': 23, 'hp.u2': 0, 'hp.u3': 0 });
    expect(ending.outcome).toBe('stalemate');
  });
});

describe('mutual destruction, by the rule text much likelier in mass than in direct combat', () => {
  const unit = { attack: 1, defense: 1, hp: 25 };
  const mutual = (fields: object): number => {
    const scenario = validateScenario({ system: 'attrition', ...fields });
    return solveSync(scenario).summary.outcomes.find(({ name }) => name === 'mutual')?.p ?? Number.NaN;
  };
  const combatants = ['a', 'b', 'c'].map((name) => ({ ...unit, name, party: name }));

  test.runIf(DEPTH > 1)('is likelier with massDivisor n - 1, but not with n', () => {
    expect(mutual({ mode: 'direct', attacker: unit, defender: unit })).toBeCloseTo(0.06694, 6);
    expect(mutual({ mode: 'mass', combatants })).toBeCloseTo(0.103806, 6);
    expect(mutual({ mode: 'mass', combatants, massDivisor: 'n' })).toBeCloseTo(0.064379, 6);
  });
});
