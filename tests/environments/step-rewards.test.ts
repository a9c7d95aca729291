/** Rewards that count steps: in solved games, exports and environments. Values are also in equilibrium-brute-force.test.ts. */
import { describe, expect, test } from 'vitest';
import { findBestResponseSync, solveScenarioGame } from '../../src/environments/best-response/best-response.ts';
import { evaluateDecisions } from '../../src/environments/best-response/decision-values.ts';
import { runEpisodes } from '../../src/environments/episodes.ts';
import { exportGame } from '../../src/environments/equilibrium/export-game.ts';
import { findEquilibriumSync } from '../../src/environments/equilibrium/find-equilibrium.ts';
import { Evaluator, TransitionModel, VectorEnv } from '../../src/environments.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { updateScenario } from '../../src/rules/scenario/update-scenario.ts';
import { evaluateTree, readTree } from './game-files.ts';

const systems = await loadSystems(['examples/systems/feint.mjs', 'examples/systems/first-win.mjs']);
const feint = await loadScenario('examples/systems/feint-even.yaml', { systems });
const paper = await loadScenario('examples/systems/first-win-paper.yaml', { systems });
const fleet = await loadScenario('scenarios/phased-dice-fleet.yaml');

describe('steps of games in which each player decides once per round', () => {
  const createReward = (length: object) => ({ red: { outcomes: { red: 1 }, ...length } });

  test('equal rounds in a best response, and half rounds in an equilibrium', () => {
    const byRounds = { reward: createReward({ metrics: { rounds: -0.25 } }) };
    const [response, equilibrium] = [findBestResponseSync(paper, byRounds), findEquilibriumSync(paper, byRounds)];
    const steps = findBestResponseSync(paper, { reward: createReward({ steps: -0.25 }) });
    expect(steps.value).toBeCloseTo(response.value, 12);
    expect(steps.policyValue).toBeCloseTo(response.policyValue, 12);
    const { value, interval, nashConv } = findEquilibriumSync(paper, { reward: createReward({ steps: -0.125 }) });
    expect(value).toBeCloseTo(equilibrium.value, 12);
    expect(nashConv).toBeCloseTo(equilibrium.nashConv ?? Number.NaN, 11);
    for (const [e, end] of interval.entries()) expect(end).toBeCloseTo(equilibrium.interval[e] ?? Number.NaN, 11);
  });

  test('are part of exported trees, but rejected in PRISM-games files', () => {
    const reward = createReward({ steps: -0.125 });
    const scenario = updateScenario(paper, { maxRounds: 3 });
    const { root } = readTree(exportGame(scenario, { reward }).text);
    expect(evaluateTree(root)).toBeCloseTo(findEquilibriumSync(scenario, { reward }).value, 11);
    expect(() => exportGame(scenario, { reward, format: 'prism' })).toThrow(
      'reward: expected a reward that does not count steps, found steps',
    );
  });
});

test('the error of a best response includes omitted battles', () => {
  const { error, rounds } = findBestResponseSync(fleet, {
    reward: { attacker: { outcomes: { attacker: 1 }, steps: -0.1 } },
  });
  // Fewer than 1 of 1e15 battles last longer, and each of them by up to 10 000 rounds with several decisions.
  expect(rounds).toBeLessThan(30);
  expect([error > 2e-13, error < 1e-11]).toEqual([true, true]);
});

test('values of decisions include earlier steps', () => {
  const solved = solveScenarioGame(paper, { reward: { red: { outcomes: { red: 1 }, steps: -0.25 } } });
  const moments = [0, 0].map(() => ({ state: solved.game.getState(0), choice: 'rock' }));
  const [first = [], second = []] = evaluateDecisions(solved, moments);
  expect(first.length).toBeGreaterThan(1);
  for (const [o, { best }] of first.entries()) expect(second[o]?.best).toBeCloseTo(best - 0.25, 12);
  expect(Math.max(...first.map(({ best }) => best))).toBeCloseTo(solved.values.best, 12);
});

describe('environments', () => {
  test.each(['optimal', 'uniform'])('have the mean reward of the exact answer: %s', async (name) => {
    const reward = { attacker: { outcomes: { attacker: 1, defender: -1 }, steps: -0.05 } };
    const { policyTable, policyValue, value } = findBestResponseSync(
      name === 'uniform' ? updateScenario(fleet, { 'policies.attacker': 'uniform' }) : fleet,
      { reward, policyTable: true },
    );
    const policies = name === 'uniform' ? 'uniform' : policyTable;
    const scenario = updateScenario(fleet, { 'policies.attacker': policies });
    const options = { numEnvs: 1024, agents: ['attacker'], reward, maxSteps: 200, compileSteps: 0 };
    const env = await VectorEnv.create(scenario, options);
    const { returns, returnsCi95, truncated } = await runEpisodes(env, { episodes: 2 });
    const expected = name === 'uniform' ? policyValue : value;
    expect(truncated).toBe(0);
    const [low = 0, high = 0] = returnsCi95[0] ?? [];
    expect([low <= expected, expected <= high]).toEqual([true, true]);
    expect(returns[0]).toBeCloseTo(expected, 1);
  });

  test.each([
    ['kernel', fleet, {}],
    ['rules', feint, { compileSteps: 0 }],
    ['decision-automaton', feint, {}],
  ])('count the actions of all agents: %s', async (_, scenario, options) => {
    const { players } = (await VectorEnv.create(scenario, { agents: 'all' })).configuration.variants[0] ?? {};
    const [first = '', second = ''] = players ?? [];
    const reward = { [first]: { metrics: { rounds: 1 }, steps: -0.25 }, [second]: { steps: 2 } };
    const env = await VectorEnv.create(scenario, { ...options, numEnvs: 64, agents: 'all', seed: 1 });
    env.configure({ reward });
    env.rollout('uniform', { episodes: 1 });
    const { finalReturn, length, metrics } = env.buffers;
    const columns = metrics.length / 64;
    const rounds = env.configuration.variants[0]?.metrics.findIndex(({ name }) => name === 'rounds') ?? 0;
    expect(new Set(length).size).toBeGreaterThan(1);
    for (let e = 0; e < 64; e++) {
      expect(finalReturn[2 * e]).toBe((metrics[columns * e + rounds] ?? 0) - 0.25 * (length[e] ?? 0));
      expect(finalReturn[2 * e + 1]).toBe(2 * (length[e] ?? 0));
    }
  });

  test('reject step rewards in runEpisodes without maxSteps, Evaluator and TransitionModel', async () => {
    const reward = { attacker: { steps: 1 } };
    const env = await VectorEnv.create(fleet, { reward });
    const message = 'reward: expected a reward that does not count steps';
    await expect(runEpisodes(env)).rejects.toThrow(`${message}, or maxSteps, found steps`);
    await expect(Evaluator.create(env)).rejects.toThrow(`${message}, found steps`);
    await expect(TransitionModel.create(env)).rejects.toThrow(`${message}, found steps`);
  });
});

test.each([
  [Number.NaN, 'NaN'],
  ['1', '1'],
  [{}, '[object Object]'],
])('step rewards must be numbers: %j', (steps, found) => {
  const reward = { attacker: { steps: steps as number } };
  const message = `reward.attacker.steps: expected a number, found ${found}`;
  expect(() => findBestResponseSync(fleet, { reward })).toThrow(message);
  expect(() => findEquilibriumSync(fleet, { reward })).toThrow(message);
});

test('step rewards of both players must be opposite in an equilibrium', () => {
  const reward = { attacker: { steps: 1 }, defender: { steps: 1 } };
  expect(() => findEquilibriumSync(fleet, { reward })).toThrow('found "steps" has rewards whose sum is not 0');
});
