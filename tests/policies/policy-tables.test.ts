/** Policy tables of best responses and equilibria: as policies of a scenario, they have the computed values. */
import { beforeAll, describe, expect, test } from 'vitest';
import { findBestResponseSync, findEquilibriumSync } from '../../src/environments.ts';
import {
  loadScenario,
  loadSystems,
  type Scenario,
  simulate,
  solveSync,
  updateScenario,
  validateScenario,
} from '../../src/index.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import type { PolicyTable } from '../../src/rules/index.ts';
import { DEPTH } from '../depth.ts';

const load = (name: string): Promise<Scenario> => loadScenario(`scenarios/${name}.yaml`);

/** A ground battle with choices of targets, of losses and of a retreat. */
const skirmish = validateScenario({
  system: 'phased-dice',
  mode: 'ground',
  attacker: { units: { catapult: 1, spearman: 2 } },
  defender: { units: { knight: 1, spearman: 1 } },
});

const withPolicies = (scenario: Scenario, policies: Readonly<Record<string, unknown>>): Scenario =>
  updateScenario(scenario, { policies });

const PLAYERS = ['attacker', 'defender'];

/** Computes the expected reward `win` of a player from the exact probabilities of the outcomes. */
const computeWin = (scenario: Scenario, player: string): number =>
  solveSync(scenario).summary.outcomes.reduce(
    (sum, { name, p }) => sum + (name === player ? p : PLAYERS.includes(name) ? -p : 0),
    0,
  );

describe('a best response', () => {
  test.each(['phased-dice-broadside', 'phased-dice-fleet', 'strength-cards-pocket', 'skirmish'])(
    'of %s has its value as a policy of the scenario',
    async (name) => {
      const scenario = name === 'skirmish' ? skirmish : await load(name);
      const { agent, value, policyTable } = findBestResponseSync(scenario, { policyTable: true });
      const simulated = withPolicies(scenario, { [agent]: policyTable });
      expect(computeWin(simulated, agent)).toBeCloseTo(value, 9);
      expect(computeWin(scenario, agent)).toBeLessThan(value);
    },
  );

  test('has no policy table by default', async () => {
    expect(findBestResponseSync(await load('phased-dice-broadside')).policyTable).toBeUndefined();
  });

  test('depends on the remaining rounds only where they matter', () => {
    const scenario = updateScenario(skirmish, { maxRounds: 2 });
    const { agent, value, policyTable } = findBestResponseSync(scenario, { policyTable: true });
    expect(policyTable?.states.some(({ minRoundsLeft }) => minRoundsLeft === 2)).toBe(true);
    expect(policyTable?.states.some(({ minRoundsLeft }) => (minRoundsLeft ?? 1) > 2)).toBe(false);
    expect(computeWin(withPolicies(scenario, { [agent]: policyTable }), agent)).toBeCloseTo(value, 9);
  });
});

/** Each round, red waits or goes, and wins if it goes. */
const waiting = defineSystem({
  id: 'waiting',
  title: 'Waiting',
  about: 'Red waits or goes.',
  fields: {},
  decisions: [{ point: 'act', who: 'red', about: 'Wait or go.', policies: ['wait'] }],
  battle: () => ({
    outcomes: ['red', 'blue'],
    atRoundLimit: 'blue',
    start: () => ({ hasGone: 0 }),
    round: [(_, chance) => ({ hasGone: Number(chance.decide('act', 'red', ['wait', 'go'], () => 'wait') === 'go') })],
    outcome: ({ hasGone }) => (hasGone === 1 ? 'red' : undefined),
  }),
  environment: () => ({
    players: ['red', 'blue'],
    actions: { act: ['wait', 'go'] },
    features: [{ name: 'hasGone', high: 1, of: ({ hasGone }: { hasGone: number }) => hasGone }],
  }),
});

describe('a table that waits in a state that repeats', () => {
  const entry = { decision: 'act', observation: [0] };
  const table = {
    ...{ format: 'warpool-policy-1', system: 'waiting', kind: 'table', features: ['hasGone'] },
    states: [
      { ...entry, actions: { 'act:go': 1 } },
      { ...entry, minRoundsLeft: 3, actions: { 'act:wait': 1 } },
    ],
  };

  test.each([2, 3, 4, 9, 40])('goes two rounds before the limit of %i rounds', async (maxRounds) => {
    const fields = { system: 'waiting', maxRounds, policies: { red: table } };
    const scenario = validateScenario(fields, { systems: [waiting] });
    const { outcomes, metrics } = solveSync(scenario).summary;
    expect(outcomes.map(({ p }) => p)).toEqual([1, 0]);
    expect(metrics.find(({ name }) => name === 'rounds')?.mean).toBe(maxRounds - 1);
    for (const engine of ['automaton', 'reference'] as const) {
      const { summary } = await simulate(scenario, { battles: 100, engine });
      expect(summary.outcomes[0]).toMatchObject({ count: 100 });
    }
    expect(findBestResponseSync(scenario, { agent: 'red' })).toMatchObject({ value: 1, policyValue: 1 });
    expect(findEquilibriumSync(scenario)).toMatchObject({ value: 1, policyValue: 1 });
  });
});

describe('an equilibrium', () => {
  test.each([
    ['strength-cards-bluff', 'hp'],
    ['strength-cards-island', 'capture'],
  ] as const)('of %s with reward %s cannot be exploited as policies of the scenario', async (name, reward) => {
    const scenario = await load(name);
    const { players, value } = findEquilibriumSync(scenario, { reward, policyTable: true });
    const tables = players.filter(({ policyTable }) => policyTable !== undefined);
    expect(tables.length).toBeGreaterThan(0);
    const policies = Object.fromEntries(tables.map(({ player, policyTable }) => [player, policyTable]));
    const simulated = findEquilibriumSync(withPolicies(scenario, policies), { reward });
    expect(simulated.value).toBeCloseTo(value, 9);
    expect(simulated.policyValue).toBeCloseTo(value, 8);
    for (const { player, exploitability } of simulated.players)
      if (player in policies) expect(exploitability).toBeLessThan(1e-8);
  });

  test.each([
    ['backoff', 'backoff-noise', 'win'],
    ['first-win', 'first-win-two', 'win'],
    ['goofspiel', 'goofspiel-three', 'points'],
  ] as const)('of the game %s cannot be exploited, although choices are simultaneous', async (file, name, reward) => {
    const systems = await loadSystems([`examples/systems/${file}.mjs`]);
    const scenario = await loadScenario(`examples/systems/${name}.yaml`, { systems });
    const { players } = findEquilibriumSync(scenario, { reward, policyTable: true });
    const policies = Object.fromEntries(
      players.flatMap(({ player, policyTable }) => (policyTable === undefined ? [] : [[player, policyTable]])),
    );
    const { nashConv } = findEquilibriumSync(withPolicies(scenario, policies), { reward });
    expect(nashConv).toBeLessThan(1e-8);
  });
});

describe('battles with a mixed policy', () => {
  let scenario: Scenario;
  let table: PolicyTable | undefined;

  beforeAll(async () => {
    const bluff = await load('strength-cards-bluff');
    const { players } = findEquilibriumSync(bluff, { reward: 'hp', policyTable: true });
    table = players[0]?.policyTable;
    scenario = withPolicies(bluff, { attacker: table, defender: 'uniform' });
  });

  test('are the same in the reference engine and in an automaton', async () => {
    const options = { battles: DEPTH * 5000, seed: 5 };
    const [automaton, reference] = await Promise.all([
      simulate(scenario, { ...options, engine: 'automaton' }),
      simulate(scenario, { ...options, engine: 'reference' }),
    ]);
    expect(automaton.engineUsed).toBe('automaton');
    expect(automaton.digest).toBe(reference.digest);
  });

  test('have the exact probabilities', async () => {
    const exact = solveSync(scenario).summary.outcomes;
    const battles = DEPTH * 20_000;
    const { summary } = await simulate(scenario, { battles, seed: 6, engine: 'reference' });
    for (const [o, { p }] of summary.outcomes.entries()) {
      const due = exact[o]?.p ?? 0;
      expect(Math.abs(p - due)).toBeLessThan(4.5 * Math.sqrt((due * (1 - due)) / battles) + 1e-12);
    }
  });

  test('draw each choice independently of the dice and of earlier choices', async () => {
    const ground = withPolicies(skirmish, { attacker: 'uniform', defender: 'uniform' });
    const exact = solveSync(ground).summary;
    const battles = DEPTH * 5000;
    const { summary } = await simulate(ground, { battles, seed: 3 });
    for (const [o, { p }] of summary.outcomes.entries()) {
      const due = exact.outcomes[o]?.p ?? 0;
      expect(Math.abs(p - due)).toBeLessThan(4.5 * Math.sqrt((due * (1 - due)) / battles) + 1e-9);
    }
  });
});
