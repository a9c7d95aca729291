/**
 * Tests of the cost model: costs of earlier scenarios predict the next one. This saves explorations and never changes a
 * battle.
 */
import { describe, expect, test, vi } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { d } from '../../src/core/distributions/index.ts';
import { compileAutomaton, compileAutomatonAsync } from '../../src/engines/automaton/compile.ts';
import { chooseEngine, createCompileLimits } from '../../src/engines/pool/choose-engine.ts';
import { CostModel, clearCostSamples } from '../../src/engines/pool/cost-model.ts';
import { type BoundScenario, getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { type Battle, createModel, type Phase } from '../../src/rules/custom/battle.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import { setFields } from '../../src/rules/scenario/set-fields.ts';
import type { Scenario, System } from '../../src/rules/system.ts';

/** Creates a system without samples. */
const unknown = (): System => ({}) as System;

const outlook = (system: System, scenario: object): CostModel =>
  new CostModel({ system, scenario: scenario as Scenario } satisfies Pick<BoundScenario, 'system' | 'scenario'>);

describe('the predicted cost of an exploration', () => {
  test('is 0 without samples, and equals the measured cost for the same numbers', () => {
    const system = unknown();
    expect(outlook(system, { hp: 8 }).expected).toEqual({ steps: 0, seconds: 0 });
    outlook(system, { hp: 8 }).addSample({ steps: 500, seconds: 2 }, false);
    expect(outlook(system, { hp: 8 }).expected).toEqual({ steps: 500, seconds: 2 });
  });

  test('decreases with the distance of the numbers, and doubles for an unfinished exploration', () => {
    const system = unknown();
    outlook(system, { hp: 8, bonus: 0 }).addSample({ steps: 500, seconds: 2 }, true);
    expect(outlook(system, { hp: 10, bonus: 0 }).expected.steps).toBeCloseTo(500 * Math.exp(-0.2), 9);
    expect(outlook(system, { hp: 8, bonus: 1 }).expected.seconds).toBeCloseTo(2 / Math.E, 9);
    outlook(system, { hp: 10, bonus: 0 }).addSample({ steps: 100, seconds: 1 }, false);
    expect(outlook(system, { hp: 9, bonus: 0 }).expected.steps).toBeCloseTo(200 * Math.exp(-0.1), 9);
  });

  test('depends on the texts of the scenario and on the system object', () => {
    const system = unknown();
    outlook(system, { mode: 'mass', hp: 8 }).addSample({ steps: 500, seconds: 2 }, true);
    expect(outlook(system, { mode: 'direct', hp: 8 }).expected.steps).toBe(0);
    expect(outlook(unknown(), { mode: 'mass', hp: 8 }).expected.steps).toBe(0);
  });

  test('uses only the latest samples', () => {
    const system = unknown();
    for (let hp = 1; hp <= 9; hp++) outlook(system, { hp }).addSample({ steps: 1000 * hp, seconds: 1 }, true);
    expect(outlook(system, { hp: 9 }).expected.steps).toBe(9000);
    expect(outlook(system, { hp: 1 }).expected.steps).toBeCloseTo(2000 * Math.exp(-0.5), 9);
  });
});

describe('exploring the rules', () => {
  test('requests the time limit once, after the free steps', async () => {
    const systems = await loadSystems(['examples/games/conquest-dice.mjs']);
    const { model } = getBoundScenario(await loadScenario('examples/games/conquest-dice-siege.yaml', { systems }));
    const requested = vi.fn(() => 60);
    const explored = await compileAutomatonAsync(model, { steps: 10 ** 6, freeSteps: 10 ** 5, seconds: requested });
    expect(requested).not.toHaveBeenCalled();
    await compileAutomatonAsync(model, { steps: 10 ** 6, freeSteps: 100, seconds: requested });
    expect(requested).toHaveBeenCalledTimes(1);
    expect(explored.seconds).toBeGreaterThan(0);
  });

  test('explores the results of a draw once, also after a long sequence of states', () => {
    interface Row {
      readonly left: number;
      readonly hits: number;
    }
    const row: Battle<Row> = {
      outcomes: ['won', 'lost'],
      start: (chance) => ({ left: chance.sample(d(2)) === 1 ? 6 : 7, hits: 0 }),
      round: [
        ...Array.from({ length: 7 }, (): Phase<Row> => (state) => ({ ...state, left: Math.max(0, state.left - 1) })),
        (state, chance) => ({ ...state, hits: chance.sample(d(100)) }),
      ],
      outcome: ({ hits }) => (hits === 0 ? undefined : hits > 50 ? 'won' : 'lost'),
    };
    expect(compileAutomaton(createModel(row, 9), 10 ** 4)?.steps).toBeLessThan(150);
  });

  test('has no more free steps than battles per thread', () => {
    const allowed = [10, 10 ** 6].map((battles) => createCompileLimits(() => 0.5, battles, 2));
    expect(allowed.map(({ freeSteps: free, seconds }) => [free, seconds?.()])).toEqual([
      [5, 1.25],
      [2000, 125_000],
    ]);
  });

  test('is skipped for a scenario similar to one that was too large', async () => {
    clearCostSamples();
    const base = await loadScenario('scenarios/token-conflict-sieges.yaml');
    const stepsOf = async (stock: number, battles: number): Promise<number> => {
      const scenario = setFields(base, [['players.egypt.stock', stock]], 'a cell');
      const step = vi.spyOn(getBoundScenario(scenario).model, 'step');
      await chooseEngine({ engine: 'kernel', scenario, seed: 1n, from: 0, to: battles });
      return step.mock.calls.length;
    };
    expect(await stepsOf(20, 10_000)).toBeGreaterThan(300);
    expect(await stepsOf(21, 10_000)).toBe(0);
    // The rules are explored again for another number of battles, and for distant numbers.
    expect(await stepsOf(21, 10 ** 6)).toBeGreaterThan(300);
    expect(await stepsOf(1, 10_000)).toBeGreaterThan(300);
    clearCostSamples();
    expect(await stepsOf(21, 10_000)).toBeGreaterThan(300);
  });
});

/** Loads cells of several systems. */
async function cells(): Promise<Scenario[]> {
  const systems = await loadSystems(['examples/games/conquest-dice.mjs']);
  const [bag, cards, tokens, brawl, raid, dice] = await Promise.all([
    loadScenario('scenarios/cube-bag-siege.yaml'),
    loadScenario('scenarios/strength-cards-land.yaml'),
    loadScenario('scenarios/token-conflict-sieges.yaml'),
    loadScenario('scenarios/attrition-brawl.yaml'),
    loadScenario('scenarios/phased-dice-air-raid.yaml'),
    loadScenario('examples/games/conquest-dice-siege.yaml', { systems }),
  ]);
  const varied = (base: Scenario, path: string, values: readonly number[]): Scenario[] =>
    values.map((value) => setFields(base, [[path, value]], 'a cell'));
  return [
    ...varied(bag, 'attacker.armies[0].units.spearman', [2, 3, 9]),
    ...varied(cards, 'defender.units[0].hp', [1, 2, 5]),
    ...varied(tokens, 'players.egypt.stock', [6, 7, 20]),
    ...varied(brawl, 'combatants[0].hp', [1, 2, 7]),
    ...varied(raid, 'defender.units.rifleman', [1, 2, 7]),
    ...varied(dice, 'attacker', [2, 5, 12]),
  ];
}

test('cells have the digests of the reference rules in any order of simulation', async () => {
  const all = await cells();
  const digests = async (scenarios: readonly Scenario[], battles: number, engine: 'kernel' | 'reference') => {
    const found = new Map<Scenario, string>();
    for (const scenario of scenarios)
      found.set(scenario, (await simulate(scenario, { battles, seed: 5, engine, workers: 1 })).digest);
    return all.map((scenario) => found.get(scenario));
  };
  const due = await digests(all, 400, 'reference');
  const inTurns = all.toSorted((a, b) => (all.indexOf(a) % 3) - (all.indexOf(b) % 3));
  for (const order of [all, all.toReversed(), inTurns]) expect(await digests(order, 400, 'kernel')).toEqual(due);
  // Enough battles to compile most cells.
  const long = await digests(all, 20_000, 'kernel');
  clearCostSamples();
  expect(await digests(inTurns.toReversed(), 20_000, 'kernel')).toEqual(long);
  expect(await digests(inTurns, 400, 'kernel')).toEqual(due);
});

test('cube-bag with equal sides has the same digest with automaton and reference rules', async () => {
  const scenario = validateScenario({
    system: 'cube-bag',
    unitTypes: { cavalryman: { hp: 2 } },
    attacker: { armies: [{ units: { spearman: 4 } }] },
    defender: { armies: [{ units: { cavalryman: 4 } }], extraDraw: 'max' },
  });
  const engines = ['automaton', 'reference'] as const;
  const simulated = engines.map((engine) => simulate(scenario, { battles: 500, seed: 5, engine, workers: 1 }));
  const [compiled, written] = await Promise.all(simulated);
  expect(compiled?.digest).toBe(written?.digest);
});
