/** Scenarios that play the same battles: who plays them, on how many threads, and where runs are cut changes nothing. */
import { expect, test } from 'vitest';
import { battlesIn, type Tally, valueCounts } from '../../src/answers/tally.ts';
import { playOwn } from '../../src/engines/pool/own.ts';
import { openPlayer } from '../../src/engines/pool/player.ts';
import { Pool } from '../../src/engines/pool/pool.ts';
import type { Engine, ReadingPair, TogetherSetup } from '../../src/engines/pool/run.ts';
import { prepare } from '../../src/engines/pool/setup.ts';
import { gapShape } from '../../src/engines/pool/together.ts';
import { opened, playSeeded } from '../../src/rules/opened.ts';
import { loadScenario, updateScenario } from '../../src/rules/scenario/index.ts';
import { compare } from '../../src/studies/comparing/compare.ts';
import { diffRules } from '../../src/studies/comparing/diff-rules.ts';
import { simulate } from '../../src/studies/simulate.ts';

const ground = await loadScenario('scenarios/phased-dice-ground.yaml');
const lastStand = await loadScenario('scenarios/phased-dice-last-stand.yaml');
const duel = await loadScenario('scenarios/attrition-direct.yaml');
const stronger = updateScenario(duel, { 'attacker.attack': 2 });

const SEED = 7n;

async function setupOf(engine: Engine, battles: number) {
  const prepared = [ground, lastStand].map((scenario) =>
    prepare({ engine, scenario, seed: SEED, from: 0, to: battles }),
  );
  const parts = (await Promise.all(prepared)).map(({ setup }) => setup);
  const gaps: ReadingPair[] = [
    [
      { part: 0, of: opened(ground).shape.outcomes.map((_, o) => -10 * o) },
      { part: 1, of: [...opened(lastStand).shape.outcomes.keys()] },
    ],
    [
      { part: 0, of: 1 },
      { part: 1, of: 0 },
    ],
  ];
  return { form: 'together', parts, gaps } satisfies TogetherSetup;
}

/** What the rules say, battle by battle. */
function expected(from: number, battles: number) {
  const [endings, gaps] = [new Map<number, number>(), new Map<number, number>()];
  const count = (counts: Map<number, number>, value: number): unknown =>
    counts.set(value, (counts.get(value) ?? 0) + 1);
  for (let battle = from; battle < from + battles; battle++) {
    const [one, two] = [ground, lastStand].map((scenario) => playSeeded(opened(scenario), SEED, battle));
    count(endings, 10 * (one?.outcome ?? 0) + (two?.outcome ?? 0));
    count(gaps, (two?.metrics[0] ?? 0) - (one?.metrics[1] ?? 0));
  }
  return [endings, gaps].map((counts) => [...counts].sort(([a], [b]) => a - b));
}

const counted = (tally: Tally) => [valueCounts(tally, 0), valueCounts(tally, 1)];

test.each<Engine>(['kernel', 'automaton', 'reference'])('by %s gaps are those of the rules', async (engine) => {
  const player = await openPlayer(await setupOf(engine, 700));
  player.play(100, 520);
  player.play(620, 80);
  const tally = player.take();
  expect(counted(tally)).toEqual(expected(100, 600));
  expect(battlesIn(tally)).toBe(600);
  const { tally: own } = await simulate(lastStand, { seed: SEED, from: 100, battles: 600 });
  expect(valueCounts(tally.parts?.[1] as Tally, 0)).toEqual(valueCounts(own, 0));
  expect(tally.parts?.[1]?.outcomes).toEqual(own.outcomes);
  // What was taken is not counted again.
  player.play(0, 30);
  const next = player.take();
  expect([battlesIn(next), battlesIn(next.parts?.[0] as Tally)]).toEqual([30, 30]);
  player.close();
});

test('threads give what one gives', async () => {
  const battles = 60_000;
  const setup = await setupOf('kernel', battles);
  const run = { engine: 'kernel', scenario: ground, seed: SEED, from: 0, to: battles } as const;
  const prepared = { setup, shape: gapShape(2), why: '' };
  const here = await playOwn(run, { prepared });
  await using pool = await Pool.create({ workers: 2 });
  const apart = await playOwn(run, { prepared, pool });
  expect(apart.workers).toBe(2);
  expect(counted(apart.tally)).toEqual(counted(here.tally));
  expect(apart.tally.parts?.map(({ outcomes }) => [...outcomes])).toEqual(
    here.tally.parts?.map(({ outcomes }) => [...outcomes]),
  );
  expect(battlesIn(apart.tally)).toBe(battles);
});

test('a comparison is the same with any number of threads', async () => {
  await using pool = await Pool.create({ workers: 2 });
  for (const how of [{}, { bounded: true }, { best: 'highest' as const }]) {
    const asked = { battles: 50_000, seed: 3, ...how };
    const one = await compare([duel, stronger], { ...asked, workers: 1 });
    expect(await compare([duel, stronger], { ...asked, pool })).toEqual(one);
  }
  const asked = { battles: 50_000, seed: 3 };
  expect(await diffRules(duel, stronger, { ...asked, pool })).toEqual(
    await diffRules(duel, stronger, { ...asked, workers: 1 }),
  );
});

test('three scenarios are compared pair by pair', async () => {
  const { pairs, battles } = await compare([duel, stronger, duel], { battles: 20_000, seed: 3, of: 'rounds' });
  const { all } = await compare([duel, stronger], { battles: 20_000, seed: 3 });
  const rounds = all?.metrics.find(({ name }) => name === 'rounds');
  expect(battles).toBe(20_000);
  expect(pairs.map(({ differing }) => differing)).toEqual([rounds?.differing, 0, rounds?.differing]);
  expect(pairs[0]?.difference).toBe(rounds?.difference);
  expect(pairs[2]?.difference).toBe(-(rounds?.difference ?? 0));
});

test('progress is of all battles, and a signal leaves what was played', async () => {
  const stop = new AbortController();
  const told: number[] = [];
  const { battles } = await diffRules(duel, stronger, {
    battles: 1e9,
    signal: stop.signal,
    onProgress({ done, asked }) {
      told.push(asked);
      if (done > 0) stop.abort();
    },
  });
  expect(new Set(told)).toEqual(new Set([1e9]));
  expect(battles).toBeGreaterThan(0);
  expect(battles).toBeLessThan(1e9);
});
