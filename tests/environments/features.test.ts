/** Features of observations: only features that vary, with valid bounds. */

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HEAD_BYTES } from '../../src/environments/buffers.ts';
import { createEnvSpec, createScenarioSpec, type Variant } from '../../src/environments/env-spec.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { State } from '../../src/rules/system.ts';
import { modesOf, sampleScenarios } from '../arbitraries.ts';

const files = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'));
const shipped = await Promise.all(files.map((file) => loadScenario(`scenarios/${file}`)));

describe.each(shippedSystems)('$id', (system) => {
  const samples = modesOf(system).flatMap((mode) => sampleScenarios(system, mode, 10));
  const scenarios = [...shipped.filter((scenario) => scenario.system === system.id), ...samples];

  test('observations omit only features that are constant in all states', async () => {
    let left = 0;
    for (const scenario of scenarios) {
      const env = await VectorEnv.create(scenario, { numEnvs: 16, agents: 'all' });
      const { variants, features } = env.configuration;
      const { spec } = variants[0] as Variant;
      expect(features.filter(({ low, high }) => low >= high)).toEqual([]);
      const own = spec.features;
      const shown = features.map(({ name }) => name);
      const out = own.flatMap((feature, f) => (shown.includes(feature.name) ? [] : [{ ...feature, f }]));
      expect(out.filter(({ low, high }) => low !== high)).toEqual([]);
      left += out.length;
      for (let step = 0; step < 10; step++) {
        env.rollout('uniform', { steps: 1 });
        const words = new Int32Array(env.state(step).slice(HEAD_BYTES).buffer);
        const seen = spec.observe(spec.kernel?.decode(words) as State, spec.players[step % 2]);
        for (const { name, f, low } of out) expect(seen[f], name).toBe(low);
      }
    }
    // Attrition has no constant features, and neither have ground armies of phased dice.
    expect(left > 0).toBe(system.id !== 'attrition');
  });

  test('observations have the player, the decision points, and the features in order', () => {
    for (const scenario of scenarios) {
      const { features, decisionPoints: points } = createEnvSpec([{ scenario }]);
      const varying = createScenarioSpec(scenario).features.filter(({ low, high }) => low < high);
      const names = ['player', ...points.map((point) => `asked.${point}`), ...varying.map(({ name }) => name)];
      expect(features.map(({ name }) => name)).toEqual(names);
    }
  });
});

test('features that differ between scenarios are shown, common constants are omitted', async () => {
  const [land, fortress] = await Promise.all(
    ['land', 'fortress'].map((name) => loadScenario(`scenarios/strength-cards-${name}.yaml`)),
  );
  if (land === undefined || fortress === undefined) throw new Error('no scenarios');
  const alone = createEnvSpec([{ scenario: land }]).features.map(({ name }) => name);
  const env = await VectorEnv.create([land, fortress], { numEnvs: 64 });
  const { features } = env.configuration;
  const together = features.map(({ name }) => name);
  expect(alone).not.toContain('strength.attacker');
  expect(together).toContain('strength.attacker');
  expect(together).not.toContain('token');
  const at = together.indexOf('strength.attacker');
  const { obs, variant } = env.buffers;
  for (let e = 0; e < env.numEnvs; e++) expect(obs[e * features.length + at]).toBe([17, 22][variant[e] ?? 0]);
});
