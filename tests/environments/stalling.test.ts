/** Games in which both players can stall until the round limit, with rewards by outcomes and by rounds. */
import { describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import type { Chance } from '../../src/core/chance/chance.ts';
import { enumerateBranches } from '../../src/core/chance/enumerated-chance.ts';
import { findBestResponseSync, solveScenarioGame } from '../../src/environments/best-response/best-response.ts';
import { evaluateDecisions } from '../../src/environments/best-response/decision-values.ts';
import type { RewardTable } from '../../src/environments/env-spec.ts';
import { findEquilibriumSync } from '../../src/environments/equilibrium/find-equilibrium.ts';
import type { Phase } from '../../src/rules/custom/battle.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { getBoundScenario } from '../../src/rules/index.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario, State } from '../../src/rules/system.ts';

const SIDES = ['red', 'blue'] as const;

interface Ambush {
  readonly chosen: readonly string[];
  readonly winner: number;
}

/** Red wins unless both go in the same round: Everett's game "hide or run" (1957), with a round limit. */
const ambush = defineSystem({
  id: 'ambush',
  title: 'Ambush',
  about: 'Each round both stall or go. Red wins if only one of them goes, blue if both do.',
  fields: {},
  decisions: [{ point: 'act', who: 'both', about: 'Stall or go.', policies: ['stall'] }],
  battle: () => ({
    outcomes: [...SIDES],
    atRoundLimit: 'blue',
    start: (): Ambush => ({ chosen: [], winner: 2 }),
    round: [
      ...SIDES.map(
        (side): Phase<Ambush> =>
          (state, chance) => ({
            ...state,
            chosen: [...state.chosen, chance.decide('act', side, ['stall', 'go'], () => 'stall')],
          }),
      ),
      ({ chosen: [red, blue] }: Ambush): Ambush => ({
        chosen: [],
        winner: red === 'stall' && blue === 'stall' ? 2 : Number(red === 'go' && blue === 'go'),
      }),
    ],
    outcome: ({ winner }) => SIDES[winner],
  }),
  environment: () => ({
    players: SIDES,
    actions: { act: ['stall', 'go'] },
    features: [{ name: 'winner', high: 2, of: ({ winner }) => winner }],
  }),
});

const createAmbush = (maxRounds: number): Scenario =>
  validateScenario({ system: 'ambush', maxRounds }, { systems: [ambush] });

/** Computes the value of `win` for red: blue wins with probability 1 / (n + 1). */
const computeValue = (rounds: number): number => 1 - 2 / (rounds + 1);

describe('an ambush', () => {
  test('has a policy for each number of up to 40 000 remaining rounds', () => {
    const rounds = 40_000;
    const { value, interval, strategies } = findEquilibriumSync(createAmbush(rounds));
    expect(value).toBeCloseTo(computeValue(rounds), 12);
    expect(interval[1] - interval[0]).toBeLessThan(1e-12);
    // Red goes with probability 1 / (n + 1) if n rounds remain. Policies that differ by less than 1e-9 are merged.
    let [last, count] = [1, 0];
    for (let left = rounds; left > 0; left--) {
      const share = 1 / (left + 1);
      if (Math.abs(share - last) >= 1e-9) [last, count] = [share, count + 1];
    }
    expect(count).toBeLessThan(rounds - 1000);
    const red = strategies.filter(({ player }) => player === 'red');
    expect(Math.abs(red.length - count)).toBeLessThan(10);
    for (const { equilibrium, roundsLeft = 0 } of red.slice(0, 100))
      expect(equilibrium['act:go']).toBeCloseTo(1 / (roundsLeft + 1), 9);
  });

  test('has an interval that includes the value if it is not solved completely', () => {
    const { value, interval, error } = findEquilibriumSync(createAmbush(100_000), { budget: 20 });
    const exact = computeValue(100_000);
    expect(value).toBeLessThan(exact - 1e-3);
    expect([interval[0] < exact, exact < interval[1], error > 1e-3]).toEqual([true, true, true]);
  });

  test('shows the losses of a policy that stalls until the limit', () => {
    const { value, policyValue, corrections } = findBestResponseSync(createAmbush(10));
    expect([value, policyValue]).toEqual([1, -1]);
    // Red loses only if it stalls in the last round.
    expect(corrections).toMatchObject([{ bestAction: 'act:go', policy: { 'act:stall': 1 }, visits: 10, loss: 0.2 }]);
  });
});

describe('rewards by rounds', () => {
  const reward = { red: { outcomes: { red: 4 }, metrics: { rounds: -1 } } };

  test('are totals of the battle in best responses', () => {
    const { value, policyValue, corrections } = findBestResponseSync(createAmbush(10), { reward });
    expect([value, policyValue]).toEqual([3, -10]);
    expect(corrections.reduce((sum, { visits, loss }) => sum + visits * loss, 0)).toBeCloseTo(13, 12);
  });

  test('of omitted rounds are part of the error', async () => {
    const given = { attacker: { outcomes: { attacker: 1 }, metrics: { rounds: -0.1 } } };
    const { error, rounds } = findBestResponseSync(await loadScenario('scenarios/phased-dice-fleet.yaml'), {
      reward: given,
    });
    // Fewer than 1 of 1e15 battles last longer, and each of them by up to 10 000 rounds.
    expect(rounds).toBeLessThan(30);
    expect([error > 1e-13, error < 1e-12]).toEqual([true, true]);
  });

  test('equal rewards by steps of both players, also in intervals of incomplete solutions', () => {
    const [rounds, steps] = [{ metrics: { rounds: 1 } }, { steps: 0.5 }].map((table) =>
      findEquilibriumSync(createAmbush(100_000), { reward: { red: table }, budget: 20 }),
    );
    expect(steps?.value).toBeCloseTo(rounds?.value ?? Number.NaN, 6);
    expect(steps?.interval.map(Math.round)).toEqual(rounds?.interval.map(Math.round));
    const [low = 0, high = 0] = steps?.interval ?? [];
    expect(high - low).toBeGreaterThan(90_000);
  });

  test('include earlier rounds in the values of decisions', () => {
    const scenario = createAmbush(10);
    const { model } = getBoundScenario(scenario);
    const getOnly = (act: (chance: Chance) => State): State => {
      const [branch] = enumerateBranches(act);
      if (branch === undefined) throw new Error('no branch');
      return branch.value;
    };
    const first = getOnly((chance) => model.start(chance));
    let second = getOnly((chance) => model.step(first, chance));
    while (!model.resting(second)) {
      const before = second;
      second = getOnly((chance) => model.step(before, chance));
    }
    const moments = [first, second].map((state) => ({ state, choice: 'stall' }));
    const found = evaluateDecisions(solveScenarioGame(scenario, { reward }), moments);
    const values = found.map((options) => options?.map(({ best, given }) => [best, given]));
    // After one round, going is worth 4 - 2, and stalling once more 4 - 3.
    expect(values).toEqual([
      [
        [2, -10],
        [3, 3],
      ],
      [
        [1, -10],
        [2, 2],
      ],
    ]);
  });

  test.each<[string, Readonly<Record<string, RewardTable>>]>([
    ['examples/systems/feint-even.yaml', { red: { metrics: { rounds: 1 } } }],
    ['examples/systems/feint-even.yaml', { red: { outcomes: { red: 2, blue: -2 }, metrics: { rounds: -0.25 } } }],
    ['scenarios/phased-dice-fleet.yaml', { attacker: { outcomes: { attacker: 1 }, metrics: { rounds: -0.1 } } }],
    ['scenarios/phased-dice-broadside.yaml', { attacker: { metrics: { rounds: 1 } } }],
  ])('agree with exact answers and equilibria: %s %j', async (file, given) => {
    const scenario = await loadScenario(file, { systems: await loadSystems(['examples/systems/feint.mjs']) });
    const [[agent, table] = ['', {}]] = Object.entries(given);
    const { outcomes, metrics } = solveSync(scenario).summary;
    const mean = metrics.find(({ name }) => name === 'rounds')?.mean ?? 0;
    const wins = outcomes.reduce((sum, { name, p }) => sum + (table.outcomes?.[name] ?? 0) * p, 0);
    const best = findBestResponseSync(scenario, { agent, reward: given });
    expect(best.policyValue).toBeCloseTo(wins + (table.metrics?.['rounds'] ?? 0) * mean, 10);
    const { players } = findEquilibriumSync(scenario, { reward: given });
    expect(best.value).toBeCloseTo(-(players[1]?.guaranteed ?? Number.NaN), 9);
    expect(best.value).toBeGreaterThan(best.policyValue + 0.01);
  });
});

test('the policy value of an equilibrium with rewards by rounds equals the exact answer', async () => {
  const systems = await loadSystems(['examples/systems/feint.mjs']);
  const scenario = await loadScenario('examples/systems/feint-even.yaml', { systems });
  const { value, interval, policyValue } = findEquilibriumSync(scenario, {
    reward: { red: { metrics: { rounds: 1 } } },
  });
  const mean = solveSync(scenario).summary.metrics.find(({ name }) => name === 'rounds')?.mean ?? 0;
  expect(policyValue).toBeCloseTo(mean, 12);
  expect(value).toBeLessThan(mean);
  expect(interval[1] - interval[0]).toBeLessThan(1e-9);
});
