/** Option `decisions`: agents decide at some decision points; policies of the scenario decide at all others. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { createEnvSpec, createScenarioSpec } from '../../src/environments/env-spec.ts';
import { runEpisodes } from '../../src/environments/episodes.ts';
import { AUTORESETS } from '../../src/environments/layout.ts';
import { createManifest } from '../../src/environments/manifest.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { expectTwins } from './reference-comparison.ts';

const files = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'));
const scenarios = await Promise.all(files.map((file) => loadScenario(`scenarios/${file}`)));
const ground = await loadScenario('scenarios/phased-dice-ground.yaml');

const asking = shippedSystems.flatMap(({ id }) => {
  const [first] = scenarios.filter(({ system }) => system === id);
  return first === undefined ? [] : createScenarioSpec(first).points.map((point) => ({ id, point }));
});

describe.each(asking)('$id with decisions only at $point', ({ id, point }) => {
  test('agrees with the rules after every step', async () => {
    let asked = 0;
    const own = scenarios.filter(({ system }) => system === id).entries();
    for (const [s, scenario] of own) {
      if (DEPTH === 1 && asked > 100) break;
      for (const agents of DEPTH === 1 && s > 0 ? (['all'] as const) : (['all', undefined] as const)) {
        const options = { decisions: [point], agents, autoreset: AUTORESETS[s % 3] };
        const taken = await expectTwins([{ scenario }], { ...options, envs: 4, steps: 30, seed: s });
        expect([...taken.keys()].every((each) => each === point)).toBe(true);
        asked += taken.get(point) ?? 0;
      }
    }
    expect(asked).toBeGreaterThan(20);
  });
});

/** Lists observations, masks, phases and rewards during steps of the uniform policy. */
function story(env: VectorEnv, steps = 50): number[] {
  return Array.from({ length: steps }, () => {
    env.sampleActions('uniform');
    env.step();
    const { obs, mask, phase, reward } = env.buffers;
    return [...obs, ...mask, ...phase, ...reward];
  }).flat();
}

test('agents decide at all decision points by default', async () => {
  const options = { numEnvs: 16, agents: 'all' } as const;
  const usual = await VectorEnv.create(ground, options);
  const named = await VectorEnv.create(ground, { ...options, decisions: ['losses', 'retreat', 'target'] });
  expect(usual.decisions).toEqual(usual.decisionPoints);
  expect(named.decisions).toEqual(usual.decisionPoints);
  expect(story(named)).toEqual(story(usual));
});

test('actions and features do not depend on the option decisions', () => {
  const [some, all] = [['retreat'], undefined].map((points) =>
    createEnvSpec([{ scenario: ground }], { decisions: points }),
  );
  expect(some?.actions).toEqual(all?.actions);
  expect(some?.features).toEqual(all?.features);
});

test('episodes with scenario policies equal the battles of a run, in fewer steps', async () => {
  const run = await simulate(ground, { battles: 500, seed: 3 });
  const lengths: number[] = [];
  for (const points of [undefined, ['retreat']]) {
    const env = await VectorEnv.create(ground, { numEnvs: 500, decisions: points });
    const { digest, steps } = await runEpisodes(env, { policy: 'scenario', episodes: 1, seed: 3n });
    expect(digest).toBe(run.digest);
    lengths.push(steps);
  }
  expect(lengths[1]).toBeLessThan(lengths[0] ?? 0);
});

test('a change between steps keeps the pending decisions', async () => {
  const env = await VectorEnv.create(ground, { numEnvs: 64, decisions: ['retreat'] });
  const retreat = 1 + env.decisionPoints.indexOf('retreat');
  const shown = (): Set<number> => new Set(env.buffers.phase);
  env.rollout('uniform', { steps: 20 });
  expect(shown()).toEqual(new Set([retreat]));
  env.configure({ decisions: ['losses', 'target'] });
  expect(env.decisions).toEqual(env.decisionPoints.filter((point) => point !== 'retreat'));
  expect(shown()).toEqual(new Set([retreat]));
  env.rollout('uniform', { steps: 1 });
  expect(shown()).not.toContain(retreat);
  env.configure({ maxSteps: 9 });
  expect(env.decisions).not.toContain('retreat');
});

test('a manifest lists the requested decision points', () => {
  const { decisionPoints, decisions, configuration } = createManifest(
    createEnvSpec([{ scenario: ground }], { decisions: ['losses', 'retreat'] }),
  );
  expect(decisions).toEqual(decisionPoints.filter((point) => point !== 'target'));
  const words = new Int32Array(Uint8Array.from(Buffer.from(configuration.base64, 'base64')).buffer);
  expect(words[configuration.unaskedWord]).toBe(1 << decisionPoints.indexOf('target'));
});

test.each([
  [['retret'], 'decisions: expected some of target, losses, retreat, found "retret" (did you mean retreat?)'],
  [['retreat', 'retreat'], 'decisions: expected unique names, found retreat, retreat'],
  [[], 'decisions: expected at least one of target, losses, retreat, found none'],
])('%j is rejected', async (points, message) => {
  await expect(VectorEnv.create(ground, { decisions: points })).rejects.toThrow(message);
  const env = await VectorEnv.create(ground);
  expect(() => {
    env.configure({ decisions: points });
  }).toThrow(message);
});
