import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Sampled } from '../../src/chance/sampled.ts';
import { Stream } from '../../src/chance/stream.ts';
import { loadBenchmark } from '../../src/gate/benchmark.ts';
import { countersOf } from '../../src/gate/counters.ts';
import { playBattle } from '../../src/systems/battle.ts';

test('a round of attrition is two draws', async () => {
  const benchmark = await loadBenchmark('attrition-direct');
  let rounds = 0;
  for (let index = 0; index < 1000; index++) {
    rounds += playBattle(benchmark.model, new Sampled(Stream.of(1n, index))).metrics[0] ?? 0;
  }
  const counters = countersOf(benchmark);
  expect(counters.draws).toBe(2 * rounds);
  expect(counters.battles).toBe(20_000);
  expect(counters.rounds / counters.battles).toBeCloseTo(8.39, 1);
  expect(counters.moduleBytes).toBe(benchmark.bytes.length);
});

test('the digest is the one that is frozen', async () => {
  const frozen = JSON.parse(readFileSync('tests/frozen/digests.json', 'utf8')) as { digests: Record<string, string> };
  const { digest } = countersOf(await loadBenchmark('cube-bag-siege'));
  expect(digest).toBe(frozen.digests['cube-bag-siege.yaml']);
});
