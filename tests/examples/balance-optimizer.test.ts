/** The example of a custom optimizer for the search of a balance problem. */
import { expect, test } from 'vitest';
import type * as Library from '../../src/index.ts';

interface Example {
  readonly createLocalSearch: (
    problem: Library.BalanceProblem,
    evaluations: number,
    random: () => number,
  ) => Library.SettingOptimizer;
  readonly createRandom: (seed: number) => () => number;
}

const { href } = new URL('../../examples/balance/optimizer.mjs', import.meta.url);
const { createLocalSearch, createRandom } = (await import(/* @vite-ignore */ href)) as Example;

/** The example uses the built library. A variable, so that types can be checked before the first build. */
const name = 'warpool';
const library = (await import(/* @vite-ignore */ name)) as typeof Library;

test('the optimizer meets all targets with a fortieth of the settings of the grid', async () => {
  const problem = await library.loadBalanceProblem('examples/balance/three-scenarios-bonuses.yaml');
  const found = await library.balanceScenarios(problem, {
    optimizer: createLocalSearch(problem, 160, createRandom(1)),
  });
  expect(found).toMatchObject({ search: 'optimizer', targetsMet: true, exact: true });
  expect(found.scenarios.reduce((sum, { evaluated }) => sum + evaluated, 0)).toBeLessThan(480);
  for (const { targets } of found.meeting) expect(targets.map(({ miss }) => miss)).toEqual([0, 0, 0, 0]);
});
