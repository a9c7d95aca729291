import { describe, expect, test } from 'vitest';
import { BudgetError } from '../../src/core/errors.ts';
import { estimateChainSize } from '../../src/engines/exact/chain-size.ts';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { createCountsShape } from '../../src/stats/counts.ts';
import { summarizeDistribution } from '../../src/stats/summary.ts';
import { duel, expectAnchors } from './anchors.ts';

const answer = (scenario: ReturnType<typeof duel>) => {
  const model = attrition.model(scenario);
  const exact = solveModel(model);
  return {
    ...exact,
    shape: createCountsShape(model),
    summary: summarizeDistribution(createCountsShape(model), exact.distribution, exact.lost),
  };
};

describe('known answers of attrition with 3d10 and all modifiers +1', () => {
  test('30 hit points against 25', () => {
    const { summary, lost } = answer(duel({}, {}));
    expectAnchors(summary, lost);
  });

  test('one round: no damage with probability 0.527626, mean 2.826846, maximum 27', () => {
    const { summary } = answer(duel({ hp: 100 }, { hp: 100 }, { maxRounds: 1 }));
    const left = summary.metrics[2];
    expect(left?.histogram.at(-1)).toEqual([100, expect.closeTo(0.527626, 12)]);
    expect(100 - (left?.mean ?? 0)).toBeCloseTo(2.826846, 12);
    expect(left?.min).toBe(100 - 27);
  });
});

interface Fighter {
  readonly attack: number;
  readonly defense: number;
  readonly hp: number;
  readonly bonus: number;
}

/** Enumerates all rolls of a duel with 1d2 by recursion, independently of the solver. */
function bruteForce(a: Fighter, b: Fighter, maxRounds: number): Map<string, number> {
  const exactDistribution = new Map<string, number>();
  const faces = [1, 2];
  const damage = (from: Fighter, to: Fighter, attack: number, defence: number): number => {
    const through = attack + from.attack - defence - to.defense;
    return through >= 1 ? through + from.bonus : 0;
  };
  const visit = (round: number, hpA: number, hpB: number, p: number): void => {
    if (hpA <= 0 || hpB <= 0 || round === maxRounds) {
      const name = [round, Math.max(0, hpA), Math.max(0, hpB)].join();
      exactDistribution.set(name, (exactDistribution.get(name) ?? 0) + p);
      return;
    }
    for (const x of faces) {
      for (const y of faces) {
        for (const u of faces) {
          for (const v of faces) visit(round + 1, hpA - damage(b, a, u, v), hpB - damage(a, b, x, y), p / 16);
        }
      }
    }
  };
  visit(0, a.hp, b.hp, 1);
  return exactDistribution;
}

describe('solveModel equals brute force', () => {
  const plain = { attack: 1, defense: 1, hp: 2, bonus: 0 };
  test.each([
    [plain, { ...plain, hp: 1 }],
    [
      { ...plain, attack: 2 },
      { ...plain, hp: 3 },
    ],
    [
      { ...plain, hp: 3, bonus: 2 },
      { ...plain, hp: 4 },
    ],
  ])('for 1d2 duels of at most four rounds (%#)', (a, b) => {
    const { bonus, ...attacker } = a;
    const { bonus: _none, ...defender } = b;
    const hunt = bonus > 0 ? { prey: ['x'] } : {};
    const options = { dice: '1d2', maxRounds: 4, preyDamage: bonus };
    const { summary } = answer(duel({ ...attacker, ...hunt }, { ...defender, tags: ['x'] }, options));
    const brute = bruteForce(a, b, 4);
    expect([...brute.values()].reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    for (const [m, column] of summary.metrics.entries()) {
      const counted = new Map<number, number>();
      for (const [name, p] of brute) {
        const value = Number(name.split(',')[m]);
        counted.set(value, (counted.get(value) ?? 0) + p);
      }
      expect(column.histogram).toHaveLength(counted.size);
      for (const [value, p] of column.histogram) expect(p).toBeCloseTo(counted.get(value) ?? -1, 12);
    }
  });
});

describe('limits of solveModel', () => {
  test('battles stop at maxRounds as stalemates without lost mass', () => {
    const { summary, lost } = answer(duel({}, {}, { maxRounds: 3 }));
    expect(lost).toBe(0);
    expect(summary.outcomes.reduce((sum, { p }) => sum + p, 0)).toBeCloseTo(1, 14);
    expect(summary.outcomes[3]?.p).toBeGreaterThan(0.9);
    expect(summary.metrics[0]?.max).toBe(3);
  });

  test('lost mass is reported as an error of mean and variance of rounds', () => {
    // One hit point and no counterattack: the number of rounds until the first hit has a geometric distribution.
    const missed = [6, 12, 15].map((defense) => {
      const { lost, summary } = answer(duel({ hp: 1 }, { attack: null, hp: 1, defense }));
      const [rounds] = summary.metrics;
      if (rounds === undefined) throw new Error('a duel has rounds');
      const { mean, variance, error, histogram } = rounds;
      const p = histogram[0]?.[1] ?? 0;
      expect(lost).toBeGreaterThan(0);
      expect(error).toEqual({ mean: lost * 10_000, variance: lost * 1e8 });
      const off = Math.abs(variance - (1 - p) / p ** 2);
      expect(Math.abs(mean - 1 / p)).toBeLessThan(lost * 10_000);
      expect(off).toBeLessThan(lost * 1e8);
      return off / variance;
    });
    // The deviation is larger than rounding errors.
    expect(Math.max(...missed)).toBeGreaterThan(1e-13);
  });

  test('an immediate stalemate has no rounds', () => {
    const { summary, states } = answer(duel({ attack: null }, { attack: null }));
    expect(summary.outcomes[3]?.p).toBe(1);
    expect(summary.metrics[0]?.max).toBe(0);
    expect(states).toBe(1);
  });

  test('a chain larger than the budget is rejected with its number of states', () => {
    const model = attrition.model(duel({}, {}));
    const act = () => solveModel(model, { steps: 10_000, moves: 1e9 });
    expect(act).toThrow(BudgetError);
    expect(act).toThrow(/budget of 10 000 steps: [\d ]+ states were found/);
  });

  test('estimateChainSize is between 60 % and 105 % of the true size', () => {
    const model = attrition.model(duel({}, {}));
    const { states, steps } = solveModel(model);
    const size = estimateChainSize(model);
    expect(size.states).toBeGreaterThan(0.6 * states);
    expect(size.states).toBeLessThan(1.05 * states);
    expect(size.steps).toBeGreaterThan(0.6 * steps);
    expect(size.steps).toBeLessThan(1.05 * steps);
    expect(estimateChainSize(model)).toEqual(size);
  });

  test('a chain far above the budget is rejected early, with its expected size', () => {
    const combatants = ['a', 'b', 'c'].map((name) => ({ name, party: name, attack: 1, defense: 1, hp: 25 }));
    const model = attrition.model(attrition.schema.parse({ system: 'attrition', mode: 'mass', combatants }));
    let steps = 0;
    const counted: typeof model = {
      ...model,
      step(state, chance) {
        steps++;
        return model.step(state, chance);
      },
    };
    expect(() => solveModel(counted)).toThrow(/about [\d ]+ states and [\d ]+ steps or more are expected/);
    expect(steps).toBeLessThan(200_000);
  });

  test('a model with a known minimum above the budget is rejected without a step', () => {
    const combatants = ['a', 'b', 'c', 'd'].map((name) => ({ name, party: name, attack: 1, defense: 1, hp: 25 }));
    const scenario = attrition.schema.parse({ system: 'attrition', mode: 'mass', combatants });
    const model = { ...attrition.model(scenario), step: () => expect.fail('a step was taken') };
    expect(() => solveModel(model)).toThrow(/at least 17 210 368 steps/);
  });

  test('leastSteps of a model is a lower bound of the steps', () => {
    const combatants = ['a', 'b'].map((name) => ({ name, party: name, attack: 1, defense: 1, hp: 2 }));
    const scenario = attrition.schema.parse({
      system: 'attrition',
      mode: 'mass',
      combatants,
      dice: '1d3',
      maxRounds: 2,
    });
    const model = attrition.model(scenario);
    expect(model.leastSteps).toBe(27);
    expect(solveModel(model).steps).toBeGreaterThanOrEqual(27);
  });

  test('a solution with more moves than the budget is rejected with the current round', () => {
    const model = attrition.model(duel({}, {}));
    expect(() => solveModel(model, { steps: 1e6, moves: 1e5 })).toThrow(
      /more than the budget of 200 steps: .* in round \d+/,
    );
  });
});
