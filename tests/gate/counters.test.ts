import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BENCHMARKS, type Benchmark, loadBenchmark } from '../../bench/gate/benchmark.ts';
import { countersOf } from '../../bench/gate/counters.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { playBattle } from '../../src/rules/play-battle.ts';

async function benchmark(name: string): Promise<Benchmark> {
  const subject = BENCHMARKS.find((each) => each.name === name);
  if (subject === undefined) throw new Error(`no benchmark ${name}`);
  return loadBenchmark(subject);
}

test('a round of attrition has two draws', async () => {
  const direct = await benchmark('attrition-direct');
  let rounds = 0;
  for (let index = 0; index < 1000; index++) {
    rounds += playBattle(direct.model, new SampledChance(Stream.forBattle(1n, index))).metrics[0] ?? 0;
  }
  const counters = countersOf(direct);
  expect(counters.draws).toBe(2 * rounds);
  expect(counters.battles).toBe(20_000);
  expect(counters.rounds / counters.battles).toBeCloseTo(8.39, 1);
  expect(counters.moduleBytes).toBe(direct.bytes.length);
});

test.each(['cube-bag-siege', 'cube-bag-siege automaton'])('%s: the digest equals the frozen digest', async (name) => {
  const frozen = JSON.parse(readFileSync('tests/frozen/digests.json', 'utf8')) as { digests: Record<string, string> };
  const { digest } = countersOf(await benchmark(name));
  expect(digest).toBe(frozen.digests['cube-bag-siege.yaml']);
});
