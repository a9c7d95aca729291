/** Policy files: networks, the loading of files, and hostile content. */
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { setProgressListener } from '../../src/core/progress.ts';
import { findBestResponseSync, findEquilibriumSync } from '../../src/environments.ts';
import {
  InputError,
  loadScenario,
  RulesError,
  type Scenario,
  simulate,
  solveSync,
  updateScenario,
  validateScenario,
} from '../../src/index.ts';
import { applyChangesOfFiles } from '../../src/rules/scenario/update-scenario.ts';
import { DEPTH } from '../depth.ts';

const bluff: Scenario = await loadScenario('scenarios/strength-cards-bluff.yaml');
const ground: Scenario = await loadScenario('scenarios/phased-dice-ground.yaml');
const folder = mkdtempSync(join(tmpdir(), 'warpool-policies-'));

/** Encodes numbers as little-endian float32 in base64, as `tensor.numpy().tobytes()` does. */
const encode = (numbers: readonly number[]): string => {
  const view = new DataView(new ArrayBuffer(4 * numbers.length));
  for (const [k, number] of numbers.entries()) view.setFloat32(4 * k, number, true);
  return Buffer.from(view.buffer).toString('base64');
};

const CARDS = ['card:Assault', 'card:Barrage', 'card:Patrol'];

/** Creates a network with one layer over one feature. */
const createNetwork = (weights: readonly number[], biases: readonly number[], changes: object = {}) => ({
  format: 'warpool-policy-1',
  system: 'strength-cards',
  kind: 'network',
  features: ['hp.attacker.Corps'],
  actions: CARDS,
  layers: [{ inputs: 1, outputs: 3, weights: encode(weights), biases: encode(biases) }],
  choose: 'softmax',
  ...changes,
});

const play = (policy: object, scenario = bluff): Scenario =>
  updateScenario(scenario, { policies: { attacker: policy } });

/** Computes the probabilities of the attacker's cards under its policy. */
function getShares(scenario: Scenario): readonly number[] {
  const decision = findEquilibriumSync(scenario, { reward: 'hp' }).strategies.find(
    ({ player }) => player === 'attacker',
  );
  return CARDS.map((name) => decision?.policy[name] ?? 0);
}

describe('a network', () => {
  test('chooses in proportion to the exponentials of its outputs', () => {
    // The corps has four hit points.
    const outputs = [4 * 0.5 + 0.25, 4 * -0.25 + 1, 0.125];
    const sum = outputs.reduce((total, output) => total + Math.exp(output), 0);
    const shares = getShares(play(createNetwork([0.5, -0.25, 0], [0.25, 1, 0.125])));
    for (const [o, output] of outputs.entries()) expect(shares[o]).toBeCloseTo(Math.exp(output) / sum, 8);
  });

  test('chooses the first of the greatest outputs with argmax', () => {
    expect(getShares(play(createNetwork([0, 0, 0], [1, 2, 2], { choose: 'argmax' })))).toEqual([0, 1, 0]);
  });

  test('applies relu between its layers', () => {
    const layers = [
      { inputs: 1, outputs: 2, weights: encode([1, -1]), biases: encode([0, 0]), relu: true },
      { inputs: 2, outputs: 3, weights: encode([0, 100, 1, 0, 0, 0]), biases: encode([0, 0, 1]) },
    ];
    // Hidden values 4 and 0, outputs 0, 4 and 1; without relu the second hidden value would be -4.
    const shares = getShares(play(createNetwork([], [], { layers })));
    const sum = 1 + Math.exp(4) + Math.exp(1);
    expect(shares[0]).toBeCloseTo(1 / sum, 8);
    expect(shares[1]).toBeCloseTo(Math.exp(4) / sum, 8);
  });

  test('rounds to float32 after each operation, in the order of the inputs', () => {
    // 2^24 + 1 is 2^24 in float32, so the order of the sum matters: the exact sum is 1, the rounded one 0.
    const layers = [
      { inputs: 3, outputs: 3, weights: encode([2 ** 22, 1, -(2 ** 22), 0, 0, 0, 0, 0, 0]), biases: encode([0, 0, 0]) },
    ];
    const features = ['hp.attacker.Corps', 'asked.card', 'hp.defender.Corps'];
    const shares = getShares(play(createNetwork([], [], { layers, features })));
    for (const share of shares) expect(share).toBeCloseTo(1 / 3, 8);
  });

  test('has equal battles in both engines', async () => {
    const scenario = play(createNetwork([0.5, -0.25, 0], [0.25, 1, 0.125]));
    const [one, other] = await Promise.all(
      (['automaton', 'reference'] as const).map((engine) => simulate(scenario, { battles: 5000, seed: 1, engine })),
    );
    expect(one?.digest).toBe(other?.digest);
  });
});

describe('an attacker that always retreats', () => {
  const retreat = {
    format: 'warpool-policy-1',
    system: 'phased-dice',
    kind: 'network',
    features: ['player'],
    actions: ['stay', 'retreat'],
    layers: [{ inputs: 1, outputs: 2, weights: encode([0, 0]), biases: encode([0, 1]) }],
    choose: 'argmax',
    otherwise: 'scenario',
  };

  test('can be exploited, although the defender gains nothing by its own decisions', () => {
    const skirmish = validateScenario({
      system: 'phased-dice',
      mode: 'ground',
      attacker: { units: { catapult: 1, spearman: 2 } },
      defender: { units: { knight: 1, spearman: 1 } },
      policies: { attacker: retreat },
    });
    const { players, nashConv } = findEquilibriumSync(skirmish);
    const [attacker, defender] = players;
    expect(attacker?.exploitability).toBeCloseTo(0.176005, 6);
    expect(defender?.exploitability).toBeCloseTo(0.044852, 6);
    expect(nashConv).toBeCloseTo(0.220857, 6);
  });

  test('has too many positions if it counts rounds, with a warning and an error', () => {
    const policies = { attacker: { ...retreat, features: ['round'] } };
    const solve = () => findBestResponseSync(updateScenario(ground, { policies }), { budget: 100_000 });
    const reason = 'policies that depend on rounds cause up to 10 001 times as many positions';
    const notes: object[] = [];
    setProgressListener((work) => 'note' in work && notes.push(work));
    try {
      expect(solve).toThrow(`${reason}: omit features with the unit rounds, or set a smaller maxRounds`);
    } finally {
      setProgressListener(undefined);
    }
    expect(notes).toEqual([{ note: expect.stringContaining(`warning: ${reason}`) as string, isWarning: true }]);
    const plain = updateScenario(ground, { policies: { attacker: retreat } });
    expect(() => findBestResponseSync(plain, { budget: 20_000 })).toThrow(/not explored yet((?!rounds).)*$/);
  });

  test.runIf(DEPTH > 1)('loses 0.39 in phased-dice-ground', { timeout: 600_000 }, () => {
    const { value, policyValue } = findBestResponseSync(updateScenario(ground, { policies: { attacker: retreat } }));
    expect(policyValue).toBeCloseTo(0, 9);
    expect(value).toBeCloseTo(0.39, 3);
  });
});

describe('the file of a policy', () => {
  const network = createNetwork([0, 0, 0], [5, 0, 0]);
  const text = JSON.stringify(network);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const { system, ...fields } = bluff;
  const write = (name: string, policies: object): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ system, ...fields, policies }));
    return file;
  };
  writeFileSync(join(folder, 'policy.json'), text);

  test('is loaded from the folder of the scenario', async () => {
    const scenario = await loadScenario(write('a.json', { attacker: 'policy.json' }));
    expect(solveSync(scenario).summary).toEqual(solveSync(play(network)).summary);
  });

  test('has the declared hash', async () => {
    await expect(loadScenario(write('b.json', { attacker: { file: 'policy.json', sha256 } }))).resolves.toBeDefined();
    const other = write('c.json', { attacker: { file: 'policy.json', sha256: '0'.repeat(64) } });
    await expect(loadScenario(other)).rejects.toThrow(sha256);
  });

  test('must exist and have valid JSON', async () => {
    await expect(loadScenario(write('d.json', { attacker: 'missing.json' }))).rejects.toThrow('no such file');
    writeFileSync(join(folder, 'broken.json'), '{"format": ');
    await expect(loadScenario(write('e.json', { attacker: 'broken.json' }))).rejects.toThrow(InputError);
  });

  test.each([
    ['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['lists in a table', text.replace('"network"', `"table","states":${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    ['65 lists', '['.repeat(65) + ']'.repeat(65)],
  ])('has at most 64 levels of nesting, not %s', async (_, deep) => {
    writeFileSync(join(folder, 'deep.json'), deep);
    const message = /deep\.json: expected at most 64 levels of nesting, found more$/;
    await expect(loadScenario(write('f.json', { attacker: 'deep.json' }))).rejects.toThrow(message);
    await expect(applyChangesOfFiles(bluff, [`policies.attacker=${join(folder, 'deep.json')}`])).rejects.toThrow(
      message,
    );
  });

  test('does not load itself', async () => {
    const policies = { attacker: join(folder, 'self.json') };
    writeFileSync(policies.attacker, JSON.stringify({ ...network, policies }));
    await expect(loadScenario(write('g.json', policies))).rejects.toThrow('policies: expected one of');
  });

  test('changes the hash of a scenario, and the digest of its battles', async () => {
    const [plain, changed] = await Promise.all([bluff, play(network)].map((each) => simulate(each, { battles: 10 })));
    expect(plain?.scenarioHash).not.toBe(changed?.scenarioHash);
    expect(plain?.digest).not.toBe(changed?.digest);
  });
});

describe('a hostile policy', () => {
  const valid = createNetwork([0, 0, 0], [0, 0, 0]);
  const [layer] = valid.layers;
  const table = {
    format: 'warpool-policy-1',
    system: 'strength-cards',
    kind: 'table',
    features: ['hp.attacker.Corps'],
    states: [{ decision: 'card', observation: [4], actions: { 'card:Assault': 1 } }],
  };
  const [state] = table.states;
  test.each([
    ['another format', { ...valid, format: 'onnx' }, 'format: expected warpool-policy-1'],
    ['an unknown field', { ...valid, layer: [] }, 'layer: expected one of'],
    ['another system', { ...valid, system: 'attrition' }, 'system: expected strength-cards'],
    ['an unknown feature', { ...valid, features: ['hp'] }, 'features of the scenario'],
    ['an unknown action', { ...valid, actions: ['a', 'b', 'c'] }, 'actions of the scenario'],
    ['an unknown decision', { ...table, states: [{ ...state, decision: 'cards' }] }, 'decisions of the scenario'],
    ['NaN', createNetwork([Number.NaN, 0, 0], [0, 0, 0]), 'expected finite numbers'],
    ['too few weights', createNetwork([0, 0], [0, 0, 0]), '3 float32 numbers in base64, found 8 bytes'],
    ['no base64', { ...valid, layers: [{ ...layer, weights: '~' }] }, '3 float32 numbers in base64'],
    ['another width', { ...valid, layers: [{ ...layer, inputs: 2 }] }, 'inputs: expected 1, found 2'],
    ['a huge layer', { ...valid, layers: [{ ...layer, outputs: 2 ** 40 }] }, 'outputs: expected an integer 1..'],
    ['too few outputs', { ...valid, layers: [{ ...layer, outputs: 2 }] }, '3 outputs of the last layer'],
    ['no layers', { ...valid, layers: [] }, 'layers: expected a list'],
    ['a sum of 2', { ...table, states: [{ ...state, actions: { a: 1, b: 1 } }] }, 'probabilities 0..1 whose sum is 1'],
    ['a repeated state', { ...table, states: [state, state] }, 'one entry for each state'],
    [
      'a wrong length',
      { ...table, states: [{ ...state, observation: [] }] },
      'observation: expected 1 number, one per feature',
    ],
    [
      'a string',
      { ...table, states: [{ ...state, observation: ['1'] }] },
      'observation[0]: expected a number, found "1"',
    ],
    ['a list', { ...table, states: [{ ...state, observation: [[1]] }] }, '[0]: expected a number, found a list of 1'],
    ['a numeric name', { ...valid, features: ['a', 3] }, 'features[1]: expected a name, found 3'],
    [
      'states',
      { ...valid, states: [] },
      'one of format, system, name, kind, features, otherwise, actions, layers, choose',
    ],
    ['another kind', { ...valid, kind: 'tree' }, 'kind: expected one of table, network'],
    [
      'a large second layer',
      {
        ...valid,
        layers: [
          { ...layer, outputs: 1e6 },
          { inputs: 1e6, outputs: 5 },
        ],
      },
      'layers[1].outputs: expected at most 4000000 weights of a layer, found 1000000 inputs times 5 outputs',
    ],
    ['an unknown player', undefined, 'players: attacker, defender'],
    ['a path', 'policy.json', 'the content of the policy file, because the scenario is a text, found "policy.json"'],
    ['a number', 5, 'uniform, the path of a policy file, or its content'],
  ])('with %s is rejected', (_, policy, message) => {
    const policies = policy === undefined ? { atacker: 'uniform' } : { attacker: policy };
    const act = (): unknown => updateScenario(bluff, { policies });
    expect(act).toThrow(InputError);
    expect(act).toThrow(message);
  });

  test('without an entry for a state fails where the state is reached', () => {
    const other = { ...table, states: [{ ...state, observation: [1] }] };
    expect(() => solveSync(play(other))).toThrow(RulesError);
    expect(() => solveSync(play(other))).toThrow('policies.attacker has no entry for card with hp.attacker.Corps 4');
    expect(solveSync(play({ ...other, otherwise: 'scenario' })).summary).toEqual(solveSync(bluff).summary);
  });

  test('with an illegal action fails where the action is chosen', () => {
    const other = { ...table, states: [{ ...state, actions: { 'air:hold': 1 } }] };
    expect(() => solveSync(play(other))).toThrow(/actions of the scenario|illegal action/);
  });

  test('with infinite outputs fails where it decides', () => {
    expect(() => solveSync(play(createNetwork([3e38, 0, 0], [0, 0, 0])))).toThrow('a network has the outputs Infinity');
  });
});

test('an invalid policy in a scenario is rejected with the path of its field', () => {
  const value = { ...bluff, policies: { attacker: { format: 'x' } } };
  expect(() => validateScenario(value)).toThrow('policies.attacker.format: expected warpool-policy-1');
});
