/** Distributions from kernels, compared with the chain of the same model, which shares no code with the kernels. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { solveSync, solveWithBudget } from '../../src/analysis/solve.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { type ExactBudget, FULL_BUDGET } from '../../src/engines/exact/budget.ts';
import { solveInKernel } from '../../src/engines/kernel/kernel-solver.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import type { Attrition } from '../../src/rules/attrition/schema.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import { SystemRegistry } from '../../src/rules/registry.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { System } from '../../src/rules/system.ts';
import { sampleScenarios } from '../arbitraries.ts';
import { DEPTH, some } from '../depth.ts';
import { dealt } from '../systems/phased-dice-dealt.ts';
import { scenario as phasedDiceScenario } from '../systems/phased-dice-fight.ts';
import { duel, expectAnchors } from './anchors.ts';
import { compared, inKernel, isAnswered } from './compared.ts';

describe('kernel of attrition', () => {
  test('equals the chain for every shipped scenario with two sides', { timeout: 60_000 }, async () => {
    const files = readdirSync('scenarios').filter((file) => file.startsWith('attrition-'));
    const scenarios = await Promise.all(files.map((file) => loadScenario(`scenarios/${file}`)));
    const duels = scenarios.filter((scenario) => (scenario as Attrition).mode !== 'mass');
    expect(duels.length).toBeGreaterThanOrEqual(6);
    expect(duels.every((scenario) => compared(scenario))).toBe(true);
  });

  test.runIf(DEPTH > 1).each(['direct', 'indirect'])(
    'equals the chain for generated scenarios, %s',
    { timeout: 120_000 },
    (mode) => {
      const scenarios = sampleScenarios(attrition, mode, 70);
      expect(scenarios.filter((scenario) => compared(scenario)).length).toBeGreaterThanOrEqual(50);
    },
  );

  test.each([
    ['prey on both sides', duel({ prey: ['x'], tags: ['x'] }, { prey: ['x'], tags: ['x'] }, { preyDamage: 3 })],
    ['prey that kills at once', duel({ prey: ['x'] }, { tags: ['x'] }, { preyDamage: 1000 })],
    ['one side without attack', duel({ attack: null }, {})],
    ['blows that always get through', duel({ attack: 40, hp: 40 }, { attack: 29, hp: 50 })],
    ['blows that rarely do', duel({ attack: -20, hp: 3 }, { attack: -19, hp: 3 }, { maxRounds: 200 })],
    ['one hit point', duel({ hp: 1 }, { hp: 1 })],
    ['one die of two faces', duel({}, {}, { dice: '1d2' })],
    ['one round', duel({}, {}, { maxRounds: 1 })],
  ])('equals the chain for %s', (_, scenario) => {
    expect(compared(scenario)).toBe(true);
  });

  test('equals the chain for dice with two faces and 8 to 39 hit points', () => {
    for (let hp = 8; hp < 40; hp++) {
      expect(compared(duel({ attack: 4, hp }, { attack: 3, hp: hp + 7 }, { dice: '1d2' }))).toBe(true);
    }
  });
});

describe('kernel of phased-dice', () => {
  test('equals the chain for every shipped scenario', { timeout: 60_000 }, async () => {
    const files = readdirSync('scenarios').filter((file) => file.startsWith('phased-dice-'));
    const scenarios = await Promise.all(some(files.toReversed()).map((file) => loadScenario(`scenarios/${file}`)));
    expect(scenarios.length).toBeGreaterThanOrEqual(1 + DEPTH);
    expect(scenarios.every((scenario) => compared(scenario))).toBe(true);
  });

  test.runIf(DEPTH > 1)('equals the chain for random scenarios', { timeout: 120_000 }, () => {
    const scenarios = Array.from({ length: 40 * DEPTH }, (_, index) => dealt(index));
    const small: ExactBudget = { steps: 4000, moves: 4_000_000 };
    const affordable = scenarios.filter((scenario) => isAnswered(scenario, { steps: 1e9, moves: 20_000_000 }));
    expect(affordable.filter((scenario) => compared(scenario, small)).length).toBeGreaterThan(13 * DEPTH);
  });

  test('equals the chain for pools of more than 64 dice and dice that always hit', () => {
    const types = { giant: { class: 'infantry', era: 3, dice: 66, hits: 20 }, ace: { class: 'air', era: 6, dice: 3 } };
    const sides = { attacker: { units: { giant: 1, ace: 1 } }, defender: { units: { giant: 1 } } };
    expect(compared(phasedDiceScenario({ unitTypes: types, maxRounds: 1, ...sides }))).toBe(true);
  });

  test('throws a BudgetError if the moves exceed the budget', async () => {
    const ground = await loadScenario('scenarios/phased-dice-ground.yaml');
    expect(() => inKernel(ground, { steps: 1e9, moves: 10_000 })).toThrow(
      /more than the budget of 20 steps: .* about 1 second and \d+ MB$/,
    );
  });
});

describe('kernel of cube-bag', () => {
  test('equals the chain for every shipped scenario except cube-bag-preachers', { timeout: 60_000 }, async () => {
    const files = readdirSync('scenarios').filter(
      (file) => file.startsWith('cube-bag-') && !file.includes('preachers'),
    );
    const scenarios = await Promise.all(some(files).map((file) => loadScenario(`scenarios/${file}`)));
    expect(scenarios.length).toBeGreaterThanOrEqual(2 + DEPTH);
    expect(scenarios.every((scenario) => compared(scenario))).toBe(true);
  });

  test.runIf(DEPTH > 1)('equals the chain for generated scenarios', { timeout: 120_000 }, () => {
    const answered = sampleScenarios(cubeBag, undefined, 40 * DEPTH).filter((scenario) =>
      isAnswered(scenario, FULL_BUDGET),
    );
    expect(answered.filter((scenario) => compared(scenario)).length).toBeGreaterThanOrEqual(6 * DEPTH);
  });

  test('returns undefined repeatedly for battles with too many draws', async () => {
    const preachers = await loadScenario('scenarios/cube-bag-preachers.yaml');
    const siege = await loadScenario('scenarios/cube-bag-siege.yaml');
    const before = inKernel(siege)?.distribution;
    expect(inKernel(preachers)).toBeUndefined();
    expect(inKernel(preachers)).toBeUndefined();
    expect(inKernel(siege)?.distribution).toEqual(before);
    expect(compared(siege)).toBe(true);
  });
});

describe('kernel solver', () => {
  test('returns the same result after other scenarios were solved', () => {
    const small = duel({ hp: 3 }, { hp: 2 }, { maxRounds: 2 });
    const before = inKernel(small);
    inKernel(duel({ hp: 400 }, { hp: 500 }));
    expect(inKernel(small)).toEqual(before);
  });

  test('returns the known answer for 30 hit points against 25', () => {
    const { summary, truncated: lost, states, steps } = solveSync(duel({}, {}));
    expectAnchors(summary, lost);
    // 0..30 and 0..25 hit points, with 28 different damage values each.
    expect([states, steps]).toEqual([57, 57 * 28]);
  });

  test('returns a distribution that sums to 1 for thousands of hit points', () => {
    const { distribution: exactDistribution, truncated: lost } = solveSync(duel({ hp: 5000 }, { hp: 5001 }));
    expect(exactDistribution.outcomes.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    for (const { counts } of exactDistribution.metrics)
      expect(counts.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    expect(lost).toBeLessThan(1e-15);
    expect(exactDistribution.outcomes[1]).toBeGreaterThan(exactDistribution.outcomes[0] ?? 1);
  });

  test('throws a BudgetError if steps or moves exceed the budget', () => {
    const huge = duel({ hp: 100_000 }, { hp: 100_000 });
    const act = (budget: ExactBudget) => () => solveWithBudget(huge, budget);
    expect(act({ steps: 1e9, moves: 1e6 })).toThrow(BudgetError);
    expect(act({ steps: 1e9, moves: 1e6 })).toThrow(
      /more than the budget of 2 000 steps: about 200 000 states and 6 500 000 steps or more are expected, about 2 seconds/,
    );
    expect(() => solveWithBudget(duel({}, {}), { steps: 1000, moves: 1e9 })).toThrow(
      'more than the budget of 1 000 steps',
    );
  });

  test('returns undefined for a system without a kernel', () => {
    const { id, title, about, schema, decisions, rules: reported, examples } = attrition;
    const model = (scenario: Attrition) => attrition.model(scenario);
    const rules: System<Attrition> = { id, title, about, schema, decisions, rules: reported, examples, model };
    const scenario = validateScenario(duel({}, {}), { systems: new SystemRegistry([rules]) });
    expect(solveInKernel(getBoundScenario(scenario), FULL_BUDGET)).toBeUndefined();
  });

  test('returns undefined for a shipped scenario that it cannot solve', async () => {
    expect(inKernel(await loadScenario('scenarios/token-conflict-open.yaml'))).toBeUndefined();
  });
});
