/** The tasks of warpool/suite: their frozen values, and grades of policies with known values. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { findEquilibriumSync } from '../../src/environments/equilibrium/find-equilibrium.ts';
import { gradeLoadedTask, gradePolicy } from '../../src/environments/suite/grade-policy.ts';
import {
  checkTaskIdentity,
  createTaskEnv,
  listTasks,
  loadTask,
  loadTaskScenario,
  type SuiteTask,
} from '../../src/environments/suite/suite-tasks.ts';
import type { PolicyTable } from '../../src/rules/policy-file.ts';
import { updateScenario } from '../../src/rules/scenario/update-scenario.ts';
import { DEPTH } from '../depth.ts';

interface Script {
  readonly renewTable: (page: string, tasks: readonly SuiteTask[]) => string;
}

const { href } = new URL('../../scripts/make-suite.js', import.meta.url);
const { renewTable } = (await import(/* @vite-ignore */ href)) as Script;

const [FLEET, CAPITAL] = ['phased-dice-fleet-v1', 'conquest-dice-capital-v1'] as const;

/** Tasks that take less than a second, or minutes in a deep run. The script computes the others. */
const CHEAP = listTasks().filter(({ steps }) => steps < (DEPTH > 1 ? 700_000 : 10_000));

const sumLosses = (losses: readonly { readonly visits: number; readonly loss: number }[]): number =>
  losses.reduce((sum, { visits, loss }) => sum + visits * loss, 0);

async function findOptimalTable(): Promise<PolicyTable> {
  const { scenario } = await loadTask(CAPITAL);
  return findBestResponseSync(scenario, { policyTable: true }).policyTable as PolicyTable;
}

describe('the tasks', () => {
  test('are thirteen, ordered by size, with versions in their names', () => {
    const tasks = listTasks();
    expect(tasks.length).toBe(13);
    expect(new Set(tasks.map(({ name }) => name)).size).toBe(13);
    for (const { name } of tasks) expect(name).toMatch(/^[a-z-]+-v[1-9]$/);
    const sizes = tasks.map(({ positions }) => positions);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(tasks.filter(({ module = '' }) => module.startsWith('warpool/examples/systems/')).length).toBe(2);
  });

  test.each(listTasks())('$name: no baseline is better than the optimum, which is in its interval', (task) => {
    const [lower, upper] = task.interval;
    expect(lower).toBeLessThanOrEqual(task.value);
    expect(upper).toBeGreaterThanOrEqual(task.value);
    expect(upper - lower).toBeLessThan(1e-11);
    for (const baseline of ['uniform', 'scenario', 'q-learning'] as const)
      for (const [p, player] of task.players.entries())
        expect(task.baselines[baseline]?.[player]).toBeLessThanOrEqual((p === 0 ? task.value : -task.value) + 1e-9);
  });

  test.each(listTasks())('$name has the frozen scenario', async ({ name }) => {
    const { task, scenario } = await loadTask(name);
    expect(scenario.name).toBe(name);
    expect(task.players.length).toBeLessThanOrEqual(2);
  });

  test('a scenario, system or ruleset other than the frozen one is an error', async () => {
    const { task } = await loadTask('robots-five-v1');
    const scenario = await loadTaskScenario(task);
    const check =
      (changed: Partial<SuiteTask>, other = scenario, ruleset?: string) =>
      () => {
        checkTaskIdentity({ ...task, ...changed }, other, ruleset);
      };
    expect(check({})).not.toThrow();
    expect(check({}, updateScenario(scenario, { size: 4 }))).toThrow('expected a scenario with the SHA-256');
    expect(check({ systemHash: '0' })).toThrow('robots-five-v1: expected a system with the hash 0, found ');
    expect(check({}, scenario, '3')).toThrow('task robots-five-v1: expected the ruleset 3, found ');
    const { scenarioHash } = task;
    const frozen: { scenarioHash: string } = task;
    frozen.scenarioHash = '0';
    await expect(loadTask('robots-five-v1')).rejects.toThrow('expected a scenario with the SHA-256 0, found ');
    frozen.scenarioHash = scenarioHash;
  });

  test('docs/reference/suite.md contains the table of the values', () => {
    const page = readFileSync('docs/reference/suite.md', 'utf8');
    expect(renewTable(page, listTasks())).toBe(page);
    expect(renewTable(page.replace('0.596722', '0.6'), listTasks())).toBe(page);
  });

  test('environments have the players and the reward of the task', async () => {
    const env = await createTaskEnv('goofspiel-three-v1', { numEnvs: 64, seed: 1 });
    expect(env.agents).toEqual(['red', 'blue']);
    env.rollout('uniform', { episodes: 1 });
    const returns = [...env.buffers.finalReturn];
    expect(returns.length).toBe(128);
    // Points, not 1, 0 or -1.
    expect(Math.max(...returns)).toBeGreaterThan(1);
  });

  test.each(['phased-dice-fleet', 'phased-dice-fleet-v2'])('%s is not a task', async (name) => {
    await expect(loadTask(name)).rejects.toThrow(`found "${name}" (did you mean phased-dice-fleet-v1?)`);
  });
});

describe.each(CHEAP)('$name', ({ name, players, positions, value, baselines }) => {
  test.each(players)('%s: uniform and the policy of the scenario have the frozen values', async (player) => {
    for (const policy of ['uniform', 'scenario'] as const) {
      const grade = await gradePolicy(name, policy, { player });
      expect(grade.optimum).toBeCloseTo(player === players[0] ? value : -value, 9);
      expect(grade.value).toBeCloseTo(baselines[policy]?.[player] ?? Number.NaN, 9);
      expect(grade.exploitability).toBeCloseTo(grade.optimum - grade.value, 9);
      expect(sumLosses(grade.losses)).toBeCloseTo(grade.exploitability, 7);
      if (policy === 'scenario') expect(grade.positions).toBe(positions);
    }
  });
});

describe('grades', () => {
  test('a best response loses nothing', async () => {
    const grade = await gradePolicy(CAPITAL, await findOptimalTable());
    expect(grade.value).toBeCloseTo(0.153661, 6);
    expect(grade.exploitability).toBeCloseTo(0, 9);
    expect(grade.losses).toEqual([]);
  });

  test('policies of the equilibrium lose nothing', async () => {
    const loaded = await loadTask('goofspiel-three-v1');
    const { players } = findEquilibriumSync(loaded.scenario, { reward: 'points', policyTable: true });
    for (const [p, { player, policyTable }] of players.entries()) {
      const grade = gradeLoadedTask(loaded, policyTable as PolicyTable, player);
      expect(grade.value).toBeCloseTo(((p === 0 ? 1 : -1) * 38) / 33, 9);
      expect(grade.exploitability).toBeCloseTo(0, 9);
    }
  });

  test('the only wrong decision is the worst state, with the whole loss', async () => {
    const { states, ...table } = await findOptimalTable();
    const at = states.findIndex(({ actions }) => actions['press:on'] === 1);
    const changed = states.map((state, s) => (s === at ? { ...state, actions: { 'press:withdraw': 1 } } : state));
    const { losses, exploitability } = await gradePolicy(CAPITAL, { ...table, states: changed });
    expect(exploitability).toBeGreaterThan(1e-6);
    expect(sumLosses(losses)).toBeCloseTo(exploitability, 9);
    expect(losses.length).toBe(1);
    expect(losses[0]).toMatchObject({
      ...{ player: 'attacker', decision: 'press', policy: { 'press:withdraw': 1 }, equilibrium: { 'press:on': 1 } },
      observation: Object.fromEntries(table.features.map((name, f) => [name, states[at]?.observation[f]])),
    });
  });

  test('a player who does not decide is an error', async () => {
    await expect(gradePolicy(FLEET, 'uniform', { player: 'defender' })).rejects.toThrow(
      'player: expected a player of phased-dice-fleet-v1: attacker, found "defender"',
    );
  });
});
