/** Commands `warpool rollout` and `warpool manifest`. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runEpisodes, VectorEnv } from '../../src/environments.ts';
import { loadScenario } from '../../src/index.ts';
import { computeFixedLengthInterval } from '../../src/stats/mean-interval.ts';
import { computeSampleMoments } from '../../src/stats/sample-moments.ts';
import { called, json } from './called.ts';
import { ROOT } from './warpool.ts';

const GROUND = join(ROOT, 'scenarios/phased-dice-ground.yaml');

interface Played {
  readonly steps: number;
  readonly decisions: readonly string[];
  readonly digest?: string;
  readonly returns: { readonly attacker?: number; readonly defender?: number };
  readonly returnsCi95: { readonly [A in 'attacker' | 'defender']?: readonly [number, number] };
}

const simulated = (...options: readonly string[]) => json<Played>('rollout', GROUND, '--envs', '256', ...options);

describe('--decisions', () => {
  test('limits the decision points of agents without a change of the digest', async () => {
    const [all, some] = [await simulated(), await simulated('--decisions', 'retreat')];
    expect(all.decisions).toEqual(['target', 'losses', 'retreat']);
    expect(some.decisions).toEqual(['retreat']);
    expect(some.steps).toBeLessThan(all.steps);
    expect(some.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(some.digest).toBe(all.digest);
  });

  test('is printed in the heading', async () => {
    const { stdout } = await called(['rollout', GROUND, '--envs', '64', '--decisions', 'losses, retreat']);
    expect(stdout).toMatch(/^64 environments · 1 episode each · policy scenario · decisions losses, retreat · seed/);
    const { stdout: usual } = await called(['rollout', GROUND, '--envs', '64']);
    expect(usual).toMatch(/^64 environments · 1 episode each · policy scenario · seed 1\n/);
  });

  test('is stored in the manifest', async () => {
    const { stdout } = await called(['manifest', GROUND, '--decisions', 'retreat']);
    expect(JSON.parse(stdout)).toMatchObject({
      decisionPoints: ['target', 'losses', 'retreat'],
      decisions: ['retreat'],
    });
  });

  test.each(['rollout', 'manifest'])('with an unknown decision point is rejected by %s', async (command) => {
    const { code, stdout, stderr } = await called([command, GROUND, '--decisions', 'retret']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      '--decisions: expected some of target, losses, retreat, found "retret" (did you mean retreat?)\n',
    );
  });
});

describe('mean returns', () => {
  test('have the interval of a mean with a declared range', async () => {
    const run = await simulated('--agents', 'all', '--episodes', '2');
    const { attacker = 0, defender = 0 } = run.returns;
    // All 512 battles returned 1 or -1.
    const wins = (attacker + 1) * 256;
    const pairs = [[-1, 512 - wins] as const, [1, wins] as const];
    expect(run.returnsCi95.attacker).toEqual(computeFixedLengthInterval(computeSampleMoments(pairs, [-1, 1])));
    const [low = 0, high = 0] = run.returnsCi95.attacker ?? [];
    expect(run.returnsCi95.defender?.[0]).toBeCloseTo(-high, 12);
    expect(run.returnsCi95.defender?.[1]).toBeCloseTo(-low, 12);
    expect(defender).toBe(-attacker);
    expect([low < attacker, attacker < high]).toEqual([true, true]);
  });

  test('are printed with their interval and number of episodes', async () => {
    const { stdout } = await called(['rollout', GROUND, '--envs', '512', '--episodes', '2', '--agents', 'all']);
    expect(stdout).toMatch(/^agent {5}mean return {2}return, 95 % interval {2}episodes$/m);
    expect(stdout).toMatch(/^attacker {6}-0\.\d{4} +-0\.\d\d \.\. -0\.\d\d +1 024$/m);
  });

  test('have intervals that account for truncated episodes and the range of metrics', async () => {
    const cut = await simulated('--max-steps', '1');
    expect(cut.returns.attacker).toBe(0);
    // All 256 returns are 0. Unobserved returns have a probability of at most 1 - 0.025^(1/256).
    const unseen = 1 - 0.025 ** (1 / 256);
    expect(cut.returnsCi95.attacker?.[0]).toBeCloseTo(-unseen, 12);
    expect(cut.returnsCi95.attacker?.[1]).toBeCloseTo(unseen, 12);
    const material = await simulated('--reward', 'material');
    const [low = 0, high = 0] = material.returnsCi95.attacker ?? [];
    expect(high - low).toBeGreaterThan(0);
    expect(high - low).toBeLessThan(0.3);
  });

  test('are 0 for truncated episodes, even if every outcome has reward 1', async () => {
    const values = { attacker: 1, defender: 1, mutual: 1, stalemate: 1, retreat: 1 };
    const reward = { attacker: { outcomes: values } };
    const env = await VectorEnv.create(await loadScenario(GROUND), { numEnvs: 64, maxSteps: 1, reward });
    const { returns, returnsCi95 } = await runEpisodes(env, { policy: 'scenario', episodes: 1, seed: 1n });
    expect(returns).toEqual([0]);
    expect(returnsCi95[0]?.[0]).toBe(0);
    expect(returnsCi95[0]?.[1]).toBeCloseTo(1 - 0.025 ** (1 / 64), 12);
  });
});
