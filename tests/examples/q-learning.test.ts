/** The example of tabular Q-learning: short runs with a fixed seed, and frozen values of the suite in deep runs. */
import { expect, test } from 'vitest';
import type * as Environments from '../../src/environments.ts';
import type * as Library from '../../src/index.ts';
import { listTasks } from '../../src/suite.ts';
import { DEPTH } from '../depth.ts';

type Policies = Readonly<Record<string, { readonly states: readonly unknown[] }>>;

interface Example {
  readonly learnPolicies: (
    scenario: Library.Scenario,
    options: { agents: string; reward: string; battles: number; seed: number },
  ) => Promise<Policies>;
}

const { href } = new URL('../../examples/q-learning.mjs', import.meta.url);
const { learnPolicies } = (await import(/* @vite-ignore */ href)) as Example;

/** The example uses the built library. Variables, so that types can be checked before the first build. */
const names = ['warpool', 'warpool/environments'] as const;
const [library, environments] = (await Promise.all(names.map((name) => import(/* @vite-ignore */ name)))) as [
  typeof Library,
  typeof Environments,
];

test('one player learns the optimal policy', { timeout: 120_000 }, async () => {
  const scenario = await library.loadScenario('scenarios/phased-dice-fleet.yaml');
  const policies = await learnPolicies(scenario, { agents: 'attacker', reward: 'win', battles: 20_000, seed: 1 });
  expect(Object.keys(policies)).toEqual(['attacker']);
  expect(policies['attacker']?.states.length).toBeGreaterThan(56);
  const learned = environments.findBestResponseSync(library.updateScenario(scenario, { policies }));
  expect(learned.policyValue).toBeGreaterThan(0.59);
});

test('both players learn at the same time', { timeout: 120_000 }, async () => {
  const scenario = await library.loadScenario('scenarios/strength-cards-island.yaml');
  const policies = await learnPolicies(scenario, { agents: 'all', reward: 'hp', battles: 20_000, seed: 1 });
  const { players, nashConv } = environments.findEquilibriumSync(library.updateScenario(scenario, { policies }), {
    reward: 'hp',
  });
  expect(players.map(({ player }) => player)).toEqual(Object.keys(policies));
  expect(nashConv).toBeLessThan(0.75);
});

const CHEAP = listTasks().filter(({ steps, players }) => steps < 10_000 && players.length === 1);

test.runIf(DEPTH > 1).each(CHEAP)('$name reaches its frozen value', { timeout: 120_000 }, async (task) => {
  const { module, players, reward, baselines } = task;
  const systems = module === undefined ? {} : { systems: await library.loadSystems([module]) };
  const scenario = library.validateScenario(task.scenario, { source: task.name, ...systems });
  const [agent = ''] = players;
  const policies = await learnPolicies(scenario, { agents: agent, reward, battles: 200_000, seed: 1 });
  const learned = environments.findBestResponseSync(library.updateScenario(scenario, { policies }), { agent, reward });
  expect(learned.policyValue).toBeCloseTo(baselines['q-learning']?.[agent] ?? Number.NaN, 9);
});
