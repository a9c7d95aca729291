/** Equilibria of all shipped scenarios of two players against best responses and exact answers. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { BudgetError, InputError } from '../../src/core/errors.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { type Equilibrium, findEquilibriumSync } from '../../src/environments/equilibrium/find-equilibrium.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH } from '../depth.ts';

const BUDGET = DEPTH === 1 ? 3000 : 50_000;

const HP = { attacker: { metrics: { 'hp.attacker': 1, 'hp.defender': -1 } } };

async function loadAll(folder: string, names?: RegExp): Promise<{ file: string; scenario: Scenario }[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && (names?.test(file) ?? true));
  return Promise.all(
    files.map(async (file) => {
      const system = names?.exec(file)?.[1];
      const options = system === undefined ? {} : { systems: await loadSystems([`./${folder}/${system}.mjs`]) };
      return { file, scenario: await loadScenario(`${folder}/${file}`, options) };
    }),
  );
}

const shipped = [
  ...(await loadAll('scenarios')),
  ...(await loadAll('examples/systems', /^(feint)-/)),
  ...(await loadAll('examples/games', /^(block-dice|combined-arms|conquest-dice|space-fleets|symbol-dice)-/)),
];

/** Solves a scenario; undefined if it is too large, or not a game of two players. */
function solveSmall(scenario: Scenario): Equilibrium | undefined {
  try {
    return findEquilibriumSync(scenario, { budget: BUDGET });
  } catch (error) {
    if (error instanceof BudgetError || error instanceof InputError) return undefined;
    throw error;
  }
}

const solved = shipped.flatMap(({ file, scenario }) => {
  const found = solveSmall(scenario);
  return found === undefined ? [] : [{ file, scenario, found }];
});

test('many shipped scenarios are solved within the budget', () => {
  expect(solved.length).toBeGreaterThan(20);
  expect(solved.filter(({ found }) => found.players.some(({ losses }) => losses.length > 0)).length).toBeGreaterThan(8);
});

test('strategies have roundsLeft if they depend on the remaining rounds', () => {
  const byRounds = solved.filter(({ found }) => found.strategies.some(({ roundsLeft }) => roundsLeft !== undefined));
  expect(byRounds.map(({ file }) => file)).toContain('block-dice-knight.yaml');
  for (const { scenario, found } of byRounds) {
    expect(found.strategies.every(({ roundsLeft = 1 }) => roundsLeft >= 1 && roundsLeft <= found.rounds)).toBe(true);
    expect(scenario).not.toHaveProperty('maxRounds', 1);
  }
});

describe.each(solved)('$file', ({ scenario, found }) => {
  test('the interval contains the value and is narrow', () => {
    const [lower, upper] = found.interval;
    expect([lower <= found.value, found.value <= upper]).toEqual([true, true]);
    expect(upper - lower).toBeLessThan(2e-9);
    expect(found.error).toBeLessThan(1e-9);
  });

  test('best responses to the policies have the values of findBestResponseSync', () => {
    const [first, second] = found.players;
    for (const [player, enemy] of [
      [first, second],
      [second, first],
    ]) {
      if (player === undefined) continue;
      const { value } = findBestResponseSync(scenario, { agent: player.player, reward: 'win' });
      if (enemy?.guaranteed !== undefined) expect(0 - enemy.guaranteed).toBeCloseTo(value, 12);
      // Only one player decides.
      if (enemy === undefined) expect(player.value).toBeCloseTo(value, 12);
      // Nobody gets less from a best response to a policy than in the equilibrium.
      expect(value).toBeGreaterThanOrEqual(player.value - 1e-12);
    }
  });

  test('losses sum to the exploitability', () => {
    for (const { value, guaranteed = Number.NaN, exploitability, losses } of found.players) {
      const sum = losses.reduce((total, { visits, loss }) => total + visits * loss, 0);
      expect(sum).toBeCloseTo(exploitability ?? Number.NaN, 9);
      expect(value - guaranteed).toBeCloseTo(sum, 9);
    }
  });

  test('the value of the policies equals the exact answer', () => {
    const { outcomes } = solveSync(scenario).summary;
    const [first = '', second = ''] = found.players.map(({ player }) => player);
    const p = (name: string): number => outcomes.find((outcome) => outcome.name === name)?.p ?? 0;
    if (p(first) + p(second) > 1 - 1e-12) expect(found.policyValue).toBeCloseTo(p(first) - p(second), 9);
    const { policyValue } = findBestResponseSync(scenario, { agent: first, reward: 'win' });
    expect(found.policyValue).toBeCloseTo(policyValue, 9);
    expect(found.outcomes.reduce((sum, { equilibrium }) => sum + equilibrium, 0)).toBeCloseTo(1, 9);
  });
});

/** Solved scenarios of strength cards. The rewards below are compared for decisions about cards and air tokens. */
const cards = solved.filter(({ file }) => file.startsWith('strength-cards-'));
const CAPTURE = { attacker: { metrics: { captured: 1 } } };
const negate = (table: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, 0 - value]));

test.each([HP, CAPTURE])('best responses of strength cards have the guaranteed value, reward %j', (reward) => {
  expect(cards.length).toBeGreaterThan(1);
  for (const { scenario } of cards) {
    const decisions = ['card', 'air'];
    const { players } = findEquilibriumSync(scenario, { reward, decisions });
    const tables = { ...reward, defender: { metrics: negate(reward.attacker.metrics) } };
    for (const [p, agent] of (['attacker', 'defender'] as const).entries()) {
      const { value } = findBestResponseSync(scenario, { agent, reward: { [agent]: tables[agent] }, decisions });
      expect(0 - (players[1 - p]?.guaranteed ?? Number.NaN)).toBeCloseTo(value, 12);
    }
  }
});
