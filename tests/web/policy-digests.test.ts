/** Battles with policy files have the digests of this machine in browsers. Needs Chromium and Firefox. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Stream } from '../../src/core/index.ts';
import { findBestResponseSync, findEquilibriumSync } from '../../src/environments.ts';
import { loadScenario, type Scenario, simulate, updateScenario } from '../../src/index.ts';
import type { PolicyNetwork } from '../../src/rules/policy-file.ts';
import { DEPTH } from '../depth.ts';
import { launched, MISSING } from './browser.ts';
import { NO_FIREFOX, openFirefox } from './selftest/firefox.ts';
import { type Plan, type Result, selfTest } from './selftest/server.ts';

const load = (name: string): Promise<Scenario> => loadScenario(`scenarios/${name}.yaml`);

/** Creates a network of two layers with random weights. */
function createNetwork(features: readonly string[], actions: readonly string[]): object {
  const stream = Stream.forBattle(1n, 0);
  const encode = (count: number): string => {
    const numbers = Float32Array.from({ length: count }, () => stream.word() / 2 ** 32 - 0.5);
    return Buffer.from(numbers.buffer).toString('base64');
  };
  const createLayer = (inputs: number, outputs: number) => ({
    ...{ inputs, outputs, weights: encode(inputs * outputs), biases: encode(outputs) },
  });
  return {
    ...{ format: 'warpool-policy-1', system: 'phased-dice', kind: 'network', features, actions, choose: 'softmax' },
    layers: [{ ...createLayer(features.length, 32), relu: true }, createLayer(32, actions.length)],
    otherwise: 'uniform',
  };
}

/** Creates scenarios with networks and tables of one and of two players, and their numbers of battles. */
async function createScenarios(): Promise<[name: string, scenario: Scenario, battles: number][]> {
  const [broadside, bluff, pocket, ground] = await Promise.all(
    ['phased-dice-broadside', 'strength-cards-bluff', 'strength-cards-pocket', 'phased-dice-ground'].map(load),
  );
  if (!(broadside && bluff && pocket && ground)) throw new Error('missing scenarios');
  const { policy: softmax } = JSON.parse(readFileSync('tests/policies/exported-network.json', 'utf8')) as {
    policy: PolicyNetwork;
  };
  const { players } = findEquilibriumSync(bluff, { reward: 'hp', policyTable: true });
  const tables = Object.fromEntries(players.map(({ player, policyTable }) => [player, policyTable]));
  const { policyTable } = findBestResponseSync(pocket, { policyTable: true });
  const features = ['hits.attacker', 'reserve.attacker', 'strength.attacker', 'strength.defender'];
  const large = createNetwork(features, ['stay', 'retreat']);
  const change = (scenario: Scenario, policies: object): Scenario => updateScenario(scenario, { policies });
  return [
    ['softmax', change(broadside, { attacker: softmax }), 1_000_000],
    ['argmax', change(broadside, { attacker: { ...softmax, choose: 'argmax' } }), 1_000_000],
    ['equilibrium', change(bluff, tables), 1_000_000],
    ['best-response', change(pocket, { attacker: policyTable }), 1_000_000],
    ['uniform', change(broadside, { attacker: 'uniform' }), 1_000_000],
    // Too large for an automaton: the reference engine evaluates the network in each new state.
    ['large', change(ground, { attacker: large, defender: 'uniform' }), 1000],
  ];
}

describe.skipIf(DEPTH === 1)('battles with policy files', () => {
  let plan: Plan;
  const expected: Record<string, string> = {};

  beforeAll(async () => {
    const scenarios: Plan['scenarios'][number][] = [];
    for (const [name, scenario, battles] of await createScenarios()) {
      expected[name] = (await simulate(scenario, { battles, seed: 1 })).digest;
      scenarios.push({ name, battles, text: JSON.stringify(scenario) });
    }
    expect(new Set(Object.values(expected)).size).toBe(scenarios.length);
    plan = { workers: [0, 2], scenarios, modules: '' };
  });

  function expectSame({ error, digests }: Result): void {
    expect(error).toBeUndefined();
    expect(digests).toEqual({ 0: expected, 2: expected });
  }

  test.skipIf(MISSING)('have the digests of this machine in Chromium', async () => {
    await using server = await selfTest<Result>(plan, true);
    const browser = await launched();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(server.url);
    expectSame(await server.result);
  });

  test.skipIf(NO_FIREFOX)('have the digests of this machine in Firefox', async () => {
    await using server = await selfTest<Result>(plan, false);
    onTestFinished(openFirefox(server.url));
    expectSame(await server.result);
  });
});
