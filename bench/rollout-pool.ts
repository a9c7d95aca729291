/**
 * Environments on two threads compared with one, in turns, with started threads. Both must have the same final records.
 */
import { createHash } from 'node:crypto';
import { VectorEnvPool } from '../src/environments.ts';
import { loadSystems } from '../src/rules/index.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import type { Scenario } from '../src/rules/system.ts';
import { type Contender, oneByOne, race } from './race.ts';
import type { Options, Row } from './row.ts';
import { timesAsFast } from './times.ts';

/** Scenarios with kernels, and compiled ones of games and custom systems, with their numbers of environments. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  'scenarios/attrition-direct': [64, 1024, 4096, 16384],
  'scenarios/phased-dice-ground': [4096],
  'examples/games/space-fleets-raid': [4096],
  'examples/games/conquest-dice-siege': [4096],
  'examples/systems/robots-five': [4096],
};

/** Measured work: steps of all environments with the uniform policy. */
const WORKS = {
  rollout: (pool: VectorEnvPool, steps: number) => {
    pool.rollout('uniform', { steps });
  },
  'suggest and step': (pool: VectorEnvPool, steps: number) => {
    for (let s = 0; s < steps; s++) {
      pool.sampleActions('uniform');
      pool.step();
    }
  },
};

async function compare(file: string, scenario: Scenario, numEnvs: number, turns: number): Promise<Row[]> {
  await using one = await VectorEnvPool.create(scenario, { numEnvs, threads: 1, agents: 'all' });
  await using two = await VectorEnvPool.create(scenario, { numEnvs, threads: 2, agents: 'all' });
  const steps = Math.ceil(4e5 / numEnvs);
  const rows: Row[] = [];
  for (const [name, work] of Object.entries(WORKS)) {
    const processor = { one: 0, two: 0 };
    const stepping =
      (pool: VectorEnvPool, key: keyof typeof processor): Contender =>
      () =>
      () => {
        const before = process.cpuUsage();
        work(pool, steps);
        const { user, system } = process.cpuUsage(before);
        processor[key] += user + system;
        return steps * numEnvs;
      };
    const times = await race({ one: stepping(one, 'one'), two: stepping(two, 'two') }, oneByOne(turns));
    const ratios = (times.get('one') ?? []).map((time, turn) => time / (times.get('two')?.[turn] ?? Number.NaN));
    rows.push({
      suite: 'rollout-pool',
      name: `${name}, ${String(numEnvs)} environments of ${file.split('/').at(-1) ?? ''}`,
      value: Math.min(...(times.get('two') ?? [])),
      unit: 'ns a step on two threads',
      ratio: timesAsFast(times, 'two', 'one'),
      of: 'times one thread',
      note: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; CPU time ${(processor.two / processor.one).toFixed(2)} times; same records`,
    });
  }
  const hashes = [one, two].map(({ buffers: fields }) => createHash('sha256').update(fields.record).digest('hex'));
  if (hashes[0] !== hashes[1]) throw new Error('one thread and two disagree');
  return rows;
}

export async function rolloutPool({ quick }: Options): Promise<Row[]> {
  const systems = await loadSystems(
    ['games/space-fleets', 'games/conquest-dice', 'systems/robots'].map((name) => `examples/${name}.mjs`),
  );
  const rows: Row[] = [];
  for (const [file, sizes] of Object.entries(SIZES)) {
    const scenario = await loadScenario(`${file}.yaml`, { systems });
    for (const numEnvs of sizes) rows.push(...(await compare(file, scenario, numEnvs, quick ? 5 : 30)));
  }
  return rows;
}
