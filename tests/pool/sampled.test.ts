/**
 * Tests of the engine `sampled`: final states drawn from the exact joint distribution, which do not depend on chunks.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { computeRunKey, mix64, Stream } from '../../src/core/chance/stream.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { type ExactFinalState, solveFinalStates } from '../../src/engines/kernel/chain-solver.ts';
import { type AliasTable, createAliasTable, FinalStateKernel } from '../../src/engines/kernel/final-state-kernel.ts';
import { loadKernel } from '../../src/engines/kernel/kernel.ts';
import { ThreadPool } from '../../src/engines/pool/thread-pool.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { createCountsShape, getBattleCount } from '../../src/stats/counts.ts';

const TAG = 0x73616d706c656421n;
const GOLDEN = 0x9e3779b97f4a7c15n;
const MASK = 2n ** 64n - 1n;

/** Computes draw `index` of run `seed` as documented in assembly/engines/sampled.ts. */
function drawnEnding(seed: bigint, index: number, { bits, thresholds, aliases }: AliasTable): number {
  const own = mix64(computeRunKey(seed) ^ TAG);
  const stream = Stream.fromKey(mix64((own + (BigInt(Math.floor(index / 1024)) + 1n) * GOLDEN) & MASK));
  stream.seek(index % 1024);
  const slot = stream.word() >>> (32 - bits);
  stream.seek(1024 + (index % 1024));
  return stream.word() < (thresholds[slot] ?? 0) ? slot : (aliases[slot] ?? 0);
}

async function subject(name: string) {
  const scenario = await loadScenario(`scenarios/${name}.yaml`);
  const model = SHIPPED_REGISTRY.system(scenario.system).model(scenario);
  const endings = solveFinalStates(model);
  const table = createAliasTable(endings.map(({ probability }) => probability));
  const kernel = FinalStateKernel.createSampled(await loadKernel('sampled'), createCountsShape(model), endings, table);
  return { scenario, endings, table, kernel };
}

const counted = ({ outcome, metrics }: Pick<ExactFinalState, 'outcome' | 'metrics'>) => [outcome, ...metrics].join();

describe('draws of the engine sampled', () => {
  test.each(['attrition-direct', 'cube-bag-field', 'token-conflict-city'])(
    'equal the documented algorithm: %s',
    async (name) => {
      const { endings, table, kernel } = await subject(name);
      for (const index of [0, 1, 1023, 1024, 5_000, 2 ** 32, 2 ** 53 - 1]) {
        const ending = endings[drawnEnding(3n, index, table)];
        expect(counted(kernel.play(3n, index)), `draw ${String(index)}`).toBe(
          counted(ending ?? { outcome: -1, metrics: [] }),
        );
      }
    },
  );

  test.each([
    [0, 1],
    [1021, 7],
    [5, 1019],
    [1022, 2051],
    [2 ** 53 - 1030, 1030],
  ])('are counted like single draws: from index %i, %i draws', async (from, count) => {
    const { kernel } = await subject('attrition-direct');
    kernel.run(1n, from, count);
    const outcomes = new Float64Array(4);
    for (let index = from; index < from + count; index++) {
      const { outcome } = kernel.play(1n, index);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    expect(kernel.take().outcomes).toEqual(outcomes);
    expect(getBattleCount(kernel.take())).toBe(0);
  });

  test('are counted by an instance that used a larger distribution before', async () => {
    const larger = await subject('attrition-direct');
    larger.kernel.close();
    const { table, kernel } = await subject('token-conflict-city');
    expect(table.bits).toBeLessThan(larger.table.bits);
    kernel.run(1n, 0, 100);
    expect(getBattleCount(kernel.take())).toBe(100);
    kernel.close();
  });

  test('follow the joint distribution: chi-square test over 10^7 draws', async () => {
    const { endings, kernel } = await subject('attrition-direct');
    const draws = 10_000_000;
    kernel.run(7n, 0, draws);
    const { outcomes, metrics } = kernel.take();
    const exactDistribution = new Map<number, number>();
    for (const {
      outcome,
      metrics: [rounds = 0],
      probability,
    } of endings) {
      const cell = outcome * 1000 + rounds;
      exactDistribution.set(cell, (exactDistribution.get(cell) ?? 0) + probability);
    }
    const [rounds] = metrics;
    let chi = 0;
    let cells = 0;
    for (const [cell, p] of exactDistribution) {
      if (p * draws < 50) continue;
      const [outcome, value] = [Math.floor(cell / 1000), cell % 1000];
      const found = rounds?.counts[outcome * rounds.width + value - rounds.low] ?? 0;
      chi += (found - p * draws) ** 2 / (p * draws);
      cells++;
    }
    expect(outcomes.reduce((sum, count) => sum + count, 0)).toBe(draws);
    expect(cells).toBeGreaterThan(60);
    const deviate = (Math.cbrt(chi / cells) - 1 + 2 / (9 * cells)) / Math.sqrt(2 / (9 * cells));
    expect(Math.abs(deviate)).toBeLessThan(4);
  });
});

describe('joint distributions', () => {
  test.each(['attrition-direct', 'phased-dice-last-stand', 'cube-bag-siege', 'strength-cards-land'])(
    '%s: final states add up to the outcome probabilities',
    async (name) => {
      const { scenario, endings } = await subject(name);
      const { distribution: exactDistribution } = solveSync(scenario);
      for (const [outcome, p] of exactDistribution.outcomes.entries()) {
        const sum = endings.reduce((mass, ending) => mass + (ending.outcome === outcome ? ending.probability : 0), 0);
        expect(sum).toBeCloseTo(p, 12);
      }
      expect(new Set(endings.map(counted)).size).toBe(endings.length);
    },
  );
});

describe('runs of the engine sampled', () => {
  let pool: ThreadPool;
  beforeAll(async () => {
    pool = await ThreadPool.create({ workers: 3 });
  });
  afterAll(() => pool.close());

  test('have one digest for all threads and chunks, which differs from the kernel', async () => {
    const scenario = await loadScenario('scenarios/attrition-direct.yaml');
    const options = { battles: 50_001, seed: 5, from: 77, engine: 'sampled' } as const;
    const { digest, workers } = await simulate(scenario, options);
    expect(workers).toBe(0);
    expect((await simulate(scenario, { ...options, pool })).digest).toBe(digest);
    expect((await simulate(scenario, { ...options, engine: 'kernel' })).digest).not.toBe(digest);
  });

  test('are rejected if the exact distribution exceeds the budget', async () => {
    const scenario = await loadScenario('scenarios/attrition-hunters.yaml');
    await expect(simulate(scenario, { battles: 10, engine: 'sampled' })).rejects.toThrow(BudgetError);
  });
});
