/** `warpool rollout` and `warpool manifest`: environments by files and options. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { called } from './called.ts';
import { ROOT } from './warpool.ts';

const GROUND = join(ROOT, 'scenarios/phased-dice-ground.yaml');

interface Played {
  readonly steps: number;
  readonly points: readonly string[];
  readonly digest?: string;
  readonly returns: Readonly<Record<string, number>>;
}

const played = async (...options: readonly string[]): Promise<Played> => {
  const { code, stdout, stderr } = await called(['rollout', GROUND, '--envs', '256', '--json', ...options]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Played;
};

describe('--points', () => {
  test('asks agents at some decision points; the battles by the scenario are the same', async () => {
    const [all, some] = [await played(), await played('--points', 'retreat')];
    expect(all.points).toEqual(['target', 'losses', 'retreat']);
    expect(some.points).toEqual(['retreat']);
    expect(some.steps).toBeLessThan(all.steps);
    expect(some.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(some.digest).toBe(all.digest);
  });

  test('is told on the sheet', async () => {
    const { stdout } = await called(['rollout', GROUND, '--envs', '64', '--points', 'losses, retreat']);
    expect(stdout).toMatch(/^64 environments · 1 episode each · policy scenario · asked at losses, retreat · seed 1\n/);
    const { stdout: usual } = await called(['rollout', GROUND, '--envs', '64']);
    expect(usual).toMatch(/^64 environments · 1 episode each · policy scenario · seed 1\n/);
  });

  test('is part of a manifest', async () => {
    const { stdout } = await called(['manifest', GROUND, '--points', 'retreat']);
    expect(JSON.parse(stdout)).toMatchObject({ points: ['target', 'losses', 'retreat'], asked: ['retreat'] });
  });

  test.each(['rollout', 'manifest', 'serve-rollouts'])('%s refuses a point that there is not', async (command) => {
    const { code, stdout, stderr } = await called([command, GROUND, '--points', 'retret']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('--points: expected some of target, losses, retreat, found "retret" (did you mean retreat?)\n');
  });
});
