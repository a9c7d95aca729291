/** Tests of scenarios simulated with common random numbers: engine, threads and chunks do not change the result. */
import { expect, test } from 'vitest';
import { compare } from '../../src/analysis/comparing/compare.ts';
import { compareRules } from '../../src/analysis/comparing/compare-rules.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { runBattles } from '../../src/engines/pool/adaptive-runner.ts';
import { chooseEngine } from '../../src/engines/pool/choose-engine.ts';
import { createDifferenceShape } from '../../src/engines/pool/paired-simulator.ts';
import type { Engine, PairedSetup, ReadingDifference } from '../../src/engines/pool/run.ts';
import { openSimulator } from '../../src/engines/pool/simulator.ts';
import { ThreadPool } from '../../src/engines/pool/thread-pool.ts';
import { getBoundScenario, playSeededBattle } from '../../src/rules/bound-scenario.ts';
import { loadScenario, updateScenario } from '../../src/rules/scenario/index.ts';
import { type Counts, getBattleCount, listValueCounts } from '../../src/stats/counts.ts';

const fleet = await loadScenario('scenarios/phased-dice-fleet.yaml');
const lastStand = await loadScenario('scenarios/phased-dice-last-stand.yaml');
const duel = await loadScenario('scenarios/attrition-direct.yaml');
const stronger = updateScenario(duel, { 'attacker.attack': 2 });

const SEED = 7n;

async function setupOf(engine: Engine, battles: number) {
  const prepared = [fleet, lastStand].map((scenario) =>
    chooseEngine({ engine, scenario, seed: SEED, from: 0, to: battles }),
  );
  const parts = (await Promise.all(prepared)).map(({ setup }) => setup);
  const gaps: ReadingDifference[] = [
    [
      { part: 0, of: getBoundScenario(fleet).shape.outcomes.map((_, o) => -10 * o) },
      { part: 1, of: [...getBoundScenario(lastStand).shape.outcomes.keys()] },
    ],
    [
      { part: 0, of: 1 },
      { part: 1, of: 0 },
    ],
  ];
  return { form: 'together', parts, differences: gaps } satisfies PairedSetup;
}

/** Counts final states and differences by the reference rules, battle by battle. */
function expected(from: number, battles: number) {
  const [endings, gaps] = [new Map<number, number>(), new Map<number, number>()];
  const count = (counts: Map<number, number>, value: number): unknown =>
    counts.set(value, (counts.get(value) ?? 0) + 1);
  for (let battle = from; battle < from + battles; battle++) {
    const [one, two] = [fleet, lastStand].map((scenario) => playSeededBattle(getBoundScenario(scenario), SEED, battle));
    count(endings, 10 * (one?.outcome ?? 0) + (two?.outcome ?? 0));
    count(gaps, (two?.metrics[0] ?? 0) - (one?.metrics[1] ?? 0));
  }
  return [endings, gaps].map((counts) => [...counts].sort(([a], [b]) => a - b));
}

const counted = (counts: Counts) => [listValueCounts(counts, 0), listValueCounts(counts, 1)];

test.each<Engine>(['kernel', 'automaton', 'reference'])(
  'differences by the engine %s equal the reference rules',
  async (engine) => {
    const player = await openSimulator(await setupOf(engine, 700));
    player.play(100, 520);
    player.play(620, 80);
    const counts = player.take();
    expect(counted(counts)).toEqual(expected(100, 600));
    expect(getBattleCount(counts)).toBe(600);
    const { counts: own } = await simulate(lastStand, { seed: SEED, from: 100, battles: 600 });
    expect(listValueCounts(counts.parts?.[1] as Counts, 0)).toEqual(listValueCounts(own, 0));
    expect(counts.parts?.[1]?.outcomes).toEqual(own.outcomes);
    // Counts that were taken are not counted again.
    player.play(0, 30);
    const next = player.take();
    expect([getBattleCount(next), getBattleCount(next.parts?.[0] as Counts)]).toEqual([30, 30]);
    player.close();
  },
);

test('threads return the counts of the calling thread', async () => {
  const battles = 60_000;
  const setup = await setupOf('kernel', battles);
  const run = { engine: 'kernel', scenario: fleet, seed: SEED, from: 0, to: battles } as const;
  const prepared = { setup, shape: createDifferenceShape(2), why: '' };
  const here = await runBattles(run, { prepared });
  await using pool = await ThreadPool.create({ workers: 2 });
  const apart = await runBattles(run, { prepared, pool });
  expect(apart.workers).toBe(2);
  expect(counted(apart.counts)).toEqual(counted(here.counts));
  expect(apart.counts.parts?.map(({ outcomes }) => [...outcomes])).toEqual(
    here.counts.parts?.map(({ outcomes }) => [...outcomes]),
  );
  expect(getBattleCount(apart.counts)).toBe(battles);
});

test('comparisons are the same with any number of threads', async () => {
  await using pool = await ThreadPool.create({ workers: 2 });
  for (const how of [{}, { bounded: true }, { best: 'highest' as const }]) {
    const requested = { battles: 50_000, seed: 3, ...how };
    const one = await compare([duel, stronger], { ...requested, workers: 1 });
    expect(await compare([duel, stronger], { ...requested, pool })).toEqual(one);
  }
  const requested = { battles: 50_000, seed: 3 };
  expect(await compareRules(duel, stronger, { ...requested, pool })).toEqual(
    await compareRules(duel, stronger, { ...requested, workers: 1 }),
  );
});

test('three scenarios are compared in pairs', async () => {
  const { pairs, battles } = await compare([duel, stronger, duel], { battles: 20_000, seed: 3, of: 'rounds' });
  const { all } = await compare([duel, stronger], { battles: 20_000, seed: 3 });
  const rounds = all?.metrics.find(({ name }) => name === 'rounds');
  expect(battles).toBe(20_000);
  expect(pairs.map(({ differing }) => differing)).toEqual([rounds?.differing, 0, rounds?.differing]);
  expect(pairs[0]?.difference).toBe(rounds?.difference);
  expect(pairs[2]?.difference).toBe(-(rounds?.difference ?? 0));
});

test('onProgress reports the total of all battles, and a signal keeps the simulated ones', async () => {
  const stop = new AbortController();
  const reported: number[] = [];
  const { battles } = await compareRules(duel, stronger, {
    battles: 1e9,
    signal: stop.signal,
    onProgress({ done, total: requested }) {
      reported.push(requested);
      if (done > 0) stop.abort();
    },
  });
  expect(new Set(reported)).toEqual(new Set([1e9]));
  expect(battles).toBeGreaterThan(0);
  expect(battles).toBeLessThan(1e9);
});
