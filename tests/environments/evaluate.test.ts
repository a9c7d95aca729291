/** Values of states: exact values against simulated battles, and independence from all other data. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { BudgetError, InputError } from '../../src/core/errors.ts';
import { createScenarioSpec } from '../../src/environments/env-spec.ts';
import type { VectorEnvOptions } from '../../src/environments/environments.ts';
import { type Evaluation, Evaluator, evaluate } from '../../src/environments/evaluate/evaluator.ts';
import { estimateValue } from '../../src/environments/evaluate/value-estimate.ts';
import { POLICIES } from '../../src/environments/layout.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH, some } from '../depth.ts';

const shipped = await Promise.all(
  readdirSync('scenarios')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => loadScenario(`scenarios/${file}`)),
);
const playable = shipped.filter(({ system }) => SHIPPED_REGISTRY.system(system).environment !== undefined);

const duel = playable.find(({ name }) => name === 'The champion') as Scenario;

/** Creates environments of a scenario and takes steps of the uniform policy. */
async function under(scenario: Scenario, steps: number, options: VectorEnvOptions = {}): Promise<VectorEnv> {
  const env = await VectorEnv.create(scenario, { numEnvs: 24, agents: 'all', seed: 5, ...options });
  for (let step = 0; step < steps; step++) {
    env.sampleActions('uniform');
    env.step();
  }
  return env;
}

const statesOf = (env: VectorEnv): Uint8Array[] => Array.from({ length: env.numEnvs }, (_, e) => env.state(e));

/** Returns the distance of a frequency from a probability, in standard errors. */
const miss = (share: number, p: number, battles: number): number =>
  p === 0 || p === 1
    ? share === p
      ? 0
      : Number.POSITIVE_INFINITY
    : Math.abs(share - p) / Math.sqrt((p * (1 - p)) / battles);

/** Limit in standard errors. One normal frequency in 1.7 million exceeds it; a few thousand are tested. */
const ODDS = 5;

function expectAgreement(exact: Evaluation, simulation: Evaluation): void {
  expect(exact.exact).toBe(true);
  expect(simulation.exact).toBe(false);
  for (const [o, { mean }] of exact.outcomes.entries()) {
    const other = simulation.outcomes[o];
    // Counts of rare outcomes are far from normal, so they may differ by ten battles of 4096.
    const rare = Math.abs((other?.mean ?? 0) - mean) * simulation.battles < 10 && mean > 0;
    if (!rare) expect(miss(other?.mean ?? 0, mean, simulation.battles)).toBeLessThan(ODDS);
    expect(other?.low).toBeLessThanOrEqual(other?.mean ?? 0);
    expect(other?.high).toBeGreaterThanOrEqual(other?.mean ?? 0);
  }
}

/** Selected scenarios, more of them in a deep run. */
const looked = some(playable);

describe.each(looked.map((scenario) => ({ name: scenario.name ?? scenario.system, scenario })))(
  '$name',
  ({ scenario }) => {
    test.each(some(POLICIES))('exact values agree with simulated battles, policy %s', async (policy) => {
      const env = await under(scenario, 3);
      const states = statesOf(env).slice(0, DEPTH === 1 ? 2 : 6);
      // Only small scenarios have exact values to compare with.
      const exact = await evaluate(env, states, { policy, battles: 6000 });
      const simulation = await evaluate(env, states, { policy, exact: 'never', seed: 3 });
      for (const [s, value] of exact.entries()) {
        const other = simulation[s] as Evaluation;
        if (value.exact) expectAgreement(value, other);
        for (const { mean, low, high } of other.rewards) {
          expect(low).toBeLessThanOrEqual(mean);
          expect(high).toBeGreaterThanOrEqual(mean);
        }
        const sum = other.outcomes.reduce((total, { mean }) => total + mean, 0);
        expect(sum).toBeCloseTo(1, 12);
      }
    });

    test.each(some(['win', ...Object.keys(createScenarioSpec(scenario).rewards)]))(
      'finished battles have the value of their rewards, reward %s',
      async (reward) => {
        const env = await under(scenario, 400, { autoreset: 'disabled', numEnvs: 8, reward });
        const values = await evaluate(env, statesOf(env));
        const over = values.flatMap((value, e) =>
          env.buffers.terminated[e] === 1 || env.buffers.phase[e] === 0 ? [{ value, e }] : [],
        );
        expect(over.length).toBeGreaterThan(0);
        for (const { value, e } of over) {
          expect(value.exact).toBe(true);
          expect(value.outcomes.map(({ mean }) => mean).indexOf(1)).toBe(env.buffers.outcome[e]);
          const earned = env.agents.map((_, a) => env.buffers.finalReturn[e * env.agents.length + a] ?? 0);
          for (const [a, { mean }] of value.rewards.entries()) expect(mean).toBeCloseTo(earned[a] ?? 0, 6);
        }
      },
    );
  },
);

describe('values of a small scenario', () => {
  test('equal the exact answer at the start', async () => {
    const env = await under(duel, 0);
    const [value] = await evaluate(env, [env.state(0)], { exact: 'always' });
    const { distribution: exactDistribution } = solveSync(duel);
    for (const [o, { mean }] of value?.outcomes.entries() ?? [])
      expect(mean).toBeCloseTo(exactDistribution.outcomes[o] ?? 0, 13);
  });

  test('agree with the frequencies of simulate() at the start', async () => {
    const env = await under(duel, 0);
    const [value] = await evaluate(env, [env.state(0)], { exact: 'never', battles: 20_000 });
    const { counts } = await simulate(duel, { battles: 20_000, seed: 9 });
    for (const [o, { mean }] of value?.outcomes.entries() ?? []) {
      const share = (counts.outcomes[o] ?? 0) / 20_000;
      const both = (mean + share) / 2;
      expect(Math.abs(mean - share)).toBeLessThan(ODDS * Math.sqrt((2 * both * (1 - both)) / 20_000) + 1e-9);
    }
  });

  test('agree for rewards by metrics, exact and simulated', async () => {
    const env = await under(duel, 2, { reward: 'hp' });
    const states = statesOf(env).slice(0, 4);
    const exact = await evaluate(env, states, { exact: 'always' });
    const simulation = await evaluate(env, states, { exact: 'never', battles: 20_000 });
    for (const [s, { rewards }] of exact.entries()) {
      for (const [a, { mean }] of rewards.entries()) {
        const { mean: other = 0, low = 0, high = 0 } = simulation[s]?.rewards[a] ?? {};
        // Half of an interval of 95 % is two standard errors.
        expect(Math.abs(other - mean)).toBeLessThan(((ODDS / 2) * (high - low)) / 2 + 1e-9);
        expect(high - low).toBeLessThan(0.1);
      }
    }
  });

  test('include the rounds before the state', async () => {
    const rounds = { metrics: { rounds: 1 } };
    const [first = 'attacker'] = createScenarioSpec(duel).players;
    const env = await under(duel, 3, { agents: [first], reward: { [first]: rounds }, autoreset: 'disabled' });
    const e = env.buffers.phase.indexOf(1);
    const [exact] = await evaluate(env, [env.state(e)], { exact: 'always' });
    const [simulation] = await evaluate(env, [env.state(e)], { exact: 'never', battles: 20_000 });
    expect(exact?.rewards[0]?.mean).toBeGreaterThan(3);
    expect(Math.abs((exact?.rewards[0]?.mean ?? 0) - (simulation?.rewards[0]?.mean ?? 0))).toBeLessThan(0.2);
  });
});

describe('the value of a state', () => {
  test('does not depend on the other states, the episode or the order', async () => {
    const env = await under(duel, 2, { numEnvs: 200 });
    const states = statesOf(env);
    const options = { exact: 'never', battles: 64, seed: 11 } as const;
    const together = (await Evaluator.create(env, options)).evaluate(states);
    const alone = states.map(async (state) => (await evaluate(env, [state], options))[0]);
    expect(await Promise.all(alone)).toEqual(together);
    const shuffled = states.map((_, s) => (s * 77) % states.length);
    const other = await evaluate(
      env,
      shuffled.map((s) => states[s] as Uint8Array),
      options,
    );
    expect(other).toEqual(shuffled.map((s) => together[s]));
    expect(await evaluate(env, states, { ...options, seed: 12 })).not.toEqual(together);
  });

  test('is cached, regardless of the episode', async () => {
    const env = await under(duel, 0, { numEnvs: 100 });
    const evaluator = await Evaluator.create(env, { exact: 'never', battles: 16 });
    evaluator.evaluate(statesOf(env));
    // All battles are at their start, but have different streams.
    expect(evaluator.found).toBe(1);
    env.sampleActions('uniform');
    env.step();
    const values = evaluator.evaluate(statesOf(env));
    const { found } = evaluator;
    expect(found).toBeGreaterThan(2);
    expect(evaluator.evaluate(statesOf(env))).toEqual(values);
    expect(evaluator.found).toBe(found);
    const forgetful = await Evaluator.create(env, { exact: 'never', battles: 16, cache: 1 });
    expect(forgetful.evaluate(statesOf(env))).toEqual(values);
    expect(forgetful.found).toBeGreaterThan(found);
  });

  test('is computed without a change of the environments', async () => {
    const env = await under(duel, 2);
    const before = env.snapshot();
    await evaluate(env, statesOf(env), { exact: 'never', battles: 16 });
    expect(env.snapshot()).toEqual(before);
  });

  test('equals the value of the whole battle if the episode is truncated', async () => {
    const cut = await under(duel, 2, { maxSteps: 2, autoreset: 'disabled' });
    const whole = await under(duel, 2, { autoreset: 'disabled' });
    const e = cut.buffers.truncated.indexOf(1);
    expect(e).toBeGreaterThanOrEqual(0);
    expect(await evaluate(cut, [cut.state(e)])).toEqual(await evaluate(whole, [whole.state(e)]));
  });
});

describe('invalid input', () => {
  test('invalid states are rejected', async () => {
    const env = await under(duel, 0);
    await expect(evaluate(env, [env.state(0), new Uint8Array(7)])).rejects.toThrow(/states\[1\].*bytes.*7/);
    const strange = env.state(0);
    strange[16] = 9;
    await expect(evaluate(env, [strange])).rejects.toThrow(InputError);
  });

  test('invalid options are rejected', async () => {
    const env = await under(duel, 0);
    await expect(Evaluator.create(env, { battles: 0 })).rejects.toThrow(InputError);
    await expect(Evaluator.create(env, { cache: -1 })).rejects.toThrow(InputError);
    await expect(Evaluator.create(env, { seed: -1 })).rejects.toThrow(InputError);
    await expect(Evaluator.create(env, { policy: 'best' as 'uniform' })).rejects.toThrow(InputError);
  });

  test.runIf(DEPTH > 1)('a required exact answer that is too large is an error', async () => {
    const large = SHIPPED_REGISTRY.system('attrition').schema.parse({
      system: 'attrition',
      mode: 'direct',
      attacker: { attack: 1, defense: 1, hp: 30_000 },
      defender: { attack: 1, defense: 1, hp: 30_000 },
    });
    const env = await under(large, 0, { numEnvs: 1 });
    const evaluator = await Evaluator.create(env, { exact: 'always' });
    expect(() => evaluator.evaluate([env.state(0)])).toThrow(BudgetError);
  });

  test('a required exact answer beyond the given budget is an error', async () => {
    const env = await under(
      SHIPPED_REGISTRY.system('attrition').schema.parse({
        system: 'attrition',
        mode: 'direct',
        attacker: { attack: 1, defense: 1, hp: 5 },
        defender: { attack: 1, defense: 1, hp: 4 },
      }),
      0,
      { numEnvs: 1 },
    );
    const answered = async (budget: number) => {
      const evaluator = await Evaluator.create(env, { exact: 'always', budget });
      return evaluator.evaluate([env.state(0)])[0]?.exact;
    };
    await expect(answered(10)).rejects.toThrow('more than the budget of 10 steps');
    expect(await answered(1e6)).toBe(true);
    await expect(answered(0)).rejects.toThrow('budget: expected an integer 1..10000000000');
  });
});

describe('rewards by metrics from batches of battles', () => {
  const variant = {
    outcomes: ['won', 'lost'],
    byOutcome: [[1], [-1]],
    byMetric: [[0.5]],
    metrics: [{ name: 'left', min: 0, max: 8 }],
  } as unknown as Parameters<typeof estimateValue>[0];
  const lot = (won: number, left: number) => ({ battles: 64, counts: [won, 64 - won], sums: [left] });

  test('have a bound from unobserved rewards if all batches are equal', () => {
    const [reward] = estimateValue(variant, ['attacker'], [lot(64, 128), lot(64, 128)]).rewards;
    const never = 1 - 0.025 ** (1 / 128);
    expect(reward).toMatchObject({ mean: 2 });
    expect(reward?.low).toBeCloseTo(2 - never * 3, 12);
    expect(reward?.high).toBeCloseTo(2 + never * 3, 12);
  });

  test("have Student's interval if batches differ, and the whole range for one batch", () => {
    const [reward] = estimateValue(variant, ['attacker'], [lot(64, 128), lot(32, 0)]).rewards;
    expect(reward?.mean).toBe(1);
    expect((reward?.high ?? 0) - (reward?.low ?? 0)).toBeCloseTo(2 * 12.7062 * 1, 3);
    const [only] = estimateValue(variant, ['attacker'], [lot(64, 128)]).rewards;
    expect(only).toMatchObject({ low: -1, high: 5 });
  });
});
