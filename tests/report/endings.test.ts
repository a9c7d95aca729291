/** Histograms of battle results. */
import { expect, test } from 'vitest';
import { parseScenario, simulate, solveSync } from '../../src/index.ts';
import { createResultsFigure } from '../../src/report/figures/results.ts';

interface Layer {
  readonly data: { readonly values: readonly { readonly share: number; readonly reported: string }[] };
}

test('bins of few battles and of the exact distribution both sum to 100 %', async () => {
  const scenario = parseScenario(`system: attrition
mode: direct
attacker: { name: Swordsmen, attack: 1, defense: 1, hp: 30 }
defender: { name: Pikemen, attack: 1, defense: 1, hp: 25 }
`);
  const { shape, distribution: exactDistribution } = solveSync(scenario);
  const { counts } = await simulate(scenario, { battles: 4, seed: 1 });
  for (const m of shape.metrics.keys()) {
    const { spec } = createResultsFigure(shape, counts, m, new Map(), exactDistribution, {});
    const layers = (spec as unknown as { readonly layer: readonly Layer[] }).layer;
    expect(layers).toHaveLength(2);
    for (const { data } of layers) expect(data.values.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(100, 6);
  }
});
