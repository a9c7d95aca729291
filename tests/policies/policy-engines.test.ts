/** Battles with policies from files: equal in all engines, and in agreement with exact answers. */
import { describe, expect, test } from 'vitest';
import { findEquilibriumSync } from '../../src/environments.ts';
import { loadScenario, type Scenario, simulate, solveSync, updateScenario } from '../../src/index.ts';

/** Encodes numbers as little-endian float32 in base64. */
const encode = (numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');

/** Creates a policy with an output for each action: a weight times the feature, plus a bias. */
const createPolicy = (
  feature: string,
  outputs: Readonly<Record<string, readonly [weight: number, bias: number]>>,
  choose: 'softmax' | 'argmax',
) => {
  const [weights, biases] = [0, 1].map((k) => encode(Object.values(outputs).map((output) => output[k] ?? 0)));
  return {
    format: 'warpool-policy-1',
    system: 'phased-dice',
    kind: 'network',
    features: [feature],
    actions: Object.keys(outputs),
    layers: [{ inputs: 1, outputs: Object.keys(outputs).length, weights, biases }],
    choose,
    otherwise: 'scenario',
  };
};

const broadside = updateScenario(await loadScenario('scenarios/phased-dice-broadside.yaml'), { maxRounds: 8 });
const airRaid = await loadScenario('scenarios/phased-dice-air-raid.yaml');
const pocket = await loadScenario('scenarios/strength-cards-pocket.yaml');

/** Retreats from round 2 on; retreats at random, more often in later rounds. */
const fromRoundTwo = createPolicy('round', { stay: [0, 0], retreat: [2, -3] }, 'argmax');
const laterMoreOften = createPolicy('round', { stay: [0, 0], retreat: [0.5, -2] }, 'softmax');
/** Policy by a card that the rules no longer need for losses, so that keys of states omit it. */
const byCard = {
  ...createPolicy('card.attacker.encirclement', { 'hit:armour-2': [0, 0], 'hit:infantry-3': [2, -1] }, 'argmax'),
  system: 'strength-cards',
  otherwise: 'uniform',
};
const uniform = 'uniform';

describe.each<[name: string, Scenario]>([
  ['a policy that counts rounds', updateScenario(broadside, { policies: { attacker: fromRoundTwo } })],
  ['a random policy that counts rounds', updateScenario(broadside, { policies: { attacker: laterMoreOften } })],
  ['a round limit', updateScenario(broadside, { maxRounds: 3, policies: { attacker: laterMoreOften } })],
  ['uniform choices', updateScenario(broadside, { policies: { attacker: uniform } })],
  ['uniform choices of two players', updateScenario(airRaid, { policies: { attacker: uniform, defender: uniform } })],
  ['a feature that keys omit', updateScenario(pocket, { policies: { attacker: byCard } })],
])('a scenario with %s', (_, scenario) => {
  test('has the same battles in an automaton and in the reference engine', async () => {
    const [one, other] = await Promise.all(
      (['automaton', 'reference'] as const).map((engine) => simulate(scenario, { battles: 1000, seed: 1, engine })),
    );
    expect(one?.digest).toBe(other?.digest);
  });

  test('has frequencies that agree with the exact probabilities', async () => {
    const battles = 100_000;
    const { summary } = await simulate(scenario, { battles, seed: 2, engine: 'automaton' });
    const exact = new Map(solveSync(scenario).summary.outcomes.map(({ name, p }) => [name, p]));
    for (const { name, count } of summary.outcomes) {
      const p = exact.get(name) ?? 0;
      // Six standard errors.
      expect(Math.abs(count / battles - p), name).toBeLessThanOrEqual(6 * Math.sqrt((p * (1 - p)) / battles));
    }
  });
});

test('the value of a policy that counts rounds is computed at the round limit', () => {
  const policies = { attacker: laterMoreOften, defender: uniform };
  const scenario = updateScenario(broadside, { maxRounds: 2, policies });
  const { players, policyValue } = findEquilibriumSync(scenario);
  const { summary } = solveSync(scenario);
  const [wins, losses] = ['attacker', 'defender'].map((player) => summary.outcomes.find(({ name }) => name === player));
  expect(policyValue).toBeCloseTo((wins?.p ?? 0) - (losses?.p ?? 0), 9);
  for (const { exploitability } of players) expect(exploitability).toBeGreaterThanOrEqual(0);
});

test('a scenario with random policies is compiled for long runs', async () => {
  const scenario = updateScenario(broadside, { policies: { attacker: uniform } });
  expect((await simulate(scenario, { battles: 50_000 })).engineUsed).toBe('automaton');
});
