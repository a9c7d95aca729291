/**
 * Decision steps of environments of custom systems and games with the uniform policy for all players: compiled, and by
 * the rules, which was the only engine before. Both must have equal observations.
 */
import { readdirSync } from 'node:fs';
import { VectorEnv } from '../src/environments/vector-env.ts';
import { loadSystems } from '../src/rules/index.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import type { Scenario } from '../src/rules/system.ts';
import { race } from './race.ts';
import type { Row, Suite } from './row.ts';

/** A scenario of each example with an environment. */
const FILES = [
  'systems/backoff-deadline',
  'systems/feint-even',
  'systems/first-win-two',
  'systems/goofspiel-three',
  'systems/hand-even',
  'systems/robots-five',
  'games/block-dice-raid',
  'games/combined-arms-convoy',
  'games/conquest-dice-siege',
  'games/space-fleets-raid',
  'games/symbol-dice-hill',
];

/** So few that the rules take about a millisecond for a sample, which other programs seldom interrupt. */
const ENVS = 64;

function open(scenario: Scenario, compileSteps?: number): Promise<VectorEnv> {
  return VectorEnv.create(scenario, { numEnvs: ENVS, agents: 'all', seed: 1, compileSteps });
}

/** Steps environments. @returns number of decisions */
function step(env: VectorEnv, steps: number): number {
  for (let t = 0; t < steps; t++) {
    env.sampleActions('uniform');
    env.step();
  }
  return steps * ENVS;
}

async function measure(name: string, scenario: Scenario, quick: boolean): Promise<Row> {
  const compiled = await open(scenario);
  const rules = await open(scenario, 0);
  if (compiled.engineUsed !== 'automaton') throw new Error(`${name}: ${compiled.engineReason ?? ''}`);
  for (const env of [compiled, rules]) step(env, 20);
  if (compiled.buffers.obs.join() !== rules.buffers.obs.join()) throw new Error(`${name}: observations differ`);
  const times = await race(
    { compiled: () => () => step(compiled, 64), rules: () => () => step(rules, 1) },
    { turns: quick ? 2 : 10, time: quick ? 20 : 60 },
  );
  const best = Math.min(...(times.get('compiled') ?? []));
  const before = Math.min(...(times.get('rules') ?? []));
  return {
    ...{ suite: 'custom-rollouts', name, value: 1000 / best, unit: 'million steps/s' },
    ...{ ratio: before / best, of: 'times the rules' },
    note: `rules: ${(1e6 / before).toFixed(0)} thousand steps/s`,
  };
}

export const customRollouts: Suite = async ({ quick }) => {
  const folders = ['examples/systems', 'examples/games'];
  const modules = folders.flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`));
  const systems = await loadSystems(modules.filter((file) => file.endsWith('.mjs')));
  const rows: Row[] = [];
  for (const file of FILES) {
    const [, name = ''] = file.split('/');
    rows.push(await measure(name, await loadScenario(`examples/${file}.yaml`, { systems }), quick));
  }
  return rows;
};
