/**
 * Environments on two threads compared with one, in turns, with started threads. Both must have the same final records.
 */
import { createHash } from 'node:crypto';
import { VectorEnvPool } from '../src/environments.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import type { Scenario } from '../src/rules/system.ts';
import { type Contender, oneByOne, race } from './race.ts';
import type { Options, Row } from './row.ts';

const FILE = 'attrition-direct.yaml';

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

async function compare(scenario: Scenario, numEnvs: number, turns: number): Promise<Row[]> {
  await using one = await VectorEnvPool.create(scenario, { numEnvs, threads: 1 });
  await using two = await VectorEnvPool.create(scenario, { numEnvs, threads: 2 });
  const steps = Math.ceil(4e5 / numEnvs);
  const rows: Row[] = [];
  for (const [name, work] of Object.entries(WORKS)) {
    const stepping =
      (pool: VectorEnvPool): Contender =>
      () =>
      () => {
        work(pool, steps);
        return steps * numEnvs;
      };
    const times = await race({ one: stepping(one), two: stepping(two) }, oneByOne(turns));
    const [slow, quick] = ['one', 'two'].map((each) => Math.min(...(times.get(each) ?? []))) as [number, number];
    rows.push({
      suite: 'rollout-pool',
      name: `${name}, ${String(numEnvs)} environments of ${FILE.replace('.yaml', '')}`,
      value: quick,
      unit: 'ns a step on two threads',
      ratio: slow / quick,
      of: 'times one thread',
      note: 'same records',
    });
  }
  const hashes = [one, two].map(({ buffers: fields }) => createHash('sha256').update(fields.record).digest('hex'));
  if (hashes[0] !== hashes[1]) throw new Error('one thread and two disagree');
  return rows;
}

export async function rolloutPool({ quick }: Options): Promise<Row[]> {
  const scenario = await loadScenario(`scenarios/${FILE}`);
  const rows: Row[] = [];
  for (const numEnvs of [64, 1024, 16384]) rows.push(...(await compare(scenario, numEnvs, quick ? 5 : 30)));
  return rows;
}
