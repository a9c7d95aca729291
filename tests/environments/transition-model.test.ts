/** Transition probabilities: dynamic programming with them, and comparisons with sampled steps. */
import { describe, expect, test } from 'vitest';
import {
  type DecisionState,
  findBestResponseSync,
  type Transition,
  TransitionModel,
  VectorEnv,
} from '../../src/environments.ts';
import { loadScenario, loadSystems, solveSync, updateScenario } from '../../src/index.ts';
import { DEPTH } from '../depth.ts';

const listLegal = ({ mask }: DecisionState): number[] => [...mask.keys()].filter((a) => mask[a] === 1);

/** Returns the value of the start of a battle for the first agent by value iteration. */
function iterateValues(model: TransitionModel): number {
  const graph = new Map<string, Transition[][]>();
  const open = model.start();
  for (let found = open.pop(); found !== undefined; found = open.pop()) {
    const { state } = found;
    if (state.phase === 0 || graph.has(state.key)) continue;
    const results = listLegal(state).map((action) => model.successors([state], [action])[0] ?? []);
    graph.set(state.key, results);
    open.push(...results.flat());
  }
  const values = new Map<string, number>();
  const computeMean = (results: readonly Transition[]): number =>
    results.reduce(
      (sum, { probability, state, rewards }) =>
        sum + probability * (state.phase === 0 ? (rewards[0] ?? 0) : (values.get(state.key) ?? 0)),
      0,
    );
  for (let change = 1; change > 1e-14; ) {
    change = 0;
    for (const [key, results] of graph) {
      const value = Math.max(...results.map(computeMean));
      change = Math.max(change, Math.abs(value - (values.get(key) ?? 0)));
      values.set(key, value);
    }
  }
  return computeMean(model.start());
}

describe('dynamic programming', () => {
  const CASES = [
    ['token-conflict-short-stock', 'rome'],
    ['phased-dice-broadside', 'defender'],
    ['phased-dice-last-stand', 'attacker'],
  ] as const;

  test.each(CASES.slice(0, 2 * DEPTH - 1))('has the value of the best response: %s, %s', async (name, agent) => {
    const scenario = await loadScenario(`scenarios/${name}.yaml`);
    const env = await VectorEnv.create(scenario, { numEnvs: 1, agents: [agent] });
    const { value } = findBestResponseSync(scenario, { agent });
    expect(iterateValues(await TransitionModel.create(env))).toBeCloseTo(value, 12);
  });

  test('has the exact probability of victory in a scenario without choices', async () => {
    const scenario = updateScenario(await loadScenario('scenarios/attrition-direct.yaml'), {
      'attacker.hp': 6,
      'defender.hp': 5,
    });
    const env = await VectorEnv.create(scenario, { numEnvs: 1, reward: { attacker: { outcomes: { attacker: 1 } } } });
    const value = iterateValues(await TransitionModel.create(env));
    expect(value).toBeCloseTo(solveSync(scenario).summary.outcomes[0]?.p ?? 0, 12);
  });
});

/** Frequencies of the next states after one action from the same state, by observation, phase, player and reward. */
describe('sampled steps', () => {
  const ENVS = 1000 * DEPTH ** 2;

  test.each([
    ['phased-dice-ground', 'kernel'],
    ['cube-bag-siege', 'kernel'],
    ['robots-five', 'automaton'],
    ['robots-five', 'reference'],
  ])('have the probabilities of the model: %s, %s', async (name, engine) => {
    const isShipped = engine === 'kernel';
    const systems = isShipped ? [] : await loadSystems(['examples/systems/robots.mjs']);
    const scenario = await loadScenario(`${isShipped ? 'scenarios' : 'examples/systems'}/${name}.yaml`, { systems });
    const options = engine === 'reference' ? { compileSteps: 0 } : {};
    const env = await VectorEnv.create(scenario, { numEnvs: ENVS, agents: 'all', autoreset: 'next-step', ...options });
    expect(env.engineUsed).toBe(engine);
    const model = await TransitionModel.create(env);
    for (let step = 0; step < 4; step++) {
      const start = env.state(0);
      const from = model.decode(start);
      const [action = 0] = listLegal(from).slice(-1);
      for (let e = 0; e < ENVS; e++) env.setState(e, start);
      for (let e = 0; e < ENVS; e += 1) env.reseed(BigInt(1 + step * ENVS + e), e, e + 1);
      const { obs, phase, player, reward } = env.buffers;
      const width = obs.length / ENVS;
      env.step(new Int32Array(ENVS).fill(action));
      const counts = new Map<string, number>();
      for (let e = 0; e < ENVS; e++) {
        const name = [obs.slice(e * width, (e + 1) * width), phase[e], player[e], reward[2 * e]].join(' ');
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      const expected = new Map<string, number>();
      for (const { state, probability, rewards } of model.successors([from], [action])[0] ?? []) {
        const name = [state.observation, state.phase, state.player, rewards[0]].join(' ');
        expected.set(name, (expected.get(name) ?? 0) + probability);
      }
      expect([...expected.values()].reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      for (const name of counts.keys()) expect(expected.has(name), name).toBe(true);
      for (const [name, p] of expected) {
        const share = (counts.get(name) ?? 0) / ENVS;
        expect(Math.abs(share - p), name).toBeLessThan(4.5 * Math.sqrt((p * (1 - p)) / ENVS) + 1e-12 + 3 / ENVS);
      }
      if (phase[0] === 0) return;
    }
  });
});

describe('wrong input is rejected', async () => {
  const scenario = await loadScenario('scenarios/phased-dice-last-stand.yaml');
  const env = await VectorEnv.create(scenario, { numEnvs: 1 });
  const model = await TransitionModel.create(env);
  const [first] = model.start();
  const states = first === undefined ? [] : [first.state];

  test('an illegal action', () => {
    expect(() => model.successors(states, [99])).toThrow(/^actions\[0\]: expected one of .*, found 99$/);
    expect(() => model.successors(states, [])).toThrow('actions: expected 1 numbers, found 0');
  });

  test('a state without a decision', () => {
    const ended = { ...states[0], turn: undefined } as unknown as DecisionState;
    expect(() => model.successors([ended], [0])).toThrow('found a battle that has ended');
    expect(() => model.decode(new Uint8Array(3))).toThrow('state: expected');
  });

  test('a budget that is too small, and unknown options', async () => {
    const ground = await VectorEnv.create(await loadScenario('scenarios/phased-dice-ground.yaml'), { numEnvs: 1 });
    const small = await TransitionModel.create(ground, { budget: 3 });
    expect(() => small.start()).toThrow('an action has more than 3 results (budget)');
    await expect(TransitionModel.create(env, { budgets: 3 } as never)).rejects.toThrow('found "budgets"');
  });
});
