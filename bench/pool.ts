/** Runs on two threads compared with one, in turns, with started threads. Their counts must have the same digest. */

import { ThreadPool } from '../src/engines/pool/thread-pool.ts';
import { SHIPPED_REGISTRY } from '../src/rules/index.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import type { Scenario } from '../src/rules/system.ts';
import { type Counts, createCountsShape } from '../src/stats/counts.ts';
import { computeDigest, hashScenario } from '../src/stats/digest.ts';
import { type Contender, oneByOne, race } from './race.ts';
import type { Options, Row } from './row.ts';
import { SEED } from './subjects.ts';

const FILE = 'attrition-direct.yaml';

interface Size {
  readonly battles: number;
  readonly turns: number;
}

function digestOf(scenario: Scenario, battles: number, counts: Counts): string {
  const shape = createCountsShape(SHIPPED_REGISTRY.system(scenario.system).model(scenario));
  const played = { scenarioHash: hashScenario(scenario), system: scenario.system, seed: SEED, from: 0, to: battles };
  return computeDigest(played, shape, counts);
}

async function compare(
  pools: readonly [ThreadPool, ThreadPool],
  scenario: Scenario,
  { battles, turns }: Size,
): Promise<Row> {
  const played: Counts[] = [];
  const running =
    (pool: ThreadPool): Contender =>
    () =>
    async () => {
      const { counts } = await pool.play({ engine: 'kernel', scenario, seed: SEED, from: 0, to: battles });
      played.push(counts);
      return 1;
    };
  const contenders = { one: running(pools[0]), two: running(pools[1]) };
  const times = await race(contenders, { ...oneByOne(turns), awaited: true }, () => {
    const digests = new Set(played.splice(0).map((counts) => digestOf(scenario, battles, counts)));
    if (digests.size !== 1) throw new Error('one thread and two disagree');
  });
  const [one, two] = ['one', 'two'].map((name) => Math.min(...(times.get(name) ?? []))) as [number, number];
  return {
    suite: 'pool',
    name: `${battles.toExponential().replace('+', '')} battles of ${FILE.replace('.yaml', '')}`,
    value: two / 1e6,
    unit: 'ms on two threads',
    ratio: one / two,
    of: 'times one thread',
    note: 'same digest',
  };
}

export async function pool({ quick }: Options): Promise<Row[]> {
  const scenario = await loadScenario(`scenarios/${FILE}`);
  await using one = await ThreadPool.create({ workers: 1 });
  await using two = await ThreadPool.create({ workers: 2 });
  const sizes: readonly Size[] = [
    { battles: 1e6, turns: quick ? 5 : 30 },
    { battles: 1e7, turns: quick ? 2 : 10 },
  ];
  const rows: Row[] = [];
  for (const size of sizes) rows.push(await compare([one, two], scenario, size));
  return rows;
}
