/** Runs on two threads against one, in turn, threads already up. Their tallies must give one digest. */
import { Pool } from '../src/pool/pool.ts';
import type { Run } from '../src/pool/run.ts';
import { loadScenario } from '../src/scenario/index.ts';
import { digest, scenarioHash } from '../src/stats/digest.ts';
import { shapeOf } from '../src/stats/tally.ts';
import { requireSystem } from '../src/systems/index.ts';
import type { Scenario } from '../src/systems/system.ts';
import type { Options, Row } from './row.ts';
import { SEED } from './subjects.ts';

const FILE = 'attrition-direct.yaml';

interface Size {
  readonly battles: number;
  readonly turns: number;
}

/** Seconds of a run, and its digest. */
async function time(pool: Pool, scenario: Scenario, battles: number): Promise<[number, string]> {
  const run: Run = { engine: 'kernel', scenario, seed: SEED, from: 0, to: battles };
  const { tally, seconds } = await pool.play(run);
  const shape = shapeOf(requireSystem(scenario.system).model(scenario));
  const played = { scenarioHash: scenarioHash(scenario), system: scenario.system, seed: SEED, from: 0, to: battles };
  return [seconds, digest(played, shape, tally)];
}

async function compare(pools: readonly Pool[], scenario: Scenario, { battles, turns }: Size): Promise<Row> {
  const best = pools.map(() => Number.POSITIVE_INFINITY);
  const digests = new Set<string>();
  for (let turn = 0; turn < turns; turn++) {
    for (const [p, pool] of pools.entries()) {
      const [seconds, hash] = await time(pool, scenario, battles);
      best[p] = Math.min(best[p] ?? seconds, seconds);
      digests.add(hash);
    }
  }
  if (digests.size !== 1) throw new Error('one thread and two did not count the same');
  const [one = Number.NaN, two = Number.NaN] = best;
  return {
    suite: 'pool',
    name: `${battles.toExponential().replace('+', '')} battles of ${FILE.replace('.yaml', '')}`,
    value: two * 1000,
    unit: 'ms on two threads',
    ratio: one / two,
    of: 'times one thread',
    note: 'same digest',
  };
}

export async function pool({ quick }: Options): Promise<Row[]> {
  const scenario = await loadScenario(`scenarios/${FILE}`);
  await using one = await Pool.create({ workers: 1 });
  await using two = await Pool.create({ workers: 2 });
  const sizes: readonly Size[] = [
    { battles: 1e6, turns: quick ? 5 : 30 },
    { battles: 1e7, turns: quick ? 2 : 10 },
  ];
  const rows: Row[] = [];
  for (const size of sizes) rows.push(await compare([one, two], scenario, size));
  return rows;
}
